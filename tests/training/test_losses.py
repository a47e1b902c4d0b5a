"""Every loss against the obvious loop."""

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from tenjigsaw.errors import InputError  # noqa: E402
from tenjigsaw.networks.ten import E2E, Ten  # noqa: E402
from tenjigsaw.networks.unified import Unified  # noqa: E402
from tenjigsaw.training import losses  # noqa: E402
from tenjigsaw.training.candidates import draw_candidates, draw_crowd  # noqa: E402
from tenjigsaw.training.objectives import Listwise, Pairs, Triplet, create_objective  # noqa: E402
from tenjigsaw.training.sampler import Block, block_of  # noqa: E402
from tenjigsaw.training.settings import Settings  # noqa: E402

seeds = st.integers(0, 2**31)


def random_block(rows: int, cols: int, seed: int) -> Block:
    picture = np.random.default_rng(seed).integers(0, 256, (8 * rows, 8 * cols, 3), dtype=np.uint8)
    return block_of(picture, 8, 1)


@settings(deadline=None)
@given(seed=seeds, count=st.integers(1, 9), margin=st.floats(0, 3))
def test_triplet_is_the_mean_of_eq_2(seed: int, count: int, margin: float) -> None:
    positive, negative = torch.rand(2, count, generator=torch.Generator().manual_seed(seed)) * 3
    pairs = zip(positive.tolist(), negative.tolist(), strict=True)
    expected = sum(max(0.0, p - n + margin) for p, n in pairs) / count
    assert losses.triplet(positive, negative, margin).item() == pytest.approx(expected, rel=1e-4, abs=1e-6)


@settings(deadline=None)
@given(seed=seeds, neighbours=st.integers(1, 6), strangers=st.integers(1, 6))
def test_binary_labels_neighbours_0_and_strangers_1(seed: int, neighbours: int, strangers: int) -> None:
    logits = torch.randn(neighbours + strangers, generator=torch.Generator().manual_seed(seed))
    chance = [1 / (1 + math.exp(-logit)) for logit in logits.tolist()]
    loss = sum(-math.log(1 - p) for p in chance[:neighbours]) + sum(-math.log(p) for p in chance[neighbours:])
    found = losses.binary(logits[:neighbours], logits[neighbours:]).item()
    assert found == pytest.approx(loss / len(chance), rel=1e-4)


@settings(deadline=None)
@given(seed=seeds, rows=st.integers(1, 5), strangers=st.integers(1, 4))
def test_choice_is_cross_entropy_of_the_first(seed: int, rows: int, strangers: int) -> None:
    logits = torch.randn(rows, 1 + strangers, generator=torch.Generator().manual_seed(seed))
    expected = sum(math.log(sum(math.exp(-x) for x in row)) + row[0] for row in logits.tolist()) / rows
    assert losses.choice(logits).item() == pytest.approx(expected, rel=1e-4)


def pieces_of(partner: np.ndarray) -> "torch.Tensor":
    return torch.arange(len(partner)) // 4


def naive_listwise(logits: list[list[float]], partner: list[int]) -> float:
    rows, columns, joined = 0.0, 0.0, 0
    for a, b in enumerate(partner):
        if b < 0:
            continue
        legal = [e for e in range(len(partner)) if e // 4 != a // 4]
        rows += math.log(sum(math.exp(logits[a][e]) for e in legal)) - logits[a][b]
        columns += math.log(sum(math.exp(logits[e][a]) for e in legal)) - logits[b][a]
        joined += 1
    return (rows + columns) / (2 * joined)


@settings(deadline=None, max_examples=30)
@given(seed=seeds, rows=st.integers(1, 3), cols=st.integers(2, 3))
def test_listwise_is_cross_entropy_over_all_legal_edges(seed: int, rows: int, cols: int) -> None:
    partner = random_block(rows, cols, 0).partner
    logits = torch.randn(len(partner), len(partner), generator=torch.Generator().manual_seed(seed))
    found = losses.listwise(logits, torch.from_numpy(partner), pieces_of(partner)).item()
    assert found == pytest.approx(naive_listwise(logits.tolist(), partner.tolist()), rel=1e-4)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32), rows=st.integers(2, 4), cols=st.integers(2, 4))
def test_balanced_edges_have_one_partner_or_lie_at_the_border(seed: int, rows: int, cols: int) -> None:
    partner = random_block(rows, cols, seed).partner
    generator = torch.Generator().manual_seed(seed)
    logits, piece = 2 * torch.randn(len(partner), len(partner), generator=generator), pieces_of(partner)
    found = losses.balanced(logits, piece)
    torch.testing.assert_close(found, found.T)
    shares = found.exp().sum(dim=1)
    assert shares.max().item() <= 1.1, "an edge has at most one partner, as far as eight sweeps go"
    lone = len(partner) - shares.sum().item()
    assert lone == pytest.approx(4 * math.sqrt(rows * cols), rel=0.2)


def test_the_balanced_share_of_the_loss_is_taken_after_sinkhorn() -> None:
    block, network, rng = random_block(3, 4, 0), Ten(8, 4), np.random.default_rng(0)
    before, after, half = (Listwise(balanced=share)(network, [block], rng).loss.item() for share in (0.0, 1.0, 0.5))
    assert before != pytest.approx(after, rel=1e-3)
    assert half == pytest.approx((before + after) / 2, rel=1e-5)


@settings(deadline=None, max_examples=30)
@given(seed=seeds)
def test_block_top1_is_the_share_of_right_first_choices(seed: int) -> None:
    partner = random_block(2, 3, 0).partner
    logits = torch.randn(len(partner), len(partner), generator=torch.Generator().manual_seed(seed))
    joined = [a for a, b in enumerate(partner) if b >= 0]
    hits = 0
    for a in joined:
        legal = [e for e in range(len(partner)) if e // 4 != a // 4]
        hits += max(legal, key=lambda e: logits[a, e].item()) == partner[a]
    assert losses.top1(logits, torch.from_numpy(partner), pieces_of(partner)) == pytest.approx(hits / len(joined))


@settings(deadline=None)
@given(seed=seeds, negatives=st.integers(1, 4), hard=st.sampled_from([0.0, 0.5, 1.0]))
def test_candidates_are_the_partner_and_strangers_of_other_pieces(seed: int, negatives: int, hard: float) -> None:
    block = random_block(2, 2, 0)
    anchors, candidates = draw_candidates(block, 10, negatives, hard, np.random.default_rng(seed))
    np.testing.assert_array_equal(candidates[:, 0], block.partner[anchors])
    assert (candidates // 4 != anchors[:, None] // 4).all()
    assert (candidates[:, 1:] != candidates[:, :1]).all()


def test_every_stranger_is_drawn_alike() -> None:
    block = random_block(1, 2, 0)
    _, candidates = draw_candidates(block, 3000, 1, 0.0, np.random.default_rng(0))
    counts = np.bincount(candidates[:, 1], minlength=8)
    assert (counts > 0).sum() == 6  # all but the two edges that meet
    assert counts[counts > 0].min() > 400


def test_hard_strangers_look_like_the_partner() -> None:
    """Their outermost pixels differ less from the anchor's than those of half the edges do."""
    block = random_block(5, 5, 0)
    anchors, candidates = draw_candidates(block, 50, 3, 1.0, np.random.default_rng(0))
    views = all_views(block)
    right, left = views[:, :, 1:-1, -2].flatten(1), views.flip(2, 3)[:, :, 1:-1, 1].flatten(1)
    apart = torch.cdist(right[anchors], left).numpy()
    usual = np.median(apart, axis=1, keepdims=True)
    assert (np.take_along_axis(apart, candidates[:, 1:], axis=1) < usual).all()


@settings(deadline=None)
@given(seed=seeds, count=st.integers(2, 90), hard=st.sampled_from([0.0, 0.3, 1.0]))
def test_a_crowd_holds_the_partner_of_each_of_its_edges(seed: int, count: int, hard: float) -> None:
    block = random_block(4, 4, 0)
    crowd = draw_crowd(block, count, hard, np.random.default_rng(seed))
    assert 2 <= len(crowd) <= max(count, 2)
    assert set(block.partner[crowd]) == set(crowd)


def test_a_hard_crowd_looks_alike() -> None:
    block = random_block(6, 6, 0)
    views = all_views(block)
    outer = views[:, :, 1:-1, -2].flatten(1)
    spread = [outer[draw_crowd(block, 12, hard, np.random.default_rng(0))].var(dim=0).sum() for hard in (0.0, 1.0)]
    assert spread[1] < spread[0]


def test_a_crowd_of_all_edges_is_judged_as_the_block_is() -> None:
    network, block = Ten(8, 4), random_block(3, 3, 5)
    joined = np.flatnonzero(block.partner >= 0)
    found = Listwise(crowd=2 * len(joined), hard=1.0)(network, [block], np.random.default_rng(0)).loss.item()
    costs = network.costs(all_views(block))[joined][:, joined]
    place = {edge: position for position, edge in enumerate(joined)}
    partner = torch.tensor([place[edge] for edge in block.partner[joined]])
    assert found == pytest.approx(losses.listwise(-costs, partner, torch.from_numpy(joined // 4)).item(), rel=1e-4)


@pytest.mark.parametrize(
    ("objective", "network"),
    [
        (Triplet(1.0, 5), Ten(8, 4)),
        (Pairs(6, 2), E2E(8)),
        (Pairs(6, 2, choose=True), E2E(8)),
        (Listwise(), Ten(8, 4)),
        (Listwise(crowd=6, hard=0.5), E2E(8)),
    ],
)
def test_an_objective_gives_every_weight_a_gradient(objective: "torch.nn.Module", network: "torch.nn.Module") -> None:
    blocks = [random_block(2, 2, 1), random_block(1, 3, 2)]
    judged = objective(network, blocks, np.random.default_rng(0))
    judged.loss.backward()
    assert 0.0 <= judged.top1 <= 1.0
    assert all(torch.isfinite(w.grad).all() and w.grad.any() for w in network.parameters())


def test_the_triplet_objective_agrees_with_one_triplet_at_a_time() -> None:
    network, block = Ten(8, 4), random_block(3, 3, 5)
    found = Triplet(1.0, 4)(network, [block], np.random.default_rng(3)).loss.item()
    anchors, candidates = draw_candidates(block, 4, 1, 0.0, np.random.default_rng(3))
    costs = network.costs(all_views(block))
    pairs = [(costs[a, p].item(), costs[a, n].item()) for a, (p, n) in zip(anchors, candidates, strict=True)]
    assert found == pytest.approx(sum(max(0.0, p - n + 1.0) for p, n in pairs) / 4, rel=1e-3, abs=1e-4)


def all_views(block: Block) -> "torch.Tensor":
    from tenjigsaw.measures.edge_views import edge_views
    from tenjigsaw.training.tensors import to_tensor

    return to_tensor(edge_views(block.pieces, block.worn))


def test_losses_refuse_networks_they_do_not_fit() -> None:
    blocks, rng = [random_block(2, 2, 0)], np.random.default_rng(0)
    with pytest.raises(InputError, match="triplet loss needs a network of two twins"):
        Triplet(1.0, 4)(E2E(8), blocks, rng)
    with pytest.raises(InputError, match="binary and choice losses need a network that sees pairs"):
        Pairs(4, 1)(Ten(8, 4), blocks, rng)
    with pytest.raises(InputError, match="learns from whole blocks"):
        Listwise(crowd=6)(Unified(4), blocks, rng)
    with pytest.raises(InputError, match="There is no loss 'hope'"):
        create_objective(Settings(loss="hope"))
