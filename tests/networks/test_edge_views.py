"""What a network sees: the right pixels, turned the right way, with nothing left of the worn frame."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenjigsaw.geometry import turn_picture
from tenjigsaw.measures.edge_views import edge_views, edges_facing_right, facing_left, normalise


def random_pieces(seed: int, count: int, size: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (count, size, size, 3), dtype=np.uint8)


@given(seed=st.integers(0, 2**32 - 1), side=st.integers(0, 3))
def test_an_edge_on_a_side_is_turned_to_the_right(seed: int, side: int) -> None:
    pieces = random_pieces(seed, 2, 8)
    views = edges_facing_right(pieces)
    for piece in range(2):
        # One quarter turn clockwise takes the upper side (0) to the right (1).
        np.testing.assert_array_equal(views[4 * piece + side], turn_picture(pieces[piece], (1 - side) % 4))


@given(worn=st.integers(0, 3), seed=st.integers(0, 2**32 - 1))
def test_the_worn_frame_is_blank_and_the_rest_is_scaled(worn: int, seed: int) -> None:
    pieces = random_pieces(seed, 3, 8)
    seen = normalise(pieces, worn)
    inner = slice(worn, 8 - worn)
    np.testing.assert_allclose(seen[:, inner, inner], (pieces[:, inner, inner] / 255 - 0.5) / 0.25, atol=1e-6)
    seen[:, inner, inner] = 0
    assert not seen.any()


def test_worn_pixels_make_no_difference() -> None:
    pieces = random_pieces(0, 2, 12)
    other = random_pieces(1, 2, 12)
    other[:, 2:-2, 2:-2] = pieces[:, 2:-2, 2:-2]
    np.testing.assert_array_equal(edge_views(pieces, 2), edge_views(other, 2))


def test_two_neighbours_meet_without_a_break() -> None:
    """Left piece facing right beside right piece facing left is the picture again."""
    picture = random_pieces(3, 1, 16)[0][:8]
    pieces = np.stack((picture[:, :8], picture[:, 8:]))
    views = normalise(edges_facing_right(pieces), 0)
    joined = np.concatenate((views[1], facing_left(views)[4 + 3]), axis=1)
    np.testing.assert_array_equal(joined, _scaled(picture))


def _scaled(picture: np.ndarray) -> np.ndarray:
    return (picture.astype(np.float32) / np.float32(255) - np.float32(0.5)) / np.float32(0.25)


@pytest.mark.parametrize("module", ["tenjigsaw.networks", "tenjigsaw.measures.edge_views"])
def test_the_input_is_made_without_torch(module: str) -> None:
    code = f"import sys, {module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
