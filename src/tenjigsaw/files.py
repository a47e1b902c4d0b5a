"""Write files and folders so that they appear whole or not at all."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tenjigsaw.errors import InputError


@contextmanager
def new_file(path: Path, force: bool = False) -> Iterator[Path]:
    """Yield a place to write beside ``path``; rename it to ``path`` once the block has ended well."""
    refuse_existing(path, force)
    with _folder_beside(path) as aside:
        draft = aside / path.name
        yield draft
        draft.replace(path)


@contextmanager
def new_folder(path: Path, force: bool = False) -> Iterator[Path]:
    """Yield an empty folder to fill; its files move into ``path`` once the block has ended well.

    Files of the same names in an existing ``path`` are replaced only with ``force``; other files stay.
    """
    with _folder_beside(path) as aside:
        draft = aside / path.name
        draft.mkdir()
        yield draft
        for file in sorted(draft.iterdir()):
            refuse_existing(path / file.name, force)
        if path.exists():
            for file in sorted(draft.iterdir()):
                file.replace(path / file.name)
        else:
            draft.replace(path)


def refuse_existing(path: Path, force: bool) -> None:
    """Keep what is there unless told otherwise."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file name that is free.")
    if path.exists() and not force:
        raise InputError(f"{path} exists already; add --force to overwrite it.")


@contextmanager
def _folder_beside(path: Path) -> Iterator[Path]:
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        yield aside
    finally:
        with suppress(OSError):
            shutil.rmtree(aside)
