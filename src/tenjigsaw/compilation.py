"""numba's compiler, with a place for what it compiles even where neither package nor home can be written."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from numba import config, njit, prange

__all__ = ["njit", "prange"]

_VARIABLE = "NUMBA_CACHE_DIR"


def _can_hold_files(folder: Path) -> bool:
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    return existing.is_dir() and os.access(existing, os.W_OK)


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without an entry in the password file, as in some containers
        return Path("/nonexistent")


def _ensure_cache() -> None:
    """Without any place for its cache numba refuses to compile at all."""
    places = (Path(__file__).parent / "__pycache__", Path(os.environ.get("XDG_CACHE_HOME", _home() / ".cache")))
    if _VARIABLE in os.environ or any(_can_hold_files(place) for place in places):
        return
    os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="tenjigsaw-")
    config.reload_config()  # type: ignore[no-untyped-call]  # numba ships no types
    atexit.register(shutil.rmtree, os.environ[_VARIABLE], ignore_errors=True)


_ensure_cache()
