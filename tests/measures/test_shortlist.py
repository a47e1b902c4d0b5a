"""A shortlist leaves pairs out; what it keeps costs what it costs without one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import puzzle_of
from tenjigsaw.measures import create_measure, shortlist, unified
from tenjigsaw.measures.kernels import keep_listed, pairs_within
from tenjigsaw.measures.unified_kernels import rough_costs


@pytest.fixture(autouse=True)
def for_small_puzzles(monkeypatch):
    monkeypatch.setattr(shortlist, "LISTED", 8)
    monkeypatch.setattr(shortlist, "SAMPLED", 16)


@pytest.fixture(scope="module", params=[True, False], ids=["turned", "upright"])
def puzzle(request):
    return puzzle_of(3, rows=6, cols=6, size=20, turned=request.param)


@pytest.fixture(scope="module")
def measure():
    return create_measure("unified")


def test_costs_of_listed_pairs_are_those_of_the_full_matrix(puzzle, measure):
    full, lists = measure.scores(puzzle), measure.nearest(puzzle, 1)
    np.testing.assert_allclose(lists.values, full.cost(lists.row, lists.column), rtol=1e-4, atol=1e-4)
    assert lists.mutual


def test_best_partners_are_seldom_left_out_of_very_short_lists(puzzle, measure):
    full, lists = measure.scores(puzzle), measure.nearest(puzzle, 1)
    whole = replace(measure, shortlist=None).nearest(puzzle, 1)
    np.testing.assert_array_equal(whole.best(1), full.best(1))
    assert np.mean(lists.best(1) == full.best(1)) > 0.8


def test_only_some_pairs_are_compared(puzzle, measure):
    features = measure.describe(puzzle)
    edges = np.arange(4 * puzzle.count)
    tiles = [(slice(0, len(edges)), slice(0, len(edges)))]
    (one, other, _), *rest = measure.shortlist.pairs(features, True, tiles, lambda done, total: None)
    assert not rest
    assert np.all(one // 4 != other // 4)
    assert len(np.unique(np.minimum(one, other) * len(edges) + np.maximum(one, other))) == len(one)
    assert 4 * len(edges) < len(one) < 16 * len(edges)


@pytest.mark.parametrize(("partners", "k", "worth"), [(32, 1, True), (31, 1, False), (320, 2, False)])
def test_a_shortlist_must_save_and_hold_enough(partners, k, worth):
    assert shortlist.worth_it(partners, k) == worth


@settings(max_examples=30, deadline=None)
@given(rows=st.integers(1, 300), columns=st.integers(1, 300), same=st.booleans(), seed=st.integers(0, 1000))
def test_pairs_within_limits(rows, columns, same, seed):
    rng = np.random.default_rng(seed)
    columns = rows if same else columns
    tile = rng.random((rows, columns), dtype=np.float32)
    tile = (tile + tile.T) / 2 if same else tile
    row_limit = rng.random(rows, dtype=np.float32) * 0.3
    column_limit = row_limit if same else rng.random(columns, dtype=np.float32) * 0.3
    one = np.arange(rows)
    other = one if same else np.arange(rows, rows + columns)
    expected = tile <= np.maximum(row_limit[:, None], column_limit)
    expected &= one[:, None] // 4 != other // 4
    expected &= one[:, None] < other
    found = pairs_within(tile, row_limit, column_limit, one, other)
    assert sorted(zip(*found, strict=True)) == sorted(
        (one[r], other[c]) for r, c in zip(*np.nonzero(expected), strict=True)
    )


@settings(max_examples=20, deadline=None)
@given(count=st.integers(1, 200), k=st.integers(1, 5), seed=st.integers(0, 1000))
def test_lists_of_pairs_are_sorted_and_kept_on_both_sides(count, k, seed):
    rng = np.random.default_rng(seed)
    chosen = rng.permutation([(a, b) for a in range(20) for b in range(a + 1, 20)])[:count]
    costs = rng.random(len(chosen), dtype=np.float32)
    best_cost, best_back = (np.full((20, k), np.inf, dtype=np.float32) for _ in range(2))
    best_edge, largest = np.full((20, k), -1), np.full(20, -np.inf, dtype=np.float32)
    keep_listed(*np.ascontiguousarray(chosen.T), costs, best_cost, best_back, best_edge, largest)
    for edge in range(20):
        listed = sorted(
            (cost, int(pair.sum() - edge)) for pair, cost in zip(chosen, costs, strict=True) if edge in pair
        )
        kept = [(cost, partner) for cost, partner in zip(best_cost[edge], best_edge[edge], strict=True) if partner >= 0]
        assert kept == listed[:k]
        assert largest[edge] == (listed[-1][0] if listed else -np.inf)
    np.testing.assert_array_equal(best_back, best_cost)


def test_rough_costs_are_the_sums_written_out():
    rng = np.random.default_rng(0)
    one = [rng.normal(size=(5, 4, 3)).astype(np.float32) for _ in range(2)]
    one += [rng.random((5, 4), dtype=np.float32), rng.normal(size=(5, 4, 3)).astype(np.float32)]
    other = [np.repeat(values, 2, axis=0)[1:] * np.float32(1.3) for values in one]

    def one_way(these, those):
        root, target, weight, _ = (values[:, None] for values in these)
        return (weight * np.log1p(((root * those[3] - target) ** 2).sum(axis=3))).sum(axis=2)

    found = rough_costs(*one, *(np.ascontiguousarray(np.moveaxis(values, 0, -1)) for values in other))
    np.testing.assert_allclose(found, one_way(one, other) + one_way(other, one).T, rtol=1e-4)
    np.testing.assert_allclose(found, unified.compare_simplified(tuple(one), tuple(other)))
