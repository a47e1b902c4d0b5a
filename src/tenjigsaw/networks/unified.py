"""The unified model: one network for both sides of a join.

It goes along the edge in tokens, one for each row of pixels. For every token it says what should stand on the other
side of the join (a mean and a precision for each feature) and what stands on this side. How badly two edges fit is the
misfit of what one expects and the other shows, token by token and with heavy tails, plus MGC, both ways.

Every edge is seen facing right; its partner then runs the other way along the join. Channels come in two halves that
swap when the edge is mirrored top to bottom, so what the network says of a mirrored edge is known without running it.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from tenjigsaw.errors import InputError
from tenjigsaw.measures.rerank import FARTHEST, SECOND_LOOKS
from tenjigsaw.measures.unified import COLUMNS, MOST_WORN
from tenjigsaw.networks.mgc import LEVEL, root_mgc
from tenjigsaw.networks.mirror import BLOCK_WIDTH, HalvesNorm, MirrorConv, PuzzleNorm, Stem
from tenjigsaw.networks.precision import exact

# What can be left out, to see what it is worth.
INGREDIENTS = ("colour", "precision", "tails", "mgc", "compression", "mirror", "tokens")

# Columns whose steps, towards the edge and along it, are shown on a compressed scale as well.
STEPS_ACROSS, STEPS_ALONG = 8, 4
FEATURES = 4  # learned features a token, in each half
SUMMARY = 48  # channels of a token that the second look gets to see

# Tokens of the pieces that the paper cuts, at which the sums over tokens are left as they are.
USUAL_TOKENS = 26

# An orthogonal basis of colour whose axes vary less together than red, green and blue do: grey, red-green, blue.
OPPONENT = ((3**-0.5, 3**-0.5, 3**-0.5), (2**-0.5, -(2**-0.5), 0.0), (6**-0.5, 6**-0.5, -2 * 6**-0.5))

# Logarithm of the precision of colours before anything is learned: a spread of about 9 levels in grey, 4 in the others.
COLOUR_PRECISION = (4.0, 5.5, 5.5)
LARGEST_LOG_PRECISION = 10.0


class Expectation(NamedTuple):
    """What edges expect across the join and what they show there, (M, K, Q) each, and how much each token counts."""

    mean: Tensor
    precision: Tensor
    shown: Tensor
    weight: Tensor


class Description(NamedTuple):
    """All that is known of M edges for comparing them; ``summary`` (M, SUMMARY, Q) is for a second look."""

    colour: Expectation
    learned: Expectation
    mgc_strength: Tensor
    commonness: Tensor
    inside: Tensor
    summary: Tensor


class Block(nn.Module):
    """Two convolutions beside a straight way through."""

    def __init__(
        self, channels: int, tied: bool = True, norm: type[PuzzleNorm] | type[HalvesNorm] = PuzzleNorm
    ) -> None:
        super().__init__()
        self.first = MirrorConv(channels, channels, BLOCK_WIDTH, tied)
        self.first_norm = norm(channels)
        self.second = MirrorConv(channels, channels, BLOCK_WIDTH, tied)
        # A small gain lets a new block begin as little more than the straight way.
        self.second_norm = norm(channels, gain=0.3)

    def forward(self, tokens: Tensor) -> Tensor:
        """(M, 2 channels, Q) -> the same."""
        within = torch.relu(self.first_norm(self.first(tokens)))
        return torch.relu(tokens + self.second_norm(self.second(within)))


class SecondLook(nn.Module):
    """A small network that sees both edges of a join at once, and says by how much to correct its cost.

    Channels come in two halves, one for each edge, and swap when the edges change places: exactly symmetric.
    """

    def __init__(self, width: int = 48, blocks: int = 2) -> None:
        super().__init__()
        self.first = MirrorConv(SUMMARY + 3 + 2 * FEATURES, width, BLOCK_WIDTH)
        self.first_norm = HalvesNorm(width)
        self.blocks = nn.Sequential(*(Block(width, norm=HalvesNorm) for _ in range(blocks)))
        self.verdict = nn.Linear(width, 1, bias=False)
        nn.init.zeros_(self.verdict.weight)

    def forward(self, one: Tensor, other: Tensor) -> Tensor:
        """(M, inputs, Q) of either edge, each along its own direction -> (M,)."""
        tokens = torch.relu(self.first_norm(self.first(torch.cat((one, other.flip(2)), dim=1))))
        first, second = self.blocks(tokens).chunk(2, dim=1)
        with exact():
            correction: Tensor = self.verdict((first.float() + second.float()).mean(dim=2))
        return correction.squeeze(1)


class Unified(nn.Module):
    """Costs of all pairs of edges, exactly symmetric; ``channels`` are those of one half."""

    def __init__(self, channels: int = 64, blocks: int = 3, without: str = "") -> None:
        if without and without not in INGREDIENTS:
            raise InputError(f"There is no ingredient {without!r}; choose one of {', '.join(INGREDIENTS)}.")
        super().__init__()
        self.without = without
        tied = without != "mirror"
        compressed = 3 * (STEPS_ACROSS + STEPS_ALONG) if without != "compression" else 0
        self.stem = Stem(3 * COLUMNS + compressed, channels, tied)
        self.stem_norm = PuzzleNorm(channels)
        self.wear = nn.Embedding(MOST_WORN + 1, channels)
        nn.init.zeros_(self.wear.weight)
        self.blocks = nn.Sequential(*(Block(channels, tied) for _ in range(blocks)))
        self.features = MirrorConv(channels, 3 * FEATURES, 1, tied)
        # For each token: weights of colour and features, and precision, slope and shift of three colours.
        self.tokens = MirrorConv(channels, 2 + 3 * 3, 1, tied)
        # For each edge: the strength of MGC, and how common it looks.
        self.edges = MirrorConv(channels, 2, 1, tied)
        self.summary = nn.Conv1d(2 * channels, SUMMARY, 1, bias=False)
        self.second_look = SecondLook()
        self.colour_precision = nn.Parameter(torch.tensor(COLOUR_PRECISION))
        self.feature_precision = nn.Parameter(torch.zeros(()))
        self.gain = nn.Parameter(torch.tensor(-1.0))
        self.mgc_gain = nn.Parameter(torch.ones(()))
        self.commonness_gain = nn.Parameter(torch.tensor(0.1))
        # How the sum over tokens is scaled with their number: 0 leaves it, 1 makes it a mean.
        self.length_power = nn.Parameter(torch.tensor(0.5))

    def costs(self, views: Tensor) -> Tensor:
        """(M, 3, P, P) edge views with the worn frame blank -> (M, M)."""
        return self._first_costs(self.describe(views))

    def stages(self, views: Tensor) -> tuple[Tensor, Tensor]:
        """(M, M) twice: the costs, and the costs with the best candidates looked at a second time."""
        described = self.describe(views)
        costs = self._first_costs(described)
        first = costs.detach()
        one, other, least, most = candidate_pairs(first, SECOND_LOOKS, FARTHEST)
        second = (first[one, other] + self.correct(described, one, other)).clamp(least, most)
        return costs, first.index_put((one, other), second).index_put((other, one), second)

    def _first_costs(self, described: Description) -> Tensor:
        with exact():
            one_way = self.compare(described, described)
        return one_way + one_way.T

    def correct(self, described: Description, one: Tensor, other: Tensor) -> Tensor:
        """(pairs,): what a second look adds to the cost of joining edge ``one[i]`` to edge ``other[i]``."""
        first, second = _both_views(described, one, other), _both_views(described, other, one)
        correction: Tensor = self.second_look(first, second)
        return correction

    def describe(self, views: Tensor) -> Description:
        """Everything about each edge by itself."""
        return self.describe_inside(*surviving(views))

    def describe_inside(self, inside: Tensor, worn: int) -> Description:
        """The same from the surviving pixels, or from as many of their columns as are looked at."""
        tokens = self.trunk(inside, worn).float()
        if self.without == "tokens":
            tokens = tokens.mean(dim=2, keepdim=True).expand_as(tokens)
        with exact():
            return self._heads(tokens, inside)

    def _heads(self, tokens: Tensor, inside: Tensor) -> Description:
        length = tokens.shape[2]
        weights, colours = self._token_outputs(tokens)
        # The scale of an edge's costs may grow with its length, but not in full proportion: rows are not independent.
        scale = self.gain.exp() * (USUAL_TOKENS / length) ** self.length_power
        strength, commonness = self._mean_halves(self.edges(tokens)).mean(dim=2).unbind(dim=1)
        return Description(
            self._colours(colours, weights[:, 1] * scale, inside),
            self._features(tokens, weights[:, 0] * scale),
            functional.softplus(strength) * self.mgc_gain,
            commonness * self.commonness_gain,
            inside,
            self.summary(tokens),
        )

    @torch.no_grad()
    def scale_costs(self, factor: float) -> None:
        """Multiply all costs by a factor: the one that makes them logits."""
        self.gain.add_(math.log(factor))
        self.mgc_gain.mul_(factor)
        self.commonness_gain.mul_(factor)
        self.second_look.verdict.weight.mul_(factor)

    def compare(self, one: Description, other: Description) -> Tensor:
        """(A, B): how badly each of the others fits what each one expects."""
        cost = self._misfit(one.learned, other.learned) + other.commonness
        if self.without != "colour":
            cost = cost + self._misfit(one.colour, other.colour)
        if self.without != "mgc":
            cost = cost + one.mgc_strength[:, None] * torch.log1p(root_mgc(one.inside, other.inside))
        return cost

    def trunk(self, inside: Tensor, worn: int) -> Tensor:
        """(M, 3, Q, Q) surviving pixels -> (M, 2 channels, Q) tokens along the right edge."""
        with exact():  # differences of one level count here
            tokens: Tensor = self.stem_norm(self.stem(stem_inputs(inside, self.without != "compression")))
        wear = self.wear.weight[min(worn, MOST_WORN)].repeat(2)
        deep: Tensor = self.blocks(torch.relu(tokens + wear[:, None]))
        return deep

    def _token_outputs(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """(M, 2, Q) weights, and (M, 9, Q) for the colours."""
        out = self._mean_halves(self.tokens(tokens))
        return functional.softplus(out[:, :2]), out[:, 2:]

    @staticmethod
    def _mean_halves(pairs: Tensor) -> Tensor:
        """(M, 2 C, Q) -> (M, C, Q): what stays the same when the edge is mirrored, but for the order of tokens."""
        first, second = pairs.chunk(2, dim=1)
        return (first + second) / 2

    def _colours(self, out: Tensor, weight: Tensor, inside: Tensor) -> Expectation:
        """The colour across the join: the edge's own, continued by a share of its last step."""
        log_precision, slope, shift = out.chunk(3, dim=1)
        basis = inside.new_tensor(OPPONENT)
        outer, behind = (torch.einsum("kc,mcq->mkq", basis, inside[..., -column]) for column in (1, 2))
        mean = outer + slope * (outer - behind) + 0.1 * shift
        log_precision = self.colour_precision[:, None] + log_precision
        return Expectation(mean, self._precision(log_precision), outer.flip(2), weight)

    def _features(self, tokens: Tensor, weight: Tensor) -> Expectation:
        """The learned features; the partner's are read mirrored, halves swapped and tokens reversed."""
        out = self.features(tokens)
        mean, log_precision, shown = out.view(len(out), 2, 3, FEATURES, -1).unbind(dim=2)
        met = shown.flip(1, 3)
        precision = functional.softplus(log_precision) * self.feature_precision.exp()
        if self.without == "precision":
            precision = torch.ones_like(precision) * self.feature_precision.exp()
        return Expectation(mean.flatten(1, 2), precision.flatten(1, 2), met.flatten(1, 2), weight)

    def _precision(self, log_precision: Tensor) -> Tensor:
        if self.without == "precision":
            log_precision = self.colour_precision[:, None].expand_as(log_precision)
        return log_precision.clamp(max=LARGEST_LOG_PRECISION).exp()

    def _misfit(self, one: Expectation, other: Expectation) -> Tensor:
        """(A, B): the weighted sum over tokens of log(1 + squared misfit): Student's t instead of a Gaussian."""
        square = squared_misfit(one, other)
        tailed = square if self.without == "tails" else torch.log1p(square)
        return torch.einsum("qab,aq->ab", tailed, one.weight)


def _both_views(described: Description, one: Tensor, other: Tensor) -> Tensor:
    """(pairs, inputs, Q): what edge ``one`` looks like, and how far ``other`` is from what it expects."""
    parts = [described.summary[one]]
    for expected in (described.colour, described.learned):
        # The first look is judged by itself; the second one only reads what it says.
        mean, precision, shown = (values.detach() for values in expected[:3])
        away = precision[one].sqrt() * (shown[other] - mean[one])
        parts.append(torch.asinh(away))
    return torch.cat(parts, dim=1)


def candidate_pairs(costs: Tensor, best: int, farthest: float = math.inf) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """All pairs (a, b), a < b, of different pieces of which one is among the other's ``best`` and costs little more
    than the best one, and what they may cost at least and at most, as in ``measures.rerank``.
    """
    count = len(costs)
    piece = torch.arange(count) // 4
    foreign = piece[:, None] != piece[None, :]
    cost, nearest = costs.masked_fill(~foreign, torch.inf).topk(min(best + 1, count), largest=False)
    near = (cost <= cost[:, :1] + farthest) & (torch.arange(cost.shape[1]) < best)
    chosen = torch.zeros(count, count, dtype=torch.bool).scatter_(1, nearest, near) & foreign
    one, other = torch.nonzero((chosen | chosen.T).triu(), as_tuple=True)
    # An edge whose candidates are all there are has nobody behind them.
    behind = torch.cat((cost, cost.new_full((count, 1), torch.inf)), dim=1)[torch.arange(count), near.sum(dim=1)]
    by_one, by_other = chosen[one, other], chosen[other, one]
    most = torch.minimum(behind[one].where(by_one, torch.inf), behind[other].where(by_other, torch.inf))
    least = torch.maximum(behind[one].where(~by_one, -torch.inf), behind[other].where(~by_other, -torch.inf))
    return one, other, least, most


def squared_misfit(one: Expectation, other: Expectation) -> Tensor:
    """(Q, A, B): sum_k precision (shown - mean)^2, as a matrix product for each token."""
    pull = one.precision * one.mean
    constant = (pull * one.mean).sum(dim=1, keepdim=True)
    expecting = torch.cat((one.precision, -2 * pull, constant), dim=1).permute(2, 0, 1)
    showing = torch.cat((other.shown**2, other.shown, torch.ones_like(other.shown[:, :1])), dim=1).permute(2, 1, 0)
    return torch.bmm(expecting, showing).clamp_min(0)


def surviving(views: Tensor) -> tuple[Tensor, int]:
    """The views without their blank frame, and how wide it is."""
    # No 8-bit level is exactly 0 in the views' scale, so only the frame is.
    blank = (views == 0).flatten(0, 2).all(dim=0)
    worn = int((~blank).flip(0).int().argmax())
    size = views.shape[2]
    return views[:, :, worn : size - worn, worn : size - worn], worn


def stem_inputs(inside: Tensor, compressed: bool = True) -> Tensor:
    """(M, 3, Q, Q) -> (M, inputs, Q): the columns behind the edge, and their steps on a compressed scale.

    A step of one level in a flat sky tells as much as one of fifty in a crowd, but no network hears it beside them.
    """
    columns = _nearest_columns(inside)
    parts = [columns]
    if compressed:
        across = columns[..., :STEPS_ACROSS] - columns[..., 1 : STEPS_ACROSS + 1]
        near = columns[..., :STEPS_ALONG]
        around = torch.cat((near[:, :, :1], near, near[:, :, -1:]), dim=2)
        along = around[:, :, 2:] - 2 * near + around[:, :, :-2]
        parts += [torch.asinh(steps / (2 * LEVEL)) / 2 for steps in (across, along)]
    return torch.cat(parts, dim=3).permute(0, 1, 3, 2).flatten(1, 2)


def _nearest_columns(inside: Tensor) -> Tensor:
    """(M, 3, Q, COLUMNS), the edge first; a piece that has fewer repeats its last."""
    columns = inside[..., -COLUMNS:].flip(3)
    lacking = COLUMNS - columns.shape[3]
    return torch.cat((columns, columns[..., -1:].expand(-1, -1, -1, lacking)), dim=3) if lacking > 0 else columns
