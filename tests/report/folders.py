"""Results folders to make pages and figures from."""

import json
from pathlib import Path

from PIL import Image

from drawing import noise_picture
from tenjigsaw.bench.rows import BenchRow, file_safe, row_key, write_rows

COMMAND = "tenjigsaw bench --quick --out here"


def bench_row(number: int = 0, **changes: object) -> BenchRow:
    """A row whose accuracies follow from its number."""
    told = {"set": "few", "picture": "cat.png", "measure": "mgc", "normalise": "sinkhorn", "solver": "tree"}
    told |= {"type": 1, "piece": 28, "erosion": 1, "drop": 0.0, "seed": 0, "repeat": 0} | changes  # type: ignore[operator]  # mixed values
    share = (number * 7 % 10) / 10
    found = {"pieces": 12, "top1": share, "neighbour": share, "direct": share / 2, "largest": share, "perfect": 0}
    times = {"score_seconds": 0.5, "seconds": 1.0 + number}
    return BenchRow(key=row_key(**told), **(told | found | times))  # type: ignore[arg-type]  # mixed values


def some_rows(**changes: object) -> list[BenchRow]:
    """Two pictures, two measures, two solvers, two types, two erosions."""
    ways = [
        {"picture": picture, "measure": measure, "solver": solver, "type": kind, "erosion": worn}
        for picture in ("cat.png", "dog.png")
        for kind in (1, 2)
        for worn in (0, 1)
        for measure in ("ssd", "mgc")
        for solver in ("tree", "segments")
    ]
    return [bench_row(number, **(way | changes)) for number, way in enumerate(ways)]


def results_folder(folder: Path, rows: list[BenchRow], pictures: bool = True) -> Path:
    """A folder as a bench leaves it: rows, times, how it was run, and pictures of all puzzles.

    Only the worse results come with a picture of their mistakes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_rows(folder, rows)
    run = {"command": COMMAND, "version": "0.1.0", "processors": 2, "settings": {"measures": ["ssd", "mgc"]}}
    (folder / "run.json").write_text(json.dumps(run))
    (folder / "pictures").mkdir()
    for number, row in enumerate(rows if pictures else []):
        kinds = ("before", "after", "joins") + (("mistakes",) if row.neighbour < 0.5 else ())
        names = [f"{row.key}-{kind}" for kind in kinds]
        names += [f"{file_safe(row.set)}-{file_safe(row.picture)}-truth"]
        for place, name in enumerate(names):
            Image.fromarray(noise_picture(24, 36, 10 * number + place)).save(folder / "pictures" / f"{name}.webp")
    return folder
