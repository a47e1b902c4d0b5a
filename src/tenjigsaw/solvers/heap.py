"""A heap with the highest priority on top, in two arrays that compiled code may grow."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit

Ints = NDArray[np.int64]
Doubles = NDArray[np.float64]


@njit(cache=True)
def doubled(array: Any) -> Any:
    """The array with as much room again behind it."""
    return np.concatenate((array, np.empty_like(array)))


@njit(cache=True)
def sift_up(priority: Doubles, entry: Ints, size: int, new_priority: float, new_entry: int) -> None:
    """Add to a heap of ``size`` entries."""
    place = size
    while place > 0 and priority[(place - 1) // 2] < new_priority:
        above = (place - 1) // 2
        priority[place], entry[place] = priority[above], entry[above]
        place = above
    priority[place], entry[place] = new_priority, new_entry


@njit(cache=True)
def take_top(priority: Doubles, entry: Ints, size: int) -> Any:
    """Remove and return the highest of ``size`` entries."""
    top = priority[0], entry[0]
    last_priority, last_entry = priority[size - 1], entry[size - 1]
    place, below = 0, 1
    while below < size - 1:
        if below + 1 < size - 1 and priority[below + 1] > priority[below]:
            below += 1
        if priority[below] <= last_priority:
            break
        priority[place], entry[place] = priority[below], entry[below]
        place, below = below, 2 * below + 1
    priority[place], entry[place] = last_priority, last_entry
    return top
