"""What joins are worth to a search: right joins to be expected, or how likely the layout is as a whole."""

import math

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit
from tenjigsaw.layout import Layout
from tenjigsaw.measures.loops import nearest_partners
from tenjigsaw.measures.scores import Scores, SparseScores
from tenjigsaw.solvers.annealing import Draws
from tenjigsaw.solvers.partner_table import partner_table
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.recreation import Values, worth

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

# A join must be about this likely to be worth more than none; unlikely ones in a layout cost as much. Tuned on val.
_PRICE = 0.3
_FORBIDDEN = -1e6
_MOST_PARTNERS = 8
_LEAST_PROBABILITY = 0.01

# The best join is worth this much in both, so that a search may use the same levels for both.
HIGHEST = 1 - _PRICE
# Any join may be true with this probability, whatever the measure says; a join of the price is worth nothing.
_SURPRISE = 3e-3
_LIKELY_PRICE = 3e-2
# How much the loops have to say about a likely layout, which closes its own loops anyway. Tuned on val.
_LOOPS = 0.15
# What a natural unit of log-likelihood is worth.
UNIT = HIGHEST / math.log((1 + _SURPRISE) / (_LIKELY_PRICE + _SURPRISE))

_MOST_DRAWN = 12
_LEAST_DRAWN = 3e-3


def expected_right(heard: SparseScores, pins: Pins) -> Values:
    """Joins by their probability: the best layout has the most right joins to be expected."""
    return _values(heard, _probability(heard.values) - _PRICE, -_PRICE, pins)


def likelihood(matched: Scores, heard: SparseScores, pins: Pins) -> Values:
    """Joins by the logarithm of their probability: the best layout is the likeliest as a whole.

    That says more than the expected number where the many joins of a wrong part are each a bit less likely. Before
    loops were heard, since the layout itself brings the joins together that loops foretell.
    """
    alone = _log_odds(_probability(matched.cost(heard.row, heard.column)))
    together = _log_odds(_probability(heard.values))
    values = (1 - _LOOPS) * alone + _LOOPS * together
    return _values(heard, values, float(_log_odds(np.zeros(1, dtype=np.float32))[0]), pins)


def draws(heard: SparseScores) -> Draws:
    """Likely partners to try."""
    partner, chance, partners = nearest_partners(heard, _MOST_DRAWN, _LEAST_DRAWN)
    return Draws(partner, np.cumsum(chance, axis=1), partners)


def worth_of(values: Values, layout: Layout) -> float:
    """What all joins of a layout are worth."""
    joins = layout.joins()
    return float(_total(values, joins.one, joins.other))


@njit(cache=True)
def _total(values: Values, one: Ints, other: Ints) -> float:
    total = 0.0
    for k in range(len(one)):
        total += worth(values, one[k], other[k])
    return total


def _values(heard: SparseScores, values: Floats, unlisted: float, pins: Pins) -> Values:
    listed = values.astype(np.float32)
    if len(pins.apart):
        one, other = np.concatenate([pins.apart, pins.apart[:, ::-1]]).T
        listed[heard.place(one, other)] = _FORBIDDEN
    partner, _, partners = nearest_partners(heard, _MOST_PARTNERS, _LEAST_PROBABILITY)
    return Values(partner_table(heard.start, heard.column, listed), unlisted, partner, partners)


def _probability(costs: Floats) -> Floats:
    probability: Floats = np.exp(-np.maximum(costs, 0))
    return probability


def _log_odds(probability: Floats) -> Floats:
    odds: Floats = UNIT * np.log((probability + _SURPRISE) / (_LIKELY_PRICE + _SURPRISE))
    return odds
