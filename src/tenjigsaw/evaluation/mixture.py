"""Several pictures in one heap: how well their puzzles are told apart and solved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.errors import InputError
from tenjigsaw.evaluation.benchmark import Conditions, worn_puzzle
from tenjigsaw.layout import Layout
from tenjigsaw.measures import create_measure, normalise, score
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.solvers import Frame, Stop, create_solver
from tenjigsaw.solvers.parts import solve_heap

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class MixedRow:
    """How well a heap of pieces was solved; ``apart`` is the share of pieces that lie with the right picture."""

    pictures: str
    measure: str
    normalise: str
    solver: str
    type: int
    pieces: int
    neighbour: float
    apart: float
    seconds: float


def mixed_rows(
    pictures: Sequence[Path],
    measures: Sequence[str],
    normalisations: Sequence[str],
    solvers: Sequence[str],
    types: Sequence[int],
    conditions: Conditions,
    stop: Stop,
) -> Iterator[MixedRow]:
    """Accuracy of every measure, normalisation and solver on one heap of the pieces of all these pictures."""
    for puzzle_type in types:
        puzzles = [worn_puzzle(picture, conditions, puzzle_type) for picture in pictures]
        heap, partners, owner = mix(puzzles, np.random.default_rng(conditions.seed))
        for measure in measures:
            raw = score(heap, create_measure(measure))
            for name, solver in product(normalisations, solvers):
                scores, rng = normalise(raw, name), np.random.default_rng(conditions.seed)
                chosen, frame = create_solver(solver), _common_frame(puzzles)
                began = perf_counter()
                layouts = solve_heap(scores, len(pictures), frame, stop, rng, solver=chosen)
                seconds = perf_counter() - began
                yield MixedRow(
                    pictures="+".join(picture.name for picture in pictures),
                    measure=measure,
                    normalise=name,
                    solver=chosen.name,
                    type=puzzle_type,
                    pieces=heap.count,
                    neighbour=round(share_of_true_joins(layouts, partners), 6),
                    apart=round(share_told_apart(layouts, owner), 6),
                    seconds=round(seconds, 3),
                )


def mix(puzzles: Sequence[Puzzle], rng: np.random.Generator) -> tuple[Puzzle, Ints, Ints]:
    """All pieces in one heap, the edge that truly meets each edge (4N,), and the puzzle of each piece (N,)."""
    if len({(puzzle.size, puzzle.erosion, puzzle.turned) for puzzle in puzzles}) > 1:
        raise InputError("Puzzles can only be mixed if their pieces have the same size, wear and turns.")
    order = rng.permutation(sum(puzzle.count for puzzle in puzzles))
    place = np.argsort(order)
    partners, before = np.full(4 * len(order), -1, dtype=np.int64), 0
    for puzzle in puzzles:
        assert puzzle.truth is not None
        own = puzzle.truth.partners()
        edge = np.nonzero(own >= 0)[0]
        partners[_moved(edge + 4 * before, place)] = _moved(own[edge] + 4 * before, place)
        before += puzzle.count
    pieces = np.concatenate([puzzle.pieces for puzzle in puzzles])[order]
    owner = np.repeat(np.arange(len(puzzles)), [puzzle.count for puzzle in puzzles])[order]
    return replace(puzzles[0], pieces=pieces, truth=None, frame=None, names=()), partners, owner


def _moved(edge: Ints, place: Ints) -> Ints:
    moved: Ints = 4 * place[edge // 4] + edge % 4
    return moved


def share_of_true_joins(layouts: Sequence[Layout], partners: Ints) -> float:
    """Right joins in all layouts over true joins."""
    joins = [layout.joins() for layout in layouts]
    right = sum(int((partners[each.one] == each.other).sum()) for each in joins)
    return right / (int((partners >= 0).sum()) // 2)


def share_told_apart(layouts: Sequence[Layout], owner: Ints) -> float:
    """The share of pieces that lie in a layout where most pieces are of the same picture."""
    held = [np.bincount(owner[layout.piece[layout.piece >= 0]]) for layout in layouts]
    return float(sum(counts.max(initial=0) for counts in held) / len(owner))


def _common_frame(puzzles: Sequence[Puzzle]) -> Frame:
    """The size of all puzzles where it is the same, in Type-2 up to a turn; else unknown."""
    frames = {tuple(sorted(puzzle.frame or ())) if puzzle.turned else puzzle.frame for puzzle in puzzles}
    frame = puzzles[0].frame
    return Frame(*frame) if len(frames) == 1 and frame else Frame(missing=True)
