"""From a comparison of edge sets to scores of all pairs: a full matrix, or best-k lists in bounded memory."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.geometry import DOWN, LEFT, RIGHT, UP
from tenjigsaw.measures.checks import checked_costs, checked_features
from tenjigsaw.measures.features import Features, Progress, no_progress, part_of, take
from tenjigsaw.measures.kernels import keep_listed, keep_smallest
from tenjigsaw.measures.lists import mutual_lists
from tenjigsaw.measures.refine import refine_lists, refine_rows
from tenjigsaw.measures.scores import DenseScores, Edges, Floats, SparseScores
from tenjigsaw.measures.shortlist import Shortlist, worth_it
from tenjigsaw.puzzle import Puzzle

# The share of the work that is done when all pairs have their rough cost, for a measure that refines some.
COMPARED = 0.95


class Forecast(Protocol):
    """Predicts the seconds that scoring takes."""

    def __call__(self, puzzle: Puzzle, judged: int | None = None, /) -> float:
        """For all edges of the puzzle, or for so many against all others."""


@dataclass(frozen=True)
class PairMeasure:
    """A measure that describes each edge once and then compares descriptions.

    ``compare(A, B)`` is the (A, B) float32 cost of every edge of one set against every edge of the other. Where it is
    not ``symmetric``, ``compare(A, B)[a, b]`` is the cost seen from ``a``. ``logit`` says that costs
    are minus logits, ``tile`` is the most edges of a set, and ``forecast`` predicts the seconds of a slow measure, for
    all edges or for so many.
    With a ``shortlist``, only some pairs of a large puzzle are compared for its lists. Where ``compare`` is rough,
    ``refine`` gives the exact costs of some pairs (one[i], other[i]), seen from the first; the best pairs get them.
    """

    name: str
    summary: str
    describe: Callable[[Puzzle], Features]
    compare: Callable[[Features, Features], Floats]
    symmetric: bool = True
    logit: bool = False
    tile: int = 2048
    forecast: Forecast | None = None
    shortlist: Shortlist | None = None
    refine: Callable[[Features, Edges, Edges], Floats] | None = None

    def scores(self, puzzle: Puzzle, progress: Progress = no_progress) -> DenseScores:
        """The costs of all 4N x 4N pairs."""
        comparing, refining = self._stages(progress)
        features, edges = self._described(puzzle), np.arange(4 * puzzle.count)
        values = np.full((len(edges), len(edges)), np.inf, dtype=np.float32)
        for rows, columns, tile, back in self._tiles(puzzle, features, comparing):
            values[rows, columns] = tile
            values[columns, rows] = back.T
        _refuse_own_piece(values, puzzle.count)
        if self.refine:
            refine_rows(partial(self.refine, features), edges, values, refining)
        return DenseScores(values, puzzle.turned, mutual=self.symmetric, logit=self.logit)

    def rows(self, puzzle: Puzzle, edges: Edges) -> Floats:
        """(edges, 4N): the costs of some edges with all others, seen from them, as if no turn were known."""
        features, number = self._described(puzzle), np.arange(4 * puzzle.count)
        values = np.empty((len(edges), len(number)), dtype=np.float32)
        for i in range(0, len(edges), self.tile):
            some = take(features, edges[i : i + self.tile])
            for j in range(0, len(number), self.tile):
                others = slice(j, j + self.tile)
                values[i : i + self.tile, others] = self._compared(some, take(features, others))
        # The minimum of numbers among which one is none is none.
        if not np.isfinite(values.min()):
            raise InputError(f"The measure {self.name} returned costs that are not numbers, or no finite ones.")
        values[edges[:, None] // 4 == number // 4] = np.inf
        if self.refine:
            refine_rows(partial(self.refine, features), edges, values)
        return values

    def nearest(self, puzzle: Puzzle, k: int, progress: Progress = no_progress) -> SparseScores:
        """The costs of the k best partners of each edge; memory grows with 4N x k only."""
        if k < 1:
            raise InputError(f"A list of the best {k} partners is empty; ask for at least one.")
        comparing, refining = self._stages(progress)
        features, lists = self._described(puzzle), _Lists.empty(4 * puzzle.count, k)
        if self.shortlist and worth_it(4 * puzzle.count if puzzle.turned else puzzle.count, k):
            tiles = list(_tile_slices(puzzle.count, puzzle.turned, self.tile))
            for one, other, cost in self.shortlist.pairs(features, puzzle.turned, tiles, comparing):
                keep_listed(one, other, cost, *lists)
        else:
            self._compare_all(puzzle, features, lists, comparing)
        mutual = mutual_lists(lists.edge, lists.cost, lists.back)
        scores = SparseScores(*mutual, lists.largest, puzzle.turned, mutual=self.symmetric, logit=self.logit)
        if self.refine:
            refine_lists(partial(self.refine, features), scores, refining)
        return scores

    def _stages(self, progress: Progress) -> tuple[Progress, Progress]:
        """How far the comparison is, and the second pass over the best pairs, if there is one."""
        if self.refine is None:
            return progress, no_progress
        return part_of(progress, 0.0, COMPARED), part_of(progress, COMPARED, 1.0)

    def _compare_all(self, puzzle: Puzzle, features: Features, lists: "_Lists", progress: Progress) -> None:
        number = np.arange(4 * puzzle.count)
        for rows, columns, tile, back in self._tiles(puzzle, features, progress):
            keep_smallest(tile, back, number[rows], number[columns], *lists)
            if rows != columns:
                mirrored = np.ascontiguousarray(back.T)
                mirrored_back = mirrored if self.symmetric else np.ascontiguousarray(tile.T)
                keep_smallest(mirrored, mirrored_back, number[columns], number[rows], *lists)

    def _tiles(
        self, puzzle: Puzzle, features: Features, progress: Progress
    ) -> Iterator[tuple[slice, slice, Floats, Floats]]:
        """(rows, columns, cost seen from the rows, cost seen from the columns), each pair of edges once."""
        tiles = list(_tile_slices(puzzle.count, puzzle.turned, self.tile))
        for done, (rows, columns) in enumerate(tiles):
            progress(done, len(tiles))
            one = take(features, rows)
            # The same object tells a comparison that one way says it all.
            other = one if rows == columns else take(features, columns)
            tile = self._compared(one, other)
            yield rows, columns, tile, tile if self.symmetric else self._compared(other, one).T
        progress(len(tiles), len(tiles))

    def _described(self, puzzle: Puzzle) -> Features:
        return checked_features(self.name, self.describe(puzzle), 4 * puzzle.count)

    def _compared(self, one: Features, other: Features) -> Floats:
        return checked_costs(self.name, self.compare(one, other), (len(one[0]), len(other[0])))


class _Lists(NamedTuple):
    """The best partners of each edge so far, (4N, k), ascending: their cost, the cost seen from them, and which edges
    they are; and the largest cost met, (4N,).
    """

    cost: Floats
    back: Floats
    edge: Edges
    largest: Floats

    @classmethod
    def empty(cls, edges: int, k: int) -> "_Lists":
        cost, back = (np.full((edges, k), np.inf, dtype=np.float32) for _ in range(2))
        return cls(cost, back, np.full((edges, k), -1), np.full(edges, -np.inf, dtype=np.float32))


def _tile_slices(count: int, turned: bool, tile: int) -> Iterator[tuple[slice, slice]]:
    """Slices of edges that together meet every legal pair of edges once."""
    if turned:
        blocks = [slice(i, min(i + tile, 4 * count), 1) for i in range(0, 4 * count, tile)]
        yield from ((blocks[i], blocks[j]) for i in range(len(blocks)) for j in range(i, len(blocks)))
        return
    for side, partner in ((RIGHT, LEFT), (DOWN, UP)):
        for i in range(0, count, tile):
            for j in range(0, count, tile):
                yield (
                    slice(4 * i + side, 4 * min(i + tile, count), 4),
                    slice(4 * j + partner, 4 * min(j + tile, count), 4),
                )


def _refuse_own_piece(values: Floats, count: int) -> None:
    pieces = np.arange(count)
    values.reshape(count, 4, count, 4)[pieces, :, pieces, :] = np.inf
