"""The neighbour accuracy that a perfect solver can expect: pieces that are alike to the last pixel lie in any order.

python benchmarks/ceiling.py ../shared/data/mit20 --csv results/ceiling_mit.csv
"""

import argparse
from pathlib import Path

import numpy as np

from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation import accuracy
from tenjigsaw.evaluation.benchmark import collect_pictures
from tenjigsaw.layout import Layout
from tenjigsaw.puzzle import cut
from tenjigsaw.puzzle.pictures import read_picture

PIECE, ORDERS = 28, 100


def ceiling(picture: Path, worn: int) -> dict[str, object]:
    """The mean over random orders of the pieces that are alike, everything else in its place; turns known."""
    puzzle = cut(read_picture(picture), PIECE)
    assert puzzle.frame is not None
    assert puzzle.truth is not None
    seen = puzzle.pieces[:, worn : PIECE - worn, worn : PIECE - worn].reshape(puzzle.count, -1)
    _, kind, copies = np.unique(seen, axis=0, return_inverse=True, return_counts=True)
    groups = [np.flatnonzero(kind.ravel() == number) for number in np.flatnonzero(copies > 1)]
    rng = np.random.default_rng(0)
    found = []
    for _ in range(ORDERS if groups else 1):
        piece = np.arange(puzzle.count)
        for group in groups:
            piece[group] = rng.permutation(group)
        layout = Layout(piece.reshape(puzzle.frame), np.zeros(puzzle.frame, dtype=np.int64))
        found.append(accuracy(layout, puzzle.truth, turned=False).neighbour)
    return {
        "picture": picture.name,
        "worn": worn,
        "pieces": puzzle.count,
        "with_a_double": puzzle.count - int((copies == 1).sum()),
        "neighbour": round(float(np.mean(found)), 4),
    }


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
