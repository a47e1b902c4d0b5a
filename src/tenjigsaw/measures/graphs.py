"""What the graphs of a model take and give: told by its kind, and compared with each file when it is opened."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tenjigsaw.errors import InputError
from tenjigsaw.measures.models import CONFIG, FAST_GRAPH, SECOND_GRAPH

Shape = tuple[int | None, ...]  # None: any number

# Columns behind the edge that the unified network looks at.
COLUMNS = 12
# What it says of each edge, and of the whole puzzle.
OUTPUTS = ("mean", "root_precision", "shown", "weight", "strength", "commonness", "summary")
STATISTICS = ("factors", "offsets", "reach")
# What the pair network says beside the logit: how large the inputs of its later layers become around the seam, what
# each piece has there by itself, and what these inputs and the last layer weigh.
REACHES = ("reach1", "reach2", "reach3")
LEFT_HALF, RIGHT_HALF = (tuple(f"{side}{part}" for part in (1, 2, 3, 4, "_rest")) for side in ("left", "right"))
HALVES = (*LEFT_HALF, *RIGHT_HALF)
SEAM_WEIGHTS = ("weights1", "weights2", "weights3", "projection")
# The layers after its first, and what goes into their products: three rows of the layer before.
SEAM_INPUTS = {1: 3 * 64, 2: 3 * 128, 3: 3 * 256}


def shapes_of(values: Iterable[Any]) -> dict[str, Shape]:
    """The names and shapes of a session's inputs or outputs."""
    return {value.name: tuple(d if isinstance(d, int) else None for d in value.shape) for value in values}


def inputs_of(kind: str, graph: str, piece: int, described: Mapping[str, Shape]) -> dict[str, Shape]:
    """What a graph takes; ``described`` are the outputs of the model's first graph, which feeds the others."""
    views = (None, piece, piece, 3)
    if kind == "twins":
        return {"views": views}
    if kind == "pair" and graph == FAST_GRAPH:
        columns: dict[str, Shape] = {f"columns{layer}": (None, inputs) for layer, inputs in SEAM_INPUTS.items()}
        return columns | {"steps": (len(SEAM_INPUTS),)}
    if kind == "pair":
        return {"left": views, "right": views}
    if graph == SECOND_GRAPH:
        seen = (None, sum(described[name][1] or 0 for name in ("summary", "shown")), None)
        return {"one": seen, "other": seen}
    strips: dict[str, Shape] = {"strips": (None, None, COLUMNS, 3), "wear": (1,)}
    return strips | ({name: described[name] for name in STATISTICS} if graph == FAST_GRAPH else {})


def outputs_of(kind: str, graph: str) -> tuple[str, ...]:
    """What a graph gives."""
    if kind == "tokens":
        return {SECOND_GRAPH: ("correction",), FAST_GRAPH: OUTPUTS}.get(graph, (*OUTPUTS, *STATISTICS))
    if kind == "pair":
        return (
            tuple(f"added{layer}" for layer in SEAM_INPUTS)
            if graph == FAST_GRAPH
            else ("logit", *REACHES, *HALVES, *SEAM_WEIGHTS)
        )
    return ("left", "right")


def refuse_other_graph(session: Any, path: Path, kind: str, piece: int, described: Mapping[str, Shape]) -> None:
    """One sentence for a graph that is whole, but not of the model that the config describes."""
    expected, found = inputs_of(kind, path.name, piece, described), shapes_of(session.get_inputs())
    if found != expected:
        raise InputError(
            f"{path} is the graph of another model than {CONFIG} describes: "
            f"it takes {_words(found)} instead of {_words(expected)}."
        )
    lacking = [name for name in outputs_of(kind, path.name) if name not in shapes_of(session.get_outputs())]
    if lacking:
        raise InputError(f"{path} is the graph of another model than {CONFIG} describes: it gives no {lacking[0]}.")


def _words(shapes: Mapping[str, Shape]) -> str:
    return " and ".join(f"{name} ({' x '.join(str(d or 'any') for d in shape)})" for name, shape in shapes.items())
