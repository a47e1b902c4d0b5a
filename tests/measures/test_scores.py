"""The two forms of scores answer alike."""

from dataclasses import replace

import numpy as np
import pytest

from reference import puzzle_of
from tenjigsaw.errors import InputError
from tenjigsaw.measures import create_measure, list_measures, register_measure
from tenjigsaw.measures.scores import DenseScores, among, without_turns


@pytest.fixture(scope="module")
def both():
    puzzle = puzzle_of(2, rows=3, cols=3)
    measure = create_measure("mgc")
    return measure.scores(puzzle), measure.nearest(puzzle, 36)


def test_best_partners(both):
    full, listed = both
    np.testing.assert_array_equal(full.best(4), listed.best(4))
    assert (full.best(40)[:, 32:] == -1).all()
    assert (listed.best(40)[:, 32:] == -1).all()


def test_costs_of_pairs(both):
    full, listed = both
    a, b = np.array([0, 5, 9]), np.array([4, 11, 8])
    np.testing.assert_array_equal(full.cost(a, b), listed.cost(a, b))
    assert full.cost(a, b)[2] == np.inf


def test_joins(both):
    full, listed = both
    group = np.arange(9)
    dense, sparse = full.joins(-np.inf, 1e30, group), listed.joins(-np.inf, 1e30, group)
    for one, other in zip(dense, sparse, strict=True):
        np.testing.assert_array_equal(one, other)
    assert len(dense[0]) == 9 * 8 * 16 / 2


def test_unlisted_pairs_cost_infinitely_much():
    scores = create_measure("ssd").nearest(puzzle_of(2, rows=3, cols=3), 1)
    worst = create_measure("ssd").scores(puzzle_of(2, rows=3, cols=3)).values[0]
    far = int(np.where(np.isfinite(worst), worst, -1).argmax())
    assert scores.cost(np.array([0]), np.array([far]))[0] == np.inf


@pytest.mark.parametrize("name", ["l1", "mgc"])
def test_type_2_scores_of_upright_pieces_hold_type_1(name):
    puzzle = puzzle_of(6, rows=3, cols=4, turned=False)
    measure = create_measure(name)
    masked = without_turns(measure.scores(replace(puzzle, turned=True)))
    np.testing.assert_allclose(masked.values, measure.scores(puzzle).values, rtol=1e-5)
    assert not masked.turned


@pytest.mark.parametrize("name", ["l1", "mgc", "unified"])
def test_rows_of_some_edges_are_those_of_the_full_matrix(name):
    puzzle = puzzle_of(6, rows=3, cols=4)
    measure = replace(create_measure(name), tile=5)
    edges = np.array([31, 2, 3, 17, 40, 8, 9])
    np.testing.assert_allclose(measure.rows(puzzle, edges), measure.scores(puzzle).values[edges], rtol=1e-4)


@pytest.mark.parametrize("turned", [False, True])
def test_the_scores_of_some_pieces_are_numbered_anew(turned):
    puzzle = puzzle_of(3, rows=3, cols=4, turned=turned)
    measure, pieces = create_measure("ssd"), np.array([1, 4, 5, 11])
    edges = (4 * pieces[:, None] + np.arange(4)).ravel()
    for whole in (measure.scores(puzzle), measure.nearest(puzzle, 3)):
        part = among(whole, pieces)
        assert part.edges == 16
        every = np.indices((16, 16)).reshape(2, -1)
        np.testing.assert_array_equal(part.cost(*every), whole.cost(*edges[every]))
        np.testing.assert_array_equal(part.row_largest() <= whole.row_largest()[edges], True)
        np.testing.assert_array_equal(part.transposed(part.transposed(part.values)), part.values)


def test_names():
    assert create_measure("default").name in {measure.name for measure in list_measures()}
    with pytest.raises(InputError, match="no measure called 'nope'"):
        create_measure("nope")
    with pytest.raises(InputError, match="already"):
        register_measure(create_measure("mgc"))
    with pytest.raises(InputError, match="at least one"):
        create_measure("mgc").nearest(puzzle_of(2), 0)


def test_a_quantile_is_found_where_hardly_any_join_is_possible():
    values = np.full((1600, 1600), np.inf, dtype=np.float32)
    values[5, 11] = values[11, 5] = 3
    assert DenseScores(values, turned=True, mutual=True).quantile(0.1) == 3
