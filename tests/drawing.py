"""Small generated pictures and puzzles whose pixels tell what became of them."""

import numpy as np
from numpy.typing import NDArray

from reference import puzzle_of
from tenjigsaw.puzzle import Puzzle, drop

Picture = NDArray[np.uint8]


def noise_picture(height: int, width: int, seed: int = 0) -> Picture:
    """(height, width, 3) where every pixel is drawn by itself."""
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def coordinate_picture(height: int, width: int) -> Picture:
    """(height, width, 3) whose pixels tell where they are: red is the column, green the row; both below 256."""
    picture = np.zeros((height, width, 3), dtype=np.uint8)
    picture[:, :, 0], picture[:, :, 1] = np.arange(width), np.arange(height)[:, None]
    return picture


def thinned_puzzle(
    rows: int = 3, cols: int = 4, size: int = 8, erosion: int = 0, turned: bool = False, lost: float = 0, seed: int = 0
) -> Puzzle:
    """A smooth picture, cut, worn, shuffled, turned and thinned out as told; at least two pieces stay."""
    puzzle = puzzle_of(seed, rows, cols, size, erosion, turned)
    return drop(puzzle, min(lost, 1 - 2 / puzzle.count), np.random.default_rng(seed))
