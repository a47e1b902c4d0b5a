"""Step 3: from scores to a layout."""

from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.registry import Solver, create_solver, list_solvers, register_solver

__all__ = ["Frame", "Solver", "create_solver", "list_solvers", "register_solver"]
