"""The whole flow, and what it says about itself."""

import numpy as np
import pytest

import tenjigsaw
from reference import puzzle_of
from tenjigsaw.confidence import join_confidence, layout_cost
from tenjigsaw.evaluation import right_joins
from tenjigsaw.layout import Layout
from tenjigsaw.measures import DenseScores, create_measure, normalise, registry
from tenjigsaw.pictures import built_in_picture
from tenjigsaw.puzzle import cut, erode, read_picture, shuffle, turn
from tenjigsaw.solvers import Frame, Pins, Stop, create_solver
from tenjigsaw.solvers import registry as solver_registry


@pytest.mark.parametrize("cols", [2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_two_and_three_pieces(cols, seed):
    puzzle = puzzle_of(seed, rows=1, cols=cols, size=20, erosion=0, turned=False)
    assert tenjigsaw.reassemble(puzzle).accuracy.perfect


def test_a_result_tells_how_it_was_made():
    puzzle = puzzle_of(1, rows=4, cols=5, size=20, erosion=0)
    result = tenjigsaw.reassemble(puzzle, measure="ssd", normalise="ratio", solver="tree", seed=7)
    assert (result.measure, result.normalise, result.solver) == ("ssd", "ratio", "tree")
    assert (result.type, result.seed, result.pieces) == (2, 7, 20)
    assert (result.layout.rows, result.layout.cols) == (4, 5)
    assert result.accuracy.neighbour > 0.9


def test_large_puzzles_are_solved_from_lists(monkeypatch):
    puzzle = puzzle_of(2, rows=5, cols=6, size=20, erosion=0)
    monkeypatch.setattr("tenjigsaw.measures.scoring.MOST_DENSE_PIECES", 10)
    monkeypatch.setattr("tenjigsaw.measures.scoring.LISTED_PARTNERS", 4)
    stages = []
    result = tenjigsaw.reassemble(puzzle, progress=lambda stage, share: stages.append(stage))
    assert result.accuracy.perfect
    assert {"scoring", "joining", "filling"} <= set(stages)


def test_right_joins_are_surer_than_wrong_ones():
    rng = np.random.default_rng(0)
    puzzle = turn(shuffle(erode(cut(read_picture(built_in_picture()), 28), 4, rng), rng), rng)
    result = tenjigsaw.reassemble(puzzle)
    right = right_joins(result.layout, puzzle.truth)
    assert 0 < right.sum() < len(right)
    assert result.confidence[right].mean() > result.confidence[~right].mean() + 0.2
    assert ((result.confidence >= 0) & (result.confidence <= 1)).all()


def test_confidence_is_the_same_from_raw_and_from_matched_scores():
    puzzle = puzzle_of(4, rows=3, cols=4)
    raw = create_measure("mgc").scores(puzzle)
    layout = create_solver("tree").solve(raw, Frame(3, 4), Stop(), np.random.default_rng(0))
    matched = normalise(raw, "sinkhorn")
    np.testing.assert_allclose(join_confidence(layout, raw), join_confidence(layout, matched))


@pytest.mark.parametrize("measure", ["l1", "mgc"])
def test_cost_does_not_depend_on_how_the_whole_is_turned(measure):
    puzzle = puzzle_of(5, rows=3, cols=4)
    scores = create_measure(measure).scores(puzzle)
    layout = create_solver("tree").solve(scores, Frame(3, 4), Stop(), np.random.default_rng(0))
    costs = [layout_cost(layout.turned(turn), scores) for turn in range(4)]
    np.testing.assert_allclose(costs, costs[0], rtol=1e-6)
    joins = layout.joins()
    values = scores.values.astype(float)
    expected = sum((values[a, b] + values[b, a]) / 2 for a, b in zip(joins.one, joins.other, strict=True))
    assert costs[0] == pytest.approx(expected, rel=1e-5)


def test_a_size_may_be_given_as_two_numbers():
    puzzle = puzzle_of(6, rows=2, cols=6, turned=False)
    layout = tenjigsaw.reassemble(puzzle, measure="mgc", frame=(3, 4)).layout
    assert (layout.rows, layout.cols) == (3, 4)


def test_what_a_person_vouches_for_is_sure():
    puzzle = puzzle_of(7, rows=4, cols=4, size=16, erosion=2, turned=False)
    before = tenjigsaw.reassemble(puzzle, measure="mgc")
    joins, doubtful = before.layout.joins(), before.confidence.argsort()[:3]
    pairs = np.stack([joins.one, joins.other], axis=1)[doubtful]
    piece = before.layout.piece[:1]
    held = np.stack([piece.ravel(), *np.indices(piece.shape).reshape(2, -1), np.zeros(4, dtype=int)], axis=1)
    for pins, sure in ((Pins(joined=pairs[:, ::-1].copy()), 3), (Pins(held=held), 3)):
        after = tenjigsaw.reassemble(puzzle, measure="mgc", start=before.layout, pins=pins)
        assert (after.confidence == 1).sum() >= sure
        assert (after.confidence[~pins.vouched_for(after.layout.joins())] < 1).all()


class OwnMeasure:
    summary = "wrong on purpose"

    def __init__(self, returned):
        self.name, self.returned = "own", returned

    def scores(self, puzzle, progress=None):
        return self.returned(puzzle)


@pytest.mark.parametrize(
    ("returned", "sentence"),
    [
        (lambda puzzle: np.zeros((48, 48)), "must return DenseScores or SparseScores, not ndarray"),
        (lambda puzzle: create_measure("ssd").scores(puzzle_of(0, rows=2, cols=2)), "scored 16 edges, but 12 pieces"),
        (lambda puzzle: as_values(puzzle, np.ndarray.tolist), "own must return .* 48 x 48 costs, not list"),
        (lambda puzzle: as_values(puzzle, lambda all_: all_[:, :3]), "48 x 48 costs, not an array of 48 x 3 float32"),
        (lambda puzzle: as_values(puzzle, lambda all_: all_.astype(object)), "not an array of 48 x 48 object"),
        (lambda puzzle: dense(puzzle, np.nan), "not numbers, or no finite ones"),
        (lambda puzzle: dense(puzzle, np.inf, slice(None)), "not numbers, or no finite ones"),
        (lambda puzzle: dense(puzzle, -np.inf), "not numbers, or no finite ones"),
    ],
    ids=["array", "other edges", "list", "not square", "objects", "one is no number", "all infinite", "one below all"],
)
def test_a_measure_of_ones_own_that_is_wrong(monkeypatch, returned, sentence):
    monkeypatch.setitem(registry._registered, "own", OwnMeasure(returned))
    with pytest.raises(tenjigsaw.InputError, match=sentence):
        tenjigsaw.reassemble(puzzle_of(0, rows=3, cols=4), measure="own")


@pytest.mark.parametrize("kind", [np.float16, np.float64, np.int32])
def test_a_measure_of_ones_own_with_other_numbers(monkeypatch, kind):
    def whole(costs):
        return np.where(np.isfinite(costs), costs / 100, 500).round().astype(kind)

    monkeypatch.setitem(registry._registered, "own", OwnMeasure(lambda puzzle: as_values(puzzle, whole)))
    assert tenjigsaw.reassemble(puzzle_of(0, rows=3, cols=4), measure="own").layout.piece.shape == (3, 4)


def as_values(puzzle, changed):
    return DenseScores(changed(create_measure("ssd").scores(puzzle).values), puzzle.turned, mutual=True)


def dense(puzzle, value, where=(0, 5)):
    values = create_measure("ssd").scores(puzzle).values.copy()
    values[where] = value
    return DenseScores(values, puzzle.turned, mutual=True)


class OwnSolver:
    summary, draws = "wrong on purpose", False

    def __init__(self, returned):
        self.name, self.returned = "own", returned

    def solve(self, scores, frame, stop, rng, progress=None, start=None, pins=None):
        return self.returned


def upright(*rows):
    return Layout(np.array(rows), np.zeros((len(rows), len(rows[0])), dtype=int))


@pytest.mark.parametrize(
    ("returned", "sentence"),
    [
        (None, "must return a Layout, not NoneType"),
        (upright([0, 1], [2, -1]), "did not lay each of the 4 pieces once"),
        (upright([0, 1], [2, 7]), "did not lay each of the 4 pieces once"),
        (upright([0, 1, 2, 3]), "laid 1 x 4 cells in a frame of 2 x 2"),
        (Layout(np.array([[0, 1], [2, 3]]), np.array([[0, 1], [0, 0]])), "turned a piece"),
        (upright([0, 1], [2, 3]), "No layout was found with piece 3 held"),
    ],
    ids=["none", "one left out", "unknown piece", "other frame", "turned", "pins"],
)
def test_a_solver_of_ones_own_that_is_wrong(monkeypatch, returned, sentence):
    monkeypatch.setitem(solver_registry._SOLVERS, "own", OwnSolver(returned))
    puzzle = puzzle_of(0, rows=2, cols=2, turned=False)
    with pytest.raises(tenjigsaw.InputError, match=sentence):
        tenjigsaw.reassemble(puzzle, measure="ssd", solver="own", pins=Pins(held=np.array([[3, 0, 0, 0]])))
