"""The genetic solver: its crossover against a slow twin, and puzzles it must solve."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from clocks import Ticking
from reference import random_scores
from tenjigsaw.confidence import layout_cost
from tenjigsaw.errors import InputError
from tenjigsaw.layout import Layout
from tenjigsaw.measures import DenseScores
from tenjigsaw.solvers import Frame, Stop, genetic, stop
from tenjigsaw.solvers.clusters import single_pieces
from tenjigsaw.solvers.crossover import breed, cost_of
from tenjigsaw.solvers.genetic import GeneticSolver, _roulette
from tenjigsaw.solvers.pins import Pins

NOBODY = np.full((1, 1), -1)

# Solve a puzzle with one thread and with two, and print a line for each.
SOLVE_TWICE = """
import numba
import numpy as np
from reference import random_scores
from tenjigsaw.solvers import Frame, Stop
from tenjigsaw.solvers.genetic import GeneticSolver
for threads in (1, 2):
    numba.set_num_threads(threads)
    assert numba.get_num_threads() == threads
    rng = np.random.default_rng(0)
    layout = GeneticSolver(population=60).solve(random_scores(1, 20), Frame(4, 5), Stop(generations=5), rng)
    print(layout.piece.tolist(), layout.turn.tolist())
"""


def rules_for(scores, shape, mutation=0.0):
    solver = GeneticSolver(mutation=mutation, partners=scores.edges)
    return solver._rules(scores, single_pieces(scores.edges // 4), Pins())._replace(rows=shape[0], cols=shape[1])


def children_of(rules, parents, count=30, seed=0):
    """Children of the first and the second parent, which are grids of 4 * piece + turn of one shape."""
    parents = np.stack(parents).astype(np.int32)
    pairs = np.tile([0, len(parents) - 1], (count, 1))
    layouts, costs = np.empty((count, rules.rows, rules.cols), np.int32), np.empty(count)
    breed(rules, parents, pairs, seed, 0, layouts, costs)
    return layouts, costs


def as_layout(cells):
    cells = cells.astype(np.int64)
    return Layout(np.where(cells >= 0, cells // 4, -1), np.where(cells >= 0, cells % 4, 0))


def joins_of(cells):
    joins = as_layout(cells).joins()
    return frozenset(frozenset(pair) for pair in zip(joins.one.tolist(), joins.other.tolist(), strict=True))


def random_parent(seed, shape, turned):
    rng = np.random.default_rng(seed)
    return 4 * rng.permutation(shape[0] * shape[1]).reshape(shape) + rng.integers(4 if turned else 1, size=shape)


@settings(max_examples=10)
@given(seed=st.integers(0, 100_000), shape=st.sampled_from([(2, 3), (3, 3), (1, 5)]), turned=st.booleans())
def test_a_child_without_parents_grows_like_the_slow_twin(seed, shape, turned):
    pieces = shape[0] * shape[1]
    scores = random_scores(seed, pieces, turned)
    twins = {reference.kernel(scores.values, start, shape, turned) for start in range(pieces)}
    grown = {joins_of(child) for child in children_of(rules_for(scores, shape), [NOBODY], 20 * pieces, seed)[0]}
    assert grown == twins


@settings(max_examples=25)
@given(seed=st.integers(0, 100_000), shape=st.sampled_from([(2, 3), (3, 3), (1, 5)]), turned=st.booleans())
def test_what_parents_share_outweighs_all_costs(seed, shape, turned):
    parent = random_parent(seed, shape, turned)
    scores = random_scores(seed, parent.size, turned)
    children, costs = children_of(rules_for(scores, shape), [parent])
    assert {joins_of(child) for child in children} == {joins_of(parent)}
    assert len(set(costs.round(6))) == 1


def test_a_best_buddy_join_of_one_parent_goes_before_a_cheaper_join():
    values = np.full((12, 12), np.inf, dtype=np.float32)
    right, left = 1, 3
    for a in range(3):
        for b in range(3):
            if a != b:
                values[4 * a + right, 4 * b + left] = 50
    values[0 + right, 4 + left] = 5  # best buddies
    values[4 + right, 0 + left] = 1  # cheaper, but the right of piece 1 likes piece 2 more
    values[4 + right, 8 + left] = 0.5
    for a, b in ((1, 7), (5, 3), (5, 11)):
        values[b, a] = values[a, b]
    scores = DenseScores(np.minimum(values, values.T), turned=False, mutual=True)
    rules = rules_for(scores, (1, 3))
    buddies = frozenset((0 + right, 4 + left))
    parents = [np.array([[0, 4, 8]]), np.full((1, 3), -1)]
    assert all(buddies in joins_of(child) for child in children_of(rules, parents)[0])
    assert not all(buddies in joins_of(child) for child in children_of(rules, [NOBODY])[0])


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10_000),
    turned=st.booleans(),
    empty=st.integers(0, 5),
    mutation=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_children_hold_every_piece_once_and_know_their_cost(seed, turned, empty, mutation):
    scores = random_scores(seed, 12 - empty, turned)
    rules = rules_for(scores, (3, 4), mutation)
    children, costs = children_of(rules, [random_parent(seed, (1, 12 - empty), turned)], seed=seed)
    for child, cost in zip(children, costs, strict=True):
        layout = as_layout(child)
        assert sorted(layout.piece[layout.piece >= 0].tolist()) == list(range(12 - empty))
        assert turned or not layout.turn.any()
        assert cost == pytest.approx(layout_cost(layout, scores) - rules.reference * len(layout.joins()), abs=1e-3)
        assert cost == cost_of(rules, child)


def test_mutation_breaks_what_parents_share():
    parent = random_parent(0, (3, 4), True)
    scores = random_scores(0, 12)
    children = children_of(rules_for(scores, (3, 4), mutation=1.0), [parent])[0]
    assert len({joins_of(child) for child in children}) > 5


def test_only_the_mutated_share_of_children_differs_from_parents_that_agree():
    parent = random_parent(0, (3, 4), True)
    rules = rules_for(random_scores(0, 12), (3, 4), mutation=0.3)
    same = np.mean([joins_of(child) == joins_of(parent) for child in children_of(rules, [parent], 400)[0]])
    # Some mutations make no difference among so few pieces.
    assert 0.65 < same < 0.97


def test_better_layouts_have_more_children():
    drawn = _roulette(np.array([1.0, 2.0, 3.0, 1e6, np.inf]), (1000, 2), 8.0, np.random.default_rng(0))
    counts = np.bincount(drawn.ravel(), minlength=5)
    assert counts[0] > 10 * counts[1] > 0
    assert not counts[3:].any()
    assert set(_roulette(np.array([2.0, 2.0]), (50, 2), 8.0, np.random.default_rng(0)).ravel()) == {0, 1}


def test_less_pressure_gives_worse_layouts_more_children():
    costs = np.linspace(1, 2, 100)
    means = [_roulette(costs, (2000, 2), pressure, np.random.default_rng(0)).mean() for pressure in (1.0, 4.0, 8.0)]
    assert means == sorted(means, reverse=True)


def test_selection_is_a_setting():
    scores, ending = random_scores(1, 20), Stop(generations=8)
    found = {
        pressure: GeneticSolver(population=60, pressure=pressure).solve(
            scores, Frame(4, 5), ending, np.random.default_rng(0)
        )
        for pressure in (0.5, 8.0)
    }
    usual = GeneticSolver(population=60).solve(scores, Frame(4, 5), ending, np.random.default_rng(0))
    np.testing.assert_array_equal(found[8.0].piece, usual.piece)
    assert (found[0.5].piece != usual.piece).any()


@pytest.mark.parametrize(
    ("settings", "fragment"),
    [
        ({"partners": 0}, "partners must be a whole number from 1 on, not 0"),
        ({"population": 0}, "population must be a whole number from 1 on, not 0"),
        ({"population": 10.5}, "population must be a whole number from 1 on, not 10.5"),
        ({"population": 3}, "elites must be below the population of 3"),
        ({"elites": -1}, "elites must be a whole number from 0 on, not -1"),
        ({"mutation": 2}, "mutation must be a share from 0 to 1, not 2"),
        ({"mutation": "much"}, "mutation must be a share from 0 to 1, not 'much'"),
        ({"mutation": np.nan}, "mutation must be a share from 0 to 1, not nan"),
        ({"generations": 0}, "generations must be a whole number from 1 on, not 0"),
        ({"patience": None}, "patience must be a whole number from 1 on, not None"),
        ({"pressure": 0}, "pressure must be a number above 0, not 0"),
        ({"pressure": np.inf}, "pressure must be a number above 0, not inf"),
    ],
)
def test_settings_that_make_no_sense(settings, fragment):
    with pytest.raises(InputError, match=f"^The genetic solver's {fragment}[^.]*(\\.5)?\\.$"):
        GeneticSolver(**settings)


@pytest.mark.parametrize(("population", "elites"), [(1, 0), (2, 1), (5, 4), (30, 0)])
@pytest.mark.parametrize("begun", [False, True], ids=["afresh", "from a start"])
def test_the_smallest_populations_solve_too(population, elites, begun):
    solver, follower = GeneticSolver(population=population, elites=elites, mutation=np.float32(1)), Follower()
    scores, start = random_scores(0, 12), as_layout(random_parent(0, (3, 4), True)) if begun else None
    ending = Stop(generations=6)
    layout = solver.solve(scores, Frame(3, 4), ending, np.random.default_rng(0), follower, start=start)
    assert sorted(layout.piece.ravel().tolist()) == list(range(12))
    costs = [cost for _, cost in follower.shown]
    assert costs == sorted(costs, reverse=True)
    assert layout_cost(layout, scores) == pytest.approx(costs[-1], rel=1e-5)


def test_the_first_population_is_varied():
    rules = rules_for(random_scores(5, 30), (5, 6))
    first = GeneticSolver(population=200)._first(rules, None, np.random.default_rng(0), Stop().watch())
    assert len({joins_of(layout) for layout in first.layouts}) > 150


def test_threads_do_not_matter():
    rules = rules_for(random_scores(3, 12), (3, 4), mutation=0.3)
    threads = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        alone = children_of(rules, [NOBODY], 200, seed=5)
    finally:
        numba.set_num_threads(threads)
    together = children_of(rules, [NOBODY], 200, seed=5)
    np.testing.assert_array_equal(alone[0], together[0])
    assert not np.array_equal(alone[0], children_of(rules, [NOBODY], 200, seed=6)[0])


def test_one_thread_and_two_find_the_same_layout():
    # In a process of its own: numba sets up no more threads than there are cores, unless told to before it begins.
    surroundings = os.environ | {"NUMBA_NUM_THREADS": "2", "PYTHONPATH": str(Path(reference.__file__).parent)}
    command = [sys.executable, "-c", SOLVE_TWICE]
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True)
    alone, together = done.stdout.splitlines()
    assert alone == together


def test_portions_do_not_matter(monkeypatch):
    rules = rules_for(random_scores(3, 12), (3, 4), mutation=0.3)
    at_once = children_of(rules, [NOBODY], 200, seed=5)
    parents, pairs = NOBODY[None].astype(np.int32), np.zeros((200, 2), dtype=np.int64)
    monkeypatch.setattr(genetic, "_PORTION", 30)
    in_portions = genetic._children(rules, parents, pairs, 5, Stop(seconds=1e6).watch())
    order = np.argsort(at_once[1], kind="stable")
    np.testing.assert_array_equal(in_portions.layouts, at_once[0][order])
    np.testing.assert_array_equal(in_portions.costs, at_once[1][order])


@pytest.mark.parametrize("begun", [False, True], ids=["afresh", "from a start"])
@pytest.mark.parametrize("frame", [Frame(3, 4), Frame()], ids=["known", "unknown"])
def test_seconds_end_a_generation_amid_its_children(monkeypatch, frame, begun):
    grown, shapes = [], []

    def counted(rules, parents, pairs, *rest):
        grown.append(len(pairs))
        shapes.append((rules.rows, rules.cols))
        breed(rules, parents, pairs, *rest)

    monkeypatch.setattr(genetic, "breed", counted)
    monkeypatch.setattr(genetic, "_PORTION", 10)
    monkeypatch.setattr(stop, "perf_counter", Ticking())
    start = as_layout(random_parent(0, (3, 4), False)) if begun else None
    scores, ending = random_scores(0, 12, turned=False), Stop(seconds=2)
    layout = GeneticSolver().solve(scores, frame, ending, np.random.default_rng(0), start=start)
    assert sorted(layout.piece.ravel().tolist()) == list(range(12))
    assert 0 < sum(grown) <= 60, "of a population of 1000"
    assert shapes[0] in ((3, 4), (4, 3)), "the squarest first"


@settings(max_examples=10)
@given(seed=st.integers(0, 1000), turned=st.booleans())
def test_a_frame_of_unknown_size_has_room_for_the_start_and_for_pins(seed, turned):
    start = as_layout(random_parent(seed, (1, 12), turned))
    joins = start.joins()
    pins = Pins(joined=np.stack([joins.one, joins.other], axis=1)[:8])
    scores, ending = random_scores(seed, 12, turned), Stop(generations=2)
    layout = GeneticSolver(population=20).solve(
        scores, Frame(missing=True), ending, np.random.default_rng(0), start=start, pins=pins
    )
    assert sorted(layout.piece[layout.piece >= 0].tolist()) == list(range(12))
    pins.check_kept(layout)


class Follower:
    """Keeps what a solver shows."""

    def __init__(self):
        self.shown, self.shares = [], []

    def __call__(self, stage, share):
        self.shares.append(share)

    def show(self, layout, cost):
        self.shown.append((layout, cost))


def test_shows_every_generation_and_never_gets_worse():
    scores, follower = random_scores(1, 20), Follower()
    rules = Stop(generations=6, patience=100)
    best = GeneticSolver(population=50).solve(scores, Frame(4, 5), rules, np.random.default_rng(0), follower)
    costs = [cost for _, cost in follower.shown]
    assert len(costs) == 6
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]
    assert layout_cost(best, scores) == pytest.approx(costs[-1], rel=1e-5)
    assert follower.shares[-1] == 1.0


@settings(max_examples=10)
@given(seed=st.integers(0, 1000), turned=st.booleans())
def test_never_ends_worse_than_it_starts(seed, turned):
    scores, solver = random_scores(seed, 12, turned), GeneticSolver(population=20)
    good = GeneticSolver(population=100).solve(scores, Frame(3, 4), Stop(generations=5), np.random.default_rng(seed))
    rng = np.random.default_rng(seed + 1)
    begun = solver.solve(scores, Frame(3, 4), Stop(generations=1), rng, start=good)
    assert layout_cost(begun, scores) <= layout_cost(good, scores) + 1e-3
