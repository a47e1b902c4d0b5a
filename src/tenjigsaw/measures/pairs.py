"""From a comparison of edge sets to scores of all pairs: a full matrix, or best-k lists in bounded memory."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.errors import InputError
from tenjigsaw.geometry import DOWN, LEFT, RIGHT, UP
from tenjigsaw.measures.kernels import keep_smallest
from tenjigsaw.measures.lists import mutual_lists
from tenjigsaw.measures.scores import DenseScores, Floats, SparseScores
from tenjigsaw.puzzle import Puzzle

# What a measure knows of each edge: arrays whose first axis is the edge.
Features = tuple[NDArray[Any], ...]
Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class PairMeasure:
    """A measure that describes each edge once and then compares descriptions.

    ``compare(A, B)`` is the (A, B) float32 cost of every edge of one set against every edge of the other. Where it is
    not ``symmetric``, ``compare(A, B)[a, b]`` is the cost seen from ``a``. ``logit`` says that costs
    are minus logits, ``tile`` is the most edges of a set, and ``forecast`` predicts the seconds of a slow measure.
    """

    name: str
    summary: str
    describe: Callable[[Puzzle], Features]
    compare: Callable[[Features, Features], Floats]
    symmetric: bool = True
    logit: bool = False
    tile: int = 2048
    forecast: Callable[[Puzzle], float] | None = None

    def scores(self, puzzle: Puzzle, progress: Progress = no_progress) -> DenseScores:
        """The costs of all 4N x 4N pairs."""
        values = np.full((4 * puzzle.count, 4 * puzzle.count), np.inf, dtype=np.float32)
        for rows, columns, tile, back in self._tiles(puzzle, progress):
            values[rows, columns] = tile
            values[columns, rows] = back.T
        _refuse_own_piece(values, puzzle.count)
        return DenseScores(values, puzzle.turned, mutual=self.symmetric, logit=self.logit)

    def nearest(self, puzzle: Puzzle, k: int, progress: Progress = no_progress) -> SparseScores:
        """The costs of the k best partners of each edge; memory grows with 4N x k only."""
        if k < 1:
            raise InputError(f"A list of the best {k} partners is empty; ask for at least one.")
        edges = 4 * puzzle.count
        best_cost = np.full((edges, k), np.inf, dtype=np.float32)
        best_back = np.full((edges, k), np.inf, dtype=np.float32)
        best_edge = np.full((edges, k), -1, dtype=np.int64)
        largest = np.full(edges, -np.inf, dtype=np.float32)
        number = np.arange(edges)
        for rows, columns, tile, back in self._tiles(puzzle, progress):
            lists = (best_cost, best_back, best_edge, largest)
            keep_smallest(tile, back, number[rows], number[columns], *lists)
            if rows != columns:
                mirrored = np.ascontiguousarray(back.T)
                mirrored_back = mirrored if self.symmetric else np.ascontiguousarray(tile.T)
                keep_smallest(mirrored, mirrored_back, number[columns], number[rows], *lists)
        mutual = mutual_lists(best_edge, best_cost, best_back)
        return SparseScores(*mutual, largest=largest, turned=puzzle.turned, mutual=self.symmetric, logit=self.logit)

    def _tiles(self, puzzle: Puzzle, progress: Progress) -> Iterator[tuple[slice, slice, Floats, Floats]]:
        """(rows, columns, cost seen from the rows, cost seen from the columns), each pair of edges once."""
        features = self.describe(puzzle)
        tiles = list(_tile_slices(puzzle.count, puzzle.turned, self.tile))
        for done, (rows, columns) in enumerate(tiles):
            progress(done, len(tiles))
            one = _take(features, rows)
            # The same object tells a comparison that one way says it all.
            other = one if rows == columns else _take(features, columns)
            tile = self.compare(one, other)
            yield rows, columns, tile, tile if self.symmetric else self.compare(other, one).T
        progress(len(tiles), len(tiles))


def _take(features: Features, edges: slice) -> Features:
    return tuple(array[edges] for array in features)


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
