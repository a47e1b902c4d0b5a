"""How long work tells what it is doing, and shows what it has so far."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from tenjigsaw.layout import Layout

# The name of the stage, and the share of it that is done.
Progress = Callable[[str, float], None]


@runtime_checkable
class Viewer(Protocol):
    """A progress that also wants to see the best layout so far, as a live page or a bar with the cost does."""

    def __call__(self, stage: str, share: float) -> None:
        """Take note of the stage and the share of it that is done."""

    def show(self, layout: Layout, cost: float) -> None:
        """Take note of the best layout so far and of its cost, by the sum that the solver lowers."""


def no_progress(stage: str, share: float) -> None:
    """Tell nobody."""


def show(progress: Progress, layout: Layout, cost: float) -> None:
    """Show a layout to a progress that wants to see it; a plain function does not."""
    if isinstance(progress, Viewer):
        progress.show(layout, cost)
