"""Pins: what they refuse, how they are stored, and that solvers keep them."""

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from reference import puzzle_of, random_scores
from tenjigsaw.errors import InputError
from tenjigsaw.evaluation import accuracy
from tenjigsaw.layout import Layout
from tenjigsaw.measures import create_measure, normalise
from tenjigsaw.measures.scores import with_cost
from tenjigsaw.solvers import Frame, Pins, Stop, create_solver, list_solvers
from tenjigsaw.solvers.blocks import pinned_clusters

SOLVERS = [solver.name for solver in list_solvers()]


def table(*rows):
    return np.array(rows, dtype=np.int64)


def random_layout(rng, rows, cols, turned):
    turn = rng.integers(4 if turned else 1, size=(rows, cols))
    return Layout(rng.permutation(rows * cols).reshape(rows, cols), turn)


def pins_of(layout, rng, joined, held):
    """Some joins and places of a layout."""
    joins = layout.joins()
    chosen = rng.permutation(len(joins))[:joined]
    cells = rng.permutation(layout.piece.size)[:held]
    row, col = cells // layout.cols, cells % layout.cols
    places = np.stack([layout.piece[row, col], row, col, layout.turn[row, col]], axis=1)
    return Pins(joined=np.stack([joins.one[chosen], joins.other[chosen]], axis=1), held=places)


@pytest.mark.parametrize("name", SOLVERS)
@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), turned=st.booleans(), joined=st.integers(0, 4), held=st.integers(0, 3))
@example(seed=3340, turned=False, joined=2, held=1)  # a block would have driven out a piece held by itself
def test_solvers_keep_pins_that_go_against_the_scores(name, seed, turned, joined, held):
    rng = np.random.default_rng(seed)
    pins = pins_of(random_layout(rng, 3, 4, turned), rng, joined, held)
    scores = random_scores(seed, 12, turned)
    try:
        layout = create_solver(name).solve(scores, Frame(3, 4), Stop(generations=3), rng, pins=pins)
    except InputError as refused:
        assume("no room" not in str(refused))
        raise
    assert sorted(layout.piece.ravel().tolist()) == list(range(12))
    pins.check_kept(layout)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("k", [None, 8])
def test_a_join_kept_apart_is_avoided(name, k):
    puzzle = puzzle_of(31, rows=3, cols=4, size=20, erosion=0)
    measure = create_measure("mgc")
    scores = normalise(measure.nearest(puzzle, k) if k else measure.scores(puzzle), "ratio")

    def solve(pins=None):
        return create_solver(name).solve(scores, Frame(3, 4), Stop(), np.random.default_rng(0), pins=pins)

    free = solve()
    assert accuracy(free, puzzle.truth, True).perfect
    joins = free.joins()
    apart = np.stack([joins.one[:2], joins.other[:2]], axis=1)
    bound = solve(Pins(apart=apart)).joins()
    kept = set(zip(bound.one.tolist(), bound.other.tolist(), strict=True))
    kept |= {(b, a) for a, b in kept}
    assert not kept & set(map(tuple, apart.tolist()))


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), turned=st.booleans())
def test_pinned_clusters_lie_as_the_layout_does(seed, turned):
    rng = np.random.default_rng(seed)
    layout = random_layout(rng, 3, 4, turned)
    pins = pins_of(layout, rng, joined=17, held=1)
    clusters = pinned_clusters(pins, 12, Frame(3, 4))
    assert len(np.unique(clusters.cluster)) == 1
    np.testing.assert_array_equal(layout.piece[clusters.row, clusters.col], np.arange(12))
    np.testing.assert_array_equal(layout.turn[clusters.row, clusters.col], clusters.turn)


def test_json_gives_back_what_was_written():
    pins = Pins(joined=table([13, 31]), apart=table([14, 20], [1, 9]), held=table([0, 1, 2, 3]))
    again = Pins.from_json(pins.to_json())
    for name in ("joined", "apart", "held"):
        np.testing.assert_array_equal(getattr(pins, name), getattr(again, name))
    assert not len(Pins.from_json('{"format": "tenjigsaw pins 1"}').joined)


def test_pins_may_be_written_as_plain_lists():
    pins = Pins(joined=[[13, 31]])
    assert pins.any
    assert pins.joined.tolist() == [[13, 31]]
    assert not Pins().any
    with pytest.raises(InputError, match="joined pins must be whole numbers in rows of 2"):
        Pins(joined=[1, 2])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "not valid JSON"),
        ("[]", "no pins"),
        ('{"format": "tenjigsaw pins 1", "glued": []}', "unknown key 'glued'"),
        ('{"format": "tenjigsaw pins 1", "held": 3}', "list of objects"),
        ('{"format": "tenjigsaw pins 1", "held": [{"piece": 1}]}', "exactly piece, row, col, turn"),
        ('{"format": "tenjigsaw pins 1", "held": [{"piece": 1, "row": -1, "col": 0, "turn": 0}]}', "whole number"),
        (
            '{"format": "tenjigsaw pins 1", "apart": [{"piece": 1, "side": "top", "to": 2, "to_side": "up"}]}',
            "one of up, right, down, left",
        ),
    ],
)
def test_text_that_is_no_pins(text, reason):
    with pytest.raises(InputError, match=reason):
        Pins.from_json(text)


@pytest.mark.parametrize(
    ("pins", "reason"),
    [
        ({"joined": table([1, 2])}, "piece 0 to itself"),
        ({"joined": table([1, 7]), "apart": table([7, 1])}, "both joined and apart"),
        ({"joined": table([1, 7], [1, 11])}, "right side of piece 0 to two others"),
        ({"joined": table([1, 7, 3])}, "rows of 2"),
        ({"apart": table([-1, 7])}, "below 0"),
        ({"held": table([0, 0, 0, 4])}, "turn of a held piece"),
        ({"held": table([0, 0, 0, 0], [0, 1, 1, 0])}, "same piece twice"),
        ({"held": table([0, 1, 1, 0], [3, 1, 1, 0])}, "same cell"),
    ],
)
def test_pins_that_contradict_themselves(pins, reason):
    with pytest.raises(InputError, match=reason):
        Pins(**pins)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize(
    ("pins", "frame", "turned", "reason"),
    [
        ({"joined": table([1, 4 * 6 + 3])}, Frame(2, 3), False, "piece 6"),
        ({"joined": table([1, 4])}, Frame(2, 3), False, "only meet if pieces are turned"),
        ({"held": table([0, 0, 0, 1])}, Frame(2, 3), False, "turns are known"),
        ({"held": table([0, 0, 0, 0])}, Frame(), True, "rows and columns"),
        ({"held": table([0, 2, 0, 0])}, Frame(2, 3), True, "outside the frame of 2 x 3"),
        ({"held": table([0, 0, 2, 0]), "joined": table([1, 7])}, Frame(2, 3), True, "outside the frame of 2 x 3"),
        ({"joined": table([1, 7], [5, 11], [9, 3])}, Frame(2, 3), True, "two places"),
        ({"joined": table([1, 7], [4 + 1, 8 + 3], [8 + 1, 12 + 3])}, Frame(2, 3), True, "no room"),
        # Five pieces round one corner: the fifth comes to lie on the first.
        (
            {"joined": table([1, 7], [4 + 2, 8], [8 + 3, 12 + 1], [12, 16 + 2])},
            Frame(2, 3),
            False,
            "pieces 0 and 4 on each other",
        ),
    ],
)
def test_pins_that_do_not_fit_the_puzzle(name, pins, frame, turned, reason):
    with pytest.raises(InputError, match=reason):
        create_solver(name).solve(
            random_scores(0, 6, turned), frame, Stop(), np.random.default_rng(0), pins=Pins(**pins)
        )


def test_lists_learn_the_cost_of_a_join_they_did_not_hold():
    scores = create_measure("mgc").nearest(puzzle_of(1, rows=3, cols=4), 2)
    listed = set(zip(scores.row.tolist(), scores.column.tolist(), strict=True))
    new = next((0, b) for b in range(4, 48) if (0, b) not in listed)
    changed = with_cost(scores, table(new, (scores.row[0], scores.column[0])), 7.0)
    for a, b in (new, new[::-1], (scores.row[0], scores.column[0])):
        assert changed.cost(table(a), table(b)) == 7.0
    kept = slice(1, None)
    row, column = scores.row[kept], scores.column[kept]
    same = changed.cost(row, column) == scores.values[kept]
    assert (~same).sum() == 1  # the other view of the join that was changed
    np.testing.assert_array_equal(changed.row[changed.mate], changed.column)
    np.testing.assert_array_equal(changed.transposed(changed.values)[changed.mate], changed.values)


def test_pins_of_some_pieces_go_by_their_place_among_them():
    pins = Pins(
        joined=table((4, 13), (4 * 2 + 1, 4 * 9 + 3)), apart=table((5, 38)), held=table((2, 0, 1, 3), (1, 0, 0, 0))
    )
    some = pins.among(np.array([1, 2, 9]))
    assert some.joined.tolist() == [[4 * 1 + 1, 4 * 2 + 3]]
    assert some.apart.tolist() == [[1, 4 * 2 + 2]]
    assert some.held.tolist() == [[1, 0, 1, 3], [0, 0, 0, 0]]
