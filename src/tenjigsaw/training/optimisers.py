"""The optimisers a recipe can name."""

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from tenjigsaw.errors import InputError
from tenjigsaw.training.settings import Settings

# Coefficients of the quintic iteration that pulls all singular values towards 1 (Jordan et al. 2024, "Muon").
QUINTIC = (3.4445, -4.7750, 2.0315)


def orthogonalise(matrix: Tensor, sweeps: int = 5) -> Tensor:
    """Nearly the closest matrix with all singular values 1, by matrix products alone: (R, C) -> (R, C)."""
    a, b, c = QUINTIC
    wide = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    x: Tensor = wide / (torch.linalg.vector_norm(wide) + 1e-7)
    for _ in range(sweeps):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x if matrix.shape[0] <= matrix.shape[1] else x.T


class Muon(torch.optim.Optimizer):
    """Momentum, each matrix of it orthogonalised: no direction of a layer learns faster than another.

    A kernel counts as a matrix of outputs x (inputs * height * width); single numbers take steps of one size.
    """

    def __init__(
        self, weights: Iterable[dict[str, Any]], lr: float, momentum: float = 0.95, weight_decay: float = 0.0
    ) -> None:
        super().__init__(weights, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]  # returns no loss
        """One step for every weight that has a gradient."""
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._move(weight, group)

    def _move(self, weight: Tensor, group: dict[str, Any]) -> None:
        assert weight.grad is not None
        momentum = self.state[weight].setdefault("momentum", torch.zeros_like(weight))
        momentum.lerp_(weight.grad, 1 - group["momentum"])
        ahead = weight.grad.lerp(momentum, group["momentum"])
        weight.mul_(1 - group["lr"] * group["weight_decay"])
        weight.add_(_direction(ahead), alpha=-group["lr"])


def _direction(gradient: Tensor) -> Tensor:
    """The step for a learning rate of 1: every entry about 0.2 large, which is what Adam's steps come to."""
    if gradient.ndim < 2:
        return gradient.sign() * 0.2
    matrix = gradient.flatten(1)
    return orthogonalise(matrix).view_as(gradient) * (0.2 * math.sqrt(max(matrix.shape)))


def rate_share(weight: Tensor, settings: Settings) -> float:
    """The share of the learning rate for one weight: less for layers that add up many inputs, if so set.

    A step of Adam's moves all weights alike, so an output moves by as much as it has inputs: 25,088 in TEN's
    projection against 27 in its first layer.
    """
    if not settings.rate_inputs or weight.ndim < 2:
        return 1.0
    return min(1.0, settings.rate_inputs / weight[0].numel())


def create_optimiser(weights: Iterable[Tensor], settings: Settings) -> torch.optim.Optimizer:
    """The optimiser that ``settings.optimiser`` names; each group knows its ``share`` of the learning rate."""
    groups = [{"params": [weight], "share": rate_share(weight, settings)} for weight in weights]
    if settings.optimiser == "adam":
        return torch.optim.AdamW(groups, lr=settings.learning_rate, weight_decay=settings.weight_decay)
    if settings.optimiser == "muon":
        return Muon(groups, lr=settings.learning_rate, weight_decay=settings.weight_decay)
    raise InputError(f"There is no optimiser {settings.optimiser!r}; choose adam or muon.")
