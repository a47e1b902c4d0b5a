"""The unified measure at its best: the picture and its negative, and a second look at the best candidates.

A negative is another picture to the network, with the same joins: where it errs by chance, it errs in another way. The
second look is a small network that sees both edges of a join at once.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from tenjigsaw.measures.features import Progress, no_progress, part_of
from tenjigsaw.measures.learned import session_of
from tenjigsaw.measures.models import SECOND_GRAPH, Model
from tenjigsaw.measures.pairs import PairMeasure
from tenjigsaw.measures.scores import DenseScores, Edges, Floats, Scores, SparseScores
from tenjigsaw.measures.unified import EdgeFeatures, arrange, costs_of_pairs, describe_edges, unified_measure
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.threads import one_thread_each

# Candidates of each edge that are looked at again, if they cost no more than this above the best: a second look does
# not change more. On val half of them are left out, and Top-1 is the same.
SECOND_LOOKS, FARTHEST = 8, 3.0
PAIRS_AT_ONCE = 128
WHITE = 255


class Seen(NamedTuple):
    """The edges of a puzzle, as they are and in the negative."""

    positive: EdgeFeatures
    negative: EdgeFeatures


@dataclass(frozen=True)
class RerankedMeasure:
    """The mean of the unified costs of a puzzle and of its negative, with the order among each edge's best candidates
    corrected.
    """

    name: str
    summary: str
    model: Model

    # Which candidates are the best depends on which are legal, so Type-1 can't be read off Type-2.
    by_type = True

    def scores(self, puzzle: Puzzle, progress: Progress = no_progress) -> DenseScores:
        """All 4N x 4N costs."""
        seen = self.describe(puzzle)
        scores = self.first_scores(puzzle, seen, progress)
        one, other, cost = self.second_costs(scores, seen)
        scores.values[one, other] = cost
        scores.values[other, one] = cost
        return scores

    def nearest(self, puzzle: Puzzle, k: int, progress: Progress = no_progress) -> SparseScores:
        """The costs of the k best partners of each edge."""
        seen = self.describe(puzzle)
        scores = self.first_nearest(puzzle, seen, k, progress)
        one, other, cost = self.second_costs(scores, seen)
        _set_both_ways(scores, scores.place(one, other), cost)
        return scores

    def describe(self, puzzle: Puzzle) -> Seen:
        """What the network says of each edge, and of its negative."""
        negative = replace(puzzle, pieces=WHITE - puzzle.pieces)
        return Seen(*(describe_edges(self.model, some) for some in (puzzle, negative)))

    def first_scores(self, puzzle: Puzzle, seen: Seen, progress: Progress = no_progress) -> DenseScores:
        """The costs before the second look."""
        scores = self._unified(seen.positive).scores(puzzle, part_of(progress, 0.0, 0.5))
        scores.values[:] += self._unified(seen.negative).scores(puzzle, part_of(progress, 0.5, 1.0)).values
        scores.values[:] *= np.float32(0.5)
        return scores

    def first_nearest(self, puzzle: Puzzle, seen: Seen, k: int, progress: Progress = no_progress) -> SparseScores:
        """The same for the k best partners of each edge, as the positive has them."""
        scores = self._unified(seen.positive).nearest(puzzle, k, progress)
        once = np.flatnonzero(scores.row < scores.column)
        costs = costs_of_pairs(arrange(seen.negative), scores.row[once], scores.column[once])
        _set_both_ways(scores, once, (scores.values[once] + costs) * np.float32(0.5))
        return scores

    def _unified(self, features: EdgeFeatures) -> PairMeasure:
        """The unified measure, on edges that are described already."""
        return replace(unified_measure(self.name, self.summary, self.model), describe=lambda _: tuple(features))

    def second_costs(self, scores: Scores, seen: Seen) -> tuple[Edges, Edges, Floats]:
        """The pairs that get a second look, and what they cost after it."""
        pairs = candidate_pairs(scores, SECOND_LOOKS, FARTHEST)
        with one_thread_each() as pool:
            parts = list(pool.map(partial(self._correction, seen), *_batches(pairs.one, pairs.other)))
        correction = np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)
        cost: Floats = np.clip(scores.cost(pairs.one, pairs.other) + correction, pairs.least, pairs.most)
        return pairs.one, pairs.other, cost

    def _correction(self, seen: Seen, one: Edges, other: Edges) -> Floats:
        positive, negative = (second_look(self.model, features, one, other) for features in seen)
        mean: Floats = (positive + negative) * np.float32(0.5)
        return mean


def _set_both_ways(scores: SparseScores, place: Edges, cost: Floats) -> None:
    scores.values[place] = cost
    scores.values[scores.mate[place]] = cost


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


def _batches(*edges: Edges) -> list[list[Edges]]:
    """The same parts of each array."""
    firsts = range(0, len(edges[0]), PAIRS_AT_ONCE)
    return [[array[first : first + PAIRS_AT_ONCE] for first in firsts] for array in edges]


def second_look(model: Model, features: EdgeFeatures, one: Edges, other: Edges) -> Floats:
    """(pairs,): what to add to the cost of joining edge ``one[i]`` to edge ``other[i]``."""
    feed = {"one": _seen_from(features, one, other), "other": _seen_from(features, other, one)}
    correction: Floats = session_of(model, SECOND_GRAPH).run(["correction"], feed)[0]
    return correction


def _seen_from(features: EdgeFeatures, one: Edges, other: Edges) -> Floats:
    """(pairs, inputs, Q): what edge ``one`` looks like, and how far ``other`` is from what it expects."""
    away = features.root[one].transpose(0, 2, 1) * features.shown[other] - features.target[one].transpose(0, 2, 1)
    return np.concatenate((features.summary[one], np.arcsinh(away)), axis=1)
