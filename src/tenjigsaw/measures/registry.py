"""Find a measure by name."""

import re
from importlib.metadata import EntryPoint
from typing import Protocol

from tenjigsaw.errors import InputError
from tenjigsaw.measures.classical import CLASSICAL
from tenjigsaw.measures.features import Progress
from tenjigsaw.measures.learned import twins_measure
from tenjigsaw.measures.models import TEN_LARGE, TEN_LARGE_NAME, find_ensembles, find_models
from tenjigsaw.measures.rerank import RerankedMeasure
from tenjigsaw.measures.scores import DenseScores, SparseScores
from tenjigsaw.measures.seam import pair_measure
from tenjigsaw.measures.unified import unified_measure
from tenjigsaw.plugins import check_plugin, find_plugins, load_plugin
from tenjigsaw.puzzle import Puzzle

BEST_MEASURE = "unified-rerank"
ENTRY_POINTS = "tenjigsaw.measures"
# What else than its name and summary is needed, as `check_plugin` takes it.
_NEEDED = ("measure", ("scores", "nearest"))


class Measure(Protocol):
    """Anything that scores the edge pairs of a puzzle.

    A slow one may also have ``forecast(puzzle)``, which predicts its seconds before it starts.
    """

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


def in_words(seconds: float) -> str:
    """A forecast as a person would say it."""
    if seconds < 1.5:
        return "a second"
    if seconds < 100:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 6000 else f"{seconds / 3600:.1f} hours"


# What a measure with a second look is called, after the name of its model.
RERANKED = "-rerank"

_registered: dict[str, Measure] = {measure.name: measure for measure in CLASSICAL}


def _measures() -> dict[str, Measure]:
    return _registered | _learned()


def _learned() -> dict[str, Measure]:
    """A measure for each trained model there is, and TEN-Large where all its members are."""
    models = find_models()
    found: list[Measure] = []
    for model in models.values():
        if model.kind == "twins":
            found.append(twins_measure(model.name, f"twin embedding networks, {model.distance} distance", [model]))
        elif model.kind == "pair":
            found.append(pair_measure(model.name, "a network that looks at every pair; slow", model))
        elif model.kind == "tokens":
            found.append(unified_measure(model.name, "one network for both sides, tokens along the edge", model))
            summary = "the same, of the negative too, with a second look at the best"
            found.append(RerankedMeasure(f"{model.name}{RERANKED}", summary, model))
    for ensemble in find_ensembles().values():
        found.append(twins_measure(ensemble.name, "TEN on each colour and on all three, averaged", ensemble.members))
    return {measure.name: measure for measure in found}


def models_behind(measure: str) -> tuple[str, ...]:
    """The names of the models that a learned measure would use."""
    return TEN_LARGE if measure == TEN_LARGE_NAME else (measure.removesuffix(RERANKED),)


def check_model_name(name: str) -> None:
    """Refuse a name that a model's measure could not be asked for by, or that stands for another measure."""
    if not re.fullmatch(r"[\w.+-]+", name):
        raise InputError(f"A model's name has letters, digits, dots, dashes and underscores only, unlike {name!r}.")
    if name.endswith(RERANKED):
        raise InputError(f"{name!r} would be the second look of another model; give a name without {RERANKED!r}.")
    if name in {"default", TEN_LARGE_NAME, *_registered, *find_plugins(ENTRY_POINTS)}:
        raise InputError(f"{name!r} is the name of another measure; give the model a name of its own.")


def register_measure(measure: Measure) -> None:
    """Let `create_measure` and `reassemble` find a measure by its name, in this process."""
    check_plugin(measure, *_NEEDED)
    if measure.name in {"default", *_measures(), *find_plugins(ENTRY_POINTS)}:
        raise InputError(f"There is a measure called {measure.name!r} already.")
    _registered[measure.name] = measure


def announced_measure(name: str) -> EntryPoint | None:
    """How another package announces the measure of that name, if it is one of another package."""
    return None if name in _measures() else find_plugins(ENTRY_POINTS).get(name)


def list_measures() -> list[Measure]:
    """All measures there are; a name that is taken is not taken again by a plugin."""
    own = _measures()
    others = (load_plugin(point, *_NEEDED) for name, point in find_plugins(ENTRY_POINTS).items() if name not in own)
    return [*own.values(), *others]


def create_measure(name: str) -> Measure:
    """The measure of that name; ``default`` is the best there is."""
    name = BEST_MEASURE if name == "default" else name
    if name in _registered:
        return _registered[name]
    measures, plugins = _measures(), find_plugins(ENTRY_POINTS)
    if name in measures:
        return measures[name]
    if name not in plugins:
        raise InputError(f"There is no measure called {name!r}; choose from {', '.join([*measures, *plugins])}.")
    measure: Measure = load_plugin(plugins[name], *_NEEDED)
    return measure
