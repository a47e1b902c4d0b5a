"""What happens beside the steps: checkpoints, the log, and validation, each when it is due."""

import time
from collections.abc import Sequence
from pathlib import Path

from tenjigsaw.training.budget import Budget
from tenjigsaw.training.checkpoint import LATEST, TRUNK
from tenjigsaw.training.log import Line, RunLog, time_left
from tenjigsaw.training.run import Run
from tenjigsaw.training.sampler import Block
from tenjigsaw.training.validate import Top1, validate


class Every:
    """True at most once in so many seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.last = time.monotonic()

    def due(self) -> bool:
        """Whether it is time again; asking starts the next wait."""
        if time.monotonic() - self.last < self.seconds:
            return False
        self.last = time.monotonic()
        return True


class Tally:
    """Means since the last line of the log."""

    def __init__(self) -> None:
        self.count = 0
        self.loss = self.top1 = self.seconds = 0.0

    def add(self, loss: float, top1: float, seconds: float) -> None:
        """Count one step."""
        self.count += 1
        self.loss += loss
        self.top1 += top1
        self.seconds += seconds

    def line(self, run: Run, checked: Top1 | None) -> Line:
        """The line of the log for the steps counted."""
        return Line(
            run.step,
            run.clock.minutes,
            run.clock.cpu_minutes,
            self.loss / self.count,
            self.top1 / self.count,
            self.count / max(self.seconds, 1e-9),
            run.learning_rate,
            *(checked or ()),
        )


class Watch:
    """The first process's eyes and hands."""

    def __init__(self, run: Run, out: Path, known: Sequence[Block], log: RunLog, budget: Budget) -> None:
        self.run = run
        self.out = out
        self.known = known
        self.log = log
        self.budget = budget
        self.save_due = Every(run.settings.checkpoint_seconds)
        self.log_due = Every(run.settings.log_seconds)
        self.validated_at = run.clock.minutes
        self.tally = Tally()
        self.checked: Top1 | None = None
        self.loss = float("nan")

    def before_fall(self) -> None:
        """Keep the state from which a longer run goes on."""
        self.run.save(self.out / TRUNK)

    def after_step(self, loss: float, top1: float, seconds: float) -> None:
        """Count the step; save, validate and write a line when due."""
        self.tally.add(loss, top1, seconds)
        if self.save_due.due():
            self.run.save(self.out / LATEST)
        # The last line is left to the end, which validates.
        if self.log_due.due() and self.budget.done(self.run.clock, self.run.step) < 1.0:
            self._write(self._validate_if_due())

    def finish(self, whole: bool) -> None:
        """Save, and write the last line; with the validation figures if the whole budget was used."""
        self.run.save(self.out / LATEST)
        if self.tally.count:
            self._write(self._validate() if whole else None)
        self.log.close()

    def _validate_if_due(self) -> Top1 | None:
        waited = self.run.clock.minutes - self.validated_at
        return self._validate() if waited >= self.run.settings.validate_minutes else None

    def _validate(self) -> Top1 | None:
        self.validated_at = self.run.clock.minutes
        if self.known:
            self.checked = validate(self.run.averaged.network, self.known)
        return self.checked

    def _write(self, checked: Top1 | None) -> None:
        line = self.tally.line(self.run, checked)
        left = self.budget.minutes_left(self.run.clock, line.step, line.steps_per_second)
        self.log.write(line, time_left(left))
        self.loss = line.loss
        self.tally = Tally()
