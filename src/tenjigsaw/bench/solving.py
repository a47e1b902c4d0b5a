"""One task of a bench: a puzzle and a measure, with all normalisations, solvers and repeats."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np

from tenjigsaw.bench.drawings import draw_solved, webp
from tenjigsaw.bench.plan import Task, Work
from tenjigsaw.bench.rows import BenchRow, file_safe, row_key
from tenjigsaw.bench.score_store import Scored, ScoreStore
from tenjigsaw.compilation import interrupts_held
from tenjigsaw.evaluation import accuracy, top_k
from tenjigsaw.evaluation.benchmark import worn_puzzle
from tenjigsaw.layout import Layout
from tenjigsaw.measures import Scores, create_measure, normalise, score
from tenjigsaw.puzzle import Puzzle, cut, erode
from tenjigsaw.puzzle.pictures import read_picture
from tenjigsaw.solvers import Frame, Stop, create_solver
from tenjigsaw.solvers.border import check_layout
from tenjigsaw.threads import limited_threads

# Rounds enough that every part of a solver has had its turn.
_WARM_UP = Stop(generations=4, patience=4)


@dataclass(frozen=True)
class Done:
    """What became of a task: its rows, and drawings as files by name."""

    task: str
    rows: tuple[BenchRow, ...]
    drawings: dict[str, bytes]


@dataclass(frozen=True)
class Surroundings:
    """What does not change the rows: where scores are kept, and how many threads a task may use."""

    store: ScoreStore
    threads: int | None = None


def solve_task(task: Task, surroundings: Surroundings) -> Done:
    """Score the puzzle once, then solve it in every way."""
    with limited_threads(surroundings.threads):
        _warm_up(task.measure, task.work, task.type, task.conditions.piece, task.conditions.erosion)
        puzzle = worn_puzzle(task.source.path, task.conditions, task.type)
        scored = surroundings.store.scored(puzzle, task.measure, lambda: _compute(puzzle, task.measure))
        rows: list[BenchRow] = []
        drawings: dict[str, bytes] = {}
        for row, layout, scores in _solved(task, puzzle, scored):
            rows.append(row)
            if task.source.drawn and row.repeat == 0:
                drawings |= draw_solved(row.key, puzzle, layout, scores)
    if task.source.drawn:
        drawings[f"{file_safe(task.source.set)}-{file_safe(task.source.picture)}-truth.webp"] = _truth(task)
    return Done(task.name, tuple(rows), drawings)


@cache
def _warm_up(measure: str, work: Work, puzzle_type: int, piece: int, erosion: int) -> None:
    """Solve a few pieces of noise, so that compiling and loading is over before the clock runs."""
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 256, (2 * piece, 3 * piece, 3), dtype=np.uint8)
    puzzle = replace(erode(cut(noise, piece), erosion, rng), turned=puzzle_type == 2)
    with interrupts_held():
        raw = score(puzzle, create_measure(measure))
    for normalisation, solver in product(work.normalisations, work.solvers):
        with interrupts_held():
            create_solver(solver).solve(normalise(raw, normalisation), Frame(2, 3), _WARM_UP, rng)


def _compute(puzzle: Puzzle, measure: str) -> Scored:
    chosen = create_measure(measure)
    began = perf_counter()
    return Scored(score(puzzle, chosen), perf_counter() - began)


def _truth(task: Task) -> bytes:
    """The part of the picture that was cut, unworn: whatever the task, the same file."""
    picture, piece = read_picture(task.source.path), task.conditions.piece
    return webp(picture[: len(picture) // piece * piece, : picture.shape[1] // piece * piece])


def _solved(task: Task, puzzle: Puzzle, scored: Scored) -> Iterator[tuple[BenchRow, Layout, Scores]]:
    assert puzzle.truth is not None
    raw = replace(scored.scores, lost=_frame(task, puzzle).lost_share(puzzle.count))
    for normalisation in task.work.normalisations:
        scores = normalise(raw, normalisation)
        top1 = top_k(scores, puzzle.truth)
        for solver in task.work.solvers:
            draws = getattr(create_solver(solver), "draws", True)
            for repeat in range(task.work.repeats if draws else 1):
                layout, seconds = _solve(task, puzzle, scores, solver, repeat)
                about = _about(task) | {"normalise": normalisation, "solver": solver, "repeat": repeat}
                found = _found(puzzle, top1, layout)
                found |= {"score_seconds": round(scored.seconds, 3), "seconds": round(seconds, 3)}
                yield BenchRow(key=row_key(**about), **about, **found), layout, scores


def _solve(task: Task, puzzle: Puzzle, scores: Scores, solver: str, repeat: int) -> tuple[Layout, float]:
    rng = np.random.default_rng(task.conditions.seed + repeat)
    frame = _frame(task, puzzle)
    began = perf_counter()
    layout = create_solver(solver).solve(scores, frame, task.work.stop, rng)
    seconds = perf_counter() - began
    check_layout(layout, puzzle.count, puzzle.turned, frame, solver)
    return layout, seconds


def _frame(task: Task, puzzle: Puzzle) -> Frame:
    assert puzzle.frame is not None
    return Frame(missing=True) if task.conditions.open_frame else Frame(*puzzle.frame)


def _about(task: Task) -> dict[str, Any]:
    return {
        "set": task.source.set,
        "picture": task.source.picture,
        "measure": task.measure,
        "type": task.type,
        "piece": task.conditions.piece,
        "erosion": task.conditions.erosion,
        "drop": task.conditions.drop,
        "seed": task.conditions.seed,
    }


def _found(puzzle: Puzzle, top1: float, layout: Layout) -> dict[str, Any]:
    assert puzzle.truth is not None
    found = accuracy(layout, puzzle.truth, puzzle.turned)
    return {
        "pieces": puzzle.count,
        "top1": round(top1, 6),
        "neighbour": round(found.neighbour, 6),
        "direct": round(found.direct, 6),
        "largest": round(found.largest, 6),
        "perfect": int(found.perfect),
    }
