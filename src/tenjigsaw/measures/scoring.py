"""Score a puzzle in the form that fits into memory."""

from tenjigsaw.measures.registry import Measure, in_words
from tenjigsaw.measures.scores import Scores
from tenjigsaw.progress import Progress, no_progress
from tenjigsaw.puzzle import Puzzle

# Above this, lists of the best partners are faster than a full matrix, which takes 256 MB, and several times that to
# normalise.
MOST_DENSE_PIECES = 2000
LISTED_PARTNERS = 32


def score(puzzle: Puzzle, measure: Measure, progress: Progress = no_progress) -> Scores:
    """All scores of a puzzle, as a full matrix as long as that fits, else as best-k lists."""
    forecast = getattr(measure, "forecast", None)
    stage = f"scoring, about {in_words(forecast(puzzle))}" if forecast else "scoring"
    progress(stage, 0.0)

    def scored(done: int, total: int) -> None:
        progress(stage, done / total)

    if puzzle.count <= MOST_DENSE_PIECES:
        return measure.scores(puzzle, scored)
    return measure.nearest(puzzle, LISTED_PARTNERS, scored)
