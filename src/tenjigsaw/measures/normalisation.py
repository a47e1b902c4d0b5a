"""Make the scores of different edges comparable. Each takes scores in either form and returns the same form."""

from collections.abc import Callable

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.measures.scores import Floats, Scores, symmetric

_FLOOR = np.float32(1e-6)

CSLS_NEIGHBOURS = 5
SINKHORN_NEIGHBOURS = 10
SINKHORN_TEMPERATURE = 0.06
SINKHORN_SWEEPS = 20


def none(scores: Scores) -> Scores:
    """Raw scores."""
    return scores


def ten(scores: Scores) -> Scores:
    """Scale each row to 0..1 by its smallest and largest cost, then average with the transpose (TEN eq. 3-4)."""
    low = scores.row_smallest(1)[:, 0]
    span = np.maximum(scores.row_largest() - low, _FLOOR)
    scaled = (scores.values - scores.by_row(low)) / scores.by_row(span)
    return symmetric(scores.with_values(scaled))


def ratio(scores: Scores) -> Scores:
    """Divide by the best other cost in the row or the column, whichever is smaller (Gallagher 2012)."""
    other = _best_other(scores)
    smaller = np.minimum(other, scores.transposed(other))
    return symmetric(scores.with_values((scores.values + _FLOOR) / (smaller + _FLOOR)))


def _best_other(scores: Scores) -> Floats:
    """For each pair, the best cost of its row with any other partner."""
    best, second = scores.row_smallest(2).T
    best, second = scores.by_row(best), scores.by_row(np.where(np.isfinite(second), second, best))
    return np.where(scores.values <= best, second, best)


def csls(scores: Scores) -> Scores:
    """Twice the cost less the mean cost of both edges' five best: edges that please everyone are held back."""
    near = _mean_of_finite(scores.row_smallest(CSLS_NEIGHBOURS))
    both = symmetric(scores)
    return both.with_values(2 * both.values - both.by_row(near) - both.by_column(near))


def sinkhorn(scores: Scores) -> Scores:
    """-log P, where every edge has one partner or none: rows and columns of P and a dustbin sum to 1.

    The dustbin holds as many edges as the border of a square frame has. Costs are first brought to a common scale by
    the mean of each edge's ten best; with a symmetric start one vector scales rows and columns alike, so that the
    answer is symmetric too.
    """
    both = symmetric(scores)
    logits = both.values * np.float32(-1) if both.log_probability else _scaled_logits(both)
    peak = logits.max(axis=1) if logits.ndim == 2 else np.maximum.reduceat(logits, both.start[:-1])
    peak = np.where(np.isfinite(peak), peak, 0).astype(np.float32)
    logits -= both.by_row(peak / 2)
    logits -= both.by_column(peak / 2)
    weights = np.exp(logits)
    scale = _balance(both, weights)
    logits += both.by_row(np.log(scale))
    logits += both.by_column(np.log(scale))
    np.negative(logits, out=logits)
    return both.with_values(logits, log_probability=True)


def _scaled_logits(scores: Scores) -> Floats:
    near = np.maximum(_mean_of_finite(scores.row_smallest(SINKHORN_NEIGHBOURS)), _FLOOR)
    root = np.float32(1 / np.sqrt(SINKHORN_TEMPERATURE)) / np.sqrt(near)
    return -scores.values * scores.by_row(root) * scores.by_column(root)


def _balance(scores: Scores, weights: Floats) -> Floats:
    """The scale s for which s_a W_ab s_b, with the dustbin's share, sums to 1 in every row."""
    border = 4 * np.sqrt(scores.edges / 4)
    scale = np.ones(scores.edges, dtype=np.float32)
    for _ in range(SINKHORN_SWEEPS):
        dustbin = np.float32(border / scale.sum())
        total = scores.row_sums(weights, scale) + dustbin
        # The geometric mean of the old and the new scale converges where replacing it outright swings to and fro.
        scale = np.sqrt(scale / total)
    return scale


def _mean_of_finite(values: Floats) -> Floats:
    finite = np.isfinite(values)
    total = np.where(finite, values, 0).sum(axis=1)
    return (total / np.maximum(finite.sum(axis=1), 1)).astype(np.float32)


NORMALISATIONS: dict[str, Callable[[Scores], Scores]] = {
    "none": none,
    "ten": ten,
    "ratio": ratio,
    "csls": csls,
    "sinkhorn": sinkhorn,
}


def normalise(scores: Scores, name: str) -> Scores:
    """Apply the normalisation of that name."""
    if name not in NORMALISATIONS:
        raise InputError(f"There is no normalisation called {name!r}; choose from {', '.join(NORMALISATIONS)}.")
    return NORMALISATIONS[name](scores)
