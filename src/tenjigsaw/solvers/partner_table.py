"""Where an edge's partner is found at once: a hash table for each edge, for compiled code.

Half of all slots are empty, so that finding a partner, or that there is none, takes one or two looks. A search in the
sorted lists takes six, each a guess that the processor gets wrong half of the time.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit, njit_without_counting

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

_EMPTY = -1
# In a product with the golden ratio's part of 2^32, the bits above the lowest scatter numbers that lie close together.
_FACTOR, _LOW_BITS = 2654435769, 16


class PartnerTable(NamedTuple):
    """The slots of edge a: ``start[a]`` to ``start[a] + mask[a]``, each with a partner (``column``) and a value."""

    start: Ints
    mask: Ints
    column: NDArray[np.int32]
    value: Floats


def partner_table(start: Ints, column: Ints, values: Floats) -> PartnerTable:
    """The table of lists as in `SparseScores`."""
    return PartnerTable(*_filled(start, column, values))


@njit(cache=True)
def _filled(start: Ints, column: Ints, values: Floats) -> Any:
    edges = len(start) - 1
    first, mask = np.zeros(edges, dtype=np.int64), np.zeros(edges, dtype=np.int64)
    slots = 0
    for a in range(edges):
        room = 2
        while room < 2 * (start[a + 1] - start[a]):
            room *= 2
        first[a], mask[a] = slots, room - 1
        slots += room
    table = PartnerTable(first, mask, np.full(slots, _EMPTY, dtype=np.int32), np.zeros(slots, dtype=np.float32))
    for a in range(edges):
        for entry in range(start[a], start[a + 1]):
            slot = slot_of(table, a, column[entry])
            table.column[slot], table.value[slot] = column[entry], values[entry]
    return table.start, table.mask, table.column, table.value


@njit_without_counting
def slot_of(table: Any, a: int, b: int) -> Any:
    """The slot of edge a that holds its partner b, or the empty one where b would stand."""
    place = (b * _FACTOR) >> _LOW_BITS
    while True:
        slot = table.start[a] + (place & table.mask[a])
        if table.column[slot] == b or table.column[slot] == _EMPTY:
            return slot
        place += 1
