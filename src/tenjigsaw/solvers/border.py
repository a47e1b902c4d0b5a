"""What every solver refuses before it begins, so that none stumbles over it later."""

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.layout import Layout
from tenjigsaw.measures.scores import DenseScores, Scores, SparseScores, with_cost
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.start import check_start


def check_task(scores: Scores, frame: Frame, pins: Pins, start: Layout | None = None) -> None:
    """Refuse scores that say nothing, and pins or a layout to start from that are of another puzzle."""
    check_scores(scores)
    count = scores.edges // 4
    pins.check(count, frame, scores.turned)
    if len(pins.apart) and not np.isfinite(with_cost(scores, pins.apart, np.inf).values).any():
        raise InputError("The pins keep all sides apart that could meet; leave some of them out.")
    if start is not None:
        check_start(start, count, scores.turned)


def check_scores(scores: Scores) -> None:
    """Refuse scores that are none, or by which no join is possible; a single piece needs no joins."""
    if not isinstance(scores, DenseScores | SparseScores):
        raise InputError(f"A solver needs DenseScores or SparseScores, not {type(scores).__name__}.")
    if scores.edges == 0 or scores.edges % 4:
        raise InputError(f"Scores must be of at least one piece with four edges each, not of {scores.edges} edges.")
    if isinstance(scores, DenseScores) and scores.values.shape != 2 * (scores.edges,):
        raise InputError(f"The scores must be a square with a row for each edge, not {scores.values.shape}.")
    # The minimum of numbers among which one is none is none.
    if scores.edges > 4 and not np.isfinite(scores.values.min(initial=np.inf)):
        raise InputError("The scores hold costs that are not numbers, or no finite ones.")
