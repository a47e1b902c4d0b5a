"""Pictures of layouts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawing import noise_picture, thinned_puzzle
from tenjigsaw.errors import InputError
from tenjigsaw.layout import EMPTY, Layout
from tenjigsaw.puzzle import Puzzle, cut, drop, erode, shuffle, turn
from tenjigsaw.rendering import confidence_picture, joins_picture, render, scrambled_picture

GREEN, VERMILION = (0, 158, 115), (213, 94, 0)


def true_layout(puzzle: Puzzle) -> Layout:
    assert puzzle.truth is not None
    grid = puzzle.truth.grid()
    return Layout(grid, np.where(grid >= 0, puzzle.truth.turn[grid], 0))


def scrambled(puzzle: Puzzle, seed: int) -> Puzzle:
    rng = np.random.default_rng(seed)
    return turn(shuffle(puzzle, rng), rng)


sizes = {"rows": st.integers(1, 4), "cols": st.integers(2, 4), "size": st.integers(8, 11), "seed": st.integers(0, 99)}


@given(**sizes)
def test_the_truth_renders_the_cropped_picture(rows: int, cols: int, size: int, seed: int) -> None:
    picture = noise_picture(rows * size + 5, cols * size + 3, seed)
    puzzle = scrambled(cut(picture, size), seed)
    assert np.array_equal(render(true_layout(puzzle), puzzle), picture[: rows * size, : cols * size])


@given(**sizes, worn=st.sampled_from(["as-is", "colour"]), erosion=st.integers(0, 2))
def test_worn_frames_are_shown_or_painted(rows: int, cols: int, size: int, seed: int, worn: str, erosion: int) -> None:
    picture = noise_picture(rows * size, cols * size, seed)
    rng = np.random.default_rng(seed)
    puzzle = scrambled(erode(cut(picture, size), erosion, rng, colour=(9, 8, 7)), seed)
    place = np.indices(picture.shape[:2]) % size
    frame = ((place < erosion) | (place >= size - erosion)).any(axis=0)
    picture[frame] = (1, 2, 3) if worn == "colour" else (9, 8, 7)
    assert np.array_equal(render(true_layout(puzzle), puzzle, worn, (1, 2, 3)), picture)  # type: ignore[arg-type]


@given(**sizes, erosion=st.integers(0, 2))
def test_closed_gaps_leave_the_inner_parts_alone(rows: int, cols: int, size: int, seed: int, erosion: int) -> None:
    picture = noise_picture(rows * size, cols * size, seed)
    puzzle = scrambled(erode(cut(picture, size), erosion, np.random.default_rng(seed)), seed)
    place = np.indices(picture.shape[:2]) % size
    inner = ((place >= erosion) & (place < size - erosion)).all(axis=0)
    left = size - 2 * erosion
    expected = picture[inner].reshape(rows * left, cols * left, 3)
    assert np.array_equal(render(true_layout(puzzle), puzzle, "closed"), expected)


def test_empty_cells_take_the_colour() -> None:
    puzzle = drop(cut(noise_picture(24, 24), 8), 0.4, np.random.default_rng(0))
    layout = true_layout(puzzle)
    picture = render(layout, puzzle, colour=(5, 6, 7)).reshape(3, 8, 3, 8, 3)
    blank = (picture == (5, 6, 7)).all(axis=(1, 3, 4))
    assert np.array_equal(blank, layout.piece == EMPTY)
    assert blank.any()


def test_an_unknown_way_to_show_wear_is_refused() -> None:
    puzzle = thinned_puzzle()
    with pytest.raises(InputError, match="called 'glossy'; choose from as-is, colour, closed"):
        render(true_layout(puzzle), puzzle, "glossy")  # type: ignore[arg-type]


def test_a_layout_of_another_puzzle_is_refused() -> None:
    layout = Layout(np.array([[0, 12]]), np.zeros((1, 2), dtype=np.int64))
    with pytest.raises(InputError, match="speaks of piece 12, but the puzzle has 12 pieces"):
        render(layout, thinned_puzzle(3, 4))


@pytest.mark.parametrize("lost", [0.0, 0.3])
@pytest.mark.parametrize("size", [8, 28])
def test_bars_and_legend(size: int, lost: float) -> None:
    puzzle = thinned_puzzle(3, 4, size=size, turned=True, lost=lost)
    layout = true_layout(puzzle)
    sure = np.ones(len(layout.joins()))
    plain = render(layout, puzzle)
    height, width = plain.shape[:2]
    confident = confidence_picture(layout, puzzle, sure)
    # A narrow layout gets room at the side, so that the legend can be read.
    assert confident.shape[1:] == (max(width, 160), 3)
    assert confident.shape[0] > height
    right, wrong = (joins_picture(layout, puzzle, np.full(len(sure), value)) for value in (True, False))
    assert right.shape == wrong.shape == plain.shape
    assert np.array_equal(confident[:height, :width], right)
    for joins, colour in ((right, GREEN), (wrong, VERMILION)):
        bar = (joins == colour).all(axis=-1)
        assert np.array_equal(joins[~bar], (plain * 0.6).astype(np.uint8)[~bar])
        for row, col, direction in zip(layout.joins().row, layout.joins().col, layout.joins().direction, strict=True):
            y, x = (row + 0.5, col + 1) if direction == 1 else (row + 1, col + 0.5)
            assert bar[int(y * size), int(x * size)]
        assert bar.sum() == len(sure) * bar_area(size)


def bar_area(size: int) -> int:
    return 2 * max(1, size // 14) * 2 * (size * 3 // 8)


def test_a_bar_is_drawn_on_the_wrong_join_only() -> None:
    puzzle = thinned_puzzle(1, 3, size=16)
    layout = true_layout(puzzle)
    picture = joins_picture(layout, puzzle, np.array([True, False]))
    assert [tuple(picture[8, x]) for x in (16, 32)] == [GREEN, VERMILION]


def test_the_scrambled_picture_shows_the_pieces_as_they_came() -> None:
    puzzle = thinned_puzzle(3, 4, turned=True)
    shown = scrambled_picture(puzzle)
    assert np.array_equal(cut(shown, puzzle.size).pieces, puzzle.pieces)


@pytest.mark.parametrize("count", [2, 3, 5, 7, 12])
def test_the_scrambled_picture_of_an_unknown_frame_shows_all_pieces(count: int) -> None:
    puzzle = replace(thinned_puzzle(3, 4), frame=None, truth=None)
    puzzle = Puzzle(puzzle.pieces[:count])
    shown = cut(scrambled_picture(puzzle), puzzle.size).pieces
    assert np.array_equal(shown[:count], puzzle.pieces)
    assert (shown[count:] == 128).all()
