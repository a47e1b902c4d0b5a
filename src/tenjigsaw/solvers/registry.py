"""Find a solver by name."""

from importlib.metadata import EntryPoint
from typing import Protocol

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.layout import Layout
from tenjigsaw.measures.scores import Scores
from tenjigsaw.plugins import check_plugin, find_plugins, load_plugin
from tenjigsaw.progress import Progress
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.genetic import GeneticSolver
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.segments import SegmentSolver
from tenjigsaw.solvers.stop import Stop
from tenjigsaw.solvers.tree import TreeSolver

BEST_SOLVER = "segments"
ENTRY_POINTS = "tenjigsaw.solvers"
# What else than its name and summary is needed, as `check_plugin` takes it.
_NEEDED = ("solver", ("solve",))


class Solver(Protocol):
    """Anything that places pieces by their scores.

    One that never draws at random, and so does the same with every seed, may say so with ``draws = False``.
    """

    @property
    def name(self) -> str:
        """What the command line calls it."""

    @property
    def summary(self) -> str:
        """One line for a list."""

    def solve(
        self,
        scores: Scores,
        frame: Frame,
        stop: Stop,
        rng: np.random.Generator,
        progress: Progress = ...,
        start: Layout | None = None,
        pins: Pins | None = None,
    ) -> Layout:
        """Place every piece, beginning from ``start`` where there is one, and keeping all ``pins``."""


_SOLVERS: dict[str, Solver] = {solver.name: solver for solver in (SegmentSolver(), GeneticSolver(), TreeSolver())}


def register_solver(solver: Solver) -> None:
    """Let `create_solver` and `reassemble` find a solver by its name, in this process."""
    check_plugin(solver, *_NEEDED)
    if solver.name in {"default", *_SOLVERS, *find_plugins(ENTRY_POINTS)}:
        raise InputError(f"There is a solver called {solver.name!r} already.")
    _SOLVERS[solver.name] = solver


def announced_solver(name: str) -> EntryPoint | None:
    """How another package announces the solver of that name, if it is one of another package."""
    return None if name in _SOLVERS else find_plugins(ENTRY_POINTS).get(name)


def list_solvers() -> list[Solver]:
    """All solvers there are; a name that is taken is not taken again by a plugin."""
    others = (
        load_plugin(point, *_NEEDED) for name, point in find_plugins(ENTRY_POINTS).items() if name not in _SOLVERS
    )
    return [*_SOLVERS.values(), *others]


def create_solver(name: str) -> Solver:
    """The solver of that name; ``default`` is the best there is."""
    name = BEST_SOLVER if name == "default" else name
    if name in _SOLVERS:
        return _SOLVERS[name]
    plugins = find_plugins(ENTRY_POINTS)
    if name not in plugins:
        raise InputError(f"There is no solver called {name!r}; choose from {', '.join([*_SOLVERS, *plugins])}.")
    solver: Solver = load_plugin(plugins[name], *_NEEDED)
    return solver
