"""When a solver that works in rounds ends."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

from tenjigsaw.errors import InputError
from tenjigsaw.solvers.given import is_number, is_whole


@dataclass(frozen=True)
class Stop:
    """Whichever limit is reached first ends a solver; a limit that is None is the solver's own.

    ``patience`` is the number of rounds in a row that may bring no improvement worth the name. ``asked`` is called
    again and again, by any thread, and ends a solver once it says so, as someone who has seen enough does.
    """

    seconds: float | None = None
    generations: int | None = None
    patience: int | None = None
    asked: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not (is_number(self.seconds) and self.seconds > 0):
            raise InputError(f"The seconds to stop after must be a number above 0, not {self.seconds!r}.")
        for name in ("generations", "patience"):
            value = getattr(self, name)
            if value is not None and not is_whole(value, 1):
                raise InputError(f"The {name} to stop after must be a whole number from 1 on, not {value!r}.")
        if self.asked is not None and not callable(self.asked):
            raise InputError(f"What asked a solver to stop must be a function, not {self.asked!r}.")

    def or_else(self, default: "Stop") -> "Stop":
        """This, with the limits of ``default`` where it has none."""
        return replace(
            self,
            seconds=default.seconds if self.seconds is None else self.seconds,
            generations=default.generations if self.generations is None else self.generations,
            patience=default.patience if self.patience is None else self.patience,
        )

    def watch(self, least_gain: float = 0.0) -> "Watch":
        """Start the clock; a round that lowers the cost by no more than ``least_gain`` counts as one in vain."""
        return Watch(self, least_gain)


class Watch:
    """Counts the rounds of one run, and tells when to end it."""

    def __init__(self, stop: Stop, least_gain: float) -> None:
        self.stop = stop
        self.least_gain = least_gain
        self.began = perf_counter()
        self.rounds = 0
        self.rounds_in_vain = 0
        self.lowest = math.inf

    def ends_after(self, cost: float) -> bool:
        """Count a round that ended with ``cost`` as the lowest so far; whether it is the last."""
        self.rounds += 1
        self.rounds_in_vain = 0 if cost < self.lowest - self.least_gain else self.rounds_in_vain + 1
        self.lowest = min(cost, self.lowest)
        return self.share >= 1

    @property
    def may_end_amid(self) -> bool:
        """Whether there is a limit that may be reached amid a round."""
        return self.stop.seconds is not None or self.stop.asked is not None

    @property
    def out_of_time(self) -> bool:
        """Whether the seconds are over, or someone asks to end, even amid a round."""
        if self.stop.asked is not None and self.stop.asked():
            return True
        return self.stop.seconds is not None and perf_counter() - self.began >= self.stop.seconds

    @property
    def share(self) -> float:
        """How near the nearest limit is, from 0 to 1."""
        if self.stop.asked is not None and self.stop.asked():
            return 1.0
        spent = (
            (perf_counter() - self.began, self.stop.seconds),
            (self.rounds, self.stop.generations),
            (self.rounds_in_vain, self.stop.patience),
        )
        return min(1.0, max((done / limit for done, limit in spent if limit is not None), default=0.0))
