"""Each puzzle of the page: its results side by side, and a slider between before and after."""

import base64
from collections.abc import Mapping, Sequence
from html import escape
from itertools import zip_longest
from pathlib import Path

from tenjigsaw.bench.rows import BenchRow, file_safe
from tenjigsaw.report.palette import name_of
from tenjigsaw.report.selection import grouped, usual, usual_wear
from tenjigsaw.report.words import turns

MOST_CARDS = 8
MOST_CHARACTERS = 5_000_000
_KINDS = {b"RIFF": "image/webp", b"\x89PNG": "image/png"}

Files = Mapping[str, Path]


def shown_puzzles(rows: Sequence[BenchRow], pictures: Files) -> list[list[BenchRow]]:
    """The rows of each worn puzzle that has pictures, the worst first; the sets take turns."""
    seen = [row for row in rows if f"{row.key}-after.webp" in pictures]
    chosen = usual_wear(usual(seen)) if seen else []
    groups = grouped(chosen, lambda row: (row.set, row.picture, row.type, row.seed))
    by_set: dict[str, list[list[BenchRow]]] = {}
    for group in groups.values():
        by_set.setdefault(group[0].set, []).append(sorted(group, key=lambda row: (row.neighbour, row.key)))
    return [group for turn in zip_longest(*by_set.values()) for group in turn if group]


def shown_results(rows: Sequence[BenchRow]) -> list[BenchRow]:
    """All results of a puzzle if they are few, else what the best solver made of each measure."""
    if len(rows) <= MOST_CARDS:
        return list(rows)
    best = {row.measure: row for row in rows}
    return [row for row in rows if best[row.measure] is row][-MOST_CARDS:]


def pictures_in(*folders: Path) -> Files:
    """The pictures of results folders by name."""
    return {path.name: path for folder in folders for path in sorted(folder.glob("*.webp")) if path.is_file()}


def gallery(puzzles: Sequence[Sequence[BenchRow]], pictures: Files) -> list[str]:
    """An article for each puzzle, until the pictures grow too many."""
    articles: list[str] = []
    for number, group in enumerate(puzzles, start=1):
        if sum(map(len, articles)) > MOST_CHARACTERS:
            break
        articles.append(_article(number, shown_results(group), pictures))
    return articles


def _article(number: int, rows: Sequence[BenchRow], pictures: Files) -> str:
    first, best = rows[0], rows[-1]
    facts = [first.set, turns(first.type), f"{first.erosion} px worn", f"{first.pieces} pieces"]
    facts += [f"{100 * first.drop:.0f}% lost"] if first.drop else []
    cards = "".join(_card(row, row is best, pictures) for row in rows)
    before = _img(pictures.get(f"{first.key}-before.webp"), "before", "The shuffled pieces", hidden=True)
    truth = _img(pictures.get(truth_name(first)), "truth", f"{first.picture} as it was")
    known = f'<figure class="card">{truth}<figcaption>Truth</figcaption></figure>' if truth else ""
    return (
        f'<article class="puzzle" id="puzzle-{number}"><h3>{escape(first.picture)} '
        f"<small>{escape(', '.join(facts))}</small></h3>"
        f'<div class="sides"><div class="cards">{cards}{known}</div>{before}{_VIEWER}</div></article>\n'
    )


def _card(row: BenchRow, chosen: bool, pictures: Files) -> str:
    name = f"{name_of(row.measure)}, {row.solver}"
    score = f"{100 * row.neighbour:.1f}%"
    after = _img(pictures.get(f"{row.key}-after.webp"), "after", f"Put together with {name}")
    joins = _img(pictures.get(f"{row.key}-joins.webp"), "joins", f"Right and wrong joins of {name}", hidden=True)
    mistakes = _img(pictures.get(f"{row.key}-mistakes.webp"), "mistakes", f"Wrong joins of {name}", hidden=True)
    return (
        f'<figure class="card"><button type="button" class="choose" aria-pressed="{str(chosen).lower()}" '
        f'aria-label="{escape(f"Look closer at {name}, {score}")}">{after}</button>{joins}{mistakes}'
        f"<figcaption>{escape(name)}<b>{score}</b></figcaption></figure>"
    )


_VIEWER = """<div class="viewer" hidden>
<div class="views" role="group" aria-label="View">
<button type="button" data-view="compare" aria-pressed="true">Before and after</button>
<button type="button" data-view="joins" aria-pressed="false">Right and wrong joins</button>
<button type="button" data-view="mistakes" aria-pressed="false">Mistakes</button></div>
<p class="caption" aria-live="polite"></p>
<div class="compare"><img class="under" alt=""><img class="over" alt=""><span>before</span><span>after</span></div>
<input class="slide" type="range" min="0" max="100" value="50" aria-label="How much of the shuffled pieces is shown">
<img class="single" alt="" hidden><p class="nothing" hidden>There is no picture of this.</p></div>"""


def truth_name(row: BenchRow) -> str:
    """The name of the picture of the truth."""
    return f"{file_safe(row.set)}-{file_safe(row.picture)}-truth.webp"


def _img(path: Path | None, kind: str, words: str, hidden: bool = False) -> str:
    """The picture itself inside the page; nothing if there is none that a browser can show."""
    content = path.read_bytes() if path else b""
    mime = _KINDS.get(content[:4])
    if not mime:
        return ""
    source = f"data:{mime};base64,{base64.b64encode(content).decode('ascii')}"
    return f'<img class="{kind}" alt="{escape(words)}" src="{source}"{" hidden" if hidden else ""}>'
