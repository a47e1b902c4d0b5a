"""All tables of a bench's folder, or of several."""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from tenjigsaw.bench.accuracy_tables import grouped, neighbour_table, top1_table
from tenjigsaw.bench.rows import BenchRow
from tenjigsaw.bench.several import read_benches, refuse_twice
from tenjigsaw.bench.study_tables import study_tables
from tenjigsaw.bench.table_files import Column, Table, plain, seconds
from tenjigsaw.errors import InputError
from tenjigsaw.files import new_folder

BASELINE = "mgc"


def make_tables(folders: Sequence[Path], studies: Path | None = None, baseline: str | None = None) -> list[Table]:
    """Accuracies and times from the rows of benches; the paper's studies from the CSV files in ``studies``.

    Gains are counted from ``baseline``; where none is named, from MGC if the rows have it.
    """
    rows = read_benches(folders)
    if not rows:
        names = ", ".join(map(str, folders))
        raise InputError(f"The bench in {names} has no rows, so there is nothing to make tables of.")
    if studies is not None and not studies.is_dir():
        raise InputError(f"There is no folder {studies} with the CSV files of studies.")
    measures = dict.fromkeys(row.measure for row in rows)
    if baseline is not None and baseline not in measures:
        raise InputError(f"There are no rows of the measure {baseline!r}; the baseline can be {', '.join(measures)}.")
    baseline = baseline or BASELINE
    tables = [top1_table(rows, baseline), neighbour_table(rows, baseline), seconds_table(rows)]
    for place in folders if studies is None else [studies]:
        tables += study_tables(place)
    refuse_twice([table.name for table in tables], "table")
    return tables


def write_tables(folder: Path, tables: Sequence[Table], force: bool = False) -> None:
    """Write each table in every form into a folder."""
    with new_folder(folder, force) as draft:
        for table in tables:
            for name, text in table.files().items():
                (draft / name).write_text(text, encoding="utf-8")


def seconds_table(rows: Sequence[BenchRow]) -> Table:
    """What the accuracies cost; worn edges take a solver longer, so each wear has lines of its own."""
    keys, means = ("set", "erosion", "measure", "normalise", "solver", "type"), ("pieces", "score_seconds", "seconds")
    lines = [
        dict(zip(keys, group, strict=True))
        | {name: round(fmean(getattr(row, name) for row in some), 4) for name in means}
        for group, some in grouped(rows, keys)
    ]
    texts = [Column("wear" if name == "erosion" else name, plain(name), is_number=False) for name in keys]
    scoring, solving = Column("scoring, s", seconds("score_seconds")), Column("solving, s", seconds("seconds"))
    columns = (*texts, Column("pieces", lambda line: f"{line['pieces']:.0f}"), scoring, solving)
    return Table("seconds", "Mean seconds a puzzle takes, for its scores and for the solver", columns, lines)
