"""Intervals of means over pictures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenjigsaw.evaluation.bootstrap import bootstrap_mean

VALUES = st.lists(st.floats(-1, 1), min_size=1, max_size=30)
FEW = 700


@given(VALUES)
def test_bounds_lie_within_the_values(values):
    mean, low, high = bootstrap_mean(values, draws=FEW)
    slack = 1e-9
    assert min(values) - slack <= low <= high <= max(values) + slack
    assert mean == pytest.approx(np.mean(values), abs=slack)


@given(VALUES, st.randoms())
def test_order_does_not_matter(values, random):
    shuffled = random.sample(values, len(values))
    assert bootstrap_mean(shuffled, draws=FEW) == bootstrap_mean(values, draws=FEW)


@given(VALUES, st.floats(0.1, 10), st.floats(-10, 10))
def test_scaled_and_shifted_values_have_a_scaled_and_shifted_interval(values, scale, shift):
    plain = np.array(bootstrap_mean(values, draws=FEW))
    moved = np.array(bootstrap_mean([scale * value + shift for value in values], draws=FEW))
    assert moved == pytest.approx(scale * plain + shift, abs=1e-9)


@given(VALUES)
def test_more_confidence_is_wider(values):
    _, low, high = bootstrap_mean(values, confidence=0.8, draws=FEW)
    _, lower, higher = bootstrap_mean(values, confidence=0.99, draws=FEW)
    assert lower <= low <= high <= higher


def test_equal_values_leave_no_doubt():
    assert bootstrap_mean([0.25] * 7) == (0.25, 0.25, 0.25)


def test_covers_the_true_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(200):
        _, low, high = bootstrap_mean(rng.normal(3, 1, 40), draws=FEW)
        hits += low <= 3 <= high
    assert 0.88 <= hits / 200 <= 0.99


def test_matches_the_textbook_for_many_values():
    values = np.random.default_rng(1).normal(0, 1, 400)
    _, low, high = bootstrap_mean(values)
    error = values.std(ddof=1) / 20
    assert (low, high) == pytest.approx((values.mean() - 1.96 * error, values.mean() + 1.96 * error), abs=0.1 * error)


def test_nothing_has_no_mean():
    with pytest.raises(ValueError, match="nothing"):
        bootstrap_mean([])
