"""The figures that results folders hold the numbers for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from tenjigsaw.bench.rows import ROWS, BenchRow, file_safe
from tenjigsaw.bench.several import read_benches, refuse_twice
from tenjigsaw.report.charts import Frame, Point, Series, Strip, line_chart, point_chart, strip_chart
from tenjigsaw.report.palette import Ink, ink_of, measures_in_order, name_of
from tenjigsaw.report.selection import grouped, once_each, puzzles_in, standard_error, usual, usual_wear
from tenjigsaw.report.studies import Figure, conditions_figures, inference_figure, learning_figures
from tenjigsaw.report.words import counted, turns

MOST_STRIPS = 24
Draw = Callable[[str, int, Sequence[BenchRow]], "Figure | None"]


@dataclass(frozen=True)
class Figures:
    """What could be drawn, a sentence for each that could not, and the rows of the bench if there are any."""

    drawn: list[Figure]
    skipped: list[str]
    rows: list[BenchRow]


def draw_figures(*folders: Path) -> Figures:
    """Every figure that the CSV files of the folders allow."""
    rows = read_benches([folder for folder in folders if (folder / ROWS).exists()])
    kinds = {
        "Accuracy of each measure and solver": (_per_group(rows, _accuracy_figure), ROWS),
        "Top-1 against wear": (
            _per_group(rows, _wear_figure) + _of_each(folders, conditions_figures),
            f"{ROWS} with two erosions, or conditions*.csv",
        ),
        "Accuracy against time": (_per_group(rows, _time_figure), f"{ROWS} with times.csv beside it"),
        "Inference time against pieces": (_of_each(folders, inference_figure), "inference.csv"),
        "Learning curve": (_of_each(folders, learning_figures), "training*.csv"),
    }
    drawn = [figure for figures, _ in kinds.values() for figure in figures]
    refuse_twice([figure.name for figure in drawn], "figure")
    skipped = [f"{kind} is left out: it needs {needs}." for kind, (figures, needs) in kinds.items() if not figures]
    return Figures(drawn, skipped, rows)


def _of_each(folders: Sequence[Path], draw: Callable[[Path], list[Figure]]) -> list[Figure]:
    return [figure for folder in folders for figure in draw(folder)]


def _per_group(rows: Sequence[BenchRow], draw: Draw) -> list[Figure]:
    """The figure of each picture set and type that has one."""
    groups = grouped(rows, lambda row: (row.set, row.type))
    figures = [draw(name, kind, usual(group)) for (name, kind), group in sorted(groups.items())]
    return [figure for figure in figures if figure is not None]


def _accuracy_figure(name: str, kind: int, rows: Sequence[BenchRow]) -> Figure | None:
    rows = usual_wear(rows)
    groups = grouped(rows, lambda row: (row.measure, row.solver))
    best_first = sorted(groups.items(), key=lambda item: -mean(row.neighbour for row in item[1]))
    strips = [
        _strip(f"{name_of(measure)}, {solver}", ink_of(measure), group)
        for (measure, solver), group in best_first[:MOST_STRIPS]
    ]
    title = f"Neighbour accuracy, {turns(kind)}"
    caption = f"{_conditions(name, rows)} A point is a puzzle, a bar the mean of all."
    frame = Frame(title, caption, "percent of true joins found")
    return Figure(f"accuracy-{file_safe(name)}-type{kind}", title, caption, strip_chart(frame, strips))


def _strip(name: str, ink: Ink, rows: Sequence[BenchRow]) -> Strip:
    """A value for each puzzle, the mean of its repeats."""
    found = [(repeats[0].picture, 100 * mean(row.neighbour for row in repeats)) for repeats in puzzles_in(rows)]
    return Strip(name, ink, [value for _, value in found], [f"{picture}: {value:.1f}" for picture, value in found])


def _wear_figure(name: str, kind: int, rows: Sequence[BenchRow]) -> Figure | None:
    erosions = sorted({row.erosion for row in rows})
    if len(erosions) < 2:
        return None
    groups = grouped(once_each(rows), lambda row: row.measure)
    lines = []
    for measure in measures_in_order(set(groups)):
        worn = grouped(groups[measure], lambda row: row.erosion)
        values = {erosion: [100 * row.top1 for row in worn[erosion]] for erosion in sorted(worn)}
        points = [(float(erosion), mean(found)) for erosion, found in values.items()]
        lines.append(Series(name_of(measure), ink_of(measure), points, [standard_error(v) for v in values.values()]))
    title = f"Top-1 against wear, {turns(kind)}"
    caption = f"{name}, {name_of(rows[0].normalise)}. Whiskers: standard error of the mean over pictures."
    frame = Frame(title, caption, "pixels worn off every edge", "percent", x_ticks=erosions)
    return Figure(f"wear-{file_safe(name)}-type{kind}", title, caption, line_chart(frame, lines))


def _time_figure(name: str, kind: int, rows: Sequence[BenchRow]) -> Figure | None:
    rows = usual_wear(rows)
    if not all(row.seconds > 0 for row in rows):
        return None
    points = [
        Point(
            f"{solver}, {name_of(measure)}",
            _times(group),
            ink_of(measure),
            mean(row.score_seconds + row.seconds for row in group),
            100 * mean(row.neighbour for row in group),
        )
        for (measure, solver), group in sorted(grouped(rows, lambda row: (row.measure, row.solver)).items())
    ]
    title = f"Accuracy against time, {turns(kind)}"
    caption = f"{_conditions(name, rows)} Means over the puzzles."
    frame = Frame(title, caption, "seconds for scoring and solving", "neighbour accuracy, percent", (True, False))
    return Figure(f"time-{file_safe(name)}-type{kind}", title, caption, point_chart(frame, points))


def _conditions(name: str, rows: Sequence[BenchRow]) -> str:
    return f"{name}, {counted(rows[0].erosion, 'pixel')} worn, {name_of(rows[0].normalise)}."


def _times(rows: Sequence[BenchRow]) -> str:
    scoring, solving = mean(row.score_seconds for row in rows), mean(row.seconds for row in rows)
    return f"{scoring:.2f} s scoring + {solving:.2f} s solving"
