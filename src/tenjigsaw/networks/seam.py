"""The pair network on many pairs, with all that does not depend on the partner computed once for each piece.

Two pieces side by side meet at a seam. A convolution three columns wide carries what lies beyond it one column into a
piece, and pooling halves that again. So of every layer only the four columns around the seam are new for each pair, and
of these only what two columns of the layer before add to them: a twelfth of the products of the whole network.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from tenjigsaw.networks.precision import exact


class Half(NamedTuple):
    """What M pieces bring into any pair, each before its ReLU, the seam at the right.

    ``first`` and ``across`` (M, 64, P): the first layer's last column, and what is added to the partner's. ``second``,
    ``third``, ``fourth`` (M, channels, height, 2): the last two columns of the later layers as far as the piece alone
    makes them. ``rest`` (M,): what all other columns add to the logit.
    """

    first: Tensor
    across: Tensor
    second: Tensor
    third: Tensor
    fourth: Tensor
    rest: Tensor

    def take(self, chosen: Tensor) -> "Half":
        """Some of the pieces, or some several times."""
        return Half(*(part[chosen] for part in self))


def half_of(kernels: Sequence[Tensor], projection: Tensor, pixels: Tensor) -> Half:
    """The half of pieces (M, 3, P, P); ``projection`` (512, P / 4, P / 4) belongs to this side of the seam.

    For the right side give pixels, kernels and projection mirrored left to right.
    """
    one, two, three, four = kernels
    first = functional.conv2d(pixels, one, padding=1)
    across = functional.conv2d(pixels[..., -1:], one[..., :1], padding=(1, 0))
    second = functional.conv2d(_own(torch.relu(first[..., :-1])), two, padding=1)
    third = functional.conv2d(_own(_pooled(second[..., :-2])), three, padding=1)
    fourth = functional.conv2d(_own(_pooled(third[..., :-2])), four, padding=1)
    with exact():
        rest = (torch.relu(fourth[..., :-2]).float() * projection[..., :-2]).sum(dim=(1, 2, 3))
    return Half(first[..., -1], across[..., -1], second[..., -2:], third[..., -2:], fourth[..., -2:], rest)


def joined(kernels: Sequence[Tensor], projection: Tensor, left: Half, right: Half) -> Tensor:
    """(M,) logits of M pairs; ``projection`` (512, P / 4, 4) belongs to the columns around the seam."""
    columns = torch.relu(torch.stack((left.first + right.across, right.first + left.across), dim=3))
    columns = _pooled(_around_seam(kernels[1], columns, left.second, right.second))
    columns = _pooled(_around_seam(kernels[2], columns, left.third, right.third))
    columns = torch.relu(_around_seam(kernels[3], columns, left.fourth, right.fourth))
    with exact():
        return (columns.float() * projection).sum(dim=(1, 2, 3)) + left.rest + right.rest


def _around_seam(kernel: Tensor, columns: Tensor, left: Tensor, right: Tensor) -> Tensor:
    """Four columns of the next layer: what the two new ones add to what each side has by itself."""
    return functional.conv2d(columns, kernel, padding=(1, 2)) + torch.cat((left, right.flip(3)), dim=3)


def _own(columns: Tensor) -> Tensor:
    """With a blank for the last column, which no piece knows alone."""
    return functional.pad(columns, (0, 1))


def _pooled(columns: Tensor) -> Tensor:
    return functional.max_pool2d(torch.relu(columns), 2)


class Seam:
    """The weights of a pair network, sorted by the side of the seam that they belong to."""

    def __init__(self, convolutions: nn.ModuleList, projection: Tensor) -> None:
        """``projection`` is (512, P / 4, P / 2)."""
        self.kernels = list(convolutions.parameters())
        self.mirrored = [kernel.flip(3) for kernel in self.kernels]
        columns = projection.shape[2] // 2
        self.left, self.right = projection[..., :columns], projection[..., columns:].flip(2)
        self.middle = projection[..., columns - 2 : columns + 2]

    def left_half(self, views: Tensor) -> Half:
        """Of edges as the left partner, given facing right."""
        return half_of(self.kernels, self.left, views)

    def right_half(self, views: Tensor) -> Half:
        """Of edges as the right partner, given facing right: half a turn in a mirror is upside down."""
        return half_of(self.mirrored, self.right, views.flip(2))

    def logits(self, left: Half, right: Half) -> Tensor:
        """(M,) from M pairs of halves."""
        return joined(self.kernels, self.middle, left, right)
