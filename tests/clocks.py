"""Clocks for tests of time limits, which no busy machine can upset."""


class Ticking:
    """A clock that is one second on at every look."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        """The time in seconds."""
        self.now += 1
        return self.now
