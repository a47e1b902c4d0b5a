"""How far a mean over pictures can be trusted."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

DRAWS, CONFIDENCE = 10_000, 0.95
_DRAWS_AT_ONCE = 500


class Interval(NamedTuple):
    """A mean, and the bounds that it stays between if the pictures are drawn again."""

    mean: float
    low: float
    high: float


def bootstrap_mean(
    values: Sequence[float] | NDArray[np.float64], confidence: float = CONFIDENCE, draws: int = DRAWS, seed: int = 0
) -> Interval:
    """The mean with its percentile bootstrap interval; the order of the values does not matter."""
    given = np.sort(np.asarray(values, dtype=np.float64))
    if not len(given):
        raise ValueError("There is no mean of nothing.")
    means = np.concatenate(_resampled_means(given, draws, np.random.default_rng(seed)))
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(given.mean()), float(low), float(high))


def _resampled_means(values: NDArray[np.float64], draws: int, rng: np.random.Generator) -> list[NDArray[np.float64]]:
    """In portions, so that a set of any size fits into memory."""
    portions = [min(_DRAWS_AT_ONCE, draws - first) for first in range(0, draws, _DRAWS_AT_ONCE)]
    return [values[rng.integers(0, len(values), (portion, len(values)))].mean(axis=1) for portion in portions]
