"""One picture of shuffled pieces laid edge to edge."""

from dataclasses import replace
from pathlib import Path

from tenjigsaw.errors import InputError
from tenjigsaw.puzzle.cut import cut, remainder
from tenjigsaw.puzzle.pictures import read_picture
from tenjigsaw.puzzle.puzzle import Puzzle


def read_sheet(path: Path, size: int) -> Puzzle:
    """Take a picture apart into pieces of ``size``; the order on the sheet tells nothing about the truth."""
    picture = read_picture(path)
    puzzle = cut(picture, size)
    if any(remainder(picture, size)):
        raise InputError(
            f"{path} is {picture.shape[1]} x {picture.shape[0]} pixels, which is not a whole number of "
            f"{size}-pixel pieces."
        )
    return replace(puzzle, truth=None)
