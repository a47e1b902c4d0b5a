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


def rows(
    what: dict[str, str], puzzle: Puzzle, prepared: Callable[[Scores], Scores] = lambda scores: scores
) -> Iterator[dict[str, str | float]]:
    """Top-1 of both types."""
    assert puzzle.truth is not None
    for puzzle_type in (1, 2):
        scores = prepared(score(replace(puzzle, turned=puzzle_type == 2), create_measure("unified")))
        yield {**what, "type": puzzle_type, "top1": round(top_k(normalise(scores, "sinkhorn"), puzzle.truth), 6)}


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


def both_ways(picture: Path) -> Iterator[dict[str, str | float]]:
    """Each choice, made in either way."""
    longer, usual = worn_puzzle(picture, LONGER, 1), worn_puzzle(picture, USUAL, 1)
    sized, matched = ({"picture": picture.name, "choice": choice} for choice in ("pieces of 56 pixels", "Sinkhorn"))
    yield from rows({**sized, "way": "more tokens"}, longer)
    yield from rows({**sized, "way": "reduced to 28 pixels"}, halved(longer))
    yield from rows({**matched, "way": "with a dustbin"}, usual)
    yield from rows({**matched, "way": "without"}, usual, without_dustbin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--csv", type=Path, default=Path("results/choices.csv"))
    wanted = parser.parse_args()
    found: list[dict[str, str | float]] = []
    for picture in collect_pictures([wanted.pictures]):
        found += both_ways(picture)
        print(*found[-8:], sep="\n", flush=True)
    write_csv(wanted.csv, found, force=True)


if __name__ == "__main__":
    main()
