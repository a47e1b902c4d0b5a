"""Our own solver: joins that hear their loops, a tree to begin with, then ruin and recreate by segments, and annealing.

Where the last two end is partly luck, so several searches begin from the tree, and the likeliest layout of all counts.

It looks for the layout with the most right joins to be expected, then for the likeliest layout. Since neither needs
the truth, the search can go on as long as it is given time and any doubt is left.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.layout import EMPTY, Layout
from tenjigsaw.measures.loops import with_loops
from tenjigsaw.measures.normalisation import sinkhorn
from tenjigsaw.measures.scores import Scores, SparseScores, with_cost
from tenjigsaw.measures.softening import softened
from tenjigsaw.progress import Progress, no_progress, show
from tenjigsaw.solvers.blocks import pinned_clusters
from tenjigsaw.solvers.border import check_task
from tenjigsaw.solvers.clusters import Clusters
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.placing import blocks_of, keep_blocks_whole
from tenjigsaw.solvers.search import Search
from tenjigsaw.solvers.searches import LEAST_GAIN, Searches
from tenjigsaw.solvers.stop import Stop
from tenjigsaw.solvers.tree import TreeSolver, fill

Ints = NDArray[np.int64]

# With fewer pieces there are no loops of four to listen to.
_FEWEST_PIECES = 4


@dataclass(frozen=True)
class SegmentSolver:
    """Ruin and recreate by segments, from a tree or a given layout on."""

    name: str = "segments"
    summary: str = "loops of four, then breaking, rejoining and moving whole segments; the longer, the better"

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
        """Place all pieces; it ends when rounds bring nothing any more, or as ``stop`` says.

        It also ends when no doubt is left: each edge that has a neighbour has the one that suits it best.
        """
        pins = pins or Pins()
        check_task(scores, frame, pins, start)
        count = scores.edges // 4
        if count < _FEWEST_PIECES:
            return TreeSolver().solve(scores, frame, stop, rng, progress, start, pins)
        watch = stop.watch(LEAST_GAIN)
        progress("listening to loops", 0.0)
        lost = frame.lost_share(count)
        matched = softened(scores if scores.log_probability else sinkhorn(replace(scores, lost=lost)))
        # Best-k lists leave out what is forbidden, and what they leave out is merely unlikely: forbid it once more.
        heard = with_cost(with_loops(with_cost(matched, pins.apart, np.inf)), pins.apart, np.inf)
        assert isinstance(heard, SparseScores)
        begun = _begun(heard, frame, rng, progress, start, pins)
        first = Search(matched, heard, frame, pins, begun)
        show(progress, first.layout, first.cost)
        searches = Searches(first, rng, stop, watch)
        with searches.threads() as pool:
            while not searches.over:
                progress("improving", max(watch.share, searches.share))
                searches.improve(pool)
                show(progress, searches.best.layout, searches.best.cost)
                if watch.ends_after(-searches.best.worth):
                    break
        layout = searches.best.layout
        pins.check_kept(layout)
        return layout


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
    """The start, where pinned pieces go to their places and missing ones into holes; none if it has another size,
    or none of its pieces may stay.
    """
    count = scores.edges // 4
    shapes = frame.shapes(count, scores.turned)
    if shapes and (start.rows, start.cols) not in shapes:
        return None
    if frame.size is not None and (start.rows, start.cols) != frame.size:
        start = start.turned(1)
    clusters = pinned_clusters(pins, count, frame)
    free = _without_pinned(start, clusters, pins)
    laid = keep_blocks_whole(free, blocks_of(clusters), pins.held[:, 0], scores, may_grow=not shapes)
    if not (laid.piece >= 0).any():
        return None
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
