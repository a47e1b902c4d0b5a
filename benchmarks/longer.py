"""What more time brings: the segment solver's best layout after 1, 2, 4, ... seconds of one long search.

python benchmarks/longer.py mit20/01.png ... mit20/06.png --csv results/longer_mit.csv

Worn by one pixel, turns unknown. The search ends by itself after some seconds unless it is told how long to go on.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import takewhile
from pathlib import Path
from time import perf_counter

import numpy as np

from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation import accuracy
from tenjigsaw.evaluation.benchmark import Conditions, collect_pictures, worn_puzzle
from tenjigsaw.layout import Layout
from tenjigsaw.measures import create_measure, normalise, score
from tenjigsaw.solvers import Frame, Stop, create_solver

LIMITS = (1, 2, 4, 8, 16, 32, 64)


class Record:
    """Keeps every layout that a solver shows, with the seconds since it began."""

    def __init__(self) -> None:
        self.began = perf_counter()
        self.shown: list[tuple[float, Layout]] = []

    def __call__(self, stage: str, share: float) -> None:
        """The stage does not matter here."""

    def show(self, layout: Layout, cost: float) -> None:
        self.shown.append((perf_counter() - self.began, layout))

    def after(self, seconds: float) -> Layout | None:
        """The last that was shown by then."""
        by_then = list(takewhile(lambda shown: shown[0] <= seconds, self.shown))
        return by_then[-1][1] if by_then else None


def longer(picture: Path, measure: str) -> list[dict[str, object]]:
    puzzle = worn_puzzle(picture, Conditions(), 2)
    assert puzzle.truth is not None
    assert puzzle.frame is not None
    frame, solver = Frame(*puzzle.frame), create_solver("segments")
    scores = normalise(score(puzzle, create_measure(measure)), "sinkhorn")
    solver.solve(scores, frame, Stop(generations=3, patience=3), np.random.default_rng(0))  # compiles
    record = Record()
    solver.solve(scores, frame, Stop(seconds=LIMITS[-1]), np.random.default_rng(0), record)
    layouts = {seconds: record.after(seconds) for seconds in LIMITS}
    return [
        {
            "picture": picture.name,
            "measure": measure,
            "seconds": seconds,
            "neighbour": round(accuracy(layout, puzzle.truth, True).neighbour, 6),
        }
        for seconds, layout in layouts.items()
        if layout is not None
    ]


def main() -> None:
    """One line for each picture and time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("--measure", default="mgc")
    parser.add_argument("--csv", type=Path, required=True)
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    # The solver works on one core, so that two pictures can be searched side by side.
    with ProcessPoolExecutor(2) as pool:
        for found in pool.map(partial(longer, measure=options.measure), collect_pictures(options.pictures)):
            rows += found
            print(*found, sep="\n", flush=True)
    write_csv(options.csv, rows, force=True)


if __name__ == "__main__":
    main()
