"""Start a network from a trained one instead of from chance: what a TEN knows of edges holds for others too."""

import torch
from torch import Tensor, nn

from tenjigsaw.errors import InputError
from tenjigsaw.networks.ten import E2E, Ten, TenLarge, Twin
from tenjigsaw.networks.unified import Unified


@torch.no_grad()
def borrow(network: nn.Module, donor: nn.Module) -> None:
    """Copy the weights of ``donor``, a TEN or a network of the same kind, into ``network`` as far as they fit.

    A twin of one channel gets the sum over the three, which is the donor itself on grey pictures. The pair network
    gets the left twin's convolutions and keeps a projection of its own.
    """
    if any(isinstance(network, kind) and isinstance(donor, kind) for kind in (Unified, E2E)):
        _borrow_all_that_fits(network, donor)
        return
    if not isinstance(donor, Ten):
        raise InputError("Only a trained ten, or a network of the same kind, can be the start of a network.")
    if isinstance(network, TenLarge):
        for member in network.members:
            borrow(member, donor)
    elif isinstance(network, Ten):
        _borrow_twin(network.left, donor.left)
        _borrow_twin(network.right, donor.right)
    elif isinstance(network, E2E):
        _borrow_convolutions(network.body, donor.left)
    else:
        raise InputError("This network has nothing in common with ten to start from.")


def _borrow_all_that_fits(network: nn.Module, donor: nn.Module) -> None:
    mine, its = network.state_dict(), donor.state_dict()
    for name in mine.keys() & its.keys():
        if mine[name].shape == its[name].shape:
            mine[name].copy_(its[name])


def _borrow_twin(twin: Twin, donor: Twin) -> None:
    mine, its = twin.projection.weight, donor.projection.weight
    if mine.shape != its.shape:
        raise InputError("The start was trained for another size of pieces or of embeddings; choose the same.")
    mine.copy_(its)
    _borrow_convolutions(twin, donor)


def _borrow_convolutions(twin: Twin, donor: Twin) -> None:
    for mine, its in zip(twin.convolutions.parameters(), donor.convolutions.parameters(), strict=True):
        mine.copy_(_for_channels(its, mine.shape[1]))


def _for_channels(kernel: Tensor, channels: int) -> Tensor:
    """The same kernel for fewer input channels that all show the same."""
    if kernel.shape[1] == channels:
        return kernel
    if channels == 1:
        return kernel.sum(dim=1, keepdim=True)
    raise InputError("The start was trained on fewer colour channels; choose one that saw all three.")
