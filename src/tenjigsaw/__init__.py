"""Put square-tile puzzles with worn edges back together.

import tenjigsaw
puzzle = tenjigsaw.read_puzzle("my_tiles")
result = tenjigsaw.reassemble(puzzle)
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# ONNX Runtime would report to its makers that it is used; it asks here when it is first loaded.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

if TYPE_CHECKING:
    from tenjigsaw.confidence import join_confidence as join_confidence
    from tenjigsaw.errors import InputError as InputError
    from tenjigsaw.evaluation import accuracy as accuracy
    from tenjigsaw.evaluation import right_joins as right_joins
    from tenjigsaw.evaluation import top_k as top_k
    from tenjigsaw.layout import Layout as Layout
    from tenjigsaw.measures import create_measure as create_measure
    from tenjigsaw.measures import list_measures as list_measures
    from tenjigsaw.measures import normalise as normalise
    from tenjigsaw.measures import register_measure as register_measure
    from tenjigsaw.puzzle import Puzzle as Puzzle
    from tenjigsaw.puzzle import cut as cut
    from tenjigsaw.puzzle import drop as drop
    from tenjigsaw.puzzle import erode as erode
    from tenjigsaw.puzzle import read_picture as read_picture
    from tenjigsaw.puzzle import read_puzzle as read_puzzle
    from tenjigsaw.puzzle import shuffle as shuffle
    from tenjigsaw.puzzle import turn as turn
    from tenjigsaw.puzzle import write_puzzle as write_puzzle
    from tenjigsaw.reassembly import Result as Result
    from tenjigsaw.reassembly import reassemble as reassemble
    from tenjigsaw.reassembly import reassemble_mixed as reassemble_mixed
    from tenjigsaw.rendering import confidence_picture as confidence_picture
    from tenjigsaw.rendering import joins_picture as joins_picture
    from tenjigsaw.rendering import render as render
    from tenjigsaw.solvers import Frame as Frame
    from tenjigsaw.solvers import Pins as Pins
    from tenjigsaw.solvers import Stop as Stop
    from tenjigsaw.solvers import create_solver as create_solver
    from tenjigsaw.solvers import list_solvers as list_solvers
    from tenjigsaw.solvers import register_solver as register_solver

# Where each public name lives; it is imported when first asked for, so that `tenjigsaw --help` need not wait for numba.
_HOMES = {
    "tenjigsaw.confidence": ("join_confidence",),
    "tenjigsaw.errors": ("InputError",),
    "tenjigsaw.evaluation": ("accuracy", "right_joins", "top_k"),
    "tenjigsaw.layout": ("Layout",),
    "tenjigsaw.measures": ("create_measure", "list_measures", "normalise", "register_measure"),
    "tenjigsaw.puzzle": (
        *("Puzzle", "cut", "drop", "erode", "read_picture", "read_puzzle", "shuffle", "turn", "write_puzzle"),
    ),
    "tenjigsaw.reassembly": ("Result", "reassemble", "reassemble_mixed"),
    "tenjigsaw.rendering": ("confidence_picture", "joins_picture", "render"),
    "tenjigsaw.solvers": ("Frame", "Pins", "Stop", "create_solver", "list_solvers", "register_solver"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [*sorted(_HOME_OF), "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'tenjigsaw' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value
