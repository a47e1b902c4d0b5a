"""Write files and folders so that they appear whole or not at all; read text."""

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from tenjigsaw.errors import InputError

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]  # whoever uses it asks first

Document = TypeVar("Document")

_ASIDE = ".tenjigsaw-"
_ABANDONED_SECONDS = 3600.0


@contextmanager
def new_file(path: Path, force: bool = False) -> Iterator[Path]:
    """Yield a place to write beside ``path``; rename it to ``path`` once the block has ended well."""
    refuse_existing(path, force)
    with _folder_aside(path.parent) as aside:
        draft = aside / path.name
        yield draft
        draft.replace(path)


@contextmanager
def new_folder(path: Path, force: bool = False) -> Iterator[Path]:
    """Yield an empty folder to fill; its files move into ``path`` once the block has ended well.

    Files of the same names in an existing ``path`` are replaced only with ``force``; other files stay.
    """
    _refuse_file(path)
    # An existing folder may be a link or a disk of its own, so what moves into it is written inside it.
    with _folder_aside(path if path.exists() else path.parent) as aside:
        draft = aside / "draft"
        draft.mkdir()
        yield draft
        for file in sorted(draft.iterdir()):
            refuse_existing(path / file.name, force)
        if path.exists():
            for file in sorted(draft.iterdir()):
                file.replace(path / file.name)
        else:
            draft.replace(path)


@contextmanager
def only_user_of(folder: Path) -> Iterator[None]:
    """Refuse a folder that another process is at work in; it is free again when that ends, however it ends.

    The folder is made if it is not there, and goes again if nothing was put into it.
    """
    _refuse_file(folder)
    _refuse_unwritable(folder)
    with _parents_made(folder):
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
        try:
            _lock(handle, folder)
            yield
        finally:
            os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"Another process is at work in {folder}; wait for it, or give another folder.") from None
    except OSError:  # some network disks know no locks
        return


def read_text(path: Path) -> str:
    """The text of a file that a user named."""
    try:
        return path.read_text(encoding="utf-8-sig")  # some programs begin a file with a mark that is no text
    except OSError as error:
        raise InputError(f"{path} can't be read: {(error.strerror or str(error)).lower()}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a text file.") from None


def read_document(path: Path, parse: Callable[[str], Document]) -> Document:
    """What a file that a user named holds; what is wrong with it is told with its name."""
    text = read_text(path)
    try:
        return parse(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def document_in(text: str, form: str, what: str) -> dict[str, Any]:
    """The JSON object in a text that names its format; ``what`` it is that the file should hold, in words."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"The file is not valid JSON: {str(error).splitlines()[0]}.") from None
    if not isinstance(document, dict) or document.get("format") != form:
        raise InputError(f'The file holds no {what}: it must hold "format": "{form}".')
    return document


def check_file(path: Path, force: bool) -> None:
    """Refuse, before any long work, a path that `new_file` would refuse after it."""
    refuse_existing(path, force)
    _refuse_unwritable(path.parent)


def check_folder(path: Path, names: Iterable[str], force: bool) -> None:
    """Refuse, before any long work, a path that `new_folder` would refuse for files of these names."""
    _refuse_file(path)
    for name in names:
        refuse_existing(path / name, force)
    _refuse_unwritable(path)


def refuse_existing(path: Path, force: bool) -> None:
    """Keep what is there unless told otherwise."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file name that is free.")
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is not a plain file; give a file name that is free.")
    if path.exists() and not force:
        raise InputError(f"{path} exists already; add --force to overwrite it.")


def _refuse_file(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} is a file, but a folder is needed there; give another name.")


def _refuse_unwritable(folder: Path) -> None:
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    _refuse_file(existing)
    with _folder_aside(existing):
        pass


@contextmanager
def _folder_aside(folder: Path) -> Iterator[Path]:
    """A hidden folder in ``folder``, gone afterwards; so are parents made for it, unless something was put there."""
    with _parents_made(folder), _temporary_folder(folder) as aside:
        yield aside


@contextmanager
def _parents_made(folder: Path) -> Iterator[None]:
    """Remove what the block makes of this folder and its parents, as far as it is empty in the end."""
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        yield
    finally:
        for place in made:
            with suppress(OSError):
                place.rmdir()


def remove_abandoned(folder: Path) -> None:
    """Remove what processes that were killed while writing have left in a folder; the young may still be at work."""
    for aside in folder.glob(f"{_ASIDE}*"):
        with suppress(OSError):
            if time.time() - aside.stat().st_mtime > _ABANDONED_SECONDS:
                shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def _temporary_folder(folder: Path) -> Iterator[Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        aside = tempfile.mkdtemp(prefix=_ASIDE, dir=folder)
    except OSError as error:
        raise InputError(f"Nothing can be written to {folder}: {(error.strerror or str(error)).lower()}.") from None
    try:
        yield Path(aside)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
