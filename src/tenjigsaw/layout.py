"""A layout: which piece, with which turn, stands in which cell."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as shortened
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.errors import InputError
from tenjigsaw.files import document_in
from tenjigsaw.geometry import DOWN, LEFT, RIGHT, UP, edge_facing

FORMAT = "tenjigsaw layout 1"
EMPTY = -1


@dataclass(frozen=True, eq=False)
class Joins:
    """The pairs of edges that meet in a layout; all arrays are (joins,).

    ``one`` and ``other`` are edges; ``row`` and ``col`` the cell of ``one``; ``direction`` the way from there to
    ``other``, right or down.
    """

    one: NDArray[np.int64]
    other: NDArray[np.int64]
    row: NDArray[np.int64]
    col: NDArray[np.int64]
    direction: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.one)


@dataclass(frozen=True, eq=False)
class Layout:
    """``piece`` and ``turn`` are (rows, cols); an empty cell holds -1 and turn 0."""

    piece: NDArray[np.int64]
    turn: NDArray[np.int64]

    def __post_init__(self) -> None:
        for array in (self.piece, self.turn):
            if not isinstance(array, np.ndarray) or array.dtype.kind not in "iu":
                kind = f"of {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
                raise InputError(f"A layout needs arrays of whole numbers for pieces and turns, not {kind}.")
        if self.piece.ndim != 2 or self.piece.shape != self.turn.shape:
            raise InputError("A layout needs a grid of pieces and a grid of turns of the same shape.")
        placed = self.piece[self.piece >= 0]
        if len(np.unique(placed)) != len(placed):
            raise InputError("A layout can't hold the same piece twice.")
        if (self.piece < EMPTY).any() or ((self.turn < 0) | (self.turn > 3)).any():
            raise InputError("A layout holds piece numbers from 0 on (-1 for none) and turns from 0 to 3.")

    @property
    def rows(self) -> int:
        """How many rows of cells."""
        return len(self.piece)

    @property
    def cols(self) -> int:
        """How many columns of cells."""
        return int(self.piece.shape[1])

    def joins(self) -> Joins:
        """Every pair of edges that meet, once each."""
        across = self._joins_towards(
            RIGHT, LEFT, self.piece[:, :-1], self.piece[:, 1:], self.turn[:, :-1], self.turn[:, 1:]
        )
        down = self._joins_towards(DOWN, UP, self.piece[:-1], self.piece[1:], self.turn[:-1], self.turn[1:])
        return Joins(*(np.concatenate(pair) for pair in zip(across, down, strict=True)))

    @staticmethod
    def _joins_towards(
        direction: int,
        back: int,
        piece: NDArray[np.int64],
        next_piece: NDArray[np.int64],
        turn: NDArray[np.int64],
        next_turn: NDArray[np.int64],
    ) -> tuple[NDArray[np.int64], ...]:
        row, col = np.nonzero((piece >= 0) & (next_piece >= 0))
        one = edge_facing(piece[row, col], turn[row, col], direction)
        other = edge_facing(next_piece[row, col], next_turn[row, col], back)
        return one, other, row, col, np.full(len(row), direction)

    def turned(self, turn: int) -> "Layout":
        """The whole layout, turned clockwise by ``turn`` quarter turns."""
        piece, turns = np.rot90(self.piece, -turn), np.rot90(self.turn, -turn)
        return Layout(piece.copy(), np.where(piece >= 0, (turns + turn) % 4, 0))

    def cropped(self) -> "Layout":
        """The layout without empty rows and columns around it."""
        row, col = np.nonzero(self.piece >= 0)
        box = np.s_[row.min() : row.max() + 1, col.min() : col.max() + 1]
        return Layout(self.piece[box].copy(), self.turn[box].copy())

    def to_json(self, names: Sequence[str] = (), confidence: NDArray[np.float64] | None = None) -> str:
        """The layout as JSON text, with piece names and the confidence of each join where given."""
        cells = []
        for row, col in np.argwhere(self.piece >= 0):
            piece = int(self.piece[row, col])
            cell: dict[str, Any] = {
                "row": int(row),
                "col": int(col),
                "piece": piece,
                "turn": int(self.turn[row, col]),
            }
            cells.append(cell | ({"name": names[piece]} if names else {}))
        document: dict[str, Any] = {"format": FORMAT, "rows": self.rows, "cols": self.cols, "cells": cells}
        if confidence is not None:
            document["joins"] = _joins_to_json(self.joins(), confidence)
        return json.dumps(document, indent=1) + "\n"

    @staticmethod
    def from_json(text: str, names: Sequence[str] = ()) -> "Layout":
        """Read what `to_json` wrote; for the confidences there is `confidence_from_json`.

        ``names`` are those of the puzzle's pieces as they are now: a cell that names its piece means that one, whatever
        its number was.
        """
        return _layout_from_document(document_in(text, FORMAT, "layout"), {name: i for i, name in enumerate(names)})


def confidence_from_json(text: str, layout: Layout) -> NDArray[np.float64] | None:
    """(joins,): what `to_json` noted beside this layout; None unless it is there for every join."""
    noted = _noted_confidence(document_in(text, FORMAT, "layout"))
    joins = layout.joins()
    places = zip(joins.row.tolist(), joins.col.tolist(), joins.direction.tolist(), strict=True)
    found = [noted.get(place) for place in places]
    return None if None in found else np.array(found, dtype=np.float64)


def _noted_confidence(document: dict[str, Any]) -> dict[tuple[int, int, int], float]:
    """The confidence for each row, column and direction of a join."""
    entries = document.get("joins", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError('The layout\'s "joins" must be a list of objects.')
    noted = {}
    for entry in entries:
        towards, sure = entry.get("to"), entry.get("confidence")
        if towards not in ("right", "down"):
            raise InputError(f'The layout\'s "to" must be "right" or "down", not {shortened(towards)}.')
        if isinstance(sure, bool) or not isinstance(sure, int | float) or not 0 <= sure <= 1:
            raise InputError(f'The layout\'s "confidence" must be a number from 0 to 1, not {shortened(sure)}.')
        noted[_whole(entry, "row"), _whole(entry, "col"), RIGHT if towards == "right" else DOWN] = float(sure)
    return noted


def _joins_to_json(joins: Joins, confidence: NDArray[np.float64]) -> list[dict[str, Any]]:
    return [
        {
            "row": int(row),
            "col": int(col),
            "to": "right" if direction == RIGHT else "down",
            "confidence": round(float(sure), 4),
        }
        for row, col, direction, sure in zip(joins.row, joins.col, joins.direction, confidence, strict=True)
    ]


def _layout_from_document(document: dict[str, Any], numbers: Mapping[str, int]) -> Layout:
    rows, cols = _whole(document, "rows", 1), _whole(document, "cols", 1)
    if rows * cols > 10_000_000:
        raise InputError(f"A layout of {rows} x {cols} cells is larger than any puzzle.")
    cells = document.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise InputError('The layout\'s "cells" must be a list of objects.')
    piece = np.full((rows, cols), EMPTY, dtype=np.int64)
    turn = np.zeros((rows, cols), dtype=np.int64)
    for cell in cells:
        row, col = _whole(cell, "row"), _whole(cell, "col")
        if row >= rows or col >= cols or piece[row, col] != EMPTY:
            raise InputError(f"The layout's cell ({row}, {col}) is outside its frame or given twice.")
        piece[row, col], turn[row, col] = _piece(cell, numbers), _whole(cell, "turn")
    return Layout(piece, turn)


def _piece(cell: dict[str, Any], numbers: Mapping[str, int]) -> int:
    number, name = _whole(cell, "piece"), cell.get("name")
    if not numbers or name is None:
        return number
    if not isinstance(name, str) or name not in numbers:
        raise InputError(f"The layout names a piece {shortened(name)} that the puzzle does not have.")
    return numbers[name]


def _whole(document: dict[str, Any], key: str, least: int = 0) -> int:
    value = document.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**31:
        raise InputError(f'The layout\'s "{key}" must be a whole number from {least} on, not {shortened(value)}.')
    return value
