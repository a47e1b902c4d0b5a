"""How right a layout is, where the truth is known."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.layout import Layout
from tenjigsaw.puzzle import Truth


@dataclass(frozen=True)
class Accuracy:
    """All as shares from 0 to 1.

    ``neighbour``: true joins that the layout has; ``direct``: pieces in their true cell and turn; ``largest``: pieces
    in the largest part whose inner joins are all right; ``perfect``: every piece right.
    """

    neighbour: float
    direct: float
    largest: float
    perfect: bool


def accuracy(layout: Layout, truth: Truth, turned: bool) -> Accuracy:
    """Compare a layout with the truth; with unknown turns, up to a turn of the whole."""
    direct = direct_accuracy(layout, truth, turned)
    return Accuracy(
        neighbour=neighbour_accuracy(layout, truth),
        direct=direct,
        largest=largest_component(layout, truth),
        perfect=direct == 1.0,
    )


def right_joins(layout: Layout, truth: Truth) -> NDArray[np.bool_]:
    """(joins,): whether each join of ``layout.joins()`` is a true one; the relative turn must be right too."""
    joins = layout.joins()
    right: NDArray[np.bool_] = truth.partners()[joins.one] == joins.other
    return right


def neighbour_accuracy(layout: Layout, truth: Truth) -> float:
    """Right joins over true joins: 2 rows cols - rows - cols where no piece is missing."""
    true_joins = int((truth.partners() >= 0).sum()) // 2
    return int(right_joins(layout, truth).sum()) / true_joins if true_joins else 1.0


def direct_accuracy(layout: Layout, truth: Truth, turned: bool) -> float:
    """Pieces in their true cell; with unknown turns, the best over the turns of the whole that fit the true frame."""
    return max(_share_in_place(whole, truth) for whole in (_whole_turns(layout, truth) if turned else [layout]))


def upright(layout: Layout, truth: Truth) -> Layout:
    """The layout turned as a whole so that the most pieces stand where they belong."""
    return max(_whole_turns(layout, truth), key=lambda turned: _share_in_place(turned, truth))


def _whole_turns(layout: Layout, truth: Truth) -> list[Layout]:
    """The layout in its four turns; only those in the shape of the true frame, if any is."""
    turns = [layout.turned(turn) for turn in range(4)]
    return [whole for whole in turns if (whole.rows, whole.cols) == (truth.rows, truth.cols)] or turns


def _share_in_place(layout: Layout, truth: Truth) -> float:
    """A layout in a frame of another size has no true cells: the shift that suits most pieces decides."""
    row, col = np.nonzero(layout.piece >= 0)
    piece = layout.piece[row, col]
    upright = layout.turn[row, col] == truth.turn[piece]
    down, across = truth.row[piece] - row, truth.col[piece] - col
    if (layout.rows, layout.cols) == (truth.rows, truth.cols):
        return float((upright & (down == 0) & (across == 0)).sum() / len(truth.row))
    shifts = np.stack([down[upright], across[upright]], axis=1)
    if not len(shifts):
        return 0.0
    return float(np.unique(shifts, axis=0, return_counts=True)[1].max() / len(truth.row))


def largest_component(layout: Layout, truth: Truth) -> float:
    """The share of pieces in the largest part that right joins hold together."""
    joins = layout.joins()
    right = right_joins(layout, truth)
    label = np.arange(len(truth.row))
    one, other = joins.one[right] // 4, joins.other[right] // 4
    while True:
        lower = np.minimum(label[one], label[other])
        before = label.copy()
        np.minimum.at(label, one, lower)
        np.minimum.at(label, other, lower)
        label = label[label]
        if np.array_equal(before, label):
            return float(np.bincount(label).max() / len(truth.row))
