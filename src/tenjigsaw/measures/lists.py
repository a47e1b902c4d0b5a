"""Best-k lists: only the best partners of each edge."""

import numpy as np

from tenjigsaw.measures.scores import Edges, Floats, Scores, SparseScores, symmetric


def best_lists(scores: Scores, k: int) -> SparseScores:
    """The k best partners of each edge, both views of a join alike; lists stay as they are."""
    both = symmetric(scores)
    if isinstance(both, SparseScores):
        return both
    partner = both.best(min(k, both.edges))
    cost = np.take_along_axis(both.values, partner, axis=1)
    return SparseScores(
        *mutual_lists(partner, cost, cost),
        largest=both.row_largest(),
        turned=both.turned,
        mutual=True,
        logit=both.logit,
        log_probability=both.log_probability,
        lost=both.lost,
    )


def mutual_lists(edge: Edges, cost: Floats, back: Floats) -> tuple[Floats, Edges, Edges, Edges, Edges]:
    """Let whoever is listed list in return, and sort by row and column: (values, row, column, start, mate)."""
    edges = len(edge)
    listed = edge >= 0
    a, b = np.nonzero(listed)[0], edge[listed]
    unique, first = np.unique(np.concatenate([a * edges + b, b * edges + a]), return_index=True)
    row, column = np.divmod(unique, edges)
    values = np.concatenate([cost[listed], back[listed]])[first]
    start = np.searchsorted(row, np.arange(edges + 1))
    return values, row, column, start, np.searchsorted(unique, column * edges + row)
