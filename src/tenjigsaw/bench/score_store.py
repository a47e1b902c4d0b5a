"""Scores that were computed once, kept on disk up to a limit."""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.files import new_file, remove_abandoned
from tenjigsaw.measures import DenseScores, Scores
from tenjigsaw.measures.fingerprint import fingerprint
from tenjigsaw.measures.scores import SparseScores
from tenjigsaw.puzzle import Puzzle

_FORMS = {form.__name__: form for form in (DenseScores, SparseScores)}
_UNREADABLE = (OSError, EOFError, KeyError, TypeError, ValueError, BadZipFile)


class Scored(NamedTuple):
    """Scores, and how long it took to compute them, now or then."""

    scores: Scores
    seconds: float


def default_folder() -> Path:
    """The user's folder for things that can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tenjigsaw" / "scores"


@dataclass(frozen=True)
class ScoreStore:
    """A folder that holds at most so many bytes of scores; those not used for longest go first.

    Any number of processes may share one. A file that can't be read or written is as good as none.
    """

    folder: Path
    limit: int

    def scored(self, puzzle: Puzzle, measure: str, compute: Callable[[], Scored]) -> Scored:
        """The scores of the puzzle, from disk if they are there, else computed and kept."""
        version = fingerprint(measure) if self.limit > 0 else None
        if version is None:
            return compute()
        path = self.folder / f"{_hash_of(puzzle, version)}.npz"
        with suppress(*_UNREADABLE):
            found = _read(path)
            os.utime(path)
            return found
        fresh = compute()
        if fresh.scores.values.nbytes <= self.limit:
            with suppress(OSError, InputError):
                _write(path, fresh)
                self.trim()
        return fresh

    def trim(self) -> None:
        """Remove files until the rest fits."""
        remove_abandoned(self.folder)
        files = []
        for path in self.folder.glob("*.npz"):
            with suppress(OSError):  # another process may have removed it
                status = path.stat()
                files.append((status.st_mtime_ns, status.st_size, path))
        held = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if held <= self.limit:
                break
            path.unlink(missing_ok=True)
            held -= size


def _hash_of(puzzle: Puzzle, version: str) -> str:
    pieces = np.ascontiguousarray(puzzle.pieces)
    about = f"{version} {pieces.shape} {puzzle.erosion} {puzzle.turned}"
    return hashlib.sha256(about.encode() + pieces.tobytes()).hexdigest()


def _write(path: Path, scored: Scored) -> None:
    parts = {field.name: getattr(scored.scores, field.name) for field in fields(scored.scores)}
    with new_file(path, force=True) as draft:
        np.savez(draft, form=type(scored.scores).__name__, seconds=scored.seconds, **parts)


def _read(path: Path) -> Scored:
    with np.load(path, allow_pickle=False) as held:
        form = _FORMS[str(held["form"])]
        parts = {field.name: held[field.name] for field in fields(form)}
        plain = {name: part if part.ndim else part.item() for name, part in parts.items()}
        return Scored(form(**plain), float(held["seconds"]))
