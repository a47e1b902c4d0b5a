"""Compiled recreation: whole layouts from segments, the one with the best contact to what is placed first.

All pieces know their row, column and turn; a segment is moved and turned as a whole, so that only the differences
within it matter. The canvas has a square for each puzzle, wider than the frame, since where the frame lies is open
until one side is as long.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit, njit_without_counting
from tenjigsaw.solvers.grid import beside, spun
from tenjigsaw.solvers.heap import doubled, sift_up, take_top
from tenjigsaw.solvers.partner_table import PartnerTable, slot_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]

IMPOSSIBLE = -np.inf


class Values(NamedTuple):
    """What joins are worth, those that are not listed too, and the likely partners of each edge."""

    listed: PartnerTable
    unlisted: float
    partner: Ints
    partners: Ints


class Places(NamedTuple):
    """Row, column and turn of each piece; all (N,)."""

    row: Ints
    col: Ints
    turn: Ints


class Segments(NamedTuple):
    """The segment of each piece (N,), and the pieces of segment s: ``member[start[s] : start[s + 1]]``."""

    segment: Ints
    start: Ints
    member: Ints


class Bounds(NamedTuple):
    """The largest frame of each puzzle, and the most cells that its pieces may span.

    ``swap`` allows a frame on its side, ``fixed`` says that places are cells of the frame.
    """

    puzzles: int
    rows: int
    cols: int
    cells: int
    swap: bool
    turned: bool
    fixed: bool


class Canvas(NamedTuple):
    """Pieces and turns by cell, the places of placed pieces, and the box around each puzzle: top, bottom, left, right.

    Puzzle p has the p-th square of (size, puzzles * size) cells.
    """

    piece: Ints
    turn: Ints
    placed: Flags
    row: Ints
    col: Ints
    box: Ints


@njit_without_counting
def worth(values: Any, a: int, b: int) -> Any:
    """What the join of edges a and b is worth."""
    slot = slot_of(values.listed, a, b)
    return np.float64(values.listed.value[slot]) if values.listed.column[slot] == b else values.unlisted


@njit_without_counting
def strip_width(bounds: Any) -> Any:
    """How many columns of places belong to each puzzle: those of its frame, and one that keeps it from the next."""
    return max(bounds.rows, bounds.cols) + 1


@njit(cache=True)
def segments_of(segment: Ints, count: int) -> Any:
    """The members of ``count`` segments, from the segment of each piece."""
    start = np.zeros(count + 1, dtype=np.int64)
    for s in segment:
        start[s + 1] += 1
    start = np.cumsum(start)
    free, member = start.copy(), np.empty(len(segment), dtype=np.int64)
    for piece in range(len(segment)):
        member[free[segment[piece]]] = piece
        free[segment[piece]] += 1
    return Segments(segment, start, member)


@njit_without_counting
def contact(canvas: Any, values: Any, piece: int, row: int, col: int, turn: int) -> Any:
    """What the joins of a piece in that cell with its placed neighbours are worth."""
    total = 0.0
    for direction in range(4):
        r, c = beside(row, col, direction)
        other = canvas.piece[r, c]
        if other >= 0:
            facing = 4 * other + (direction + 2 - canvas.turn[r, c]) % 4
            total += worth(values, 4 * piece + (direction - turn) % 4, facing)
    return total


@njit_without_counting
def _fits(bounds: Any, top: int, bottom: int, left: int, right: int) -> Any:
    height, width = bottom - top + 1, right - left + 1
    if height * width > bounds.cells:
        return False
    upright = height <= bounds.rows and width <= bounds.cols
    return upright or (bounds.swap and height <= bounds.cols and width <= bounds.rows)


@njit_without_counting
def _gain(canvas: Any, values: Any, places: Any, segments: Any, bounds: Any, guest: int, cell: Any) -> Any:
    """What all joins of the guest's segment are worth with the guest in that cell; impossible if it does not fit."""
    row, col, turn = cell
    spin = (turn - places.turn[guest]) % 4
    segment = segments.segment[guest]
    top, bottom, left, right = canvas.box[col // len(canvas.piece)]
    total = 0.0
    for k in range(segments.start[segment], segments.start[segment + 1]):
        piece = segments.member[k]
        down, across = spun(places.row[piece] - places.row[guest], places.col[piece] - places.col[guest], spin)
        r, c = row + down, col + across
        top, bottom, left, right = min(top, r), max(bottom, r), min(left, c), max(right, c)
        if not _fits(bounds, top, bottom, left, right) or canvas.piece[r, c] >= 0:
            return IMPOSSIBLE
        total += contact(canvas, values, piece, r, c, (places.turn[piece] + spin) % 4)
    return total


@njit_without_counting
def _put(canvas: Any, places: Any, segments: Any, guest: int, cell: Any) -> None:
    """Lay the guest's segment down, with the guest in that cell."""
    row, col, turn = cell
    spin = (turn - places.turn[guest]) % 4
    segment = segments.segment[guest]
    for k in range(segments.start[segment], segments.start[segment + 1]):
        piece = segments.member[k]
        down, across = spun(places.row[piece] - places.row[guest], places.col[piece] - places.col[guest], spin)
        _put_piece(canvas, piece, row + down, col + across, (places.turn[piece] + spin) % 4)


@njit_without_counting
def _put_piece(canvas: Any, piece: int, row: int, col: int, turn: int) -> None:
    canvas.piece[row, col], canvas.turn[row, col] = piece, turn
    canvas.row[piece], canvas.col[piece], canvas.placed[piece] = row, col, True
    box = canvas.box[col // len(canvas.piece)]
    box[0], box[1], box[2], box[3] = min(box[0], row), max(box[1], row), min(box[2], col), max(box[3], col)


@njit_without_counting
def _cell_of(canvas: Any, a: int, b: int) -> Any:
    """Row, column and turn of the piece of edge b once b meets the placed edge a."""
    row, col = canvas.row[a // 4], canvas.col[a // 4]
    direction = (a + canvas.turn[row, col]) % 4
    row, col = beside(row, col, direction)
    return row, col, (direction + 2 - b) % 4


@njit(cache=True)
def _grow(
    canvas: Any, values: Any, places: Any, segments: Any, bounds: Any, fresh: Ints, noise: float, least: float, rng: Any
) -> None:
    """Lay segments beside the ``fresh`` pieces, and then beside those laid, best contact first.

    Contacts only change for the worse by a segment that no longer fits or meets a bad neighbour, so that the top of
    the heap is looked at again when it is taken; ``noise`` shuffles the order, ``least`` is the worst contact taken.
    """
    priority, entry, size = np.empty(4096), np.empty(4096, dtype=np.int64), 0
    one, other, luck, joins = np.empty(4096, dtype=np.int64), np.empty(4096, dtype=np.int64), np.empty(4096), 0
    while True:
        for piece in fresh:
            for side in range(4):
                a = 4 * piece + side
                for k in range(values.partners[a]):
                    b = values.partner[a, k]
                    cell = _cell_of(canvas, a, b)
                    if canvas.placed[b // 4] or canvas.piece[cell[0], cell[1]] >= 0:
                        continue
                    gain = _gain(canvas, values, places, segments, bounds, b // 4, cell)
                    if gain == IMPOSSIBLE or gain < least:
                        continue
                    if joins == len(one):
                        one, other, luck = doubled(one), doubled(other), doubled(luck)
                    if size == len(priority):
                        priority, entry = doubled(priority), doubled(entry)
                    one[joins], other[joins], luck[joins] = a, b, noise * rng.standard_normal()
                    sift_up(priority, entry, size, gain + luck[joins], joins)
                    size, joins = size + 1, joins + 1
        fresh = fresh[:0]
        while size > 0 and len(fresh) == 0:
            height, join = take_top(priority, entry, size)
            size -= 1
            guest = other[join] // 4
            cell = _cell_of(canvas, one[join], other[join])
            if canvas.placed[guest] or canvas.piece[cell[0], cell[1]] >= 0:
                continue
            gain = _gain(canvas, values, places, segments, bounds, guest, cell)
            if gain == IMPOSSIBLE or gain < least:
                continue
            if gain + luck[join] < height - 1e-6:
                sift_up(priority, entry, size, gain + luck[join], join)
                size += 1
                continue
            _put(canvas, places, segments, guest, cell)
            segment = segments.segment[guest]
            fresh = segments.member[segments.start[segment] : segments.start[segment + 1]]
        if len(fresh) == 0:
            return


@njit(cache=True)
def _begin(places: Any, segments: Any, bounds: Any, first: Ints) -> Any:
    """A canvas that holds the first segment of each puzzle: in its own cells if these are fixed, else in the middle."""
    count, reach = len(places.row), max(bounds.rows, bounds.cols)
    size = 2 * reach + 4
    canvas = Canvas(
        np.full((size, bounds.puzzles * size), -1, dtype=np.int64),
        np.zeros((size, bounds.puzzles * size), dtype=np.int64),
        np.zeros(count, dtype=np.bool_),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int64),
        np.empty((bounds.puzzles, 4), dtype=np.int64),
    )
    for puzzle in range(bounds.puzzles):
        members = segments.member[segments.start[first[puzzle]] : segments.start[first[puzzle] + 1]]
        row, col = places.row[members], places.col[members]
        box = canvas.box[puzzle]
        if bounds.fixed:
            box[0], box[1], box[2], box[3] = 1, bounds.rows, 1, bounds.cols
            down, across = np.int64(1), np.int64(1)
        else:
            box[0], box[1], box[2], box[3] = size, -1, bounds.puzzles * size, -1
            down = reach + 1 - (row.min() + row.max()) // 2
            across = reach + 1 - (col.min() + col.max()) // 2 + puzzle * size
        _put(canvas, places, segments, members[0], (row[0] + down, col[0] + across, places.turn[members[0]]))
    return canvas


@njit(cache=True)
def _can_begin(places: Any, segments: Any, bounds: Any, first: Ints) -> Any:
    """Whether the first segments are different ones that fit into the frame."""
    for puzzle in range(bounds.puzzles):
        members = segments.member[segments.start[first[puzzle]] : segments.start[first[puzzle] + 1]]
        if len(members) == 0 or (first[:puzzle] == first[puzzle]).any():
            return False
        row, col = places.row[members], places.col[members]
        if not _fits(bounds, row.min(), row.max(), col.min(), col.max()):
            return False
    return True


@njit(cache=True)
def _windows(canvas: Any, bounds: Any) -> Any:
    """(puzzles, 4): top, left, rows and columns of each frame; the room left over is shared."""
    windows = np.empty((bounds.puzzles, 4), dtype=np.int64)
    for puzzle in range(bounds.puzzles):
        top, bottom, left, right = canvas.box[puzzle]
        height, width = bottom - top + 1, right - left + 1
        upright = height <= bounds.rows and width <= bounds.cols
        rows, cols = (bounds.rows, bounds.cols) if upright else (bounds.cols, bounds.rows)
        margin = puzzle * len(canvas.piece) + 1
        windows[puzzle, 0], windows[puzzle, 2] = max(1, top - (rows - height) // 2), rows
        windows[puzzle, 1], windows[puzzle, 3] = max(margin, left - (cols - width) // 2), cols
    return windows


@njit(cache=True)
def _drop_rest(canvas: Any, values: Any, bounds: Any, windows: Ints) -> None:
    """Lay each piece that nobody lists as a partner into the free cell where it does least harm."""
    for piece in range(len(canvas.placed)):
        if canvas.placed[piece]:
            continue
        best, found = IMPOSSIBLE, (-1, -1, 0)
        for top, left, rows, cols in windows:
            for row in range(top, top + rows):
                for col in range(left, left + cols):
                    if canvas.piece[row, col] >= 0:
                        continue
                    for turn in range(4 if bounds.turned else 1):
                        gain = contact(canvas, values, piece, row, col, turn)
                        if gain > best:
                            best, found = gain, (row, col, turn)
        _put_piece(canvas, piece, found[0], found[1], found[2])


@njit(cache=True)
def total_worth(canvas: Any, values: Any) -> Any:
    """What all joins of placed pieces are worth."""
    total = 0.0
    for piece in np.nonzero(canvas.placed)[0]:
        row, col = canvas.row[piece], canvas.col[piece]
        for direction in range(1, 3):
            r, c = beside(row, col, direction)
            other = canvas.piece[r, c]
            if other >= 0:
                facing = 4 * other + (direction + 2 - canvas.turn[r, c]) % 4
                total += worth(values, 4 * piece + (direction - canvas.turn[row, col]) % 4, facing)
    return total


@njit(cache=True)
def recreate(
    values: Any, places: Any, segments: Any, blocks: Any, bounds: Any, first: Ints, beat: float, noise: float, rng: Any
) -> Any:
    """Lay all segments around the ``first`` of each puzzle; what fits nowhere whole goes as ``blocks``, mostly pieces.

    Returns the places, (rows, cols) of each frame, and the worth of all joins: impossible if a block found no room, or
    if it can't ``beat`` what there is, since pieces that no neighbour lists add nothing.
    """
    if not _can_begin(places, segments, bounds, first):
        return places, np.zeros((bounds.puzzles, 2), dtype=np.int64), IMPOSSIBLE
    canvas = _begin(places, segments, bounds, first)
    _grow(canvas, values, places, segments, bounds, np.nonzero(canvas.placed)[0], noise, 0.0, rng)
    if not canvas.placed.all():
        _grow(canvas, values, places, blocks, bounds, np.nonzero(canvas.placed)[0], noise, IMPOSSIBLE, rng)
    for lost in np.nonzero(~canvas.placed)[0]:
        block = blocks.segment[lost]
        if blocks.start[block + 1] - blocks.start[block] > 1:
            return places, np.zeros((bounds.puzzles, 2), dtype=np.int64), IMPOSSIBLE
    if total_worth(canvas, values) < beat:
        return places, np.zeros((bounds.puzzles, 2), dtype=np.int64), IMPOSSIBLE
    windows = _windows(canvas, bounds)
    _drop_rest(canvas, values, bounds, windows)
    return _cut_out(canvas, bounds, windows), windows[:, 2:].copy(), total_worth(canvas, values)


@njit(cache=True)
def _cut_out(canvas: Any, bounds: Any, windows: Ints) -> Any:
    """The places within the frames, each puzzle in its own strip of columns."""
    count = len(canvas.row)
    row, col, turn = (np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64))
    for piece in range(count):
        r, c = canvas.row[piece], canvas.col[piece]
        puzzle = c // len(canvas.piece)
        row[piece], turn[piece] = r - windows[puzzle, 0], canvas.turn[r, c]
        col[piece] = c - windows[puzzle, 1] + puzzle * strip_width(bounds)
    return Places(row, col, turn)
