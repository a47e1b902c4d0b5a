"""Large puzzles from the picture's file to the drawn layout: how long that takes, and how much memory.

    python benchmarks/end_to_end.py PICTURE --seconds 240 --csv results/end_to_end.csv
    python benchmarks/end_to_end.py PICTURE PICTURE --measure mgc --type 2 --erode 0 --csv results/end_to_end_clean.csv

The clock starts before the file is read and stops when the picture of the layout is saved. Memory is the most that the
whole process has ever held by then, compiled code and all, as the system counts it.
"""

import argparse
import resource
import tempfile
from pathlib import Path
from time import perf_counter

from PIL import Image

from tenjigsaw import Stop, reassemble, render
from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation.benchmark import Conditions, worn_puzzle


def solved(picture: Path, wanted: argparse.Namespace) -> dict[str, object]:
    began = perf_counter()
    puzzle = worn_puzzle(picture, Conditions(erosion=wanted.erode), wanted.type)
    result = reassemble(puzzle, measure=wanted.measure, stop=Stop(seconds=wanted.seconds))
    with tempfile.TemporaryDirectory() as folder:
        Image.fromarray(render(result.layout, puzzle)).save(Path(folder) / "reconstruction.png")
    seconds = perf_counter() - began
    assert result.accuracy is not None
    return {
        "picture": picture.name,
        "pieces": puzzle.count,
        "type": wanted.type,
        "worn": wanted.erode,
        "measure": result.measure,
        "solver_seconds": wanted.seconds,
        "seconds": round(seconds, 1),
        "peak_gib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
        "neighbour": round(result.accuracy.neighbour, 4),
        "direct": round(result.accuracy.direct, 4),
        "largest": round(result.accuracy.largest, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("--measure", default="default")
    parser.add_argument("--type", type=int, default=1, choices=(1, 2))
    parser.add_argument("--erode", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="what the solver is given; else it ends by itself")
    parser.add_argument("--csv", type=Path, default=Path("results/end_to_end.csv"))
    wanted = parser.parse_args()
    rows = []
    for picture in wanted.pictures:
        rows.append(solved(picture, wanted))
        print(rows[-1], flush=True)
    write_csv(wanted.csv, rows, force=True)


if __name__ == "__main__":
    main()
