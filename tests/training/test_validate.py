"""Validation Top-1 against the definition, one edge at a time."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from tenjigsaw.errors import InputError  # noqa: E402
from tenjigsaw.networks.ten import Ten  # noqa: E402
from tenjigsaw.training.sampler import block_of  # noqa: E402
from tenjigsaw.training.validate import legal_pairs, load_blocks, post_process, top1, validate  # noqa: E402

from .pictures import smooth_picture, write_pictures  # noqa: E402


def legal(a: int, b: int, turned: bool) -> bool:
    return a // 4 != b // 4 and (turned or a % 4 == (b % 4 + 2) % 4)


@pytest.mark.parametrize("turned", [False, True])
def test_legal_pairs(turned: bool) -> None:
    found = legal_pairs(5, turned)
    assert found.tolist() == [[legal(a, b, turned) for b in range(20)] for a in range(20)]
    assert (found.sum(axis=1) == (16 if turned else 4)).all()


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 2**31), turned=st.booleans())
def test_top1_and_post_processing_one_edge_at_a_time(seed: int, turned: bool) -> None:
    partner = block_of(smooth_picture(16, 24, 0), 8, 0).partner
    edges = len(partner)
    costs = torch.rand(edges, edges, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    mask = torch.from_numpy(legal_pairs(edges // 4, turned))
    scaled = np.zeros((edges, edges))
    for a in range(edges):
        row = [costs[a, b].item() for b in range(edges) if legal(a, b, turned)]
        scaled[a] = (costs[a].numpy() - min(row)) / (max(row) - min(row))
    expected = (scaled + scaled.T) / 2
    processed = post_process(costs, mask)
    np.testing.assert_allclose(processed.numpy(), expected)
    for values in (costs, processed):
        assert top1(values, torch.from_numpy(partner), mask) == pytest.approx(naive(values, partner, turned))


def naive(costs: "torch.Tensor", partner: np.ndarray, turned: bool) -> float:
    joined = [a for a in range(len(partner)) if partner[a] >= 0]
    hits = 0.0
    for a in joined:
        candidates = [b for b in range(len(partner)) if legal(a, b, turned)]
        lowest = [b for b in candidates if costs[a, b] == min(costs[a, c] for c in candidates)]
        hits += (partner[a] in lowest) / len(lowest)
    return hits / len(joined)


def test_a_tie_counts_its_chance() -> None:
    partner = torch.tensor([-1, 7, -1, -1, -1, -1, -1, 1])
    mask = torch.from_numpy(legal_pairs(2, True))
    assert top1(torch.zeros(8, 8), partner, mask) == pytest.approx(1 / 4)


@pytest.mark.parametrize("broken", [7, 6], ids=["the partner", "a stranger"])
def test_what_is_not_a_number_is_wrong(broken: int) -> None:
    partner = torch.tensor([-1, 7, -1, -1, -1, -1, -1, 1])
    mask = torch.from_numpy(legal_pairs(2, True))
    costs = 1 - torch.eye(8)[[0, 7, 2, 3, 4, 5, 6, 1]]
    assert top1(costs, partner, mask) == 1
    costs[1, broken] = torch.nan
    assert top1(costs, partner, mask) == 1 / 2
    assert top1(torch.full((8, 8), torch.nan), partner, mask) == 0


def test_validation_takes_the_middle_of_the_first_pictures(tmp_path: Path) -> None:
    folder = write_pictures(tmp_path, 3, 40, 64)
    blocks = load_blocks(folder, 8, 1, pictures=2, block=3)
    assert [block.pieces.shape for block in blocks] == [(9, 8, 8, 3)] * 2
    np.testing.assert_array_equal(blocks[0].pieces[4], smooth_picture(40, 64, 0)[16:24, 28:36])
    whole = load_blocks(folder, 8, 1, pictures=None, block=None)
    assert [len(block.pieces) for block in whole] == [40] * 3


def test_an_untrained_ten_already_sees_something() -> None:
    """Twins that start as mirror images find smooth neighbours; twins at random would find one in 35."""
    torch.manual_seed(0)
    found = validate(Ten(8, 16), [block_of(smooth_picture(48, 48, seed), 8, 1) for seed in range(2)])
    assert found.type1 > 3 / 35
    assert all(0.0 <= share <= 1.0 for share in found)


def test_a_network_without_costs_is_refused() -> None:
    with pytest.raises(InputError, match="Only a network that scores all pairs"):
        validate(torch.nn.Linear(2, 2), [])
