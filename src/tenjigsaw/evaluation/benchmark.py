"""Measures over a set of pictures, a row for each."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.evaluation.matches import top_1_of_rows, top_k
from tenjigsaw.measures import DenseScores, Measure, Scores, create_measure, normalise, score
from tenjigsaw.measures.pairs import PairMeasure
from tenjigsaw.measures.scores import Edges, Floats, rows_without_turns, without_turns
from tenjigsaw.measures.scoring import MOST_DENSE_PIECES
from tenjigsaw.puzzle import Puzzle, Truth, cut, drop, erode, read_picture, shuffle, turn
from tenjigsaw.puzzle.cut import frame_of, middle
from tenjigsaw.puzzle.folder import pictures_in
from tenjigsaw.puzzle.pictures import claimed_size


@dataclass(frozen=True)
class MatchRow:
    """How well a measure finds true neighbours in one picture; ``top1`` is a share from 0 to 1."""

    picture: str
    measure: str
    normalise: str
    type: int
    pieces: int
    top1: float


@dataclass(frozen=True)
class Conditions:
    """What the puzzles are like."""

    piece: int = 28
    erosion: int = 1
    seed: int = 0
    drop: float = 0.0  # the share of pieces lost
    open_frame: bool = False  # the size of the whole is not told
    middle: int | None = None  # only so many pieces high and wide
    edges: int | None = None  # only so many edges are judged, against all others


def collect_pictures(paths: Sequence[Path]) -> list[Path]:
    """The pictures themselves, and those in the folders, in the order given."""
    pictures = [found for path in paths for found in (pictures_in(path) if path.is_dir() else [path])]
    if not pictures:
        raise InputError(f"There are no pictures in {', '.join(str(path) for path in paths)}.")
    return pictures


def check_pieces(pictures: Sequence[Path], piece: int) -> None:
    """Refuse, before any work, pieces that some picture can't be cut into; what can't be read is told later."""
    for picture in pictures:
        size = claimed_size(picture)
        if size is not None:
            with _told_of(picture):
                frame_of(*size, piece)


@contextmanager
def _told_of(picture: Path) -> Iterator[None]:
    """Whatever is wrong is told with the picture's name."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{picture}: {error}" if str(picture) not in str(error) else str(error)) from None


def worn_puzzle(picture: Path, conditions: Conditions, puzzle_type: int) -> Puzzle:
    """The picture cut, worn, shuffled, for Type-2 turned, and with pieces lost; the same for the same seed."""
    rng = np.random.default_rng(conditions.seed)
    with _told_of(picture):
        seen = middle(read_picture(picture), conditions.piece, conditions.middle)
        puzzle = shuffle(erode(cut(seen, conditions.piece), conditions.erosion, rng), rng)
    puzzle = turn(puzzle, rng) if puzzle_type == 2 else puzzle
    return drop(puzzle, conditions.drop, rng) if conditions.drop else puzzle


def forecast(picture: Path, measures: Sequence[str], types: Sequence[int], conditions: Conditions) -> float:
    """The seconds that slow measures will take for this picture, each type by itself; fast ones count as nothing."""
    slow = _slow(measures)
    puzzles = [worn_puzzle(picture, conditions, kind) for kind in types] if slow else []
    return float(sum(predict(puzzle) for predict in slow.values() for puzzle in puzzles))


def match_forecast(picture: Path, measures: Sequence[str], types: Sequence[int], conditions: Conditions) -> float:
    """The same for `match_rows`, which reads Type-1 off Type-2 where it can."""
    slow = _slow(measures)
    if not slow:
        return 0.0
    puzzle = worn_puzzle(picture, conditions, 2)
    if conditions.edges is not None:  # their rows serve both types
        judged = min(conditions.edges, 4 * puzzle.count)
        return float(sum(predict(puzzle, judged) for predict in slow.values()))
    return sum(forecast(picture, [name], _types_scored(name, puzzle.count, types), conditions) for name in slow)


def _slow(measures: Sequence[str]) -> dict[str, Callable[..., float]]:
    """The measures that say how long they take, and how they say it."""
    found = {name: getattr(create_measure(name), "forecast", None) for name in measures}
    return {name: predict for name, predict in found.items() if predict is not None}


def _types_scored(measure: str, pieces: int, types: Sequence[int]) -> Sequence[int]:
    """The types that are scored by themselves, as `_scores_by_type` does it."""
    one_serves_both = pieces <= MOST_DENSE_PIECES and not getattr(create_measure(measure), "by_type", False)
    return [2] if 2 in types and one_serves_both else types


def match_rows(
    picture: Path,
    measures: Sequence[str],
    normalisations: Sequence[str],
    types: Sequence[int],
    conditions: Conditions,
) -> Iterator[MatchRow]:
    """Top-1 of every measure and normalisation on one picture."""
    upright = worn_puzzle(picture, conditions, 1)
    assert upright.truth is not None
    if conditions.edges is not None:
        yield from _rows_of_drawn_edges(picture.name, upright, upright.truth, measures, types, conditions)
        return
    for measure in measures:
        for puzzle_type, scores in _scores_by_type(upright, create_measure(measure), types):
            for name in normalisations:
                top1 = top_k(normalise(scores, name), upright.truth)
                yield MatchRow(picture.name, measure, name, puzzle_type, upright.count, round(top1, 6))


def _rows_of_drawn_edges(
    picture: str, upright: Puzzle, truth: Truth, measures: Sequence[str], types: Sequence[int], conditions: Conditions
) -> Iterator[MatchRow]:
    """Raw Top-1 of edges drawn at random: what all edges would give, up to chance, in a share of the time."""
    edges = drawn_edges(truth, conditions)
    for measure in measures:
        rows = _row_measure(measure).rows(upright, edges)
        for puzzle_type in types:
            top1 = top_1_of_drawn(rows, edges, truth, puzzle_type)
            yield MatchRow(picture, measure, "none", puzzle_type, upright.count, round(top1, 6))


def drawn_edges(truth: Truth, conditions: Conditions) -> Edges:
    """As many edges that have a partner as the conditions say."""
    joined = np.flatnonzero(truth.partners() >= 0)
    rng = np.random.default_rng(conditions.seed)
    return rng.choice(joined, min(conditions.edges or len(joined), len(joined)), replace=False)


def top_1_of_drawn(rows: Floats, edges: Edges, truth: Truth, puzzle_type: int) -> float:
    """Top-1 of some edges from their costs with all others, of which Type-1 counts those that face them."""
    legal = rows if puzzle_type == 2 else rows_without_turns(rows, edges)
    return top_1_of_rows(legal, truth.partners()[edges])


def check_drawn(measures: Sequence[str], normalisations: Sequence[str]) -> None:
    """Refuse what drawn edges can't be asked for."""
    if set(normalisations) != {"none"}:
        raise InputError("--edges goes with --normalise none: a normalisation needs the scores of all edges.")
    for name in measures:
        _row_measure(name)


def _row_measure(name: str) -> PairMeasure:
    """A measure that can score some edges without the others."""
    measure = create_measure(name)
    if not isinstance(measure, PairMeasure):
        raise InputError(f"The measure {name} scores all edges or none: leave out --edges.")
    return measure


def _scores_by_type(upright: Puzzle, measure: Measure, types: Sequence[int]) -> Iterator[tuple[int, Scores]]:
    """Turning the pieces would only rename the edges, so Type-2 is scored on the upright ones and holds Type-1.

    Not for a measure that works ``by_type``.
    """
    full = score(replace(upright, turned=True), measure) if 2 in types else None
    for puzzle_type in types:
        if puzzle_type == 2 and full is not None:
            yield 2, full
        elif isinstance(full, DenseScores) and not getattr(measure, "by_type", False):
            yield 1, without_turns(full)
        else:
            yield 1, score(upright, measure)


def mean_by(
    rows: Sequence[Any], keys: Sequence[str], values: Sequence[str], unit: str = "pictures"
) -> list[dict[str, Any]]:
    """The mean of each value over the rows that agree in all keys, in order of first appearance.

    The last column counts what the rows are about; a picture that was solved again is still one.
    """
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in map(asdict, rows):
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return [
        dict(zip(keys, group, strict=True))
        | {value: float(np.mean([row[value] for row in members])) for value in values}
        | {unit: sum(row.get("repeat", 0) == 0 for row in members)}
        for group, members in groups.items()
    ]
