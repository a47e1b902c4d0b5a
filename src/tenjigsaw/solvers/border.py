"""What every solver refuses before it begins, so that none stumbles over it later, and what it must not return."""

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
    check_apart(scores, pins)
    if start is not None:
        check_start(start, count, scores.turned)


def check_apart(scores: Scores, pins: Pins) -> None:
    """Refuse pins that leave nothing to join."""
    if len(pins.apart) and not joins_left(scores, pins):
        raise InputError("The pins keep all sides apart that could meet; leave some of them out.")


def joins_left(scores: Scores, pins: Pins) -> bool:
    """Whether any join is possible that pins do not forbid."""
    return bool(np.isfinite(with_cost(scores, pins.apart, np.inf).values).any())


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


def check_layout(layout: Layout, count: int, turned: bool, frame: Frame, solver: str) -> None:
    """Refuse what a solver of one's own can get wrong."""
    if not isinstance(layout, Layout):
        raise InputError(f"The solver {solver} must return a Layout, not {type(layout).__name__}.")
    if not np.array_equal(np.sort(layout.piece[layout.piece >= 0]), np.arange(count)):
        raise InputError(f"The solver {solver} did not lay each of the {count} pieces once.")
    if not turned and layout.turn.any():
        raise InputError(f"The solver {solver} turned a piece, but turns are known here.")
    if frame.size is not None and (layout.rows, layout.cols) != frame.size:
        laid = f"{layout.rows} x {layout.cols}"
        raise InputError(f"The solver {solver} laid {laid} cells in a frame of {frame.rows} x {frame.cols}.")
