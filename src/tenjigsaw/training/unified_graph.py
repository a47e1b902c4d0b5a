"""The unified network as an ONNX graph, from 8-bit strips of pixels to descriptions of edges."""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper
from torch import nn

from tenjigsaw.measures.graphs import COLUMNS
from tenjigsaw.networks.mgc import LEVEL
from tenjigsaw.networks.mirror import BLOCK_WIDTH, STEM_WIDTH, HalvesNorm, MirrorConv, PuzzleNorm
from tenjigsaw.networks.unified import (
    FEATURES,
    LARGEST_LOG_PRECISION,
    OPPONENT,
    STEPS_ACROSS,
    STEPS_ALONG,
    SUMMARY,
    USUAL_TOKENS,
    Block,
    SecondLook,
    Unified,
)
from tenjigsaw.training.flow import Flow
from tenjigsaw.training.graph import GraphParts, finish

EPSILON = 1e-5  # of torch's batch normalisation


@dataclass
class Statistics:
    """What the trunk finds out about the puzzle on its way: a factor and an offset for each channel after each
    convolution, (1, 2 channels, 1), and the largest value that goes into each convolution but the first.
    """

    factors: list[str] = field(default_factory=list)
    offsets: list[str] = field(default_factory=list)
    reach: list[str] = field(default_factory=list)


def unified_graph(network: Unified) -> onnx.ModelProto:
    """strips (M, Q, COLUMNS, 3) 8-bit, wear (1,) -> the outputs of ``measures.graphs`` and the statistics.

    The edges given are the ones whose statistics all are normalised by.
    """
    flow, statistics = Flow(GraphParts()), Statistics()
    columns = columns_of(flow)
    tokens = _trunk(flow, network, stem_inputs(flow, columns), statistics)
    add_heads(flow, network, columns, tokens)
    for name, values in (("factors", statistics.factors), ("offsets", statistics.offsets)):
        flow.parts.add("Squeeze", [flow.op("Concat", *values, axis=0), flow.constant([2], np.int64)], name)
    flow.parts.add("Concat", statistics.reach, "reach", axis=0)
    return finish(flow.parts, strip_inputs(), [*edge_outputs(), *statistics_values(network)])


def statistics_values(network: Unified) -> list[onnx.ValueInfoProto]:
    """The statistics as they come out of one graph and go into the other."""
    channels, blocks = 2 * network.stem.weight.shape[0], len(network.blocks)
    shapes = {"factors": [2 * blocks + 1, channels], "offsets": [2 * blocks + 1, channels], "reach": [2 * blocks]}
    return [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]


def strip_inputs() -> list[onnx.ValueInfoProto]:
    return [
        helper.make_tensor_value_info("strips", TensorProto.UINT8, ["edges", "tokens", COLUMNS, 3]),
        helper.make_tensor_value_info("wear", TensorProto.INT64, [1]),
    ]


def edge_outputs() -> list[onnx.ValueInfoProto]:
    features = 3 + 2 * FEATURES
    shapes: dict[str, list[str | int]] = {
        name: ["edges", features, "tokens"] for name in ("mean", "root_precision", "shown")
    }
    shapes |= {"weight": ["edges", 2, "tokens"], "strength": ["edges"], "commonness": ["edges"]}
    shapes |= {"summary": ["edges", SUMMARY, "tokens"]}
    return [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]


def columns_of(flow: Flow) -> str:
    """(M, 3, Q, COLUMNS) on the scale of -2..2."""
    levels = flow.op("Cast", "strips", to=TensorProto.FLOAT)
    scaled = flow.op("Sub", flow.op("Mul", levels, flow.constant(LEVEL)), flow.constant(2.0))
    return flow.op("Transpose", scaled, perm=[0, 3, 1, 2])


def stem_inputs(flow: Flow, columns: str) -> str:
    """The columns and their compressed steps, (M, inputs, Q)."""
    across = flow.op("Sub", flow.part(columns, 3, 0, STEPS_ACROSS), flow.part(columns, 3, 1, STEPS_ACROSS + 1))
    near = flow.part(columns, 3, 0, STEPS_ALONG)
    before = flow.op("Concat", flow.part(near, 2, 0, 1), flow.part(near, 2, 0, -1), axis=2)
    after = flow.op("Concat", flow.part(near, 2, 1), flow.part(near, 2, -1), axis=2)
    along = flow.op("Sub", flow.op("Add", before, after), flow.op("Mul", near, flow.constant(2.0)))
    steps = flow.op("Div", flow.op("Concat", across, along, axis=3), flow.constant(2 * LEVEL))
    compressed = flow.op("Mul", flow.op("Asinh", steps), flow.constant(0.5))
    both = flow.op("Transpose", flow.op("Concat", columns, compressed, axis=3), perm=[0, 1, 3, 2])
    inputs = 3 * (COLUMNS + STEPS_ACROSS + STEPS_ALONG)
    # 0 keeps the number of edges, -1 leaves what remains to the tokens.
    return flow.op("Reshape", both, flow.constant([0, inputs, -1], np.int64))


def _trunk(flow: Flow, network: Unified, tokens: str, statistics: Statistics) -> str:
    tokens = _convolved(flow, network.stem.kernel(), tokens, STEM_WIDTH)
    tokens = _normalised(flow, network.stem_norm, tokens, statistics)
    wear = flow.op("Unsqueeze", wear_of(flow, network), flow.constant([2], np.int64))
    tokens = flow.op("Relu", flow.op("Add", tokens, wear))
    for block in network.blocks:
        assert isinstance(block, Block)
        within = _convolved(flow, block.first.kernel(), _measured(flow, tokens, statistics), BLOCK_WIDTH)
        within = flow.op("Relu", _normalised(flow, block.first_norm, within, statistics))
        within = _convolved(flow, block.second.kernel(), _measured(flow, within, statistics), BLOCK_WIDTH)
        tokens = flow.op("Relu", flow.op("Add", tokens, _normalised(flow, block.second_norm, within, statistics)))
    return tokens


def wear_of(flow: Flow, network: Unified) -> str:
    """(1, 2 channels): what is added for the wear."""
    return flow.op("Gather", flow.weights(network.wear.weight.repeat(1, 2)), "wear", axis=0)


def _convolved(flow: Flow, kernel: torch.Tensor, tokens: str, width: int) -> str:
    return flow.convolved(flow.weights(kernel[:, :, None]), tokens, width)


def _measured(flow: Flow, tokens: str, statistics: Statistics) -> str:
    """The tokens themselves, their largest value written down."""
    largest = flow.op("ReduceMax", tokens, keepdims=0)
    statistics.reach.append(flow.op("Unsqueeze", largest, flow.constant([0], np.int64)))
    return tokens


def _normalised(flow: Flow, norm: nn.Module, tokens: str, statistics: Statistics) -> str:
    """By mean and variance over edges and tokens; as one factor and one offset a channel."""
    assert isinstance(norm, PuzzleNorm)
    mean = flow.op("ReduceMean", tokens, axes=[0, 2], keepdims=1)
    away = flow.op("Sub", tokens, mean)
    variance = flow.op("ReduceMean", flow.op("Mul", away, away), axes=[0, 2], keepdims=1)
    spread = flow.op("Sqrt", flow.op("Add", variance, flow.constant(EPSILON)))
    gain, shift = (flow.weights(values.repeat(2)[None, :, None]) for values in (norm.gain, norm.shift))
    factor = flow.op("Div", gain, spread)
    offset = flow.op("Sub", shift, flow.op("Mul", mean, factor))
    statistics.factors.append(factor)
    statistics.offsets.append(offset)
    return flow.op("Add", flow.op("Mul", tokens, factor), offset)


def _mean_halves(kernel: torch.Tensor) -> torch.Tensor:
    first, second = kernel.chunk(2)
    return (first + second) / 2


def _feature_kernel(network: Unified) -> torch.Tensor:
    """The head's kernel with its outputs in the order: means, precisions, features shown with halves swapped."""
    kernel = network.features.kernel()
    mean, precision, shown = kernel.view(2, 3, FEATURES, *kernel.shape[1:]).unbind(dim=1)
    return torch.cat([part.flatten(0, 1) for part in (mean, precision, shown.flip(0))])


def add_heads(flow: Flow, network: Unified, columns: str, tokens: str) -> None:
    """All outputs but the summary are one convolution of width 1, taken apart; tokens are (M, 2 channels, Q)."""
    flow.parts.add("Identity", [_convolved(flow, network.summary.weight, tokens, 1)], "summary")
    kernels = (_feature_kernel(network), _mean_halves(network.tokens.kernel()), _mean_halves(network.edges.kernel()))
    # In full precision: the mean of two halves is not always a number that half precision holds.
    out = flow.convolved(flow.constant(torch.cat(kernels).detach().numpy()[:, :, None]), tokens, 1)
    bounds = np.cumsum([0, *[2 * FEATURES] * 3, 2, 3, 3, 3, 2]).tolist()
    mean, precision, shown, weight, colour_precision, slope, shift, edge = (
        flow.part(out, 1, first, last) for first, last in pairwise(bounds)
    )
    _weights(flow, network, columns, weight)
    _edge_outputs(flow, network, edge)
    outer, behind = (_opponent(flow, columns, column) for column in (0, 1))
    step = flow.op("Mul", slope, flow.op("Sub", outer, behind))
    drift = flow.op("Mul", shift, flow.constant(0.1))
    colour_mean = flow.op("Add", outer, flow.op("Add", step, drift))
    flow.parts.add("Concat", [colour_mean, mean], "mean", axis=1)
    flow.parts.add("Concat", [flow.reversed(outer, 2), flow.reversed(shown, 2)], "shown", axis=1)
    roots = (_colour_root(flow, network, colour_precision), _feature_root(flow, network, precision))
    flow.parts.add("Concat", roots, "root_precision", axis=1)


def _weights(flow: Flow, network: Unified, columns: str, weight: str) -> None:
    """Colours first, scaled for the number of tokens."""
    both = flow.op("Softplus", weight)
    swapped = flow.op("Concat", flow.part(both, 1, 1, 2), flow.part(both, 1, 0, 1), axis=1)
    length = flow.op("Cast", flow.part(flow.op("Shape", columns), 0, 2, 3), to=TensorProto.FLOAT)
    power = flow.op(
        "Pow", flow.op("Div", flow.constant(float(USUAL_TOKENS)), length), flow.number(network.length_power)
    )
    scale = flow.op("Mul", power, flow.number(network.gain.exp()))
    flow.parts.add("Mul", [swapped, scale], "weight")


def _edge_outputs(flow: Flow, network: Unified, edge: str) -> None:
    means = flow.op("ReduceMean", edge, axes=[2], keepdims=0)
    column = flow.constant([1], np.int64)
    strength = flow.op("Squeeze", flow.part(flow.op("Softplus", means), 1, 0, 1), column)
    flow.parts.add("Mul", [strength, flow.number(network.mgc_gain)], "strength")
    commonness = flow.op("Squeeze", flow.part(means, 1, 1, 2), column)
    flow.parts.add("Mul", [commonness, flow.number(network.commonness_gain)], "commonness")


def _opponent(flow: Flow, columns: str, column: int) -> str:
    """(M, 3, Q): one column's colours in the opponent basis."""
    pixels = flow.op("Squeeze", flow.part(columns, 3, column, column + 1), flow.constant([3], np.int64))
    return flow.op("MatMul", flow.constant(OPPONENT), pixels)


def _colour_root(flow: Flow, network: Unified, log_precision: str) -> str:
    usual = flow.constant(network.colour_precision.detach().numpy()[None, :, None])
    limited = flow.op("Min", flow.op("Add", usual, log_precision), flow.constant(LARGEST_LOG_PRECISION))
    return flow.op("Exp", flow.op("Mul", limited, flow.constant(0.5)))


def _feature_root(flow: Flow, network: Unified, precision: str) -> str:
    scaled = flow.op("Mul", flow.op("Softplus", precision), flow.number(network.feature_precision.exp()))
    return flow.op("Sqrt", scaled)


def second_look_graph(look: SecondLook) -> onnx.ModelProto:
    """one and other (M, inputs, Q), each along its own direction -> correction (M,)."""
    flow = Flow(GraphParts())
    tokens = flow.op("Concat", "one", flow.reversed("other", 2), axis=1)
    tokens = flow.op("Relu", _looked(flow, look.first, look.first_norm, tokens))
    for block in look.blocks:
        assert isinstance(block, Block)
        within = flow.op("Relu", _looked(flow, block.first, block.first_norm, tokens))
        tokens = flow.op("Relu", flow.op("Add", tokens, _looked(flow, block.second, block.second_norm, within)))
    pooled = flow.op("ReduceMean", tokens, axes=[2], keepdims=0)
    verdict = look.verdict.weight.detach().T.repeat(2, 1)
    judged = flow.op("MatMul", pooled, flow.weights(verdict))
    flow.parts.add("Squeeze", [judged, flow.constant([1], np.int64)], "correction")
    inputs = look.first.same.shape[1]
    views = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["pairs", inputs, "tokens"]) for name in ("one", "other")
    ]
    return finish(flow.parts, views, [helper.make_tensor_value_info("correction", TensorProto.FLOAT, ["pairs"])])


def _looked(flow: Flow, convolution: MirrorConv, norm: nn.Module, tokens: str) -> str:
    assert isinstance(norm, HalvesNorm)
    return _normalised_halves(flow, norm, _convolved(flow, convolution.kernel(), tokens, BLOCK_WIDTH))


def _normalised_halves(flow: Flow, norm: HalvesNorm, tokens: str) -> str:
    """Group normalisation in two groups: instances of a picture with two channels."""
    halves = flow.op("Reshape", tokens, flow.constant([0, 2, -1], np.int64))
    plain = flow.op(
        "InstanceNormalization", halves, flow.constant([1.0, 1.0]), flow.constant([0.0, 0.0]), epsilon=EPSILON
    )
    back = flow.op("Reshape", plain, flow.constant([0, 2 * len(norm.gain), -1], np.int64))
    gain, shift = (flow.weights(values.repeat(2)[None, :, None]) for values in (norm.gain, norm.shift))
    return flow.op("Add", flow.op("Mul", back, gain), shift)


def described(network: Unified, strips: NDArray[np.uint8], wear: int) -> list[NDArray[np.float32]]:
    """What the graph must say of strips, by torch."""
    columns = torch.from_numpy(strips.astype(np.float32)).permute(0, 3, 1, 2) * LEVEL - 2
    found = network.describe_inside(columns.flip(3), wear)
    joined = [torch.cat(pair, dim=1) for pair in zip(found.colour[:3], found.learned[:3], strict=True)]
    mean, precision, shown = joined
    weight = torch.stack((found.colour.weight, found.learned.weight), dim=1)
    outputs = (mean, precision.sqrt(), shown, weight, found.mgc_strength, found.commonness, found.summary)
    return [output.detach().numpy() for output in outputs]
