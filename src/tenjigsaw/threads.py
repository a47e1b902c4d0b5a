"""How many threads the work of this process may use; several processes side by side must share the cores."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

_limit: int | None = None


def usable_cores() -> int:
    """Those that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_limit() -> int | None:
    """The threads that work may use now; None: as many as it likes."""
    return _limit


@contextmanager
def limited_threads(count: int | None) -> Iterator[None]:
    """Compiled kernels, matrix products and networks use at most so many threads in this block."""
    if count is None:
        yield
        return
    import numba
    from threadpoolctl import threadpool_limits

    global _limit
    before, before_numba = _limit, numba.get_num_threads()
    _limit = count
    numba.set_num_threads(min(count, before_numba))
    try:
        with threadpool_limits(count, user_api="blas"):
            yield
    finally:
        _limit = before
        numba.set_num_threads(before_numba)


@contextmanager
def one_thread_each() -> Iterator[ThreadPoolExecutor]:
    """As many pieces of work at once as threads may be used, and none of them shares its own among threads.

    Threads that share a small network wait for one another at every layer.
    """
    threads = thread_limit() or usable_cores()
    with limited_threads(1), ThreadPoolExecutor(threads) as pool:
        yield pool
