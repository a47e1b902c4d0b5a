"""Several searches from the same beginning, two at a time: where a search ends is partly luck."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event

import numpy as np

from tenjigsaw.solvers.search import Search
from tenjigsaw.solvers.stop import Stop, Watch
from tenjigsaw.solvers.worth import UNIT
from tenjigsaw.threads import thread_limit, usable_cores

# Natural units of log-likelihood: a round that gains less is not worth another, and two searches that end so near each
# other have found about the same. The second is what clipped skies differ by, in pictures of train.
LEAST_GAIN, ALIKE = 0.5 * UNIT, 2 * UNIT
# A search ends after so many rounds in vain and, unless someone gives it time, after so many rounds. Tuned on val.
_PATIENCE, _ROUNDS = 3, 12
# How many there are unless someone gives them time, on val worth their seconds, and in puzzles of many pieces, where
# each takes long: as many as run at once.
_SEARCHES, _SEARCHES_OF_MANY, _MANY_PIECES = 4, 2, 2000
# Whatever the machine, so that a seed gives the same layout everywhere. What runs against the clock depends on the
# machine anyway: there, each search has a core of its own.
_AT_ONCE = 2


@dataclass(frozen=True, eq=False)
class _UnderWay:
    search: Search
    rng: np.random.Generator
    watch: Watch

    def improve(self) -> None:
        self.search.improve(self.rng, self.watch)


class Searches:
    """Searches from the same beginning, and the best of all that they have found.

    They are over when a few have ended, or before, when two have ended alike. Where ``stop`` gives seconds or patience,
    one follows another for as long as that lasts; ``watch`` is the clock of them all.
    """

    def __init__(self, first: Search, rng: np.random.Generator, stop: Stop, watch: Watch) -> None:
        self.best = self._first = first
        self._rng, self._whole = rng, watch
        usual = _SEARCHES if first.pieces <= _MANY_PIECES else _SEARCHES_OF_MANY
        self._most = None if stop.seconds or stop.patience else usual
        self._begun, self._worths = 0, list[float]()
        self._threads = min(_AT_ONCE, thread_limit() or usable_cores())
        self._at_once = self._threads if stop.seconds else _AT_ONCE
        self._abandoned = Event()
        self._under_way: list[_UnderWay] = []
        self._begin_more()

    @property
    def over(self) -> bool:
        """Whether there is nothing left to look for, or hardly anything to be hoped."""
        return self.best.settled or not self._under_way or (self._most is not None and self._agree)

    @property
    def share(self) -> float:
        """How much of the searches is done, from 0 to 1."""
        if self._most is None:
            return 0.0
        return (len(self._worths) + sum(one.watch.share for one in self._under_way)) / self._most

    @contextmanager
    def threads(self) -> Iterator[ThreadPoolExecutor]:
        """For the searches to run in; who is interrupted need not wait for the end of a round."""
        with ThreadPoolExecutor(self._threads) as pool:
            try:
                yield pool
            finally:
                self._abandoned.set()

    def improve(self, pool: ThreadPoolExecutor) -> None:
        """A round of each search under way; those that end make room for others."""
        for done in [pool.submit(one.improve) for one in self._under_way]:
            done.result()
        best = max((one.search for one in self._under_way), key=lambda search: search.worth)
        # What there was before the first round was laid for right joins, and may be likelier by chance.
        if self.best is self._first or best.worth > self.best.worth:
            self.best = best.from_layout(best.layout)
        ended = [one for one in self._under_way if one.watch.ends_after(-one.search.worth) or one.search.settled]
        self._worths += [one.search.worth for one in ended]
        self._under_way = [one for one in self._under_way if one not in ended]
        self._begin_more()

    @property
    def _agree(self) -> bool:
        """Whether two have ended about as well as the best that is known."""
        return sum(self.best.worth - worth <= ALIKE for worth in self._worths) > 1

    def _begin_more(self) -> None:
        rounds = None if self._most is None else _ROUNDS
        while len(self._under_way) < self._at_once and (self._most is None or self._begun < self._most):
            rng = np.random.default_rng(self._rng.integers(2**62))
            watch = Stop(generations=rounds, patience=_PATIENCE, asked=self._is_over).watch(LEAST_GAIN)
            self._under_way.append(_UnderWay(self._first.from_layout(self._first.layout), rng, watch))
            self._begun += 1

    def _is_over(self) -> bool:
        return self._abandoned.is_set() or self._whole.out_of_time
