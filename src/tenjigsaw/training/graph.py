"""The networks as ONNX graphs, written node by node.

Weights are stored in half precision and cast back once, when a session is made: half the size on disk, full speed and
full precision of arithmetic at run time. Views come as (M, P, P, 3), the order of pictures.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from tenjigsaw.networks.ten import Ten, Twin

OPSET = 17
Shape = Sequence[str | int]


@dataclass
class GraphParts:
    """Nodes and stored weights in the making."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    stored: list[onnx.TensorProto] = field(default_factory=list)

    def add(self, kind: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        """Add a node and return the name of what comes out of it."""
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def store(self, values: NDArray[np.generic], name: str) -> str:
        """Store an array as it is."""
        self.stored.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def store_half(self, values: NDArray[np.float32], name: str) -> str:
        """Store weights in half precision; returns their name after the cast."""
        half = self.store(values.astype(np.float16), f"{name}.half")
        return self.add("Cast", [half], name, to=TensorProto.FLOAT)


def add_twin(parts: GraphParts, twin: Twin, pixels: str, name: str, output: str) -> None:
    """Table 1 of the paper, from (M, C, H, W) pixels to the output."""
    flow = pixels
    for number, kernel in enumerate(twin.convolutions.parameters(), 1):
        weight = parts.store_half(kernel.detach().numpy(), f"{name}.convolution{number}")
        flow = parts.add("Conv", [flow, weight], f"{name}.flow{number}", pads=[1, 1, 1, 1], kernel_shape=[3, 3])
        flow = parts.add("Relu", [flow], f"{name}.relu{number}")
        if number in (2, 3):
            flow = parts.add("MaxPool", [flow], f"{name}.pool{number}", kernel_shape=[2, 2], strides=[2, 2])
    flat = parts.add("Flatten", [flow], f"{name}.flat", axis=1)
    projection = parts.store_half(twin.projection.weight.detach().numpy().T, f"{name}.projection")
    parts.add("MatMul", [flat, projection], output)


def ten_graph(network: Ten, piece: int) -> onnx.ModelProto:
    """views (M, P, P, 3) -> left (M, d) and right (M, d)."""
    parts = GraphParts()
    pixels = parts.add("Transpose", ["views"], "pixels", perm=[0, 3, 1, 2])
    if len(network.channels) < 3:
        chosen = parts.store(np.array(network.channels, dtype=np.int64), "channels")
        pixels = parts.add("Gather", [pixels, chosen], "chosen", axis=1)
    add_twin(parts, network.left, pixels, "left_twin", "left")
    add_twin(parts, network.right, _half_turn(parts, pixels, "turned"), "right_twin", "right")
    dimension = network.left.projection.out_features
    outputs: dict[str, Shape] = {"left": ["edges", dimension], "right": ["edges", dimension]}
    return _model(parts, {"views": ["edges", piece, piece, 3]}, outputs)


def _half_turn(parts: GraphParts, pixels: str, name: str) -> str:
    """Both picture axes reversed."""
    starts = parts.store(np.array([-1, -1], dtype=np.int64), f"{name}.starts")
    ends = parts.store(np.array([np.iinfo(np.int64).min] * 2, dtype=np.int64), f"{name}.ends")
    axes = parts.store(np.array([2, 3], dtype=np.int64), f"{name}.axes")
    steps = parts.store(np.array([-1, -1], dtype=np.int64), f"{name}.steps")
    return parts.add("Slice", [pixels, starts, ends, axes, steps], name)


def _model(parts: GraphParts, inputs: dict[str, Shape], outputs: dict[str, Shape]) -> onnx.ModelProto:
    return finish(
        parts,
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
    )


def finish(
    parts: GraphParts, inputs: Sequence[onnx.ValueInfoProto], outputs: Sequence[onnx.ValueInfoProto]
) -> onnx.ModelProto:
    """The parts as a whole model, checked."""
    graph = helper.make_graph(parts.nodes, "tenjigsaw", list(inputs), list(outputs), parts.stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET), *_contributed(parts)])
    # The oldest version that knows all of this, so that older runtimes open it too.
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def _contributed(parts: GraphParts) -> list[onnx.OperatorSetIdProto]:
    """The sets of operators beside ONNX's own that the nodes come from."""
    return [helper.make_opsetid(domain, 1) for domain in sorted({node.domain for node in parts.nodes} - {""})]
