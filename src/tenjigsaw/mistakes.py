"""A picture of the wrong joins that tell most: both edges enlarged, beside the true neighbours."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tenjigsaw.evaluation import right_joins
from tenjigsaw.geometry import LEFT, RIGHT, turn_picture
from tenjigsaw.layout import Layout
from tenjigsaw.measures import Scores
from tenjigsaw.measures.scores import symmetric
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.puzzle.pictures import Picture

NO_PARTNER = -1

_PAPER, _INK, _FAINT = (24, 24, 24), (232, 232, 232), (160, 160, 160)
# Told apart by people who see colours differently too (Okabe and Ito).
_WRONG, _TRUE = (213, 94, 0), (0, 158, 115)
_VIEW_SIDE = 112
_GAP, _BORDER, _CAPTION, _HEADING = 12, 3, 20, 40
_COLUMN = 2 * (_VIEW_SIDE + 2 * _BORDER) + _GAP
_CARD = _VIEW_SIDE + 2 * _BORDER + _CAPTION


@dataclass(frozen=True)
class Mistake:
    """A wrong join of edges ``left`` and ``right``, and the true join of one of them, if it has one."""

    left: int
    right: int
    cost: float
    true_left: int = NO_PARTNER
    true_right: int = NO_PARTNER
    true_cost: float = np.inf


def find_mistakes(puzzle: Puzzle, layout: Layout, scores: Scores) -> list[Mistake]:
    """Every wrong join, the most costly first; none if the truth is unknown."""
    if puzzle.truth is None:
        return []
    joins, scores = layout.joins(), symmetric(scores)
    wrong = ~right_joins(layout, puzzle.truth)
    one, other, partners = joins.one[wrong], joins.other[wrong], puzzle.truth.partners()
    # At the border of the picture an edge has no partner; the edge across may have one.
    from_one = partners[one] != NO_PARTNER
    true_left, true_right = np.where(from_one, one, partners[other]), np.where(from_one, partners[one], other)
    known = (true_left != NO_PARTNER) & (true_right != NO_PARTNER)
    cost = scores.cost(one, other)
    true_cost = np.where(known, scores.cost(true_left, true_right), np.inf)
    return [
        Mistake(int(one[i]), int(other[i]), float(cost[i]), int(true_left[i]), int(true_right[i]), float(true_cost[i]))
        if known[i]
        else Mistake(int(one[i]), int(other[i]), float(cost[i]))
        for i in np.argsort(-cost, kind="stable")
    ]


def draw_mistakes(puzzle: Puzzle, layout: Layout, scores: Scores, count: int = 8) -> Image.Image | None:
    """Up to ``count`` wrong joins enlarged: the most costly on the left, on the right those that looked best.

    The first are places where the solver had nothing better left; the others are where the measure was fooled.
    None if there are no wrong joins or the truth is unknown.
    """
    mistakes = find_mistakes(puzzle, layout, scores)
    shown = min(count, len(mistakes))
    if shown < 1:
        return None
    most_costly = mistakes[: -(-shown // 2)]
    looked_best = mistakes[::-1][: shown // 2]
    columns = {"Most costly": most_costly} | ({"Looked best, yet wrong": looked_best} if looked_best else {})
    width = _GAP + len(columns) * (_COLUMN + 2 * _GAP) - _GAP
    sheet = Image.new("RGB", (width, _HEADING + len(most_costly) * (_CARD + _GAP)), _PAPER)
    for number, (heading, column) in enumerate(columns.items()):
        left = _GAP + number * (_COLUMN + 2 * _GAP)
        _write(sheet, (left, 11), heading, _INK, 15)
        for row, mistake in enumerate(column):
            _draw_card(sheet, (left, _HEADING + row * (_CARD + _GAP)), puzzle, mistake)
    return sheet


def _draw_card(sheet: Image.Image, corner: tuple[int, int], puzzle: Puzzle, mistake: Mistake) -> None:
    left, top = corner
    below = top + _VIEW_SIDE + 2 * _BORDER + 2
    second = left + _VIEW_SIDE + 2 * _BORDER + _GAP
    _draw_view(sheet, (left, top), _meeting(puzzle, mistake.left, mistake.right), _WRONG)
    _write(sheet, (left, below), f"joined, {_in_words(mistake.cost)}", _FAINT, 12)
    if mistake.true_left == NO_PARTNER:
        _write(sheet, (second, top + _VIEW_SIDE // 2), "both at a border", _FAINT, 12)
        return
    _draw_view(sheet, (second, top), _meeting(puzzle, mistake.true_left, mistake.true_right), _TRUE)
    _write(sheet, (second, below), f"true, {_in_words(mistake.true_cost)}", _FAINT, 12)


def _meeting(puzzle: Puzzle, left: int, right: int) -> Picture:
    """(P, P, 3): the halves of two pieces that meet when the edges ``left`` and ``right`` are joined."""
    half = puzzle.size // 2
    return np.concatenate([_facing(puzzle, left, RIGHT)[:, -half:], _facing(puzzle, right, LEFT)[:, :half]], axis=1)


def _facing(puzzle: Puzzle, edge: int, direction: int) -> NDArray[np.uint8]:
    return turn_picture(puzzle.pieces[edge // 4], (direction - edge) % 4)


def _draw_view(sheet: Image.Image, corner: tuple[int, int], view: Picture, colour: tuple[int, int, int]) -> None:
    left, top = corner
    enlarged = Image.fromarray(view).resize((_VIEW_SIDE, _VIEW_SIDE), Image.Resampling.NEAREST)
    whole = _VIEW_SIDE + 2 * _BORDER
    ImageDraw.Draw(sheet).rectangle([left, top, left + whole - 1, top + whole - 1], fill=colour)
    sheet.paste(enlarged, (left + _BORDER, top + _BORDER))


def _write(sheet: Image.Image, corner: tuple[int, int], text: str, colour: tuple[int, int, int], size: int) -> None:
    ImageDraw.Draw(sheet).text(corner, text, fill=colour, font=ImageFont.load_default(size))


def _in_words(cost: float) -> str:
    return f"cost {cost:.3g}" if np.isfinite(cost) else "not among the best"
