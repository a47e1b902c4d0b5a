"""Pictures of a layout: the reconstruction, how sure its joins are, and which of them are right."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from tenjigsaw.errors import InputError
from tenjigsaw.geometry import RIGHT, turn_picture
from tenjigsaw.layout import Joins, Layout
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.puzzle.pictures import Picture
from tenjigsaw.puzzle.wear import Colour

Worn = Literal["as-is", "colour", "closed"]
WORNS: tuple[str, ...] = get_args(Worn)
GREY: Colour = (128, 128, 128)

# Told apart by people who see colours differently too (Okabe and Ito).
_UNSURE, _SURE = np.array([213, 94, 0]), np.array([0, 158, 115])
_LEGEND_HEIGHT, _LEAST_LEGEND_WIDTH = 26, 160


def render(layout: Layout, puzzle: Puzzle, worn: Worn = "as-is", colour: Colour = GREY) -> Picture:
    """The reconstruction: worn frames as they are, painted in ``colour``, or left out so that the gaps close."""
    check_worn(worn)
    check_same_pieces(layout, puzzle)
    tiles = puzzle.inner if worn == "closed" else puzzle.pieces
    if worn == "colour":
        tiles = np.full_like(puzzle.pieces, colour)
        inner = np.s_[puzzle.erosion : puzzle.size - puzzle.erosion]
        tiles[:, inner, inner] = puzzle.inner
    size = tiles.shape[1]
    picture = np.empty((layout.rows * size, layout.cols * size, 3), dtype=np.uint8)
    picture[:] = colour
    for row, col in np.argwhere(layout.piece >= 0):
        tile = turn_picture(tiles[layout.piece[row, col]], int(layout.turn[row, col]))
        picture[row * size : (row + 1) * size, col * size : (col + 1) * size] = tile
    return picture


def check_worn(worn: str) -> None:
    """Refuse a way to show worn edges that there is not."""
    if worn not in WORNS:
        raise InputError(f"There is no way to show worn edges called {worn!r}; choose from {', '.join(WORNS)}.")


def confidence_picture(layout: Layout, puzzle: Puzzle, confidence: NDArray[np.float64]) -> Picture:
    """The dimmed reconstruction with a bar on each join: green if sure, vermilion if not, and a legend below."""
    joins = layout.joins()
    image = _dimmed(render(layout, puzzle))
    _draw_bars(image, joins, puzzle.size, confidence)
    return np.asarray(_with_legend(image))


def joins_picture(layout: Layout, puzzle: Puzzle, right: NDArray[np.bool_]) -> Picture:
    """The dimmed reconstruction with a bar on each join: green if right, vermilion if wrong."""
    image = _dimmed(render(layout, puzzle))
    _draw_bars(image, layout.joins(), puzzle.size, right.astype(np.float64))
    return np.asarray(image)


def scrambled_picture(puzzle: Puzzle) -> Picture:
    """The pieces in the order and turn in which they came."""
    rows, cols = puzzle.frame or _nearly_square(puzzle.count)
    piece = np.full(rows * cols, -1, dtype=np.int64)
    piece[: puzzle.count] = np.arange(puzzle.count)
    return render(Layout(piece.reshape(rows, cols), np.zeros((rows, cols), dtype=np.int64)), puzzle)


def _nearly_square(count: int) -> tuple[int, int]:
    cols = int(np.ceil(np.sqrt(count)))
    return -(-count // cols), cols


def check_same_pieces(layout: Layout, puzzle: Puzzle) -> None:
    """Refuse a layout of another puzzle."""
    if layout.piece.max(initial=-1) >= puzzle.count:
        raise InputError(f"The layout speaks of piece {layout.piece.max()}, but the puzzle has {puzzle.count} pieces.")


def _dimmed(picture: Picture) -> Image.Image:
    # Looked up: the product of a large picture would take eight times its memory.
    dimmed = (np.arange(256) * 0.6).astype(np.uint8)
    return Image.fromarray(dimmed[picture])


def _shade(share: float) -> tuple[int, int, int]:
    red, green, blue = np.rint(_UNSURE + (_SURE - _UNSURE) * share).astype(int)
    return int(red), int(green), int(blue)


def _draw_bars(image: Image.Image, joins: Joins, size: int, share: NDArray[np.float64]) -> None:
    draw = ImageDraw.Draw(image)
    half_width, half_length = max(1, size // 14), size * 3 // 8
    for row, col, direction, value in zip(joins.row, joins.col, joins.direction, share, strict=True):
        across = direction == RIGHT
        x = (col + 1) * size if across else col * size + size // 2
        y = row * size + size // 2 if across else (row + 1) * size
        wide, high = (half_width, half_length) if across else (half_length, half_width)
        draw.rectangle([int(x - wide), int(y - high), int(x + wide - 1), int(y + high - 1)], fill=_shade(float(value)))


def _with_legend(image: Image.Image) -> Image.Image:
    width = max(image.width, _LEAST_LEGEND_WIDTH)
    whole = Image.new("RGB", (width, image.height + _LEGEND_HEIGHT), (24, 24, 24))
    whole.paste(image, (0, 0))
    draw = ImageDraw.Draw(whole)
    left, right, top = 52, min(width - 40, 252), image.height + 8
    for x in range(left, right):
        draw.line([x, top, x, top + 10], fill=_shade((x - left) / (right - left - 1)))
    draw.text((6, top - 1), "unsure", fill=(230, 230, 230))
    draw.text((right + 6, top - 1), "sure", fill=(230, 230, 230))
    return whole
