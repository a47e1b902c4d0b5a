"""The pair network on all pairs: what a piece brings into any pair is computed once, the rest in 8-bit products.

As in ``networks.seam``, only the four columns around the seam depend on both pieces. A sample of the pairs goes through
the network in full precision and says how large the numbers there become; all pairs follow in 8-bit products, and the
best of each edge once more in full precision.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from tenjigsaw.measures.edge_views import Views
from tenjigsaw.measures.features import Features
from tenjigsaw.measures.graphs import LEFT_HALF, REACHES, RIGHT_HALF, SEAM_INPUTS, SEAM_WEIGHTS
from tenjigsaw.measures.learned import checked_views, session_of
from tenjigsaw.measures.models import FAST_GRAPH, Model
from tenjigsaw.measures.pairs import PairMeasure
from tenjigsaw.measures.refine import REFINED
from tenjigsaw.measures.scores import Edges, Floats
from tenjigsaw.measures.seam_exact import exact_logits
from tenjigsaw.measures.seam_kernels import LARGEST, Bytes, first_columns, pooled_columns, seam_logits
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.threads import one_thread_each

# Edges on either side of the pairs that are looked at in full precision.
SAMPLED_EDGES = 24
LEAST_REACH = np.float32(1e-6)
# Edges whose own parts are computed at once.
EDGES_AT_ONCE = 32
# Pairs that go through the layers together: what passes between layers stays in the cache.
PAIRS_AT_ONCE = 32
# Edges of either side in a comparison.
TILE = 128


class SeamFeatures(NamedTuple):
    """What each edge brings into a pair as the left and as the right partner: of four layers, (4N, rows, 2, channels),
    and to the logit, (4N,). Then, the same for all edges, how large the inputs of three layers become, (4N, 3).
    """

    left1: Floats
    left2: Floats
    left3: Floats
    left4: Floats
    left_rest: Floats
    right1: Floats
    right2: Floats
    right3: Floats
    right4: Floats
    right_rest: Floats
    reach: Floats

    @property
    def lefts(self) -> tuple[Floats, ...]:
        """The layers as the left partner."""
        return self[:4]

    @property
    def rights(self) -> tuple[Floats, ...]:
        """The layers as the right partner."""
        return self[5:9]


@dataclass(frozen=True)
class Products:
    """The 8-bit products of the layers after the first; ``steps`` are the sizes of their inputs' steps."""

    session: Any
    steps: Floats

    def added(self, layer: int, columns: Bytes) -> Floats:
        """What new columns (M, rows, 2, 3 C) of the layer before add to three columns each: (M, rows, 2, 3 C')."""
        # The graph holds all layers; those that are not asked for get no rows.
        feed: dict[str, Any] = {f"columns{n}": np.empty((0, inputs), np.uint8) for n, inputs in SEAM_INPUTS.items()}
        feed |= {f"columns{layer}": columns.reshape(-1, columns.shape[3]), "steps": self.steps}
        product = self.session.run([f"added{layer}"], feed)[0]
        added: Floats = product.reshape(*columns.shape[:3], -1)
        return added


def pair_measure(name: str, summary: str, model: Model) -> PairMeasure:
    """The pair network; not symmetric, since the network may tell a pair from its half turn."""
    costs = PairNetworkCosts(model)
    return PairMeasure(
        name,
        summary,
        costs.describe,
        costs.compare,
        symmetric=False,
        logit=True,
        tile=TILE,
        forecast=costs.predicted_seconds,
        refine=costs.refine,
    )


@dataclass(frozen=True)
class PairNetworkCosts:
    """The pair network as a comparison of edge sets."""

    model: Model

    def describe(self, puzzle: Puzzle) -> Features:
        """What each edge of a puzzle brings into any pair."""
        return self.halves(checked_views(self.model, puzzle))

    def halves(self, views: Views) -> SeamFeatures:
        """What each edge brings into any pair, and how large the numbers become in some pairs."""
        sample = views[np.linspace(0, len(views) - 1, SAMPLED_EDGES).round().astype(np.int64)]
        # A layer that says nothing at all would have steps of no size.
        reach = np.maximum(np.array(self._run(REACHES, sample, sample), dtype=np.float32), LEAST_REACH)
        # A graph runs as a whole: one partner keeps what is not asked for small.
        left = _each(views, lambda some: self._run(LEFT_HALF, some, views[:1]))
        right = _each(views, lambda some: self._run(RIGHT_HALF, views[:1], some))
        return SeamFeatures._make([*left, *right, np.broadcast_to(reach, (len(views), len(reach)))])

    def compare(self, one: Features, other: Features) -> Floats:
        """The logit of "strangers" for all pairs, in 8-bit products."""
        left, right = (SeamFeatures(*map(np.ascontiguousarray, features)) for features in (one, other))
        logits: Floats = left.left_rest[:, None] + right.right_rest
        projection = self._weights()[-1]
        with one_thread_each() as pool:
            products = Products(session_of(self.model, FAST_GRAPH), left.reach[0] / np.float32(LARGEST))
            for _ in pool.map(partial(_add_new, products, left, right, projection, logits), range(len(logits))):
                pass
        return logits

    def refine(self, features: Features, one: Edges, other: Edges) -> Floats:
        """The logits of the pairs (one[i], other[i]) in full precision."""
        halves, (*weights, projection) = SeamFeatures(*features), self._weights()

        def added(some: slice) -> Floats:
            lefts, rights = (
                [layer[one[some]] for layer in halves.lefts],
                [layer[other[some]] for layer in halves.rights],
            )
            return exact_logits(lefts, rights, weights, projection)

        with one_thread_each() as pool:
            parts = list(pool.map(added, _batches(len(one))))
        rest: Floats = halves.left_rest[one] + halves.right_rest[other]
        return np.concatenate((*parts, rest[:0])) + rest

    def logits(self, left: Views, right: Views) -> Floats:
        """The logits of all pairs by the whole network."""
        logits: Floats = self._run(("logit",), left, right)[0]
        return logits

    def predicted_seconds(self, puzzle: Puzzle, judged: int | None = None) -> float:
        """How long all pairs, or those of so many edges, will take, from the second time that some of them are done:
        the first compiles.
        """
        views = checked_views(self.model, puzzle)
        some, number = views[np.resize(np.arange(len(views)), TILE)], np.arange(TILE)
        halves = self.halves(some)
        self.compare(halves, halves)
        self.refine(halves, number, number)
        steps = [time.perf_counter()]
        for work in (
            lambda: self.halves(some),
            lambda: self.compare(halves, halves),
            lambda: self.refine(halves, number, number),
        ):
            work()
            steps.append(time.perf_counter())
        described, compared, refined = np.diff(steps)
        sides, others = 4 if puzzle.turned else 1, puzzle.count - 1
        pairs, best = others * sides, min(REFINED, others) * sides
        of_each = compared * pairs / TILE**2 + refined * best / TILE
        return float(len(views) * described / TILE + (judged or len(views)) * of_each)

    def _run(self, outputs: tuple[str, ...], left: Views, right: Views) -> list[Any]:
        feed = {"left": np.ascontiguousarray(left), "right": np.ascontiguousarray(right)}
        found: list[Any] = session_of(self.model).run(outputs, feed)
        return found

    def _weights(self) -> list[Floats]:
        nothing = np.zeros((1, self.model.piece, self.model.piece, 3), dtype=np.float32)
        return self._run(SEAM_WEIGHTS, nothing, nothing)


def _each(views: Views, work: Callable[[Views], list[Floats]]) -> list[Floats]:
    """What some work gives for all edges, a batch at a time."""
    parts = [work(views[first : first + EDGES_AT_ONCE]) for first in range(0, len(views), EDGES_AT_ONCE)]
    return [np.concatenate(part) for part in zip(*parts, strict=True)]


def _add_new(
    products: Products, left: SeamFeatures, right: SeamFeatures, projection: Floats, logits: Floats, edge: int
) -> None:
    """Add to the logits of one left edge with all right ones what is new in each pair."""
    own = [layer[edge] for layer in left.lefts]
    *before, last = SEAM_INPUTS
    for some in _batches(len(right.reach)):
        others = [layer[some] for layer in right.rights]
        columns = _room_for(1, others)
        first_columns(own[0], others[0], products.steps[0], columns)
        for layer in before:
            added, columns = products.added(layer, columns), _room_for(layer + 1, others)
            pooled_columns(added, own[layer], others[layer], products.steps[layer], columns)
        seam_logits(products.added(last, columns), own[last], others[last], projection, logits[edge, some])


def _room_for(layer: int, others: Sequence[Floats]) -> Bytes:
    """The inputs of a layer's product: three rows of the layer before, side by side."""
    count, rows = others[layer].shape[:2]
    return np.empty((count, rows, 2, 3 * others[layer - 1].shape[3]), dtype=np.uint8)


def _batches(count: int) -> Iterator[slice]:
    for first in range(0, count, PAIRS_AT_ONCE):
        yield slice(first, first + PAIRS_AT_ONCE)
