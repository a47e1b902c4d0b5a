"""How sure each join of a layout is."""

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.layout import Layout
from tenjigsaw.measures import Scores, normalise


def join_confidence(layout: Layout, scores: Scores) -> NDArray[np.float64]:
    """(joins,): the probability that each join of ``layout.joins()`` is a true one.

    Scores that are not log-probabilities yet are made so by Sinkhorn.
    """
    matched = scores if scores.log_probability else normalise(scores, "sinkhorn")
    joins = layout.joins()
    return np.exp(-np.maximum(matched.cost(joins.one, joins.other).astype(np.float64), 0.0))


def layout_cost(layout: Layout, scores: Scores) -> float:
    """The sum of the costs of all joins; joins that best-k scores do not list count as the worst listed one."""
    joins = layout.joins()
    costs = scores.cost(joins.one, joins.other).astype(np.float64)
    known = np.isfinite(costs)
    worst = float(scores.values[np.isfinite(scores.values)].max(initial=0.0))
    return float(np.where(known, costs, worst).sum())
