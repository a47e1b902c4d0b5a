"""Training time that survives restarts and does not count pauses."""

import time


class Clock:
    """Adds up the time of steps. A step that takes far longer than the others was paused and counts less."""

    def __init__(self, seconds: float = 0.0, cpu_seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.cpu_seconds = cpu_seconds
        self._usual: float | None = None
        self.start()

    @property
    def minutes(self) -> float:
        """Minutes trained, over all sittings."""
        return self.seconds / 60.0

    @property
    def cpu_minutes(self) -> float:
        """Minutes of the processor, over all sittings."""
        return self.cpu_seconds / 60.0

    def start(self) -> None:
        """Begin a step now: what happened since the last one (validation, say) is not training."""
        self._started = time.monotonic()
        self._cpu_started = time.process_time()

    def stop(self) -> float:
        """End the step; the seconds it counts for."""
        passed = counted_seconds(time.monotonic() - self._started, self._usual)
        self._usual = passed if self._usual is None else 0.9 * self._usual + 0.1 * passed
        self.seconds += passed
        self.cpu_seconds += time.process_time() - self._cpu_started
        return passed


# A busy machine makes a step several times as long; only a pause makes it longer than both of these.
LONGEST_FIRST_STEP = 60.0
LONGEST_TIMES_USUAL = 10.0


def counted_seconds(passed: float, usual: float | None) -> float:
    """What a step of ``passed`` seconds counts for when the steps before it took ``usual`` seconds."""
    if usual is None:
        return min(passed, LONGEST_FIRST_STEP)
    return min(passed, max(1.0, LONGEST_TIMES_USUAL * usual))
