"""Step 1: from a picture or a folder of tiles to pieces."""

from tenjigsaw.puzzle.cut import cut, remainder
from tenjigsaw.puzzle.pictures import read_picture
from tenjigsaw.puzzle.puzzle import Puzzle, Truth
from tenjigsaw.puzzle.read import read_puzzle, write_puzzle
from tenjigsaw.puzzle.scramble import drop, shuffle, turn
from tenjigsaw.puzzle.wear import erode

__all__ = [
    "Puzzle",
    "Truth",
    "cut",
    "drop",
    "erode",
    "read_picture",
    "read_puzzle",
    "remainder",
    "shuffle",
    "turn",
    "write_puzzle",
]
