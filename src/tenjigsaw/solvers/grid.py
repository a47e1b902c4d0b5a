"""The rules of `geometry` for compiled code: cells, turns, and partners in best-k lists.

A placed piece is ``4 * piece + turn``.
"""

from typing import Any

from tenjigsaw.compilation import njit_without_counting


@njit_without_counting
def spun(row: int, col: int, spin: int) -> Any:
    """A place after a clockwise turn about the origin."""
    if spin == 0:
        return row, col
    if spin == 1:
        return col, -row
    if spin == 2:
        return -row, -col
    return -col, row


@njit_without_counting
def beside(row: int, col: int, direction: int) -> Any:
    """The cell next to (row, col)."""
    return row + (direction == 2) - (direction == 0), col + (direction == 1) - (direction == 3)


@njit_without_counting
def facing(placed: int, direction: int) -> Any:
    """The edge of a placed piece that faces a direction."""
    return (placed & -4) | ((direction - placed) & 3)


@njit_without_counting
def listed_at(start: Any, column: Any, a: int, b: int) -> Any:
    """Where the partner b stands in the sorted list of edge a; -1 if it does not."""
    low, high = start[a], start[a + 1]
    while low < high:
        middle = (low + high) // 2
        if column[middle] < b:
            low = middle + 1
        else:
            high = middle
    return low if low < start[a + 1] and column[low] == b else -1
