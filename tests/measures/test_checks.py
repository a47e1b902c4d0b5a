"""A measure of one's own that describes or compares wrongly is told so by its name, in one sentence."""

import numpy as np
import pytest

from drawing import thinned_puzzle
from tenjigsaw.errors import InputError
from tenjigsaw.measures import PairMeasure

PUZZLE = thinned_puzzle(3, 4, size=16)


def describe(puzzle):
    return (np.arange(4 * puzzle.count, dtype=np.float32),)


def compare(one, other):
    return np.abs(one[0][:, None] - other[0])


def ways_to_score(measure):
    yield lambda: measure.scores(PUZZLE)
    yield lambda: measure.nearest(PUZZLE, 4)
    yield lambda: measure.rows(PUZZLE, np.arange(3))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda one, other: compare(one, other)[:, :3], r"costs, not an array of \d+ x 3 float32"),
        (lambda one, other: compare(one, other).sum(axis=1), r"costs, not an array of \d+ float32"),
        (lambda one, other: compare(one, other).tolist(), "costs, not list"),
        (lambda one, other: None, "costs, not NoneType"),
        (lambda one, other: compare(one, other).sum(), "costs, not float32"),
        (lambda one, other: compare(one, other).astype(str), "costs, not an array of .* <U"),
    ],
)
def test_comparisons_that_give_no_cost_for_each_pair(wrong, said):
    for score in ways_to_score(PairMeasure("mine", "wrong on purpose", describe, wrong)):
        with pytest.raises(InputError, match=rf"^The measure mine must return a float32 array of \d+ x \d+ {said}"):
            score()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda puzzle: describe(puzzle)[0], "a tuple of arrays, not by an array of 48 float32"),
        (lambda puzzle: (), "a tuple of arrays, not by an empty tuple"),
        (lambda puzzle: None, "a tuple of arrays, not by NoneType"),
        (lambda puzzle: (describe(puzzle)[0].tolist(),), "the 48 edges, not by list"),
        (lambda puzzle: (np.zeros((12, 4)),), "the 48 edges, not by an array of 12 x 4 float64"),
        (lambda puzzle: (*describe(puzzle), np.zeros(40)), "the 48 edges, not by an array of 40 float64"),
        (lambda puzzle: (np.array(0.0),), "the 48 edges, not by an array without an axis"),
    ],
)
def test_descriptions_that_are_not_of_all_edges(wrong, said):
    for score in ways_to_score(PairMeasure("mine", "wrong on purpose", wrong, compare)):
        with pytest.raises(InputError, match=f"^The measure mine must describe edges by .*{said}"):
            score()


@pytest.mark.parametrize("kind", [np.float16, np.float64, np.int16, np.uint8])
def test_costs_of_other_numbers_become_float32(kind):
    measure = PairMeasure("mine", "of other numbers", describe, lambda one, other: compare(one, other).astype(kind))
    plain = PairMeasure("plain", "as it should be", describe, compare)
    for one, other in zip(ways_to_score(measure), ways_to_score(plain), strict=True):
        found, expected = (getattr(scores, "values", scores) for scores in (one(), other()))
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found, expected)
