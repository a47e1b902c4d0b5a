"""Find a measure by name."""

from typing import Protocol

from tenjigsaw.errors import InputError
from tenjigsaw.measures.classical import CLASSICAL
from tenjigsaw.measures.pairs import Progress
from tenjigsaw.measures.scores import DenseScores, SparseScores
from tenjigsaw.puzzle import Puzzle

BEST_MEASURE = "mgc"


class Measure(Protocol):
    """Anything that scores the edge pairs of a puzzle."""

    @property
    def name(self) -> str:
        """What the command line calls it."""

    @property
    def summary(self) -> str:
        """One line for a list."""

    def scores(self, puzzle: Puzzle, progress: Progress = ...) -> DenseScores:
        """All 4N x 4N costs."""

    def nearest(self, puzzle: Puzzle, k: int, progress: Progress = ...) -> SparseScores:
        """The costs of the k best partners of each edge."""


_MEASURES: dict[str, Measure] = {measure.name: measure for measure in CLASSICAL}


def register_measure(measure: Measure) -> None:
    """Let a measure be found by its name, on the command line too."""
    if measure.name in _MEASURES or measure.name == "default":
        raise InputError(f"There is a measure called {measure.name!r} already.")
    _MEASURES[measure.name] = measure


def list_measures() -> list[Measure]:
    """All measures there are."""
    return list(_MEASURES.values())


def create_measure(name: str) -> Measure:
    """The measure of that name; ``default`` is the best there is."""
    name = BEST_MEASURE if name == "default" else name
    if name not in _MEASURES:
        raise InputError(f"There is no measure called {name!r}; choose from {', '.join(_MEASURES)}.")
    return _MEASURES[name]
