"""A film of a puzzle coming together: the surest joins first, clusters that grow and move as one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tenjigsaw.errors import InputError
from tenjigsaw.layout import Layout
from tenjigsaw.progress import Progress, no_progress
from tenjigsaw.puzzle import Puzzle

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FRAMES_A_SECOND = 16
FORMATS = {".webp": "WEBP", ".gif": "GIF"}
SHORTEST, LONGEST = 0.1, 120.0  # seconds

_SETTINGS: dict[str, dict[str, Any]] = {"WEBP": {"quality": 60, "method": 4}, "GIF": {"optimize": True}}
_PAPER = (32, 34, 38)
_MARGIN = 0.6  # around the whole, in cells
_REST, _CLOSING, _LAST = 0.8, 0.7, 2.5  # seconds: before anything moves, while gaps close, and at the end
_SMALL = 0.04  # clusters of this share of all pieces are on their way to the place where they end
_FLYING = 0.15  # cells a second
_STIFFNESS = 5.0  # how fast pieces follow their cluster; the higher, the faster


@dataclass(frozen=True, eq=False)
class Moment:
    """All pieces at a moment: middles (N, 2) as row and column in cells, turns in degrees and heights, both (N,).

    What is higher hides what is lower.
    """

    places: Floats
    degrees: Floats
    heights: Floats


def cluster_steps(layout: Layout, confidence: Floats) -> list[Ints]:
    """(N,) for each step: the cluster of every piece after the next surest join that ties two clusters together."""
    joins = layout.joins()
    cluster = np.arange(int(layout.piece.max()) + 1)
    steps = [cluster]
    for join in np.argsort(-confidence, kind="stable"):
        one, other = cluster[joins.one[join] // 4], cluster[joins.other[join] // 4]
        if one != other:
            cluster = np.where(cluster == max(one, other), min(one, other), cluster)
            steps.append(cluster)
    return steps


def save_film(
    puzzle: Puzzle,
    layout: Layout,
    steps: Sequence[Ints],
    path: Path,
    *,
    width: int = 480,
    seconds: float = 8.0,
    progress: Progress = no_progress,
) -> None:
    """Write the film to ``path``; pieces join for ``seconds``, then it rests on the finished picture and starts anew.

    ``steps`` are those of `cluster_steps`.
    """
    kind = check_kind(path)
    check_seconds(seconds)
    moments = list(_moments(layout, steps, seconds))
    frames = []
    for number, (moment, closed) in enumerate(moments):
        frames.append(draw_moment(puzzle, layout, moment, width, closed))
        progress("drawing", (number + 1) / len(moments))
    usual = 1000 // FRAMES_A_SECOND
    durations = [int(1000 * _REST), *[usual] * (len(frames) - 2), int(1000 * _LAST)]
    rest, settings = frames[1:], _SETTINGS[kind]
    progress("writing", 0.0)
    frames[0].save(path, kind, save_all=True, append_images=rest, duration=durations, loop=0, **settings)


def check_seconds(seconds: float) -> None:
    """Refuse a film that is over before anyone sees it, or that takes hours to draw."""
    if not SHORTEST <= seconds <= LONGEST:
        allowed = f"{SHORTEST:g} to {LONGEST:g}"
        raise InputError(f"Pieces can take from {allowed} seconds to come together, not {seconds:.12g}.")


def check_kind(path: Path) -> str:
    """The kind of film that a file name asks for, as Pillow calls it."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"A film is a .webp or a .gif file, which {path.name} is not.")
    return FORMATS[path.suffix.lower()]


def draw_moment(puzzle: Puzzle, layout: Layout, moment: Moment, width: int, closed: float) -> Image.Image:
    """One frame; ``closed`` says how far the gaps that wear has left are closed, from 0 to 1."""
    scale = width / (layout.cols + 2 * _MARGIN)
    height = round((layout.rows + 2 * _MARGIN) * scale)
    frame = Image.new("RGB", (width, height), _PAPER)
    left = puzzle.inner.shape[1] / puzzle.size
    side = scale * (left + (1.04 - left) * closed)
    for piece in np.argsort(moment.heights, kind="stable"):
        if not np.isfinite(moment.places[piece]).all():
            continue
        tile = _turned(puzzle.inner[piece], side, float(moment.degrees[piece]))
        row, col = (moment.places[piece] + _MARGIN) * scale
        frame.paste(tile, (round(col - tile.width / 2), round(row - tile.height / 2)), tile)
    return frame


def final_places(layout: Layout) -> Floats:
    """(N, 2): the middle of each piece's cell as row and column; NaN for pieces that are not laid."""
    places = np.full((int(layout.piece.max()) + 1, 2), np.nan)
    row, col = np.nonzero(layout.piece >= 0)
    places[layout.piece[row, col]] = np.stack([row, col], axis=1) + 0.5
    return places


def first_places(layout: Layout) -> Floats:
    """(N, 2): the pieces in the order in which they came, in the cells that will be filled."""
    final = final_places(layout)
    laid = np.isfinite(final[:, 0])
    cells = final[laid]
    first = final.copy()
    first[laid] = cells[np.lexsort((cells[:, 1], cells[:, 0]))]
    return first


def _moments(layout: Layout, steps: Sequence[Ints], seconds: float) -> Iterator[tuple[Moment, float]]:
    """Every moment of the film, with how far the gaps are closed."""
    final, first = final_places(layout), first_places(layout)
    turns = np.zeros(len(final))
    row, col = np.nonzero(layout.piece >= 0)
    turns[layout.piece[row, col]] = 90.0 * layout.turn[row, col]
    # The short way round: a piece with three turns to go takes one back.
    turns = (turns + 180) % 360 - 180
    flat = np.zeros(len(final))
    place, speed, angle, spin = first, np.zeros_like(first), flat, flat
    yield Moment(first, flat, flat), 0.0
    joining = max(1, round(seconds * FRAMES_A_SECOND))
    settling = round(1.4 * FRAMES_A_SECOND)
    for frame in range(joining + settling):
        # Few joins at first, then ever more at once.
        share = min(1.0, (frame + 1) / joining)
        cluster = steps[min(len(steps) - 1, round((len(steps) - 1) * share**1.6))]
        members = np.bincount(cluster, minlength=len(cluster))[cluster]
        # In the end everything goes where it belongs, islands and single pieces too.
        astray = frame < joining
        place, speed = _follow(place, speed, final + astray * _shift_of_clusters(cluster, first - final))
        angle, spin = _follow(angle, spin, np.where(astray & (members == 1), 0.0, turns))
        # Clusters lie on single pieces, and whatever moves flies over both.
        flying = np.hypot(*speed.T) > _FLYING
        yield Moment(place, angle, members + len(final) * flying), 0.0
    closing = max(1, round(_CLOSING * FRAMES_A_SECOND))
    for frame in range(closing):
        share = (frame + 1) / closing
        yield Moment(final, turns, flat), share * share * (3 - 2 * share)


def _shift_of_clusters(cluster: Ints, shift: Floats) -> Floats:
    """(N, 2): how far each piece's cluster is from its final place.

    Small ones gather where their pieces lie, on the average, and move towards the place where they end as they grow.
    """
    laid = np.isfinite(shift[:, 0])
    members = np.bincount(cluster[laid], minlength=len(cluster))
    sums = np.stack([np.bincount(cluster[laid], axis[laid], minlength=len(cluster)) for axis in shift.T], axis=1)
    grown = np.exp((1 - members) / (_SMALL * laid.sum()))
    mean: Floats = (sums * (grown / np.maximum(members, 1))[:, None])[cluster]
    return mean


def _follow(value: Floats, speed: Floats, goal: Floats) -> tuple[Floats, Floats]:
    """A step of a spring that never swings over: it starts softly, also when the goal has moved."""
    step = 1 / FRAMES_A_SECOND
    # Exact for a goal that stands still, so that no length of a step can make it swing.
    decay = np.exp(-_STIFFNESS * step)
    off = value - goal
    push = (speed + _STIFFNESS * off) * step
    return goal + (off + push) * decay, (speed - _STIFFNESS * push) * decay


def _turned(tile: NDArray[np.uint8], side: float, degrees: float) -> Image.Image:
    """The tile at its size, turned clockwise, clear around it."""
    picture = Image.fromarray(tile).convert("RGBA")
    size = max(1, round(side))
    if degrees % 90:
        # Turned first and made smaller after: the other way round the edges would be ragged.
        picture = picture.resize((3 * size, 3 * size), Image.Resampling.BICUBIC)
        picture = picture.rotate(-degrees, Image.Resampling.BICUBIC, expand=True)
        return picture.resize((max(1, picture.width // 3), max(1, picture.height // 3)), Image.Resampling.BOX)
    return picture.resize((size, size), Image.Resampling.LANCZOS).rotate(-degrees, expand=True)
