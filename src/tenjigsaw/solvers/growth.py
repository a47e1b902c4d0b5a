"""Compiled parts of the tree solver: clusters of pieces that grow join by join.

A cluster is a set of pieces with positions and turns relative to each other. Which cell of which cluster is taken is
kept in one hash table for all clusters; when a cluster is swallowed its entries stay behind unused, since its number
is never given out again.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit
from tenjigsaw.solvers.grid import spun

Ints = NDArray[np.int64]

_NO_KEY = -1


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
def join_clusters(
    one: Ints,
    other: Ints,
    cluster: Ints,
    row: Ints,
    col: Ints,
    turn: Ints,
    following: Ints,
    last: Ints,
    members: Ints,
    table: Ints,
    reach: int,
    apart: Ints,
) -> Any:
    """Take the joins (one, other) in order, best first, unless clusters would overlap or edges meet that are ``apart``.

    ``cluster``, ``row``, ``col`` and ``turn`` are (N,); ``following`` chains the pieces of a cluster from its number
    on to ``last``; ``members`` counts them; ``reach`` is more than any two pieces can be apart.
    Returns the number of clusters left.
    """
    left = 0
    for piece in range(len(cluster)):
        left += cluster[piece] == piece  # a cluster bears the number of one of its pieces
    for k in range(len(one)):
        if left == 1:
            break
        a, b = one[k], other[k]
        if cluster[a // 4] == cluster[b // 4]:
            continue
        if members[cluster[a // 4]] < members[cluster[b // 4]]:
            a, b = b, a
        anchor, guest = a // 4, b // 4
        host, moving = cluster[anchor], cluster[guest]
        direction = (a % 4 + turn[anchor]) % 4
        spin = (direction + 2 - b % 4 - turn[guest]) % 4
        to_row = row[anchor] + (direction == 2) - (direction == 0)
        to_col = col[anchor] + (direction == 1) - (direction == 3)
        free = True
        piece = moving
        while piece >= 0 and free:
            r, c = spun(row[piece] - row[guest], col[piece] - col[guest], spin)
            free = table[_slot(table, _key(host, r + to_row, c + to_col, reach))] == _NO_KEY
            piece = following[piece]
        if not free:
            continue
        guest_row, guest_col = row[guest], col[guest]
        move = (guest_row, guest_col, to_row, to_col, spin)
        if len(apart) and _meet(apart, cluster, row, col, turn, host, moving, move):
            continue
        piece = moving
        while piece >= 0:
            r, c = spun(row[piece] - guest_row, col[piece] - guest_col, spin)
            row[piece], col[piece] = r + to_row, c + to_col
            turn[piece] = (turn[piece] + spin) % 4
            cluster[piece] = host
            key = _key(host, row[piece], col[piece], reach)
            table[_slot(table, key)] = key
            piece = following[piece]
        following[last[host]] = moving
        last[host] = last[moving]
        members[host] += members[moving]
        left -= 1
    return left


@njit(cache=True)
def _meet(apart: Ints, cluster: Ints, row: Ints, col: Ints, turn: Ints, host: int, moving: int, move: Any) -> Any:
    """Whether two edges that must stay apart would meet once the moving cluster has moved to the host."""
    guest_row, guest_col, to_row, to_col, spin = move
    for k in range(2 * len(apart)):
        a, b = apart[k // 2, k % 2], apart[k // 2, 1 - k % 2]
        fixed, piece = a // 4, b // 4
        if cluster[fixed] != host or cluster[piece] != moving:
            continue
        direction = (a % 4 + turn[fixed]) % 4
        r, c = spun(row[piece] - guest_row, col[piece] - guest_col, spin)
        below = r + to_row - row[fixed] == (direction == 2) - (direction == 0)
        beside = c + to_col - col[fixed] == (direction == 1) - (direction == 3)
        if below and beside and (b % 4 + turn[piece] + spin - direction) % 4 == 2:
            return True
    return False


@njit(cache=True)
def enter_pieces(table: Ints, cluster: Ints, row: Ints, col: Ints, reach: int) -> None:
    """Enter the cell of every piece."""
    for piece in range(len(cluster)):
        key = _key(cluster[piece], row[piece], col[piece], reach)
        table[_slot(table, key)] = key
