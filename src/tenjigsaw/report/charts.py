"""Three kinds of charts: lines, labelled points, and a strip of points for each row."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import mean

from tenjigsaw.report import svg
from tenjigsaw.report.axes import Axis, fit_axis, in_short
from tenjigsaw.report.labels import place_labels
from tenjigsaw.report.palette import Ink

_TOP, _BOTTOM, _LEFT, _RIGHT = 50, 48, 50, 20
_HEIGHT = 340
_LABEL_DISTANCE = 14.0


@dataclass(frozen=True)
class Series:
    """A line: its points from left to right and, if given, how far each may be off."""

    name: str
    ink: Ink
    points: Sequence[tuple[float, float]]
    spread: Sequence[float] = ()
    dashed: bool = False


@dataclass(frozen=True)
class Point:
    """A single result with its label."""

    label: str
    tip: str
    ink: Ink
    x: float
    y: float


@dataclass(frozen=True)
class Strip:
    """All values of one way to do it."""

    name: str
    ink: Ink
    values: Sequence[float]
    tips: Sequence[str] = ()


@dataclass(frozen=True)
class Frame:
    """What surrounds a chart: the words, and how its axes run."""

    title: str
    description: str
    x_label: str
    y_label: str = ""
    logarithmic: tuple[bool, bool] = (False, False)
    x_ticks: Sequence[float] = field(default=())
    y_floor: float | None = None


def line_chart(frame: Frame, lines: Sequence[Series]) -> str:
    """A line for each series, with its name at the end instead of in a legend."""
    right = _RIGHT + max(len(one.name) for one in lines) * svg.CHARACTER + 12
    lows_and_highs = [
        y + sign * off
        for one in lines
        for (_, y), off in zip(one.points, one.spread or [0.0] * len(one.points), strict=True)
        for sign in (-1, 1)
    ]
    axes = _axes(frame, [x for one in lines for x, _ in one.points], lows_and_highs, right)
    body = _grid(frame, *axes)
    ends = [axes[1].place(one.points[-1][1]) for one in lines]
    for one, label_y in zip(lines, svg.apart(ends, _LABEL_DISTANCE, _TOP, _HEIGHT - _BOTTOM), strict=True):
        body.append(svg.inked(one.ink, _drawn_line(one, *axes, label_y)))
    return svg.document(frame.title, frame.description, _HEIGHT, body)


def point_chart(frame: Frame, points: Sequence[Point]) -> str:
    """Labelled points, such as accuracy against time."""
    axes = _axes(frame, [one.x for one in points], [one.y for one in points], _RIGHT)
    body = _grid(frame, *axes)
    places = [(axes[0].place(one.x), axes[1].place(one.y)) for one in points]
    widths = [len(one.label) * svg.CHARACTER for one in points]
    labels = place_labels(places, widths, _TOP, _HEIGHT - _BOTTOM, _LEFT)
    for one, (x, y), (label_x, label_y, anchor) in zip(points, places, labels, strict=True):
        label = svg.text(label_x, label_y + 4, one.label, anchor, "name")
        body.append(svg.inked(one.ink, [svg.mark(x, y, one.ink, one.tip, size=5), label]))
    return svg.document(frame.title, frame.description, _HEIGHT, body)


def strip_chart(frame: Frame, strips: Sequence[Strip]) -> str:
    """A row for each strip: every value as a faint point, the mean as a bar's end with its number."""
    left = max(len(one.name) for one in strips) * svg.CHARACTER + 28
    height = _TOP + len(strips) * 34 + _BOTTOM
    axis = Axis(0, 100, left, svg.WIDTH - 60)
    bottom = height - _BOTTOM
    body = [svg.line(axis.place(tick), _TOP - 6, axis.place(tick), bottom, "grid") for tick in axis.ticks()]
    body += [svg.text(axis.place(tick), bottom + 18, in_short(tick), "middle") for tick in axis.ticks()]
    body.append(svg.text(svg.WIDTH - 60, height - 10, frame.x_label, "end"))
    for number, one in enumerate(strips):
        y = _TOP + number * 34 + 14
        middle = mean(one.values)
        tips = one.tips or [f"{value:.1f}" for value in one.values]
        bar = f'<rect x="{left:.1f}" y="{y - 9}" width="{max(0.5, axis.place(middle) - left):.1f}" height="18" rx="2"'
        parts = [f'{bar} class="mark" fill="{one.ink.light}" fill-opacity=".28"/>']
        parts += [f'<g opacity=".75">{_small_marks(one, axis, y, tips)}</g>']
        parts.append(svg.line(axis.place(middle), y - 11, axis.place(middle), y + 11, "line", _thick(one.ink)))
        body.append(svg.inked(one.ink, parts))
        body.append(svg.text(left - 10, y + 4, one.name, "end"))
        body.append(svg.text(svg.WIDTH - 14, y + 4, f"{middle:.1f}", "end", extra=' font-weight="600"'))
    return svg.document(frame.title, frame.description, height, body)


def _small_marks(strip: Strip, axis: Axis, y: float, tips: Sequence[str]) -> str:
    return "".join(
        svg.mark(axis.place(value), y, strip.ink, tip, size=2.6) for value, tip in zip(strip.values, tips, strict=True)
    )


def _thick(ink: Ink) -> str:
    return f' stroke="{ink.light}" stroke-width="2.5"'


def _axes(frame: Frame, xs: Sequence[float], ys: Sequence[float], right: float) -> tuple[Axis, Axis]:
    log_x, log_y = frame.logarithmic
    across = fit_axis(xs, _LEFT, svg.WIDTH - right, log_x)
    upwards = fit_axis(ys, _HEIGHT - _BOTTOM, _TOP, log_y, frame.y_floor)
    return across, upwards


def _grid(frame: Frame, across: Axis, upwards: Axis) -> list[str]:
    bottom = _HEIGHT - _BOTTOM
    body = []
    for tick in upwards.ticks():
        y = upwards.place(tick)
        body += [svg.line(across.start, y, across.end, y, "grid"), svg.text(_LEFT - 8, y + 4, in_short(tick), "end")]
    body.append(svg.line(across.start, bottom, across.end, bottom, "axis"))
    for tick in frame.x_ticks or across.ticks():
        x = across.place(tick)
        body += [svg.line(x, bottom, x, bottom + 4, "axis"), svg.text(x, bottom + 18, in_short(tick), "middle")]
    body.append(svg.text(across.end, _HEIGHT - 10, frame.x_label, "end"))
    body.append(svg.text(16, _TOP - 8, frame.y_label))
    return body


def _drawn_line(one: Series, across: Axis, upwards: Axis, label_y: float) -> list[str]:
    places = [(across.place(x), upwards.place(y)) for x, y in one.points]
    parts = []
    for (x, _), (_, y), off in zip(places, one.points, one.spread, strict=False):
        whisker = ' stroke-width="1.4" opacity=".55"' + f' stroke="{one.ink.light}"'
        parts.append(svg.line(x, upwards.place(y - off), x, upwards.place(y + off), "line", whisker))
    parts.append(svg.path(places, one.ink, one.dashed))
    few = len(places) <= 20
    parts += [
        svg.mark(x, y, one.ink, f"{one.name}: {in_short(raw_x)}, {raw_y:.4g}", hollow=one.dashed)
        for (x, y), (raw_x, raw_y) in zip(places, one.points, strict=True)
        if few
    ]
    end_x, end_y = places[-1]
    if abs(label_y - end_y) > 3:
        parts.append(svg.line(end_x + 6, end_y, across.end + 8, label_y, "line", f' stroke="{one.ink.light}"'))
    parts.append(svg.text(across.end + 10, label_y + 4, one.name, css="name"))
    return parts
