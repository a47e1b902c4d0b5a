"""The pair network around its seam: 8-bit products give what the whole network gives, but for rounding."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reference import puzzle_of
from tenjigsaw.measures.seam_kernels import first_columns, pooled_columns, seam_logits

Floats = NDArray[np.float32]


def drawn(rng: np.random.Generator, *shape: int) -> Floats:
    return rng.normal(size=shape).astype(np.float32)


def three_rows(columns: Floats) -> Floats:
    """(M, rows, 2, C) -> (M, rows, 2, 3 C): each row with the one before and the one after, blank at the ends."""
    padded = np.pad(columns, ((0, 0), (1, 1), (0, 0), (0, 0)))
    return np.concatenate((padded[:, :-2], padded[:, 1:-1], padded[:, 2:]), axis=3)


def four_columns(added: Floats, left: Floats, rights: Floats) -> Floats:
    """(M, rows, 4, C): what stands around the seam, before the ReLU."""
    by_place = added.reshape(*added.shape[:3], 3, -1)
    columns = np.zeros((*added.shape[:2], 4, by_place.shape[4]), dtype=np.float32)
    for new in range(2):
        for place in range(3):
            columns[:, :, new + place] += by_place[:, :, new, place]
    columns[:, :, :2] += left
    columns[:, :, 2:] += rights
    return columns


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
    columns = np.maximum(four_columns(added, left, rights), 0)
    pooled = columns.reshape(count, rows, 2, 2, 2, channels).max(axis=(2, 4))
    assert np.abs(found.astype(int) - as_bytes(three_rows(pooled), 0.01)).max() <= 1


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


def test_eight_bits_give_what_the_network_gives(costs: Any) -> None:
    puzzle = replace(puzzle_of(1, 3, 3, size=costs.model.piece), turned=True)
    rounded = costs.describe(puzzle)
    assert len(rounded) > 1, "a puzzle larger than the sample is described by halves"
    from tenjigsaw.measures.learned import checked_views

    views = (checked_views(costs.model, puzzle),)
    exact, found = costs.compare(views, views), costs.compare(rounded, rounded)
    assert np.sqrt(np.mean((exact - found) ** 2)) < 0.05 * exact.std()


def test_a_layer_that_says_nothing_gives_numbers_all_the_same(costs: Any) -> None:
    blank = np.zeros((32, costs.model.piece, costs.model.piece, 3), dtype=np.float32)
    halves = costs.halves(blank)
    np.testing.assert_allclose(costs.compare(halves, halves), costs.compare((blank,), (blank,)), atol=1e-4)
