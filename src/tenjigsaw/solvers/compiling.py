"""Compile most of the default solver in a process of its own while the first puzzle ever is scored.

Compiling takes most of the first solve, and one process compiles one thing at a time. What the other process has
compiled, this one finds in numba's cache.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from tenjigsaw.compilation import interrupts_held
from tenjigsaw.layout import Layout
from tenjigsaw.measures.loops import with_loops
from tenjigsaw.measures.scores import DenseScores
from tenjigsaw.measures.softening import softened
from tenjigsaw.progress import Progress
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.ruin import improve
from tenjigsaw.solvers.search import Search
from tenjigsaw.solvers.segments import SegmentSolver
from tenjigsaw.solvers.stop import Stop
from tenjigsaw.solvers.tree import TreeSolver
from tenjigsaw.threads import usable_cores

_ROWS, _COLS = 3, 4
_FRAME = Frame(_ROWS, _COLS)


@contextmanager
def compiled_beside(solver: str, progress: Progress) -> Iterator[None]:
    """Do what the block says while the solver is compiled, if it is the default one and was not compiled before."""
    beside = _helper() if solver == SegmentSolver.name and usable_cores() > 1 and not _was_compiled() else None
    if beside is None:
        yield
        return
    try:
        yield
        progress("compiling, this once", 0.0)
        with interrupts_held():
            compile_rest()
        beside.wait()
    finally:
        beside.kill()
        beside.wait()


def _helper() -> subprocess.Popen[bytes] | None:
    """The other process; none where Python can't be started again, as in a program frozen into one file."""
    if not sys.executable or getattr(sys, "frozen", False):
        return None
    # -P keeps the current folder's files from being taken for modules; a session of its own, Ctrl-C from hitting it.
    command, nothing = [sys.executable, "-P", "-m", __name__], subprocess.DEVNULL
    try:
        return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
    except OSError:
        return None


def _was_compiled() -> bool:
    """Whether numba's cache holds a function of the solver as it is now; also if there is no telling."""
    try:
        return bool(improve._cache._cache_file._load_index())  # type: ignore[attr-defined]  # no public word for it
    except (AttributeError, OSError):
        return True


def compile_solver() -> None:
    """Everything, on a small puzzle of no meaning."""
    compile_segments()
    compile_rest()


def compile_segments() -> None:
    """Breaking and rejoining segments, which takes as long to compile as all the rest."""
    _begun().ruin_and_recreate(np.random.default_rng(0), Stop().watch())


def compile_rest() -> None:
    """Softening, loops, the tree, and annealing."""
    heard = with_loops(softened(_scores()))
    TreeSolver().solve(heard, _FRAME, Stop(), np.random.default_rng(0))
    _begun().anneal(np.random.default_rng(0), Stop().watch())


def _begun() -> Search:
    layout = Layout(np.arange(_ROWS * _COLS).reshape(_ROWS, _COLS), np.zeros((_ROWS, _COLS), dtype=np.int64))
    return Search(_scores(), with_loops(_scores()), _FRAME, Pins(), layout)


def _scores() -> DenseScores:
    costs = np.random.default_rng(0).exponential(size=(4 * _ROWS * _COLS,) * 2).astype(np.float32)
    piece = np.arange(len(costs)) // 4
    costs[piece[:, None] == piece] = np.inf
    return DenseScores(costs + costs.T, turned=True, mutual=True, log_probability=True)


if __name__ == "__main__":
    compile_segments()
