"""What measures know of edges, and whom they tell how far they are."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Arrays whose first axis is the edge.
Features = tuple[NDArray[Any], ...]
Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """Tell nobody."""


def part_of(progress: Progress, begin: float, end: float) -> Progress:
    """A progress that is only a part of the whole, from one share of it to another."""

    def tell(done: int, total: int) -> None:
        progress(round(1000 * (begin + (end - begin) * done / total)), 1000)

    return tell


def take(features: Features, edges: slice | NDArray[np.int64]) -> Features:
    """The same of some edges."""
    return tuple(array[edges] for array in features)
