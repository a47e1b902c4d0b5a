"""The paper's networks: layer sizes, symmetries at the start, and costs that agree with one pair at a time."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tenjigsaw.errors import InputError  # noqa: E402
from tenjigsaw.networks.registry import create_network, list_networks  # noqa: E402
from tenjigsaw.networks.ten import E2E, Ten, TenLarge, Twin, half_turn  # noqa: E402


def weights(module: "torch.nn.Module") -> int:
    return sum(weight.numel() for weight in module.parameters())


def random_views(count: int, piece: int, seed: int = 0) -> "torch.Tensor":
    return torch.randn(count, 3, piece, piece, generator=torch.Generator().manual_seed(seed))


def test_a_twin_has_the_papers_number_of_weights() -> None:
    assert weights(Twin(28, 28, 3, 40)) == 2_553_536


@pytest.mark.parametrize(("height", "width"), [(4, 4), (8, 12), (28, 28), (28, 56), (64, 64)])
@pytest.mark.parametrize("dimension", [1, 10, 20])
def test_the_number_of_weights_at_any_size(height: int, width: int, dimension: int) -> None:
    assert weights(Twin(height, width, 3, dimension)) == 1_550_016 + 32 * height * width * dimension


def test_ten_large_is_four_pairs_of_twins() -> None:
    # A first convolution that sees one channel has 2 * 64 * 9 weights fewer.
    assert weights(TenLarge(8, 10)) == 2 * (4 * weights(Twin(8, 8, 3, 10)) - 3 * 2 * 64 * 9)


def test_e2e_sees_two_pieces_and_says_one_number() -> None:
    network = E2E(28)
    assert weights(network) == 1_550_016 + 32 * 28 * 56
    assert network(torch.zeros(2, 3, 28, 56)).shape == (2,)


PAPER_NETWORKS = [name for name in list_networks() if name != "unified"]


@pytest.mark.parametrize("name", PAPER_NETWORKS)
def test_no_network_has_biases(name: str) -> None:
    assert not [key for key in create_network(name, 8, 4).state_dict() if key.endswith("bias")]


@pytest.mark.parametrize("size", [0, 2, 6, 27])
def test_sizes_that_can_not_be_pooled_twice_are_refused(size: int) -> None:
    with pytest.raises(InputError, match="multiples of 4"):
        Ten(size)


def test_unknown_names_are_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match="There is no network 'eleven'; choose one of ten,"):
        create_network("eleven")
    with pytest.raises(InputError, match="There is no distance 'l4'; choose one of cosine,"):
        create_network("ten", distance="l4")


def test_the_twins_start_as_mirror_images_with_weights_of_their_own() -> None:
    network = Ten(8, 4)
    views = random_views(3, 8)
    # Upside down and mirrored is half a turn, so a mirrored network sees in it what the other sees upside down.
    torch.testing.assert_close(network.embed_right(views), network.embed_left(views.flip(2)), rtol=1e-4, atol=1e-4)
    assert not {id(w) for w in network.left.parameters()} & {id(w) for w in network.right.parameters()}


def test_each_member_of_ten_large_sees_its_own_channels() -> None:
    network = TenLarge(8, 4)
    views = random_views(2, 8)
    changed = views.clone()
    changed[:, 1] += 1.0
    same = [torch.equal(a[0], b[0]) for a, b in zip(network(views), network(changed), strict=True)]
    assert same == [True, False, True, False]


def test_ten_large_means_the_four_distances() -> None:
    network = TenLarge(8, 4)
    views = random_views(4, 8)
    expected = sum(network.members[i].costs(views) for i in range(4)) / 4
    torch.testing.assert_close(network.costs(views), expected)


@pytest.mark.parametrize("name", PAPER_NETWORKS)
def test_costs_agree_with_one_pair_at_a_time(name: str) -> None:
    torch.manual_seed(0)
    network = create_network(name, 8, 4)
    views = random_views(8, 8)
    with torch.no_grad():
        costs = network.costs(views)
        for a, b in [(0, 4), (5, 2), (7, 3)]:
            assert costs[a, b].item() == pytest.approx(one_cost(network, views[a], views[b]), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("piece", [8, 12, 28])
def test_around_the_seam_the_pair_network_gives_what_it_gives_as_a_whole(piece: int) -> None:
    torch.manual_seed(0)
    network = E2E(piece)
    left, right = random_views(5, piece), random_views(4, piece, 1)
    with torch.no_grad():
        found = network.all_logits(left, right)
        expected = [network.pair_logits(left, other[None].expand_as(left)) for other in right]
    torch.testing.assert_close(found, torch.stack(expected, dim=1), rtol=1e-4, atol=1e-5)


def one_cost(network: "torch.nn.Module", left: "torch.Tensor", right: "torch.Tensor") -> float:
    """The paper's words, one pair at a time."""
    if isinstance(network, TenLarge):
        return float(np.mean([one_cost(network.members[i], left, right) for i in range(4)]))
    turned = half_turn(right[None])
    if isinstance(network, E2E):
        return network(torch.cat((left[None], turned), dim=3)).item()
    z_l = network.left(left[None][:, network.channels])
    z_r = network.right(turned[:, network.channels])
    return ((z_l - z_r) ** 2).sum().sqrt().item()


def test_mirrored_gradients_keep_the_twins_mirror_images() -> None:
    network = Ten(8, 4)
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)
    for seed in range(3):
        optimiser.zero_grad()
        network.costs(random_views(4, 8, seed)).sum().backward()
        network.mirror_gradients()
        optimiser.step()
    views = random_views(3, 8)
    torch.testing.assert_close(network.embed_right(views), network.embed_left(views.flip(2)), rtol=1e-3, atol=1e-3)


def test_mirrored_gradients_are_the_mean_over_both_twins() -> None:
    network = Ten(8, 4)
    network.costs(random_views(4, 8)).sum().backward()
    left = network.left.convolutions[1].weight.grad.clone()
    right = network.right.convolutions[1].weight.grad.clone()
    network.mirror_gradients()
    torch.testing.assert_close(network.left.convolutions[1].weight.grad, (left + right.flip(3)) / 2)
    torch.testing.assert_close(network.right.convolutions[1].weight.grad, (left.flip(3) + right) / 2)
