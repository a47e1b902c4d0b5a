"""Loops of four: what the pieces around a join say about it.

If edge a of piece i truly meets edge b of piece j, the piece above i and the piece above j meet too, and so do those
below. The probability that they do, over all pieces that may lie there, speaks for or against the join.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit
from tenjigsaw.measures.lists import best_lists
from tenjigsaw.measures.normalisation import sinkhorn
from tenjigsaw.measures.scores import Floats, Scores, SparseScores

Ints = NDArray[np.int64]

LISTED = 32
PASSES = 3
# Loops multiply three probabilities, so that a measure too sure of itself is wrong three times over. Tuned on val.
SOFTENING = np.float32(0.7)
MOST_NEAR = 12
LEAST_PROBABILITY = 1e-3


def with_loops(scores: Scores) -> SparseScores:
    """-log P of the best partners of each edge, after every join has heard the loops of four that it would close.

    A pass multiplies the odds of a join by the likelihood ratio of both its loops, and balances with Sinkhorn again.
    What has heard them already stays as it is: nobody should be told twice.
    """
    if isinstance(scores, SparseScores) and scores.heard:
        return scores
    matched = best_lists(scores if scores.log_probability else sinkhorn(scores), LISTED)
    alone = matched.values * SOFTENING
    heard = _balanced(matched, alone)
    for _ in range(PASSES):
        ratio = np.log1p(heard.edges * _loop_probability(heard))
        heard = _balanced(matched, alone - ratio - matched.transposed(ratio))
    return replace(heard, heard=True)


def _balanced(lists: SparseScores, costs: Floats) -> SparseScores:
    # Where pieces are lost, a poor best partner says as much of any measure's probabilities as of logits.
    ready = lists.with_values(costs, mutual=True, log_probability=True)
    balanced = sinkhorn(replace(ready, logit=lists.logit or lists.lost > 0))
    assert isinstance(balanced, SparseScores)
    return balanced


def _loop_probability(scores: SparseScores) -> Floats:
    """For every listed join, the probability that the two pieces at its counter-clockwise side meet."""
    near = nearest_partners(scores, MOST_NEAR, LEAST_PROBABILITY)
    probability: Floats = _close_loops(scores.start, scores.column, *near)
    return probability


def nearest_partners(scores: SparseScores, most: int, least: float) -> tuple[Ints, Floats, Ints]:
    """(partner (4N, most), probability (4N, most), how many (4N,)) of each edge's likely partners, likeliest first."""
    probability = np.exp(-np.maximum(scores.values, 0))
    lists: tuple[Ints, Floats, Ints] = _likeliest(scores.start, scores.column, probability, most, least)
    return lists


@njit(cache=True)
def _likeliest(start: Ints, column: Ints, probability: Floats, most: int, least: float) -> Any:
    edges = len(start) - 1
    partner = np.full((edges, most), -1, dtype=np.int64)
    chance = np.zeros((edges, most), dtype=np.float32)
    count = np.zeros(edges, dtype=np.int64)
    for a in range(edges):
        for entry in range(start[a], start[a + 1]):
            p = probability[entry]
            if p < least or (count[a] == most and p <= chance[a, most - 1]):
                continue
            count[a] = min(most, count[a] + 1)
            place = count[a] - 1
            while place > 0 and chance[a, place - 1] < p:
                chance[a, place], partner[a, place] = chance[a, place - 1], partner[a, place - 1]
                place -= 1
            chance[a, place], partner[a, place] = p, column[entry]
    return partner, chance, count


@njit(cache=True)
def _close_loops(start: Ints, column: Ints, partner: Ints, chance: Floats, count: Ints) -> Any:
    """Walk from the edge on a's left over three joins, always leaving by the next edge counter-clockwise."""
    edges = len(start) - 1
    arrived = np.zeros(edges, dtype=np.float32)
    touched = np.empty(edges, dtype=np.int64)
    loops = np.zeros(len(column), dtype=np.float32)
    for a in range(edges):
        reached = 0
        first = _counter_clockwise(a)
        for i in range(count[first]):
            second = _counter_clockwise(partner[first, i])
            for j in range(count[second]):
                if partner[second, j] // 4 == a // 4:
                    continue
                third = _counter_clockwise(partner[second, j])
                so_far = chance[first, i] * chance[second, j]
                for k in range(count[third]):
                    b = _counter_clockwise(partner[third, k])
                    if arrived[b] == 0:
                        touched[reached] = b
                        reached += 1
                    arrived[b] += so_far * chance[third, k]
        for entry in range(start[a], start[a + 1]):
            loops[entry] = arrived[column[entry]]
        arrived[touched[:reached]] = 0
    return loops


@njit(cache=True)
def _counter_clockwise(edge: int) -> Any:
    return 4 * (edge // 4) + (edge + 3) % 4
