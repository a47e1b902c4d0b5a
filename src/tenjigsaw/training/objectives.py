"""How a network is fed from blocks and judged by a loss: the seam between sampler, network and loss."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tenjigsaw.errors import InputError
from tenjigsaw.measures.edge_views import edge_views, edges_facing_right, normalise
from tenjigsaw.networks.registry import EdgeNetwork, PairNetwork, StagedNetwork, TwinNetwork
from tenjigsaw.training import losses
from tenjigsaw.training.candidates import draw_candidates, draw_crowd
from tenjigsaw.training.sampler import Block
from tenjigsaw.training.settings import Settings
from tenjigsaw.training.tensors import to_tensor


class Judged(NamedTuple):
    """The loss to go down, and the share of edges the network got right among the candidates shown."""

    loss: Tensor
    top1: float


class Listwise(nn.Module):
    """Every edge against every other, of a block or of a crowd in it: logits are minus the costs times a learned
    temperature.
    """

    def __init__(self, crowd: int = 0, hard: float = 0.0, balanced: float = 0.0) -> None:
        super().__init__()
        self.log_temperature = nn.Parameter(torch.zeros(()))
        self.crowd = crowd
        self.hard = hard
        self.balanced = balanced

    def fitting(self, network: nn.Module) -> EdgeNetwork:
        """The network, if it has what this loss asks for."""
        if not isinstance(network, EdgeNetwork):
            raise InputError("The listwise loss needs a network that scores all pairs of edges.")
        if self.crowd and isinstance(network, StagedNetwork):
            raise InputError("A network with a second look learns from whole blocks; set crowd to 0.")
        return network

    def forward(self, network: nn.Module, blocks: Sequence[Block], rng: np.random.Generator) -> Judged:
        """The mean over the blocks."""
        scorer = self.fitting(network)
        found = [self._judge(scorer, block, rng) for block in blocks]
        loss = torch.stack([judged.loss for judged in found]).mean()
        return Judged(loss, float(np.mean([judged.top1 for judged in found])))

    def _judge(self, network: EdgeNetwork, block: Block, rng: np.random.Generator) -> Judged:
        edges = draw_crowd(block, self.crowd, self.hard, rng) if self.crowd else np.arange(len(block.partner))
        views = to_tensor(edge_views(block.pieces, block.worn)[edges])
        partner, piece = torch.from_numpy(_places(edges, block.partner)), torch.from_numpy(edges // 4)
        stages = network.stages(views) if isinstance(network, StagedNetwork) else (network.costs(views),)
        logits = [-costs * self.log_temperature.exp() for costs in stages]
        loss = torch.stack([self._loss(stage, partner, piece) for stage in logits]).mean()
        return Judged(loss, losses.top1(logits[-1].detach(), partner, piece))

    def _loss(self, logits: Tensor, partner: Tensor, piece: Tensor) -> Tensor:
        loss = losses.listwise(logits, partner, piece)
        if not self.balanced:
            return loss
        after = losses.listwise(losses.balanced(logits, piece), partner, piece)
        return (1 - self.balanced) * loss + self.balanced * after


def _places(edges: NDArray[np.int64], partner: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each edge's partner among the edges, -1 if it is not there."""
    place = np.full(len(partner) + 1, -1)
    place[edges] = np.arange(len(edges))
    found: NDArray[np.int64] = place[partner[edges]]
    return found


class Triplet(nn.Module):
    """The paper's triplets: anchor by the left twin, its partner and a stranger by the right one."""

    def __init__(self, margin: float, samples: int, hard: float = 0.0) -> None:
        super().__init__()
        self.margin = margin
        self.samples = samples
        self.hard = hard

    def fitting(self, network: nn.Module) -> TwinNetwork:
        """The network, if it has what this loss asks for."""
        if not isinstance(network, TwinNetwork):
            raise InputError("The triplet loss needs a network of two twins, such as ten.")
        return network

    def forward(self, network: nn.Module, blocks: Sequence[Block], rng: np.random.Generator) -> Judged:
        """All triplets of all blocks in one pass of each twin."""
        twins = self.fitting(network)
        shares = _shares(blocks, self.samples)
        drawn = [draw_candidates(block, count, 1, self.hard, rng) for block, count in shares]
        anchors = twins.embed_left(_chosen(blocks, [some for some, _ in drawn]))
        right = twins.embed_right(_chosen(blocks, [candidates.reshape(-1) for _, candidates in drawn]))
        positive = twins.distance.pairs(anchors, right[0::2])
        negative = twins.distance.pairs(anchors, right[1::2])
        right_order = float((positive < negative).float().mean())
        return Judged(losses.triplet(positive, negative, self.margin), right_order)


class Pairs(nn.Module):
    """True pairs and false ones, each seen as a pair: labelled 0 and 1 as in the paper, or chosen among."""

    def __init__(self, samples: int, negatives: int, hard: float = 0.0, choose: bool = False) -> None:
        super().__init__()
        self.samples = samples
        self.negatives = negatives
        self.hard = hard
        self.choose = choose

    def fitting(self, network: nn.Module) -> PairNetwork:
        """The network, if it has what this loss asks for."""
        if not isinstance(network, PairNetwork):
            raise InputError("The binary and choice losses need a network that sees pairs, such as e2e.")
        return network

    def forward(self, network: nn.Module, blocks: Sequence[Block], rng: np.random.Generator) -> Judged:
        """``samples`` pairs in all, one true one for every ``negatives`` false ones."""
        pairs = self.fitting(network)
        shares = _shares(blocks, max(1, self.samples // (1 + self.negatives)))
        drawn = [draw_candidates(block, count, self.negatives, self.hard, rng) for block, count in shares]
        left = _chosen(blocks, [np.repeat(anchors, 1 + self.negatives) for anchors, _ in drawn])
        right = _chosen(blocks, [candidates.reshape(-1) for _, candidates in drawn])
        logits = pairs.pair_logits(left, right).view(-1, 1 + self.negatives)
        right_order = (logits[:, :1] < logits[:, 1:]).all(dim=1).float().mean().item()
        if self.choose:
            return Judged(losses.choice(logits), right_order)
        return Judged(losses.binary(logits[:, 0], logits[:, 1:].reshape(-1)), right_order)


def _shares(blocks: Sequence[Block], total: int) -> list[tuple[Block, int]]:
    """Spread ``total`` samples over the blocks as evenly as whole numbers allow."""
    bounds = np.linspace(0, total, len(blocks) + 1).round().astype(int)
    return [(block, int(count)) for block, count in zip(blocks, np.diff(bounds), strict=True)]


def _chosen(blocks: Sequence[Block], edges: Sequence[NDArray[np.int64]]) -> Tensor:
    """The views of some edges of each block, one after the other."""
    views = [edges_facing_right(block.pieces)[some] for block, some in zip(blocks, edges, strict=True)]
    return to_tensor(normalise(np.concatenate(views), blocks[0].worn))


Objective = Listwise | Triplet | Pairs


def create_objective(settings: Settings) -> Objective:
    """The objective that ``settings.loss`` names."""
    if settings.loss == "listwise":
        return Listwise(settings.crowd, settings.hard, settings.balanced)
    if settings.loss == "triplet":
        return Triplet(settings.margin, settings.samples, settings.hard)
    if settings.loss in ("binary", "choice"):
        return Pairs(settings.samples, settings.negatives, settings.hard, choose=settings.loss == "choice")
    raise InputError(f"There is no loss {settings.loss!r}; choose triplet, listwise, binary or choice.")
