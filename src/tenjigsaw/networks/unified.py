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

# What can be left out, to see what it is worth.
INGREDIENTS = ("colour", "precision", "tails", "mgc", "compression", "mirror")

# Columns of pixels behind the edge that are looked at.
COLUMNS = 12
# Columns whose steps, towards the edge and along it, are shown on a compressed scale as well.
STEPS_ACROSS, STEPS_ALONG = 8, 4
STEM_WIDTH, BLOCK_WIDTH = 5, 3
FEATURES = 4  # learned features a token, in each half
MOST_WORN = 4  # wear beyond this is treated like this

# Tokens of the pieces that the paper cuts, at which the sums over tokens are left as they are.
USUAL_TOKENS = 26

# One level of an 8-bit picture in the views' scale of -2..2.
LEVEL = 4 / 255

# An orthogonal basis of colour whose axes vary less together than red, green and blue do: grey, red-green, blue.
OPPONENT = ((3**-0.5, 3**-0.5, 3**-0.5), (2**-0.5, -(2**-0.5), 0.0), (6**-0.5, 6**-0.5, -2 * 6**-0.5))

# Logarithm of the precision of colours before anything is learned: a spread of about 9 levels in grey, 4 in the others.
COLOUR_PRECISION = (4.0, 5.5, 5.5)
LARGEST_LOG_PRECISION = 10.0

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


class Expectation(NamedTuple):
    """What edges expect across the join and what they show there, (M, K, Q) each, and how much each token counts."""

    mean: Tensor
    precision: Tensor
    shown: Tensor
    weight: Tensor


class Description(NamedTuple):
    """All that is known of M edges for comparing them."""

    colour: Expectation
    learned: Expectation
    mgc_strength: Tensor
    commonness: Tensor
    inside: Tensor


class MirrorConv(nn.Module):
    """A convolution along the edge from pairs of channels to pairs of channels; mirrored in, mirrored out.

    Without ``tied`` weights it is an ordinary convolution of the same size.
    """

    def __init__(self, inputs: int, outputs: int, width: int, tied: bool = True) -> None:
        super().__init__()
        scale = (inputs * width) ** -0.5
        self.same = nn.Parameter(torch.randn(outputs, inputs, width) * scale)
        self.other = nn.Parameter(torch.randn(outputs, inputs, width) * scale)
        self.free = None if tied else nn.Parameter(torch.randn(outputs, 2 * inputs, width) * scale)

    def kernel(self) -> Tensor:
        """(2 outputs, 2 inputs, width)."""
        first = torch.cat((self.same, self.other), dim=1)
        second = torch.cat((self.other.flip(2), self.same.flip(2)), dim=1) if self.free is None else self.free
        return torch.cat((first, second))

    def forward(self, tokens: Tensor) -> Tensor:
        """(M, 2 inputs, Q) -> (M, 2 outputs, Q)."""
        return functional.conv1d(tokens, self.kernel(), padding=self.same.shape[2] // 2)


class Stem(nn.Module):
    """The first convolution: plain channels in, pairs out, the second half seeing the edge mirrored."""

    def __init__(self, inputs: int, outputs: int, tied: bool = True) -> None:
        super().__init__()
        scale = (inputs * STEM_WIDTH) ** -0.5
        self.weight = nn.Parameter(torch.randn(outputs, inputs, STEM_WIDTH) * scale)
        self.free = None if tied else nn.Parameter(torch.randn(outputs, inputs, STEM_WIDTH) * scale)

    def kernel(self) -> Tensor:
        """(2 outputs, inputs, width)."""
        return torch.cat((self.weight, self.weight.flip(2) if self.free is None else self.free))

    def forward(self, tokens: Tensor) -> Tensor:
        """(M, inputs, Q) -> (M, 2 outputs, Q)."""
        return functional.conv1d(tokens, self.kernel(), padding=STEM_WIDTH // 2)


class PuzzleNorm(nn.Module):
    """Batch normalisation by the puzzle's own statistics, in training and after: its edges are one batch."""

    def __init__(self, channels: int, gain: float = 1.0) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.full((channels,), gain))
        self.shift = nn.Parameter(torch.zeros(channels))

    def forward(self, tokens: Tensor) -> Tensor:
        """(M, 2 channels, Q), the halves treated alike."""
        gain, shift = self.gain.repeat(2), self.shift.repeat(2)
        return functional.batch_norm(tokens, None, None, gain, shift, training=True)


class Block(nn.Module):
    """Two convolutions beside a straight way through."""

    def __init__(self, channels: int, tied: bool) -> None:
        super().__init__()
        self.first = MirrorConv(channels, channels, BLOCK_WIDTH, tied)
        self.first_norm = PuzzleNorm(channels)
        self.second = MirrorConv(channels, channels, BLOCK_WIDTH, tied)
        # A small gain lets a new block begin as little more than the straight way.
        self.second_norm = PuzzleNorm(channels, gain=0.3)

    def forward(self, tokens: Tensor) -> Tensor:
        """(M, 2 channels, Q) -> the same."""
        within = torch.relu(self.first_norm(self.first(tokens)))
        return torch.relu(tokens + self.second_norm(self.second(within)))


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
        self.colour_precision = nn.Parameter(torch.tensor(COLOUR_PRECISION))
        self.feature_precision = nn.Parameter(torch.zeros(()))
        self.gain = nn.Parameter(torch.tensor(-1.0))
        self.mgc_gain = nn.Parameter(torch.ones(()))
        self.commonness_gain = nn.Parameter(torch.tensor(0.1))
        # How the sum over tokens is scaled with their number: 0 leaves it, 1 makes it a mean.
        self.length_power = nn.Parameter(torch.tensor(0.5))

    def costs(self, views: Tensor) -> Tensor:
        """(M, 3, P, P) edge views with the worn frame blank -> (M, M)."""
        described = self.describe(views)
        one_way = self.compare(described, described)
        return one_way + one_way.T

    def describe(self, views: Tensor) -> Description:
        """Everything about each edge by itself."""
        return self.describe_inside(*surviving(views))

    def describe_inside(self, inside: Tensor, worn: int) -> Description:
        """The same from the surviving pixels, or from as many of their columns as are looked at."""
        tokens = self.trunk(inside, worn)
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
        )

    @torch.no_grad()
    def scale_costs(self, factor: float) -> None:
        """Multiply all costs by a factor: the one that makes them logits."""
        self.gain.add_(math.log(factor))
        self.mgc_gain.mul_(factor)
        self.commonness_gain.mul_(factor)

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
