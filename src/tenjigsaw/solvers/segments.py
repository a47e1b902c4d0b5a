"""Our own solver: joins that hear their loops, a tree to begin with, then ruin and recreate by whole segments.

It looks for the layout with the most right joins to be expected: the sum of the joins' probabilities. Since that needs
no truth, the search can go on as long as it is given time.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.layout import EMPTY, Layout
from tenjigsaw.measures.loops import nearest_partners, with_loops
from tenjigsaw.measures.scores import Scores, SparseScores, with_cost
from tenjigsaw.progress import Progress, no_progress, show
from tenjigsaw.solvers.blocks import pinned_clusters
from tenjigsaw.solvers.clusters import Clusters
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.placing import blocks_of, keep_blocks_whole
from tenjigsaw.solvers.recreation import Bounds, Places, Segments, Values, segments_of
from tenjigsaw.solvers.ruin import improve
from tenjigsaw.solvers.start import check_start
from tenjigsaw.solvers.stop import Stop
from tenjigsaw.solvers.tree import TreeSolver, fill

Ints = NDArray[np.int64]

# With fewer pieces there are no loops of four to listen to.
_FEWEST_PIECES = 4
# A join must be about this likely to be worth more than none; unlikely ones in a layout cost as much. Tuned on val.
_PRICE = 0.3
_FORBIDDEN = -1e6
_MOST_PARTNERS = 8
_LEAST_PROBABILITY = 0.01
TRIES_A_ROUND = 200
_MARGIN = 2
DEFAULT_STOP = Stop(generations=10, patience=3)


@dataclass(frozen=True)
class SegmentSolver:
    """Ruin and recreate by segments, from a tree or a given layout on."""

    name: str = "segments"
    summary: str = "loops of four, then breaking and rejoining by whole segments; the longer, the better"

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
        """Place all pieces; it ends when rounds bring nothing any more, or as ``stop`` says."""
        pins, count = pins or Pins(), scores.edges // 4
        pins.check(count, frame, scores.turned)
        if start is not None:
            check_start(start, count, scores.turned)
        if count < _FEWEST_PIECES:
            return TreeSolver().solve(scores, frame, stop, rng, progress, start, pins)
        watch = (stop if stop.seconds else stop.or_else(DEFAULT_STOP)).watch()
        progress("listening to loops", 0.0)
        heard = with_loops(with_cost(scores, pins.apart, np.inf))
        begun = _begun(heard, frame, rng, progress, start, pins)
        search = _Search(heard, frame, pins, begun)
        while True:
            cost = search.improve(rng)
            show(progress, search.layout, cost)
            progress("improving", watch.share)
            if watch.ends_after(cost):
                break
        pins.check_kept(search.layout, self.name)
        return search.layout


def _begun(
    scores: SparseScores,
    frame: Frame,
    rng: np.random.Generator,
    progress: Progress,
    start: Layout | None,
    pins: Pins,
) -> Layout:
    """The layout to start from with all pieces and pins in it, if it suits the frame; else a tree."""
    if start is not None:
        completed = _completed(start, scores, frame, pins)
        if completed is not None:
            return completed
    return TreeSolver().solve(scores, frame, Stop(), rng, progress, pins=pins)


def _completed(start: Layout, scores: SparseScores, frame: Frame, pins: Pins) -> Layout | None:
    """The start, where pinned pieces go to their places and missing ones into holes; none if it has another size."""
    count = scores.edges // 4
    shapes = frame.shapes(count, scores.turned)
    if shapes and (start.rows, start.cols) not in shapes:
        return None
    if frame.size is not None and (start.rows, start.cols) != frame.size:
        start = start.turned(1)
    clusters = pinned_clusters(pins, count, frame)
    free = _without_pinned(start, clusters, pins)
    laid = keep_blocks_whole(free, blocks_of(clusters), scores, may_grow=not shapes)
    return fill(laid, scores, may_grow=not shapes)


def _without_pinned(start: Layout, clusters: Clusters, pins: Pins) -> Layout:
    """The start without pieces that pins speak of, but with held ones, and those tied to them, where they belong."""
    piece, turn = start.piece.copy(), start.turn.copy()
    named = np.unique(np.concatenate([pins.joined.ravel() // 4, pins.apart.ravel() // 4, pins.held[:, 0]]))
    piece[np.isin(piece, named)] = EMPTY
    for name in np.unique(clusters.cluster[pins.held[:, 0]]):
        held = np.nonzero(clusters.cluster == name)[0]
        row, col = clusters.row[held], clusters.col[held]
        piece[row, col], turn[row, col] = held, clusters.turn[held]
    return Layout(piece, np.where(piece >= 0, turn, 0))


class _Search:
    """The best layout so far, and what compiled code needs to look for a better one."""

    def __init__(self, scores: SparseScores, frame: Frame, pins: Pins, layout: Layout) -> None:
        self.frame = frame
        self.values = values_of(scores, pins)
        self.blocks = _blocks(pins, scores.edges // 4, frame)
        self.bounds = _bounds(layout, frame, scores.turned, fixed=len(pins.held) > 0)
        self.layout = layout
        self.worth = -np.inf

    def improve(self, rng: np.random.Generator) -> float:
        """A round of the search; the number of joins that are to be expected wrong."""
        sizes = np.array([[self.layout.rows, self.layout.cols]])
        state = (self.values, _places(self.layout), sizes, self.worth, self.bounds, self.blocks)
        places, sizes, self.worth = improve(*state, TRIES_A_ROUND, rng)
        self.layout = as_asked(_layout(places, sizes[0]), self.frame)
        return self._expected_wrong()

    def _expected_wrong(self) -> float:
        return (1 - _PRICE) * len(self.layout.joins()) - self.worth


def values_of(scores: SparseScores, pins: Pins) -> Values:
    worth = (np.exp(-np.maximum(scores.values, 0)) - _PRICE).astype(np.float32)
    if len(pins.apart):
        one, other = np.concatenate([pins.apart, pins.apart[:, ::-1]]).T
        worth[scores.place(one, other)] = _FORBIDDEN
    partner, _, partners = nearest_partners(scores, _MOST_PARTNERS, _LEAST_PROBABILITY)
    return Values(scores.start, scores.column, worth, -_PRICE, partner, partners)


def _blocks(pins: Pins, count: int, frame: Frame) -> Segments:
    """Pieces that pins hold together, and single pieces; held pieces are block 0."""
    name = pinned_clusters(pins, count, frame).cluster.copy()
    if len(pins.held):
        name[name == name[pins.held[0, 0]]] = -1
    found, block = np.unique(name, return_inverse=True)
    blocks: Segments = segments_of(block, len(found))
    return blocks


def _bounds(layout: Layout, frame: Frame, turned: bool, fixed: bool) -> Bounds:
    """The frame that the layout has taken, or, where the size is open, a bit more than it fills."""
    rows, cols = layout.rows, layout.cols
    if frame.missing and frame.size is None:
        rows = cols = max(rows, cols) + _MARGIN
    return Bounds(1, rows, cols, rows * cols, turned and not fixed, turned, fixed)


def _places(layout: Layout) -> Places:
    row, col = np.nonzero(layout.piece >= 0)
    order = np.argsort(layout.piece[row, col])
    row, col = row[order], col[order]
    return Places(row, col, layout.turn[row, col])


def _layout(places: Places, size: Ints) -> Layout:
    piece, turn = np.full(size, EMPTY, dtype=np.int64), np.zeros(size, dtype=np.int64)
    piece[places.row, places.col] = np.arange(len(places.row))
    turn[places.row, places.col] = places.turn
    return Layout(piece, turn)


def as_asked(layout: Layout, frame: Frame) -> Layout:
    """Set upright what was built lying on its side, and cut off the margin of an open frame."""
    if frame.size is not None:
        return layout if frame.size == (layout.rows, layout.cols) else layout.turned(1)
    if not frame.missing:
        return layout
    row, col = np.nonzero(layout.piece >= 0)
    box = np.s_[row.min() : row.max() + 1, col.min() : col.max() + 1]
    return Layout(layout.piece[box].copy(), layout.turn[box].copy())
