"""The unified model as a measure: each edge is described once by ONNX Runtime, all pairs by compiled sums."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.geometry import edge_strips
from tenjigsaw.measures.classical import describe_mgc, mgc_one_way
from tenjigsaw.measures.kernels import add_logarithms, tailed_misfits
from tenjigsaw.measures.learned import session_of
from tenjigsaw.measures.models import Model
from tenjigsaw.measures.pairs import Features, PairMeasure
from tenjigsaw.measures.scores import Floats
from tenjigsaw.puzzle import Puzzle

# Columns behind the edge that the network looks at, and how many of its features are colours.
COLUMNS, COLOURS = 12, 3
MOST_WORN = 4  # wear beyond this is treated like this

EDGES_AT_ONCE = 4096
# Edges whose statistics stand for the puzzle's when it has more than go in at once.
SAMPLED_EDGES = 512

OUTPUTS = ("mean", "root_precision", "shown", "weight", "strength", "commonness", "summary")


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

    return PairMeasure(name, summary, describe, compare, logit=True)


def describe_edges(model: Model, puzzle: Puzzle) -> EdgeFeatures:
    """Everything about each edge by itself."""
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

    A puzzle that is too large to go in at once is led by the same sample of its edges each time, whose statistics
    hold for all; what comes out for the sample is dropped.
    """
    session = session_of(model)
    wear = np.array([min(worn, MOST_WORN)], dtype=np.int64)
    if len(strips) <= EDGES_AT_ONCE:
        whole: list[Floats] = session.run(OUTPUTS, {"strips": strips, "wear": wear, "sampled": _count(len(strips))})
        return whole
    sample = strips[np.linspace(0, len(strips) - 1, SAMPLED_EDGES).round().astype(np.int64)]
    parts = []
    for first in range(0, len(strips), EDGES_AT_ONCE):
        led = np.concatenate((sample, strips[first : first + EDGES_AT_ONCE]))
        outputs = session.run(OUTPUTS, {"strips": led, "wear": wear, "sampled": _count(SAMPLED_EDGES)})
        parts.append([output[SAMPLED_EDGES:] for output in outputs])
    return [np.concatenate(part) for part in zip(*parts, strict=True)]


def _count(number: int) -> NDArray[np.int64]:
    return np.array([number], dtype=np.int64)


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
