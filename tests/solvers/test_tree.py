"""The tree solver against its slow twin, and on puzzles it must solve."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from reference import puzzle_of, random_scores
from tenjigsaw.errors import InputError
from tenjigsaw.evaluation import accuracy
from tenjigsaw.layout import Layout
from tenjigsaw.measures import create_measure, normalise
from tenjigsaw.puzzle import drop
from tenjigsaw.solvers import Frame, Stop, create_solver, list_solvers, register_solver
from tenjigsaw.solvers.clusters import Clusters, single_pieces
from tenjigsaw.solvers.tree import fill, grow, trim


def solve(puzzle, frame=None, k=None):
    measure = create_measure("mgc")
    scores = normalise(measure.nearest(puzzle, k) if k else measure.scores(puzzle), "ratio")
    return create_solver("tree").solve(scores, frame or Frame(*puzzle.frame), Stop(), np.random.default_rng(0))


def relative(places):
    """Clusters as sets of (piece, row, col, turn), free of where and how turned they lie."""
    first = min(places)
    row, col, turn = places[first]
    result = set()
    for piece, (r, c, t) in places.items():
        r, c = r - row, c - col
        for _ in range(-turn % 4):
            r, c = c, -r
        result.add((piece, r, c, (t - turn) % 4))
    return frozenset(result)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 100_000), pieces=st.integers(2, 9), turned=st.booleans())
def test_grows_the_same_clusters_as_the_slow_twin(seed, pieces, turned):
    scores = random_scores(seed, pieces, turned)
    clusters = grow(scores, single_pieces(pieces), np.zeros((0, 2), np.int64))
    fast = {}
    for piece in range(pieces):
        place = (int(clusters.row[piece]), int(clusters.col[piece]), int(clusters.turn[piece]))
        fast.setdefault(int(clusters.cluster[piece]), {})[piece] = place
    assert {relative(c) for c in fast.values()} == {relative(c) for c in reference.tree(scores.values)}


@pytest.mark.parametrize("turned", [False, True])
def test_solves_with_pieces_missing_from_a_frame_of_unknown_size(turned):
    whole = puzzle_of(23, rows=7, cols=7, size=20, erosion=0, turned=turned)
    puzzle = drop(whole, 0.1, np.random.default_rng(1))
    layout = solve(puzzle, Frame(missing=True))
    assert (layout.piece >= 0).sum() == puzzle.count
    assert accuracy(layout, puzzle.truth, turned).neighbour > 0.9


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), pieces=st.integers(2, 12), turned=st.booleans())
def test_places_every_piece_once_in_a_frame_of_unknown_size(seed, pieces, turned):
    scores = random_scores(seed, pieces, turned)
    layout = create_solver("tree").solve(scores, Frame(missing=True), Stop(), np.random.default_rng(0))
    assert sorted(layout.piece[layout.piece >= 0].tolist()) == list(range(pieces))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), turned=st.booleans(), levels=st.sampled_from([3, 1000]))
def test_fills_holes_as_the_slow_twin_does(seed, turned, levels):
    rng = np.random.default_rng(seed)
    scores = random_scores(seed, 9, turned)
    # Powers of two add up exactly in any order, so that equal totals are equal in both twins.
    values = np.where(np.isfinite(scores.values), np.floor(scores.values / 200 * levels) / 1024, np.inf)
    piece = np.full((3, 4), -1)
    piece[rng.integers(3), rng.integers(4)] = 0
    turn = np.zeros((3, 4), dtype=np.int64)
    expected = reference.fill(values, piece, turn, range(1, 9), turned)
    found = fill(Layout(piece, turn), replace(scores, values=values.astype(np.float32)), may_grow=False)
    np.testing.assert_array_equal(found.piece, expected[0])
    np.testing.assert_array_equal(found.turn, expected[1])


def test_sparse_scores_that_know_nothing_still_place_every_piece():
    scores = create_measure("mgc").nearest(puzzle_of(5, rows=4, cols=4), 1)
    layout = create_solver("tree").solve(scores, Frame(4, 4), Stop(), np.random.default_rng(0))
    assert sorted(layout.piece.ravel().tolist()) == list(range(16))


def test_trim_keeps_the_fullest_window():
    # An L of five pieces: the upright bar of four and one to its right at the bottom.
    row, col = np.array([0, 1, 2, 3, 3]), np.array([0, 0, 0, 0, 1])
    clusters = Clusters(np.zeros(5, np.int64), row, col, np.zeros(5, np.int64))
    layout = trim(clusters, [(1, 5), (4, 1)])
    assert layout.piece.ravel().tolist() == [0, 1, 2, 3]


def test_ties_are_broken_the_same_way_every_time():
    scores = random_scores(0, 8)
    flat = replace(scores, values=np.where(np.isfinite(scores.values), np.float32(1), np.inf))
    first, second = (create_solver("tree").solve(flat, Frame(2, 4), Stop(), np.random.default_rng(i)) for i in (0, 1))
    np.testing.assert_array_equal(first.piece, second.piece)
    np.testing.assert_array_equal(first.turn, second.turn)


def test_bad_requests():
    scores = random_scores(0, 5)
    with pytest.raises(InputError, match="far too large"):
        create_solver("tree").solve(scores, Frame(10**6, 10**6), Stop(), np.random.default_rng(0))
    with pytest.raises(InputError, match="both"):
        Frame(rows=3)
    with pytest.raises(InputError, match="no solver called"):
        create_solver("nope")
    with pytest.raises(InputError, match="already"):
        register_solver(create_solver("tree"))
    assert create_solver("default") in list_solvers()
