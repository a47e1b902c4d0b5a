"""Loops of four against a slow twin, and what they do for matches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from reference import puzzle_of, random_scores
from tenjigsaw.evaluation.matches import top_k
from tenjigsaw.measures import create_measure, normalise
from tenjigsaw.measures.lists import best_lists
from tenjigsaw.measures.loops import _loop_probability, nearest_partners, with_loops


@settings(max_examples=6)
@given(seed=st.integers(0, 10_000), turned=st.booleans())
def test_closes_the_same_loops_as_the_slow_twin(seed, turned):
    scores = best_lists(normalise(random_scores(seed, 4, turned), "sinkhorn"), 16)
    full = np.zeros((16, 16))
    full[scores.row, scores.column] = np.exp(-np.maximum(scores.values, 0))
    full[full < np.float32(1e-3)] = 0
    expected = reference.loops(full)[scores.row, scores.column]
    np.testing.assert_allclose(_loop_probability(scores), expected, rtol=1e-4, atol=1e-6)


def test_likely_partners_come_likeliest_first():
    scores = best_lists(normalise(random_scores(3, 6), "sinkhorn"), 24)
    partner, probability, count = nearest_partners(scores, 4, 0.05)
    for edge in range(24):
        chances = np.sort(np.exp(-np.maximum(scores.values[scores.row == edge], 0)))[::-1][:4]
        chances = chances[chances >= 0.05]
        assert count[edge] == len(chances)
        np.testing.assert_allclose(probability[edge, : len(chances)], chances, rtol=1e-6)
        found = partner[edge, : len(chances)]
        np.testing.assert_allclose(np.exp(-scores.cost(np.full(len(found), edge), found)), chances, rtol=1e-5)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("k", [None, 16])
def test_worn_edges_match_better_after_hearing_their_loops(turned, k):
    puzzle = puzzle_of(4, rows=9, cols=10, size=20, erosion=1, turned=turned)
    measure = create_measure("ssd")
    scores = normalise(measure.nearest(puzzle, k) if k else measure.scores(puzzle), "sinkhorn")
    before, after = top_k(scores, puzzle.truth), top_k(with_loops(scores), puzzle.truth)
    assert after > before + 0.05


def test_lists_of_a_full_matrix_hold_the_best_of_each_edge_in_both_views():
    scores = random_scores(5, 6, mutual=False)
    lists = best_lists(scores, 3)
    mean = (scores.values + scores.values.T) / 2
    np.testing.assert_allclose(lists.values, mean[lists.row, lists.column])
    np.testing.assert_array_equal(lists.row[lists.mate], lists.column)
    listed = set(zip(lists.row.tolist(), lists.column.tolist(), strict=True))
    for edge in range(24):
        assert all((edge, best) in listed for best in np.argsort(mean[edge])[:3].tolist())


def test_nobody_is_told_twice():
    puzzle = puzzle_of(3, rows=4, cols=4, size=16)
    once = with_loops(create_measure("mgc").scores(puzzle))
    assert once.heard
    assert with_loops(once) is once
