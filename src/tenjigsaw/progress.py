"""How long work tells what it is doing."""

from collections.abc import Callable

# The name of the stage, and the share of it that is done.
Progress = Callable[[str, float], None]


def no_progress(stage: str, share: float) -> None:
    """Tell nobody."""
