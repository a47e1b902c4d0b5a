"""Learning rates: the paper's plateau rule, and a trapezoid that a time budget ends."""

import math
from typing import Any, Protocol

from tenjigsaw.errors import InputError
from tenjigsaw.training.settings import Settings


class Schedule(Protocol):
    """What share of the learning rate a step gets."""

    def share(self, step: int, done: float) -> float:
        """The share at a step, ``done`` (0..1) being how much of the budget is used up."""
        ...

    def falling(self, done: float) -> bool:
        """Whether the budget's end has begun to lower the rate."""
        ...

    def observe(self, loss: float) -> None:
        """Take note of the loss of a step."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """What must outlive a restart."""
        ...

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        ...


class Plateau:
    """Times ``factor`` when the mean loss of an epoch was not the lowest so far for ``patience`` epochs."""

    def __init__(self, epoch_steps: int, factor: float, patience: int) -> None:
        self.epoch_steps = epoch_steps
        self.factor = factor
        self.patience = patience
        self.state = {"share": 1.0, "lowest": float("inf"), "flat": 0, "sum": 0.0, "seen": 0}

    def share(self, step: int, done: float) -> float:
        """The share so far."""
        return self.state["share"]

    def falling(self, done: float) -> bool:
        """The budget plays no part."""
        return False

    def observe(self, loss: float) -> None:
        """Add up the epoch, and judge it when it is over; a loss that is no number says nothing."""
        if not math.isfinite(loss):
            return
        self.state["sum"] += loss
        self.state["seen"] += 1
        if self.state["seen"] == self.epoch_steps:
            self._end_epoch(self.state["sum"] / self.epoch_steps)

    def _end_epoch(self, mean: float) -> None:
        lower = mean < self.state["lowest"]
        self.state["lowest"] = min(mean, self.state["lowest"])
        self.state["flat"] = 0 if lower else self.state["flat"] + 1
        if self.state["flat"] >= self.patience:
            self.state["share"] *= self.factor
            self.state["flat"] = 0
        self.state["sum"], self.state["seen"] = 0.0, 0

    def state_dict(self) -> dict[str, Any]:
        """Sums and counts."""
        return dict(self.state)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.state = dict(state)


class Trapezoid:
    """Rise over the first steps, stay, and fall to 0 in the last part of the budget."""

    def __init__(self, warmup_steps: int, decay_share: float) -> None:
        self.warmup_steps = warmup_steps
        self.decay_share = decay_share

    def share(self, step: int, done: float) -> float:
        """The lower of the two flanks."""
        rise = (step + 1) / self.warmup_steps if self.warmup_steps else 1.0
        fall = (1.0 - done) / self.decay_share if self.decay_share else 1.0
        return max(0.0, min(1.0, rise, fall))

    def falling(self, done: float) -> bool:
        """Whether the last part has begun."""
        return done > 1.0 - self.decay_share

    def observe(self, loss: float) -> None:
        """The loss plays no part."""

    def state_dict(self) -> dict[str, Any]:
        """Nothing: step and budget say it all."""
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Nothing to do."""


def create_schedule(settings: Settings) -> Schedule:
    """The schedule that ``settings.schedule`` names."""
    if settings.schedule == "plateau":
        return Plateau(settings.epoch_steps, settings.factor, settings.patience)
    if settings.schedule == "trapezoid":
        return Trapezoid(settings.warmup_steps, settings.decay_share)
    raise InputError(f"There is no schedule {settings.schedule!r}; choose plateau or trapezoid.")
