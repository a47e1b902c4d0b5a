"""``python tiny.py ...``: the training command with one more network, small enough for tests."""

import torch
from torch import Tensor, nn

from tenjigsaw.networks.distances import create_distance
from tenjigsaw.networks.registry import NETWORKS
from tenjigsaw.networks.ten import half_turn
from tenjigsaw.training.__main__ import leave, main


class Tiny(nn.Module):
    """Two linear twins; also shows all that a new network has to bring along."""

    def __init__(self, piece: int, dimension: int, distance: str) -> None:
        super().__init__()
        self.distance = create_distance(distance)
        self.left = nn.Linear(3 * piece * piece, dimension, bias=False)
        self.right = nn.Linear(3 * piece * piece, dimension, bias=False)

    def embed_left(self, views: Tensor) -> Tensor:
        return self.left(views.flatten(1))

    def embed_right(self, views: Tensor) -> Tensor:
        return self.right(half_turn(views).flatten(1))

    def costs(self, views: Tensor) -> Tensor:
        return self.distance.all_pairs(self.embed_left(views), self.embed_right(views))


if __name__ == "__main__":
    NETWORKS["tiny"] = Tiny
    torch.set_num_threads(1)
    leave(main())
