"""Ctrl-C ends a search that has a layout already, which is then worth keeping."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class Interruption:
    """Whether Ctrl-C was pressed once there was something to keep; before that, and again, it aborts as ever."""

    def __init__(self, has_layout: Callable[[], bool]) -> None:
        self.pressed = False
        self._aborting = False
        self._has_layout = has_layout

    def heed(self, number: int, frame: FrameType | None) -> None:
        """What the system calls on Ctrl-C."""
        if self.pressed or not self._has_layout():
            self._aborting = True
            raise KeyboardInterrupt
        self.pressed = True

    def asked(self) -> bool:
        """Whether the search is to end; it aborts here if the compiler's callbacks have swallowed that before."""
        if self._aborting:
            raise KeyboardInterrupt
        return self.pressed


@contextmanager
def search_ended_by_ctrl_c(has_layout: Callable[[], bool]) -> Iterator[Interruption]:
    """Let the first Ctrl-C within the block be asked for; where the system is told to ignore it, it stays ignored."""
    interruption = Interruption(has_layout)
    in_charge = threading.current_thread() is threading.main_thread()
    if not in_charge or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield interruption
        return
    before = signal.signal(signal.SIGINT, interruption.heed)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)
