"""One picture as a user would have it solved: cut, then `tenjigsaw solve` as a process of its own, start and all.

    python benchmarks/peers.py PICTURE --csv results/peers.csv

The first run has an empty folder for compiled code, as on a new machine; the second finds it there. The figures of
gaps are quoted: it was run once, as its users would, on picture 3 of the MIT set, on the same machine, then busy.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from tenjigsaw.cli.console import write_csv

TENJIGSAW = [sys.executable, "-c", "from tenjigsaw.cli.main import run; run()"]
STATES = {"clean": 0, "worn": 1}
GAPS = {"clean": (0.991, 35), "worn": (0.457, 51)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", type=Path, help="picture 3 of the MIT set, if gaps' figures are to mean anything")
    parser.add_argument("--csv", type=Path, default=Path("results/peers.csv"))
    wanted = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for state, erosion in STATES.items():
            puzzle = Path(folder) / state
            call(["cut", str(wanted.picture), str(puzzle), "--erode", str(erosion)], Path(folder) / "cut")
            for run in ("first", "second"):
                neighbour, seconds = solved(puzzle, Path(folder) / f"compiled {state}")
                rows.append(row_of(state, f"tenjigsaw, {run} run", neighbour, seconds, "measured"))
            rows.append(row_of(state, "gaps", *GAPS[state], "quoted"))
    write_csv(wanted.csv, rows, force=True)


def solved(puzzle: Path, compiled: Path) -> tuple[float, float]:
    """Neighbour accuracy, and the seconds from the command to its end."""
    out = puzzle.with_name(f"{puzzle.name} solved")
    began = perf_counter()
    call(["solve", str(puzzle), "--out", str(out), "--force"], compiled)
    seconds = perf_counter() - began
    result = json.loads((out / "result.json").read_text(encoding="utf-8"))
    return result["neighbour"], seconds


def call(arguments: list[str], compiled: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(compiled)}
    subprocess.run([*TENJIGSAW, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)


def row_of(state: str, tool: str, neighbour: float, seconds: float, source: str) -> dict[str, str]:
    row = {
        "edges": state,
        "tool": tool,
        "neighbour": f"{neighbour:.3f}",
        "seconds": f"{seconds:.1f}",
        "source": source,
    }
    print(row, flush=True)
    return row


if __name__ == "__main__":
    main()
