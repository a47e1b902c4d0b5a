"""What every registered solver must do, whatever its method."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import puzzle_of, random_scores
from tenjigsaw.errors import InputError
from tenjigsaw.evaluation import accuracy
from tenjigsaw.layout import Layout
from tenjigsaw.measures import DenseScores, create_measure, normalise
from tenjigsaw.measures.lists import best_lists
from tenjigsaw.puzzle import drop
from tenjigsaw.solvers import Frame, Pins, Stop, create_solver, list_solvers
from tenjigsaw.solvers.genetic import GeneticSolver
from tenjigsaw.solvers.mixed import solve_mixed

# The genetic solver with a smaller population than the papers', so that its turn takes no longer than the others'.
SOLVERS = [replace(s, population=100) if isinstance(s, GeneticSolver) else s for s in list_solvers()]
SOME_ROUNDS = Stop(generations=4)

each_solver = pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
each_type = pytest.mark.parametrize("turned", [False, True], ids=["turns known", "turns unknown"])


def solve(solver, puzzle, frame=None, k=None):
    measure = create_measure("mgc")
    scores = normalise(measure.nearest(puzzle, k) if k else measure.scores(puzzle), "ratio")
    return solver.solve(scores, frame or Frame(*puzzle.frame), Stop(generations=10), np.random.default_rng(0))


@each_solver
@each_type
@pytest.mark.parametrize("k", [None, 8], ids=["all scores", "best-8 lists"])
def test_solves_a_clean_picture(solver, turned, k):
    puzzle = puzzle_of(21, rows=6, cols=8, size=20, erosion=0, turned=turned)
    assert accuracy(solve(solver, puzzle, k=k), puzzle.truth, turned).perfect


@each_solver
@each_type
def test_finds_the_frame_by_itself(solver, turned):
    puzzle = puzzle_of(22, rows=4, cols=9, size=20, erosion=0, turned=turned)
    layout = solve(solver, puzzle, Frame())
    assert {layout.rows, layout.cols} == {4, 9}
    assert accuracy(layout, puzzle.truth, turned).perfect


@each_solver
@each_type
def test_solves_with_pieces_missing(solver, turned):
    whole = puzzle_of(23, rows=7, cols=7, size=20, erosion=0, turned=turned)
    puzzle = drop(whole, 0.1, np.random.default_rng(1))
    layout = solve(solver, puzzle)
    assert (layout.piece >= 0).sum() == puzzle.count
    assert accuracy(layout, puzzle.truth, turned).neighbour > 0.9


@each_solver
@each_type
@pytest.mark.parametrize("lost", [0.1, 0.3])
@pytest.mark.parametrize("k", [None, 8], ids=["all scores", "best-8 lists"])
def test_solves_with_pieces_missing_from_a_frame_of_unknown_size(solver, turned, lost, k):
    whole = puzzle_of(24, rows=7, cols=9, size=20, erosion=0, turned=turned)
    puzzle = drop(whole, lost, np.random.default_rng(1))
    layout = solve(solver, puzzle, Frame(missing=True), k)
    assert sorted(layout.piece[layout.piece >= 0].tolist()) == list(range(puzzle.count))
    assert accuracy(layout, puzzle.truth, turned).neighbour > 0.9
    assert (layout.piece[[0, -1]] >= 0).any(axis=1).all(), "no more rows than pieces ask for"
    assert (layout.piece[:, [0, -1]] >= 0).any(axis=0).all(), "nor columns"


@each_solver
@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    pieces=st.integers(1, 12),
    turned=st.booleans(),
    kind=st.sampled_from(["exact", "wide", "tall", "unknown", "open"]),
)
def test_places_every_piece_once_whatever_the_scores(solver, seed, pieces, turned, kind):
    frames = {"exact": Frame(1, pieces), "wide": Frame(3, pieces), "tall": Frame(pieces, 2), "unknown": Frame()}
    frames["open"] = Frame(missing=True)
    scores = random_scores(seed, pieces, turned)
    layout = solver.solve(scores, frames[kind], SOME_ROUNDS, np.random.default_rng(seed))
    assert sorted(layout.piece[layout.piece >= 0].tolist()) == list(range(pieces))
    assert turned or not layout.turn.any()
    assert frames[kind].size in (None, (layout.rows, layout.cols))


@each_solver
def test_the_same_seed_gives_the_same_layout(solver):
    first, second = (
        solver.solve(random_scores(1, 30), Frame(5, 6), SOME_ROUNDS, np.random.default_rng(4)) for _ in range(2)
    )
    np.testing.assert_array_equal(first.piece, second.piece)
    np.testing.assert_array_equal(first.turn, second.turn)


@each_solver
def test_whoever_asks_to_stop_gets_a_layout_soon(solver):
    def asked():
        calls.append(True)
        return len(calls) > 3

    calls, endless = [], Stop(generations=10**9, patience=10**9, asked=asked)
    layout = solver.solve(random_scores(1, 30), Frame(5, 6), endless, np.random.default_rng(4))
    assert sorted(layout.piece.ravel().tolist()) == list(range(30))


def test_that_someone_may_ask_changes_nothing():
    for solver in SOLVERS:
        first, second = (
            solver.solve(random_scores(1, 30), Frame(5, 6), replace(SOME_ROUNDS, asked=asked), np.random.default_rng(4))
            for asked in (None, lambda: False)
        )
        np.testing.assert_array_equal(first.piece, second.piece)


@pytest.mark.parametrize("name", ["genetic", "segments"])
def test_a_start_of_another_puzzle_is_refused(name):
    start = Layout(np.array([[0, 12]]), np.zeros((1, 2), dtype=np.int64))
    with pytest.raises(InputError, match="holds piece 12"):
        create_solver(name).solve(random_scores(0, 12), Frame(3, 4), Stop(), np.random.default_rng(0), start=start)


@each_solver
def test_too_small_a_frame_is_refused(solver):
    with pytest.raises(InputError, match="too few for 5 pieces"):
        solver.solve(random_scores(0, 5), Frame(2, 2), Stop(), np.random.default_rng(0))


def spoiled(kind):
    scores = random_scores(0, 12)
    if kind == "one is no number":
        scores.values[3, 9] = np.nan
    elif kind == "all infinite":
        scores.values[:] = np.inf
    elif kind == "all infinite in lists":
        lists = best_lists(scores, 4)
        return replace(lists, values=np.full_like(lists.values, np.inf))
    elif kind == "no pieces":
        return replace(scores, values=np.zeros((0, 0), dtype=np.float32))
    elif kind == "not square":
        return replace(scores, values=scores.values[:, :40])
    elif kind == "a bare array":
        return scores.values
    return scores


REFUSED = {
    "one is no number": "not numbers, or no finite ones",
    "all infinite": "not numbers, or no finite ones",
    "all infinite in lists": "not numbers, or no finite ones",
    "no pieces": "at least one piece",
    "not square": "must be a square",
    "a bare array": "not ndarray",
}


@each_solver
@pytest.mark.parametrize("kind", REFUSED)
def test_scores_that_say_nothing_are_refused(solver, kind):
    for frame in (Frame(3, 4), Frame(), Frame(missing=True)):
        with pytest.raises(InputError, match=rf"^[^.]*{REFUSED[kind]}[^.]*\.$"):
            solver.solve(spoiled(kind), frame, SOME_ROUNDS, np.random.default_rng(0))


@pytest.mark.parametrize("kind", REFUSED)
def test_so_they_are_for_a_heap(kind):
    with pytest.raises(InputError, match=REFUSED[kind]):
        solve_mixed(spoiled(kind), 2, Frame(missing=True), SOME_ROUNDS, np.random.default_rng(0))


@each_solver
def test_pins_that_keep_all_apart_are_refused(solver):
    scores = random_scores(0, 4, turned=False)
    one, other = np.nonzero(np.triu(np.isfinite(scores.values)))
    pins = Pins(apart=np.stack([one, other], axis=1))
    with pytest.raises(InputError, match="keep all sides apart"):
        solver.solve(scores, Frame(2, 2), SOME_ROUNDS, np.random.default_rng(0), pins=pins)


@each_solver
def test_one_join_that_is_possible_is_enough(solver):
    values = np.full((1200, 1200), np.inf, dtype=np.float32)
    values[5, 11] = values[11, 5] = 1
    layout = solver.solve(DenseScores(values, True, True), Frame(15, 20), SOME_ROUNDS, np.random.default_rng(0))
    assert sorted(layout.piece.ravel().tolist()) == list(range(300))


@pytest.mark.parametrize("size", [(2.0, 3.0), ("2", "3"), (2, 3.5), (True, 3)])
def test_a_frame_has_whole_numbers(size):
    with pytest.raises(InputError, match="whole numbers"):
        Frame(*size)
    assert Frame(np.int64(2), np.int32(3)).size == (2, 3)


def test_a_frame_tells_how_many_pieces_are_lost():
    assert Frame(4, 5).lost_share(20) == 0
    assert Frame(4, 5).lost_share(15) == pytest.approx(0.25)
    assert Frame().lost_share(15) == 0
    assert 0 < Frame(missing=True).lost_share(15) < 0.5
