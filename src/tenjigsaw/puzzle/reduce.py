"""Make the pieces of a puzzle smaller."""

from dataclasses import replace

import numpy as np
from PIL import Image

from tenjigsaw.puzzle.puzzle import Puzzle


def reduced(puzzle: Puzzle, largest: int) -> Puzzle:
    """The puzzle with pieces of about ``largest`` pixels, if they are larger; each pixel is the mean of what it covers.

    What is worn off shrinks alike, in whole pixels, and no worn pixel takes part in a mean.
    """
    if puzzle.size <= largest:
        return puzzle
    worn = round(puzzle.erosion * largest / puzzle.size)
    side = round(puzzle.inner.shape[1] * largest / puzzle.size)
    size = side + 2 * worn
    pieces = np.zeros((puzzle.count, size, size, 3), dtype=np.uint8)
    for piece, inner in zip(pieces, puzzle.inner, strict=True):
        seen = Image.fromarray(np.ascontiguousarray(inner)).resize((side, side), Image.Resampling.BOX)
        piece[worn : size - worn, worn : size - worn] = seen
    return replace(puzzle, pieces=pieces, erosion=worn)
