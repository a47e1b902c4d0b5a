"""Two choices that the unified model rests on, each measured both ways on the same pictures.

    python benchmarks/choices.py ../shared/data/val --csv results/choices.csv

Edges longer than those of 28 pixels can be seen as more tokens, or their pieces can be reduced first. Sinkhorn can
leave edges at the border alone, in a dustbin, or give every edge a partner. Top-1 after Sinkhorn, without the second
look.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation import top_k
from tenjigsaw.evaluation.benchmark import Conditions, collect_pictures, worn_puzzle
from tenjigsaw.measures import Scores, create_measure, normalise, score
from tenjigsaw.puzzle import Puzzle

USUAL, LONGER = Conditions(piece=28, erosion=1), Conditions(piece=56, erosion=2)


def top1(puzzle: Puzzle, prepared: Callable[[Scores], Scores] = lambda scores: scores) -> dict[str, float]:
    """Top-1 of both types."""
    assert puzzle.truth is not None
    found = {}
    for name, turned in (("type1", False), ("type2", True)):
        scores = prepared(score(replace(puzzle, turned=turned), create_measure("unified")))
        found[name] = round(top_k(normalise(scores, "sinkhorn"), puzzle.truth), 6)
    return found


def halved(puzzle: Puzzle) -> Puzzle:
    """Every surviving pixel of the pieces at half the size, within a worn frame of half the width."""
    size, worn = puzzle.pieces.shape[1] // 2, puzzle.erosion // 2
    pieces = np.zeros((puzzle.count, size, size, 3), dtype=np.uint8)
    for piece, inner in zip(pieces, puzzle.inner, strict=True):
        small = Image.fromarray(np.ascontiguousarray(inner)).resize((size - 2 * worn,) * 2, Image.Resampling.LANCZOS)
        piece[worn : size - worn, worn : size - worn] = np.asarray(small)
    return replace(puzzle, pieces=pieces, erosion=worn)


def without_dustbin(scores: Scores) -> Scores:
    """With so many fewer edges lost as a border has, the dustbin holds none."""
    border = 4 * np.sqrt(scores.edges / 4)
    return replace(scores, lost=float(-border / (scores.edges - border)))


def rows_of(picture: Path) -> Iterator[dict[str, str | float]]:
    """A row for each way."""
    longer, usual = worn_puzzle(picture, LONGER, 1), worn_puzzle(picture, USUAL, 1)
    shared = {"picture": picture.name}
    yield {**shared, "choice": "pieces of 56 pixels", "way": "more tokens", **top1(longer)}
    yield {**shared, "choice": "pieces of 56 pixels", "way": "reduced to 28 pixels", **top1(halved(longer))}
    yield {**shared, "choice": "Sinkhorn", "way": "with a dustbin", **top1(usual)}
    yield {**shared, "choice": "Sinkhorn", "way": "without", **top1(usual, without_dustbin)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--csv", type=Path, default=Path("results/choices.csv"))
    wanted = parser.parse_args()
    rows = []
    for picture in collect_pictures([wanted.pictures]):
        found = list(rows_of(picture))
        print(*found, sep="\n", flush=True)
        rows += found
    write_csv(wanted.csv, rows, force=True)


if __name__ == "__main__":
    main()
