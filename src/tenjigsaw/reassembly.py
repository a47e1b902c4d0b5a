"""The whole flow: pieces -> scores -> layout -> numbers."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.confidence import join_confidence, layout_cost
from tenjigsaw.evaluation import Accuracy, accuracy
from tenjigsaw.layout import Layout
from tenjigsaw.measures import Scores, create_measure, in_words, normalise
from tenjigsaw.measures.normalisation import check_normalisation
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.solvers import Frame, create_solver

# Above this a full matrix of scores takes more than a gigabyte, and normalising needs several; best-k lists take over.
MOST_DENSE_PIECES = 4000
LISTED_PARTNERS = 32

Progress = Callable[[str, float], None]


def no_progress(stage: str, share: float) -> None:
    """Tell nobody."""


@dataclass(frozen=True, eq=False)
class Result:
    """A layout with all that is known about it; ``confidence`` is (joins,), in the order of ``layout.joins()``."""

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
    normalisation: str = "sinkhorn",
    solver: str = "default",
    frame: Frame | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Result:
    """Put the pieces of a puzzle together; the frame is the puzzle's own unless another is given."""
    began = time.perf_counter()
    chosen_measure, chosen_solver = create_measure(measure), create_solver(solver)
    frame = frame or (Frame(*puzzle.frame) if puzzle.frame else Frame())
    frame.shapes(puzzle.count, puzzle.turned)
    check_normalisation(normalisation)
    scores = normalise(score(puzzle, chosen_measure.name, progress), normalisation)
    layout = chosen_solver.solve(scores, frame, np.random.default_rng(seed), progress)
    seconds = time.perf_counter() - began
    return Result(
        layout=layout,
        confidence=join_confidence(layout, scores),
        measure=chosen_measure.name,
        normalise=normalisation,
        solver=chosen_solver.name,
        type=2 if puzzle.turned else 1,
        seed=seed,
        pieces=puzzle.count,
        seconds=seconds,
        cost=layout_cost(layout, scores),
        accuracy=accuracy(layout, puzzle.truth, puzzle.turned) if puzzle.truth else None,
    )


def score(puzzle: Puzzle, measure: str, progress: Progress = no_progress) -> Scores:
    """All scores of a puzzle, as a full matrix as long as that fits, else as best-k lists."""
    chosen = create_measure(measure)
    stage = "scoring" if chosen.forecast is None else f"scoring, about {in_words(chosen.forecast(puzzle))}"
    progress(stage, 0.0)

    def scored(done: int, total: int) -> None:
        progress(stage, done / total)

    if puzzle.count <= MOST_DENSE_PIECES:
        return chosen.scores(puzzle, scored)
    return chosen.nearest(puzzle, LISTED_PARTNERS, scored)
