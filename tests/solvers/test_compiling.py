"""The default solver is compiled once, beside the scoring, and found ready after that."""

import os
import subprocess
import sys

import pytest

from tenjigsaw.progress import no_progress
from tenjigsaw.solvers import compiling
from tenjigsaw.solvers.compiling import compile_solver, compiled_beside

# Solve a puzzle from start to end, and say what had to be compiled for it.
SOLVE = """
import numpy as np
from numba.core import event
from tenjigsaw.measures.scores import DenseScores
from tenjigsaw.solvers import Frame, Stop, create_solver
compiled = []
class Listener(event.Listener):
    def on_start(self, happened):
        compiled.append(happened.data["dispatcher"].py_func.__name__)
    def on_end(self, happened):
        pass
event.register("numba:compile", Listener())
values = np.full((48, 48), np.inf, dtype=np.float32)
piece = np.arange(48) // 4
values[piece[:, None] != piece] = 1.0
scores = DenseScores(values, turned=True, mutual=True, log_probability=True)
create_solver("default").solve(scores, Frame(3, 4), Stop(generations=4, patience=4), np.random.default_rng(1))
print(*compiled)
"""


def test_an_empty_cache_is_filled_by_another_process_and_all_is_found_ready_after_that(tmp_path):
    """In a cache of its own: two processes that save to one at a time can lose what the other has saved."""
    fill = (
        "from tenjigsaw.solvers import compiling\n"
        "assert not compiling._was_compiled()\n"
        "beside = compiling._helper()\n"
        "assert beside.wait() == 0\n"
        "assert compiling._was_compiled()\n"
        "compiling.compile_solver()\n"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", fill], env=environment, check=True)
    found = subprocess.run([sys.executable, "-c", SOLVE], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


@pytest.fixture
def started(monkeypatch):
    """The processes that were started, each with nothing to do."""
    begun = []
    real = subprocess.Popen

    def start(command, **options):
        assert command[1:] == ["-P", "-m", "tenjigsaw.solvers.compiling"]
        begun.append(real([sys.executable, "-c", "import time; time.sleep(60)"], **options))
        return begun[-1]

    monkeypatch.setattr(compiling.subprocess, "Popen", start)
    monkeypatch.setattr(compiling, "usable_cores", lambda: 2)
    return begun


def test_a_solver_that_is_ready_starts_nothing(started):
    compile_solver()
    with compiled_beside("segments", no_progress):
        pass
    assert started == []


def test_only_the_default_solver_is_compiled_beside(started, monkeypatch):
    monkeypatch.setattr(compiling, "_was_compiled", lambda: False)
    with compiled_beside("tree", no_progress):
        pass
    assert started == []


def test_where_no_process_can_be_started_all_goes_on(started, monkeypatch):
    monkeypatch.setattr(compiling, "_was_compiled", lambda: False)
    monkeypatch.setattr(compiling.sys, "executable", "/nowhere/python")

    def refuse(command, **options):
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(compiling.subprocess, "Popen", refuse)
    with compiled_beside("segments", no_progress):
        pass
    monkeypatch.setattr(compiling.sys, "executable", "")
    with compiled_beside("segments", no_progress):
        pass
    assert started == []


def test_a_failure_leaves_no_process_behind(started, monkeypatch):
    monkeypatch.setattr(compiling, "_was_compiled", lambda: False)
    with pytest.raises(KeyboardInterrupt), compiled_beside("segments", no_progress):
        raise KeyboardInterrupt
    assert [process.poll() is not None for process in started] == [True]
