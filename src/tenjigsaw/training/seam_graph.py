"""The pair network as an ONNX graph that scores every piece of one set with every piece of another.

As in ``networks.seam``, each piece's own part is computed once; here it is what the piece adds to the columns around
the seam, so that a pair is the sum of its two. Pictures lie on their side, (M, C, columns, rows): ONNX Runtime is fast
along the last axis, and there are few columns and many rows.
"""

from dataclasses import dataclass

import numpy as np
import onnx
from onnx import TensorProto, helper
from torch import Tensor

from tenjigsaw.measures.graphs import HALVES, REACHES, SEAM_INPUTS, SEAM_WEIGHTS
from tenjigsaw.networks.ten import E2E
from tenjigsaw.training.fast_graph import rounded_weights
from tenjigsaw.training.flow import END, Flow
from tenjigsaw.training.graph import GraphParts, finish

COLUMNS, ROWS = 2, 3  # axes


@dataclass(frozen=True)
class Side:
    """What the pieces of one side add to the columns around the seam, two in the first layer and four in the others,
    and to the logit, (M, 1); by the names of the values.
    """

    layers: list[str]
    rest: str


def e2e_graph(network: E2E, piece: int) -> onnx.ModelProto:
    """left (A, P, P, 3) and right (B, P, P, 3), all facing right -> logit (A, B).

    Also, for ``measures.seam``: the largest inputs of the layers after the first, what each piece has of each layer by
    itself, and the weights of these layers and of the last one's columns at the seam.
    """
    flow = Flow(GraphParts())
    kernels = [flow.weights(kernel.transpose(2, 3)) for kernel in network.body.convolutions.parameters()]
    mirrored = [flow.reversed(kernel, COLUMNS) for kernel in kernels]
    projection = network.body.projection_grid()[0].transpose(1, 2)
    seam = projection.shape[1] // 2
    left = _side(flow, kernels, projection[:, : seam - 2], _pixels(flow, "left"))
    # Half a turn, seen in a mirror, is upside down.
    upside_down = flow.reversed(_pixels(flow, "right"), ROWS)
    right = _side(flow, mirrored, projection[:, seam + 2 :].flip(1), upside_down)
    right = Side([flow.reversed(layer, COLUMNS) for layer in right.layers], right.rest)

    columns = flow.op("Relu", _every_pair(flow, left.layers[0], right.layers[0]))
    later = zip(REACHES, kernels[1:], left.layers[1:], right.layers[1:], strict=True)
    for reach, kernel, one, other in later:
        flow.parts.add("ReduceMax", [columns], reach, keepdims=0)
        new = flow.op("Conv", columns, kernel, kernel_shape=[3, 3], pads=[2, 1, 2, 1])
        columns = flow.op("Relu", flow.op("Add", new, _every_pair(flow, one, other)))
        if kernel != kernels[-1]:
            columns = flow.op("MaxPool", columns, kernel_shape=[2, 2], strides=[2, 2])
    around = projection[:, seam - 2 : seam + 2]
    middle = _projected(flow, columns, around)
    # (A, 1) + (1, B): the shape of the whole, which the pairs take.
    rest = flow.op("Add", left.rest, flow.op("Transpose", right.rest, perm=[1, 0]))
    flow.parts.add("Add", [flow.op("Reshape", middle, flow.op("Shape", rest)), rest], "logit")
    _name_own(flow, "left", left, 0)
    _name_own(flow, "right", right, -2)
    for layer, kernel in zip(SEAM_INPUTS, mirrored[1:], strict=True):
        # (C', C, columns, rows): rows of the inputs go with rows, and the last column is the one that reaches left.
        by_place = flow.op("Transpose", kernel, perm=[3, 1, 2, 0])
        flow.parts.add("Reshape", [by_place, flow.constant([SEAM_INPUTS[layer], -1], np.int64)], f"weights{layer}")
    flow.parts.add("Transpose", [flow.weights(around)], "projection", perm=[2, 1, 0])
    return finish(
        flow.parts,
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, [f"{name}s", piece, piece, 3])
            for name in ("left", "right")
        ],
        [
            helper.make_tensor_value_info("logit", TensorProto.FLOAT, ["lefts", "rights"]),
            *(
                helper.make_tensor_value_info(name, TensorProto.FLOAT, _shape(name))
                for name in (*REACHES, *HALVES, *SEAM_WEIGHTS)
            ),
        ],
    )


def seam_products_graph(network: E2E) -> onnx.ModelProto:
    """For each layer after the first, columns (M, 3 C) of 8 bits and the size of their steps -> added (M, 3 C').

    A row of the inputs is one column at three neighbouring rows of a picture; it adds to the place to its left, to its
    own and to the one to its right.
    """
    flow = Flow(GraphParts())
    for layer, kernel in zip(SEAM_INPUTS, list(network.body.convolutions.parameters())[1:], strict=True):
        # Of a kernel's three columns the last is the one that reaches to the left.
        by_place = kernel.detach().permute(3, 0, 1, 2).flip(0).flatten(0, 1)
        rounded, step = rounded_weights(by_place.numpy())
        weights, nothing = flow.constant(rounded, np.int8), flow.constant(0, np.uint8)
        size = flow.op("Squeeze", flow.part("steps", 0, layer - 1, layer), flow.constant([0], np.int64))
        inputs = [f"columns{layer}", weights, size, flow.constant(step), nothing]
        zeros = flow.constant(np.zeros(len(step)), np.int8)
        flow.parts.add("MatMulIntegerToFloat", [*inputs, zeros], f"added{layer}", domain="com.microsoft")
    return finish(
        flow.parts,
        [
            *(
                helper.make_tensor_value_info(f"columns{layer}", TensorProto.UINT8, [f"rows{layer}", inputs])
                for layer, inputs in SEAM_INPUTS.items()
            ),
            helper.make_tensor_value_info("steps", TensorProto.FLOAT, [len(SEAM_INPUTS)]),
        ],
        [
            helper.make_tensor_value_info(f"added{layer}", TensorProto.FLOAT, [f"rows{layer}", f"outputs{layer}"])
            for layer in SEAM_INPUTS
        ],
    )


def _shape(name: str) -> list[str | int]:
    """Of what a piece has by itself, and of what all share; names stand for any number."""
    if name in REACHES:
        return []
    if name in SEAM_WEIGHTS:
        return ["rows", 4, "channels"] if name == "projection" else [f"{name} inputs", f"{name} outputs"]
    return [f"{name} edges"] if name.endswith("_rest") else [f"{name} edges", f"{name} rows", 2, f"{name} channels"]


def _name_own(flow: Flow, name: str, side: Side, first: int) -> None:
    """Give what the pieces of a side have by themselves, of each layer two columns, as (M, rows, 2, C)."""
    for number, layer in enumerate(side.layers, 1):
        own = layer if number == 1 else flow.part(layer, COLUMNS, first, first + 2 or END)
        flow.parts.add("Transpose", [own], f"{name}{number}", perm=[0, 3, 2, 1])
    flow.parts.add("Squeeze", [side.rest, flow.constant([1], np.int64)], f"{name}_rest")


def _pixels(flow: Flow, views: str) -> str:
    return flow.op("Transpose", views, perm=[0, 3, 2, 1])


def _side(flow: Flow, kernels: list[str], projection: Tensor, pixels: str) -> Side:
    """Of pieces with the seam at their last column; ``projection`` (512, columns, rows) is for all but two."""
    first = flow.op("Conv", pixels, kernels[0], kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    last, tap = flow.part(pixels, COLUMNS, -1), flow.part(kernels[0], COLUMNS, 0, 1)
    across = flow.op("Conv", last, tap, kernel_shape=[1, 3], pads=[0, 1, 0, 1])
    layers = [flow.op("Concat", flow.part(first, COLUMNS, -1), across, axis=COLUMNS)]
    known = flow.op("Relu", flow.part(first, COLUMNS, 0, -1))
    for kernel in kernels[1:]:
        # The last column is unknown: twice padded, once for it and once for what lies beyond.
        layer = flow.op("Conv", known, kernel, kernel_shape=[3, 3], pads=[1, 1, 2, 1])
        pads = flow.constant([0, 0, 0, 0, 0, 0, 2, 0], np.int64)
        layers.append(flow.op("Pad", flow.part(layer, COLUMNS, -2), pads))
        known = flow.op("Relu", flow.part(layer, COLUMNS, 0, -2))
        if kernel != kernels[-1]:
            known = flow.op("MaxPool", known, kernel_shape=[2, 2], strides=[2, 2])
    return Side(layers, _projected(flow, known, projection))


def _every_pair(flow: Flow, one: str, other: str) -> str:
    """(A, C, columns, rows) and (B, C, columns, rows) added, each with each: (A B, C, columns, rows)."""
    each = flow.op("Add", flow.op("Unsqueeze", one, flow.constant([1], np.int64)), other)
    shape = flow.op("Concat", flow.constant([-1], np.int64), flow.part(flow.op("Shape", one), 0, 1), axis=0)
    return flow.op("Reshape", each, shape)


def _projected(flow: Flow, columns: str, projection: Tensor) -> str:
    """(M, 512, columns, rows) -> (M, 1)."""
    flat = flow.op("Flatten", columns, axis=1)
    return flow.op("MatMul", flat, flow.weights(projection.reshape(-1, 1)))
