"""Make the scores of different edges comparable. Each takes scores in either form and returns the same form."""

from dataclasses import replace

import numpy as np

from tenjigsaw.measures.scores import Floats, Scores, symmetric

_FLOOR = np.float32(1e-6)
# Of e, so that float32 neither overflows nor comes down to nothing, where all are alike.
_LARGEST_EXPONENT = np.float32(60)
_LEAST_CONTRAST = 1e-3

_FARTHEST, _MOST_HALVINGS = 40.0, 40

CSLS_NEIGHBOURS = 5
SINKHORN_NEIGHBOURS = 10
SINKHORN_TEMPERATURE = 0.2
SINKHORN_SWEEPS = 20
# Beyond this, an edge has a partner for sure or has none for sure, and float32 would overflow.
STRONGEST_PULL = np.float32(20)
PULL = np.float32(0.5)  # tuned on val with 10 to 30 % of the pieces lost, and with puzzles of two to nine pieces


def none(scores: Scores) -> Scores:
    """Raw scores."""
    return scores


def ten(scores: Scores) -> Scores:
    """Scale each row to 0..1 by its smallest and largest cost, then average with the transpose (TEN eq. 3-4)."""
    low = scores.row_smallest(1)[:, 0]
    span = np.maximum(scores.row_largest() - low, _FLOOR)
    scaled: Floats = (scores.values - scores.by_row(low)) / scores.by_row(span)
    return symmetric(scores.with_values(scaled, mutual=False))


def ratio(scores: Scores) -> Scores:
    """Divide by the best other cost in the row or the column, whichever is smaller (Gallagher 2012).

    The ratio of likelihoods, where costs are logits: these have no zero to begin from.
    """
    in_row = _best_other(scores)
    columns = scores if scores.mutual else scores.with_values(scores.transposed(scores.values), mutual=False)
    in_column = scores.transposed(in_row if scores.mutual else _best_other(columns))
    smaller = np.minimum(in_row, in_column)
    likelihoods = scores.logit or scores.log_probability
    ratios: Floats = _likelihood_ratios(scores.values, smaller) if likelihoods else _cost_ratios(scores.values, smaller)
    return symmetric(scores.with_values(ratios, scores.mutual))


def _cost_ratios(costs: Floats, others: Floats) -> Floats:
    ratios: Floats = np.divide(costs + _FLOOR, others + _FLOOR, dtype=np.float32)
    return ratios


def _likelihood_ratios(costs: Floats, others: Floats) -> Floats:
    legal, ratios = np.isfinite(costs), np.full_like(costs, np.inf)
    ratios[legal] = np.exp(np.clip(costs[legal] - others[legal], -_LARGEST_EXPONENT, _LARGEST_EXPONENT))
    return ratios


def _best_other(scores: Scores) -> Floats:
    """For each pair, the best cost of its row with any other partner."""
    best, second = scores.row_smallest(2).T
    best, second = scores.by_row(best), scores.by_row(np.where(np.isfinite(second), second, best))
    return np.where(scores.values <= best, second, best)


def csls(scores: Scores) -> Scores:
    """Twice the cost less the mean cost of both edges' five best: edges that please everyone are held back."""
    both = symmetric(scores)
    near = _mean_of_finite(both.row_smallest(CSLS_NEIGHBOURS))
    return both.with_values(both.scaled(np.full_like(near, np.sqrt(2)), -near), mutual=True)


def sinkhorn(scores: Scores) -> Scores:
    """-log P, where every edge has one partner or none: rows and columns of P and a dustbin sum to 1.

    The dustbin holds as many edges as the border of a square frame has, and of the others the share that is lost. Costs
    are first brought to a common scale by the mean of each edge's ten best, unless they are logits already. With a
    symmetric start one vector scales rows and columns alike, so that the answer is symmetric too.
    """
    both = symmetric(scores)
    one, nothing = np.ones(both.edges, dtype=np.float32), np.zeros(both.edges, dtype=np.float32)
    ready = both.logit or both.log_probability
    costs = both if ready else both.with_values(both.scaled(_common_scale(both), nothing), mutual=True)
    best = costs.row_smallest(1)[:, 0]
    half: Floats = np.where(np.isfinite(best), best * np.float32(0.5), nothing)
    lead = _brought_near(costs, half)
    weights = costs.scaled(one, -lead)
    np.exp(np.negative(weights, out=weights), out=weights)
    shift: Floats = -lead - np.log(_balance(both, weights, _pull(both, half)))
    return replace(costs.with_values(costs.scaled(one, shift), mutual=True, log_probability=True), logit=both.logit)


def _brought_near(scores: Scores, lead: Floats) -> Floats:
    """What to take off the costs of each edge so that none is below 0, and every edge has a partner near 0.

    At first that is half the smallest cost of either edge, so that no exponential overflows. Where edges lie very far
    apart, half of what is left is taken off until no edge's exponentials all come down to nothing.
    """
    one = np.ones_like(lead)
    for _ in range(_MOST_HALVINGS):
        # What is left of an edge's best partner is no more than what both have had taken off differs by.
        if np.ptp(lead) < _FARTHEST:
            break
        left = scores.with_values(scores.scaled(one, -lead), mutual=True).row_smallest(1)[:, 0]
        left[np.isinf(left)] = 0
        if left.max() < _FARTHEST:
            break
        lead = lead + left * np.float32(0.5)
    return lead


def _common_scale(scores: Scores) -> Floats:
    """The factor for each edge that brings costs to the scale of logits.

    Measures differ in how far the best partner stands out from the next: PBC's by 2 %, SSD's by 35 %. The temperature
    follows that contrast, so that one setting suits all.
    """
    smallest = scores.row_smallest(SINKHORN_NEIGHBOURS)
    near = np.maximum(_mean_of_finite(smallest), _FLOOR)
    contrast = max(float(np.median(1 - smallest[:, 0] / near)), _LEAST_CONTRAST)
    scale: Floats = (1 / np.sqrt(SINKHORN_TEMPERATURE * contrast * near)).astype(np.float32)
    return scale


def _pull(scores: Scores, lead: Floats) -> Floats:
    """How strongly the dustbin draws each edge.

    An edge whose best partner is a poor one has probably none: it lies at the border, or its partner is lost. That can
    be read from logits; other costs say more about the edge than about its partners. Without it, two pieces with
    their turns known would be laid by chance, since each edge has but one partner to choose from.
    """
    if not scores.logit:
        return np.ones_like(lead)
    strength = np.clip(PULL * (lead - np.median(lead)), -STRONGEST_PULL, STRONGEST_PULL)
    pull: Floats = np.exp(strength)
    return pull


def _balance(scores: Scores, weights: Floats, pull: Floats) -> Floats:
    """The scale s for which s_a W_ab s_b, with the dustbin's share, sums to 1 in every row."""
    border = 4 * np.sqrt(scores.edges / 4)
    lone = border + (scores.edges - border) * scores.lost
    scale = np.ones(scores.edges, dtype=np.float32)
    for _ in range(SINKHORN_SWEEPS):
        dustbin = np.float32(lone / (scale * pull).sum()) * pull
        total = scores.row_sums(weights, scale) + dustbin
        # The geometric mean of the old and the new scale converges where replacing it outright swings to and fro.
        scale = np.sqrt(scale / total)
    return scale


def _mean_of_finite(values: Floats) -> Floats:
    finite = np.isfinite(values)
    total = np.where(finite, values, 0).sum(axis=1)
    mean: Floats = (total / np.maximum(finite.sum(axis=1), 1)).astype(np.float32)
    return mean
