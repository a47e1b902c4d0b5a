"""Annealing: what it must not lose, and that it goes uphill when it is cold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import random_scores
from tenjigsaw.layout import Layout
from tenjigsaw.measures.loops import with_loops
from tenjigsaw.measures.normalisation import sinkhorn
from tenjigsaw.solvers.annealing import HOLE, WALL, Board, anneal
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.worth import draws, likelihood, worth_of


def board_of(rng, rows, cols, pieces, turned, frozen=()):
    placed = np.full(rows * cols, HOLE)
    placed[rng.permutation(rows * cols)[:pieces]] = 4 * np.arange(pieces) + rng.integers(
        4 if turned else 1, size=pieces
    )
    cell = np.pad(placed.reshape(rows, cols), 1, constant_values=WALL).ravel()
    where = np.array([np.nonzero(cell // 4 == piece)[0][0] for piece in range(pieces)])
    return Board(cell, where, cols + 2, np.isin(np.arange(pieces), frozen), turned)


def layout_of(board):
    placed = board.cell.reshape(-1, board.width)[1:-1, 1:-1]
    return Layout(np.where(placed >= 0, placed // 4, -1), np.where(placed >= 0, placed % 4, 0))


def materials(seed, pieces, turned):
    matched = sinkhorn(random_scores(seed, pieces, turned))
    heard = with_loops(matched)
    return likelihood(matched, heard, Pins()), draws(heard)


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), turned=st.booleans(), holes=st.integers(0, 4))
def test_keeps_all_pieces_walls_and_what_is_frozen(seed, turned, holes):
    rng = np.random.default_rng(seed)
    values, partners = materials(seed, 20 - holes, turned)
    board = board_of(rng, 4, 5, 20 - holes, turned, frozen=(2, 3))
    before, where = board.cell.copy(), board.where.copy()
    anneal(values, partners, board, np.arange(len(board.where)), 2000, 2.0, 0.5, rng)
    layout = layout_of(board)
    assert sorted(layout.piece[layout.piece >= 0].tolist()) == list(range(20 - holes))
    assert turned or not layout.turn.any()
    np.testing.assert_array_equal(board.cell == WALL, before == WALL)
    np.testing.assert_array_equal(board.cell[board.where] // 4, np.arange(20 - holes))
    np.testing.assert_array_equal(board.cell[where[[2, 3]]], before[where[[2, 3]]])
    assert (board.cell != before).any()


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), turned=st.booleans(), holes=st.integers(0, 4))
def test_never_loses_when_it_is_cold(seed, turned, holes):
    rng = np.random.default_rng(seed)
    values, partners = materials(seed, 20 - holes, turned)
    board = board_of(rng, 4, 5, 20 - holes, turned)
    worths = [worth_of(values, layout_of(board))]
    for _ in range(30):
        anneal(values, partners, board, np.arange(len(board.where)), 10, 1e-9, 1e-9, rng)
        worths.append(worth_of(values, layout_of(board)))
    assert worths == pytest.approx(sorted(worths), abs=1e-5)
    assert worths[-1] > worths[0]


def test_moves_go_beside_the_hosts():
    values, partners = materials(3, 20, turned=False)
    rng, host, moved = np.random.default_rng(3), 7, 0
    for _ in range(50):
        board = board_of(rng, 4, 5, 20, turned=False)
        before = board.cell.copy()
        anneal(values, partners, board, np.array([host]), 1, 1e9, 1e9, rng)
        changed = np.nonzero(board.cell != before)[0]
        beside = board.where[host] + np.array([-board.width, 1, board.width, -1])
        assert not len(changed) or np.isin(beside, changed).any()
        moved += len(changed) > 0
    assert moved > 10
