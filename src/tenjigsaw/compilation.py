"""numba's compiler, with a place for what it compiles even where neither package nor home can be written."""

import atexit
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba import config, njit, prange

__all__ = ["interrupts_held", "njit", "njit_without_counting", "prange"]

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


def njit_without_counting(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile code that makes no arrays, without counting the references to those it is given.

    Every array taken out of a tuple is counted, by an atomic instruction: the crossover of the genetic solver takes
    seven times as long with it.
    """
    try:
        return njit(cache=True, _nrt=False)(function)  # type: ignore[call-overload,no-any-return]  # numba's own option
    except KeyError:  # without the option all is as right, and slower
        return njit(cache=True)(function)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Heed Ctrl-C only after the block: the compiler's callbacks would swallow it, or end the process with an abort.

    So would what makes named tuples of compiled results, which numba has Python do without looking for exceptions.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        signal.raise_signal(signal.SIGINT)
