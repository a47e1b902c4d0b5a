"""Every measure against its definition, in both forms."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from reference import puzzle_of
from tenjigsaw.evaluation import top_k
from tenjigsaw.measures import create_measure
from tenjigsaw.measures.classical import CLASSICAL
from tenjigsaw.puzzle import cut

NAMES = [measure.name for measure in CLASSICAL]


def test_every_measure_has_a_slow_twin():
    assert set(NAMES) == set(reference.MEASURES)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000), erosion=st.integers(0, 2), turned=st.booleans())
def test_agrees_with_slow_twin(name, seed, erosion, turned):
    puzzle = puzzle_of(seed, erosion=erosion, turned=turned)
    fast = create_measure(name).scores(puzzle).values
    slow = reference.scores(puzzle, name)
    assert (np.isfinite(fast) == np.isfinite(slow)).all()
    legal = np.isfinite(slow)
    np.testing.assert_allclose(fast[legal], slow[legal], rtol=2e-4, atol=1e-3)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("turned", [False, True])
def test_best_lists_hold_the_smallest_of_the_full_matrix(name, turned):
    puzzle = puzzle_of(3, rows=4, cols=4, turned=turned)
    measure = create_measure(name)
    full, listed = measure.scores(puzzle), measure.nearest(puzzle, 5)
    np.testing.assert_array_equal(listed.row_smallest(5), full.row_smallest(5))
    np.testing.assert_array_equal(listed.row_largest(), full.row_largest())
    a, b = listed.row, listed.column
    np.testing.assert_array_equal(listed.values, full.values[a, b])
    np.testing.assert_array_equal(listed.values[listed.mate], full.values[b, a])


def test_tiles_smaller_than_the_puzzle_change_nothing():
    puzzle = puzzle_of(5, rows=4, cols=5)
    for measure in (create_measure("l1"), create_measure("mgc")):
        small = replace(measure, tile=12)
        np.testing.assert_allclose(small.scores(puzzle).values, measure.scores(puzzle).values, rtol=1e-6)
        np.testing.assert_allclose(small.nearest(puzzle, 4).values, measure.nearest(puzzle, 4).values, rtol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_worn_frame_does_not_matter(name):
    puzzle = puzzle_of(7, erosion=2)
    painted = puzzle.pieces.copy()
    painted[:, :2], painted[:, :, -2:] = 255, 77
    other = replace(puzzle, pieces=painted)
    measure = create_measure(name)
    np.testing.assert_array_equal(measure.scores(puzzle).values, measure.scores(other).values)


@pytest.mark.parametrize("name", NAMES)
def test_identical_flat_pieces_give_finite_equal_costs(name):
    flat = np.full((16, 24, 3), 200, dtype=np.uint8)
    values = create_measure(name).scores(replace(cut(flat, 8), turned=True)).values
    legal = np.isfinite(values)
    assert not np.isnan(values).any()
    assert np.ptp(values[legal]) <= 1e-3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("turned", [False, True])
def test_finds_the_neighbours_in_a_clean_smooth_picture(name, turned):
    puzzle = puzzle_of(11, rows=5, cols=6, size=20, erosion=0, turned=turned)
    assert top_k(create_measure(name).scores(puzzle), puzzle.truth) > 0.9
