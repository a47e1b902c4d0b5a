"""Top-1 on a fixed set of pictures: Type-1 and Type-2, raw and post-processed as in the paper."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tenjigsaw.errors import InputError
from tenjigsaw.geometry import legal_partner_sides
from tenjigsaw.measures.edge_views import edge_views
from tenjigsaw.networks.registry import EdgeNetwork
from tenjigsaw.progress import Progress, no_progress
from tenjigsaw.puzzle.cut import middle
from tenjigsaw.training.datasets import VALIDATION, part_for
from tenjigsaw.training.pictures import load_pictures
from tenjigsaw.training.sampler import Block, block_of
from tenjigsaw.training.tensors import to_tensor


class Top1(NamedTuple):
    """Shares between 0 and 1, each the mean over pictures; the last two are after eq. 3-4."""

    type1: float
    type2: float
    type1_processed: float
    type2_processed: float


def load_blocks(folder: Path, piece: int, worn: int, pictures: int | None, block: int | None) -> list[Block]:
    """The middle ``block`` x ``block`` pieces of the first pictures of a folder; None takes everything."""
    found = load_pictures(part_for(VALIDATION, folder), piece, pictures)
    return [block_of(middle(picture, piece, block), piece, worn) for picture in found]


@torch.no_grad()
def validate(network: nn.Module, blocks: Sequence[Block], progress: Progress = no_progress) -> Top1:
    """Mean Top-1 of a network over blocks."""
    if not isinstance(network, EdgeNetwork):
        raise InputError("Only a network that scores all pairs of edges can be validated.")
    found = []
    for done, block in enumerate(blocks):
        progress("scoring", done / len(blocks))
        found.append(_block_top1(network, block))
    return Top1(*(float(share) for share in np.mean(found, axis=0)))


def _block_top1(network: EdgeNetwork, block: Block) -> Top1:
    costs = network.costs(to_tensor(edge_views(block.pieces, block.worn)))
    partner = torch.from_numpy(block.partner)
    pieces = len(block.pieces)
    type1, type2 = (torch.from_numpy(legal_pairs(pieces, turned)) for turned in (False, True))
    return Top1(
        top1(costs, partner, type1),
        top1(costs, partner, type2),
        top1(post_process(costs, type1), partner, type1),
        top1(post_process(costs, type2), partner, type2),
    )


def legal_pairs(pieces: int, turned: bool) -> NDArray[np.bool_]:
    """(4N, 4N): which edges may join, in Type-2 (``turned``) or in Type-1."""
    edge = np.arange(4 * pieces)
    sides = np.zeros((4, 4), dtype=np.bool_)
    for side in range(4):
        sides[side, list(legal_partner_sides(side, turned))] = True
    different: NDArray[np.bool_] = edge[:, None] // 4 != edge[None, :] // 4
    return different & sides[edge[:, None] % 4, edge[None, :] % 4]


def post_process(costs: Tensor, legal: Tensor) -> Tensor:
    """Eq. 3-4: scale each row to 0..1 over its legal candidates, then average with the join seen backwards."""
    lowest = costs.masked_fill(~legal, torch.inf).amin(dim=1, keepdim=True)
    highest = costs.masked_fill(~legal, -torch.inf).amax(dim=1, keepdim=True)
    scaled = (costs - lowest) / (highest - lowest).clamp_min(torch.finfo(costs.dtype).tiny)
    return (scaled + scaled.T) / 2


def top1(costs: Tensor, partner: Tensor, legal: Tensor) -> float:
    """The share of edges with a partner whose cheapest legal candidate is that partner; a tie of k counts 1/k.

    An edge with a cost that is not a number counts as wrong.
    """
    joined = partner >= 0
    rows = costs.masked_fill(~legal, torch.inf)[joined]
    true = rows.gather(1, partner[joined][:, None])
    # Written so that what is not a number, which no comparison holds for, is never among the best.
    best = (rows >= true).all(dim=1)
    return (best / (rows == true).sum(dim=1).clamp_min(1)).mean().item()
