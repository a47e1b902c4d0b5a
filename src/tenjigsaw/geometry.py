"""Sides, quarter turns and edges: the place that knows the rotation rules; `solvers.grid` has them for compiled code.

Sides are numbered clockwise: 0 up, 1 right, 2 down, 3 left. A turn counts quarter turns clockwise, so that after
``turn`` the side ``s`` of a piece faces ``(s + turn) % 4``. An edge is ``4 * piece + side``.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

UP, RIGHT, DOWN, LEFT = range(4)

# Row and column step towards each side.
STEPS = np.array([(-1, 0), (0, 1), (1, 0), (0, -1)], dtype=np.int64)


def opposite(side: int) -> int:
    """The side across from ``side``."""
    return (side + 2) % 4


def edge_facing(piece: Ints, turn: Ints, direction: int) -> Ints:
    """The edge of each piece that faces ``direction`` once the piece is turned by ``turn``."""
    return 4 * piece + (direction - turn) % 4


def spun(row: Ints, col: Ints, turn: int) -> tuple[Ints, Ints]:
    """Places after a clockwise turn about the origin."""
    for _ in range(turn % 4):
        row, col = col, -row
    return row, col


def turn_picture(picture: NDArray[np.uint8], turn: int) -> NDArray[np.uint8]:
    """Turn a picture (H, W, ...) clockwise by ``turn`` quarter turns."""
    return np.rot90(picture, -turn, axes=(0, 1))


def edge_strips(pieces: NDArray[np.uint8], depth: int) -> NDArray[np.uint8]:
    """The ``depth`` pixel columns nearest each edge, each edge seen facing right.

    ``pieces`` is (N, Q, Q, C); the answer is (4N, Q, depth, C): along the edge from top to bottom, then from the edge
    inwards. The partner of an edge, seen the same way, runs in the opposite direction: row ``p`` of one meets row
    ``Q - 1 - p`` of the other.
    """
    count, size, _, channels = pieces.shape
    strips = np.empty((count, 4, size, depth, channels), dtype=pieces.dtype)
    for side in range(4):
        facing_right = np.rot90(pieces, -(RIGHT - side), axes=(1, 2))
        strips[:, side] = facing_right[:, :, ::-1][:, :, :depth]
    return strips.reshape(4 * count, size, depth, channels)


def legal_partner_sides(side: int, turned: bool) -> tuple[int, ...]:
    """The sides an edge on ``side`` may join: all of them when turns are unknown, else the opposite one."""
    return (0, 1, 2, 3) if turned else (opposite(side),)
