"""Score a puzzle in the form that fits into memory."""

import sys
from dataclasses import replace

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.measures.checks import checked_costs
from tenjigsaw.measures.registry import Measure, in_words
from tenjigsaw.measures.scores import DenseScores, Scores, SparseScores
from tenjigsaw.progress import Progress, no_progress
from tenjigsaw.puzzle import Puzzle

# Above this, lists of the best partners are faster than a full matrix, which takes 256 MB, and several times that to
# normalise.
MOST_DENSE_PIECES = 2000
LISTED_PARTNERS = 32


def score(puzzle: Puzzle, measure: Measure, progress: Progress = no_progress) -> Scores:
    """All scores of a puzzle, as a full matrix as long as that fits, else as best-k lists.

    Where somebody follows the progress of a slow measure, its forecast is told first, on the standard error.
    """
    if progress is not no_progress:
        _tell_forecast(puzzle, measure)
    progress("scoring", 0.0)

    def scored(done: int, total: int) -> None:
        progress("scoring", done / total)

    few = puzzle.count <= MOST_DENSE_PIECES
    found = measure.scores(puzzle, scored) if few else measure.nearest(puzzle, LISTED_PARTNERS, scored)
    return _checked(found, puzzle.count, measure.name)


def _tell_forecast(puzzle: Puzzle, measure: Measure) -> None:
    """Once and as a line of its own: a bar is not shown in a log, and is gone when the work is done."""
    forecast = getattr(measure, "forecast", None)
    if forecast is not None:
        print(f"Scoring with {measure.name} takes about {in_words(forecast(puzzle))}.", file=sys.stderr, flush=True)


def _checked(scores: Scores, pieces: int, measure: str) -> Scores:
    """The scores, but for what a measure of one's own can get wrong, before a solver stumbles over it."""
    if not isinstance(scores, DenseScores | SparseScores):
        kind = type(scores).__name__
        raise InputError(f"The measure {measure} must return DenseScores or SparseScores, not {kind}.")
    if isinstance(scores.values, np.ndarray) and scores.edges != 4 * pieces:
        raise InputError(f"The measure {measure} scored {scores.edges} edges, but {pieces} pieces have {4 * pieces}.")
    if isinstance(scores, DenseScores):
        scores = replace(scores, values=checked_costs(measure, scores.values, (4 * pieces, 4 * pieces)))
    # The minimum of numbers among which one is none is none.
    if not np.isfinite(scores.values.min()):
        raise InputError(f"The measure {measure} returned costs that are not numbers, or no finite ones.")
    return scores
