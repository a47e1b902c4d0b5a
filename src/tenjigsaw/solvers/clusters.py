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


def chains(cluster: Ints) -> tuple[Ints, Ints, Ints]:
    """The pieces of each cluster as a chain: the next of each piece, the last and the number of each cluster."""
    following, last, members = (
        np.full(len(cluster), -1),
        np.arange(len(cluster)),
        np.bincount(cluster, minlength=len(cluster)),
    )
    for piece in np.nonzero(cluster != np.arange(len(cluster)))[0]:
        name = cluster[piece]
        following[last[name]] = last[name] = piece
    return following, last, members
