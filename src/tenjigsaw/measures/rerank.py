"""A second look at the best candidates: a small network that sees both edges of a join at once."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tenjigsaw.measures.features import Progress, no_progress
from tenjigsaw.measures.learned import session_of
from tenjigsaw.measures.models import SECOND_GRAPH, Model
from tenjigsaw.measures.pairs import PairMeasure
from tenjigsaw.measures.scores import DenseScores, Edges, Floats, Scores, SparseScores
from tenjigsaw.measures.unified import EdgeFeatures, describe_edges, unified_measure
from tenjigsaw.puzzle import Puzzle

# Candidates of each edge that are looked at again, if they cost no more than this above the best: a second look does
# not change more. On val half of them are left out, and Top-1 is the same.
SECOND_LOOKS, FARTHEST = 8, 3.0
PAIRS_AT_ONCE = 1024


@dataclass(frozen=True)
class RerankedMeasure:
    """The unified measure, with the order among each edge's best candidates corrected; all others stay as they are."""

    name: str
    summary: str
    model: Model

    # Which candidates are the best depends on which are legal, so Type-1 can't be read off Type-2.
    by_type = True

    def scores(self, puzzle: Puzzle, progress: Progress = no_progress) -> DenseScores:
        """All 4N x 4N costs."""
        features = describe_edges(self.model, puzzle)
        scores = self.first_stage(features).scores(puzzle, progress)
        one, other, cost = self.second_costs(scores, features)
        scores.values[one, other] = cost
        scores.values[other, one] = cost
        return scores

    def nearest(self, puzzle: Puzzle, k: int, progress: Progress = no_progress) -> SparseScores:
        """The costs of the k best partners of each edge."""
        features = describe_edges(self.model, puzzle)
        scores = self.first_stage(features).nearest(puzzle, k, progress)
        one, other, cost = self.second_costs(scores, features)
        place = scores.place(one, other)
        scores.values[place] = cost
        scores.values[scores.mate[place]] = cost
        return scores

    def first_stage(self, features: EdgeFeatures) -> PairMeasure:
        """The unified measure, on edges that are described already."""
        return replace(unified_measure(self.name, self.summary, self.model), describe=lambda _: tuple(features))

    def second_costs(self, scores: Scores, features: EdgeFeatures) -> tuple[Edges, Edges, Floats]:
        """The pairs that get a second look, and what they cost after it."""
        pairs = candidate_pairs(scores, SECOND_LOOKS, FARTHEST)
        parts = [second_look(self.model, features, a, b) for a, b in _batches(pairs.one, pairs.other)]
        correction = np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)
        cost: Floats = np.clip(scores.cost(pairs.one, pairs.other) + correction, pairs.least, pairs.most)
        return pairs.one, pairs.other, cost


class Candidates(NamedTuple):
    """Pairs (one, other), one < other, of which one edge is among the other's best, and what they may cost.

    Candidates of an edge may change places with each other, but with nobody else: a candidate never costs more than the
    best partner that is none, and a pair that is a candidate of one of its edges only, never less for the other edge.
    """

    one: Edges
    other: Edges
    least: Floats
    most: Floats


def candidate_pairs(scores: Scores, best: int, farthest: float) -> Candidates:
    """All pairs of which one edge is among the other's ``best`` and costs little more than the best one."""
    smallest, partner = scores.row_smallest(best + 1), scores.best(best)
    near = (partner >= 0) & (smallest[:, :-1] <= smallest[:, :1] + farthest)
    behind = smallest[np.arange(len(near)), near.sum(axis=1)]
    edge, rank = np.nonzero(near)
    candidate = partner[edge, rank]
    low, high = np.minimum(edge, candidate), np.maximum(edge, candidate)
    pairs, place = np.unique(low * len(near) + high, return_inverse=True)
    one, other = np.divmod(pairs, len(near))
    by_one, by_other = np.zeros((2, len(pairs)), dtype=np.bool_)
    by_one[place[edge < candidate]] = True
    by_other[place[edge > candidate]] = True
    # Each edge in turn: as a candidate of it the pair stays before, else behind, whoever comes next.
    bounds = [(one, by_one), (other, by_other)]
    most = np.min([np.where(listed, behind[edges], np.inf) for edges, listed in bounds], axis=0)
    least = np.max([np.where(listed, -np.inf, behind[edges]) for edges, listed in bounds], axis=0)
    return Candidates(one, other, least, most)


def _batches(one: Edges, other: Edges) -> Iterator[tuple[Edges, Edges]]:
    for first in range(0, len(one), PAIRS_AT_ONCE):
        yield one[first : first + PAIRS_AT_ONCE], other[first : first + PAIRS_AT_ONCE]


def second_look(model: Model, features: EdgeFeatures, one: Edges, other: Edges) -> Floats:
    """(pairs,): what to add to the cost of joining edge ``one[i]`` to edge ``other[i]``."""
    feed = {"one": _seen_from(features, one, other), "other": _seen_from(features, other, one)}
    correction: Floats = session_of(model, SECOND_GRAPH).run(["correction"], feed)[0]
    return correction


def _seen_from(features: EdgeFeatures, one: Edges, other: Edges) -> Floats:
    """(pairs, inputs, Q): what edge ``one`` looks like, and how far ``other`` is from what it expects."""
    away = features.root[one].transpose(0, 2, 1) * features.shown[other] - features.target[one].transpose(0, 2, 1)
    return np.concatenate((features.summary[one], np.arcsinh(away)), axis=1)
