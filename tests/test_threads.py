"""Work that shares the cores with other processes."""

import numba
import numpy as np
import pytest

from drawing import thinned_puzzle
from tenjigsaw.measures import create_measure
from tenjigsaw.threads import limited_threads, thread_limit


def test_limits_hold_in_the_block_only():
    before = numba.get_num_threads()
    with limited_threads(1):
        assert (thread_limit(), numba.get_num_threads()) == (1, 1)
    assert (thread_limit(), numba.get_num_threads()) == (None, before)
    with limited_threads(None):
        assert (thread_limit(), numba.get_num_threads()) == (None, before)


@pytest.mark.parametrize("measure", ["mgc", "unified-rerank"])
def test_scores_do_not_depend_on_them(measure):
    puzzle = thinned_puzzle(4, 5, size=28, erosion=1, turned=True)
    free = create_measure(measure).scores(puzzle)
    with limited_threads(1):
        alone = create_measure(measure).scores(puzzle)
    assert np.array_equal(free.values, alone.values)
