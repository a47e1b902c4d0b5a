"""One page with all that a results folder holds, or several, which needs nothing but a browser."""

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from tenjigsaw import __version__
from tenjigsaw.bench.rows import ROWS, BenchRow
from tenjigsaw.bench.several import read_benches, read_run
from tenjigsaw.bench.tables import make_tables
from tenjigsaw.errors import InputError
from tenjigsaw.report.figures import draw_figures
from tenjigsaw.report.gallery import gallery, pictures_in, shown_puzzles
from tenjigsaw.report.html_tables import marked_table, means_table, rows_table, saved_tables
from tenjigsaw.report.summary import summary
from tenjigsaw.report.words import counted

MOST_PUZZLES = 8


def build_page(*folders: Path, title: str = "", most_puzzles: int = MOST_PUZZLES) -> str:
    """The whole page as text."""
    rows = _rows_of(folders)
    runs = [read_run(folder) for folder in folders]
    sections = {
        "summary": ("Summary", summary(rows)),
        "puzzles": ("Puzzles", _puzzles(rows, folders, most_puzzles)),
        "figures": ("Figures", _figures(folders)),
        "tables": ("Tables", _tables(rows, folders)),
        "made": ("How it was made", "".join(map(_made, runs))),
    }
    shown = {name: section for name, section in sections.items() if section[1]}
    links = "".join(f'<a href="#{name}">{heading}</a>' for name, (heading, _) in shown.items())
    body = "\n".join(
        f'<section id="{name}"><h2>{heading}</h2>{content}</section>' for name, (heading, content) in shown.items()
    )
    words = escape(title or f"tenjigsaw: {', '.join(folder.resolve().name for folder in folders)}")
    return Template(_part("page.html")).substitute(
        title=words, style=_part("page.css"), script=_part("page.js"), links=links, body=body
    )


def _rows_of(folders: Sequence[Path]) -> list[BenchRow]:
    for folder in folders:
        if not folder.is_dir():
            quick = f"tenjigsaw bench --quick --out {folder}"
            raise InputError(f"There is no results folder {folder}; make one with: {quick}.")
        if not (folder / ROWS).is_file():
            raise InputError(f"{folder} has no {ROWS}, so it is not a folder that tenjigsaw bench --out made.")
    rows = read_benches(folders)
    if not rows:
        raise InputError(f"{folders[0] / ROWS} has no rows yet, so there is nothing to report.")
    return rows


def _puzzles(rows: list[BenchRow], folders: Sequence[Path], most: int) -> str:
    pictures = pictures_in(*(folder / "pictures" for folder in folders))
    puzzles = shown_puzzles(rows, pictures)
    articles = gallery(puzzles[:most], pictures)
    if not articles:
        return ""
    left_out = len(puzzles) - len(articles)
    note = f"<p>{counted(left_out, 'puzzle')} more left out to keep the page small.</p>" if left_out else ""
    words = (
        "<p>From the worst result to the best, with the share of true joins found, and the truth. "
        "Choose one to look closer.</p>"
        "<noscript><p>The closer look needs JavaScript.</p></noscript>"
    )
    return words + "".join(articles) + note


def _figures(folders: Sequence[Path]) -> str:
    figures = draw_figures(*folders).drawn
    return "".join(
        f'<figure class="chart">{figure.svg}<figcaption>{escape(figure.caption)}</figcaption></figure>'
        for figure in figures
    )


def _tables(rows: list[BenchRow], folders: Sequence[Path]) -> str:
    every = f"<details><summary>Every result</summary>{rows_table(rows)}</details>"
    hint = (
        '<p class="hint">Press the head of a column to sort by it. Type 1: turns known, type 2: unknown. '
        "Worn: pixels lost along every edge.</p>"
    )
    return hint + means_table(rows) + "".join(_paper_tables(folders)) + every


def _paper_tables(folders: Sequence[Path]) -> list[str]:
    """Those that the bench left; those of several benches tell of each alone, so they are made anew of all rows."""
    if len(folders) == 1:
        return saved_tables(folders[0] / "tables")
    return [marked_table(table.name, table.markdown()) for table in make_tables(folders)]


def _made(run: dict[str, Any]) -> str:
    command = f"<p>These results were made with</p><pre>{escape(str(run['command']))}</pre>" if "command" in run else ""
    plain = {key: value for key, value in run.items() if key not in ("command", "settings")}
    settings = run.get("settings")
    facts = plain | (settings if isinstance(settings, dict) else {}) | {"page made by": f"tenjigsaw {__version__}"}
    lines = "".join(f"<dt>{escape(str(key))}</dt><dd>{escape(_in_words(value))}</dd>" for key, value in facts.items())
    return f"{command}<dl>{lines}</dl>"


def _in_words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_in_words(one) for one in value)
    return json.dumps(value) if isinstance(value, dict | bool) or value is None else str(value)


def _part(name: str) -> str:
    return files("tenjigsaw.report").joinpath(name).read_text(encoding="utf-8")
