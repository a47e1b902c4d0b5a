"""Writing an ONNX graph as a flow of values, each named by its number."""

from dataclasses import dataclass

import numpy as np
import torch

from tenjigsaw.training.graph import GraphParts

END = np.iinfo(np.int64).max
START = np.iinfo(np.int64).min


@dataclass
class Flow:
    """Writes nodes one after the other, naming what comes out by number."""

    parts: GraphParts
    count: int = 0

    def name(self) -> str:
        """A name not used yet."""
        self.count += 1
        return f"v{self.count}"

    def op(self, kind: str, *inputs: str, **attributes: object) -> str:
        """Add a node and return what comes out of it."""
        return self.parts.add(kind, inputs, self.name(), **attributes)

    def constant(self, values: object, kind: type = np.float32) -> str:
        """A stored array in full precision."""
        return self.parts.store(np.asarray(values, dtype=kind), self.name())

    def weights(self, values: torch.Tensor) -> str:
        """A stored array in half precision."""
        return self.parts.store_half(values.detach().numpy(), self.name())

    def number(self, value: torch.Tensor) -> str:
        """A stored number."""
        return self.constant(float(value.detach()))

    def part(self, values: str, axis: int, start: int, end: int = END, step: int = 1) -> str:
        """values[start:end:step] along an axis."""
        bounds = (self.constant([number], np.int64) for number in (start, end, axis, step))
        return self.op("Slice", values, *bounds)

    def convolved(self, kernel: str, values: str, width: int) -> str:
        """(M, inputs, Q) -> (M, outputs, Q) by a kernel (outputs, inputs, 1, width).

        As a picture of one row: ONNX Runtime is three times as fast with those.
        """
        row = self.op("Unsqueeze", values, self.constant([2], np.int64))
        pads = [0, width // 2, 0, width // 2]
        out = self.op("Conv", row, kernel, kernel_shape=[1, width], pads=pads)
        return self.op("Squeeze", out, self.constant([2], np.int64))

    def reversed(self, values: str, axis: int) -> str:
        """The values in the opposite order along an axis."""
        return self.part(values, axis, -1, START, -1)
