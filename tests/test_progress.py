"""Who asks to see layouts is shown them."""

import numpy as np
import pytest
from rich.progress import Progress

from tenjigsaw.cli.console import Bar, progress_bar
from tenjigsaw.layout import Layout
from tenjigsaw.progress import no_progress, show

LAYOUT = Layout(np.array([[0, 1]]), np.array([[0, 0]]))


def test_a_bar_tells_the_cost_of_the_best_layout():
    told = []
    bar = Bar(lambda **values: told.append(values), pytest.fail)
    bar("evolving", 0.25)
    show(bar, LAYOUT, 12.5)
    bar("evolving", 0.5)
    assert told == [
        {"description": "evolving", "completed": 0.25},
        {"description": "evolving, cost 12.5", "completed": 0.5},
    ]


def task_after(monkeypatch, clock, *moves):
    """What rich shows after these (stage, share), told at these seconds of a clock."""
    bars = []
    entered = Progress.__enter__
    monkeypatch.setattr(Progress, "__enter__", lambda bar: bars.append(bar) or entered(bar))
    now = iter(clock)
    with progress_bar("starting") as bar:
        for stage, share in moves:
            second = next(now)
            monkeypatch.setattr(bars[0], "get_time", lambda second=second: second)
            bar(stage, share)
    return bars[0].tasks[0]


def test_a_stage_that_is_full_does_not_freeze_the_next(monkeypatch):
    moves = [("scoring", 0.0), ("scoring", 1.0), ("improving", 0.0), ("improving", 0.25), ("improving", 0.5)]
    task = task_after(monkeypatch, [0, 10, 20, 30, 40], *moves)
    assert not task.finished
    assert (task.description, task.time_remaining) == ("improving", 20)


def test_names_that_change_while_the_share_grows_are_one_stage(monkeypatch):
    moves = [("1 of 4 puzzles", 0.25), ("2 of 4 puzzles", 0.5), ("3 of 4 puzzles", 0.75)]
    assert task_after(monkeypatch, [10, 20, 30], *moves).time_remaining == 10


def test_slow_rounds_tell_the_time_left_too(monkeypatch):
    moves = [("improving", 0.2), ("improving", 0.4), ("improving", 0.6)]
    assert task_after(monkeypatch, [100, 400, 700], *moves).time_remaining == 600


def test_a_plain_function_is_left_alone():
    show(no_progress, LAYOUT, 12.5)
