"""Spread the tasks of a bench over the processes of this machine, or over a cluster."""

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any

from tenjigsaw.bench.plan import Task
from tenjigsaw.bench.score_store import ScoreStore
from tenjigsaw.bench.solving import Done, Surroundings, solve_task
from tenjigsaw.errors import InputError

CONNECTING_SECONDS = 10
SECONDS_BETWEEN_LOOKS = 1.0


def solve_all(tasks: Sequence[Task], store: ScoreStore, jobs: int, scheduler: str | None) -> Iterator[Done]:
    """What becomes of the tasks, in the order in which they end; a scheduler must be `connected` to.

    One job alone may use all cores; several share them. On a cluster every task has one thread.
    """
    if scheduler is not None:
        yield from _in_parallel(tasks, partial(solve_task, surroundings=Surroundings(store, 1)), "dask", -1)
    elif jobs == 1 or len(tasks) < 2:
        yield from (solve_task(task, Surroundings(store)) for task in tasks)
    else:
        surroundings = Surroundings(store, max(1, (os.cpu_count() or 1) // jobs))
        work = partial(_solve_as_child, surroundings=surroundings, parent=os.getpid())
        yield from _in_parallel(tasks, work, "loky", min(jobs, len(tasks)))


def _in_parallel(tasks: Sequence[Task], work: Callable[[Task], Done], backend: str, jobs: int) -> Iterator[Done]:
    from joblib import Parallel, delayed, parallel_config

    with warnings.catch_warnings(), parallel_config(backend=backend, n_jobs=jobs):
        # Whoever presses Ctrl-C knows that tasks are cancelled.
        warnings.filterwarnings("ignore", ".*tasks which were still being processed.*", UserWarning)
        yield from Parallel(batch_size=1, return_as="generator_unordered")(delayed(work)(task) for task in tasks)


def _solve_as_child(task: Task, surroundings: Surroundings, parent: int) -> Done:
    if os.getpid() != parent:
        _live_and_die_with(parent)
    return solve_task(task, surroundings)


@cache
def _live_and_die_with(parent: int) -> None:
    """Let the parent alone heed Ctrl-C, which goes to every process in the terminal, and end when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def connected(scheduler: str | None) -> Iterator[None]:
    """Work on the cluster of this scheduler, if one is given."""
    if scheduler is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise InputError("A cluster needs more packages: pip install 'tenjigsaw[cluster]'.") from None
    # Made in two steps, since one that finds no scheduler must be closed as well: left to the garbage collector,
    # it may be closed by the thread of the next client, and then the two wait for each other.
    client: Any = Client.__new__(Client)
    try:
        _connect(client, scheduler)
        yield
    finally:
        with suppress(Exception):  # whatever ends the work must not be hidden by a farewell that fails
            client.close()


def _connect(client: Any, scheduler: str) -> None:
    try:
        client.__init__(scheduler, timeout=CONNECTING_SECONDS)
    except (OSError, TimeoutError, ValueError):
        raise InputError(f"There is no dask scheduler at {scheduler}.") from None
