"""The segment solver: its kernels against slow twins, what it must solve, and what it must keep."""

import heapq

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clocks import Ticking
from reference import puzzle_of, random_scores
from tenjigsaw.confidence import join_confidence
from tenjigsaw.evaluation import accuracy, right_joins
from tenjigsaw.layout import Layout
from tenjigsaw.measures import create_measure, normalise
from tenjigsaw.measures.loops import with_loops
from tenjigsaw.measures.normalisation import sinkhorn
from tenjigsaw.pictures import built_in_picture
from tenjigsaw.puzzle import cut, drop, erode, read_picture, shuffle, turn
from tenjigsaw.solvers import Frame, Pins, Stop, create_solver, search, stop
from tenjigsaw.solvers.heap import sift_up, take_top
from tenjigsaw.solvers.recreation import worth
from tenjigsaw.solvers.search import TRUSTING_ROUNDS, Search
from tenjigsaw.solvers.worth import HIGHEST, worth_of

SOLVER = create_solver("segments")


def solve(puzzle, frame=None, k=None, stop=None, **more):
    measure = create_measure("mgc")
    scores = normalise(measure.nearest(puzzle, k) if k else measure.scores(puzzle), "sinkhorn")
    frame = frame or Frame(*puzzle.frame)
    return SOLVER.solve(scores, frame, stop or Stop(generations=2), np.random.default_rng(0), **more)


def random_layout(rng, rows, cols, turned):
    turn = rng.integers(4 if turned else 1, size=(rows, cols))
    return Layout(rng.permutation(rows * cols).reshape(rows, cols), turn)


@given(numbers=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40))
def test_the_heap_gives_the_highest_first(numbers):
    priority, entry = np.empty(len(numbers)), np.empty(len(numbers), dtype=np.int64)
    twin = []
    for size, number in enumerate(numbers):
        sift_up(priority, entry, size, number, size)
        heapq.heappush(twin, -number)
    for size in range(len(numbers), 0, -1):
        top, place = take_top(priority, entry, size)
        assert top == -heapq.heappop(twin) == numbers[place]


@pytest.mark.parametrize("turned", [False, True])
def test_beats_the_tree_on_a_worn_picture(turned):
    puzzle = puzzle_of(4, rows=9, cols=10, size=20, erosion=1, turned=turned)
    scores = normalise(create_measure("ssd").scores(puzzle), "sinkhorn")
    tree, ours = (
        accuracy(
            create_solver(name).solve(scores, Frame(9, 10), Stop(generations=3), np.random.default_rng(0)),
            puzzle.truth,
            turned,
        )
        for name in ("tree", "segments")
    )
    assert ours.neighbour > tree.neighbour + 0.1


@pytest.mark.parametrize("turned", [False, True])
def test_solves_with_pieces_missing_from_a_frame_of_unknown_size(turned):
    whole = puzzle_of(23, rows=8, cols=8, size=20, erosion=0, turned=turned)
    puzzle = drop(whole, 0.2, np.random.default_rng(1))
    layout = solve(puzzle, Frame(missing=True))
    assert (layout.piece >= 0).sum() == puzzle.count
    assert accuracy(layout, puzzle.truth, turned).neighbour > 0.9


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), pieces=st.integers(2, 12), turned=st.booleans())
def test_places_every_piece_once_in_a_frame_of_unknown_size(seed, pieces, turned):
    scores = random_scores(seed, pieces, turned)
    layout = SOLVER.solve(scores, Frame(missing=True), Stop(generations=4), np.random.default_rng(seed))
    assert sorted(layout.piece[layout.piece >= 0].tolist()) == list(range(pieces))


@settings(max_examples=10)
@given(seed=st.integers(0, 10_000), turned=st.booleans())
def test_a_later_round_never_makes_it_worse_and_tells_the_true_cost(seed, turned):
    rng = np.random.default_rng(seed)
    matched = sinkhorn(random_scores(seed, 12, turned))
    looking = Search(matched, with_loops(matched), Frame(3, 4), Pins(), random_layout(rng, 3, 4, turned))
    watch = Stop().watch()
    costs = []
    for _ in range(5):
        looking.improve(rng, watch)
        costs.append(looking.cost)
        watch.ends_after(costs[-1])
    assert costs[1:] == sorted(costs[1:], reverse=True)
    joins = looking.layout.joins()
    worths = [worth(looking.likely, a, b) for a, b in zip(joins.one, joins.other, strict=True)]
    assert costs[-1] == pytest.approx(HIGHEST * len(joins) - sum(worths), abs=1e-4)


def test_it_ends_at_once_where_no_doubt_is_left():
    puzzle = puzzle_of(24, rows=5, cols=6, size=20, erosion=0, turned=True)
    matched = sinkhorn(create_measure("mgc").scores(puzzle))
    heard, truth = with_loops(matched), puzzle.truth.grid()
    right = Layout(truth, puzzle.truth.turn[truth])
    assert Search(matched, heard, Frame(5, 6), Pins(), right).settled
    swapped = right.piece.copy()
    swapped[0, 0], swapped[4, 5] = right.piece[4, 5], right.piece[0, 0]
    assert not Search(matched, heard, Frame(5, 6), Pins(), Layout(swapped, puzzle.truth.turn[swapped])).settled
    told = []
    solved = SOLVER.solve(matched, Frame(5, 6), Stop(), np.random.default_rng(0), lambda what, _: told.append(what))
    assert accuracy(solved, puzzle.truth, True).perfect
    assert "improving" not in told


def test_a_start_without_doubt_comes_back_unless_a_pin_speaks_against_it():
    puzzle = puzzle_of(24, rows=5, cols=6, size=20, erosion=0, turned=True)
    matched, truth = sinkhorn(create_measure("mgc").scores(puzzle)), puzzle.truth.grid()
    right = Layout(truth, puzzle.truth.turn[truth])
    kept = SOLVER.solve(matched, Frame(5, 6), Stop(), np.random.default_rng(0), start=right)
    np.testing.assert_array_equal(kept.piece, right.piece)
    apart = (int(right.joins().one[0]), int(right.joins().other[0]))
    pins = Pins(apart=np.array([apart]))
    joins = SOLVER.solve(matched, Frame(5, 6), Stop(), np.random.default_rng(0), start=right, pins=pins).joins()
    assert set(apart) not in [{int(a), int(b)} for a, b in zip(joins.one, joins.other, strict=True)]


def test_another_seed_gives_another_layout():
    scores = random_scores(1, 30)
    first, other = (
        SOLVER.solve(scores, Frame(5, 6), Stop(generations=1), np.random.default_rng(seed)) for seed in (0, 1)
    )
    assert (first.piece != other.piece).any()


def test_begins_from_a_given_layout():
    puzzle = puzzle_of(24, rows=5, cols=6, size=20, erosion=0, turned=False)
    truth = puzzle.truth.grid()
    scores = random_scores(3, 30, turned=False)
    # Scores that prefer the truth by so little that no tree finds it, while no move from it is better.
    partners = puzzle.truth.partners()
    known = np.nonzero(partners >= 0)[0]
    scores.values[known, partners[known]] = 0.5
    start = Layout(truth, np.zeros_like(truth))
    found = SOLVER.solve(scores, Frame(5, 6), Stop(generations=1), np.random.default_rng(0), start=start)
    np.testing.assert_array_equal(found.piece, truth)


def test_a_start_in_pieces_is_completed():
    puzzle = puzzle_of(25, rows=5, cols=6, size=20, erosion=0, turned=False)
    truth = puzzle.truth.grid()
    truth[1:3, 2:4] = -1
    found = solve(puzzle, start=Layout(truth, np.zeros_like(truth)))
    assert accuracy(found, puzzle.truth, False).perfect


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), turned=st.booleans())
def test_pins_win_over_the_start(seed, turned):
    rng = np.random.default_rng(seed)
    start, wanted = random_layout(rng, 3, 4, turned), random_layout(rng, 3, 4, turned)
    joins = wanted.joins()
    pins = Pins(
        joined=np.array([[joins.one[0], joins.other[0]]]),
        held=np.array([[wanted.piece[2, 3], 2, 3, wanted.turn[2, 3]]]),
        apart=np.stack([start.joins().one, start.joins().other], axis=1)[-2:],
    )
    scores = random_scores(seed, 12, turned)
    layout = SOLVER.solve(scores, Frame(3, 4), Stop(generations=4), rng, start=start, pins=pins)
    pins.check_kept(layout)
    assert sorted(layout.piece.ravel().tolist()) == list(range(12))


@pytest.mark.parametrize("frame", [Frame(3, 4), Frame(), Frame(missing=True)], ids=["known", "unknown", "open"])
def test_a_start_of_which_nothing_may_stay_is_like_none(frame):
    scores, piece = random_scores(0, 12), np.full((3, 4), -1)
    pins = Pins(apart=np.array([[4 * 7, 4 * 5 + 2]]))
    for kept in (-1, 7):
        piece[1, 1] = kept
        start = Layout(piece.copy(), np.zeros_like(piece))
        found = SOLVER.solve(scores, frame, Stop(generations=1), np.random.default_rng(0), start=start, pins=pins)
        assert sorted(found.piece[found.piece >= 0].tolist()) == list(range(12))


@pytest.mark.parametrize("again", [False, True], ids=["afresh", "from the start"])
def test_joins_that_must_not_be_stay_away_though_best_k_lists_do_not_list_them(again):
    rng = np.random.default_rng(0)
    puzzle = turn(shuffle(erode(cut(read_picture(built_in_picture()), 28), 1, rng), rng), rng)
    scores = normalise(create_measure("ssd").scores(puzzle), "sinkhorn")

    def layout_of(**more):
        return SOLVER.solve(scores, Frame(*puzzle.frame), Stop(generations=2), np.random.default_rng(0), **more)

    first = layout_of()
    doubtful = np.argsort(join_confidence(first, scores))
    wrong = doubtful[~right_joins(first, puzzle.truth)[doubtful]][:10]
    apart = np.stack([first.joins().one[wrong], first.joins().other[wrong]], axis=1)
    joins = layout_of(start=first if again else None, pins=Pins(apart=apart)).joins()
    there = {frozenset(pair) for pair in zip(joins.one.tolist(), joins.other.tolist(), strict=True)}
    assert not there & {frozenset(pair) for pair in apart.tolist()}


def test_tells_and_shows_how_far_it_is():
    class Watcher:
        def __init__(self):
            self.stages, self.costs = [], []

        def __call__(self, stage, share):
            self.stages.append(stage)
            assert 0 <= share <= 1

        def show(self, layout, cost):
            self.costs.append(cost)

    watcher = Watcher()
    SOLVER.solve(random_scores(2, 20), Frame(4, 5), Stop(generations=4, patience=4), np.random.default_rng(0), watcher)
    assert {"listening to loops", "improving"} <= set(watcher.stages)
    assert "done" not in watcher.stages, "the tree it begins with is not the end"
    assert watcher.stages[-4:] == 4 * ["improving"], "each round tells when it begins"
    assert len(watcher.costs) == 5
    # The first rounds look for right joins, not for the likeliest whole.
    assert watcher.costs[2:] == sorted(watcher.costs[2:], reverse=True)


def looked_at(monkeypatch):
    """A list that grows by the number of tries or moves whenever compiled code sets to work."""
    done = []
    for name, place in (("improve", -2), ("anneal", 4)):
        work = getattr(search, name)
        monkeypatch.setattr(
            search, name, lambda *given, work=work, place=place: done.append(given[place]) or work(*given)
        )
    return done


def test_seconds_end_a_round_amid_its_tries(monkeypatch):
    done, scores = looked_at(monkeypatch), random_scores(2, 20)
    monkeypatch.setattr(stop, "perf_counter", Ticking())
    layout = SOLVER.solve(scores, Frame(4, 5), Stop(seconds=10), np.random.default_rng(0))
    assert sorted(layout.piece.ravel().tolist()) == list(range(20))
    assert 0 < sum(done) < 40, "of 200 tries a round"


def test_seconds_that_are_over_before_a_round_leave_the_tree(monkeypatch):
    done, scores = looked_at(monkeypatch), random_scores(2, 20)
    monkeypatch.setattr(stop, "perf_counter", Ticking())
    layout = SOLVER.solve(scores, Frame(4, 5), Stop(seconds=1), np.random.default_rng(0))
    assert sorted(layout.piece.ravel().tolist()) == list(range(20))
    assert done == []


def test_portions_of_a_round_are_as_good_as_a_round_in_one_go():
    layout, heard = random_layout(np.random.default_rng(3), 4, 5, True), with_loops(sinkhorn(random_scores(3, 20)))
    in_portions, at_once = (Search(heard, heard, Frame(4, 5), Pins(), layout) for _ in range(2))
    in_portions.ruin_and_recreate(np.random.default_rng(7), Stop().watch())
    best = search._places(layout), np.array([[4, 5]]), worth_of(at_once.expected, layout)
    places, _, _ = search.improve(
        at_once.expected, *best, at_once.bounds, at_once.blocks, np.arange(20), 200, np.random.default_rng(7)
    )
    assert (in_portions.layout.piece != layout.piece).any()
    np.testing.assert_array_equal(in_portions.layout.piece[places.row, places.col], np.arange(20))
    np.testing.assert_array_equal(in_portions.layout.turn[places.row, places.col], places.turn)


def nearly_right(rows, cols):
    """A search that begins with the truth of a clean picture, but for two pieces of its corners, changed about."""
    puzzle = puzzle_of(24, rows, cols, size=20, erosion=0, turned=True)
    matched, truth = sinkhorn(create_measure("mgc").scores(puzzle)), puzzle.truth.grid()
    right = Layout(truth, puzzle.truth.turn[truth])
    swapped = truth.copy()
    swapped[0, 0], swapped[-1, -1] = truth[-1, -1], truth[0, 0]
    layout = Layout(swapped, puzzle.truth.turn[swapped])
    return Search(matched, with_loops(matched), Frame(rows, cols), Pins(), layout), right


def test_few_doubtful_pieces_are_looked_at_alone():
    looking, right = nearly_right(10, 12)
    corners = [(0, 0), (0, 1), (1, 0), (-1, -1), (-1, -2), (-2, -1)]
    exchanged = sorted(looking.layout.piece[cell] for cell in corners)
    assert looking.worth_moving(looking.layout, 0).tolist() == exchanged
    looking.ruin_and_recreate(np.random.default_rng(0), Stop().watch())
    np.testing.assert_array_equal(looking.layout.piece, right.piece)


def test_where_many_pieces_are_in_doubt_all_are_looked_at():
    looking, _ = nearly_right(4, 4)
    assert looking.worth_moving(looking.layout, 0).tolist() == list(range(16))


def test_a_longer_search_looks_at_all_pieces_again():
    looking, right = nearly_right(10, 12)
    assert looking.worth_moving(looking.layout, TRUSTING_ROUNDS).tolist() == list(range(120))
    assert looking.worth_moving(right, 0).tolist() == list(range(120)), "without any doubt"


def test_pieces_beside_holes_are_in_doubt():
    looking, right = nearly_right(10, 12)
    piece = right.piece.copy()
    piece[4, 4] = -1
    beside = sorted(piece[cell] for cell in ((3, 4), (5, 4), (4, 3), (4, 5)))
    assert looking.worth_moving(Layout(piece, right.turn * (piece >= 0)), 0).tolist() == beside


def test_seconds_are_used_up_where_rounds_in_vain_would_end_the_search(monkeypatch):
    done, scores = looked_at(monkeypatch), random_scores(2, 20)
    SOLVER.solve(scores, Frame(4, 5), Stop(), np.random.default_rng(0))
    alone = sum(done)
    done.clear()
    monkeypatch.setattr(stop, "perf_counter", Ticking())
    SOLVER.solve(scores, Frame(4, 5), Stop(seconds=2000), np.random.default_rng(0))
    assert sum(done) > alone
