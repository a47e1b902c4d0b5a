"""How sure of itself a measure may be in the puzzle at hand.

Sinkhorn brings all puzzles to the same contrast between an edge's best partner and the next. Where no partner is the
true one for certain, that contrast is noise: the best then stands out from the next by hardly more than the second
does from those after it. A search would trust such probabilities, and find layouts far likelier than the truth.
"""

import numpy as np

from tenjigsaw.measures.normalisation import sinkhorn
from tenjigsaw.measures.scores import Scores, SparseScores

# How many of the best partners are compared.
_NEAR = 10
# What the costs are multiplied by where nothing stands out, and how far the best must stand out, in units of how far
# the second does, for that to be so, and for it not to be so at all. Tuned on val.
_SOFTEST = 0.45
_NOISE, _SIGNAL = 1.3, 1.5
# Of -log P in float32, which ties hardly ever agree to the last bit in.
_LEAST_GAP = 1e-4


def softened(scores: Scores) -> Scores:
    """-log P of a match, less sure where the puzzle gives no reason to be.

    Trained networks know how sure they are, and loops have been softened already: these stay as they are.
    """
    heard = isinstance(scores, SparseScores) and scores.heard
    if heard or scores.logit or not scores.log_probability or scores.longest_row <= _NEAR:
        return scores
    softness = np.float32(np.interp(standing_out(scores), (_NOISE, _SIGNAL), (_SOFTEST, 1.0)))
    return scores if softness == 1 else sinkhorn(scores.with_values(scores.values * softness, scores.mutual, True))


def standing_out(scores: Scores) -> float:
    """How far the best partner of an edge stands out from the ten best, in units of how far the second does from the
    ten from there on. Edges to which all of these are alike, as in a clipped sky, say nothing.
    """
    near = scores.row_smallest(_NEAR + 1).astype(np.float64)
    near = near[np.isfinite(near).all(axis=1)]
    best, second = (near[:, k : k + _NEAR].mean(axis=1) - near[:, k] for k in (0, 1))
    telling = second > _LEAST_GAP
    return float(np.median(best[telling]) / np.median(second[telling])) if telling.any() else _SIGNAL
