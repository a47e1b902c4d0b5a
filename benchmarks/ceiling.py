"""The neighbour accuracy that a perfect solver can expect: pieces that are alike to the last pixel lie in any order.

MGC sees the two outermost pixels of each side only; to it more pieces are alike.

python benchmarks/ceiling.py ../shared/data/mit20 --csv results/ceiling_mit.csv
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation import accuracy
from tenjigsaw.evaluation.benchmark import collect_pictures
from tenjigsaw.layout import Layout
from tenjigsaw.puzzle import Puzzle, cut
from tenjigsaw.puzzle.pictures import read_picture

PIECE, ORDERS = 28, 100
MGC_COLUMNS = 2


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
    }


def doubles(seen: NDArray[np.uint8]) -> list[NDArray[np.int64]]:
    """The pieces that can't be told apart by what is seen of them, (N, values), group by group."""
    _, kind, copies = np.unique(seen, axis=0, return_inverse=True, return_counts=True)
    return [np.flatnonzero(kind.ravel() == number) for number in np.flatnonzero(copies > 1)]


def expected(puzzle: Puzzle, groups: list[NDArray[np.int64]]) -> float:
    """The mean over random orders of the pieces that are alike, everything else in its place."""
    assert puzzle.frame is not None
    assert puzzle.truth is not None
    rng = np.random.default_rng(0)
    found = []
    for _ in range(ORDERS if groups else 1):
        piece = np.arange(puzzle.count)
        for group in groups:
            piece[group] = rng.permutation(group)
        layout = Layout(piece.reshape(puzzle.frame), np.zeros(puzzle.frame, dtype=np.int64))
        found.append(accuracy(layout, puzzle.truth, turned=False).neighbour)
    return round(float(np.mean(found)), 4)


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
