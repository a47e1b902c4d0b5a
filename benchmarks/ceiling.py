"""The neighbour accuracy that a perfect solver can expect: pieces that are alike to the last pixel lie in any order.

MGC sees the two outermost pixels of each side only; to it more pieces are alike. And what a solver finds that looks for
the lowest sum of MGC: from the truth, two pieces drawn at random change places again and again, unless the sum rises.

python benchmarks/ceiling.py ../shared/data/mit20 --csv results/ceiling_mit.csv
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.cli.console import write_csv
from tenjigsaw.compilation import njit
from tenjigsaw.evaluation import accuracy
from tenjigsaw.evaluation.benchmark import collect_pictures
from tenjigsaw.geometry import DOWN, LEFT, RIGHT, UP
from tenjigsaw.layout import Layout
from tenjigsaw.measures import DenseScores, create_measure, score
from tenjigsaw.puzzle import Puzzle, cut, erode
from tenjigsaw.puzzle.pictures import read_picture

PIECE, ORDERS = 28, 100
MGC_COLUMNS = 2
EXCHANGES, WALKS = 3_000_000, 4

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


def ceiling(picture: Path, worn: int) -> dict[str, object]:
    """What to expect of a solver that sees whole pieces, and of one that sees what MGC does; turns known."""
    puzzle = cut(read_picture(picture), PIECE)
    left = puzzle.pieces[:, worn : PIECE - worn, worn : PIECE - worn]
    ring = np.ones(left.shape[1:3], dtype=bool)
    ring[MGC_COLUMNS:-MGC_COLUMNS, MGC_COLUMNS:-MGC_COLUMNS] = False
    whole, outermost = left.reshape(puzzle.count, -1), left[:, ring].reshape(puzzle.count, -1)
    return {
        "picture": picture.name,
        "worn": worn,
        "pieces": puzzle.count,
        "with_a_double": sum(len(group) for group in doubles(whole)),
        "neighbour": expected(puzzle, doubles(whole)),
        "neighbour_by_mgc": expected(puzzle, doubles(outermost)),
        "neighbour_by_cost": after_exchanges(puzzle, worn),
    }


def doubles(seen: NDArray[np.uint8]) -> list[Ints]:
    """The pieces that can't be told apart by what is seen of them, (N, values), group by group."""
    _, kind, copies = np.unique(seen, axis=0, return_inverse=True, return_counts=True)
    return [np.flatnonzero(kind.ravel() == number) for number in np.flatnonzero(copies > 1)]


def expected(puzzle: Puzzle, groups: list[Ints]) -> float:
    """The mean over random orders of the pieces that are alike, everything else in its place."""
    assert puzzle.frame is not None
    rng = np.random.default_rng(0)
    found = []
    for _ in range(ORDERS if groups else 1):
        piece = np.arange(puzzle.count)
        for group in groups:
            piece[group] = rng.permutation(group)
        found.append(_right(puzzle, piece.reshape(puzzle.frame)))
    return round(float(np.mean(found)), 4)


def after_exchanges(puzzle: Puzzle, worn: int) -> float:
    """The mean over some walks from the truth that never raise the sum of MGC over all joins."""
    assert puzzle.frame is not None
    rng = np.random.default_rng(0)
    scores = score(erode(puzzle, worn, rng), create_measure("mgc"))
    assert isinstance(scores, DenseScores)
    found = []
    for _ in range(WALKS):
        piece = np.arange(puzzle.count).reshape(puzzle.frame)
        exchange(scores.values, piece, rng.integers(0, puzzle.count, (EXCHANGES, 2)))
        found.append(_right(puzzle, piece))
    return round(float(np.mean(found)), 4)


@njit(cache=True)
def exchange(costs: Floats, piece: Ints, places: Ints) -> None:
    """Exchange the pieces of two places (i, 2) of a grid (rows, columns), one pair after the other, unless the sum of
    costs rises.
    """
    columns = piece.shape[1]
    for one, other in places:
        row, col, row2, col2 = one // columns, one % columns, other // columns, other % columns
        before = _around(costs, piece, row, col) + _around(costs, piece, row2, col2)
        piece[row, col], piece[row2, col2] = piece[row2, col2], piece[row, col]
        after = _around(costs, piece, row, col) + _around(costs, piece, row2, col2)
        # The join between neighbours counts twice, before and after.
        if abs(row - row2) + abs(col - col2) == 1:
            after -= _between(costs, piece, min(row, row2), min(col, col2), row == row2)
            piece[row, col], piece[row2, col2] = piece[row2, col2], piece[row, col]
            before -= _between(costs, piece, min(row, row2), min(col, col2), row == row2)
            piece[row, col], piece[row2, col2] = piece[row2, col2], piece[row, col]
        if after > before:
            piece[row, col], piece[row2, col2] = piece[row2, col2], piece[row, col]


@njit(cache=True)
def _around(costs: Floats, piece: Ints, row: int, col: int) -> float:
    """The costs of the up to four joins of a place."""
    rows, columns = piece.shape
    total = 0.0
    if row > 0:
        total += _between(costs, piece, row - 1, col, False)
    if row + 1 < rows:
        total += _between(costs, piece, row, col, False)
    if col > 0:
        total += _between(costs, piece, row, col - 1, True)
    if col + 1 < columns:
        total += _between(costs, piece, row, col, True)
    return total


@njit(cache=True)
def _between(costs: Floats, piece: Ints, row: int, col: int, rightwards: bool) -> float:
    """The cost of the join of a place with the one to its right, or below."""
    if rightwards:
        return float(costs[4 * piece[row, col] + RIGHT, 4 * piece[row, col + 1] + LEFT])
    return float(costs[4 * piece[row, col] + DOWN, 4 * piece[row + 1, col] + UP])


def _right(puzzle: Puzzle, piece: Ints) -> float:
    assert puzzle.truth is not None
    return accuracy(Layout(piece, np.zeros_like(piece)), puzzle.truth, turned=False).neighbour


def main() -> None:
    """One line for each picture, with clean edges and worn by one pixel."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("--csv", type=Path, required=True)
    options = parser.parse_args()
    rows = [ceiling(picture, worn) for worn in (0, 1) for picture in collect_pictures(options.pictures)]
    write_csv(options.csv, rows, force=True)


if __name__ == "__main__":
    main()
