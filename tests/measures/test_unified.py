"""The unified measure runs as its torch network does, whatever the pieces, and in parts as in one go."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import puzzle_of
from tenjigsaw.measures import create_measure, unified
from tenjigsaw.measures.edge_views import edge_views
from tenjigsaw.measures.kernels import add_logarithms, tailed_misfits
from tenjigsaw.measures.rerank import SECOND_LOOKS, candidate_pairs
from tenjigsaw.measures.scores import DenseScores
from tenjigsaw.puzzle.reduce import reduced

torch = pytest.importorskip("torch")

from tenjigsaw.networks import unified as unified_network  # noqa: E402  (torch first: without it this file is passed over)
from tenjigsaw.networks.unified import candidate_pairs as torch_candidates  # noqa: E402
from tenjigsaw.training.export import SHARPER, export  # noqa: E402
from tenjigsaw.training.fast_graph import LARGEST_WEIGHT, rounded_weights  # noqa: E402
from tenjigsaw.training.run import Run, load_trained  # noqa: E402
from tenjigsaw.training.settings import Settings  # noqa: E402
from tenjigsaw.training.tensors import to_tensor  # noqa: E402


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A model folder and the network it was made of; a network that learned nothing, but with no weight at 0."""
    root = tmp_path_factory.mktemp("unified")
    (root / "run").mkdir()
    run = Run(Settings(network="unified", dimension=8, loss="listwise"))
    with torch.no_grad():
        for network in (run.network, run.averaged.network):
            for weight in network.parameters():
                weight.add_(0.05 * torch.randn_like(weight)).copy_(weight.half().float())
        run.objective.log_temperature.fill_(0.5)
    run.save(root / "run" / "checkpoint.pt")
    export(root / "run", root / "weights" / "unified")
    network, _ = load_trained(root / "run")
    network.scale_costs(SHARPER)
    return root / "weights", network


@pytest.fixture
def measure(trained, monkeypatch):
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(trained[0]))
    return create_measure("unified")


def torch_costs(network, puzzle):
    with torch.no_grad():
        return network.costs(to_tensor(edge_views(puzzle.pieces, puzzle.erosion))).numpy()


@pytest.mark.parametrize(("size", "erosion"), [(28, 1), (16, 4), (40, 0), (9, 1)])
def test_scores_are_the_torch_networks_costs(trained, measure, size, erosion):
    puzzle = puzzle_of(3, rows=3, cols=3, size=size, erosion=erosion)
    scores = measure.scores(puzzle)
    legal = np.isfinite(scores.values)
    np.testing.assert_allclose(scores.values[legal], torch_costs(trained[1], puzzle)[legal], rtol=1e-3, atol=5e-3)
    assert scores.mutual
    assert scores.logit


@pytest.mark.parametrize(("size", "erosion"), [(28, 1), (16, 4)])
def test_the_negative_counts_as_much_and_a_second_look_is_the_torch_networks(trained, monkeypatch, size, erosion):
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(trained[0]))
    monkeypatch.setattr("tenjigsaw.measures.rerank.FARTHEST", np.inf)
    puzzle, network = puzzle_of(3, rows=3, cols=4, size=size, erosion=erosion), trained[1]
    with torch.no_grad():
        views = [to_tensor(edge_views(pieces, erosion)) for pieces in (puzzle.pieces, 255 - puzzle.pieces)]
        costs = sum(network.costs(some) for some in views) / 2
        one, other, least, most = torch_candidates(costs, SECOND_LOOKS)
        correction = sum(network.correct(network.describe(some), one, other) for some in views) / 2
    assert correction.abs().max() > 0.01
    expected = costs.numpy()
    second = (costs[one, other] + correction).clamp(least, most).numpy()
    expected[one, other] = expected[other, one] = second
    found = create_measure("unified-rerank").scores(puzzle).values
    legal = np.isfinite(found)
    np.testing.assert_allclose(found[legal], expected[legal], rtol=1e-3, atol=8e-3)
    np.testing.assert_array_equal(found, found.T)


def test_a_negative_is_scored_as_its_positive(trained, monkeypatch):
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(trained[0]))
    measure, puzzle = create_measure("unified-rerank"), puzzle_of(3, rows=3, cols=4, size=16)
    negative = replace(puzzle, pieces=255 - puzzle.pieces)
    positive_scores, negative_scores = (measure.scores(some).values for some in (puzzle, negative))
    np.testing.assert_allclose(positive_scores, negative_scores, rtol=1e-3, atol=1e-3)


def test_lists_are_corrected_as_the_full_matrix_is(trained, monkeypatch):
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(trained[0]))
    puzzle = puzzle_of(3, rows=3, cols=4, size=16)
    measure = create_measure("unified-rerank")
    lists, full = measure.nearest(puzzle, 44), measure.scores(puzzle)
    np.testing.assert_allclose(lists.values, full.cost(lists.row, lists.column), rtol=1e-4, atol=1e-4)


def test_large_pieces_are_seen_reduced(trained, monkeypatch):
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(trained[0]))
    puzzle = puzzle_of(3, rows=2, cols=3, size=3 * 128, erosion=6)
    for name in ("unified", "unified-rerank"):
        found, expected = (create_measure(name).scores(some).values for some in (puzzle, reduced(puzzle, 128)))
        np.testing.assert_array_equal(found, expected)


def test_candidates_are_near_pairs_of_which_one_lists_the_other():
    values = np.full((8, 8), np.inf, dtype=np.float32)
    values[0, 4:] = [1, 2, 3, 4]
    values[7, :4] = [5, 1, 2, 3]
    values[3, 5:7] = [1, 3]
    one, other, _, _ = candidate_pairs(DenseScores(values, turned=True, mutual=False), 2, 1.5)
    assert list(zip(one, other, strict=True)) == [(0, 4), (0, 5), (1, 7), (2, 7), (3, 5)]


def random_costs(seed: int, pieces: int) -> DenseScores:
    """Symmetric costs of all pairs of edges of different pieces, of few levels so that some tie."""
    values = np.random.default_rng(seed).integers(0, 40, (4 * pieces, 4 * pieces)).astype(np.float32) / 4
    values = np.minimum(values, values.T)
    piece = np.arange(4 * pieces) // 4
    values[piece[:, None] == piece] = np.inf
    return DenseScores(values, turned=True, mutual=True)


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 2**32), pieces=st.integers(2, 7), best=st.integers(1, 9), farthest=st.sampled_from([1.0, 9.0])
)
def test_candidates_change_places_with_each_other_only(seed, pieces, best, farthest):
    scores = random_costs(seed, pieces)
    listed, before = scores.best(best), scores.values.copy()
    near = (listed >= 0) & (scores.row_smallest(best) <= scores.row_smallest(1) + farthest)
    one, other, least, most = candidate_pairs(scores, best, farthest)
    correction = np.random.default_rng(seed).normal(scale=5, size=len(one))
    after = before.copy()
    after[one, other] = after[other, one] = np.clip(before[one, other] + correction, least, most)
    for edge in range(len(before)):
        candidates = listed[edge][near[edge]]
        others = np.setdiff1d(np.nonzero(np.isfinite(before[edge]))[0], candidates)
        if len(others):
            assert after[edge, candidates].max() <= after[edge, others].min()


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 2**32), pieces=st.integers(2, 7), best=st.integers(1, 9), farthest=st.sampled_from([1.0, 9.0])
)
def test_training_looks_at_the_same_candidates(seed, pieces, best, farthest):
    scores = random_costs(seed, pieces)
    # Without ties: which of two equals comes first is nobody's promise.
    noise = np.random.default_rng(seed).random(scores.values.shape).astype(np.float32) / 8
    scores = scores.with_values(scores.values + noise + noise.T, mutual=True)
    learned = unified_network.candidate_pairs(torch.from_numpy(scores.values), best, farthest)
    for found, expected in zip(learned, candidate_pairs(scores, best, farthest), strict=True):
        np.testing.assert_allclose(found, expected)


def test_known_turns_leave_only_facing_sides(measure):
    puzzle = puzzle_of(3, rows=3, cols=3, size=28, turned=False)
    scores = measure.scores(puzzle).values
    full = measure.scores(replace(puzzle, turned=True)).values
    legal = np.isfinite(scores)
    assert legal.sum() == 4 * 9 * 8
    np.testing.assert_allclose(scores[legal], full[legal], rtol=1e-5)


def test_what_follows_the_sample_in_eight_bits_is_hardly_different(trained, measure, monkeypatch):
    """With the whole puzzle as the sample, and with half of it."""
    puzzle = puzzle_of(3, rows=3, cols=4, size=28)
    whole = measure.scores(puzzle).values
    legal = np.isfinite(whole)
    monkeypatch.setattr(unified, "EDGES_AT_ONCE", 20)
    monkeypatch.setattr(unified, "SAMPLED_EDGES", 47)
    rounded = measure.scores(puzzle).values
    assert not np.array_equal(rounded[legal], whole[legal])
    assert np.corrcoef(rounded[legal], whole[legal])[0, 1] > 0.995
    monkeypatch.setattr(unified, "SAMPLED_EDGES", 24)
    assert np.corrcoef(measure.scores(puzzle).values[legal], whole[legal])[0, 1] > 0.9


def test_rounded_weights_are_within_half_a_step():
    kernel = np.random.default_rng(0).normal(size=(6, 4, 3)).astype(np.float32)
    rounded, step = rounded_weights(kernel)
    assert rounded.shape == (12, 6)
    assert np.abs(rounded).max() == LARGEST_WEIGHT
    expected = kernel.transpose(2, 1, 0).reshape(12, 6)
    np.testing.assert_allclose(rounded * step, expected, atol=0.5001 * step.max())


def test_lists_hold_the_best_of_the_full_matrix(measure):
    puzzle = puzzle_of(5, rows=3, cols=4, size=16)
    full, lists = measure.scores(puzzle), measure.nearest(puzzle, 4)
    np.testing.assert_allclose(lists.row_smallest(4), full.row_smallest(4), rtol=1e-5)


def test_tailed_misfits_are_the_sums_written_out():
    rng = np.random.default_rng(0)
    root, target = (rng.normal(size=(3, 4, 5)).astype(np.float32) for _ in range(2))
    weight, shown = rng.random((3, 4), dtype=np.float32), rng.normal(size=(4, 5, 6)).astype(np.float32)
    squares = np.einsum("apkb->apb", (root[..., None] * shown - target[..., None]) ** 2)
    expected = np.einsum("ap,apb->ab", weight, np.log1p(squares))
    np.testing.assert_allclose(tailed_misfits(root, target, weight, shown), expected, rtol=2e-5)


def test_logarithms_are_added_row_by_row():
    rng = np.random.default_rng(0)
    total, values = rng.random((3, 5), dtype=np.float32), rng.random((3, 5), dtype=np.float32) * 1000
    strength = rng.random(3, dtype=np.float32)
    expected = total + strength[:, None] * np.log1p(values / 7)
    add_logarithms(total, values, 1 / 7, strength)
    np.testing.assert_allclose(total, expected, rtol=1e-5)
