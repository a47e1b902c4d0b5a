"""The rows of one bench's folder or of several, put together where they fit together."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from tenjigsaw.bench.rows import BenchRow, read_rows
from tenjigsaw.errors import InputError
from tenjigsaw.files import read_text

RUN = "run.json"
# What rows do not tell of themselves, but a comparison of two depends on; by the option that sets it.
_UNTOLD = {
    "unknown_frame": "--unknown-frame",
    "seconds": "--seconds",
    "generations": "--generations",
    "patience": "--patience",
}


def read_benches(folders: Sequence[Path]) -> list[BenchRow]:
    """All rows in the order of the folders, those in several once; folders that contradict each other are refused."""
    found = {folder: read_rows(folder) for folder in folders}
    if len(found) < len(folders):
        raise InputError("The same folder is named twice.")
    for one, other in combinations(found, 2):
        _refuse_other_puzzles(one, found[one], other, found[other])
        _refuse_other_rules(one, found[one], other, found[other])
    once = {row.key: row for rows in reversed(found.values()) for row in reversed(rows)}
    return list(once.values())[::-1]


def refuse_twice(names: Sequence[str], what: str) -> None:
    """Two folders may hold files of which the same ``what`` is made; neither is to hide the other."""
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"Two of the folders have a {what} called {name}; leave one of them out.")


def read_run(folder: Path) -> dict[str, Any]:
    """How a bench was run; nothing where it is not told."""
    path = folder / RUN
    if not path.exists():
        return {}
    try:
        run = json.loads(read_text(path))
    except (ValueError, RecursionError):
        raise InputError(f"{path} is not valid JSON; delete it or run the bench again.") from None
    if not isinstance(run, dict):
        raise InputError(f"{path} must hold a JSON object; delete it or run the bench again.")
    return run


def _refuse_other_puzzles(one: Path, rows: Sequence[BenchRow], other: Path, others: Sequence[BenchRow]) -> None:
    """Results agree, pieces of a set are cut in one way, and a puzzle has as many pieces here as there."""
    held = {row.key: _result(row) for row in rows}
    ways = {row.set: (row.piece, row.drop) for row in rows}
    pieces = {(row.set, row.picture): row.pieces for row in rows}
    for row in others:
        if held.get(row.key, _result(row)) != _result(row):
            raise InputError(f"{one} and {other} hold different results for {row.key}; leave one of them out.")
        if ways.get(row.set, (row.piece, row.drop)) != (row.piece, row.drop):
            raise InputError(f"{one} and {other} have other pieces, or other shares of them lost, of {row.set}.")
        if pieces.get((row.set, row.picture), row.pieces) != row.pieces:
            raise InputError(f"{one} and {other} have different pictures that go by the name {row.set}/{row.picture}.")


def _result(row: BenchRow) -> BenchRow:
    """The row without its times, which are never the same."""
    return replace(row, score_seconds=0.0, seconds=0.0)


def _refuse_other_rules(one: Path, rows: Sequence[BenchRow], other: Path, others: Sequence[BenchRow]) -> None:
    """A solver that is in both must have been told the same, or measures would gain by its rules."""
    ours, theirs = _settings(one), _settings(other)
    shared = {row.solver for row in rows} & {row.solver for row in others}
    if not (ours and theirs and shared):
        return
    for name, option in _UNTOLD.items():
        if ours.get(name) != theirs.get(name):
            raise InputError(f"{one} and {other} were made with different {option}, so they can't be compared.")


def _settings(folder: Path) -> dict[str, Any]:
    settings = read_run(folder).get("settings")
    return settings if isinstance(settings, dict) else {}
