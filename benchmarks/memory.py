"""How much memory best-k scores of a large puzzle take, beside what the full matrix would.

    python benchmarks/memory.py PICTURE --csv results/memory.csv

The most memory the whole process ever held, pictures, compiled code and all, as the system counts it.
"""

import argparse
import resource
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation import top_k
from tenjigsaw.measures import create_measure
from tenjigsaw.puzzle import cut, erode, read_picture


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--measure", default="ssd")
    parser.add_argument("--best", type=int, default=32)
    parser.add_argument("--csv", type=Path, default=Path("results/memory.csv"))
    wanted = parser.parse_args()
    puzzle = replace(erode(cut(read_picture(wanted.picture), 28), 0, np.random.default_rng(0)), turned=True)
    assert puzzle.truth is not None
    began = perf_counter()
    scores = create_measure(wanted.measure).nearest(puzzle, wanted.best)
    seconds = perf_counter() - began
    row = {
        "measure": wanted.measure,
        "pieces": puzzle.count,
        "best": wanted.best,
        "seconds": round(seconds, 1),
        "peak_gib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
        "full_matrix_gib": round((4 * puzzle.count) ** 2 * 4 / 2**30, 2),
        "top1": round(top_k(scores, puzzle.truth), 4),
    }
    print(row)
    write_csv(wanted.csv, [row], force=True)


if __name__ == "__main__":
    main()
