"""How often the true partner of an edge has the best score."""

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.measures.scores import DenseScores, Floats, Scores
from tenjigsaw.puzzle import Truth


def top_k(scores: Scores, truth: Truth, k: int = 1) -> float:
    """The share of edges whose true partner is among the k best legal candidates.

    Among equal costs the order is open: a true partner that ties with others counts with the chance that a random
    order puts it among the first k.
    """
    partner = truth.partners()
    edges = np.nonzero(partner >= 0)[0]
    if not len(edges):
        return 0.0
    return _share_among(k, *_ranks(scores, edges, partner[edges]))


def top_1_of_rows(rows: Floats, partner: NDArray[np.int64]) -> float:
    """The same for some edges only: ``rows`` (edges, 4N) holds what each costs with every edge, ``partner`` (edges,)
    whom it truly joins.
    """
    return _share_among(1, *_ranks_in(rows, rows[np.arange(len(rows)), partner]))


def _share_among(k: int, better: NDArray[np.int64], equal: NDArray[np.int64]) -> float:
    return float(np.clip((k - better) / np.maximum(equal, 1), 0, 1)[equal > 0].sum() / len(better))


def _ranks_in(rows: Floats, cost: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return (rows < cost[:, None]).sum(axis=1), (rows == cost[:, None]).sum(axis=1)


def _ranks(
    scores: Scores, edges: NDArray[np.int64], partner: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many candidates cost less than the true partner, and how many the same (itself included; 0 if unlisted)."""
    cost = scores.cost(edges, partner)
    if isinstance(scores, DenseScores):
        return _ranks_in(scores.values[edges], cost)
    true_cost = np.full(scores.edges, np.inf, dtype=np.float32)
    true_cost[edges] = cost
    spread = scores.by_row(true_cost)
    better = np.bincount(scores.row, scores.values < spread, minlength=scores.edges)[edges]
    equal = np.bincount(scores.row, scores.values == spread, minlength=scores.edges)[edges]
    return better.astype(np.int64), np.where(np.isfinite(cost), equal, 0).astype(np.int64)
