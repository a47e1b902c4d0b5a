"""Metrics on layouts whose accuracy is plain to see."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import puzzle_of
from tenjigsaw.evaluation import accuracy, top_k
from tenjigsaw.evaluation.metrics import right_joins, upright
from tenjigsaw.layout import Layout
from tenjigsaw.measures import create_measure


def true_layout(truth):
    grid = truth.grid()
    return Layout(grid, np.where(grid >= 0, truth.turn[grid], 0))


@pytest.mark.parametrize("turned", [False, True])
def test_the_truth_is_perfect_however_the_whole_is_turned(turned):
    truth = puzzle_of(1, rows=3, cols=5, turned=turned).truth
    for whole_turn in range(4 if turned else 1):
        found = accuracy(true_layout(truth).turned(whole_turn), truth, turned)
        assert (found.neighbour, found.direct, found.largest, found.perfect) == (1.0, 1.0, 1.0, True)


def test_a_turned_whole_counts_as_wrong_where_turns_are_known():
    truth = puzzle_of(1, rows=4, cols=4, turned=False).truth
    assert accuracy(true_layout(truth).turned(2), truth, False).direct == 0.0


def test_two_swapped_corners():
    truth = puzzle_of(1, rows=3, cols=3, turned=False).truth
    layout = true_layout(truth)
    piece = layout.piece.copy()
    piece[0, 0], piece[2, 2] = piece[2, 2], piece[0, 0]
    found = accuracy(Layout(piece, layout.turn), truth, False)
    assert found.neighbour == pytest.approx((12 - 4) / 12)
    assert found.direct == pytest.approx(7 / 9)
    assert found.largest == pytest.approx(7 / 9)
    assert not found.perfect


def test_a_single_turned_piece_loses_its_joins():
    truth = puzzle_of(1, rows=3, cols=3).truth
    layout = true_layout(truth)
    turns = layout.turn.copy()
    turns[1, 1] = (turns[1, 1] + 1) % 4
    found = accuracy(Layout(layout.piece, turns), truth, True)
    assert found.neighbour == pytest.approx(8 / 12)
    assert found.direct == pytest.approx(8 / 9)


def test_an_island_on_its_side_is_not_in_place_in_a_rectangular_frame():
    truth = puzzle_of(1, rows=4, cols=6, turned=False).truth
    square = true_layout(truth).piece[:, :4]
    piece = np.full((4, 6), -1)
    piece[:, :4] = np.rot90(square, -1)
    turn = np.zeros((4, 6), dtype=np.int64)
    turn[:, :4] = 1
    found = accuracy(Layout(piece, turn), truth, True)
    assert found.direct == 0.0
    assert found.largest == pytest.approx(16 / 24)


def test_a_shifted_layout_in_a_larger_frame_is_still_in_place():
    truth = puzzle_of(1, rows=3, cols=4, turned=False).truth
    layout = true_layout(truth)
    padded = Layout(np.pad(layout.piece, 1, constant_values=-1), np.pad(layout.turn, 1))
    assert accuracy(padded, truth, False).perfect


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_largest_component_against_a_flood_fill(seed):
    truth = puzzle_of(1, rows=4, cols=5).truth
    rng = np.random.default_rng(seed)
    layout = true_layout(truth)
    piece = layout.piece.ravel().copy()
    moved = rng.choice(20, size=rng.integers(2, 12), replace=False)
    piece[moved] = piece[np.roll(moved, 1)]
    layout = Layout(piece.reshape(4, 5), layout.turn)
    joins, right = layout.joins(), right_joins(layout, truth)
    friends = {p: set() for p in range(20)}
    for one, other, good in zip(joins.one // 4, joins.other // 4, right, strict=True):
        if good:
            friends[int(one)].add(int(other))
            friends[int(other)].add(int(one))
    sizes, unseen = [], set(range(20))
    while unseen:
        stack, size = [unseen.pop()], 0
        while stack:
            size += 1
            fresh = friends[stack.pop()] & unseen
            unseen -= fresh
            stack += fresh
        sizes.append(size)
    assert accuracy(layout, truth, True).largest == pytest.approx(max(sizes) / 20)


def test_upright_turns_the_whole_back():
    truth = puzzle_of(3, rows=3, cols=5).truth
    np.testing.assert_array_equal(upright(true_layout(truth).turned(3), truth).piece, truth.grid())


def slow_top_k(values, partner, k):
    """Over every order of equal costs, how often the true partner is among the first k."""
    hits = 0.0
    edges = [edge for edge in range(len(partner)) if partner[edge] >= 0]
    for edge in edges:
        cost = values[edge, partner[edge]]
        before = sum(values[edge] < cost)
        equal = sum(values[edge] == cost)
        hits += sum(before + place < k for place in range(equal)) / equal
    return hits / len(edges)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), k=st.integers(1, 5), levels=st.integers(2, 50))
def test_top_k_with_ties(seed, k, levels):
    puzzle = puzzle_of(seed, rows=2, cols=3)
    scores = create_measure("ssd").scores(puzzle)
    finite = np.isfinite(scores.values)
    coarse = np.where(finite, np.floor(scores.values / scores.values[finite].max() * levels), np.inf)
    tied = scores.with_values(coarse.astype(np.float32), mutual=True)
    assert top_k(tied, puzzle.truth, k) == pytest.approx(slow_top_k(tied.values, puzzle.truth.partners(), k))


def test_top_k_on_lists_agrees_with_the_full_matrix_up_to_their_length():
    puzzle = puzzle_of(4, rows=4, cols=5)
    measure = create_measure("mgc")
    full, listed = measure.scores(puzzle), measure.nearest(puzzle, 6)
    for k in (1, 3, 6):
        assert top_k(listed, puzzle.truth, k) == top_k(full, puzzle.truth, k)
