"""A puzzle: square pieces, how worn they are, and, if known, where they belong."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.errors import InputError
from tenjigsaw.geometry import STEPS, edge_facing, opposite

SMALLEST_PIECE = 8
SMALLEST_INNER = 4

# A frame may have this many cells, or this many for each piece: enough for any puzzle, too few to fill the memory.
MOST_CELLS = 100_000
MOST_CELLS_PER_PIECE = 1000


@dataclass(frozen=True, eq=False)
class Truth:
    """Where each of N pieces belongs in a ``rows x cols`` picture, and the turn that sets it upright.

    ``row``, ``col`` and ``turn`` are (N,). Pieces may be missing, so cells can be empty.
    """

    rows: int
    cols: int
    row: NDArray[np.int64]
    col: NDArray[np.int64]
    turn: NDArray[np.int64]

    def __post_init__(self) -> None:
        _check_cells(self.rows, self.cols, len(self.row))
        inside = (self.row >= 0) & (self.row < self.rows) & (self.col >= 0) & (self.col < self.cols)
        if not inside.all():
            raise InputError(f"The truth places a piece outside its {self.rows} x {self.cols} frame.")
        if len(np.unique(self.row * self.cols + self.col)) != len(self.row):
            raise InputError("The truth places two pieces in the same cell.")
        if ((self.turn < 0) | (self.turn > 3)).any():
            raise InputError("The truth has a turn that is not 0, 1, 2 or 3.")

    def grid(self) -> NDArray[np.int64]:
        """(rows, cols): the piece of each cell, -1 where it is missing."""
        grid = np.full((self.rows, self.cols), -1, dtype=np.int64)
        grid[self.row, self.col] = np.arange(len(self.row))
        return grid

    def partners(self) -> NDArray[np.int64]:
        """(4N,): the edge that truly meets each edge, -1 at the border and next to missing pieces."""
        padded = np.pad(self.grid(), 1, constant_values=-1)
        partner = np.full(4 * len(self.row), -1, dtype=np.int64)
        pieces = np.arange(len(self.row))
        for direction in range(4):
            step_row, step_col = STEPS[direction]
            other = padded[self.row + 1 + step_row, self.col + 1 + step_col]
            other_edge = edge_facing(other, self.turn[other], opposite(direction))
            partner[edge_facing(pieces, self.turn, direction)] = np.where(other >= 0, other_edge, -1)
        return partner

    def take(self, pieces: NDArray[np.int64]) -> "Truth":
        """The truth of these pieces only, in this order."""
        return Truth(self.rows, self.cols, self.row[pieces], self.col[pieces], self.turn[pieces])


@dataclass(frozen=True, eq=False)
class Puzzle:
    """N square pieces.

    ``pieces`` is (N, P, P, 3) 8-bit RGB, with the worn frame of ``erosion`` pixels still around it. ``turned`` says
    that turns are unknown (Type-2). ``frame`` is (rows, cols) where the size of the whole is known.
    """

    pieces: NDArray[np.uint8]
    erosion: int = 0
    turned: bool = False
    frame: tuple[int, int] | None = None
    truth: Truth | None = None
    names: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        _check_pieces(self.pieces)
        check_erosion(self.size, self.erosion)
        if self.frame is not None:
            check_frame(self.frame, self.count)
        if self.truth is not None and len(self.truth.row) != self.count:
            raise InputError(f"The truth speaks of {len(self.truth.row)} pieces but there are {self.count}.")
        if self.names and len(self.names) != self.count:
            raise InputError(f"There are {len(self.names)} names for {self.count} pieces.")

    @property
    def count(self) -> int:
        """N, the number of pieces."""
        return len(self.pieces)

    @property
    def size(self) -> int:
        """P, the side of a piece with its worn frame."""
        return int(self.pieces.shape[1])

    @property
    def inner(self) -> NDArray[np.uint8]:
        """(N, Q, Q, 3): what wear has left, Q = P - 2 * erosion."""
        worn = self.erosion
        return self.pieces[:, worn : self.size - worn, worn : self.size - worn]


def _check_pieces(pieces: NDArray[np.uint8]) -> None:
    if pieces.ndim != 4 or pieces.shape[1] != pieces.shape[2] or pieces.shape[3] != 3:
        raise InputError(f"Pieces must be an array of shape (N, P, P, 3), not {pieces.shape}.")
    if pieces.dtype != np.uint8:
        raise InputError(f"Pieces must be 8-bit RGB, not {pieces.dtype}.")
    if len(pieces) < 2:
        raise InputError(f"A puzzle needs at least two pieces, and there {_are(len(pieces))}.")
    if pieces.shape[1] < SMALLEST_PIECE:
        raise InputError(f"Pieces must be at least {SMALLEST_PIECE} pixels wide, not {pieces.shape[1]}.")


def _are(count: int) -> str:
    return "is only one" if count == 1 else "are none"


def check_erosion(size: int, erosion: int) -> None:
    """Refuse an erosion that leaves too little of a piece."""
    if erosion < 0:
        raise InputError(f"The erosion can't be negative, as {erosion} is.")
    if size - 2 * erosion < SMALLEST_INNER:
        raise InputError(
            f"An erosion of {erosion} pixels leaves {max(0, size - 2 * erosion)} of a {size}-pixel piece; "
            f"at least {SMALLEST_INNER} must survive."
        )


def check_frame(frame: tuple[int, int], count: int) -> None:
    """Refuse a frame that can't hold ``count`` pieces."""
    rows, cols = frame
    if rows < 1 or cols < 1:
        raise InputError(f"A frame of {rows} x {cols} has no cells.")
    if rows * cols < count:
        raise InputError(f"A frame of {rows} x {cols} has {rows * cols} cells, too few for {count} pieces.")
    _check_cells(rows, cols, count)


def _check_cells(rows: int, cols: int, count: int) -> None:
    if rows * cols > max(MOST_CELLS, MOST_CELLS_PER_PIECE * count):
        raise InputError(f"A frame of {rows} x {cols} is far too large for {count} pieces.")
