"""The unified model as a measure: each edge is described once by ONNX Runtime, all pairs by compiled sums."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.geometry import edge_strips
from tenjigsaw.measures.classical import describe_mgc, mgc_one_way
from tenjigsaw.measures.features import Features
from tenjigsaw.measures.graphs import COLUMNS as COLUMNS  # the network's definition takes it from here
from tenjigsaw.measures.graphs import OUTPUTS, STATISTICS
from tenjigsaw.measures.kernels import add_logarithms, tailed_misfits
from tenjigsaw.measures.learned import session_of
from tenjigsaw.measures.models import FAST_GRAPH, Model
from tenjigsaw.measures.pairs import PairMeasure
from tenjigsaw.measures.scores import Edges, Floats
from tenjigsaw.measures.shortlist import Shortlist
from tenjigsaw.measures.unified_kernels import TOKENS_AT_ONCE, rough_costs, unified_costs
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.puzzle.reduce import reduced
from tenjigsaw.threads import limited_threads, one_thread_each

COLOURS = 3  # so many of the network's features are colours
MOST_WORN = 4  # wear beyond this is treated like this
LARGEST_PIECE = 128  # what the network has learned from; camera pictures of tiles are larger

# Parts of an edge whose colours decide which pairs are worth a closer look.
STRETCHES = 4

# So many that what passes from layer to layer stays in the second-level cache.
EDGES_AT_ONCE = 64
# Edges whose statistics stand for the puzzle's.
SAMPLED_EDGES = 512


class EdgeFeatures(NamedTuple):
    """What is known of each edge. Of the tokens: ``root`` of the precision and ``target``, root times mean, (4N, Q, K),
    ``weight`` (4N, Q, 2), what the edge itself has ``shown`` (4N, K, Q) and its ``summary`` (4N, S, Q). Of the whole:
    ``strength`` of MGC and ``commonness`` (4N,). The last three are MGC's.
    """

    root: Floats
    target: Floats
    weight: Floats
    shown: Floats
    summary: Floats
    strength: Floats
    commonness: Floats
    whitening: Floats
    whitened: Floats
    pixels: Floats


def unified_measure(name: str, summary: str, model: Model) -> PairMeasure:
    """The measure of a trained unified model."""

    def describe(puzzle: Puzzle) -> Features:
        return describe_edges(model, puzzle)

    shortlist = Shortlist(simplify, compare_simplified, arrange, costs_of_pairs)
    return PairMeasure(name, summary, describe, compare, logit=True, shortlist=shortlist)


def describe_edges(model: Model, puzzle: Puzzle) -> EdgeFeatures:
    """Everything about each edge by itself; large pieces are reduced to a size that the network knows."""
    puzzle = reduced(puzzle, LARGEST_PIECE)
    outputs = run_network(model, nearest_columns(puzzle), puzzle.erosion)
    mean, root, shown, weight, strength, commonness, summary = outputs
    tokens = (_tokens_first(root), _tokens_first(root * mean), _tokens_first(weight))
    return EdgeFeatures(*tokens, shown, summary, strength, commonness, *describe_mgc(puzzle))


def _tokens_first(values: Floats) -> Floats:
    return np.ascontiguousarray(values.transpose(0, 2, 1))


def nearest_columns(puzzle: Puzzle) -> NDArray[np.uint8]:
    """(4N, Q, COLUMNS, 3), the edge first; a piece that has fewer repeats its last."""
    inner = puzzle.inner
    strips = edge_strips(inner, min(COLUMNS, inner.shape[1]))
    return np.pad(strips, ((0, 0), (0, 0), (0, COLUMNS - strips.shape[2]), (0, 0)), mode="edge")


def run_network(model: Model, strips: NDArray[np.uint8], worn: int) -> list[Floats]:
    """The ``OUTPUTS`` for all edges, normalised by the statistics of the puzzle.

    A sample of the edges goes through the network in full precision and says what the statistics are. If there are
    more edges, they all follow in 8 bits, which is several times as fast.
    """
    wear = np.array([min(worn, MOST_WORN)], dtype=np.int64)
    sample = strips[np.linspace(0, len(strips) - 1, min(SAMPLED_EDGES, len(strips))).round().astype(np.int64)]
    names = OUTPUTS if len(sample) == len(strips) else STATISTICS
    # Full precision is rounded in another way by other numbers of threads.
    with limited_threads(1):
        found: list[Floats] = session_of(model).run(names, {"strips": sample, "wear": wear})
    if len(sample) == len(strips):
        return found
    known = {"wear": wear, **dict(zip(STATISTICS, found, strict=True))}
    batches = (strips[first : first + EDGES_AT_ONCE] for first in range(0, len(strips), EDGES_AT_ONCE))
    with one_thread_each() as pool:
        fast = session_of(model, FAST_GRAPH)
        parts = list(pool.map(lambda batch: fast.run(OUTPUTS, {"strips": batch, **known}), batches))
    return [np.concatenate(part) for part in zip(*parts, strict=True)]


def compare(one: Features, other: Features) -> Floats:
    """The cost of all pairs, both ways."""
    these, those = EdgeFeatures(*one), EdgeFeatures(*other)
    forward = _one_way(these, those)
    backward = forward if one is other else _one_way(those, these)
    cost: Floats = forward + backward.T
    # One sum for both, so that a join costs exactly the same from either side.
    cost += these.commonness[:, None] + those.commonness
    return cost


def _one_way(one: EdgeFeatures, other: EdgeFeatures) -> Floats:
    shown = np.ascontiguousarray(other.shown.transpose(2, 1, 0))
    cost = _misfits(one, shown, slice(0, COLOURS), one.weight[:, :, 0])
    cost += _misfits(one, shown, slice(COLOURS, None), one.weight[:, :, 1])
    mgc = mgc_one_way(one[-3:], other[-3:])
    add_logarithms(cost, mgc, 1 / one.root.shape[1], one.strength)
    return cost


def _misfits(one: EdgeFeatures, shown: Floats, features: slice, weight: Floats) -> Floats:
    root, target = (np.ascontiguousarray(values[:, :, features]) for values in (one.root, one.target))
    seen = np.ascontiguousarray(shown[:, features])
    found: Floats = tailed_misfits(root, target, np.ascontiguousarray(weight), seen)
    return found


def simplify(features: Features) -> Features:
    """Root of the precision, target and weight of colours over a few stretches of the edge, and the colours shown."""
    edges = EdgeFeatures(*features)
    root, mean, shown, weight = (
        _stretches(values)
        for values in (
            edges.root[:, :, :COLOURS],
            edges.target[:, :, :COLOURS] / edges.root[:, :, :COLOURS],
            edges.shown[:, :COLOURS].transpose(0, 2, 1),
            edges.weight[:, :, :1],
        )
    )
    return root, root * mean, weight[:, :, 0], shown


def _stretches(values: Floats) -> Floats:
    """(4N, Q, K) -> (4N, STRETCHES, K): means over tokens that lie together."""
    bounds = np.linspace(0, values.shape[1], STRETCHES + 1).round().astype(np.int64)
    return np.stack([values[:, first:last].mean(axis=1) for first, last in pairwise(bounds)], axis=1)


def compare_simplified(one: Features, other: Features) -> Floats:
    """The rough cost of all pairs, both ways: what colours say."""
    these = [np.ascontiguousarray(values) for values in one]
    those = [np.ascontiguousarray(np.moveaxis(values, 0, -1)) for values in other]
    cost: Floats = rough_costs(*these, *those)
    return cost


def arrange(features: Features) -> Features:
    """The arguments of ``unified_costs`` before the pairs."""
    edges = EdgeFeatures(*features)
    tokens = (edges.root, edges.target, edges.shown.transpose(0, 2, 1), edges.weight)
    # MGC is the mean over the tokens, not the sum.
    share = np.float32(1 / edges.root.shape[1])
    mgc = (edges.whitening * share, _tokens_last(edges.whitened * share), _tokens_last(edges.pixels))
    return (*(_tokens_last(values) for values in tokens), edges.strength, edges.commonness, *mgc)


def costs_of_pairs(arranged: Features, one: Edges, other: Edges) -> Floats:
    """The costs of some pairs, both ways."""
    arguments: tuple[Any, ...] = (*arranged, COLOURS, one, other)
    found: Floats = unified_costs(*arguments)
    return found


def _tokens_last(values: Floats) -> Floats:
    """(4N, Q, K) -> (4N, K, Q), filled up with zeros."""
    lacking = -values.shape[1] % TOKENS_AT_ONCE
    return np.ascontiguousarray(np.pad(values, ((0, 0), (0, lacking), (0, 0))).transpose(0, 2, 1))
