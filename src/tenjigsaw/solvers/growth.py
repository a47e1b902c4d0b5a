"""Compiled parts of the tree solver: clusters of pieces that grow join by join.

A cluster is a set of pieces with positions and turns relative to each other. Which cell of which cluster is taken is
kept in one hash table for all clusters; when a cluster is swallowed its entries stay behind unused, since its number
is never given out again.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit
from tenjigsaw.solvers.grid import beside, spun

Ints = NDArray[np.int64]

_NO_KEY = -1


class Grove(NamedTuple):
    """``cluster``, ``row``, ``col`` and ``turn`` (N,) of each piece; a cluster bears the number of one of its pieces.

    ``following`` chains the pieces of a cluster from its number on to ``last``; ``members`` counts them. ``table``
    holds the cells that are taken; ``reach`` is more than any two pieces can be apart.
    """

    cluster: Ints
    row: Ints
    col: Ints
    turn: Ints
    following: Ints
    last: Ints
    members: Ints
    table: Ints
    reach: int


class Move(NamedTuple):
    """A cluster's way to its host: the ``guest``'s cell goes to (``to_row``, ``to_col``), all turn by ``spin``."""

    row: int
    col: int
    to_row: int
    to_col: int
    spin: int


@njit(cache=True)
def _key(cluster: int, row: int, col: int, reach: int) -> Any:
    return (cluster * reach + row + reach // 2) * reach + col + reach // 2


@njit(cache=True)
def _slot(table: Ints, key: int) -> Any:
    """Where ``key`` stands, or the free place where it would."""
    mask = len(table) - 1
    # Fibonacci hashing: neighbouring cells would otherwise fill neighbouring slots and probe for long.
    place = ((key * np.int64(-7046029254386353131)) >> np.int64(20)) & mask
    while table[place] != _NO_KEY and table[place] != key:
        place = (place + 1) & mask
    return place


@njit(cache=True)
def new_table(count: int) -> Any:
    """A hash table that holds all entries of a solve: each merge re-enters the smaller cluster only."""
    entries = count * (2 + int(np.log2(count)))
    size = 1
    while size < 2 * entries:
        size *= 2
    return np.full(size, _NO_KEY, dtype=np.int64)


@njit(cache=True)
def enter_pieces(grove: Any) -> None:
    """Enter the cell of every piece."""
    for piece in range(len(grove.cluster)):
        _enter(grove, piece)


@njit(cache=True)
def _enter(grove: Any, piece: int) -> None:
    key = _key(grove.cluster[piece], grove.row[piece], grove.col[piece], grove.reach)
    grove.table[_slot(grove.table, key)] = key


@njit(cache=True)
def join_clusters(one: Ints, other: Ints, grove: Any, apart: Ints) -> Any:
    """Take the joins (one, other) in order, best first, unless clusters would overlap or edges meet that are ``apart``.

    Returns the number of clusters left.
    """
    left = np.sum(grove.cluster == np.arange(len(grove.cluster)))
    for k in range(len(one)):
        if left == 1:
            break
        a, b = one[k], other[k]
        host, moving = grove.cluster[a // 4], grove.cluster[b // 4]
        if host == moving:
            continue
        if grove.members[host] < grove.members[moving]:
            a, b, host, moving = b, a, moving, host
        move = _move_beside(grove, a, b)
        if not _has_room(grove, host, moving, move):
            continue
        if len(apart) and _meet(grove, apart, host, moving, move):
            continue
        _swallow(grove, host, moving, move)
        left -= 1
    return left


@njit(cache=True)
def _move_beside(grove: Any, a: int, b: int) -> Any:
    """How the cluster of edge b must move for b to meet edge a."""
    anchor, guest = a // 4, b // 4
    direction = (a + grove.turn[anchor]) % 4
    spin = (direction + 2 - b - grove.turn[guest]) % 4
    to_row, to_col = beside(grove.row[anchor], grove.col[anchor], direction)
    return Move(grove.row[guest], grove.col[guest], to_row, to_col, spin)


@njit(cache=True)
def _moved(grove: Any, piece: int, move: Any) -> Any:
    row, col = spun(grove.row[piece] - move.row, grove.col[piece] - move.col, move.spin)
    return row + move.to_row, col + move.to_col


@njit(cache=True)
def _has_room(grove: Any, host: int, moving: int, move: Any) -> Any:
    """Whether the host has no piece in any cell that the moving cluster would take."""
    piece = moving
    while piece >= 0:
        row, col = _moved(grove, piece, move)
        if grove.table[_slot(grove.table, _key(host, row, col, grove.reach))] != _NO_KEY:
            return False
        piece = grove.following[piece]
    return True


@njit(cache=True)
def _meet(grove: Any, apart: Ints, host: int, moving: int, move: Any) -> Any:
    """Whether two edges that must stay apart would meet once the moving cluster has moved to the host."""
    for k in range(2 * len(apart)):
        a, b = apart[k // 2, k % 2], apart[k // 2, 1 - k % 2]
        fixed, piece = a // 4, b // 4
        if grove.cluster[fixed] != host or grove.cluster[piece] != moving:
            continue
        direction = (a + grove.turn[fixed]) % 4
        met = _moved(grove, piece, move) == beside(grove.row[fixed], grove.col[fixed], direction)
        if met and (b + grove.turn[piece] + move.spin - direction) % 4 == 2:
            return True
    return False


@njit(cache=True)
def _swallow(grove: Any, host: int, moving: int, move: Any) -> None:
    """Make the pieces of the moving cluster the host's."""
    piece = moving
    while piece >= 0:
        grove.row[piece], grove.col[piece] = _moved(grove, piece, move)
        grove.turn[piece] = (grove.turn[piece] + move.spin) % 4
        grove.cluster[piece] = host
        _enter(grove, piece)
        piece = grove.following[piece]
    grove.following[grove.last[host]] = moving
    grove.last[host] = grove.last[moving]
    grove.members[host] += grove.members[moving]
