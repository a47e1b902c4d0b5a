"""Compiled kernels against plain numpy."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenjigsaw.measures import kernels

SIZES = st.tuples(st.integers(1, 9), st.integers(1, 700), st.integers(1, 12))


@settings(max_examples=15, deadline=None)
@given(sizes=SIZES, seed=st.integers(0, 1000))
def test_sums_over_absolute_differences_and_their_powers(sizes, seed):
    rng = np.random.default_rng(seed)
    one, other, length = sizes
    predicted = rng.normal(scale=50, size=(one, length)).astype(np.float32)
    values = rng.normal(scale=50, size=(length, other)).astype(np.float32)
    gap = np.abs(predicted[:, :, None].astype(np.float64) - values[None])
    np.testing.assert_allclose(kernels.absolute_sums(predicted, values), gap.sum(axis=1), rtol=1e-5)
    np.testing.assert_allclose(kernels.power_sums(predicted, values, 0.3), (gap**0.3).sum(axis=1), rtol=1e-4)


@pytest.mark.parametrize("gap", [0.0, 1e-20, 1.6e-13, 1e-6, 1e-3, 0.5, 1.0, 3.0, 255.0, 1e6])
def test_fast_power_over_its_range(gap):
    for exponent in (0.3, 3.0):
        found = kernels.power_sums(np.array([[gap]], np.float32), np.zeros((1, 1), np.float32), exponent)[0, 0]
        assert found == pytest.approx(gap**exponent, rel=2e-5, abs=1e-8)


@settings(max_examples=15, deadline=None)
@given(rows=st.integers(1, 6), columns=st.integers(1, 40), k=st.integers(1, 12), seed=st.integers(0, 1000))
def test_smallest_in_rows(rows, columns, k, seed):
    values = np.random.default_rng(seed).integers(0, 9, (rows, columns)).astype(np.float32)
    expected = np.full((rows, k), np.inf)
    kept = min(k, columns)
    expected[:, :kept] = np.sort(values, axis=1)[:, :kept]
    np.testing.assert_array_equal(kernels.smallest_in_rows(values, k), expected)


@settings(max_examples=15, deadline=None)
@given(lengths=st.lists(st.integers(0, 9), min_size=1, max_size=6), k=st.integers(1, 12), seed=st.integers(0, 1000))
def test_smallest_in_lists(lengths, k, seed):
    values = np.random.default_rng(seed).integers(0, 9, sum(lengths)).astype(np.float32)
    start = np.concatenate(([0], np.cumsum(lengths)))
    expected = np.full((len(lengths), k), np.inf)
    for row, (first, last) in enumerate(pairwise(start)):
        kept = np.sort(values[first:last])[:k]
        expected[row, : len(kept)] = kept
    np.testing.assert_array_equal(kernels.smallest_in_lists(values, start, k), expected)


@settings(max_examples=15, deadline=None)
@given(lengths=st.lists(st.integers(0, 9), min_size=1, max_size=6), seed=st.integers(0, 1000))
def test_sums_and_largest_of_lists(lengths, seed):
    rng = np.random.default_rng(seed)
    values, weights = rng.normal(size=sum(lengths)).astype(np.float32), rng.random(20).astype(np.float32)
    column = rng.integers(0, 20, sum(lengths))
    start = np.concatenate(([0], np.cumsum(lengths)))
    lists = [slice(first, last) for first, last in pairwise(start)]
    sums = [(values[part].astype(float) * weights[column[part]]).sum() for part in lists]
    np.testing.assert_allclose(kernels.sums_of_lists(values, column, start, weights), sums, rtol=1e-5, atol=1e-6)
    largest = [values[part].max(initial=-np.inf) for part in lists]
    np.testing.assert_array_equal(kernels.largest_in_lists(values, start), largest)


@pytest.mark.parametrize("forbidden", [0.0, 0.4, 1.0])
def test_largest_in_rows(forbidden):
    rng = np.random.default_rng(0)
    values = np.where(rng.random((9, 9)) < forbidden, np.inf, rng.normal(size=(9, 9))).astype(np.float32)
    expected = np.max(values, axis=1, initial=-np.inf, where=np.isfinite(values))
    np.testing.assert_array_equal(kernels.largest_in_rows(values), expected)


@settings(max_examples=15, deadline=None)
@given(rows=st.integers(1, 6), columns=st.integers(1, 40), k=st.integers(1, 12), seed=st.integers(0, 1000))
def test_best_in_rows(rows, columns, k, seed):
    values = np.random.default_rng(seed).integers(0, 9, (rows, columns)).astype(np.float32)
    values[values == 8] = np.inf
    order = np.argsort(values, axis=1, kind="stable")
    order[~np.isfinite(np.take_along_axis(values, order, axis=1))] = -1
    expected = np.full((rows, k), -1)
    expected[:, : min(k, columns)] = order[:, :k]
    np.testing.assert_array_equal(kernels.best_in_rows(values, k), expected)


def test_scaled_and_shifted():
    rng = np.random.default_rng(0)
    values, scale, shift = rng.random((7, 7), np.float32), rng.random(7, np.float32), rng.random(7, np.float32)
    expected = values * np.outer(scale, scale) + shift[:, None] + shift
    np.testing.assert_allclose(kernels.scaled_and_shifted(values, scale, shift), expected, rtol=1e-5)


def test_joins_between_respects_band_groups_and_order():
    rng = np.random.default_rng(0)
    values = rng.random((20, 20)).astype(np.float32)
    group = np.array([0, 1, 1, 2, 3])
    one, other, cost = kernels.joins_between(values, 0.2, 0.7, group)
    expected = {
        (a, b)
        for a in range(20)
        for b in range(a + 1, 20)
        if 0.2 < values[a, b] <= 0.7 and group[a // 4] != group[b // 4]
    }
    assert set(zip(one.tolist(), other.tolist(), strict=True)) == expected
    np.testing.assert_array_equal(cost, values[one, other])
