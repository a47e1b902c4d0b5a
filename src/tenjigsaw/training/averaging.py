"""Averaged weights: what is validated and exported when the learning rate has not fallen yet."""

import copy

import torch
from torch import nn


class AveragedWeights:
    """An exponential moving average of a network; with a decay of 0 it is the network itself."""

    def __init__(self, network: nn.Module, decay: float) -> None:
        self.decay = decay
        self.network = copy.deepcopy(network).requires_grad_(False) if decay else network

    @torch.no_grad()
    def update(self, network: nn.Module, step: int) -> None:
        """Move a little towards the network; by more at first, so that the start is soon forgotten."""
        if not self.decay:
            return
        decay = min(self.decay, (1 + step) / (10 + step))
        for averaged, current in zip(self.network.parameters(), network.parameters(), strict=True):
            averaged.lerp_(current, 1.0 - decay)
