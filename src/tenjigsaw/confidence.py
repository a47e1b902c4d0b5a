"""How sure each join of a layout is."""

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.layout import Layout
from tenjigsaw.measures import Scores, normalise
from tenjigsaw.measures.scores import symmetric


def join_confidence(layout: Layout, scores: Scores) -> NDArray[np.float64]:
    """(joins,): how sure each join of ``layout.joins()`` is, from 0 to 1.

    It is Sinkhorn's probability that the two edges match, judged by this join alone. That the neighbours of a join
    agree with it is left out, so that joins in a good layout are right more often than this says.
    """
    matched = scores if scores.log_probability else normalise(scores, "sinkhorn")
    joins = layout.joins()
    return np.exp(-np.maximum(matched.cost(joins.one, joins.other).astype(np.float64), 0.0))


def layout_cost(layout: Layout, scores: Scores) -> float:
    """The sum of the costs of all joins; joins that best-k scores do not list count as the worst listed one."""
    joins, scores = layout.joins(), symmetric(scores)
    costs = scores.cost(joins.one, joins.other).astype(np.float64)
    known = np.isfinite(costs)
    worst = float(scores.values[np.isfinite(scores.values)].max(initial=0.0))
    return float(np.where(known, costs, worst).sum())
