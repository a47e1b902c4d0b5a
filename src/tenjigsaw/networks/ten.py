"""TEN, TEN-Large and E2E (sections 2.1 and 3 of the paper), layer for layer.

Networks take *edge views*: (M, C, P, P) pieces turned so that the edge in question faces right. The view of
an edge facing left is the same after half a turn, and each network makes it for itself.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from tenjigsaw.errors import InputError
from tenjigsaw.networks.distances import create_distance
from tenjigsaw.networks.precision import exact
from tenjigsaw.networks.seam import Seam

RED, GREEN, BLUE = range(3)
RGB = (RED, GREEN, BLUE)

# What each of the four twin pairs of TEN-Large sees.
TEN_LARGE_CHANNELS = ((RED,), (GREEN,), (BLUE,), RGB)

# How much less a column of the last feature map weighs at the start than the next one towards the edge.
EDGE_FADE = 0.3

# Pairs of pieces that E2E takes at once: 512 of them keep the activations below half a gigabyte.
PAIRS_AT_ONCE = 512


def half_turn(views: Tensor) -> Tensor:
    """Views (M, C, H, W) of edges facing right, turned to face left."""
    return views.flip(2, 3)


class Twin(nn.Module):
    """Table 1: (M, channels, height, width) -> (M, outputs), no biases anywhere.

    1,550,016 + 32 * height * width * outputs parameters for three channels.
    """

    def __init__(self, height: int, width: int, channels: int, outputs: int) -> None:
        if height % 4 or width % 4 or height < 4 or width < 4:
            raise InputError(f"The network pools twice, so {height} x {width} must be multiples of 4.")
        super().__init__()
        self.grid = (512, height // 4, width // 4)
        self.convolutions = nn.ModuleList(
            _convolution(inputs, outputs) for inputs, outputs in pairwise((channels, 64, 128, 256, 512))
        )
        self.projection = _projection(math.prod(self.grid), outputs)
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # missing in torch's types

    def forward(self, pixels: Tensor) -> Tensor:
        """Embed each of (M, channels, height, width)."""
        first, second, third, fourth = self.convolutions
        wide = torch.relu(second(torch.relu(first(pixels))))
        half = torch.relu(third(functional.max_pool2d(wide, 2)))
        quarter = torch.relu(fourth(functional.max_pool2d(half, 2)))
        with exact():
            embedding: Tensor = self.projection(quarter.flatten(1).float())
        return embedding

    def projection_grid(self) -> Tensor:
        """The projection's weights as (outputs, 512, height / 4, width / 4)."""
        return self.projection.weight.view(-1, *self.grid)


def _convolution(inputs: int, outputs: int) -> nn.Conv2d:
    layer = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
    # Torch's own start shrinks the signal at every layer; He's keeps it, and nothing else here normalises it.
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    return layer


def _projection(inputs: int, outputs: int) -> nn.Linear:
    layer = nn.Linear(inputs, outputs, bias=False)
    nn.init.normal_(layer.weight, std=inputs**-0.5)
    return layer


@torch.no_grad()
def _start_near_the_join(twin: Twin, join: float) -> None:
    """Let the projection weigh the pixels near the join most at first; the length of its weights stays.

    ``join`` is its place across the picture: 1 at the right edge, 0.5 in the middle.
    """
    weight, grid = twin.projection.weight, twin.projection_grid()
    columns = torch.arange(grid.shape[3])
    away = (columns + 0.5 - join * len(columns)).abs() - 0.5
    nearer = grid * EDGE_FADE**away
    scale = torch.linalg.vector_norm(weight) / torch.linalg.vector_norm(nearer)
    weight.copy_((nearer * scale).flatten(1))


@torch.no_grad()
def _start_as_mirror(right: Twin, left: Twin) -> None:
    """Begin the right twin as the left one in a mirror: neighbours are alike across their join.

    The weights are apart all the same. Twins that begin unrelated are at chance and first have to find a common
    language; the paper says nothing about the start.
    """
    for mine, its in zip(right.convolutions.parameters(), left.convolutions.parameters(), strict=True):
        mine.copy_(its.flip(3))
    right.projection.weight.copy_(left.projection_grid().flip(3).flatten(1))


class Ten(nn.Module):
    """Twin embedding networks: ``left`` sees the edge facing right, ``right`` sees it facing left."""

    def __init__(
        self, piece: int = 28, dimension: int = 40, distance: str = "l2", channels: Sequence[int] = RGB
    ) -> None:
        super().__init__()
        self.channels = list(channels)
        self.distance = create_distance(distance)
        self.left = Twin(piece, piece, len(self.channels), dimension)
        self.right = Twin(piece, piece, len(self.channels), dimension)
        _start_near_the_join(self.left, 1.0)
        _start_as_mirror(self.right, self.left)

    def embed_left(self, views: Tensor) -> Tensor:
        """z_l: (M, 3, P, P) -> (M, d), the edge as the left partner of a join."""
        embedding: Tensor = self.left(self._seen(views))
        return embedding

    def embed_right(self, views: Tensor) -> Tensor:
        """z_r: (M, 3, P, P) -> (M, d), the same edge as the right partner."""
        embedding: Tensor = self.right(half_turn(self._seen(views)))
        return embedding

    def forward(self, views: Tensor) -> tuple[Tensor, Tensor]:
        """Both embeddings of every edge."""
        return self.embed_left(views), self.embed_right(views)

    def costs(self, views: Tensor) -> Tensor:
        """D(z_l, z_r) of all pairs: (M, M), row the left partner, column the right one."""
        left, right = self(views)
        return self.distance.all_pairs(left, right)

    @torch.no_grad()
    def mirror_gradients(self) -> None:
        """Give both twins the mean of their gradients, each in its own mirror: twins that were mirror images stay so.

        Left and right mean nothing in a picture, so what one twin learns the other may learn too. Without this, the
        two drift apart by what they happen to see.
        """
        for left, right in zip(self.left.parameters(), self.right.parameters(), strict=True):
            assert left.grad is not None
            assert right.grad is not None
            grid = self.left.grid if left.ndim == 2 else left.shape[1:]
            mine, its = left.grad.view(-1, *grid), right.grad.view(-1, *grid)
            mean = (mine + its.flip(3)) / 2
            mine.copy_(mean)
            its.copy_(mean.flip(3))

    def _seen(self, views: Tensor) -> Tensor:
        if len(self.channels) == views.shape[1]:
            return views
        return views[:, self.channels]


class TenLarge(nn.Module):
    """Four twin pairs, on red, green, blue and all three; the cost is the mean of their distances (eq. 1)."""

    def __init__(self, piece: int = 28, dimension: int = 40, distance: str = "l2") -> None:
        super().__init__()
        self.members = nn.ModuleList(Ten(piece, dimension, distance, seen) for seen in TEN_LARGE_CHANNELS)

    def forward(self, views: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Both embeddings of every edge from each of the four."""
        return [member(views) for member in self.members]

    def costs(self, views: Tensor) -> Tensor:
        """The mean distance of all pairs: (M, M)."""
        return torch.stack([member.costs(views) for member in self._tens()]).mean(dim=0)

    def mirror_gradients(self) -> None:
        """Let the twins of each pair learn as mirror images."""
        for member in self._tens():
            member.mirror_gradients()

    def _tens(self) -> list[Ten]:
        return [member for member in self.members if isinstance(member, Ten)]


class E2E(nn.Module):
    """The pair network: both pieces side by side in, one number out, 0 for neighbours and 1 for strangers."""

    def __init__(self, piece: int = 28) -> None:
        if piece < 8:
            raise InputError(f"The pair network needs pieces of at least 8 pixels, not {piece}.")
        super().__init__()
        self.body = Twin(piece, 2 * piece, 3, 1)
        _start_near_the_join(self.body, 0.5)

    def forward(self, pairs: Tensor) -> Tensor:
        """(M, 3, P, 2P) -> (M,), the logit of "these two are strangers"."""
        logits: Tensor = self.body(pairs)
        return logits.squeeze(1)

    def pair_logits(self, left: Tensor, right: Tensor) -> Tensor:
        """The logit for edge ``left[m]`` joined to edge ``right[m]``, both given facing right."""
        logits: Tensor = self(torch.cat((left, half_turn(right)), dim=3))
        return logits

    def all_logits(self, left: Tensor, right: Tensor) -> Tensor:
        """The same for every edge of one set with every edge of the other: (A, B)."""
        seam = Seam(self.body.convolutions, self.body.projection_grid()[0])
        lefts, rights = seam.left_half(left), seam.right_half(right)
        one, other = torch.meshgrid(torch.arange(len(left)), torch.arange(len(right)), indexing="ij")
        parts = zip(torch.split(one.flatten(), PAIRS_AT_ONCE), torch.split(other.flatten(), PAIRS_AT_ONCE), strict=True)
        logits = [seam.logits(lefts.take(a), rights.take(b)) for a, b in parts]
        return torch.cat(logits).view(len(left), len(right))

    def costs(self, views: Tensor) -> Tensor:
        """The logit of all pairs: (M, M)."""
        return self.all_logits(views, views)
