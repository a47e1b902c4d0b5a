"""Several processes under torchrun: who am I, and what do we agree on. Alone, everything is a no-op."""

import os
from collections.abc import Iterable
from typing import Self

import torch
from torch import Tensor, distributed


class Workers:
    """The processes of one run. Every one of them computes the same step on blocks of its own."""

    def __init__(self) -> None:
        self.count = int(os.environ.get("WORLD_SIZE", "1"))
        self.rank = int(os.environ.get("RANK", "0"))
        if self.count > 1:
            distributed.init_process_group("gloo")

    @property
    def first(self) -> bool:
        """Whether this one writes files and speaks."""
        return self.rank == 0

    def average_gradients(self, weights: Iterable[Tensor]) -> None:
        """Replace every gradient by its mean over the processes, in one message."""
        if self.count == 1:
            return
        gradients = [weight.grad for weight in weights if weight.grad is not None]
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
        distributed.all_reduce(flat)
        flat /= self.count
        offset = 0
        for gradient in gradients:
            gradient.copy_(flat[offset : offset + gradient.numel()].view_as(gradient))
            offset += gradient.numel()

    def agree(self, *values: float | bool) -> list[float]:
        """The largest of each value over the processes: clocks and signals differ, decisions must not."""
        if self.count == 1:
            return [float(value) for value in values]
        shared = torch.tensor(values, dtype=torch.float64)
        distributed.all_reduce(shared, op=distributed.ReduceOp.MAX)
        agreed: list[float] = shared.tolist()
        return agreed

    def mean(self, value: float) -> float:
        """The mean of a value over the processes."""
        if self.count == 1:
            return value
        shared = torch.tensor(value, dtype=torch.float64)
        distributed.all_reduce(shared)
        return float(shared) / self.count

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self.count == 1:
            return
        if kind is None:
            # One that leaves while the others are still at work takes its end of their connections with it.
            distributed.barrier()
        distributed.destroy_process_group()
