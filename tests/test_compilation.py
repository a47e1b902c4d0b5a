"""Ctrl-C while code is compiled."""

import os
import signal
import threading

import pytest

from tenjigsaw.compilation import interrupts_held


@pytest.fixture(autouse=True)
def ctrl_c_is_heeded():
    """Whoever starts the tests in the background has them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_waits_for_the_end_of_the_block():
    before, reached = signal.getsignal(signal.SIGINT), []

    def press_and_go_on() -> None:
        with interrupts_held():
            os.kill(os.getpid(), signal.SIGINT)
            reached.append("the end")

    with pytest.raises(KeyboardInterrupt):
        press_and_go_on()
    assert reached == ["the end"]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_failure_in_the_block_comes_through():
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ValueError, match="mine"), interrupts_held():
        raise ValueError("mine")
    assert signal.getsignal(signal.SIGINT) is before


def test_threads_that_never_hear_of_ctrl_c_go_on():
    ended = []

    def work() -> None:
        with interrupts_held():
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == [True]
