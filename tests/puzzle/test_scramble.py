"""Shuffling, turning and dropping lose nothing that they should not, and the truth follows along."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawing import noise_picture
from tenjigsaw.errors import InputError
from tenjigsaw.puzzle import Puzzle, cut, drop, shuffle, turn
from tenjigsaw.puzzle.scramble import take

sides = st.integers(1, 5)
seeds = st.integers(0, 999)


def named_puzzle(rows: int, cols: int, seed: int) -> Puzzle:
    puzzle = cut(noise_picture(8 * rows + 3, 8 * cols + 5, seed), 8)
    return replace(puzzle, names=tuple(f"n{i}" for i in range(puzzle.count)))


def put_back(puzzle: Puzzle) -> np.ndarray:
    """The picture, by setting each piece upright in its true cell, one at a time."""
    assert puzzle.truth is not None
    size = puzzle.size
    picture = np.zeros((puzzle.truth.rows * size, puzzle.truth.cols * size, 3), dtype=np.uint8)
    for piece, row, col, turns in zip(
        puzzle.pieces, puzzle.truth.row, puzzle.truth.col, puzzle.truth.turn, strict=True
    ):
        for _ in range(turns):
            piece = piece[::-1].swapaxes(0, 1)  # a quarter turn clockwise
        picture[row * size : (row + 1) * size, col * size : (col + 1) * size] = piece
    return picture


@given(rows=sides, cols=st.integers(2, 5), seed=seeds)
def test_turned_and_shuffled_pieces_can_be_put_back(rows: int, cols: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    puzzle = turn(shuffle(turn(named_puzzle(rows, cols, seed), rng), rng), rng)
    assert puzzle.turned
    assert np.array_equal(put_back(puzzle), noise_picture(8 * rows + 3, 8 * cols + 5, seed)[: 8 * rows, : 8 * cols])


@given(rows=sides, cols=st.integers(2, 5), seed=seeds)
def test_no_pixel_is_lost(rows: int, cols: int, seed: int) -> None:
    whole = named_puzzle(rows, cols, seed)
    for scramble in (shuffle, turn):
        puzzle = scramble(whole, np.random.default_rng(seed))
        before, after = (np.sort(p.pieces.reshape(-1, 3).view("u1,u1,u1").ravel()) for p in (whole, puzzle))
        assert np.array_equal(before, after)
        assert puzzle.frame == whole.frame


@given(rows=sides, cols=st.integers(2, 5), seed=seeds)
def test_shuffled_pieces_keep_their_names(rows: int, cols: int, seed: int) -> None:
    whole = named_puzzle(rows, cols, seed)
    puzzle = shuffle(whole, np.random.default_rng(seed))
    assert sorted(puzzle.names) == sorted(whole.names)
    for name, piece in zip(puzzle.names, puzzle.pieces, strict=True):
        assert np.array_equal(piece, whole.pieces[int(name[1:])])


@given(rows=sides, cols=st.integers(2, 5), share=st.floats(0, 0.999), seed=seeds)
def test_dropping_keeps_the_rest_in_order(rows: int, cols: int, share: float, seed: int) -> None:
    whole = named_puzzle(rows, cols, seed)
    lost = round(share * whole.count)
    if whole.count - lost < 2:
        with pytest.raises(InputError, match="leaves fewer than two"):
            drop(whole, share, np.random.default_rng(seed))
        return
    puzzle = drop(whole, share, np.random.default_rng(seed))
    assert puzzle.count == whole.count - lost
    kept = [int(name[1:]) for name in puzzle.names]
    assert kept == sorted(set(kept))
    assert np.array_equal(puzzle.pieces, whole.pieces[kept])
    assert puzzle.frame == whole.frame
    there = put_back(puzzle) == put_back(whole)
    assert there.reshape(rows, 8, cols, 8, 3).all(axis=(1, 3, 4)).sum() == puzzle.count


@pytest.mark.parametrize("share", [-0.01, 1.0, 1.5, float("nan"), float("inf")])
def test_an_impossible_share_is_refused(share: float) -> None:
    with pytest.raises(InputError, match="at least 0 and below 1"):
        drop(named_puzzle(3, 3, 0), share, np.random.default_rng(0))


@pytest.mark.parametrize("scramble", [shuffle, turn, lambda puzzle, rng: drop(puzzle, 0.3, rng)])
def test_the_seed_decides(scramble) -> None:  # type: ignore[no-untyped-def]
    whole = named_puzzle(4, 5, 0)
    one, again, another = (scramble(whole, np.random.default_rng(seed)) for seed in (7, 7, 8))
    assert one.pieces.tobytes() == again.pieces.tobytes()
    assert one.pieces.tobytes() != another.pieces.tobytes()


def test_pieces_without_truth_or_names_can_be_taken() -> None:
    bare = Puzzle(named_puzzle(2, 2, 0).pieces)
    some = take(bare, np.array([2, 0]))
    assert (some.count, some.truth, some.names) == (2, None, ())
    assert turn(bare, np.random.default_rng(0)).truth is None
