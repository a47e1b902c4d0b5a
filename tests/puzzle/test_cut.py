"""Any picture is cut; what does not fill a piece is left out and said so."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawing import noise_picture
from tenjigsaw.errors import InputError
from tenjigsaw.puzzle import cut, remainder
from tenjigsaw.puzzle.cut import middle


@given(height=st.integers(1, 60), width=st.integers(1, 60), size=st.integers(8, 20))
def test_pieces_are_the_blocks_of_the_picture_in_reading_order(height: int, width: int, size: int) -> None:
    picture = noise_picture(height, width)
    rows, cols = height // size, width // size
    if rows * cols < 2:
        with pytest.raises(InputError, match=f"{width} x {height} pixels gives fewer than two pieces of {size}"):
            cut(picture, size)
        return
    puzzle = cut(picture, size)
    assert puzzle.frame == (rows, cols)
    assert puzzle.count == rows * cols
    assert (puzzle.erosion, puzzle.turned) == (0, False)
    for piece, pixels in enumerate(puzzle.pieces):
        top, left = piece // cols * size, piece % cols * size
        assert np.array_equal(pixels, picture[top : top + size, left : left + size])


def test_the_truth_is_reading_order() -> None:
    truth = cut(noise_picture(24, 16), 8).truth
    assert truth is not None
    assert truth.grid().tolist() == [[0, 1], [2, 3], [4, 5]]
    assert not truth.turn.any()


@given(height=st.integers(1, 60), width=st.integers(1, 60), size=st.integers(8, 20))
def test_remainder_counts_the_pixels_left_out(height: int, width: int, size: int) -> None:
    right, bottom = remainder(noise_picture(height, width), size)
    assert (width - right) % size == 0
    assert (height - bottom) % size == 0
    assert 0 <= right < size
    assert 0 <= bottom < size


@pytest.mark.parametrize("size", [7, 1, 0, -8])
def test_tiny_pieces_are_refused(size: int) -> None:
    with pytest.raises(InputError, match=f"at least 8 pixels wide, not {size}"):
        cut(noise_picture(40, 40), size)


def test_the_picture_is_not_changed() -> None:
    picture = noise_picture(16, 16)
    cut(picture, 8).pieces[:] = 0
    assert np.array_equal(picture, noise_picture(16, 16))


@given(height=st.integers(8, 60), width=st.integers(8, 60), block=st.integers(1, 4))
def test_the_middle_has_as_much_left_out_on_either_side(height: int, width: int, block: int) -> None:
    rows = np.broadcast_to(np.arange(height)[:, None, None], (height, width, 3)).astype(np.uint8)
    found = middle(rows, 8, block)
    assert found.shape[:2] == (8 * min(block, height // 8), 8 * min(block, width // 8))
    above, below = int(found[0, 0, 0]), height - 1 - int(found[-1, 0, 0])
    assert below - above in (0, 1)
    assert middle(rows, 8, None) is rows


@pytest.mark.parametrize("shape", [(40, 40), (40, 40, 4), (40, 40, 1)])
def test_other_than_three_colours_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"shape \(H, W, 3\), not \(40, 40"):
        cut(np.zeros(shape, dtype=np.uint8), 8)
