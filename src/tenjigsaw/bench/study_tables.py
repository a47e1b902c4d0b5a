"""Tables 2, 3 and 6 of the paper, from the CSV files of `tenjigsaw study` and `benchmarks/inference.py`."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tenjigsaw.bench.table_files import Cells, Column, Table, percent, plain, seconds
from tenjigsaw.errors import InputError
from tenjigsaw.evaluation import paper
from tenjigsaw.files import read_text

NETWORKS = {"ten": "TEN", "ten-large": "TEN-Large", "e2e": "E2E"}


def study_tables(folder: Path) -> list[Table]:
    """A table for each of `distances.csv`, `dimensions.csv` and `inference.csv` that is in the folder."""
    made = []
    for name, make in _MAKERS.items():
        path = folder / f"{name}.csv"
        if path.exists():
            try:
                made.append(make([_numbered(line) for line in csv.DictReader(read_text(path).splitlines())]))
            except (KeyError, TypeError, ValueError):
                raise InputError(f"{path} does not have the columns that a table of {name} needs.") from None
    return made


def _numbered(line: dict[str, str]) -> Cells:
    return {name: _number(value) for name, value in line.items()}


def _number(text: str) -> Any:
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text or None


def distances_table(lines: list[Cells]) -> Table:
    """Table 3."""
    rows = [_studied(line) | {"paper": _share(paper.DISTANCES.get(line["distance"]))} for line in lines]
    columns = (Column("distance", plain("distance"), is_number=False), *_STUDIED)
    return Table("distances", f"Top-1 in percent by distance of the embeddings (Table 3); {_BUDGET}", columns, rows)


def dimensions_table(lines: list[Cells]) -> Table:
    """Table 2."""
    printed = paper.DIMENSIONS
    rows = [
        _studied(line) | {"paper": _share(printed.get(line["distance"], {}).get(line["dimension"]))} for line in lines
    ]
    distance = Column("distance", plain("distance"), is_number=False)
    columns = (distance, Column("dimensions", plain("dimension")), *_STUDIED)
    return Table("dimensions", f"Top-1 in percent by dimensions of the embeddings (Table 2); {_BUDGET}", columns, rows)


def inference_table(lines: list[Cells]) -> Table:
    """Table 6."""
    rows = []
    for line in lines:
        row: dict[str, Any] = {"pieces": line["pieces"], "e2e_measured": line["e2e_measured"]}
        for name in NETWORKS:
            row[name] = line[name.replace("-", "_")]
            row[f"{name}_paper"] = paper.INFERENCE.get(line["pieces"], {}).get(name)
        rows.append(row | {"unified": line.get("unified")})
    columns = [Column("pieces", plain("pieces"))]
    for name, heading in NETWORKS.items():
        columns += [Column(heading, seconds(name)), Column(f"{heading}, paper (GPU)", seconds(f"{name}_paper"))]
    if any(row["unified"] is not None for row in rows):
        columns.append(Column("unified", seconds("unified")))
    title = "Seconds to score all pairs (Table 6), ours on a CPU"
    guessed = [str(row["pieces"]) for row in rows if not row["e2e_measured"]]
    if guessed:
        title += f"; E2E from a few batches where there are {', '.join(guessed)} pieces"
    return Table("inference", title, tuple(columns), rows)


_MAKERS: dict[str, Callable[[list[Cells]], Table]] = {
    "distances": distances_table,
    "dimensions": dimensions_table,
    "inference": inference_table,
}

_BUDGET = "ours after a few minutes of training, the paper's after half of its own"
_KEPT = ("distance", "dimension", "loss", "cpu_minutes", "type1", "type2", "type1_processed", "type2_processed")
_STUDIED = (
    Column("core minutes", plain("cpu_minutes")),
    Column("Type-1", percent("type1")),
    Column("Type-2", percent("type2")),
    Column("Type-1, eq. 3-4", percent("type1_processed")),
    Column("Type-2, eq. 3-4", percent("type2_processed")),
    Column("paper", percent("paper")),
)


def _studied(line: Cells) -> dict[str, Any]:
    return {name: line[name] for name in _KEPT}


def _share(value: float | None) -> float | None:
    return None if value is None else round(value / 100, 4)
