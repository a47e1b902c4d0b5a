"""Tables of the page that sort when a column's head is pressed."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from statistics import mean

from tenjigsaw.bench.rows import BenchRow
from tenjigsaw.bench.table_files import count_text, is_whole
from tenjigsaw.files import read_text
from tenjigsaw.report.palette import name_of
from tenjigsaw.report.selection import grouped, perfect_puzzles, puzzles_in

Cell = str | float
MOST_ROWS = 2000


def table(name: str, caption: str, rows: Sequence[Mapping[str, Cell]], digits: Mapping[str, int] | None = None) -> str:
    """Rows with a column for each key; numbers with one digit behind the point unless ``digits`` says otherwise."""
    columns = list(rows[0]) if rows else []
    heads = "".join(
        f'<th scope="col"{_css(rows[0][column])}><button type="button">{escape(column)}</button></th>'
        for column in columns
    )
    body = "".join(
        "<tr>" + "".join(_cell(row[column], (digits or {}).get(column, 1)) for column in columns) + "</tr>\n"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table id="{escape(name)}">'
        f"<caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead><tbody>\n{body}</tbody></table></div>"
    )


def means_table(rows: Sequence[BenchRow]) -> str:
    """The mean over pictures for each way to do it, worn puzzles and the best first."""
    groups = grouped(
        rows, lambda row: (row.set, row.type, row.erosion, row.drop, row.measure, row.normalise, row.solver)
    )
    means = [_mean_row(group) for group in groups.values()]
    means.sort(key=lambda row: (str(row["set"]), row["type"], -float(row["worn"]), -float(row["neighbour %"])))
    digits = {"type": 0, "worn": 0, "puzzles": 0, "lost %": 0, "scoring s": 2, "solving s": 2}
    words = f"Means over the puzzles{_of_one_set(rows)}"
    if any(not is_whole(perfect_puzzles(group)) for group in groups.values()):
        words += "; perfect puzzles as a mean over the repeats"
    return table("means", words, _telling(means, ("set", "lost %")), digits)


def rows_table(rows: Sequence[BenchRow]) -> str:
    """Every single result; the first few thousand if there are more."""
    listed: list[dict[str, Cell]] = [
        {
            "set": row.set,
            "picture": row.picture,
            "type": row.type,
            "worn": row.erosion,
            "measure": name_of(row.measure),
            "normalised": name_of(row.normalise),
            "solver": row.solver,
            "repeat": row.repeat,
            "pieces": row.pieces,
            "Top-1 %": 100 * row.top1,
            "neighbour %": 100 * row.neighbour,
            "direct %": 100 * row.direct,
            "largest %": 100 * row.largest,
            "solving s": row.seconds,
        }
        for row in rows[:MOST_ROWS]
    ]
    words = "Every result" if len(rows) <= MOST_ROWS else f"The first {MOST_ROWS:,} of {len(rows):,} rows"
    words += _of_one_set(rows)
    digits = {"type": 0, "worn": 0, "repeat": 0, "pieces": 0, "solving s": 2}
    return table("rows", words, _telling(listed, ("set", "repeat")), digits)


def saved_tables(folder: Path) -> list[str]:
    """The Markdown tables that a bench left, such as those beside the paper's numbers."""
    return [marked_table(path.stem, read_text(path)) for path in sorted(folder.glob("*.md"))]


def marked_table(name: str, markdown: str) -> str:
    """A Markdown table under its title; nothing where it has no rows."""
    lines = [line.strip() for line in markdown.splitlines() if line.strip()]
    cells = [_cells(line) for line in lines if line.startswith("|")]
    words = [line.lstrip("# ") for line in lines if not line.startswith("|")]
    # A head, a line of dashes, and at least one row.
    if len(cells) <= 2:
        return ""
    rows = [dict(zip(cells[0], row, strict=False)) for row in cells[2:] if len(row) >= len(cells[0])]
    return table(f"table-{name}", words[0] if words else name, rows)


def _cells(line: str) -> list[str]:
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]


def _mean_row(group: Sequence[BenchRow]) -> dict[str, Cell]:
    first = group[0]
    return {
        "set": first.set,
        "type": first.type,
        "worn": first.erosion,
        "lost %": 100 * first.drop,
        "measure": name_of(first.measure),
        "normalised": name_of(first.normalise),
        "solver": first.solver,
        "puzzles": len(puzzles_in(group)),
        "Top-1 %": 100 * mean(row.top1 for row in group),
        "neighbour %": 100 * mean(row.neighbour for row in group),
        "direct %": 100 * mean(row.direct for row in group),
        "largest %": 100 * mean(row.largest for row in group),
        "perfect": count_text(perfect_puzzles(group)),
        "scoring s": mean(row.score_seconds for row in group),
        "solving s": mean(row.seconds for row in group),
    }


def _telling(rows: list[dict[str, Cell]], columns: Sequence[str]) -> list[dict[str, Cell]]:
    """The rows without those of the columns that say nothing: 0 everywhere, or the same name."""
    said = {column: {row[column] for row in rows} for column in columns}
    idle = {column for column, values in said.items() if values == {0} or (column == "set" and len(values) == 1)}
    return [{key: value for key, value in row.items() if key not in idle} for row in rows]


def _of_one_set(rows: Sequence[BenchRow]) -> str:
    sets = {row.set for row in rows}
    return f" of {sets.pop()}" if len(sets) == 1 else ""


def _cell(value: Cell, digits: int) -> str:
    if not isinstance(value, str):
        return f'<td{_css(value)} data-value="{value!r}">{value:.{digits}f}</td>'
    sorts = f' data-value="{float(_leading(value))!r}"' if _leading(value) else ""
    return f"<td{_css(value)}{sorts}>{escape(value)}</td>"


def _css(value: Cell) -> str:
    return "" if isinstance(value, str) and not _leading(value) else ' class="number"'


def _leading(text: str) -> str:
    """The number that a text begins with, if it goes on with no letter: ``+1.2 [0.3, 2.0]`` but not ``0001.png``."""
    match = re.match(r"([+-]?\d+(?:\.\d+)?)(?![\w.])", text)
    return match[1] if match else ""
