"""Exact costs for the best partners of each edge, where the costs of all pairs are rough."""

from collections.abc import Callable, Iterator

import numpy as np

from tenjigsaw.geometry import DOWN, LEFT, RIGHT, UP
from tenjigsaw.measures.features import Progress, no_progress
from tenjigsaw.measures.scores import Edges, Floats, SparseScores

# The costs of pairs (one[i], other[i]), seen from the first.
Exact = Callable[[Edges, Edges], Floats]

# Partners of each edge, on each side of the pieces, whose rough cost gives way to the exact one.
REFINED = 4
# Edges between two tellings of the progress.
_EDGES_AT_ONCE = 256


def refine_rows(exact: Exact, edges: Edges, values: Floats, progress: Progress = no_progress) -> None:
    """Make the best of the costs (edges, 4N), seen from the edges, exact.

    The best on each side of the pieces: so the costs of an upright puzzle can be read off those of a turned one.
    """
    best = min(REFINED, values.shape[1] // 4)
    for some in _parts(len(edges), progress):
        for side in (RIGHT, DOWN, LEFT, UP):
            row, piece = _smallest(values[some, side::4], best)
            values[some][row, 4 * piece + side] = exact(edges[some][row], 4 * piece + side)


def refine_lists(exact: Exact, scores: SparseScores, progress: Progress = no_progress) -> None:
    """Make the best costs of each list exact."""
    partner = scores.best(REFINED * (4 if scores.turned else 1))
    for some in _parts(len(partner), progress):
        row, rank = np.nonzero(partner[some] >= 0)
        edge, found = row + some.start, partner[some][row, rank]
        scores.values[scores.place(edge, found)] = exact(edge, found)


def _parts(count: int, progress: Progress) -> Iterator[slice]:
    for first in range(0, count, _EDGES_AT_ONCE):
        progress(first, count)
        yield slice(first, first + _EDGES_AT_ONCE)
    progress(count, count)


def _smallest(values: Floats, best: int) -> tuple[Edges, Edges]:
    """The rows and columns of the ``best`` smallest finite values of each row."""
    columns = np.argpartition(values, best - 1, axis=1)[:, :best]
    row, rank = np.nonzero(np.isfinite(np.take_along_axis(values, columns, axis=1)))
    return row, columns[row, rank]
