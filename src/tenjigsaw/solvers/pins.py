"""What a person has settled beforehand: joins that must be, joins that must not be, pieces that stay where they are."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from reprlib import repr as shortened
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.errors import InputError
from tenjigsaw.files import document_in
from tenjigsaw.layout import Joins, Layout
from tenjigsaw.solvers.frame import Frame

Ints = NDArray[np.int64]

FORMAT = "tenjigsaw pins 1"
SIDES = ("up", "right", "down", "left")
_JOIN_KEYS = ("piece", "side", "to", "to_side")
_HELD_KEYS = ("piece", "row", "col", "turn")


def _none(width: int) -> Ints:
    return np.zeros((0, width), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Pins:
    """``joined`` and ``apart`` are (K, 2) pairs of edges; ``held`` is (K, 4): piece, row, column and turn."""

    joined: Ints = field(default_factory=lambda: _none(2))
    apart: Ints = field(default_factory=lambda: _none(2))
    held: Ints = field(default_factory=lambda: _none(4))

    def __post_init__(self) -> None:
        for name, width in (("joined", 2), ("apart", 2), ("held", 4)):
            values = np.asarray(getattr(self, name))
            object.__setattr__(self, name, values)
            if values.ndim != 2 or values.shape[1] != width or not np.issubdtype(values.dtype, np.integer):
                raise InputError(f"The {name} pins must be whole numbers in rows of {width}.")
            if (values < 0).any():
                raise InputError(f"The {name} pins hold a number below 0.")
        self._check_joins()
        self._check_held()

    def _check_joins(self) -> None:
        for pairs in (self.joined, self.apart):
            for edge in pairs[pairs[:, 0] // 4 == pairs[:, 1] // 4, 0]:
                raise InputError(f"The pins speak of joining piece {edge // 4} to itself.")
        joined, apart = ({(min(pair), max(pair)) for pair in pairs.tolist()} for pairs in (self.joined, self.apart))
        for a, b in sorted(joined & apart):
            raise InputError(f"The pins want the {edge_name(a)} and the {edge_name(b)} both joined and apart.")
        edges, times = np.unique(np.array(sorted(joined), dtype=np.int64), return_counts=True)
        for edge in edges[times > 1]:
            raise InputError(f"The pins join the {edge_name(edge)} to two others.")

    def _check_held(self) -> None:
        if (self.held[:, 3] > 3).any():
            raise InputError("The turn of a held piece must be 0, 1, 2 or 3.")
        if len(np.unique(self.held[:, 0])) < len(self.held):
            raise InputError("The pins hold the same piece twice.")
        if len(np.unique(self.held[:, 1:3], axis=0)) < len(self.held):
            raise InputError("The pins hold two pieces in the same cell.")

    def check(self, count: int, frame: Frame, turned: bool) -> None:
        """Refuse pins that make no sense for a puzzle of ``count`` pieces in that frame."""
        pieces = np.concatenate([self.joined.ravel() // 4, self.apart.ravel() // 4, self.held[:, 0]])
        if len(pieces) and pieces.max() >= count:
            raise InputError(f"The pins speak of piece {pieces.max()}, but the last of {count} pieces is {count - 1}.")
        if not turned and ((self.joined[:, 0] + 2) % 4 != self.joined[:, 1] % 4).any():
            raise InputError("The pins join sides that only meet if pieces are turned, but turns are known here.")
        if not turned:
            for piece in self.held[self.held[:, 3] > 0, 0]:
                raise InputError(f"The pins hold piece {piece} turned, but turns are known here.")
        if len(self.held) and frame.size is None:
            raise InputError("Pieces can only be held where the rows and columns of the whole are given.")
        for piece in self.held[(self.held[:, 1:3] >= np.array(frame.size or 0)).any(axis=1), 0]:
            raise InputError(f"The pins hold piece {piece} outside the frame of {frame.rows} x {frame.cols}.")

    def check_kept(self, layout: Layout) -> None:
        """Refuse a layout that does not keep the pins."""
        joins = layout.joins()
        there = {(min(pair), max(pair)) for pair in zip(joins.one.tolist(), joins.other.tolist(), strict=True)}
        for pairs, wanted in ((self.joined, True), (self.apart, False)):
            for a, b in pairs.tolist():
                if ((min(a, b), max(a, b)) in there) != wanted:
                    state = "joined" if wanted else "apart"
                    sides = f"the {edge_name(a)} and the {edge_name(b)}"
                    raise InputError(f"No layout was found with {sides} {state}: the pins may contradict each other.")
        for piece, row, col, turn in self.held.tolist():
            if layout.piece[row, col] != piece or layout.turn[row, col] != turn:
                raise InputError(f"No layout was found with piece {piece} held: the pins may contradict each other.")

    @property
    def any(self) -> bool:
        """Whether a person has settled anything."""
        return bool(len(self.joined) or len(self.apart) or len(self.held))

    def among(self, pieces: Ints) -> "Pins":
        """Those that speak of these pieces (ascending) alone, by the place of each piece among them."""

        def renumbered(edges: Ints) -> Ints:
            inside: Ints = edges[np.isin(edges // 4, pieces).all(axis=1)]
            return 4 * np.searchsorted(pieces, inside // 4) + inside % 4

        held = self.held[np.isin(self.held[:, 0], pieces)].copy()
        held[:, 0] = np.searchsorted(pieces, held[:, 0])
        return Pins(renumbered(self.joined), renumbered(self.apart), held)

    def vouched_for(self, joins: Joins) -> NDArray[np.bool_]:
        """(joins,): which of these a person has vouched for, as a join or by holding both pieces."""
        one, other = np.minimum(joins.one, joins.other), np.maximum(joins.one, joins.other)
        pinned = {(min(pair), max(pair)) for pair in self.joined.tolist()}
        named = np.fromiter((pair in pinned for pair in zip(one.tolist(), other.tolist(), strict=True)), bool, len(one))
        held = self.held[:, 0]
        return named | (np.isin(one // 4, held) & np.isin(other // 4, held))

    def to_json(self) -> str:
        """The pins as JSON text."""
        document: dict[str, Any] = {"format": FORMAT}
        for name, pairs in (("joined", self.joined), ("apart", self.apart)):
            values = [(a // 4, SIDES[a % 4], b // 4, SIDES[b % 4]) for a, b in pairs.tolist()]
            document[name] = [dict(zip(_JOIN_KEYS, value, strict=True)) for value in values]
        document["held"] = [dict(zip(_HELD_KEYS, value, strict=True)) for value in self.held.tolist()]
        return json.dumps(document, indent=1) + "\n"

    @staticmethod
    def from_json(text: str) -> "Pins":
        """Read what `to_json` wrote; each list may be left out."""
        document = document_in(text, FORMAT, "pins")
        unknown = sorted(set(document) - {"format", "joined", "apart", "held"})
        if unknown:
            raise InputError(f"The pins have an unknown key {unknown[0]!r}.")
        held = [[_whole(entry, key) for key in _HELD_KEYS] for entry in _entries(document, "held", _HELD_KEYS)]
        return Pins(_edge_pairs(document, "joined"), _edge_pairs(document, "apart"), _table(held, 4))


def edge_name(edge: int) -> str:
    """An edge as a person would say it."""
    return f"{SIDES[edge % 4]} side of piece {edge // 4}"


def _table(rows: Sequence[Sequence[int]], width: int) -> Ints:
    return np.array(rows, dtype=np.int64).reshape(-1, width)


def _edge_pairs(document: dict[str, Any], name: str) -> Ints:
    pairs = [
        (4 * _whole(entry, "piece") + _side(entry, "side"), 4 * _whole(entry, "to") + _side(entry, "to_side"))
        for entry in _entries(document, name, _JOIN_KEYS)
    ]
    return _table(pairs, 2)


def _entries(document: dict[str, Any], name: str, keys: tuple[str, ...]) -> list[dict[str, Any]]:
    entries = document.get(name, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(f'The pins\' "{name}" must be a list of objects.')
    for entry in entries:
        if set(entry) != set(keys):
            raise InputError(f'Each of the pins\' "{name}" needs exactly {", ".join(keys)}.')
    return entries


def _whole(entry: dict[str, Any], key: str) -> int:
    value = entry[key]
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise InputError(f'The pins\' "{key}" must be a whole number from 0 on, not {shortened(value)}.')
    return value


def _side(entry: dict[str, Any], key: str) -> int:
    value = entry[key]
    if value not in SIDES:
        raise InputError(f'The pins\' "{key}" must be one of {", ".join(SIDES)}, not {shortened(value)}.')
    return SIDES.index(value)
