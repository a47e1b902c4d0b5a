"""Learned measures, run by ONNX Runtime: no torch needed.

A twin network embeds each edge once as the left and once as the right partner of a join, so that all 16 N^2 costs are
distances between 8N embeddings (the paper's "fast inference"). The pair network, which has to look at every pair, is in
``seam.py``.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tenjigsaw.errors import InputError
from tenjigsaw.measures.edge_views import Views, edge_views
from tenjigsaw.measures.features import Features
from tenjigsaw.measures.graphs import refuse_other_graph, shapes_of
from tenjigsaw.measures.kernels import absolute_sums, power_sums
from tenjigsaw.measures.models import GRAPH, Model, whole_file
from tenjigsaw.measures.pairs import PairMeasure
from tenjigsaw.measures.scores import Floats
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.threads import thread_limit

EDGES_AT_ONCE = 128

# The names of files and what they hash to.
Hashes = tuple[tuple[str, str], ...]


def session_of(model: Model, graph: str = GRAPH) -> Any:
    """The ONNX Runtime session of a model's graph; kept, since making one takes longer than a small puzzle."""
    told = (model.name, model.kind, model.piece, tuple(model.hashes.items()))
    return _open_session(model.folder, *told, graph, thread_limit())


@cache
def _open_session(
    folder: Path, name: str, kind: str, piece: int, hashes: Hashes, graph: str, threads: int | None
) -> Any:
    path = whole_file(folder, name, graph, dict(hashes).get(graph, ""))
    session = _run_by_onnx(path, threads)
    first = session if graph == GRAPH else _open_session(folder, name, kind, piece, hashes, GRAPH, threads)
    refuse_other_graph(session, path, kind, piece, shapes_of(first.get_outputs()))
    return session


def _run_by_onnx(path: Path, threads: int | None) -> Any:
    import onnxruntime

    onnxruntime.set_default_logger_severity(3)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0  # 0: as many as there are cores
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime has an exception of its own for each way a file can be damaged
        raise InputError(f"{path} can't be run: {str(error).splitlines()[0]}.") from None


def views_for(model: Model, puzzle: Puzzle) -> Views:
    """All 4N edges as the model wants them: pieces of another size are resampled, frame and inner part apart."""
    if puzzle.size == model.piece:
        return edge_views(puzzle.pieces, puzzle.erosion)
    worn = max(min(puzzle.erosion, 1), round(puzzle.erosion * model.piece / puzzle.size))
    side = model.piece - 2 * worn
    pieces = np.zeros((puzzle.count, model.piece, model.piece, 3), dtype=np.uint8)
    for piece, inner in zip(pieces, puzzle.inner, strict=True):
        resized = Image.fromarray(inner).resize((side, side), Image.Resampling.LANCZOS)
        piece[worn : worn + side, worn : worn + side] = np.asarray(resized)
    return edge_views(pieces, worn)


def checked_views(model: Model, puzzle: Puzzle) -> Views:
    """The same, once the graph is known to take pieces of that size."""
    session_of(model)
    return views_for(model, puzzle)


def embed(model: Model, views: Views) -> tuple[Floats, Floats]:
    """(4N, d) twice: every edge as the left and as the right partner of a join."""
    session = session_of(model)
    parts = [
        session.run(["left", "right"], {"views": np.ascontiguousarray(views[first : first + EDGES_AT_ONCE])})
        for first in range(0, len(views), EDGES_AT_ONCE)
    ]
    left, right = (np.concatenate(part) for part in zip(*parts, strict=True))
    return left, right


# All distances D(z_l, z_r) between two sets of embeddings (section 3.3): (A, d), (B, d) -> (A, B).


def cosine(left: Floats, right: Floats) -> Floats:
    """1 - cosine."""
    left = left / np.maximum(np.linalg.norm(left, axis=1, keepdims=True), 1e-12)
    right = right / np.maximum(np.linalg.norm(right, axis=1, keepdims=True), 1e-12)
    distance: Floats = (1 - left @ right.T).astype(np.float32)
    return distance


def l1(left: Floats, right: Floats) -> Floats:
    """Sum of absolute differences."""
    distance: Floats = absolute_sums(left, np.ascontiguousarray(right.T))
    return distance


def l2(left: Floats, right: Floats) -> Floats:
    """Euclidean, as a matrix product; in float64, since the short distances that decide are small differences."""
    one, other = left.astype(np.float64), right.astype(np.float64)
    square = one @ other.T
    square *= -2
    square += np.einsum("ed,ed->e", one, one)[:, None]
    square += np.einsum("ed,ed->e", other, other)
    distance: Floats = np.sqrt(np.maximum(square, 0, out=square), out=square).astype(np.float32)
    return distance


def l3(left: Floats, right: Floats) -> Floats:
    """Cube root of the sum of cubes."""
    cubes: Floats = power_sums(left, np.ascontiguousarray(right.T), 3.0)
    return np.cbrt(cubes)


DISTANCES: dict[str, Callable[[Floats, Floats], Floats]] = {"cosine": cosine, "l1": l1, "l2": l2, "l3": l3}


def twins_measure(name: str, summary: str, members: Sequence[Model]) -> PairMeasure:
    """The mean distance over the members: one for TEN, four for TEN-Large (eq. 1)."""

    def describe(puzzle: Puzzle) -> Features:
        return tuple(part for model in members for part in embed(model, checked_views(model, puzzle)))

    def compare(one: Features, other: Features) -> Floats:
        total = np.zeros((len(one[0]), len(other[0])), dtype=np.float32)
        for place, model in enumerate(members):
            total += DISTANCES[model.distance](one[2 * place], other[2 * place + 1])
        total /= len(members)
        return total

    return PairMeasure(name, summary, describe, compare, symmetric=False)
