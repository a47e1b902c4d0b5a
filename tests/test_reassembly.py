"""The whole flow, and what it says about itself."""

import numpy as np
import pytest

import tenjigsaw
from reference import puzzle_of
from tenjigsaw.confidence import join_confidence, layout_cost
from tenjigsaw.evaluation import right_joins
from tenjigsaw.measures import create_measure, normalise
from tenjigsaw.solvers import Frame, Stop, create_solver


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
    puzzle = puzzle_of(3, rows=6, cols=7, size=16, erosion=2)
    result = tenjigsaw.reassemble(puzzle)
    right = right_joins(result.layout, puzzle.truth)
    assert 0 < right.sum() < len(right)
    assert result.confidence[right].mean() > result.confidence[~right].mean() + 0.1
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
