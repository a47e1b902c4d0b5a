"""Step 3: from scores to a layout."""

from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.registry import Solver, create_solver, list_solvers, register_solver
from tenjigsaw.solvers.stop import Stop

__all__ = ["Frame", "Pins", "Solver", "Stop", "create_solver", "list_solvers", "register_solver"]
