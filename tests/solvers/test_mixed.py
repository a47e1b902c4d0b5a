"""Several puzzles in one heap."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reference import puzzle_of, random_scores
from tenjigsaw.errors import InputError
from tenjigsaw.evaluation.mixture import mix, share_of_true_joins, share_told_apart
from tenjigsaw.layout import Layout
from tenjigsaw.measures import create_measure, normalise
from tenjigsaw.measures.lists import best_lists
from tenjigsaw.reassembly import reassemble_mixed
from tenjigsaw.solvers import Frame, Pins, Stop, list_solvers
from tenjigsaw.solvers.genetic import GeneticSolver
from tenjigsaw.solvers.mixed import solve_mixed
from tenjigsaw.solvers.parts import solve_heap
from tenjigsaw.solvers.tree import TreeSolver

# The genetic solver with a smaller population than the papers', so that its turn takes no longer than the others'.
SOLVERS = [replace(s, population=100) if isinstance(s, GeneticSolver) else s for s in list_solvers()]
SOON = Stop(generations=1)

each_solver = pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)


class Watcher:
    """Keeps what a solver tells and shows."""

    def __init__(self):
        self.told, self.shown = [], []

    def __call__(self, stage, share):
        self.told.append((stage, len(self.shown)))

    def show(self, layout, cost):
        self.shown.append((layout, cost))


@each_solver
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("frame", [Frame(5, 6), Frame(missing=True)])
@pytest.mark.parametrize("k", [None, 8], ids=["all scores", "best-8 lists"])
def test_tells_two_clean_puzzles_apart(solver, turned, frame, k):
    puzzles = [puzzle_of(seed, rows=5, cols=6, size=20, erosion=0, turned=turned) for seed in (1, 2)]
    heap, partners, owner = mix(puzzles, np.random.default_rng(0))
    measure = create_measure("mgc")
    scores = normalise(measure.nearest(heap, k) if k else measure.scores(heap), "sinkhorn")
    layouts = solve_heap(scores, 2, frame, Stop(generations=2), np.random.default_rng(0), solver=solver)
    least = 0.9 if k else 1.0  # short lists may lose a piece
    assert share_of_true_joins(layouts, partners) >= least
    assert share_told_apart(layouts, owner) >= least


@each_solver
@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    pieces=st.integers(3, 14),
    turned=st.booleans(),
    known=st.booleans(),
    listed=st.booleans(),
)
def test_places_every_piece_once_whatever_the_scores(solver, seed, pieces, turned, known, listed):
    frame = Frame(3, 2) if known else Frame(missing=True)
    rng, scores = np.random.default_rng(seed), random_scores(seed, pieces, turned)
    scores = best_lists(scores, 2) if listed else scores
    layouts = solve_heap(scores, 3, frame, Stop(generations=1), rng, solver=solver)
    assert len(layouts) == 3
    placed = np.concatenate([layout.piece[layout.piece >= 0] for layout in layouts])
    assert sorted(placed.tolist()) == list(range(pieces))
    assert not known or {(layout.rows, layout.cols) for layout in layouts} == {(3, 2)}


@each_solver
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), turned=st.booleans(), known=st.booleans(), listed=st.booleans())
def test_pins_that_go_against_the_scores_are_kept_in_a_heap(solver, seed, turned, known, listed):
    rng, scores = np.random.default_rng(seed), random_scores(seed, 24, turned)
    scores = best_lists(scores, 4) if listed else scores
    whole = Layout(rng.permutation(24).reshape(3, 8), rng.integers(4 if turned else 1, size=(3, 8)))
    halves = (Layout(whole.piece[:, cols], whole.turn[:, cols]).joins() for cols in (slice(4), slice(4, 8)))
    meeting = np.concatenate([np.stack([joins.one, joins.other], axis=1) for joins in halves])
    rng.shuffle(meeting)
    best = [(edge, int(partner)) for edge, partner in enumerate(scores.best(1)[:, 0]) if partner >= 0]
    apart = [pair for pair in best[:6] if pair not in meeting.tolist() and pair[::-1] not in meeting.tolist()]
    joined = meeting[:4]
    apart = np.array([pair for pair in apart if not np.isin(pair, joined).any()], dtype=np.int64).reshape(-1, 2)
    frame, pins = Frame(3, 4) if known else Frame(missing=True), Pins(joined=joined, apart=apart)
    try:
        layouts = solve_heap(scores, 2, frame, SOON, rng, solver=solver, pins=pins)
    except InputError as refused:
        assume("no room" not in str(refused) and "No way was found" not in str(refused))
        raise
    placed = np.concatenate([layout.piece[layout.piece >= 0] for layout in layouts])
    assert sorted(placed.tolist()) == list(range(24))
    met = joined_in(layouts)
    assert met >= {frozenset(pair) for pair in joined.tolist()}
    assert met.isdisjoint({frozenset(pair) for pair in apart.tolist()})


def test_a_pin_brings_a_piece_home_into_its_own_puzzle():
    puzzles = [puzzle_of(seed, rows=4, cols=5, size=20, erosion=0) for seed in (1, 2)]
    heap, partners, owner = mix(puzzles, np.random.default_rng(0))
    edge = int(np.nonzero(partners >= 0)[0][0])
    strange = 4 * int(np.nonzero(owner != owner[edge // 4])[0][0]) + (edge + 2) % 4
    for pins, kept in ((Pins(joined=np.array([[edge, strange]])), True), (Pins(), False)):
        results = reassemble_mixed(heap, 2, measure="mgc", frame=Frame(missing=True), pins=pins, stop=SOON)
        together = {edge // 4, strange // 4}
        assert any(together <= set(result.layout.piece.ravel().tolist()) for result in results) == kept
        for result in results:
            joins = result.layout.joins()
            pinned = (joins.one == edge) | (joins.other == edge)
            assert not kept or (result.confidence[pinned] == 1).all()


def joined_in(layouts):
    """The pairs of edges that meet."""
    joins = [layout.joins() for layout in layouts]
    return {frozenset(pair) for each in joins for pair in zip(each.one.tolist(), each.other.tolist(), strict=True)}


def two_clean_puzzles(turned):
    """A heap of two puzzles, and the true layout of each with the numbers of the heap."""
    puzzles = [puzzle_of(seed, rows=5, cols=6, size=20, erosion=0, turned=turned) for seed in (1, 2)]
    heap, _, owner = mix(puzzles, np.random.default_rng(0))
    layouts = solve_mixed(
        normalise(create_measure("mgc").scores(heap), "sinkhorn"), 2, Frame(5, 6), SOON, np.random.default_rng(0)
    )
    assert share_told_apart(layouts, owner) == 1
    return heap, layouts


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("frame", [Frame(5, 6), Frame(missing=True)])
def test_what_is_right_stays_as_it_is_in_the_order_of_the_starts(turned, frame):
    heap, layouts = two_clean_puzzles(turned)
    for order in ((0, 1), (1, 0)):
        starts = [layouts[number] for number in order]
        results = reassemble_mixed(heap, 2, measure="mgc", frame=frame, starts=starts, stop=SOON)
        for result, start in zip(results, starts, strict=True):
            assert joined_in([result.layout]) == joined_in([start])


@each_solver
@pytest.mark.parametrize("frame", [Frame(5, 6), Frame(missing=True), Frame(10, 3)])
def test_pins_and_starts_of_a_heap_go_together(solver, frame):
    heap, layouts = two_clean_puzzles(turned=False)
    joins = layouts[0].joins()
    pins = Pins(apart=np.stack([joins.one[:1], joins.other[:1]], axis=1))
    scores = normalise(create_measure("mgc").scores(heap), "sinkhorn")
    rng = np.random.default_rng(0)
    found = solve_heap(scores, 2, frame, SOON, rng, solver=solver, pins=pins, starts=layouts)
    assert sorted(np.concatenate([f.piece[f.piece >= 0] for f in found]).tolist()) == list(range(60))
    for layout in found:
        pins.check_kept(layout)
        assert frame.size is None or (layout.rows, layout.cols) == frame.size, "one of another size is not used"


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), turned=st.booleans())
def test_a_search_from_starts_never_ends_with_fewer_right_joins_to_expect(seed, turned):
    rng, watcher = np.random.default_rng(seed), Watcher()
    order, turn = rng.permutation(24).reshape(2, 3, 4), rng.integers(4 if turned else 1, size=(2, 3, 4))
    starts = [Layout(piece, turned_by) for piece, turned_by in zip(order, turn, strict=True)]
    solve_mixed(random_scores(seed, 24, turned), 2, Frame(3, 4), Stop(generations=3), rng, watcher, starts=starts)
    (first, before), *_, (_, after) = watcher.shown
    assert sorted(first.piece[first.piece >= 0].tolist()) == list(range(24))
    assert joined_in([first]) >= joined_in(starts)
    assert after <= before


def test_a_start_stays_where_pins_name_all_pieces_of_the_other():
    piece = np.arange(16).reshape(4, 4)
    starts = [Layout(piece, np.zeros_like(piece)), Layout(np.arange(16, 20).reshape(2, 2), np.zeros((2, 2), int))]
    pins = Pins(apart=np.array([[4 * 16 + 1, 4 * 19 + 3], [4 * 17 + 1, 4 * 18 + 3]]))
    watcher, rng = Watcher(), np.random.default_rng(0)
    solve_mixed(random_scores(1, 20), 2, Frame(4, 4), SOON, rng, watcher, pins, starts)
    assert joined_in([watcher.shown[0][0]]) >= joined_in(starts[:1])


def test_another_solver_begins_from_what_became_of_the_starts():
    class Given:
        name, summary = "given", "returns what it begins with"

        def solve(self, scores, frame, stop, rng, progress, start=None, pins=None):
            return start

    heap, layouts = two_clean_puzzles(turned=False)
    scores = normalise(create_measure("mgc").scores(heap), "sinkhorn")
    found = solve_heap(scores, 2, Frame(5, 6), SOON, np.random.default_rng(0), solver=Given(), starts=layouts)
    assert joined_in(found) == joined_in(layouts)


@pytest.mark.parametrize("pins", [None, Pins()])
def test_another_solver_is_told_of_no_pins_where_there_are_none(pins):
    class Told:
        name, summary = "told", "remembers its pins"

        def solve(self, scores, frame, stop, rng, progress, start=None, pins=None):
            heard.append(pins)
            return TreeSolver().solve(scores, frame, stop, rng)

    heard = []
    solve_heap(random_scores(3, 24), 2, Frame(3, 4), SOON, np.random.default_rng(0), solver=Told(), pins=pins)
    assert heard == [None, None]


def test_a_solver_that_ignores_pins_of_a_heap_is_refused():
    class Deaf:
        name, summary = "deaf", "lays pieces as if nobody had said anything"

        def solve(self, scores, frame, stop, rng, progress, start=None, pins=None):
            return TreeSolver().solve(scores, frame, stop, rng)

    heap, layouts = two_clean_puzzles(turned=False)
    first, last = layouts[0].piece[0, 0], layouts[0].piece[-1, -1]
    pins = Pins(joined=np.array([[4 * first + 1, 4 * last + 3]]))
    scores = normalise(create_measure("mgc").scores(heap), "sinkhorn")
    with pytest.raises(InputError, match="No layout was found with"):
        solve_heap(scores, 2, Frame(5, 6), SOON, np.random.default_rng(0), solver=Deaf(), pins=pins)


def test_a_part_whose_pins_a_solver_refuses_stays_as_it_was_parted():
    class Choosy:
        name, summary = "choosy", "refuses pins"

        def solve(self, scores, frame, stop, rng, progress, start=None, pins=None):
            if pins:
                raise InputError("No pins, please.")
            return TreeSolver().solve(scores, frame, stop, rng)

    heap, layouts = two_clean_puzzles(turned=False)
    first, last = layouts[0].piece[0, 0], layouts[0].piece[-1, -1]
    pins = Pins(joined=np.array([[4 * first + 1, 4 * last + 3]]))
    scores = normalise(create_measure("mgc").scores(heap), "sinkhorn")
    laid = solve_heap(scores, 2, Frame(5, 6), SOON, np.random.default_rng(0), solver=Choosy(), pins=pins)
    assert frozenset((4 * first + 1, 4 * last + 3)) in joined_in(laid)


def test_pins_that_leave_a_heap_nothing_to_join_are_refused():
    every = [[a, 4 + b] for a in range(4) for b in range(4)]
    with pytest.raises(InputError, match="keep all sides apart that could meet"):
        solve_mixed(random_scores(1, 2), 2, Frame(), SOON, np.random.default_rng(0), pins=Pins(apart=np.array(every)))


def test_a_heap_that_pins_hold_together_is_not_for_want_of_its_size():
    row = Pins(joined=np.array([[4 * piece + 1, 4 * piece + 7] for piece in range(5)]))
    with pytest.raises(InputError, match="into 2 puzzles; pin fewer of them together"):
        solve_mixed(random_scores(1, 6, False), 2, Frame(), SOON, np.random.default_rng(0), pins=row)


def test_starts_that_are_not_of_this_heap_are_refused():
    one, other = (Layout(np.arange(12).reshape(3, 4) + first, np.zeros((3, 4), int)) for first in (0, 12))
    for starts, sentence in (
        ([one], "can start from as many layouts, not from 1"),
        ([one, one], "hold piece 0 twice"),
        ([one, Layout(other.piece + 1, other.turn)], "holds piece 24, but the last"),
        ([one, Layout(other.piece, other.turn + 1)], "turned piece, but turns are known"),
    ):
        with pytest.raises(InputError, match=sentence):
            solve_mixed(random_scores(3, 24, False), 2, Frame(3, 4), SOON, np.random.default_rng(0), starts=starts)


def test_a_heap_has_no_cells_to_hold_pieces_in():
    pins = Pins(held=np.array([[0, 0, 0, 0]]))
    with pytest.raises(InputError, match="no piece can be held in a cell"):
        solve_mixed(random_scores(3, 24), 2, Frame(3, 4), SOON, np.random.default_rng(0), pins=pins)
    with pytest.raises(InputError, match="no piece can be held in a cell"):
        reassemble_mixed(puzzle_of(1, rows=3, cols=4), 2, pins=pins)


def test_shows_how_far_it_is():
    watcher, scores = Watcher(), random_scores(3, 24)
    layouts = solve_mixed(scores, 2, Frame(3, 4), Stop(generations=3), np.random.default_rng(0), watcher)
    assert watcher.told[-3:] == [("improving", 1), ("improving", 2), ("improving", 3)], "each round has a cost to show"
    for layout, cost in watcher.shown:
        assert sorted(layout.piece[layout.piece >= 0].tolist()) == list(range(24))
        assert len(layout.joins()) == sum(len(each.joins()) for each in layouts), "none between two puzzles"
        assert 0 <= cost <= len(layout.joins()), "the wrong joins to be expected"
    costs = [cost for _, cost in watcher.shown]
    assert costs == sorted(costs, reverse=True)


def test_another_solver_shows_each_part_with_the_numbers_of_the_heap():
    watcher, genetic = Watcher(), GeneticSolver(population=20)
    heap, stop = random_scores(3, 24), Stop(generations=2)
    layouts = solve_heap(heap, 2, Frame(3, 4), stop, np.random.default_rng(0), watcher, genetic)
    last_of_each = {frozenset(layout.piece.ravel().tolist()) for layout, _ in watcher.shown[-4:]}
    assert last_of_each == {frozenset(layout.piece.ravel().tolist()) for layout in layouts}


def test_parting_and_the_parts_share_the_time():
    class Asked:
        name, summary = "asked", "remembers how long it may take"

        def solve(self, scores, frame, stop, rng, progress, start=None, pins=None):
            seconds.append(stop.seconds)
            return TreeSolver().solve(scores, frame, stop, rng)

    seconds = []

    solve_heap(random_scores(3, 24), 2, Frame(3, 4), Stop(seconds=0.3), np.random.default_rng(0), solver=Asked())
    assert seconds == pytest.approx([0.1, 0.1])


def test_a_solver_that_loses_a_piece_is_refused():
    class Careless:
        name, summary = "careless", "lays all pieces but one"

        def solve(self, scores, frame, stop, rng, progress, start=None, pins=None):
            piece = np.arange(scores.edges // 4 - 1)[None]
            return Layout(piece, np.zeros_like(piece))

    with pytest.raises(InputError, match="careless did not lay each of the 12 pieces once"):
        solve_heap(random_scores(3, 24), 2, Frame(3, 4), SOON, np.random.default_rng(0), solver=Careless())


def test_a_heap_keeps_the_true_joins_of_both():
    puzzles = [puzzle_of(seed, rows=2, cols=3, turned=True) for seed in (1, 2)]
    heap, partners, owner = mix(puzzles, np.random.default_rng(0))
    assert (partners >= 0).sum() == 2 * 2 * 7
    edge = np.nonzero(partners >= 0)[0]
    np.testing.assert_array_equal(partners[partners[edge]], edge)
    np.testing.assert_array_equal(owner[edge // 4], owner[partners[edge] // 4])
    for number, puzzle in enumerate(puzzles):
        np.testing.assert_array_equal(np.unique(heap.pieces[owner == number], axis=0), np.unique(puzzle.pieces, axis=0))


def test_pieces_in_the_wrong_layout_are_counted():
    layouts = [Layout(np.array([[0, 1, 2]]), np.zeros((1, 3), int)), Layout(np.array([[3]]), np.zeros((1, 1), int))]
    assert share_told_apart(layouts, np.array([0, 0, 1, 1])) == 0.75


@pytest.mark.parametrize("solver", ["segments", "tree"])
def test_each_puzzle_gets_its_own_result(solver):
    puzzles = [puzzle_of(seed, rows=4, cols=5, size=20, erosion=0) for seed in (3, 4)]
    heap, _, _ = mix(puzzles, np.random.default_rng(0))
    results = reassemble_mixed(heap, 2, measure="mgc", solver=solver, stop=Stop(generations=1))
    for result in results:
        assert result.solver == solver
        assert result.pieces == 20
        assert len(result.confidence) == len(result.layout.joins())
    placed = np.concatenate([result.layout.piece.ravel() for result in results])
    assert sorted(placed.tolist()) == list(range(40)), "the heap's own numbers"


@pytest.mark.parametrize("seed", range(5))
def test_a_heap_of_more_puzzles_than_it_has_is_parted_all_the_same(seed):
    """Small parts may be left with one piece or two; none of the pieces is lost, and none of the work."""
    heap = puzzle_of(seed, rows=4, cols=5, turned=True)
    for puzzles in (3, 20):
        results = reassemble_mixed(heap, puzzles, measure="mgc", stop=Stop(generations=1), seed=seed)
        assert len(results) == puzzles
        assert sum(result.pieces for result in results) == 20


def test_bad_requests():
    scores = random_scores(0, 5)
    with pytest.raises(InputError, match="5 pieces can't be those of 6 puzzles"):
        solve_mixed(scores, 6, Frame(), Stop(), np.random.default_rng(0))
    with pytest.raises(InputError, match="too few cells for 5 pieces"):
        solve_mixed(scores, 2, Frame(1, 2), Stop(), np.random.default_rng(0))
    with pytest.raises(InputError, match="12 pieces can't be those of 13 puzzles"):
        reassemble_mixed(puzzle_of(1, rows=3, cols=4), 13, measure="mgc")
    with pytest.raises(InputError, match="same size"):
        mix([puzzle_of(1, size=9), puzzle_of(1, size=10)], np.random.default_rng(0))
