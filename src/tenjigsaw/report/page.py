"""One page with all that a results folder holds, which needs nothing but a browser."""

import json
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from tenjigsaw import __version__
from tenjigsaw.bench.rows import ROWS, BenchRow, read_rows
from tenjigsaw.errors import InputError
from tenjigsaw.files import read_text
from tenjigsaw.report.figures import draw_figures
from tenjigsaw.report.gallery import gallery, pictures_in, shown_puzzles
from tenjigsaw.report.html_tables import means_table, rows_table, saved_tables
from tenjigsaw.report.summary import summary
from tenjigsaw.report.words import counted

MOST_PUZZLES = 8


def build_page(folder: Path, title: str = "", most_puzzles: int = MOST_PUZZLES) -> str:
    """The whole page as text."""
    rows = _rows_of(folder)
    run = _run_of(folder)
    sections = {
        "summary": ("Summary", summary(rows)),
        "puzzles": ("Puzzles", _puzzles(rows, folder, most_puzzles)),
        "figures": ("Figures", _figures(folder)),
        "tables": ("Tables", _tables(rows, folder)),
        "made": ("How it was made", _made(run)),
    }
    shown = {name: section for name, section in sections.items() if section[1]}
    links = "".join(f'<a href="#{name}">{heading}</a>' for name, (heading, _) in shown.items())
    body = "\n".join(
        f'<section id="{name}"><h2>{heading}</h2>{content}</section>' for name, (heading, content) in shown.items()
    )
    words = escape(title or f"tenjigsaw: {folder.resolve().name}")
    return Template(_part("page.html")).substitute(
        title=words, style=_part("page.css"), script=_part("page.js"), links=links, body=body
    )


def _rows_of(folder: Path) -> list[BenchRow]:
    if not folder.is_dir():
        raise InputError(f"There is no results folder {folder}; make one with: tenjigsaw bench --quick --out {folder}.")
    if not (folder / ROWS).is_file():
        raise InputError(f"{folder} has no {ROWS}, so it is not a folder that tenjigsaw bench --out made.")
    rows = read_rows(folder)
    if not rows:
        raise InputError(f"{folder / ROWS} has no rows yet, so there is nothing to report.")
    return rows


def _run_of(folder: Path) -> dict[str, Any]:
    path = folder / "run.json"
    if not path.exists():
        return {}
    try:
        run = json.loads(read_text(path))
    except (ValueError, RecursionError):
        raise InputError(f"{path} is not valid JSON; delete it or run the bench again.") from None
    if not isinstance(run, dict):
        raise InputError(f"{path} must hold a JSON object; delete it or run the bench again.")
    return run


def _puzzles(rows: list[BenchRow], folder: Path, most: int) -> str:
    pictures = pictures_in(folder / "pictures")
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


def _figures(folder: Path) -> str:
    figures = draw_figures(folder).drawn
    return "".join(
        f'<figure class="chart">{figure.svg}<figcaption>{escape(figure.caption)}</figcaption></figure>'
        for figure in figures
    )


def _tables(rows: list[BenchRow], folder: Path) -> str:
    every = f"<details><summary>Every puzzle</summary>{rows_table(rows)}</details>"
    hint = (
        '<p class="hint">Press the head of a column to sort by it. Type 1: turns known, type 2: unknown. '
        "Worn: pixels lost along every edge.</p>"
    )
    return hint + means_table(rows) + "".join(saved_tables(folder / "tables")) + every


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
