"""Tables of partners against dictionaries."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tenjigsaw.solvers.partner_table import partner_table, slot_of


@given(lists=st.lists(st.sets(st.integers(0, 200), max_size=40), min_size=1, max_size=5))
def test_finds_what_is_listed_and_nothing_else(lists):
    start = np.cumsum([0, *map(len, lists)])
    column = np.array([partner for partners in lists for partner in sorted(partners)], dtype=np.int64)
    values = np.arange(1, len(column) + 1, dtype=np.float32)
    twin = [
        dict(zip(column[start[a] : start[a + 1]], values[start[a] : start[a + 1]], strict=True))
        for a in range(len(lists))
    ]
    table = partner_table(start, column, values)
    for a in range(len(lists)):
        for b in range(201):
            slot = slot_of(table, a, b)
            assert table.start[a] <= slot <= table.start[a] + table.mask[a]
            assert (table.column[slot] == b) == (b in twin[a])
            assert table.column[slot] == -1 or table.value[slot] == twin[a][b]
