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


def take(features: Features, edges: slice | NDArray[np.int64]) -> Features:
    """The same of some edges."""
    return tuple(array[edges] for array in features)
