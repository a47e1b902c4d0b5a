"""The picture of wrong joins."""

from dataclasses import replace

import numpy as np
import pytest

from drawing import thinned_puzzle
from reference import random_scores
from tenjigsaw.evaluation import right_joins
from tenjigsaw.layout import Layout
from tenjigsaw.measures import DenseScores, create_measure
from tenjigsaw.mistakes import NO_PARTNER, draw_mistakes, find_mistakes
from tenjigsaw.puzzle import Puzzle

WRONG, TRUE = (213, 94, 0), (0, 158, 115)


def layouts(puzzle: Puzzle) -> tuple[Layout, Layout]:
    """The true layout, and one with its first and last piece swapped."""
    assert puzzle.truth is not None
    grid = puzzle.truth.grid()
    turns = puzzle.truth.turn
    swapped = grid.copy()
    swapped[0, 0], swapped[-1, -1] = grid[-1, -1], grid[0, 0]
    return Layout(grid, turns[grid]), Layout(swapped, turns[swapped])


@pytest.fixture
def puzzle() -> Puzzle:
    return thinned_puzzle(3, 4, size=12, erosion=1, turned=True)


@pytest.fixture
def scores() -> DenseScores:
    return random_scores(0, pieces=12)


def test_a_right_layout_has_no_mistakes(puzzle: Puzzle, scores: DenseScores) -> None:
    true, _ = layouts(puzzle)
    assert find_mistakes(puzzle, true, scores) == []
    assert draw_mistakes(puzzle, true, scores) is None


def test_without_the_truth_nothing_is_called_wrong(puzzle: Puzzle, scores: DenseScores) -> None:
    _, wrong = layouts(puzzle)
    assert draw_mistakes(replace(puzzle, truth=None), wrong, scores) is None


def test_every_wrong_join_is_found_the_most_costly_first(puzzle: Puzzle, scores: DenseScores) -> None:
    _, wrong = layouts(puzzle)
    assert puzzle.truth is not None
    found = find_mistakes(puzzle, wrong, scores)
    joins, right = wrong.joins(), right_joins(wrong, puzzle.truth)
    assert {(m.left, m.right) for m in found} == set(zip(joins.one[~right], joins.other[~right], strict=True))
    assert [m.cost for m in found] == sorted((m.cost for m in found), reverse=True)
    assert all(m.cost == scores.values[m.left, m.right] for m in found)


def test_the_true_neighbour_is_a_true_join_that_shares_an_edge_with_the_wrong_one(
    puzzle: Puzzle, scores: DenseScores
) -> None:
    _, wrong = layouts(puzzle)
    assert puzzle.truth is not None
    partners = puzzle.truth.partners()
    found = find_mistakes(puzzle, wrong, scores)
    assert any(m.true_left != NO_PARTNER for m in found)
    for m in found:
        if m.true_left == NO_PARTNER:
            assert partners[m.left] == partners[m.right] == NO_PARTNER
        else:
            assert partners[m.true_left] == m.true_right
            assert m.true_left == m.left or m.true_right == m.right
            assert m.true_cost == scores.values[m.true_left, m.true_right]


def shades(picture: np.ndarray, colour: tuple[int, int, int]) -> int:
    return int((picture == colour).all(axis=-1).sum())


def test_each_shown_mistake_has_its_frames(puzzle: Puzzle, scores: DenseScores) -> None:
    _, wrong = layouts(puzzle)
    found = find_mistakes(puzzle, wrong, scores)
    sheets = {count: draw_mistakes(puzzle, wrong, scores, count) for count in (0, 1, 2, 99)}
    assert sheets[0] is None
    assert sheets[1] is not None
    one = shades(np.asarray(sheets[1]), WRONG)
    for count in (1, 2, 99):
        sheet = sheets[count]
        assert sheet is not None
        assert shades(np.asarray(sheet), WRONG) == one * min(count, len(found))
    assert sheets[1].width < sheets[2].width
    known = sum(m.true_left != NO_PARTNER for m in found)
    assert shades(np.asarray(sheets[99]), TRUE) == one * known


def test_the_edges_that_meet_are_shown_enlarged(puzzle: Puzzle, scores: DenseScores) -> None:
    _, wrong = layouts(puzzle)
    sheet = draw_mistakes(puzzle, wrong, scores, 1)
    assert sheet is not None
    first = find_mistakes(puzzle, wrong, scores)[0]
    left = np.rot90(puzzle.pieces[first.left // 4], -((1 - first.left) % 4))
    right = np.rot90(puzzle.pieces[first.right // 4], -((3 - first.right) % 4))
    frame = np.argwhere((np.asarray(sheet) == WRONG).all(axis=-1))
    top, start = frame.min(axis=0) + 3
    bottom, end = frame.max(axis=0) - 3
    view = np.asarray(sheet)[top : bottom + 1, start : end + 1]
    middle = view.shape[1] // 2
    assert tuple(view[0, middle - 1]) == tuple(left[0, -1])
    assert tuple(view[0, middle]) == tuple(right[0, 0])
    assert tuple(view[-1, -1]) == tuple(right[-1, 5])


def test_best_lists_that_lack_a_join_are_drawn_too(puzzle: Puzzle) -> None:
    _, wrong = layouts(puzzle)
    lists = create_measure("ssd").nearest(puzzle, 2)
    assert any(not np.isfinite(m.cost) for m in find_mistakes(puzzle, wrong, lists))
    assert draw_mistakes(puzzle, wrong, lists) is not None
