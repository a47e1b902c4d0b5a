"""How sure each join of a layout is."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.geometry import RIGHT
from tenjigsaw.layout import Joins, Layout
from tenjigsaw.measures import Scores, normalise
from tenjigsaw.measures.scores import symmetric

Floats = NDArray[np.float64]

# What a join's own log-odds and the mean log-odds of the joins around it are worth, and what is taken for granted.
# Fitted by `benchmarks/reliability.py` on pictures not learned from, for the default measure and solver.
OWN, AROUND, GIVEN = 0.406, 0.921, 5.092
# Fitted to puzzles with this share of their edges at the border. The fewer pieces there are, the larger the share, and
# the less it means that they fit together.
USUAL_BORDER, DOUBT_BY_BORDER = 0.044, 6.5
# Where pieces are lost, good joins around a join say less of it, and less is to be taken for granted.
OWN_BY_LOSS, DOUBT_BY_LOSS = 0.85, 5.00

_MOST_LOG_ODDS = 9.0


def join_confidence(layout: Layout, scores: Scores) -> Floats:
    """(joins,): how probable it is that each join of ``layout.joins()`` is right, from 0 to 1.

    It weighs Sinkhorn's probability that the two edges match with those of the other joins of the two loops of four
    that it belongs to: a join among good ones is right more often than it looks by itself.
    """
    given = GIVEN - DOUBT_BY_BORDER * max(0.0, share_at_border(layout) - USUAL_BORDER)
    return probability(*evidence(layout, scores), share_of_holes(layout), given=given)


def probability(
    own: Floats,
    around: Floats,
    lost: float,
    own_by_loss: float = OWN_BY_LOSS,
    doubt_by_loss: float = DOUBT_BY_LOSS,
    given: float = GIVEN,
) -> Floats:
    """(joins,): what the evidence makes of each join where a share of the pieces is lost."""
    doubt = 1 + doubt_by_loss * lost
    odds = (OWN + own_by_loss * lost) * own + (AROUND * around + given) / doubt
    sure: Floats = 1 / (1 + np.exp(-odds))
    return sure


def share_of_holes(layout: Layout) -> float:
    """The share of the cells that stay empty, as those of lost pieces do."""
    return float((layout.piece < 0).mean())


def share_at_border(layout: Layout) -> float:
    """The share of the edges of a full frame that have no neighbour."""
    return (layout.rows + layout.cols) / (2 * layout.rows * layout.cols)


def evidence(layout: Layout, scores: Scores) -> tuple[Floats, Floats]:
    """(joins,) twice: the log-odds of each join by itself, and their mean over the joins around it."""
    lost = share_of_holes(layout)
    matched = scores if scores.log_probability else normalise(replace(scores, lost=lost), "sinkhorn")
    joins = layout.joins()
    cost = np.clip(matched.cost(joins.one, joins.other).astype(np.float64), 1e-12, None)
    own = np.clip(-cost - np.log(-np.expm1(-cost)), -_MOST_LOG_ODDS, _MOST_LOG_ODDS)
    return own, mean_around(joins, own, (layout.rows, layout.cols))


def mean_around(joins: Joins, values: Floats, shape: tuple[int, int]) -> Floats:
    """(joins,): the mean value of the up to six other joins in the loops of four that each join closes; 0 if none."""
    across, down = _on_grid(joins, values, shape)
    above, below = _beside_across(across, down)
    # Seen in a mirror that swaps rows and columns, what holds for joins to the right holds for those downwards.
    left, right = (grid.swapaxes(1, 2) for grid in _beside_across(down.T, across.T))
    towards_right = joins.direction == RIGHT
    row, col = joins.row, joins.col
    loops = np.where(
        towards_right,
        np.concatenate((above, below))[:, row, col],
        np.concatenate((left, right))[:, row, col],
    )
    known = np.isfinite(loops)
    mean: Floats = np.where(known, loops, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return mean


def _on_grid(joins: Joins, values: Floats, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """The values of joins to the right and of joins downwards at the cell where they start; NaN where there is none."""
    across, down = np.full(shape, np.nan), np.full(shape, np.nan)
    towards_right = joins.direction == RIGHT
    across[joins.row[towards_right], joins.col[towards_right]] = values[towards_right]
    down[joins.row[~towards_right], joins.col[~towards_right]] = values[~towards_right]
    return across, down


def _beside_across(across: Floats, down: Floats) -> tuple[Floats, Floats]:
    """(3, rows, cols) twice: the other joins of the loop above, and of the loop below, each join to the right."""
    next_down = _shifted(down, 0, -1)
    below = np.stack((_shifted(across, -1, 0), down, next_down))
    above = np.stack((_shifted(across, 1, 0), _shifted(down, 1, 0), _shifted(next_down, 1, 0)))
    return above, below


def _shifted(grid: Floats, rows: int, cols: int) -> Floats:
    """What stood that many rows up and columns left; NaN where nothing did."""
    padded = np.pad(grid, 1, constant_values=np.nan)
    height, width = grid.shape
    return padded[1 - rows : 1 - rows + height, 1 - cols : 1 - cols + width]


def layout_cost(layout: Layout, scores: Scores) -> float:
    """The sum of the costs of all joins; joins that best-k scores do not list count as the worst listed one."""
    joins, scores = layout.joins(), symmetric(scores)
    costs = scores.cost(joins.one, joins.other).astype(np.float64)
    known = np.isfinite(costs)
    worst = float(scores.values[np.isfinite(scores.values)].max(initial=0.0))
    return float(np.where(known, costs, worst).sum())
