"""The pair network around its seam: 8-bit products give what the whole network gives, but for rounding."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reference import puzzle_of
from tenjigsaw.measures.seam_exact import four_columns, pooled, three_rows
from tenjigsaw.measures.seam_kernels import first_columns, pooled_columns, seam_logits

Floats = NDArray[np.float32]


def drawn(rng: np.random.Generator, *shape: int) -> Floats:
    return rng.normal(size=shape).astype(np.float32)


def as_bytes(values: Floats, step: float) -> NDArray[np.uint8]:
    return np.floor(np.clip(values / np.float32(step) + 0.5, 0, 255)).astype(np.uint8)


sizes = {"count": st.integers(1, 3), "rows": st.integers(1, 3), "channels": st.integers(1, 9), "seed": st.integers(0)}


@settings(deadline=None, max_examples=25)
@given(**sizes)
def test_the_first_layer_is_the_sum_of_both_sides(count: int, rows: int, channels: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    left, rights = drawn(rng, rows, 2, channels), drawn(rng, count, rows, 2, channels)
    found = np.full((count, rows, 2, 3 * channels), 77, dtype=np.uint8)
    first_columns(left, rights, 0.01, found)
    expected = as_bytes(three_rows(np.maximum(left + rights, 0)), 0.01)
    assert np.abs(found.astype(int) - expected).max() <= 1


@settings(deadline=None, max_examples=25)
@given(**sizes)
def test_later_layers_add_what_is_new_and_pool(count: int, rows: int, channels: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    left, rights = drawn(rng, 2 * rows, 2, channels), drawn(rng, count, 2 * rows, 2, channels)
    added = drawn(rng, count, 2 * rows, 2, 3 * channels)
    found = np.full((count, rows, 2, 3 * channels), 77, dtype=np.uint8)
    pooled_columns(added, left, rights, 0.01, found)
    expected = as_bytes(three_rows(pooled(four_columns(added, left, rights))), 0.01)
    assert np.abs(found.astype(int) - expected).max() <= 1


@settings(deadline=None, max_examples=25)
@given(**sizes)
def test_the_last_layer_is_summed_up(count: int, rows: int, channels: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    left, rights = drawn(rng, rows, 2, channels), drawn(rng, count, rows, 2, channels)
    added, projection = drawn(rng, count, rows, 2, 3 * channels), drawn(rng, rows, 4, channels)
    found = drawn(rng, count)
    columns = np.maximum(four_columns(added, left, rights), 0)
    expected = found + (columns * projection).sum(axis=(1, 2, 3))
    seam_logits(added, left, rights, projection, found)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


@pytest.fixture(params=[12, 28])
def costs(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """A pair network that has learned nothing yet, exported."""
    pytest.importorskip("torch")
    from tenjigsaw.measures.models import read_model
    from tenjigsaw.measures.seam import PairNetworkCosts
    from tenjigsaw.training.export import export
    from tenjigsaw.training.run import Run
    from tenjigsaw.training.settings import Settings

    (tmp_path / "run").mkdir()
    Run(Settings(network="e2e", piece=request.param, loss="binary")).save(tmp_path / "run" / "checkpoint.pt")
    export(tmp_path / "run", tmp_path / "e2e")
    return PairNetworkCosts(read_model(tmp_path / "e2e"))


@pytest.fixture
def views(costs: Any) -> Floats:
    """The edges of nine pieces: more than the sample that says how large the numbers become."""
    from tenjigsaw.measures.learned import checked_views

    found: Floats = checked_views(costs.model, puzzle_of(1, 3, 3, size=costs.model.piece))
    return found


def test_eight_bits_give_what_the_network_gives(costs: Any, views: Floats) -> None:
    halves, exact = costs.halves(views), costs.logits(views, views)
    assert np.sqrt(np.mean((exact - costs.compare(halves, halves)) ** 2)) < 0.05 * exact.std()


def test_refined_costs_are_those_of_the_network(costs: Any, views: Floats) -> None:
    one, other = np.random.default_rng(0).integers(0, len(views), (2, 77))
    found, exact = costs.refine(costs.halves(views), one, other), costs.logits(views, views)[one, other]
    np.testing.assert_allclose(found, exact, atol=1e-5 * np.abs(exact).max())
    assert costs.refine(costs.halves(views), one[:0], other[:0]).shape == (0,)


def test_few_edges_still_have_all_pieces_described(costs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = puzzle_of(1, 3, 3, size=costs.model.piece)
    # As if each of the three parts took a second for as many edges, or edges' pairs, as are done at once.
    clock = iter(range(100))
    monkeypatch.setattr("tenjigsaw.measures.seam.time.perf_counter", lambda: next(clock))
    of_all, of_nine = costs.predicted_seconds(puzzle), costs.predicted_seconds(puzzle, 9)
    described = 36 / 128
    assert of_nine - described == pytest.approx((of_all - described) / 4)


def test_a_layer_that_says_nothing_gives_numbers_all_the_same(costs: Any) -> None:
    blank = np.zeros((32, costs.model.piece, costs.model.piece, 3), dtype=np.float32)
    halves = costs.halves(blank)
    np.testing.assert_allclose(costs.compare(halves, halves), costs.logits(blank, blank), atol=1e-4)
