"""Random numbers for compiled code that runs in threads: each task has a state of its own."""

from typing import Any

import numpy as np

from tenjigsaw.compilation import njit


@njit(cache=True)
def seed_for(seed: int, task: int) -> Any:
    """A state for one task, unlike that of any other (splitmix64)."""
    return _mixed(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * (np.uint64(task) + np.uint64(1))) | np.uint64(1)


@njit(cache=True)
def _mixed(value: Any) -> Any:
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@njit(cache=True)
def _next(state: Any) -> Any:
    """The next 64 bits (xorshift64*); ``state`` is (1,) and moves on."""
    value = state[0]
    value ^= value >> np.uint64(12)
    value ^= value << np.uint64(25)
    value ^= value >> np.uint64(27)
    state[0] = value
    return value * np.uint64(0x2545F4914F6CDD1D)


@njit(cache=True)
def draw(state: Any, limit: int) -> Any:
    """A whole number from 0 to below ``limit``, which is below 2^32."""
    return np.int64(((_next(state) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@njit(cache=True)
def chance(state: Any, probability: float) -> Any:
    """True with this probability."""
    return np.float64(_next(state) >> np.uint64(11)) * 2.0**-53 < probability
