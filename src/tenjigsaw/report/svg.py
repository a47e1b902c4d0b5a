"""Pieces of SVG that read well on light paper, on a dark page and in print."""

from collections.abc import Sequence
from html import escape

from tenjigsaw.report.palette import Ink

WIDTH = 500
CHARACTER = 7.2  # the usual width of a letter of a label, in pixels

# Attributes hold the light colours for programs that know no style sheets; the sheet adds the dark ones.
STYLE = """
.tj{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;max-width:100%;height:auto}
.tj .paper{fill:#fff}.tj text{fill:#3f4650}.tj .title{fill:#14181d;font-size:14px;font-weight:600}
.tj .grid{stroke:#e4e7eb}.tj .axis{stroke:#9aa3ad}
.tj .ink{--c:var(--light)}.tj .line{stroke:var(--c)}.tj .mark{fill:var(--c)}.tj .hollow{stroke:var(--c)}
.tj .name{fill:var(--c);font-weight:600}.tj .hollow{fill:#fff}
@media screen and (prefers-color-scheme:dark){
.tj .paper,.tj .hollow{fill:#171b21}.tj text{fill:#b4bdc8}.tj .title{fill:#eef2f6}
.tj .grid{stroke:#2b323b}.tj .axis{stroke:#59636f}.tj .ink{--c:var(--dark)}.tj .name{fill:var(--c)}}
"""


def document(title: str, description: str, height: float, body: Sequence[str]) -> str:
    """A whole SVG with its name, so that a screen reader can tell what it shows."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tj" role="img" viewBox="0 0 {WIDTH} {height:g}" '
        f'width="{WIDTH}" height="{height:g}"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f'<style>{STYLE}</style><rect class="paper" width="{WIDTH}" height="{height:g}" rx="8" fill="#fff"/>'
        f"{text(16, 26, title, css='title')}{''.join(body)}</svg>\n"
    )


def text(x: float, y: float, words: str, anchor: str = "start", css: str = "", extra: str = "") -> str:
    """Words at a place."""
    name = f' class="{css}"' if css else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{name}{extra}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, css: str, extra: str = "") -> str:
    """A straight line."""
    colour = {"grid": "#e4e7eb", "axis": "#9aa3ad"}.get(css)
    stroke = f' stroke="{colour}"' if colour else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{css}"{stroke}{extra}/>'


def inked(ink: Ink, body: Sequence[str]) -> str:
    """Everything inside takes this ink."""
    style = f"--light:{ink.light};--dark:{ink.dark}"
    return f'<g class="ink" style="{style}" fill="{ink.light}" stroke="none">{"".join(body)}</g>'


def path(points: Sequence[tuple[float, float]], ink: Ink, dashed: bool = False) -> str:
    """A line through all points."""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return (
        f'<polyline points="{places}" class="line" fill="none" stroke="{ink.light}" stroke-width="2.2" '
        f'stroke-linejoin="round" stroke-linecap="round"{dashes}/>'
    )


def mark(x: float, y: float, ink: Ink, tip: str = "", hollow: bool = False, size: float = 4.2) -> str:
    """A point, with words that show when it is pointed at."""
    css = "hollow" if hollow else "mark"
    paint = f'fill="#fff" stroke="{ink.light}" stroke-width="1.8"' if hollow else f'fill="{ink.light}"'
    shape = {
        "circle": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:g}"',
        "square": f'<rect x="{x - size:.1f}" y="{y - size:.1f}" width="{2 * size:g}" height="{2 * size:g}"',
        "triangle": f'<path d="M{x:.1f} {y - 1.25 * size:.1f}l{1.25 * size:g} {2.2 * size:g}h{-2.5 * size:g}z"',
        "diamond": f'<path d="M{x:.1f} {y - 1.35 * size:.1f}l{1.35 * size:g} {1.35 * size:g}'
        f'l{-1.35 * size:g} {1.35 * size:g}l{-1.35 * size:g} {-1.35 * size:g}z"',
    }[ink.mark]
    return f'{shape} class="{css}" {paint}><title>{escape(tip)}</title></{shape[1:].split()[0]}>'


def apart(wanted: Sequence[float], distance: float, low: float, high: float) -> list[float]:
    """Places as near as may be to those wanted, at least ``distance`` from each other, between low and high."""
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    places = [0.0] * len(wanted)
    # Push down from the top, then back up from the bottom: what fits, ends up inside.
    last = low - distance
    for number in order:
        places[number] = last = max(wanted[number], last + distance)
    last = high + distance
    for number in reversed(order):
        places[number] = last = min(places[number], last - distance)
    return places
