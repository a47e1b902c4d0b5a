"""The training pictures: any folder of them, held in memory as 8-bit RGB."""

from pathlib import Path

from PIL import Image

from tenjigsaw.errors import InputError
from tenjigsaw.puzzle.pictures import Picture, read_picture


def find_pictures(folder: Path) -> list[Path]:
    """All pictures in a folder and the folders in it, in a fixed order, told by their file names."""
    if not folder.is_dir():
        raise InputError(f"There is no folder {folder}.")
    known = Image.registered_extensions()
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in known and path.is_file())
    if not found:
        raise InputError(f"The folder {folder} holds no pictures.")
    return found


def load_pictures(folder: Path, piece: int, most: int | None = None) -> list[Picture]:
    """The pictures of a folder that hold at least two pieces; ``most`` takes the first few only."""
    pictures = [read_picture(path) for path in find_pictures(folder)[:most]]
    usable = [picture for picture in pictures if holds_a_join(picture, piece)]
    if not usable:
        raise InputError(f"No picture in {folder} is as large as two pieces of {piece} x {piece} pixels.")
    return usable


def holds_a_join(picture: Picture, piece: int) -> bool:
    """Whether at least two whole pieces fit side by side."""
    rows, cols = picture.shape[0] // piece, picture.shape[1] // piece
    return bool(rows * cols >= 2)
