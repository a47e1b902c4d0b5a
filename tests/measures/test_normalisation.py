"""Every normalisation against its definition, and the same in both forms."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from reference import puzzle_of, random_scores
from tenjigsaw.errors import InputError
from tenjigsaw.measures import NORMALISATIONS, DenseScores, create_measure, normalise


@pytest.mark.parametrize("name", ["ten", "ratio", "csls"])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), turned=st.booleans(), mutual=st.booleans())
def test_agrees_with_slow_twin(name, seed, turned, mutual):
    scores = random_scores(seed, turned=turned, mutual=mutual)
    slow = getattr(reference, name)(scores.values.astype(np.float64))
    fast = normalise(scores, name).values
    legal = np.isfinite(slow)
    assert (np.isfinite(fast) == legal).all()
    np.testing.assert_allclose(fast[legal], slow[legal], rtol=1e-4, atol=1e-4)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), turned=st.booleans(), mutual=st.booleans())
def test_sinkhorn_agrees_with_slow_twin(seed, turned, mutual):
    scores = random_scores(seed, turned=turned, mutual=mutual)
    chance = np.exp(-normalise(scores, "sinkhorn").values.astype(np.float64))
    np.testing.assert_allclose(chance, reference.sinkhorn(scores.values.astype(np.float64)), rtol=2e-3, atol=1e-7)


def test_sinkhorn_takes_logits_as_they_are_wherever_their_zero_lies():
    scores = replace(random_scores(3, pieces=9), logit=True)
    shifted = replace(scores, values=scores.values - np.float32(80))
    one, other = (np.exp(-normalise(some, "sinkhorn").values) for some in (scores, shifted))
    np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("reach", [1e2, 1e3, 1e4])
@pytest.mark.parametrize("name", sorted(NORMALISATIONS))
def test_logits_may_lie_as_far_apart_as_they_like(name, reach):
    scores = random_scores(4, pieces=9)
    edges = np.random.default_rng(0).uniform(0, reach, scores.edges).astype(np.float32)
    far = replace(scores, values=scores.values + edges[:, None] + edges - np.float32(reach), logit=True, mutual=False)
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        found = normalise(far, name)
    assert np.isfinite(found.values.min())
    assert not np.isnan(found.values).any()


def test_the_ratio_of_logits_is_that_of_likelihoods():
    scores = random_scores(3, pieces=9, mutual=True)
    logits = replace(scores, values=scores.values / scores.values[np.isfinite(scores.values)].max() * np.float32(5))
    likelihoods = replace(scores, values=np.exp(logits.values))
    shifted = replace(logits, values=logits.values - np.float32(80), logit=True)
    found, expected = normalise(shifted, "ratio").values, normalise(likelihoods, "ratio").values
    np.testing.assert_allclose(found, expected, rtol=1e-3)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), turned=st.booleans())
def test_sinkhorn_gives_symmetric_probabilities_that_sum_to_one_with_the_dustbin(seed, turned):
    scores = random_scores(seed, pieces=9, turned=turned)
    matched = normalise(scores, "sinkhorn")
    chance = np.exp(-matched.values.astype(np.float64))
    assert matched.log_probability
    np.testing.assert_allclose(chance, chance.T, rtol=1e-5, atol=1e-12)
    unmatched = 1 - chance.sum(axis=1)
    assert (unmatched > -0.02).all()
    # The dustbin takes what the border of a square frame of 9 pieces has: 12 edges.
    assert unmatched.sum() == pytest.approx(12, abs=0.5)


@pytest.mark.parametrize("logit", [False, True])
@pytest.mark.parametrize("name", ["sinkhorn", "loops"])
def test_where_pieces_are_lost_more_edges_stay_alone(name, logit):
    scores = replace(random_scores(5, pieces=16), logit=logit)
    for lost in (0.0, 0.25, 0.5):
        matched = normalise(replace(scores, lost=lost), name)
        unmatched = 1 - matched.row_sums(np.exp(-matched.values), np.ones(64, dtype=np.float32))
        # The border of a square frame of 16 pieces has 16 edges, and of the other 48 a share has lost its partner.
        assert unmatched.sum() == pytest.approx(16 + 48 * lost, rel=0.1)
        assert matched.lost == lost


def test_two_upright_pieces_are_joined_where_they_fit_best():
    values = np.full((8, 8), np.inf, dtype=np.float32)
    right, left = 1, 3
    for one, other, cost in ((right, 4 + left, 9.0), (4 + right, left, 2.0), (2, 4, 5.0), (6, 0, 6.0)):
        values[one, other] = values[other, one] = cost
    matched = normalise(DenseScores(values, turned=False, mutual=True, logit=True), "sinkhorn")
    assert np.unravel_index(np.argmin(matched.values), (8, 8)) in {(4 + right, left), (left, 4 + right)}
    again = normalise(matched, "sinkhorn")
    assert again.values[4 + right, left] == again.values.min()


def test_where_pieces_are_lost_a_poor_best_partner_is_a_sign_of_it():
    scores = replace(random_scores(6, pieces=16), logit=True)
    poor = scores.values.copy()
    poor[0, :] += 5
    poor[:, 0] += 5
    alone = [
        1 - np.exp(-normalise(replace(scores, values=values, lost=lost), "sinkhorn").values[0]).sum()
        for lost in (0.0, 0.3)
        for values in (scores.values, poor)
    ]
    assert alone[3] - alone[2] > alone[1] - alone[0] + 0.1


def test_sinkhorn_settles_a_dispute():
    """Two edges want the same partner; the one with no other choice gets it."""
    values = np.full((16, 16), 90.0)
    for a in range(16):
        for b in range(16):
            if not reference.is_legal(a, b, False):
                values[a, b] = np.inf
    # Right edges of pieces 0 and 1 against left edges of pieces 2 and 3.
    for a, b, cost in [(1, 11, 10), (1, 15, 11), (5, 11, 10), (5, 15, 60)]:
        values[a, b] = values[b, a] = cost
    matched = normalise(DenseScores(values.astype(np.float32), False, mutual=True), "sinkhorn").values
    assert matched[5].argmin() == 11
    assert matched[1].argmin() == 15


@pytest.mark.parametrize("name", [name for name in NORMALISATIONS if name != "loops"])
@pytest.mark.parametrize("measure", ["l1", "mgc"])
@pytest.mark.parametrize("turned", [False, True])
def test_complete_lists_give_what_the_full_matrix_gives(name, measure, turned):
    puzzle = puzzle_of(13, rows=3, cols=4, turned=turned)
    chosen = create_measure(measure)
    full = normalise(chosen.scores(puzzle), name)
    listed = normalise(chosen.nearest(puzzle, 4 * puzzle.count), name)
    assert len(listed.values) == np.isfinite(full.values).sum()
    np.testing.assert_allclose(listed.values, full.values[listed.row, listed.column], rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("name", list(NORMALISATIONS))
def test_constant_costs_stay_finite(name):
    scores = random_scores(0)
    for level in (0.0, 5.0):
        flat = np.where(np.isfinite(scores.values), np.float32(level), np.inf)
        found = normalise(DenseScores(flat, True, mutual=True), name)
        legal = np.nonzero(np.isfinite(flat))
        assert np.isfinite(found.cost(*legal)).all()


@pytest.mark.parametrize("name", list(NORMALISATIONS))
@pytest.mark.parametrize("turned", [False, True])
def test_two_pieces_are_enough(name, turned):
    puzzle = puzzle_of(1, rows=1, cols=2, turned=turned)
    values = normalise(create_measure("mgc").scores(puzzle), name).values
    assert not np.isnan(values).any()


def test_unknown_name_is_refused():
    with pytest.raises(InputError, match="no normalisation called 'best'"):
        normalise(random_scores(0), "best")
