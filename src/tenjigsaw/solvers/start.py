"""A layout to begin from."""

from tenjigsaw.errors import InputError
from tenjigsaw.layout import Layout


def check_start(start: Layout, count: int, turned: bool) -> None:
    """Refuse a layout of another puzzle."""
    last = int(start.piece.max(initial=-1))
    if last >= count:
        raise InputError(f"The layout to start from holds piece {last}, but the last of {count} pieces is {count - 1}.")
    check_turns(start, turned, "The layout to start from")


def check_turns(layout: Layout, turned: bool, name: str = "The layout") -> None:
    """Refuse turned pieces where turns are known: what their sides cost to join is not reckoned there."""
    if not turned and layout.turn.any():
        raise InputError(f"{name} holds a turned piece, but turns are known here.")
