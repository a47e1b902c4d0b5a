"""The tree solver of Gallagher 2012: join the surest pairs first, trim to the frame, fill the holes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.geometry import spun
from tenjigsaw.layout import EMPTY, Layout
from tenjigsaw.measures.scores import Scores, symmetric, with_cost
from tenjigsaw.progress import Progress, no_progress
from tenjigsaw.solvers.blocks import pinned_clusters
from tenjigsaw.solvers.border import check_task
from tenjigsaw.solvers.clusters import Clusters, chains
from tenjigsaw.solvers.filling import cost_view, fill_holes
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.growth import Grove, enter_pieces, join_clusters, new_table
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.placing import blocks_of, keep_blocks_whole
from tenjigsaw.solvers.stop import Stop

Ints = NDArray[np.int64]

_FIRST_JOINS_PER_EDGE = 16
_NEXT_PORTION = 8
_LARGEST_COST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class TreeSolver:
    """Kruskal's tree of joins with geometry, then trim and fill."""

    name: str = "tree"
    summary: str = "surest joins first, then trim and fill (Gallagher 2012)"
    draws: bool = False

    def solve(
        self,
        scores: Scores,
        frame: Frame,
        stop: Stop,
        rng: np.random.Generator,
        progress: Progress = no_progress,
        start: Layout | None = None,
        pins: Pins | None = None,
    ) -> Layout:
        """Place all pieces; ``stop``, ``rng`` and ``start`` are not used: a tree is built once, without a draw."""
        pins = pins or Pins()
        check_task(scores, frame, pins)
        count = scores.edges // 4
        scores = symmetric(with_cost(scores, pins.apart, np.inf))
        shapes = frame.shapes(count, scores.turned)
        pinned = pinned_clusters(pins, count, frame)
        progress("joining", 0.0)
        clusters = grow(scores, pinned, pins.apart)
        progress("trimming", 0.5)
        layout = trim_to_held(clusters, pins.held, shapes[0]) if len(pins.held) else trim(clusters, shapes)
        layout = keep_blocks_whole(layout, blocks_of(pinned), pins.held[:, 0], scores, may_grow=not shapes)
        progress("filling", 0.6)
        filled = _as_asked(fill(layout, scores, may_grow=not shapes), frame)
        progress("filling", 1.0)
        pins.check_kept(filled)
        return filled


def _as_asked(layout: Layout, frame: Frame) -> Layout:
    """A whole that was built lying on its side, set upright."""
    return layout if frame.size in (None, (layout.rows, layout.cols)) else layout.turned(1)


def grow(scores: Scores, clusters: Clusters, apart: Ints) -> Clusters:
    """Join clusters, best join first, unless edges would meet that must stay ``apart`` (K, 2).

    The joins come in portions of rising cost, each several times the one before: a tree is nearly always complete
    long before the last of all 8 N^2 joins, and joins within a cluster need not be looked at again.
    """
    cluster, row, col, turn = (array.copy() for array in (clusters.cluster, clusters.row, clusters.col, clusters.turn))
    # No cell is further from its cluster's origin than pinned pieces are, and one step more a piece.
    reach = 2 * (len(cluster) + int(max(abs(row).max(), abs(col).max()))) + 3
    grove = Grove(cluster, row, col, turn, *chains(cluster), new_table(len(cluster)), reach)
    enter_pieces(grove)
    share, low = _FIRST_JOINS_PER_EDGE / scores.edges, -np.inf
    while low < _LARGEST_COST:
        high = scores.quantile(share) if share < 1 else _LARGEST_COST
        one, other, cost = scores.joins(low, high, cluster)
        order = np.argsort(cost, kind="stable")
        if join_clusters(one[order], other[order], grove, apart) == 1:
            break
        share, low = share * _NEXT_PORTION, high
    return Clusters(cluster, row, col, turn)


def trim(clusters: Clusters, shapes: list[tuple[int, int]]) -> Layout:
    """The largest cluster, cut to the place and shape that keep the most pieces."""
    largest = np.argmax(np.bincount(clusters.cluster))
    inside = np.nonzero(clusters.cluster == largest)[0]
    row = clusters.row[inside] - clusters.row[inside].min()
    col = clusters.col[inside] - clusters.col[inside].min()
    windows = [(*_fullest_window(row, col, shape), shape) for shape in shapes]
    if windows:
        _, top, left, shape = max(windows, key=lambda window: window[0])
    else:
        top, left, shape = 0, 0, (int(row.max()) + 1, int(col.max()) + 1)
    return _cut_out(inside, row - top, col - left, clusters.turn[inside], shape)


def trim_to_held(clusters: Clusters, held: Ints, shape: tuple[int, int]) -> Layout:
    """The cluster of the held pieces, laid so that they lie as they must and cut to the frame."""
    piece, row, col, turn = held[0]
    inside = np.nonzero(clusters.cluster == clusters.cluster[piece])[0]
    spin = int(turn - clusters.turn[piece]) % 4
    down, right = spun(clusters.row[inside] - clusters.row[piece], clusters.col[inside] - clusters.col[piece], spin)
    return _cut_out(inside, row + down, col + right, (clusters.turn[inside] + spin) % 4, shape)


def _cut_out(inside: Ints, row: Ints, col: Ints, turns: Ints, shape: tuple[int, int]) -> Layout:
    rows, cols = shape
    kept = (row >= 0) & (row < rows) & (col >= 0) & (col < cols)
    piece, turn = np.full(shape, EMPTY, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    piece[row[kept], col[kept]] = inside[kept]
    turn[row[kept], col[kept]] = turns[kept]
    return Layout(piece, turn)


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


def fill(layout: Layout, scores: Scores, may_grow: bool) -> Layout:
    """Fill the holes with the pieces left over; a frame that may grow does so until all are placed."""
    piece, turn = layout.piece.copy(), layout.turn.copy()
    spare = np.setdiff1d(np.arange(scores.edges // 4), piece)
    view = cost_view(scores)
    placed = fill_holes(view, piece, turn, spare, scores.turned)
    while may_grow and placed < len(spare):
        piece, turn = np.pad(piece, 1, constant_values=EMPTY), np.pad(turn, 1)
        spare = np.setdiff1d(spare, piece)
        placed = fill_holes(view, piece, turn, spare, scores.turned)
    filled = Layout(piece, turn)
    return filled.cropped() if may_grow else filled
