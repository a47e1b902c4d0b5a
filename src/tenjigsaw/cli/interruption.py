"""Ctrl-C ends a search that has a layout already, which is then worth keeping."""

import signal
import sys
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
    """Let the first Ctrl-C within the block be asked for; where the system is told to ignore it, it stays ignored.

    What the compiler's callbacks swallow, Python would print as a traceback; it is not lost, and need not be seen.
    """
    interruption = Interruption(has_layout)
    in_charge = threading.current_thread() is threading.main_thread()
    if not in_charge or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield interruption
        return
    before, hook = signal.signal(signal.SIGINT, interruption.heed), sys.unraisablehook
    sys.unraisablehook = lambda happened: None if happened.exc_type is KeyboardInterrupt else hook(happened)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = hook
