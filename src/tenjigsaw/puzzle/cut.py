"""Cut a picture into pieces."""

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.puzzle.pictures import Picture
from tenjigsaw.puzzle.puzzle import SMALLEST_PIECE, Puzzle, Truth


def cut(picture: Picture, size: int) -> Puzzle:
    """The picture (H, W, 3) as upright pieces in reading order.

    What does not fill a piece at the right and at the bottom is left out.
    """
    if picture.ndim != 3 or picture.shape[2] != 3:
        raise InputError(f"A picture must be an array of shape (H, W, 3), not {picture.shape}.")
    rows, cols = frame_of(picture.shape[0], picture.shape[1], size)
    blocks = picture[: rows * size, : cols * size].reshape(rows, size, cols, size, 3)
    pieces = np.ascontiguousarray(blocks.swapaxes(1, 2)).reshape(rows * cols, size, size, 3)
    row, col = np.divmod(np.arange(rows * cols), cols)
    truth = Truth(rows, cols, row, col, np.zeros_like(row))
    return Puzzle(pieces, frame=(rows, cols), truth=truth)


def frame_of(height: int, width: int, size: int) -> tuple[int, int]:
    """How many pieces of ``size`` a picture is high and wide; refused where they make no puzzle."""
    if size < SMALLEST_PIECE:
        raise InputError(f"Pieces must be at least {SMALLEST_PIECE} pixels wide, not {size}.")
    rows, cols = height // size, width // size
    if rows * cols < 2:
        raise InputError(f"A picture of {width} x {height} pixels gives fewer than two pieces of {size} pixels.")
    return rows, cols


def remainder(picture: Picture, size: int) -> tuple[int, int]:
    """How many pixels (at the right, at the bottom) a cut into pieces of ``size`` leaves out."""
    return picture.shape[1] % size, picture.shape[0] % size


def middle(picture: Picture, piece: int, block: int | None) -> Picture:
    """The middle part of a picture, at most ``block`` pieces high and wide; None, or too large a piece, takes all."""
    if block is None or not 0 < piece <= min(picture.shape[:2]):
        return picture
    height, width = (min(block, side // piece) * piece for side in picture.shape[:2])
    top, left = (picture.shape[0] - height) // 2, (picture.shape[1] - width) // 2
    return picture[top : top + height, left : left + width]
