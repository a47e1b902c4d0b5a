"""How often the true partner of an edge has the best score."""

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.measures.scores import DenseScores, Scores
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
    better, equal = _ranks(scores, edges, partner[edges])
    return float(np.clip((k - better) / np.maximum(equal, 1), 0, 1)[equal > 0].sum() / len(edges))


def _ranks(
    scores: Scores, edges: NDArray[np.int64], partner: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many candidates cost less than the true partner, and how many the same (itself included; 0 if unlisted)."""
    cost = scores.cost(edges, partner)
    if isinstance(scores, DenseScores):
        rows = scores.values[edges]
        return (rows < cost[:, None]).sum(axis=1), (rows == cost[:, None]).sum(axis=1)
    true_cost = np.full(scores.edges, np.inf, dtype=np.float32)
    true_cost[edges] = cost
    spread = scores.by_row(true_cost)
    better = np.bincount(scores.row, scores.values < spread, minlength=scores.edges)[edges]
    equal = np.bincount(scores.row, scores.values == spread, minlength=scores.edges)[edges]
    return better.astype(np.int64), np.where(np.isfinite(cost), equal, 0).astype(np.int64)
