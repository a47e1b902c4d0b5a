"""The losses, each on plain tensors; ``objectives.py`` feeds them from blocks."""

import math

import torch
from torch import Tensor
from torch.nn import functional

# Of Sinkhorn within a loss: enough to come near the balance, and each costs time.
SWEEPS = 8


def triplet(positive: Tensor, negative: Tensor, margin: float) -> Tensor:
    """Eq. 2: the mean of max(0, D(z_a, z_p) - D(z_a, z_n) + gamma) over (M,) distances each."""
    return functional.relu(positive - negative + margin).mean()


def binary(neighbours: Tensor, strangers: Tensor) -> Tensor:
    """Cross-entropy of the logits of true pairs (label 0, as in the paper) and of false ones (label 1)."""
    logits = torch.cat((neighbours, strangers))
    labels = torch.cat((torch.zeros_like(neighbours), torch.ones_like(strangers)))
    return functional.binary_cross_entropy_with_logits(logits, labels)


def choice(logits: Tensor) -> Tensor:
    """Cross-entropy of the first of each row of (M, K) logits of "strangers": the true one has to be the lowest."""
    return functional.cross_entropy(-logits, logits.new_zeros(len(logits), dtype=torch.long))


def listwise(logits: Tensor, partner: Tensor, piece: Tensor) -> Tensor:
    """Cross-entropy of each edge's true partner among all edges of other pieces, along rows and columns.

    ``logits`` is (M, M), higher for a better join; ``partner`` is (M,), -1 where there is none, and ``piece`` is (M,).
    """
    legal = without_own_piece(logits, piece)
    joined = partner >= 0
    rows = functional.cross_entropy(legal[joined], partner[joined])
    columns = functional.cross_entropy(legal.T[joined], partner[joined])
    return (rows + columns) / 2


def balanced(logits: Tensor, piece: Tensor) -> Tensor:
    """The logits after Sinkhorn, as puzzles are solved with: every edge has one partner, or lies at the block's border.

    The same sweeps as ``measures.normalisation.sinkhorn`` makes, in logarithms, so that gradients flow through them.
    """
    legal = without_own_piece((logits + logits.T) / 2, piece)
    log_border = math.log(4 * math.sqrt(len(logits) / 4))
    log_scale = logits.new_zeros(len(logits))
    for _ in range(SWEEPS):
        dustbin = log_border - torch.logsumexp(log_scale, dim=0)
        total = torch.logaddexp(torch.logsumexp(legal + log_scale, dim=1), dustbin)
        log_scale = (log_scale - total) / 2
    return legal + log_scale[:, None] + log_scale


def without_own_piece(logits: Tensor, piece: Tensor) -> Tensor:
    """The logits with minus infinity wherever both edges belong to one piece."""
    return logits.masked_fill(piece[:, None] == piece[None, :], -torch.inf)


def top1(logits: Tensor, partner: Tensor, piece: Tensor) -> float:
    """The share of edges with a partner whose best legal candidate is that partner."""
    joined = partner >= 0
    best = without_own_piece(logits, piece)[joined].argmax(dim=1)
    return (best == partner[joined]).float().mean().item()
