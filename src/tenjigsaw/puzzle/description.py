"""`puzzle.json`: what a folder of piece pictures can't say by itself."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.puzzle.puzzle import Puzzle, Truth

FILE_NAME = "puzzle.json"
FORMAT = "tenjigsaw puzzle 1"
_PLACE_KEYS = ("row", "col", "turn")


@dataclass(frozen=True)
class Description:
    """Everything that is said of a puzzle but its pixels; None where nothing is.

    ``files`` is empty where the folder's own order counts.
    """

    erosion: int | None = None
    turned: bool | None = None
    frame: tuple[int, int] | None = None
    files: tuple[str, ...] = ()
    truth: Truth | None = None


def describe(puzzle: Puzzle, files: list[str]) -> str:
    """The JSON text for a puzzle whose pieces are stored in ``files``."""
    entries: list[dict[str, Any]] = [{"file": name} for name in files]
    if puzzle.truth is not None:
        truth = puzzle.truth
        for entry, row, col, turn in zip(entries, truth.row, truth.col, truth.turn, strict=True):
            entry.update(row=int(row), col=int(col), turn=int(turn))
    document = {
        "format": FORMAT,
        "erosion": puzzle.erosion,
        "turned": puzzle.turned,
        "frame": list(puzzle.frame) if puzzle.frame else None,
        "truth": [puzzle.truth.rows, puzzle.truth.cols] if puzzle.truth else None,
        "pieces": entries,
    }
    return json.dumps(document, indent=1) + "\n"


def read_description(path: Path) -> Description:
    """Read and check a `puzzle.json`."""
    try:
        # Editors on Windows put a mark before the text.
        document = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not valid JSON: {str(error).splitlines()[0]}.") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f'{path} is not a puzzle description: it must hold "format": "{FORMAT}".')
    unknown = sorted(set(document) - {"format", "erosion", "turned", "frame", "truth", "pieces"})
    if unknown:
        raise InputError(f"{path} has an unknown key {unknown[0]!r}.")
    try:
        return _parse(document)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _parse(document: dict[str, Any]) -> Description:
    entries = document.get("pieces", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError('"pieces" must be a list of objects.')
    turned = document.get("turned")
    if "turned" in document and not isinstance(turned, bool):
        raise InputError('"turned" must be true or false.')
    files = tuple(_plain_name(entry.get("file")) for entry in entries)
    _refuse_twins(files)
    truth_size = _size(document, "truth")
    return Description(
        erosion=_whole(document["erosion"], "erosion") if "erosion" in document else None,
        turned=turned,
        frame=_size(document, "frame"),
        files=files,
        truth=_truth(entries, truth_size) if truth_size else None,
    )


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise InputError(f'"{name}" must be a whole number, not {shortened(value)}.')
    return value


def _size(document: dict[str, Any], name: str) -> tuple[int, int] | None:
    value = document.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise InputError(f'"{name}" must be [rows, cols].')
    return _whole(value[0], name), _whole(value[1], name)


def _plain_name(name: Any) -> str:
    """Only files of the folder itself: a description must not reach elsewhere."""
    if not isinstance(name, str) or name in ("", ".", "..") or "/" in name or "\\" in name or "\0" in name:
        raise InputError(f'"file" must be the name of a file in the same folder, not {shortened(name)}.')
    return name


def _refuse_twins(files: tuple[str, ...]) -> None:
    """A tile that is listed twice would be laid twice."""
    twice = [name for name, times in Counter(files).items() if times > 1]
    if twice:
        raise InputError(f'"pieces" lists the file {shortened(twice[0])} twice; each tile is one piece.')


def _truth(entries: list[dict[str, Any]], size: tuple[int, int]) -> Truth:
    places = [[_whole(entry.get(key), key) for key in _PLACE_KEYS] for entry in entries]
    row, col, turn = np.array(places, dtype=np.int64).reshape(-1, 3).T
    return Truth(size[0], size[1], row, col, turn)
