"""Gallagher's MGC on edge views, for networks that have it inside."""

import torch
from torch import Tensor

# One level of an 8-bit picture in the views' scale of -2..2.
LEVEL = 4 / 255

# Gradients added to those of an edge, so that a flat edge has a covariance as well (Gallagher 2012).
DUMMY_GRADIENTS = (
    (0, 0, 0),
    (1, 1, 1),
    (-1, -1, -1),
    (1, 0, 0),
    (-1, 0, 0),
    (0, 1, 0),
    (0, -1, 0),
    (0, 0, 1),
    (0, 0, -1),
)


@torch.no_grad()
def root_mgc(one: Tensor, other: Tensor) -> Tensor:
    """(A, B): Gallagher's distance of the step across the join, root form, mean over the rows; one way."""
    inverse, predicted = _mgc_model(one)
    # |L' d| for inverse = L L'
    root = torch.linalg.cholesky(inverse).transpose(1, 2).float()
    expected = torch.einsum("acd,aqd->aqc", root, predicted)
    seen = torch.einsum("acd,bqd->abqc", root, _levels(other, 1).flip(1))
    return (seen - expected[:, None]).square_().sum(dim=3).sqrt_().mean(dim=2)


def _levels(inside: Tensor, column: int) -> Tensor:
    """(M, Q, 3): the column that many from the edge, on the scale of 0..255."""
    return inside[..., -column].permute(0, 2, 1) / LEVEL + 127.5


def _mgc_model(inside: Tensor) -> tuple[Tensor, Tensor]:
    """Inverse covariance of the steps into the edge (M, 3, 3), and the colours they lead to (M, Q, 3)."""
    outer, behind = _levels(inside, 1), _levels(inside, 2)
    gradient = outer - behind
    rows = torch.cat((gradient, gradient.new_tensor(DUMMY_GRADIENTS).expand(len(gradient), -1, -1)), dim=1).double()
    rows = rows - rows.mean(dim=1, keepdim=True)
    covariance = rows.transpose(1, 2) @ rows / (rows.shape[1] - 1)
    return torch.linalg.inv(covariance), outer + gradient.mean(dim=1, keepdim=True)
