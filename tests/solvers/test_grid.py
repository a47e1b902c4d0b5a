"""The rules for compiled code are those of `geometry`."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tenjigsaw import geometry
from tenjigsaw.solvers import grid

sides, places = st.integers(0, 3), st.integers(-9, 9)


@given(row=places, col=places, turn=sides)
def test_spun(row, col, turn):
    assert grid.spun(row, col, turn) == geometry.spun(row, col, turn)


@given(row=places, col=places, direction=sides)
def test_beside(row, col, direction):
    assert grid.beside(row, col, direction) == tuple(geometry.STEPS[direction] + (row, col))


@given(piece=st.integers(0, 99), turn=sides, direction=st.integers(0, 5))
def test_facing(piece, turn, direction):
    assert grid.facing(4 * piece + turn, direction) == geometry.edge_facing(piece, turn, direction)


@given(lists=st.lists(st.sets(st.integers(0, 12), max_size=6), min_size=1, max_size=5))
def test_listed_at(lists):
    start = np.cumsum([0, *map(len, lists)])
    column = np.array([partner for partners in lists for partner in sorted(partners)], dtype=np.int64)
    for a, partners in enumerate(lists):
        for b in range(13):
            place = grid.listed_at(start, column, a, b)
            assert (place >= 0) == (b in partners)
            assert place < 0 or (start[a] <= place < start[a + 1] and column[place] == b)
