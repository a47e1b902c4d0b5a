"""The pictures of a bench: each drawn puzzle before and after, its joins, and what went wrong."""

from io import BytesIO

from PIL import Image

from tenjigsaw.evaluation import right_joins
from tenjigsaw.evaluation.metrics import upright
from tenjigsaw.layout import Layout
from tenjigsaw.measures import Scores
from tenjigsaw.mistakes import draw_mistakes
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.puzzle.pictures import Picture
from tenjigsaw.rendering import joins_picture, render, scrambled_picture

LONGEST_SIDE, QUALITY = 640, 82


def draw_solved(key: str, puzzle: Puzzle, layout: Layout, scores: Scores) -> dict[str, bytes]:
    """WebP files by name: KEY-before, KEY-after, KEY-joins, and KEY-mistakes where there are any."""
    assert puzzle.truth is not None
    standing = upright(layout, puzzle.truth) if puzzle.turned else layout
    drawn: dict[str, Picture | Image.Image | None] = {
        "before": scrambled_picture(puzzle),
        "after": render(standing, puzzle),
        "joins": joins_picture(standing, puzzle, right_joins(standing, puzzle.truth)),
        "mistakes": draw_mistakes(puzzle, standing, scores),
    }
    return {f"{key}-{what}.webp": webp(picture) for what, picture in drawn.items() if picture is not None}


def webp(picture: Picture | Image.Image) -> bytes:
    """The picture, made smaller where it is large, as the bytes of a WebP file."""
    image = picture.copy() if isinstance(picture, Image.Image) else Image.fromarray(picture)
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    file = BytesIO()
    image.save(file, "WEBP", quality=QUALITY)
    return file.getvalue()
