"""A whole puzzle in one `.npz` file."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.errors import InputError
from tenjigsaw.files import new_file
from tenjigsaw.puzzle.description import Description
from tenjigsaw.puzzle.puzzle import Puzzle, Truth

MOST_BYTES = 8 << 30


def write_archive(puzzle: Puzzle, path: Path, force: bool = False) -> None:
    """Write pieces, erosion, turned and, where known, frame, truth and names."""
    arrays: dict[str, NDArray[Any]] = {
        "pieces": puzzle.pieces,
        "erosion": np.array(puzzle.erosion),
        "turned": np.array(puzzle.turned),
    }
    if puzzle.frame is not None:
        arrays["frame"] = np.array(puzzle.frame)
    if puzzle.truth is not None:
        truth = puzzle.truth
        arrays["truth_frame"] = np.array([truth.rows, truth.cols])
        arrays["truth"] = np.stack([truth.row, truth.col, truth.turn])
    if puzzle.names:
        arrays["names"] = np.array(puzzle.names)
    # numpy adds an ending to a name that it does not like, but not to an open file.
    with new_file(path, force) as draft, draft.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def read_archive(path: Path) -> Puzzle:
    """Read what `write_archive` wrote; pieces alone are enough."""
    try:
        _refuse_bombs(path)
        with np.load(path, allow_pickle=False) as archive:
            return _assemble({name: archive[name] for name in archive.files})
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (FileNotFoundError, PermissionError):
        raise
    except Exception as error:  # damaged zip members raise zlib, struct, EOF and value errors alike
        reason = str(error).strip().rstrip(".") or "it is damaged"
        raise InputError(f"{path} is not a puzzle archive: {reason.splitlines()[0]}.") from None


def archive_description(path: Path) -> Description:
    """What an archive that can be read says of wear, turns and size."""
    with np.load(path, allow_pickle=False) as archive:
        said = {name: archive[name] for name in ("erosion", "turned", "frame") if name in archive.files}
    return Description(
        erosion=int(said["erosion"]) if "erosion" in said else None,
        turned=bool(said["turned"]) if "turned" in said else None,
        frame=_pair(said.get("frame")),
    )


def _refuse_bombs(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        claimed = sum(member.file_size for member in archive.infolist())
    if claimed > MOST_BYTES:
        raise InputError(f"the archive claims {claimed:,} bytes unpacked and was not opened.")


def _assemble(arrays: dict[str, NDArray[Any]]) -> Puzzle:
    if "pieces" not in arrays:
        raise InputError('the archive has no array "pieces".')
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray):  # numpy hands out as bytes what has no header of an array
            raise InputError(f'the archive\'s "{name}" is not an array.')
    truth_frame = _numbers(arrays, "truth_frame", (2,))
    return Puzzle(
        pieces=_as_pixels(arrays["pieces"]),
        erosion=int(_numbers(arrays, "erosion", ()) or 0),
        turned=bool(_numbers(arrays, "turned", ()) or False),
        frame=_pair(_numbers(arrays, "frame", (2,))),
        truth=_truth(arrays, truth_frame) if truth_frame is not None else None,
        names=tuple(str(name) for name in np.atleast_1d(arrays["names"])) if "names" in arrays else (),
    )


def _as_pixels(pieces: NDArray[Any]) -> NDArray[np.uint8]:
    """8 bits as they are; floats must be numbers in 0..1."""
    if np.issubdtype(pieces.dtype, np.floating):
        if not np.isfinite(pieces).all():
            raise InputError("the pieces hold values that are not a number.")
        if pieces.size and (pieces.min() < 0 or pieces.max() > 1):
            raise InputError("pieces stored as floats must lie between 0 and 1.")
        pieces = np.rint(pieces * 255).astype(np.uint8)
    return pieces


def _numbers(arrays: dict[str, NDArray[Any]], name: str, shape: tuple[int, ...]) -> NDArray[np.int64] | None:
    if name not in arrays:
        return None
    array = arrays[name]
    if array.dtype.kind not in "iub" or array.shape != shape:
        raise InputError(f'the array "{name}" must hold whole numbers of shape {shape}.')
    return array.astype(np.int64)


def _pair(array: NDArray[np.int64] | None) -> tuple[int, int] | None:
    return None if array is None else (int(array[0]), int(array[1]))


def _truth(arrays: dict[str, NDArray[Any]], frame: NDArray[np.int64]) -> Truth:
    places = _numbers(arrays, "truth", (3, len(arrays["pieces"])))
    if places is None:
        raise InputError('the archive has "truth_frame" but no "truth".')
    return Truth(int(frame[0]), int(frame[1]), places[0], places[1], places[2])
