"""The unified network once the statistics of the puzzle are known: 8-bit matrix products, no pass over the edges twice.

Tokens lie edge by edge and row by row, (M, Q, channels), so that a convolution is one large matrix product over three
neighbouring rows. Normalisation is part of the product's scale and offset, and what is negative is cut off when the
next product's inputs are rounded to 8 bits.
"""

import numpy as np
import onnx
import torch
from numpy.typing import NDArray

from tenjigsaw.networks.mirror import BLOCK_WIDTH, STEM_WIDTH
from tenjigsaw.networks.unified import Block, Unified
from tenjigsaw.training.flow import END, Flow
from tenjigsaw.training.graph import GraphParts, finish
from tenjigsaw.training.unified_graph import (
    add_heads,
    columns_of,
    edge_outputs,
    statistics_values,
    stem_inputs,
    strip_inputs,
    wear_of,
)

# Weights use seven bits: with eight, processors without VNNI overflow in the middle of the sum.
LARGEST_WEIGHT = 63
LARGEST_INPUT = 255


def fast_graph(network: Unified) -> onnx.ModelProto:
    """strips and wear as for ``unified_graph``, factors, offsets and reach as it gives them -> the same outputs."""
    flow = Flow(GraphParts())
    columns = columns_of(flow)
    tokens = _stem(flow, network, stem_inputs(flow, columns))
    for number, block in enumerate(network.blocks):
        assert isinstance(block, Block)
        inputs = _rounded(flow, tokens, 2 * number)
        within = _product(flow, block.first.kernel(), inputs, 2 * number)
        inputs = _rounded(flow, within, 2 * number + 1)
        within = _product(flow, block.second.kernel(), inputs, 2 * number + 1)
        tokens = flow.op("Relu", flow.op("Add", tokens, within))
    add_heads(flow, network, columns, flow.op("Transpose", tokens, perm=[0, 2, 1]))
    return finish(flow.parts, [*strip_inputs(), *statistics_values(network)], edge_outputs())


def _stem(flow: Flow, network: Unified, inputs: str) -> str:
    """In full precision: differences of one level count here."""
    tokens = flow.convolved(flow.weights(network.stem.kernel()[:, :, None]), inputs, STEM_WIDTH)
    factor, offset = (flow.part(values, 0, 0, 1) for values in ("factors", "offsets"))
    shift = flow.op("Add", offset, wear_of(flow, network))
    normalised = flow.op("Add", flow.op("Mul", flow.op("Transpose", tokens, perm=[0, 2, 1]), factor), shift)
    return flow.op("Relu", normalised)


def _rounded(flow: Flow, tokens: str, number: int) -> tuple[str, str]:
    """Three neighbouring rows of 8-bit values side by side, (M, Q, 3 channels), and the size of their steps."""
    reach = flow.op("Squeeze", flow.part("reach", 0, number, number + 1), flow.constant([0], np.int64))
    step = flow.op("Div", reach, flow.constant(float(LARGEST_INPUT)))
    rounded = flow.op("QuantizeLinear", tokens, step, flow.constant(0, np.uint8))
    padded = flow.op("Pad", rounded, flow.constant([0, 1, 0, 0, 1, 0], np.int64), flow.constant(0, np.uint8))
    rows = [flow.part(padded, 1, first, first + 1 - BLOCK_WIDTH or END) for first in range(BLOCK_WIDTH)]
    return flow.op("Concat", *rows, axis=2), step


def _product(flow: Flow, kernel: torch.Tensor, inputs: tuple[str, str], number: int) -> str:
    """The convolution after the stem's, normalised."""
    rounded, step = rounded_weights(kernel.detach().numpy())
    factor, offset = (
        flow.op("Squeeze", flow.part(values, 0, number + 1, number + 2), flow.constant([0], np.int64))
        for values in ("factors", "offsets")
    )
    scale = flow.op("Mul", factor, flow.constant(step))
    weights = flow.constant(rounded, np.int8)
    zeros = (flow.constant(0, np.uint8), flow.constant(np.zeros(len(step)), np.int8))
    return flow.op("MatMulIntegerToFloat", inputs[0], weights, inputs[1], scale, *zeros, offset, domain="com.microsoft")


def rounded_weights(kernel: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """(width x inputs, outputs) whole numbers, row by row of the three, and the size of a step for each output."""
    matrix = kernel.transpose(2, 1, 0).reshape(-1, len(kernel))
    step = np.abs(matrix).max(axis=0) / LARGEST_WEIGHT
    return np.rint(matrix / step).astype(np.int8), step.astype(np.float32)
