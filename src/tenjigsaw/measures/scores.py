"""Scores of edge pairs, as a full matrix or as best-k lists, behind one interface.

A score is a cost: lower is better, infinite where a join is illegal. Both forms offer the same few primitives, so that
a normalisation is written once: ``values`` is (4N, 4N) for the full matrix and (entries,) for the lists, and
``by_row`` and ``transposed`` line other things up with it.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.measures.kernels import (
    best_in_rows,
    joins_between,
    largest_in_lists,
    largest_in_rows,
    scaled_and_shifted,
    smallest_in_lists,
    smallest_in_rows,
    sums_of_lists,
)

Floats = NDArray[np.float32]
Edges = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DenseScores:
    """``values[a, b]`` is the cost of joining edge ``a`` to edge ``b``; (4N, 4N) float32.

    ``mutual`` says that both views of a join cost the same, ``logit`` that the costs are, or come from, minus the
    logits of a trained network, ``log_probability`` that they are ``-log P`` of a match. ``lost`` is the share of
    the pieces that are thought to be missing: whose partners nobody will find.
    """

    values: Floats
    turned: bool
    mutual: bool
    logit: bool = False
    log_probability: bool = False
    lost: float = 0.0

    @property
    def edges(self) -> int:
        """4N."""
        return len(self.values)

    @property
    def longest_row(self) -> int:
        """No edge has a cost with more partners than this."""
        return self.edges

    def by_row(self, vector: NDArray[Any]) -> NDArray[Any]:
        """A value for each edge ``a``, lined up with ``values``."""
        return vector[:, None]

    def transposed(self, values: Floats) -> Floats:
        """What stands at (b, a), lined up with (a, b)."""
        return values.T

    def row_smallest(self, k: int) -> Floats:
        """(4N, k): the k smallest costs of each row, ascending; infinite where a row has fewer."""
        smallest: Floats = smallest_in_rows(self.values, k)
        return smallest

    def row_largest(self) -> Floats:
        """(4N,): the largest finite cost of each row."""
        largest: Floats = largest_in_rows(self.values)
        return largest

    def row_sums(self, values: Floats, weights: Floats) -> Floats:
        """(4N,): the sum over b of ``values[a, b] * weights[b]``."""
        return values @ weights

    def scaled(self, scale: Floats, shift: Floats) -> Floats:
        """``values[a, b] * scale[a] * scale[b] + shift[a] + shift[b]``, lined up with ``values``."""
        result: Floats = scaled_and_shifted(self.values, scale, shift)
        return result

    def best(self, k: int) -> Edges:
        """(4N, k): the best partners of each edge, best first; -1 where there are fewer."""
        best: Edges = best_in_rows(self.values, k)
        return best

    def cost(self, a: Edges, b: Edges) -> Floats:
        """The costs of the joins (a, b); infinite where unknown."""
        return self.values[a, b]

    def joins(self, low: float, high: float, group: Edges) -> tuple[Edges, Edges, Floats]:
        """(a, b, cost) of all joins a < b with low < cost <= high between pieces of different groups."""
        joins: tuple[Edges, Edges, Floats] = joins_between(self.values, low, high, group)
        return joins

    def quantile(self, share: float) -> float:
        """A cost that about this share of all joins do not exceed, by a sample."""
        sample = self.values.ravel()[:: max(1, self.values.size // 1_000_003)]
        if not np.isfinite(sample).any():  # so few joins are possible that the sample has missed them
            sample = self.values
        return float(np.quantile(sample[np.isfinite(sample)], min(share, 1.0)))

    def with_values(self, values: Floats, mutual: bool, log_probability: bool = False) -> "DenseScores":
        """The same pairs with other costs."""
        return replace(self, values=values, mutual=mutual, logit=False, log_probability=log_probability)


@dataclass(frozen=True, eq=False)
class SparseScores:
    """Only the best partners of each edge; whoever lists a partner is listed by it too.

    ``row`` and ``column`` are (entries,), sorted by row, then column; ``start`` (4N + 1,) says where each row begins;
    ``mate`` (entries,) says where (b, a) stands. ``largest`` (4N,) is the largest cost of the whole row, listed or not,
    or of those that were compared; ``heard`` says that every join has heard the loops that it would close.
    """

    values: Floats
    row: Edges
    column: Edges
    start: Edges
    mate: Edges
    largest: Floats
    turned: bool
    mutual: bool
    logit: bool = False
    log_probability: bool = False
    lost: float = 0.0
    heard: bool = False

    @property
    def edges(self) -> int:
        """4N."""
        return len(self.start) - 1

    @property
    def longest_row(self) -> int:
        """No edge has a cost with more partners than this."""
        return max(1, int(np.diff(self.start).max(initial=0)))

    def by_row(self, vector: NDArray[Any]) -> NDArray[Any]:
        """A value for each edge ``a``, lined up with ``values``."""
        return vector[self.row]

    def transposed(self, values: Floats) -> Floats:
        """What stands at (b, a), lined up with (a, b)."""
        return values[self.mate]

    def row_smallest(self, k: int) -> Floats:
        """(4N, k): the k smallest costs of each row, ascending; infinite where a row has fewer."""
        smallest: Floats = smallest_in_lists(self.values, self.start, k)
        return smallest

    def row_largest(self) -> Floats:
        """(4N,): the largest finite cost of each whole row."""
        return self.largest

    def row_sums(self, values: Floats, weights: Floats) -> Floats:
        """(4N,): the sum over b of ``values[a, b] * weights[b]``."""
        sums: Floats = sums_of_lists(values, self.column, self.start, weights)
        return sums

    def scaled(self, scale: Floats, shift: Floats) -> Floats:
        """``values[a, b] * scale[a] * scale[b] + shift[a] + shift[b]``, lined up with ``values``."""
        by_scale, by_shift = scale[self.row] * scale[self.column], shift[self.row] + shift[self.column]
        result: Floats = self.values * by_scale + by_shift
        return result

    def best(self, k: int) -> Edges:
        """(4N, k): the best partners of each edge, best first; -1 where there are fewer."""
        order = np.lexsort((self.column, self.values, self.row))
        rank = np.arange(len(order)) - self.start[self.row[order]]
        partners = np.full((self.edges, k), -1, dtype=np.int64)
        near = rank < k
        partners[self.row[order][near], rank[near]] = self.column[order][near]
        return partners

    def cost(self, a: Edges, b: Edges) -> Floats:
        """The costs of the joins (a, b); infinite where unknown."""
        place = self.place(a, b)
        found = (self.row[place] == a) & (self.column[place] == b)
        return np.where(found, self.values[place], np.float32(np.inf)).astype(np.float32)

    def place(self, a: Edges, b: Edges) -> Edges:
        """Where the joins (a, b) stand in the lists, if they are there; some other place if not."""
        places = np.searchsorted(self.row * self.edges + self.column, a * self.edges + b)
        return np.minimum(places, max(0, len(self.row) - 1))

    def joins(self, low: float, high: float, group: Edges) -> tuple[Edges, Edges, Floats]:
        """(a, b, cost) of all listed joins a < b with low < cost <= high between pieces of different groups."""
        keep = (self.row < self.column) & (self.values > low) & (self.values <= high)
        keep &= group[self.row // 4] != group[self.column // 4]
        return self.row[keep], self.column[keep], self.values[keep]

    def quantile(self, share: float) -> float:
        """A cost that about this share of all listed joins do not exceed."""
        return float(np.quantile(self.values[np.isfinite(self.values)], min(share, 1.0)))

    def with_values(self, values: Floats, mutual: bool, log_probability: bool = False) -> "SparseScores":
        """The same pairs with other costs; the largest of a row is from now on the largest that is listed."""
        fresh = replace(self, values=values, largest=largest_in_lists(values, self.start), mutual=mutual)
        return replace(fresh, logit=False, log_probability=log_probability)


Scores = DenseScores | SparseScores


def without_turns(scores: DenseScores) -> DenseScores:
    """Type-1 scores from Type-2 scores of upright pieces: only opposite sides may join."""
    return replace(scores, values=rows_without_turns(scores.values, np.arange(scores.edges)), turned=False)


def rows_without_turns(rows: Floats, edges: Edges) -> Floats:
    """The same for the rows of some edges, (edges, 4N)."""
    opposite = (edges[:, None] + 2) % 4 == np.arange(rows.shape[1]) % 4
    return np.where(opposite, rows, np.float32(np.inf))


def symmetric(scores: Scores) -> Scores:
    """The mean of both views of each join."""
    if scores.mutual:
        return scores
    mean = (scores.values + scores.transposed(scores.values)) * np.float32(0.5)
    return replace(scores, values=mean, mutual=True)


def among(scores: Scores, pieces: Edges) -> Scores:
    """The scores of some pieces, given in rising order, with each other alone; they are numbered anew from 0 on."""
    edges = (4 * pieces[:, None] + np.arange(4)).ravel()
    if isinstance(scores, DenseScores):
        return replace(scores, values=scores.values[np.ix_(edges, edges)])
    number = np.full(scores.edges, -1, dtype=np.int64)
    number[edges] = np.arange(len(edges))
    row, column = number[scores.row], number[scores.column]
    kept = (row >= 0) & (column >= 0)
    row, column = row[kept], column[kept]
    return replace(
        scores,
        values=scores.values[kept],
        row=row,
        column=column,
        start=np.searchsorted(row, np.arange(len(edges) + 1)),
        mate=np.searchsorted(row * len(edges) + column, column * len(edges) + row),
        largest=scores.largest[edges],
    )


def with_cost(scores: Scores, pairs: Edges, cost: float) -> Scores:
    """The same scores, where the joins of ``pairs`` (K, 2) have this cost in both views."""
    if not len(pairs):
        return scores
    one, other = np.concatenate([pairs, pairs[:, ::-1]]).T
    listed = scores if isinstance(scores, DenseScores) else _also_listing(scores, one, other)
    values = listed.values.copy()
    values[(one, other) if isinstance(listed, DenseScores) else listed.place(one, other)] = cost
    return replace(listed, values=values)


def _also_listing(scores: SparseScores, one: Edges, other: Edges) -> SparseScores:
    """Lists that hold these joins too, infinite where they were not there."""
    keys = np.unique(np.concatenate([scores.row * scores.edges + scores.column, one * scores.edges + other]))
    row, column = keys // scores.edges, keys % scores.edges
    start = np.searchsorted(row, np.arange(scores.edges + 1))
    mate = np.searchsorted(keys, column * scores.edges + row)
    return replace(scores, values=scores.cost(row, column), row=row, column=column, start=start, mate=mate)
