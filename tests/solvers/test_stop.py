"""Stop rules."""

import math

import numpy as np
import pytest

from tenjigsaw.errors import InputError
from tenjigsaw.solvers import Stop


def rounds(stop, costs, least_gain=0.0):
    """How many rounds a solver that reaches these costs is allowed."""
    watch = stop.watch(least_gain)
    return next((k + 1 for k, cost in enumerate(costs) if watch.ends_after(cost)), math.inf)


def test_the_nearest_limit_ends_a_run():
    assert rounds(Stop(generations=3), range(100, 0, -1)) == 3
    assert rounds(Stop(patience=2), [9, 8, 8, 7, 7, 7, 6]) == 6
    assert rounds(Stop(generations=5, patience=2), [9, 8, 8, 7, 7, 7, 6]) == 5
    assert rounds(Stop(seconds=1e-9, generations=50), [3, 2, 1]) == 1
    assert rounds(Stop(), range(1000)) == math.inf


def test_whoever_asks_ends_a_run_even_amid_a_round():
    seen_enough = []
    stop = Stop(asked=lambda: bool(seen_enough)).or_else(Stop(generations=9, patience=9))
    watch = stop.watch()
    assert watch.may_end_amid
    assert not watch.out_of_time
    assert not watch.ends_after(1.0)
    seen_enough.append(True)
    assert watch.out_of_time
    assert watch.share == 1
    assert watch.ends_after(0.5)


def test_a_small_gain_is_as_good_as_none():
    assert rounds(Stop(patience=2), [9, 8.5, 8, 7.5, 7], least_gain=0.4) == math.inf
    assert rounds(Stop(patience=2), [9, 8.5, 8, 7.5, 7], least_gain=0.5) == 3


def test_share_follows_the_nearest_limit():
    watch = Stop(generations=4, patience=8).watch()
    watch.ends_after(1.0)
    assert watch.share == 0.25


def test_what_is_not_said_is_the_solvers_own():
    assert Stop(seconds=2).or_else(Stop(seconds=9, generations=30)) == Stop(seconds=2, generations=30)


@pytest.mark.parametrize(
    "limits",
    [
        {"seconds": 0},
        {"seconds": math.nan},
        {"seconds": "2"},
        {"seconds": True},
        {"generations": 0},
        {"generations": 2.5},
        {"generations": "3"},
        {"patience": -1},
        {"asked": True},
    ],
)
def test_limits_that_make_no_sense(limits):
    with pytest.raises(InputError, match=next(iter(limits))):
        Stop(**limits)


def test_numbers_of_numpy_are_numbers():
    assert Stop(seconds=np.float32(2), generations=np.int64(3)) == Stop(seconds=2, generations=3)
