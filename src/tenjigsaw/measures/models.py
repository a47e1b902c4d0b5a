"""Trained models on disk: a folder each, with `config.json`, `model.onnx` and `model.safetensors`."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Any

from tenjigsaw.errors import InputError

CONFIG, GRAPH, TENSORS = "config.json", "model.onnx", "model.safetensors"
SECOND_GRAPH, FAST_GRAPH = "second.onnx", "fast.onnx"
FORMAT = "tenjigsaw model 1"
WEIGHTS_VARIABLE = "TENJIGSAW_WEIGHTS"

KINDS = ("twins", "pair", "tokens")
DISTANCE_NAMES = ("cosine", "l1", "l2", "l3")

# What a config says, and what it may say of how the model was made.
_FIELDS: dict[str, type | UnionType] = {
    "name": str,
    "network": str,
    "kind": str,
    "piece": int,
    "worn": int,
    "distance": str,
    "about": dict,
    "hashes": dict,
}
_ABOUT: dict[str, type | UnionType] = {"settings": dict, "step": int, "gap": int | float, "val": dict | None}
_ABOUT |= {"minutes": int | float, "cpu_minutes": int | float, "before": list, "folder": str, "pictures": int}


@dataclass(frozen=True)
class Model:
    """A trained network: what it is called, how it is built and fed, and how it was made.

    ``kind`` is "twins" (an embedding of the edge on either side of a join) or "pair" (one number for two edges)
    or "tokens" (a description of the edge, row by row).
    """

    folder: Path
    name: str
    network: str
    kind: str
    piece: int
    worn: int
    distance: str
    about: dict[str, Any]
    hashes: dict[str, str]


@dataclass(frozen=True)
class Ensemble:
    """Models that are asked together under one name; ``folder`` is where its card stands."""

    name: str
    members: tuple[Model, ...]

    @property
    def folder(self) -> Path:
        """Beside the last member, after which the whole is named."""
        return self.members[-1].folder.parent / self.name

    @property
    def network(self) -> str:
        """What the paper calls it."""
        return self.name

    @property
    def kind(self) -> str:
        """What all members are."""
        return self.members[-1].kind

    @property
    def piece(self) -> int:
        """The side of the pieces that the members were trained for."""
        return self.members[-1].piece

    @property
    def worn(self) -> int:
        """The wear that the members were trained for."""
        return self.members[-1].worn


# The members of TEN-Large: red, green and blue by themselves, and TEN.
TEN_LARGE_NAME, TEN_LARGE = "ten-large", ("ten-red", "ten-green", "ten-blue", "ten")


def weight_folders() -> list[Path]:
    """Where models are looked for: where the variable says, in the package, and beside its source in a clone."""
    package = Path(__file__).parent.parent
    named = os.environ.get(WEIGHTS_VARIABLE)
    return [*([Path(named)] if named else []), package / "weights", package.parent.parent / "weights"]


def find_models() -> dict[str, Model]:
    """All models there are, by name; the first of a name counts."""
    models: dict[str, Model] = {}
    for folder in weight_folders():
        for config in sorted(folder.glob(f"*/{CONFIG}")):
            model = read_model(config.parent)
            models.setdefault(model.name, model)
    return models


def find_ensembles() -> dict[str, Ensemble]:
    """TEN-Large, where all its members are."""
    models = find_models()
    if not all(name in models for name in TEN_LARGE):
        return {}
    return {TEN_LARGE_NAME: Ensemble(TEN_LARGE_NAME, tuple(models[name] for name in TEN_LARGE))}


def read_model(folder: Path) -> Model:
    """What `config.json` says of the model in this folder."""
    path = folder / CONFIG
    document = _document(path)
    for name, kind in _FIELDS.items():
        if not _is(document.get(name), kind):
            raise InputError(f'{path} is damaged: "{name}" is missing or of the wrong kind.')
    for name, kind in _ABOUT.items():
        if name in document["about"] and not _is(document["about"][name], kind):
            raise InputError(f'{path} is damaged: "{name}" in "about" is of the wrong kind.')
    model = Model(folder, **{name: document[name] for name in _FIELDS})
    _refuse_unknown(model, path)
    return model


def _document(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path.parent} holds no model: there is no {CONFIG} in it.") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path} is not valid JSON.") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f'{path} does not describe a model: it must hold "format": "{FORMAT}".')
    return document


def _is(value: object, kind: type | UnionType) -> bool:
    """Whether a value is of a kind; true and false are no numbers here."""
    return isinstance(value, kind) and not isinstance(value, bool)


def _refuse_unknown(model: Model, path: Path) -> None:
    """What is of the right kind, and still nothing that a measure can be made of."""
    if model.kind not in KINDS:
        raise InputError(f"{path} describes a model of kind {model.kind!r}; known are {', '.join(KINDS)}.")
    if model.kind == "twins" and model.distance not in DISTANCE_NAMES:
        raise InputError(f"{path} names the distance {model.distance!r}; known are {', '.join(DISTANCE_NAMES)}.")
    if not 0 <= 2 * model.worn < model.piece:
        raise InputError(f"{path} is damaged: wear of {model.worn} leaves nothing of pieces of {model.piece} pixels.")
    if not all(isinstance(found, str) for found in model.hashes.values()):
        raise InputError(f'{path} is damaged: "hashes" must be texts.')
    before = model.about.get("before", [0.0, 0.0])
    if len(before) != 2 or not all(_is(minutes, int | float) for minutes in before):
        raise InputError(f'{path} is damaged: "before" in "about" must be two numbers.')


def whole_file(folder: Path, name: str, file: str, expected_hash: str) -> Path:
    """A file of a model, once its contents are known to be whole."""
    path = folder / file
    try:
        found = hash_of(path)
    except FileNotFoundError:
        raise InputError(f"The model {name!r} is not whole: {path} is missing.") from None
    if found != expected_hash:
        raise InputError(f"{path} is damaged or of another model: it does not match the hash in {CONFIG}.")
    return path


def hash_of(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
