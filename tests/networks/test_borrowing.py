"""A start from a trained TEN: the same answers where the same is seen."""

import pytest

torch = pytest.importorskip("torch")

from tenjigsaw.errors import InputError  # noqa: E402
from tenjigsaw.networks.borrowing import borrow  # noqa: E402
from tenjigsaw.networks.ten import BLUE, E2E, RED, Ten, TenLarge  # noqa: E402


def random_views(count: int, channels: int = 3) -> "torch.Tensor":
    return torch.randn(count, channels, 8, 8, generator=torch.Generator().manual_seed(0))


def test_the_same_network_gives_the_same_costs() -> None:
    donor, network = Ten(8, 4), Ten(8, 4)
    borrow(network, donor)
    assert torch.equal(network.costs(random_views(4)), donor.costs(random_views(4)))


@pytest.mark.parametrize("channel", [RED, BLUE])
def test_one_channel_sees_what_the_donor_sees_in_grey(channel: int) -> None:
    donor, network = Ten(8, 4), Ten(8, 4, channels=(channel,))
    borrow(network, donor)
    grey = random_views(4, 1).expand(-1, 3, -1, -1)
    torch.testing.assert_close(network.costs(grey), donor.costs(grey), rtol=1e-3, atol=1e-3)


def test_every_member_of_ten_large_starts_there() -> None:
    donor, network = Ten(8, 4), TenLarge(8, 4)
    borrow(network, donor)
    grey = random_views(4, 1).expand(-1, 3, -1, -1)
    torch.testing.assert_close(network.costs(grey), donor.costs(grey), rtol=1e-3, atol=1e-3)


def test_the_pair_network_takes_the_convolutions() -> None:
    donor, network = Ten(8, 4), E2E(8)
    borrow(network, donor)
    for mine, its in zip(network.body.convolutions, donor.left.convolutions, strict=True):
        assert torch.equal(mine.weight, its.weight)


def test_the_pair_network_goes_on_from_another() -> None:
    donor, network = E2E(8), E2E(8)
    borrow(network, donor)
    views = random_views(4)
    assert torch.equal(network.costs(views), donor.costs(views))


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="Only a trained ten"):
        borrow(Ten(8, 4), E2E(8))
    with pytest.raises(InputError, match="another size of pieces or of embeddings"):
        borrow(Ten(8, 4), Ten(8, 5))
    with pytest.raises(InputError, match="fewer colour channels"):
        borrow(Ten(8, 4), Ten(8, 4, channels=(RED,)))
    with pytest.raises(InputError, match="nothing in common"):
        borrow(torch.nn.Linear(2, 2), Ten(8, 4))
