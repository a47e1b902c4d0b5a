"""Which pairs of edges are worth an exact cost: those whose rough cost is low for either edge."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tenjigsaw.geometry import DOWN, LEFT, RIGHT, UP
from tenjigsaw.measures.features import Features, Progress, take
from tenjigsaw.measures.kernels import pairs_within
from tenjigsaw.measures.scores import Edges, Floats

Tiles = list[tuple[slice, slice]]

# Partners of each edge that get an exact cost, on average. In a picture of 3300 pieces, Type-2, all best partners and
# 99.5 % of the eight best were among them.
LISTED = 512
# Partners that tell how low a rough cost has to be for that.
SAMPLED = 1024


@dataclass(frozen=True)
class Shortlist:
    """``simplify`` makes rough descriptions of edges, and ``compare`` their costs, (A, B), the same from either side.

    ``arrange`` makes exact ones, and ``costs`` those of the pairs (one[i], other[i]).
    """

    simplify: Callable[[Features], Features]
    compare: Callable[[Features, Features], Floats]
    arrange: Callable[[Features], Features]
    costs: Callable[[Features, Edges, Edges], Floats]

    def pairs(
        self, features: Features, turned: bool, tiles: Tiles, progress: Progress
    ) -> Iterator[tuple[Edges, Edges, Floats]]:
        """Pairs of edges of different pieces and their costs, tile by tile, each pair once."""
        rough, exact = self.simplify(features), self.arrange(features)
        limit = self._limits(rough, turned)
        number = np.arange(len(limit))
        for done, (rows, columns) in enumerate(tiles):
            progress(done, len(tiles))
            costs = self.compare(take(rough, rows), take(rough, columns))
            one, other = pairs_within(costs, limit[rows], limit[columns], number[rows], number[columns])
            yield one, other, self.costs(exact, one, other)
        progress(len(tiles), len(tiles))

    def _limits(self, rough: Features, turned: bool) -> Floats:
        """(4N,): for each edge, the rough cost that about ``LISTED`` of its partners do not exceed."""
        edges = len(rough[0])
        limit = np.empty(edges, dtype=np.float32)
        sides = [slice(side, edges, 4) for side in (RIGHT, DOWN, LEFT, UP)]
        facing = zip(sides, sides[2:] + sides[:2], strict=True)
        for rows, columns in [(slice(0, edges), slice(0, edges))] if turned else facing:
            partners = np.arange(edges)[columns]
            sample = partners[np.linspace(0, len(partners) - 1, SAMPLED).astype(np.int64)]
            costs = self.compare(take(rough, rows), tuple(array[sample] for array in rough))
            rank = round(SAMPLED * LISTED / len(partners))
            limit[rows] = np.partition(costs, rank, axis=1)[:, rank]
        return limit


def worth_it(partners: int, k: int) -> bool:
    """Whether so many partners are enough for a shortlist to save time, and a shortlist holds enough for k of them."""
    return partners >= 4 * LISTED and 8 * k <= LISTED
