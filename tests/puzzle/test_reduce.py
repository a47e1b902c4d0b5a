"""Smaller pieces: every pixel a mean of what has survived."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import puzzle_of
from tenjigsaw.puzzle.reduce import reduced


@pytest.mark.parametrize("worn", [0, 2, 4])
def test_a_whole_factor_gives_means_of_squares(worn: int) -> None:
    puzzle = puzzle_of(1, 2, 2, size=48, erosion=worn)
    found = reduced(puzzle, 24)
    squares = puzzle.inner.reshape(4, 24 - worn, 2, 24 - worn, 2, 3).mean(axis=(2, 4))
    assert (found.size, found.erosion) == (24, worn // 2)
    # The mean of rows is rounded before that of columns.
    np.testing.assert_allclose(found.inner, squares, atol=1.01)


def test_small_pieces_stay_as_they_are() -> None:
    puzzle = puzzle_of(1, 2, 2, size=24)
    assert reduced(puzzle, 24) is puzzle


@settings(deadline=None, max_examples=20)
@given(size=st.integers(30, 90), worn=st.integers(0, 9), largest=st.integers(16, 29))
def test_what_is_worn_off_does_not_show(size: int, worn: int, largest: int) -> None:
    puzzle = puzzle_of(2, 1, 2, size=size, erosion=worn)
    frame = np.ones((size, size), dtype=bool)
    frame[worn : size - worn, worn : size - worn] = False
    repainted = replace(puzzle, pieces=np.where(frame[:, :, None], np.uint8(255), puzzle.pieces))
    found = reduced(repainted, largest)
    np.testing.assert_array_equal(found.inner, reduced(puzzle, largest).inner)
    assert abs(found.size - largest) <= 1
    assert found.count == puzzle.count
    assert found.turned == puzzle.turned
