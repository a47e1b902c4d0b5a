"""``torchrun mean_gradients.py FOLDER``: each process writes down what averaging makes of gradients of its own."""

import json
import sys
from pathlib import Path

import torch

from tenjigsaw.training.__main__ import leave
from tenjigsaw.training.workers import Workers


def gradients_of(rank: int) -> list[torch.Tensor]:
    """Of three weights of different shapes, no two numbers alike."""
    first = torch.arange(6.0).view(2, 3)
    return [gradient * (1 + 4 * rank) - rank for gradient in (first, first.flatten()[:4] + 10, torch.tensor(20.0))]


def average(folder: Path) -> None:
    with Workers() as workers:
        weights = [torch.nn.Parameter(torch.zeros_like(gradient)) for gradient in gradients_of(workers.rank)]
        for weight, gradient in zip(weights, gradients_of(workers.rank), strict=True):
            weight.grad = gradient
        unused = torch.nn.Parameter(torch.zeros(5))
        workers.average_gradients([weights[0], unused, *weights[1:]])
        assert unused.grad is None
        found = [weight.grad.tolist() for weight in weights if weight.grad is not None]
        (folder / f"{workers.rank}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    average(Path(sys.argv[1]))
    leave(0)
