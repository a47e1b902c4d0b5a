"""Puzzles of few pieces from the middles of each picture's quarters: how much is right, and how sure it is said to be.

python benchmarks/small_puzzles.py ../shared/data/val --csv results/small_val.csv
"""

import argparse
from itertools import product
from pathlib import Path

import numpy as np

from tenjigsaw import reassemble
from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation import right_joins
from tenjigsaw.evaluation.benchmark import collect_pictures
from tenjigsaw.puzzle import cut, erode
from tenjigsaw.puzzle.pictures import Picture, read_picture
from tenjigsaw.puzzle.scramble import shuffle, turn

PIECE, WORN = 28, 1
SHAPES = ((1, 2), (2, 2), (2, 3), (3, 3), (5, 5))
SURE = 0.9


def quarters(picture: Picture) -> list[Picture]:
    """The picture cut across and down."""
    return [part for half in np.array_split(picture, 2) for part in np.array_split(half, 2, axis=1)]


def solved(part: Picture, shape: tuple[int, int], puzzle_type: int, measure: str) -> tuple[list[bool], list[float]]:
    """Which joins of the puzzle in the middle of the part are right, and how sure each is said to be."""
    rng = np.random.default_rng(0)
    top, left = ((side - PIECE * count) // 2 for side, count in zip(part.shape, shape, strict=False))
    block = part[top : top + PIECE * shape[0], left : left + PIECE * shape[1]]
    puzzle = shuffle(erode(cut(block, PIECE), WORN, rng), rng)
    puzzle = turn(puzzle, rng) if puzzle_type == 2 else puzzle
    assert puzzle.truth is not None
    result = reassemble(puzzle, measure=measure)
    return right_joins(result.layout, puzzle.truth).tolist(), result.confidence.tolist()


def row_of(parts: list[Picture], shape: tuple[int, int], puzzle_type: int, measure: str) -> dict[str, object]:
    """All puzzles of one shape and type together."""
    found = [solved(part, shape, puzzle_type, measure) for part in parts]
    right, said = (np.concatenate(column) for column in zip(*found, strict=True))
    sure = said > SURE
    return {
        "measure": measure,
        "rows": shape[0],
        "cols": shape[1],
        "type": puzzle_type,
        "puzzles": len(found),
        "right": round(float(right.mean()), 4),
        "said": round(float(said.mean()), 4),
        "sure": round(float(sure.mean()), 4),
        "right_if_sure": round(float(right[sure].mean()), 4) if sure.any() else "",
    }


def main() -> None:
    """Solve small puzzles of every shape and both types."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("--measure", default="unified-rerank")
    parser.add_argument("--csv", type=Path)
    options = parser.parse_args()
    parts = [part for path in collect_pictures(options.pictures) for part in quarters(read_picture(path))]
    rows = []
    for shape, puzzle_type in product(SHAPES, (1, 2)):
        rows.append(row_of(parts, shape, puzzle_type, options.measure))
        print(rows[-1], flush=True)
    if options.csv:
        write_csv(options.csv, rows, force=True)


if __name__ == "__main__":
    main()
