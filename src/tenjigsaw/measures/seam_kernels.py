"""Compiled parts of the pair network around the seam: all that lies between its matrix products.

Of every layer four columns are new for each pair, two on either side of the seam. A new column of the layer before adds
to its own place and to both neighbours, so one product gives three columns' worth: ``added`` is (M, rows, 2, 3 C), M
pairs of one left piece with several right ones. What each piece has there by itself is ``own`` (rows, 2, C).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]

LARGEST = 255


@njit(nogil=True, fastmath=True, cache=True)
def first_columns(left: Floats, rights: Floats, step: float, columns: Bytes) -> None:
    """The first layer, (rows, 2, C) and (M, rows, 2, C), as the next product's inputs: (M, rows, 2, 3 C)."""
    count, rows, _, channels = rights.shape
    scale = np.float32(1 / step)
    for m in range(count):
        for row in range(rows):
            for c in range(2):
                target = columns[m, row, c, channels : 2 * channels]
                one, other = left[row, c], rights[m, row, c]
                for k in range(channels):
                    target[k] = _rounded((one[k] + other[k]) * scale)
        _spread(columns[m], channels)


@njit(nogil=True, fastmath=True, cache=True)
def pooled_columns(added: Floats, left: Floats, rights: Floats, step: float, columns: Bytes) -> None:
    """Four columns of a layer, pooled to two with half the rows, as the next product's inputs (M, rows / 2, 2, 3 C)."""
    count, rows, _, channels = rights.shape
    scale = np.float32(1 / step)
    for m in range(count):
        for row in range(rows // 2):
            for side in range(2):
                target = columns[m, row, side, channels : 2 * channels]
                own = left if side == 0 else rights[m]
                _pool(added[m, 2 * row], own[2 * row], added[m, 2 * row + 1], own[2 * row + 1], side, scale, target)
        _spread(columns[m], channels)


@njit(nogil=True, fastmath=True, cache=True)
def seam_logits(added: Floats, left: Floats, rights: Floats, projection: Floats, logits: Floats) -> None:
    """The sum over the last layer's four columns, times ``projection`` (rows, 4, C), is added to (M,) logits."""
    count, rows, _, channels = rights.shape
    for m in range(count):
        total = np.float32(0)
        for row in range(rows):
            for side in range(2):
                own = left[row] if side == 0 else rights[m, row]
                total += _projected(added[m, row], own, side, projection[row, 2 * side : 2 * side + 2], channels)
        logits[m] += total


@njit(inline="always")
def _rounded(value: Any) -> Any:
    return np.uint8(min(max(value + np.float32(0.5), np.float32(0)), np.float32(LARGEST)))


@njit(nogil=True, fastmath=True, cache=True)
def _spread(columns: Bytes, channels: int) -> None:
    """From the middle third of (rows, 2, 3 C) fill the others: the row before and the row after, blank at the ends."""
    rows = len(columns)
    for row in range(rows):
        for c in range(2):
            if row > 0:
                columns[row, c, :channels] = columns[row - 1, c, channels : 2 * channels]
            else:
                columns[row, c, :channels] = 0
            if row + 1 < rows:
                columns[row, c, 2 * channels :] = columns[row + 1, c, channels : 2 * channels]
            else:
                columns[row, c, 2 * channels :] = 0


@njit(nogil=True, fastmath=True, cache=True)
def _pool(
    upper: Floats, upper_own: Floats, lower: Floats, lower_own: Floats, side: int, scale: Any, target: Bytes
) -> None:
    """The largest of two rows by two columns on one side of the seam."""
    channels = len(target)
    outer, inner, across = _places(side, channels)
    near, far = side, 1 - side  # the new columns: of this side, and beyond the seam
    # The column away from the seam is reached by one new column, the one at the seam by both.
    away, at = side, 1 - side
    upper_outer, lower_outer = upper[near, outer : outer + channels], lower[near, outer : outer + channels]
    upper_inner, lower_inner = upper[near, inner : inner + channels], lower[near, inner : inner + channels]
    upper_across, lower_across = upper[far, across : across + channels], lower[far, across : across + channels]
    upper_away, lower_away, upper_at, lower_at = upper_own[away], lower_own[away], upper_own[at], lower_own[at]
    for k in range(channels):
        above = max(upper_outer[k] + upper_away[k], upper_inner[k] + upper_across[k] + upper_at[k])
        below = max(lower_outer[k] + lower_away[k], lower_inner[k] + lower_across[k] + lower_at[k])
        target[k] = _rounded(max(above, below) * scale)


@njit(nogil=True, fastmath=True, cache=True)
def _projected(added: Floats, own: Floats, side: int, projection: Floats, channels: int) -> Any:
    """What one row on one side of the seam adds to the logit."""
    outer, inner, across = _places(side, channels)
    near, far, away, at = side, 1 - side, side, 1 - side
    by_outer, by_inner = added[near, outer : outer + channels], added[near, inner : inner + channels]
    by_across = added[far, across : across + channels]
    own_away, own_at, weight_away, weight_at = own[away], own[at], projection[away], projection[at]
    total = np.float32(0)
    for k in range(channels):
        total += max(by_outer[k] + own_away[k], np.float32(0)) * weight_away[k]
        total += max(by_inner[k] + by_across[k] + own_at[k], np.float32(0)) * weight_at[k]
    return total


@njit(inline="always")
def _places(side: int, channels: int) -> Any:
    """Where in the three parts of a product its column's outer neighbour, itself, and the seam's other side stand.

    The parts are for the place to the left, the same place, and the place to the right.
    """
    outer, across = (0, 0) if side == 0 else (2 * channels, 2 * channels)
    return outer, channels, across
