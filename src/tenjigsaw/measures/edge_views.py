"""What a network sees of a piece: numpy only, so that inference without torch uses the very same function."""

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.geometry import edge_strips

Views = NDArray[np.float32]

# Photographs have a mean near 0.5 and a deviation near 0.25 of full scale. Round numbers instead of measured
# ones: the worn frame is 0, which is then the grey that says least about the picture.
MEAN, DEVIATION = 0.5, 0.25


def edges_facing_right(pieces: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(N, P, P, C) -> (4N, P, P, C): for every edge, ``4 * piece + side``, the piece turned to face right."""
    return edge_strips(pieces, pieces.shape[1])[:, :, ::-1]


def normalise(views: NDArray[np.uint8], worn: int) -> Views:
    """Scale (M, P, P, C) pixels to -2..2 and blank the worn frame, ``worn`` pixels wide, to exactly 0."""
    size = views.shape[1]
    inside = slice(worn, size - worn)
    scaled = np.zeros(views.shape, dtype=np.float32)
    kept = views[:, inside, inside].astype(np.float32)
    scaled[:, inside, inside] = (kept / np.float32(255.0) - np.float32(MEAN)) / np.float32(DEVIATION)
    return scaled


def edge_views(pieces: NDArray[np.uint8], worn: int) -> Views:
    """The input of every network: all 4N edges of (N, P, P, C) pieces, facing right and normalised."""
    return normalise(edges_facing_right(pieces), worn)


def facing_left(views: Views) -> Views:
    """The same edges facing left: half a turn of each view (M, P, P, C)."""
    return views[:, ::-1, ::-1]
