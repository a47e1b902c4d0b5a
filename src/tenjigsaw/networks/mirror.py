"""Layers along an edge whose channels come in two halves that swap when the edge is mirrored."""

import torch
from torch import Tensor, nn
from torch.nn import functional

STEM_WIDTH, BLOCK_WIDTH = 5, 3


class MirrorConv(nn.Module):
    """A convolution along the edge from pairs of channels to pairs of channels; mirrored in, mirrored out.

    Without ``tied`` weights it is an ordinary convolution of the same size.
    """

    def __init__(self, inputs: int, outputs: int, width: int, tied: bool = True) -> None:
        super().__init__()
        scale = (inputs * width) ** -0.5
        self.same = nn.Parameter(torch.randn(outputs, inputs, width) * scale)
        self.other = nn.Parameter(torch.randn(outputs, inputs, width) * scale)
        self.free = None if tied else nn.Parameter(torch.randn(outputs, 2 * inputs, width) * scale)

    def kernel(self) -> Tensor:
        """(2 outputs, 2 inputs, width)."""
        first = torch.cat((self.same, self.other), dim=1)
        second = torch.cat((self.other.flip(2), self.same.flip(2)), dim=1) if self.free is None else self.free
        return torch.cat((first, second))

    def forward(self, tokens: Tensor) -> Tensor:
        """(M, 2 inputs, Q) -> (M, 2 outputs, Q)."""
        return functional.conv1d(tokens, self.kernel(), padding=self.same.shape[2] // 2)


class Stem(nn.Module):
    """The first convolution: plain channels in, pairs out, the second half seeing the edge mirrored."""

    def __init__(self, inputs: int, outputs: int, tied: bool = True) -> None:
        super().__init__()
        scale = (inputs * STEM_WIDTH) ** -0.5
        self.weight = nn.Parameter(torch.randn(outputs, inputs, STEM_WIDTH) * scale)
        self.free = None if tied else nn.Parameter(torch.randn(outputs, inputs, STEM_WIDTH) * scale)

    def kernel(self) -> Tensor:
        """(2 outputs, inputs, width)."""
        return torch.cat((self.weight, self.weight.flip(2) if self.free is None else self.free))

    def forward(self, tokens: Tensor) -> Tensor:
        """(M, inputs, Q) -> (M, 2 outputs, Q)."""
        return functional.conv1d(tokens, self.kernel(), padding=STEM_WIDTH // 2)


class PuzzleNorm(nn.Module):
    """Batch normalisation by the puzzle's own statistics, in training and after: its edges are one batch."""

    def __init__(self, channels: int, gain: float = 1.0) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.full((channels,), gain))
        self.shift = nn.Parameter(torch.zeros(channels))

    def forward(self, tokens: Tensor) -> Tensor:
        """(M, 2 channels, Q), the halves treated alike."""
        gain, shift = self.gain.repeat(2), self.shift.repeat(2)
        return functional.batch_norm(tokens, None, None, gain, shift, training=True)


class HalvesNorm(nn.Module):
    """Each half of each edge or pair normalised by itself: no statistics of others are needed."""

    def __init__(self, channels: int, gain: float = 1.0) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.full((channels,), gain))
        self.shift = nn.Parameter(torch.zeros(channels))

    def forward(self, tokens: Tensor) -> Tensor:
        """(M, 2 channels, Q), the halves treated alike."""
        return functional.group_norm(tokens, 2, self.gain.repeat(2), self.shift.repeat(2))
