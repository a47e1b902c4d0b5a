"""Read a puzzle from whatever holds it."""

from pathlib import Path

from tenjigsaw.errors import InputError
from tenjigsaw.progress import Progress, no_progress
from tenjigsaw.puzzle.archive import archive_description, read_archive, write_archive
from tenjigsaw.puzzle.description import Description
from tenjigsaw.puzzle.folder import folder_description, read_folder, write_folder
from tenjigsaw.puzzle.puzzle import Puzzle
from tenjigsaw.puzzle.sheet import read_sheet


def read_puzzle(path: Path | str, piece: int | None = None, progress: Progress = no_progress) -> Puzzle:
    """A folder of piece pictures, an `.npz` archive, or one shuffled picture with its piece size."""
    path = Path(path)
    if not path.exists():
        raise InputError(f"There is no puzzle at {path}.")
    parted = path.is_dir() or path.suffix.lower() == ".npz"
    if parted and piece is not None:
        raise InputError(f"The pieces of {path} are cut already; --piece is for one shuffled picture.")
    if parted:
        return read_folder(path, progress) if path.is_dir() else read_archive(path)
    if piece is None:
        raise InputError(f"{path} is one file; say how wide its pieces are with --piece.")
    return read_sheet(path, piece)


def stated(path: Path) -> Description:
    """What a puzzle that can be read says of its wear, turns and size; a sheet says nothing."""
    if path.is_dir():
        return folder_description(path)
    return archive_description(path) if path.suffix.lower() == ".npz" else Description()


def write_puzzle(puzzle: Puzzle, path: Path | str, force: bool = False) -> None:
    """To an `.npz` archive if the name ends so, else to a folder of piece pictures."""
    path = Path(path)
    if path.suffix.lower() == ".npz":
        write_archive(puzzle, path, force)
    else:
        write_folder(puzzle, path, force)
