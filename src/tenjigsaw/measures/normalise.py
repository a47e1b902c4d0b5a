"""The normalisations by their names."""

from collections.abc import Callable

from tenjigsaw.errors import InputError
from tenjigsaw.measures.loops import with_loops
from tenjigsaw.measures.normalisation import csls, none, ratio, sinkhorn, ten
from tenjigsaw.measures.scores import Scores

NORMALISATIONS: dict[str, Callable[[Scores], Scores]] = {
    "none": none,
    "ten": ten,
    "ratio": ratio,
    "csls": csls,
    "sinkhorn": sinkhorn,
    "loops": with_loops,
}


def check_normalisation(name: str) -> str:
    """The name itself, if there is a normalisation called so."""
    if name not in NORMALISATIONS:
        raise InputError(f"There is no normalisation called {name!r}; choose from {', '.join(NORMALISATIONS)}.")
    return name


def normalise(scores: Scores, name: str) -> Scores:
    """Apply the normalisation of that name."""
    return NORMALISATIONS[check_normalisation(name)](scores)
