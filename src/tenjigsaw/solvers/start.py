"""A layout to begin from."""

from collections.abc import Sequence

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.layout import Layout


def check_start(start: Layout, count: int, turned: bool) -> None:
    """Refuse a layout of another puzzle."""
    last = int(start.piece.max(initial=-1))
    if last >= count:
        raise InputError(f"The layout to start from holds piece {last}, but the last of {count} pieces is {count - 1}.")
    check_turns(start, turned, "The layout to start from")


def check_heap_start(starts: Sequence[Layout], puzzles: int, count: int, turned: bool) -> None:
    """Refuse what are not the layouts of so many puzzles of one heap."""
    if len(starts) != puzzles:
        raise InputError(f"A heap of {puzzles} puzzles can start from as many layouts, not from {len(starts)}.")
    for start in starts:
        check_start(start, count, turned)
    placed = np.concatenate([start.piece[start.piece >= 0] for start in starts])
    pieces, times = np.unique(placed, return_counts=True)
    for piece in pieces[times > 1]:
        raise InputError(f"The layouts to start from hold piece {piece} twice.")


def check_turns(layout: Layout, turned: bool, name: str = "The layout") -> None:
    """Refuse turned pieces where turns are known: what their sides cost to join is not reckoned there."""
    if not turned and layout.turn.any():
        raise InputError(f"{name} holds a turned piece, but turns are known here.")
