"""Several searches from one beginning: the best of all counts, however many threads they run in."""

from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clocks import Ticking
from reference import puzzle_of, random_scores
from tenjigsaw.layout import Layout
from tenjigsaw.measures import create_measure
from tenjigsaw.measures.loops import with_loops
from tenjigsaw.measures.normalisation import sinkhorn
from tenjigsaw.solvers import Frame, Pins, Stop, search, stop
from tenjigsaw.solvers import searches as searches_module
from tenjigsaw.solvers.search import Search
from tenjigsaw.solvers.searches import ALIKE, Searches
from tenjigsaw.threads import limited_threads


def first_of(scores, rows, cols, layout=None):
    matched = sinkhorn(scores)
    if layout is None:
        rng = np.random.default_rng(0)
        layout = Layout(rng.permutation(rows * cols).reshape(rows, cols), rng.integers(4, size=(rows, cols)))
    return Search(matched, with_loops(matched), Frame(rows, cols), Pins(), layout)


def run(first, seed, limit=None, rounds=1000):
    """The searches when they are over, and the cost of the best after every round."""
    limit = limit or Stop()
    watch, costs = limit.watch(), []
    searches = Searches(first, np.random.default_rng(seed), limit, watch)
    with searches.threads() as pool:
        while not searches.over and len(costs) < rounds:
            searches.improve(pool)
            costs.append(searches.best.cost)
            assert 0 <= searches.share <= 1
            if watch.ends_after(costs[-1]):
                break
    return searches, costs


@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_the_best_never_gets_worse_and_is_that_of_all_searches(seed):
    searches, costs = run(first_of(random_scores(seed, 20), 4, 5), seed)
    assert costs == sorted(costs, reverse=True)
    assert searches.best.worth >= max(searches._worths)
    assert sorted(searches.best.layout.piece.ravel().tolist()) == list(range(20))


def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr(searches_module, "usable_cores", lambda: 2)
    first = first_of(random_scores(5, 30), 5, 6)
    (two, costs), layouts = run(first, 7), []
    with limited_threads(1):
        one, costs_of_one = run(first, 7)
    assert costs == costs_of_one
    layouts = [searches.best.layout for searches in (one, two)]
    np.testing.assert_array_equal(layouts[0].piece, layouts[1].piece)
    np.testing.assert_array_equal(layouts[0].turn, layouts[1].turn)


def test_two_that_end_alike_are_enough():
    # Six pieces: every search finds the likeliest layout of all.
    searches, _ = run(first_of(random_scores(1, 6), 2, 3), 0)
    assert len(searches._worths) < 4
    assert np.sort(searches._worths)[-2] >= searches.best.worth - ALIKE


def test_where_none_agree_there_are_four():
    seeds = range(5)
    ended = [run(first_of(random_scores(seed, 60), 6, 10), seed)[0] for seed in seeds]
    disagreeing = [searches for searches in ended if np.sort(searches._worths)[-2] < searches.best.worth - ALIKE]
    assert disagreeing
    assert all(len(searches._worths) == 4 for searches in disagreeing)


def test_against_the_clock_each_search_has_a_core_of_its_own():
    first = first_of(random_scores(1, 6), 2, 3)
    with limited_threads(1):
        for limit, at_once in ((Stop(seconds=60), 1), (Stop(), 2)):
            assert len(Searches(first, np.random.default_rng(0), limit, limit.watch())._under_way) == at_once


@pytest.mark.parametrize("limit", [Stop(seconds=3000), Stop(patience=40)], ids=["seconds", "patience"])
def test_whoever_gives_time_gets_more_searches(limit, monkeypatch):
    monkeypatch.setattr(stop, "perf_counter", Ticking())
    searches, _ = run(first_of(random_scores(1, 6), 2, 3), 0, limit)
    assert len(searches._worths) > 4


def test_without_doubt_there_is_no_search():
    puzzle = puzzle_of(24, rows=5, cols=6, size=20, erosion=0, turned=True)
    truth = puzzle.truth.grid()
    right = Layout(truth, puzzle.truth.turn[truth])
    searches, costs = run(first_of(create_measure("mgc").scores(puzzle), 5, 6, right), 0)
    assert costs == []
    assert searches.best.layout is right


def test_where_pieces_are_lost_the_likeliest_counts_not_that_with_the_fewest_joins():
    piece = np.concatenate([np.arange(48), np.full(16, -1)]).reshape(8, 8)
    first = first_of(replace(random_scores(0, 48), lost=0.25), 8, 8, Layout(piece, np.zeros_like(piece)))
    searches, costs = run(first, 0)
    assert searches.best.worth >= max(searches._worths)
    assert costs != sorted(costs, reverse=True), "a likelier layout may have more joins"


def test_an_error_ends_the_searches_amid_their_rounds(monkeypatch):
    begun, work, done = Event(), search.improve, []

    def improve(*given):
        done.append(given[-2])
        begun.set()
        return work(*given)

    monkeypatch.setattr(search, "improve", improve)
    first = first_of(random_scores(5, 60), 6, 10)
    searches = Searches(first, np.random.default_rng(0), Stop(), Stop().watch())

    def interrupted():
        with searches.threads() as pool:
            for one in searches._under_way:
                pool.submit(one.improve)
            begun.wait()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert 0 < sum(done) < 200, "of 200 tries in each of two rounds"
