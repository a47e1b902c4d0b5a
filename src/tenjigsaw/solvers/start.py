"""A layout to begin from."""

from tenjigsaw.errors import InputError
from tenjigsaw.layout import Layout


def check_start(start: Layout, count: int, turned: bool) -> None:
    """Refuse a layout of another puzzle."""
    last = int(start.piece.max(initial=-1))
    if last >= count:
        raise InputError(f"The layout to start from holds piece {last}, but the last of {count} pieces is {count - 1}.")
    if not turned and start.turn.any():
        raise InputError("The layout to start from holds a turned piece, but turns are known here.")
