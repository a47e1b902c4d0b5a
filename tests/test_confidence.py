"""Confidence: a probability for each join, that hears the joins around it."""

import numpy as np

from tenjigsaw.confidence import evidence, join_confidence, mean_around, probability
from tenjigsaw.layout import Layout
from tenjigsaw.measures import DenseScores


def layout_of(rows: int, cols: int) -> Layout:
    piece = np.arange(rows * cols).reshape(rows, cols)
    return Layout(piece, np.zeros_like(piece))


def slow_mean_around(layout: Layout, values: np.ndarray) -> list[float]:
    """Loops written out: two joins belong to one loop of four if the cells of both fit into one 2 x 2 square."""
    joins = layout.joins()
    cells = [
        {(r, c), (r, c + 1) if d == 1 else (r + 1, c)}
        for r, c, d in zip(joins.row, joins.col, joins.direction, strict=True)
    ]
    squares = [
        {(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)} for r in range(layout.rows - 1) for c in range(layout.cols - 1)
    ]
    means = []
    for join, mine in enumerate(cells):
        around = {
            other
            for square in squares
            if mine <= square
            for other, its in enumerate(cells)
            if other != join and its <= square
        }
        means.append(float(np.mean([values[other] for other in around])) if around else 0.0)
    return means


def test_the_joins_around_are_those_of_both_loops() -> None:
    layout = layout_of(4, 5)
    layout.piece[1, 2] = -1
    values = np.random.default_rng(0).normal(size=len(layout.joins()))
    found = mean_around(layout.joins(), values, (4, 5))
    np.testing.assert_allclose(found, slow_mean_around(layout, values), atol=1e-12)


def test_a_single_row_has_nothing_around_its_joins() -> None:
    layout = layout_of(1, 4)
    np.testing.assert_array_equal(mean_around(layout.joins(), np.ones(3), (1, 4)), [0, 0, 0])


def scores_with(layout: Layout, probability: np.ndarray) -> DenseScores:
    joins = layout.joins()
    values = np.full((4 * layout.piece.size, 4 * layout.piece.size), 20.0, dtype=np.float32)
    values[joins.one, joins.other] = values[joins.other, joins.one] = -np.log(probability)
    return DenseScores(values, turned=True, mutual=True, log_probability=True)


def test_evidence_is_the_log_odds_of_each_join() -> None:
    layout = layout_of(2, 2)
    own, _ = evidence(layout, scores_with(layout, np.array([0.5, 0.9, 0.1, 0.75])))
    np.testing.assert_allclose(own, np.log([1, 9, 1 / 9, 3]), atol=1e-5)


def test_a_surer_join_and_surer_neighbours_make_more_confidence() -> None:
    layout = layout_of(3, 3)
    plain = np.full(len(layout.joins()), 0.5)
    surer = plain.copy()
    surer[0] = 0.9
    before, after = (join_confidence(layout, scores_with(layout, values)) for values in (plain, surer))
    assert after[0] > before[0]
    # Join 2 is the next row's in the loop below the first join.
    assert after[2] > before[2]
    np.testing.assert_array_equal(after[-1], before[-1])
    assert ((after > 0) & (after < 1)).all()


def test_a_join_of_few_pieces_is_less_sure_than_the_same_of_many() -> None:
    few, many = (
        join_confidence(layout, scores_with(layout, np.full(len(layout.joins()), 0.8)))
        for layout in (layout_of(2, 2), layout_of(12, 12))
    )
    assert few.max() < many.min()


def test_impossible_and_certain_joins_stay_within_bounds() -> None:
    layout = layout_of(2, 2)
    scores = scores_with(layout, np.array([1.0, 1.0, 1e-30, 1.0]))
    confidence = join_confidence(layout, scores)
    assert np.isfinite(confidence).all()
    assert confidence[2] < confidence[0]


def test_where_pieces_are_lost_good_neighbours_say_less() -> None:
    whole, holed = layout_of(24, 24), layout_of(24, 24)
    holed.piece[20:] = -1
    sure = np.full(len(whole.joins()), 0.9)
    full, missing = (join_confidence(layout, scores_with(whole, sure)) for layout in (whole, holed))
    assert missing[0] < full[0]
    assert probability(*evidence(whole, scores_with(whole, sure)), lost=0.0)[0] == full[0]
