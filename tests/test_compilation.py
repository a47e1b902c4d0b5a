"""Ctrl-C while code is compiled."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

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


def test_whoever_was_in_charge_of_ctrl_c_hears_of_it_after_the_block():
    heard = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    with interrupts_held():
        os.kill(os.getpid(), signal.SIGINT)
        assert not heard
    assert heard == [signal.SIGINT]


SEARCHES = """
import os, signal, sys, threading
import numpy as np
from tenjigsaw.measures.normalisation import sinkhorn
from tenjigsaw.solvers import Frame, Stop, create_solver
from reference import random_scores

signal.signal(signal.SIGINT, signal.default_int_handler)
scores, solver = sinkhorn(random_scores(0, 60)), create_solver("segments")
solver.solve(scores, Frame(6, 10), Stop(generations=3), np.random.default_rng(0))  # compiles
for number in range(20):
    press = threading.Timer(0.05 + 0.011 * number, os.kill, (os.getpid(), signal.SIGINT))
    press.start()
    try:
        solver.solve(scores, Frame(6, 10), Stop(seconds=20), np.random.default_rng(number))
    except KeyboardInterrupt:
        continue
    sys.exit("Ctrl-C was not heard")
"""


def test_ctrl_c_ends_a_search_whenever_it_comes():
    """Not with a crash, and not with an error about compiled code, amid which it may come."""
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", SEARCHES], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]


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
