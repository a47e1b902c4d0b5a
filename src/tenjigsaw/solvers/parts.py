"""Heaps for every solver: the segment solver parts a heap, and any other then lays each part by its own method."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.errors import InputError
from tenjigsaw.layout import EMPTY, Layout
from tenjigsaw.measures.scores import Scores, among
from tenjigsaw.progress import Progress, no_progress, show
from tenjigsaw.solvers.border import check_layout, joins_left
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.mixed import solve_mixed
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.registry import Solver
from tenjigsaw.solvers.segments import SegmentSolver
from tenjigsaw.solvers.stop import Stop

Ints = NDArray[np.int64]


def solve_heap(
    scores: Scores,
    puzzles: int,
    frame: Frame,
    stop: Stop,
    rng: np.random.Generator,
    progress: Progress = no_progress,
    solver: Solver | None = None,
    pins: Pins | None = None,
    starts: Sequence[Layout] = (),
) -> list[Layout]:
    """Place the pieces of several puzzles, a layout for each; ``frame`` is the size of every one, if known.

    To part a heap is to lay all of it: what segments make of it stays as it is, unless another solver is asked for.
    """
    if solver is None or isinstance(solver, SegmentSolver):
        return solve_mixed(scores, puzzles, frame, stop, rng, progress, pins, starts)
    # The time is for all: for parting the heap, and for each of the parts.
    share = replace(stop, seconds=stop.seconds / (puzzles + 1) if stop.seconds else None)
    settled = pins or Pins()
    parts = solve_mixed(scores, puzzles, frame, share, rng, progress, settled, starts)
    whole = frame if frame.size else Frame(missing=True)
    improved = bool(starts)
    return [_laid_anew(part, scores, whole, share, rng, progress, solver, settled, improved) for part in parts]


def _laid_anew(
    part: Layout,
    scores: Scores,
    frame: Frame,
    stop: Stop,
    rng: np.random.Generator,
    progress: Progress,
    solver: Solver,
    pins: Pins,
    improved: bool,
) -> Layout:
    """What a solver makes of the pieces of one part; the part itself if none of them can be joined, or if the solver
    refuses its pins, which the parting has kept.

    A part that was ``improved`` from a person's layout is what the solver begins with.
    """
    pieces = np.sort(part.piece[part.piece >= 0])
    own, own_pins = among(scores, pieces), pins.among(pieces)
    if not joins_left(own, own_pins):
        return part
    start = _by_place_among(part, pieces) if improved else None
    told = own_pins if own_pins.any else None
    try:
        laid = solver.solve(own, frame, stop, rng, _PartProgress(progress, pieces), start=start, pins=told)
    except InputError:
        if told is None:
            raise
        return part
    check_layout(laid, len(pieces), scores.turned, frame, solver.name)
    own_pins.check_kept(laid)
    return _renumbered(laid, pieces)


def _by_place_among(layout: Layout, pieces: Ints) -> Layout:
    """The layout of a part with the place of each piece among the part's own."""
    return Layout(np.where(layout.piece >= 0, np.searchsorted(pieces, layout.piece), EMPTY), layout.turn)


def _renumbered(layout: Layout, pieces: Ints) -> Layout:
    """The layout of a part with the numbers that its pieces have in the heap."""
    return Layout(np.where(layout.piece >= 0, pieces[layout.piece], EMPTY), layout.turn)


class _PartProgress:
    """Tells how far a part is, and shows it with the heap's numbers."""

    def __init__(self, progress: Progress, pieces: Ints) -> None:
        self.progress = progress
        self.pieces = pieces

    def __call__(self, stage: str, share: float) -> None:
        """Pass it on."""
        self.progress(stage, share)

    def show(self, layout: Layout, cost: float) -> None:
        """Show the part."""
        show(self.progress, _renumbered(layout, self.pieces), cost)
