"""Wear takes the edge and nothing else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawing import noise_picture
from tenjigsaw.errors import InputError
from tenjigsaw.puzzle import Puzzle, cut, erode
from tenjigsaw.puzzle.wear import WEARS, Colour

colours = st.tuples(*[st.integers(0, 255)] * 3)
sizes_and_depths = st.integers(8, 24).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, (size - 4) // 2)))


def noisy_puzzle(size: int, seed: int = 0) -> Puzzle:
    return cut(noise_picture(2 * size, 2 * size, seed), size)


def distance_from_edge(size: int) -> np.ndarray:
    """(size, size): how many pixels lie between a pixel and the nearest edge."""
    return np.array([[min(row, col, size - 1 - row, size - 1 - col) for col in range(size)] for row in range(size)])


@given(shape=sizes_and_depths, wear=st.sampled_from(WEARS), colour=colours, seed=st.integers(0, 99))
def test_nothing_deeper_than_the_wear_changes(shape: tuple[int, int], wear: str, colour: Colour, seed: int) -> None:
    size, depth = shape
    whole = noisy_puzzle(size, seed)
    worn = erode(whole, depth, np.random.default_rng(seed), wear, colour)  # type: ignore[arg-type]
    assert worn.erosion == depth
    assert worn.pieces.dtype == np.uint8
    deep = distance_from_edge(size) >= depth
    assert np.array_equal(worn.pieces[:, deep], whole.pieces[:, deep])
    assert np.array_equal(worn.inner, whole.pieces[:, depth : size - depth, depth : size - depth])
    assert (worn.frame, worn.truth, worn.turned) == (whole.frame, whole.truth, whole.turned)


@given(shape=sizes_and_depths, colour=colours)
def test_the_frame_is_blank_exactly_as_deep_as_told(shape: tuple[int, int], colour: Colour) -> None:
    size, depth = shape
    worn = erode(noisy_puzzle(size), depth, np.random.default_rng(0), "frame", colour)
    assert (worn.pieces[:, distance_from_edge(size) < depth] == colour).all()


@given(shape=sizes_and_depths.filter(lambda shape: shape[1] > 0), wear=st.sampled_from(WEARS), colour=colours)
def test_the_outermost_pixel_always_goes(shape: tuple[int, int], wear: str, colour: Colour) -> None:
    size, depth = shape
    worn = erode(noisy_puzzle(size), depth, np.random.default_rng(0), wear, colour)  # type: ignore[arg-type]
    assert (worn.pieces[:, distance_from_edge(size) == 0] == colour).all()


def test_ragged_wear_bites_to_different_depths() -> None:
    whole = noisy_puzzle(40)
    worn = erode(whole, 4, np.random.default_rng(0), "ragged", (0, 0, 0))
    gone = (worn.pieces == 0).all(axis=-1)
    depths = {int(np.argmin(gone[piece, :, col])) for piece in range(whole.count) for col in range(4, 36)}
    assert depths == {1, 2, 3, 4}


def test_ragged_wear_takes_pixels_whole_or_not_at_all() -> None:
    whole = noisy_puzzle(20)
    worn = erode(whole, 3, np.random.default_rng(0), "ragged", (9, 8, 7))
    blank = (worn.pieces == (9, 8, 7)).all(axis=-1)
    assert np.array_equal(worn.pieces[~blank], whole.pieces[~blank])


def test_fading_grows_evenly_towards_the_edge() -> None:
    white = Puzzle(np.full((2, 16, 16, 3), 255, dtype=np.uint8))
    worn = erode(white, 5, np.random.default_rng(0), "fade")
    assert worn.pieces[0, 8, :6, 0].tolist() == [0, 51, 102, 153, 204, 255]
    for turns in range(1, 4):
        assert np.array_equal(worn.pieces, np.rot90(worn.pieces, turns, axes=(1, 2)))


@pytest.mark.parametrize("wear", WEARS)
def test_the_same_seed_gives_the_same_bytes(wear: str) -> None:
    one, again = (erode(noisy_puzzle(20), 4, np.random.default_rng(3), wear).pieces.tobytes() for _ in range(2))  # type: ignore[arg-type]
    assert one == again


def test_another_seed_bites_elsewhere() -> None:
    one, other = (erode(noisy_puzzle(20), 4, np.random.default_rng(s), "ragged").pieces.tobytes() for s in (3, 4))
    assert one != other


def test_wearing_twice_leaves_what_both_left() -> None:
    rng = np.random.default_rng(0)
    assert erode(erode(noisy_puzzle(20), 3, rng), 1, rng).erosion == 3
    assert erode(erode(noisy_puzzle(20), 3, rng), 0, rng).erosion == 3
    assert erode(erode(noisy_puzzle(20), 1, rng), 3, rng).erosion == 3


def test_an_unknown_wear_is_refused() -> None:
    with pytest.raises(InputError, match="no wear called 'acid'; choose from frame, ragged, fade"):
        erode(noisy_puzzle(20), 1, np.random.default_rng(0), "acid")  # type: ignore[arg-type]


@pytest.mark.parametrize("depth", [-1, 3, 40])
def test_too_much_wear_is_refused(depth: int) -> None:
    with pytest.raises(InputError, match="erosion"):
        erode(noisy_puzzle(9), depth, np.random.default_rng(0))
