"""The whole flow: pieces -> scores -> layout -> numbers."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tenjigsaw import measures
from tenjigsaw.confidence import join_confidence, layout_cost
from tenjigsaw.evaluation import Accuracy, accuracy
from tenjigsaw.layout import Layout
from tenjigsaw.measures import create_measure
from tenjigsaw.measures.normalise import check_normalisation
from tenjigsaw.progress import Progress, no_progress
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.solvers import Frame, Pins, Stop, create_solver
from tenjigsaw.solvers.border import check_layout
from tenjigsaw.solvers.compiling import compiled_beside
from tenjigsaw.solvers.mixed import check_heap_pins, check_heap_size
from tenjigsaw.solvers.parts import solve_heap
from tenjigsaw.solvers.start import check_heap_start, check_start

FEWEST_NORMALISED = 4


@dataclass(frozen=True, eq=False)
class Result:
    """A layout with all that is known about it; ``confidence`` is (joins,), in the order of ``layout.joins()``.

    ``cost`` is the sum of the normalised costs of all joins, whatever it is that the solver lowers.
    """

    layout: Layout
    confidence: NDArray[np.float64]
    measure: str
    normalise: str
    solver: str
    type: int
    seed: int
    pieces: int
    seconds: float
    cost: float
    accuracy: Accuracy | None


def reassemble(
    puzzle: Puzzle,
    *,
    measure: str = "default",
    normalise: str = "sinkhorn",
    solver: str = "default",
    frame: Frame | tuple[int, int] | None = None,
    stop: Stop | None = None,
    start: Layout | None = None,
    pins: Pins | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Result:
    """Put the pieces of a puzzle together; the frame, or its (rows, cols), is the puzzle's own unless given.

    ``stop`` ends solvers that work in rounds, ``start`` is a layout to begin from, and ``pins`` are kept.
    """
    began = time.perf_counter()
    chosen_measure, chosen_solver = create_measure(measure), create_solver(solver)
    frame = frame or puzzle.frame or Frame()
    frame = frame if isinstance(frame, Frame) else Frame(*frame)
    settled = pins or Pins()
    frame.shapes(puzzle.count, puzzle.turned)
    if start is not None:
        check_start(start, puzzle.count, puzzle.turned)
    settled.check(puzzle.count, frame, puzzle.turned)
    check_normalisation(normalise)
    with compiled_beside(chosen_solver.name, progress):  # for the very first puzzle only
        raw = replace(measures.score(puzzle, chosen_measure, progress), lost=frame.lost_share(puzzle.count))
        scores = measures.normalise(raw, normalise)
    # With one or two candidates an edge there is nothing to compare with: normalising makes all joins alike.
    trusted = raw if puzzle.count < FEWEST_NORMALISED and not puzzle.turned else scores
    layout = chosen_solver.solve(trusted, frame, stop or Stop(), np.random.default_rng(seed), progress, start, pins)
    check_layout(layout, puzzle.count, puzzle.turned, frame, chosen_solver.name)
    settled.check_kept(layout)
    seconds = time.perf_counter() - began
    return Result(
        layout=layout,
        confidence=np.where(settled.vouched_for(layout.joins()), 1.0, join_confidence(layout, scores)),
        measure=chosen_measure.name,
        normalise=normalise,
        solver=chosen_solver.name,
        type=2 if puzzle.turned else 1,
        seed=seed,
        pieces=puzzle.count,
        seconds=seconds,
        cost=layout_cost(layout, scores),
        accuracy=accuracy(layout, puzzle.truth, puzzle.turned) if puzzle.truth else None,
    )


def reassemble_mixed(
    puzzle: Puzzle,
    puzzles: int,
    *,
    measure: str = "default",
    normalise: str = "sinkhorn",
    solver: str = "default",
    frame: Frame | None = None,
    stop: Stop | None = None,
    starts: Sequence[Layout] = (),
    pins: Pins | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
) -> list[Result]:
    """Put a heap with the pieces of several puzzles together: a result for each, whose layout has the heap's numbers.

    ``frame`` is the size of every one of them, if known; ``starts`` are layouts to begin from, one for each of them,
    and ``pins`` say which edges are joined and which are not.
    """
    began = time.perf_counter()
    chosen_measure, chosen_solver = create_measure(measure), create_solver(solver)
    settled, whole = pins or Pins(), frame or Frame(missing=True)
    check_heap_size(puzzles, whole, puzzle.count)
    check_heap_pins(settled, puzzle.count, puzzle.turned)
    if starts:
        check_heap_start(starts, puzzles, puzzle.count, puzzle.turned)
    check_normalisation(normalise)
    scores = measures.normalise(measures.score(puzzle, chosen_measure, progress), normalise)
    rng = np.random.default_rng(seed)
    layouts = solve_heap(scores, puzzles, whole, stop or Stop(), rng, progress, chosen_solver, settled, starts)
    seconds = time.perf_counter() - began
    return [
        Result(
            layout=layout,
            confidence=np.where(settled.vouched_for(layout.joins()), 1.0, join_confidence(layout, scores)),
            measure=chosen_measure.name,
            normalise=normalise,
            solver=chosen_solver.name,
            type=2 if puzzle.turned else 1,
            seed=seed,
            pieces=int((layout.piece >= 0).sum()),
            seconds=seconds,
            cost=layout_cost(layout, scores),
            accuracy=None,
        )
        for layout in layouts
    ]
