"""How sure of itself a measure may be in the puzzle at hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import puzzle_of, random_scores
from tenjigsaw.measures import create_measure
from tenjigsaw.measures.lists import best_lists
from tenjigsaw.measures.loops import with_loops
from tenjigsaw.measures.normalisation import sinkhorn
from tenjigsaw.measures.softening import softened, standing_out


def best_probability(scores):
    return np.exp(-scores.row_smallest(1)[:, 0])


def flat_sky(share):
    """Noise, but for a share of the edges that all others are alike to."""
    rng = np.random.default_rng(0)
    values = rng.uniform(1, 2, (144, 144)).astype(np.float32)
    values = np.maximum(values, values.T)
    flat = rng.random(144) < share
    values[flat], values[:, flat] = 1.5, 1.5
    values[np.arange(144)[:, None] // 4 == np.arange(144) // 4] = np.inf
    return replace(random_scores(0, 36), values=values)


@pytest.mark.parametrize("share", [0.0, 0.4, 0.8])
def test_a_clipped_sky_does_not_hide_the_noise(share):
    matched = sinkhorn(flat_sky(share))
    assert standing_out(matched) < 1.5
    assert softened(matched) is not matched


def slow_standing_out(values):
    gaps = []
    for row in values:
        near = sorted(cost for cost in row.tolist() if np.isfinite(cost))[:11]
        gaps.append((sum(near[:10]) / 10 - near[0], sum(near[1:]) / 10 - near[1]))
    return np.median([gap[0] for gap in gaps]) / np.median([gap[1] for gap in gaps])


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_standing_out_is_what_it_says(seed):
    scores = sinkhorn(random_scores(seed, 9))
    assert standing_out(scores) == pytest.approx(slow_standing_out(scores.values), rel=1e-4)
    assert standing_out(best_lists(scores, 36)) == pytest.approx(standing_out(scores), rel=1e-4)


def test_noise_is_trusted_less():
    rng = np.random.default_rng(0)
    noise = replace(random_scores(0, 30), values=rng.uniform(1, 2, (120, 120)).astype(np.float32))
    noise.values[np.arange(120)[:, None] // 4 == np.arange(120) // 4] = np.inf
    matched = sinkhorn(replace(noise, values=np.maximum(noise.values, noise.values.T)))
    calmer = softened(matched)
    assert np.median(best_probability(calmer)) < 0.8 * np.median(best_probability(matched))
    # Still probabilities: of an edge's partners, and none.
    assert np.exp(-calmer.values).sum(axis=1).max() < 1.02
    assert (calmer.values == calmer.values.T).all()


def test_lists_are_softened_as_the_full_scores_are():
    scores = sinkhorn(create_measure("ssd").scores(puzzle_of(3, rows=6, cols=6, size=12, erosion=2, turned=True)))
    assert standing_out(scores) < 1.5
    full, lists = softened(scores), softened(best_lists(scores, 144))
    finite = np.isfinite(lists.values)
    there = full.cost(lists.row, lists.column)
    np.testing.assert_allclose(lists.values[finite], there[finite], atol=0.02)


def test_what_stands_out_stays():
    matched = sinkhorn(create_measure("mgc").scores(puzzle_of(24, rows=6, cols=6, size=20, erosion=0, turned=True)))
    assert softened(matched) is matched


def test_networks_loops_and_raw_costs_stay():
    raw = random_scores(0, 30)
    matched = sinkhorn(raw)
    assert softened(raw) is raw
    assert softened(replace(matched, logit=True)).logit
    assert softened(replace(matched, logit=True)).values is matched.values
    heard = with_loops(matched)
    assert softened(heard) is heard


def test_too_few_partners_say_nothing():
    few = sinkhorn(random_scores(0, 2))
    assert softened(few) is few
