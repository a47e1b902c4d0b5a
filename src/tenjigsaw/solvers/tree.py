"""The tree solver of Gallagher 2012: join the surest pairs first, trim to the frame, fill the holes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.layout import EMPTY, Layout
from tenjigsaw.measures.scores import Scores, symmetric
from tenjigsaw.progress import Progress, no_progress
from tenjigsaw.solvers.filling import cost_view, fill_holes
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.growth import enter_single_pieces, join_clusters, new_table

Ints = NDArray[np.int64]

_FIRST_JOINS_PER_EDGE = 16
_NEXT_PORTION = 8
_LARGEST_COST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Clusters:
    """Which cluster each piece is in, and its row, column and turn there; all (N,)."""

    cluster: Ints
    row: Ints
    col: Ints
    turn: Ints


@dataclass(frozen=True)
class TreeSolver:
    """Kruskal's tree of joins with geometry, then trim and fill."""

    name: str = "tree"
    summary: str = "surest joins first, then trim and fill (Gallagher 2012)"

    def solve(self, scores: Scores, frame: Frame, rng: np.random.Generator, progress: Progress = no_progress) -> Layout:
        """Place all pieces; ``rng`` is not used, the tree has nothing to draw."""
        scores = symmetric(scores)
        shapes = frame.shapes(scores.edges // 4, scores.turned)
        progress("joining", 0.0)
        clusters = grow(scores)
        progress("trimming", 0.5)
        layout, spare = trim(clusters, shapes)
        progress("filling", 0.6)
        filled = fill(layout, spare, scores, may_grow=not shapes)
        progress("done", 1.0)
        return _as_asked(filled, frame)


def _as_asked(layout: Layout, frame: Frame) -> Layout:
    """A whole that was built lying on its side, set upright."""
    return layout if frame.size in (None, (layout.rows, layout.cols)) else layout.turned(1)


def grow(scores: Scores) -> Clusters:
    """Join clusters, best join first.

    The joins come in portions of rising cost, each several times the one before: a tree is nearly always complete
    long before the last of all 8 N^2 joins, and joins within a cluster need not be looked at again.
    """
    count = scores.edges // 4
    cluster, row, col, turn = np.arange(count), *(np.zeros(count, dtype=np.int64) for _ in range(3))
    following, last, members = (
        np.full(count, -1, dtype=np.int64),
        np.arange(count),
        np.ones(count, dtype=np.int64),
    )
    table = new_table(count)
    enter_single_pieces(table, count)
    share, low = _FIRST_JOINS_PER_EDGE / scores.edges, -np.inf
    while low < _LARGEST_COST:
        high = scores.quantile(share) if share < 1 else _LARGEST_COST
        one, other, cost = scores.joins(low, high, cluster)
        order = np.argsort(cost, kind="stable")
        left = join_clusters(one[order], other[order], cluster, row, col, turn, following, last, members, table)
        if left == 1:
            break
        share, low = share * _NEXT_PORTION, high
    return Clusters(cluster, row, col, turn)


def trim(clusters: Clusters, shapes: list[tuple[int, int]]) -> tuple[Layout, Ints]:
    """The largest cluster, cut to the place and shape that keep the most pieces; and the pieces left over."""
    largest = np.argmax(np.bincount(clusters.cluster))
    inside = np.nonzero(clusters.cluster == largest)[0]
    row = clusters.row[inside] - clusters.row[inside].min()
    col = clusters.col[inside] - clusters.col[inside].min()
    windows = [(*_fullest_window(row, col, shape), shape) for shape in shapes]
    if windows:
        _, top, left, (rows, cols) = max(windows, key=lambda window: window[0])
    else:
        top, left, rows, cols = 0, 0, int(row.max()) + 1, int(col.max()) + 1
    row, col = row - top, col - left
    kept = (row >= 0) & (row < rows) & (col >= 0) & (col < cols)
    piece = np.full((rows, cols), EMPTY, dtype=np.int64)
    turn = np.zeros((rows, cols), dtype=np.int64)
    piece[row[kept], col[kept]] = inside[kept]
    turn[row[kept], col[kept]] = clusters.turn[inside[kept]]
    spare = np.setdiff1d(np.arange(len(clusters.cluster)), inside[kept])
    return Layout(piece, turn), spare


def _fullest_window(row: Ints, col: Ints, shape: tuple[int, int]) -> tuple[int, int, int]:
    """(pieces kept, top, left) of the window of that shape that holds the most pieces."""
    rows, cols = shape
    height, width = max(int(row.max()) + 1, rows), max(int(col.max()) + 1, cols)
    total = np.zeros((height + 1, width + 1), dtype=np.int64)
    total[row + 1, col + 1] = 1
    total = total.cumsum(axis=0).cumsum(axis=1)
    held = total[rows:, cols:] - total[:-rows, cols:] - total[rows:, :-cols] + total[:-rows, :-cols]
    top, left = np.unravel_index(np.argmax(held), held.shape)
    return int(held[top, left]), int(top), int(left)


def fill(layout: Layout, spare: Ints, scores: Scores, may_grow: bool) -> Layout:
    """Fill the holes with the spare pieces; a frame that may grow does so until all are placed."""
    piece, turn = layout.piece.copy(), layout.turn.copy()
    view = cost_view(scores)
    placed = fill_holes(view, piece, turn, spare, scores.turned)
    while may_grow and placed < len(spare):
        piece, turn = np.pad(piece, 1, constant_values=EMPTY), np.pad(turn, 1)
        spare = np.setdiff1d(spare, piece)
        placed = fill_holes(view, piece, turn, spare, scores.turned)
    return _cropped(piece, turn) if may_grow else Layout(piece, turn)


def _cropped(piece: Ints, turn: Ints) -> Layout:
    row, col = np.nonzero(piece >= 0)
    box = np.s_[row.min() : row.max() + 1, col.min() : col.max() + 1]
    return Layout(piece[box].copy(), turn[box].copy())
