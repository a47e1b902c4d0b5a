"""A folder of piece pictures, with an optional `puzzle.json`."""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from PIL import Image

from tenjigsaw.errors import InputError
from tenjigsaw.files import new_folder
from tenjigsaw.progress import Progress, no_progress
from tenjigsaw.puzzle.description import FILE_NAME, Description, describe, read_description
from tenjigsaw.puzzle.pictures import Picture, read_picture
from tenjigsaw.puzzle.puzzle import Puzzle

# Endings of what a person may take for a picture of a tile, but Pillow by itself may have no reader for.
_TELEPHONES = "avif heic heics heif heifs hif jxl jxr"
_CAMERAS = "3fr arw cr2 cr3 crw dcr dng erf fff iiq kdc mef mos mrw nef nrw orf pef raf raw rw2 rwl sr2 srf srw x3f"
_PROGRAMS = "afphoto ai kra pdf psb psd svg svgz xcf"
_PHOTO_ENDINGS = {f".{ending}" for ending in f"{_TELEPHONES} {_CAMERAS} {_PROGRAMS}".split()}


def read_folder(folder: Path, progress: Progress = no_progress) -> Puzzle:
    """Read every picture of a folder as a piece, in natural order or as `puzzle.json` lists them."""
    description = folder_description(folder)
    paths = [folder / name for name in description.files] or pictures_in(folder)
    if not paths:
        unreadable = unreadable_photos(folder)
        advice = f" that can be read; convert {in_short(unreadable)} to PNG or JPEG" if unreadable else ""
        raise InputError(f"The folder {folder} holds no pictures{advice}.")
    for path in paths:
        if not path.exists():
            raise InputError(f"{folder / FILE_NAME} lists {path.name}, which is not there.")
    pieces = np.stack(_equal_squares(paths, progress))
    try:
        return Puzzle(
            pieces=pieces,
            erosion=description.erosion or 0,
            turned=description.turned or False,
            frame=description.frame,
            truth=description.truth,
            names=tuple(path.name for path in paths),
        )
    except InputError as error:
        if not (folder / FILE_NAME).exists():
            raise
        raise InputError(f"{folder / FILE_NAME} does not fit the pictures; correct it there: {error}") from None


def folder_description(folder: Path) -> Description:
    """What the `puzzle.json` of a folder says, which need not be there."""
    path = folder / FILE_NAME
    return read_description(path) if path.exists() else Description()


def unlisted_pictures(folder: Path) -> list[str]:
    """The pictures of a folder that its `puzzle.json` does not list, and that are therefore no pieces."""
    listed = folder_description(folder).files
    return [picture.name for picture in pictures_in(folder) if picture.name not in listed] if listed else []


def unreadable_photos(folder: Path) -> list[str]:
    """The files of a folder that look like photos but can't be read, unless a picture of the same name can.

    Cameras save a JPEG beside their own format, and who converts a photo leaves it beside the new one.
    """
    read = {picture.stem.lower() for picture in pictures_in(folder)}
    photos = _files_with(_PHOTO_ENDINGS - _readable_endings(), folder)
    return [photo.name for photo in photos if photo.stem.lower() not in read]


def in_short(names: Sequence[str]) -> str:
    """Three names, and how many more there are."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}"


def write_folder(puzzle: Puzzle, folder: Path, force: bool = False) -> None:
    """Write a PNG for each piece and a `puzzle.json`."""
    width = len(str(puzzle.count - 1))
    files = [f"piece-{i:0{width}d}.png" for i in range(puzzle.count)]
    stale = _pieces_written_before(folder) - set(files) if force else set()
    with new_folder(folder, force) as draft:
        for name, piece in zip(files, puzzle.pieces, strict=True):
            Image.fromarray(piece).save(draft / name)
        (draft / FILE_NAME).write_text(describe(puzzle, files), encoding="utf-8")
    for name in stale:
        (folder / name).unlink(missing_ok=True)


def pictures_in(folder: Path) -> list[Path]:
    """The files of a folder whose ending promises a picture, piece-2 before piece-10."""
    return _files_with(_readable_endings(), folder)


def _readable_endings() -> set[str]:
    return {ending for ending, kind in Image.registered_extensions().items() if kind in Image.OPEN}


def _files_with(endings: set[str], folder: Path) -> list[Path]:
    named = [p for p in folder.iterdir() if p.suffix.lower() in endings and not p.name.startswith(".")]
    return sorted((p for p in named if p.is_file()), key=_natural)


def _natural(path: Path) -> tuple[list[tuple[int, str]], str]:
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts], path.name


def _pieces_written_before(folder: Path) -> set[str]:
    """The pieces of an earlier puzzle in this folder, by the names that `write_folder` gives; others stay."""
    with suppress(OSError, InputError):
        listed = read_description(folder / FILE_NAME).files
        return {name for name in listed if re.fullmatch(r"piece-\d+\.png", name)}
    return set()


def _equal_squares(paths: list[Path], progress: Progress) -> list[Picture]:
    pieces: list[Picture] = []
    for done, path in enumerate(paths):
        progress("reading", done / len(paths))
        piece = read_picture(path)
        height, width = piece.shape[:2]
        if height != width:
            raise InputError(f"{path} is {width} x {height} pixels, but pieces must be square.")
        if pieces and piece.shape != pieces[0].shape:
            first = len(pieces[0])
            raise InputError(f"{path} is {width} pixels wide but {paths[0].name} is {first}: pieces must be equal.")
        pieces.append(piece)
    return pieces
