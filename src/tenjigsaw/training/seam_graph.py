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

from tenjigsaw.networks.ten import E2E
from tenjigsaw.training.flow import Flow
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
    """left (A, P, P, 3) and right (B, P, P, 3), all facing right -> logit (A, B)."""
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
    for kernel, one, other in zip(kernels[1:], left.layers[1:], right.layers[1:], strict=True):
        new = flow.op("Conv", columns, kernel, kernel_shape=[3, 3], pads=[2, 1, 2, 1])
        columns = flow.op("Relu", flow.op("Add", new, _every_pair(flow, one, other)))
        if kernel != kernels[-1]:
            columns = flow.op("MaxPool", columns, kernel_shape=[2, 2], strides=[2, 2])
    middle = _projected(flow, columns, projection[:, seam - 2 : seam + 2])
    # (A, 1) + (1, B): the shape of the whole, which the pairs take.
    rest = flow.op("Add", left.rest, flow.op("Transpose", right.rest, perm=[1, 0]))
    flow.parts.add("Add", [flow.op("Reshape", middle, flow.op("Shape", rest)), rest], "logit")
    return finish(
        flow.parts,
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, [f"{name}s", piece, piece, 3])
            for name in ("left", "right")
        ],
        [helper.make_tensor_value_info("logit", TensorProto.FLOAT, ["lefts", "rights"])],
    )


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
