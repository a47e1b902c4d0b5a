"""When a run stops, counted from its very start, over all its sittings."""

from dataclasses import dataclass

from tenjigsaw.errors import InputError
from tenjigsaw.training.clock import Clock


@dataclass(frozen=True)
class Budget:
    """Minutes of the clock, steps, or minutes of the processor: whichever is used up first.

    The processor's are fair to runs that are compared while other work comes and goes beside them.
    """

    minutes: float
    steps: int
    cpu_minutes: float = float("inf")

    def __post_init__(self) -> None:
        if not self.minutes > 0 or not self.cpu_minutes > 0 or self.steps < 1:
            raise InputError("The budget must be more than 0 minutes and at least 1 step.")

    def done(self, clock: Clock, step: int) -> float:
        """The share used up, 1 when it is over."""
        return max(clock.minutes / self.minutes, clock.cpu_minutes / self.cpu_minutes, step / self.steps)

    def minutes_left(self, clock: Clock, step: int, rate: float) -> float:
        """How long the run will still take at the present rate of steps a second."""
        by_steps = (self.steps - step) / max(rate, 1e-9) / 60.0
        busy = clock.cpu_minutes / max(clock.minutes, 1e-9)
        by_cpu = (self.cpu_minutes - clock.cpu_minutes) / max(busy, 1e-9)
        return max(0.0, min(self.minutes - clock.minutes, by_steps, by_cpu))
