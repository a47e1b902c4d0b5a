"""Clusters of pieces that keep their places relative to each other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Clusters:
    """Which cluster each piece is in, and its row, column and turn there; all (N,).

    A cluster is called after one of its pieces.
    """

    cluster: Ints
    row: Ints
    col: Ints
    turn: Ints


def single_pieces(count: int) -> Clusters:
    """Every piece a cluster of its own."""
    return Clusters(np.arange(count), *(np.zeros(count, dtype=np.int64) for _ in range(3)))


def spun(row: Ints, col: Ints, turn: int) -> tuple[Ints, Ints]:
    """Places after a clockwise turn about the origin."""
    for _ in range(turn % 4):
        row, col = col, -row
    return row, col
