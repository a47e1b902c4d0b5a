"""Figures from the CSV files of the benchmarks and of training, where a folder has them."""

import csv
import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tenjigsaw.errors import InputError
from tenjigsaw.files import read_text
from tenjigsaw.measures.scoring import MOST_DENSE_PIECES
from tenjigsaw.report.charts import Frame, Series, line_chart
from tenjigsaw.report.palette import Ink, ink_of, measures_in_order, name_of
from tenjigsaw.report.words import turns

_LEARNED = {"ten": "TEN", "ten_large": "TEN-Large", "e2e": "E2E"}


@dataclass(frozen=True)
class Figure:
    """A drawing with the name of its file and the words under it."""

    name: str
    title: str
    caption: str
    svg: str


def inference_figure(folder: Path) -> list[Figure]:
    """Seconds for all pairs of edges against pieces, ours and the paper's."""
    path = folder / "inference.csv"
    rows = read_csv(path) if path.exists() else []
    if not rows:
        return []
    lines = []
    for column, name in _LEARNED.items():
        ink = ink_of(column.replace("_", "-"))
        for prefix, owner, dashed in (("", "ours", False), ("paper_", "paper", True)):
            points = [(number(row, "pieces", path, 0), number(row, prefix + column, path, 0)) for row in rows]
            lines.append(Series(f"{name}, {owner}", ink, sorted(points), dashed=dashed))
    with_ours = all(row.get("unified") for row in rows)
    if with_ours:
        points = [(number(row, "pieces", path, 0), number(row, "unified", path, 0)) for row in rows]
        lines.append(Series(name_of("unified"), ink_of("unified"), sorted(points)))
    title = "Inference time against pieces"
    caption = "Ours on two CPU cores; the paper's on a GPU. Turns unknown, so 16 N² pairs of edges."
    guessed = [int(number(row, "pieces", path)) for row in rows if row.get("e2e_measured") == "0"]
    caption += f" Our E2E is extrapolated from {min(guessed):,} pieces on." if guessed else ""
    caption += (
        f" Above {MOST_DENSE_PIECES:,} pieces the unified model has the pairs of a shortlist." if with_ours else ""
    )
    pieces = sorted(number(row, "pieces", path) for row in rows)
    frame = Frame(title, caption, "pieces", "seconds for all pairs", (True, True), pieces)
    return [Figure("inference", title, caption, line_chart(frame, lines))]


def conditions_figures(folder: Path) -> list[Figure]:
    """Top-1 against erosion from each `conditions*.csv`, of the size of pieces that has most erosions."""
    figures = []
    for path in sorted(folder.glob("conditions*.csv")):
        rows = [row for row in read_csv(path) if number(row, "piece", path) == 28]
        for kind in (1, 2):
            lines = _condition_lines([row for row in rows if number(row, "type", path) == kind], path)
            if not lines:
                continue
            title = f"Top-1 against wear, {turns(kind)}"
            caption = f"{path.name}: pieces of 28 pixels, Sinkhorn."
            ticks = sorted({x for line in lines for x, _ in line.points})
            frame = Frame(title, caption, "pixels worn off every edge", "percent", x_ticks=ticks)
            figures.append(Figure(f"wear-{path.stem}-type{kind}", title, caption, line_chart(frame, lines)))
    return figures


def _condition_lines(rows: list[dict[str, str]], path: Path) -> list[Series]:
    points: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        if row.get("normalise") == "sinkhorn":
            points[row.get("measure", "?")].append((number(row, "erosion", path), 100 * number(row, "top1", path)))
    names = measures_in_order({name for name, found in points.items() if len(found) > 1})
    return [Series(name_of(name), ink_of(name), sorted(points[name])) for name in names]


def learning_figures(folder: Path) -> list[Figure]:
    """Top-1 on the validation pictures against hours, from each `training*.csv`; runs stand one after the other."""
    figures = []
    for path in sorted(folder.glob("training*.csv")):
        lines = _learning_lines(path)
        if lines:
            name = path.stem.removeprefix("training").strip("_-") or "model"
            title = f"Learning curve of {name_of(name)}"
            caption = f"{path.name}: Top-1 on pictures that it does not learn from."
            frame = Frame(title, caption, "hours of training", "percent")
            figures.append(Figure(f"learning-{name}", title, caption, line_chart(frame, lines)))
    return figures


def _learning_lines(path: Path) -> list[Series]:
    points: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    before, run, last = 0.0, None, 0.0
    for row in read_csv(path):
        if row.get("run") != run:
            before, run = before + last, row.get("run")
        last = number(row, "minutes", path)
        for kind, found in points.items():
            if row.get(f"val_type{kind}"):
                found.append(((before + last) / 60, 100 * number(row, f"val_type{kind}", path)))
    inks = {1: Ink("#0065c2", "#66b5ff"), 2: Ink("#c85200", "#ff9550", "square")}
    return [Series(turns(kind), inks[kind], found) for kind, found in points.items() if len(found) > 1]


def read_csv(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, each by its column names; what stands behind the last column is passed over."""
    try:
        found = list(csv.DictReader(read_text(path).splitlines(), restkey=""))
    except csv.Error as error:
        raise InputError(f"{path} is not a CSV file: {error}.") from None
    return [{name: text or "" for name, text in row.items() if name} for row in found]


def number(row: Mapping[str, str], column: str, path: Path, above: float = -math.inf) -> float:
    """A number of a CSV file, larger than ``above``."""
    try:
        value = float(row.get(column, ""))
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value <= above:
        which = "numbers" if above < 0 else f"numbers above {above:g}"
        raise InputError(f"{path} can't be drawn: its column {column!r} must hold {which}.")
    return value
