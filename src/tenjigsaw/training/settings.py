"""Everything a training run can be told, typed and frozen. The defaults are the paper's."""

import math
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from tenjigsaw.errors import InputError

# Python's type of a value in a TOML file -> how a person calls it.
_KINDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


# The single-channel members of TEN-Large.
ONE_CHANNEL = ("ten-red", "ten-green", "ten-blue")


@dataclass(frozen=True)
class Settings:
    """One flat list; a recipe names only what it changes."""

    # The network.
    network: str = "ten"
    dimension: int = 40  # d
    distance: str = "l2"
    piece: int = 28  # P
    worn: int = 1  # b, pixels lost on each side
    without: str = ""  # an ingredient of the unified model to leave out

    # What it sees. A block is `block` x `block` neighbouring pieces of one picture.
    block: int = 16
    blocks: int = 16  # pictures a step
    smallest_reduction: float = 0.7
    largest_enlargement: float = 1.0
    unreduced: float = 0.25  # share of blocks at the picture's own size
    symmetries: bool = True  # the eight mirrors and turns
    permute_channels: bool = True
    grey: float = 0.1  # share of blocks without colour
    processed: float = 0.0  # share of blocks that look as if another camera or program had made them
    varied: float = 0.0  # share of blocks whose pieces have another size and another wear

    # What it is told.
    loss: str = "triplet"
    margin: float = 1.0  # gamma, eq. 2
    samples: int = 64  # triplets or pairs a step; the listwise loss uses all edges, or a crowd
    negatives: int = 1  # strangers for each neighbour in the binary and choice losses
    hard: float = 0.0  # share of strangers that look like the true partner
    crowd: int = 0  # the listwise loss on at most that many edges of a block, a share `hard` of them alike; 0 takes all
    balanced: float = 0.0  # share of the listwise loss that is taken after Sinkhorn

    # How it moves.
    optimiser: str = "adam"
    learning_rate: float = 1e-4
    rate_inputs: float = 0.0  # layers of more inputs learn slower in proportion; 0 treats all alike
    mirrored: bool = False  # the twins learn as mirror images of each other
    bfloat16: bool = False  # the network's products in 16 bits: twice as fast on processors that know them
    weight_decay: float = 0.0
    clip: float = 0.0  # longest gradient; 0 leaves it as it is
    averaging: float = 0.0  # decay of the averaged weights; 0 keeps none
    schedule: str = "plateau"
    factor: float = 0.9  # plateau: after `patience` epochs without a lower loss
    patience: int = 5
    warmup_steps: int = 0  # trapezoid: rise
    decay_share: float = 0.1  # trapezoid: last part of the budget in which the rate falls to 0
    epoch_steps: int = 5000
    epochs: int = 600
    seed: int = 0

    # What is kept an eye on.
    checkpoint_seconds: float = 60.0
    log_seconds: float = 60.0
    validate_minutes: float = 10.0
    validate_pictures: int = 8
    validate_block: int = 10  # pieces on a side of the middle of each picture

    def __post_init__(self) -> None:
        _check(self)

    @property
    def mixes_channels(self) -> bool:
        """Whether channels are permuted: never for a network that is to learn one of them."""
        return self.permute_channels and self.network not in ONE_CHANNEL

    @property
    def steps(self) -> int:
        """The number of steps when nobody says otherwise."""
        return self.epoch_steps * self.epochs

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for a checkpoint or a model card."""
        return asdict(self)


def list_recipes() -> list[str]:
    """The recipes that come with the package."""
    folder = resources.files("tenjigsaw.training") / "recipes"
    return sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))


def read_recipe(recipe: str, **changes: Any) -> Settings:
    """The settings of a recipe, the name of a packaged one or a TOML file; ``changes`` win over it."""
    return settings_from({**_parse(_recipe_text(recipe), recipe), **changes}, recipe)


def settings_from(values: dict[str, Any], source: str) -> Settings:
    """Settings from plain values; unknown keys and wrong types are refused in the name of ``source``."""
    known = _kinds()
    for key, value in values.items():
        if key not in known:
            raise InputError(f"{source}: there is no setting {key!r}; known are {', '.join(known)}.")
        if not _fits(value, known[key]):
            raise InputError(f"{source}: {key} must be {_KINDS[known[key]]}, not {value!r}.")
    typed: dict[str, Any] = {key: float(v) if known[key] is float else v for key, v in values.items()}
    return Settings(**typed)


def parse_changes(changes: list[str]) -> dict[str, Any]:
    """``["block=6", "loss=listwise"]`` -> plain values, typed as the settings are."""
    kinds = _kinds()
    parsed: dict[str, Any] = {}
    for change in changes:
        key, equals, text = change.partition("=")
        if not equals:
            raise InputError(f"A change of settings reads key=value, not {change!r}.")
        parsed[key] = _from_text(text, kinds.get(key, str))
    return parsed


def _kinds() -> dict[str, type]:
    return {field.name: type(field.default) for field in fields(Settings)}


def _recipe_text(recipe: str) -> str:
    if recipe in list_recipes():
        return (resources.files("tenjigsaw.training") / "recipes" / f"{recipe}.toml").read_text("utf-8")
    try:
        return Path(recipe).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError(
            f"There is no recipe {recipe!r}; name a readable TOML file or one of {', '.join(list_recipes())}."
        ) from None


def _parse(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source} is not valid TOML: {error}.") from None


def _fits(value: object, kind: type) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is kind


def _from_text(text: str, kind: type) -> object:
    try:
        if kind is bool:
            return {"true": True, "false": False}[text.lower()]
        return kind(text)
    except (ValueError, KeyError):
        return text


class _Range(NamedTuple):
    """Which values a number may have, and how a person says that."""

    words: str
    fits: Callable[[float], bool]


_AT_LEAST_1 = _Range("at least 1", lambda value: value >= 1)
_AT_LEAST_2 = _Range("at least 2, since a single piece has no neighbour", lambda value: value >= 2)
_NOT_NEGATIVE = _Range("0 or more", lambda value: value >= 0)
_SHARE = _Range("a share from 0 to 1", lambda value: 0 <= value <= 1)

_RANGES = {
    **dict.fromkeys(("dimension", "piece", "blocks", "samples", "negatives", "epoch_steps", "epochs"), _AT_LEAST_1),
    **dict.fromkeys(("unreduced", "grey", "processed", "varied", "hard", "balanced", "decay_share"), _SHARE),
    **dict.fromkeys(("margin", "rate_inputs", "weight_decay", "clip", "patience", "warmup_steps"), _NOT_NEGATIVE),
    **dict.fromkeys(("block", "validate_block"), _AT_LEAST_2),
    "validate_pictures": _AT_LEAST_1,
    "crowd": _Range("0 or at least 4", lambda value: value == 0 or value >= 4),
    "smallest_reduction": _Range("above 0 and at most 1", lambda value: 0 < value <= 1),
    "largest_enlargement": _Range("at least 1 and at most 4", lambda value: 1 <= value <= 4),
    "learning_rate": _Range("above 0", lambda value: value > 0),
    # At 1 the average would stay what it was at first.
    "averaging": _Range("at least 0 and below 1", lambda value: 0 <= value < 1),
    "factor": _Range("above 0 and at most 1", lambda value: 0 < value <= 1),
    "seed": _Range("at least 0 and below 2 to the power of 63", lambda value: 0 <= value < 2**63),
}
# Waits, where infinity means never.
_WAITS = ("checkpoint_seconds", "log_seconds", "validate_minutes")


def _check(settings: Settings) -> None:
    for name, allowed in _RANGES.items():
        value = getattr(settings, name)
        if not math.isfinite(value):
            raise InputError(f"{name} must be a finite number, not {value}.")
        if not allowed.fits(value):
            raise InputError(f"{name} must be {allowed.words}, not {value}.")
    for name in _WAITS:
        if not getattr(settings, name) >= 0:
            raise InputError(f"{name} must be 0 or more, not {getattr(settings, name)}.")
    if not 0 <= 2 * settings.worn < settings.piece:
        raise InputError(f"worn = {settings.worn} leaves nothing of pieces of {settings.piece} pixels.")
