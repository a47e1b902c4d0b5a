"""An int8 variant of an exported twin model: several times the speed, if it costs next to nothing."""

import json
import logging
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from tenjigsaw.errors import InputError
from tenjigsaw.evaluation import top_k
from tenjigsaw.evaluation.benchmark import Conditions, collect_pictures, worn_puzzle
from tenjigsaw.files import check_folder, new_folder
from tenjigsaw.measures.edge_views import edge_views
from tenjigsaw.measures.learned import twins_measure
from tenjigsaw.measures.models import CONFIG, GRAPH, Model, hash_of, read_model, whole_file
from tenjigsaw.progress import Progress, no_progress

MOST_LOST = 0.003
CALIBRATION_PICTURES = 4


class _Views(CalibrationDataReader):  # type: ignore[misc]  # onnxruntime ships no types
    """Feeds edge views, a batch at a time."""

    def __init__(self, batches: Sequence[NDArray[np.float32]]) -> None:
        self.remaining = iter(batches)

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        views = next(self.remaining, None)
        return None if views is None else {"views": views}


def quantise(
    folder: Path, out: Path, pictures: Path, val: Path, force: bool = False, progress: Progress = no_progress
) -> dict[str, float]:
    """Write the int8 variant of the model in ``folder``, calibrated on ``pictures``, if ``val`` says it is as good.

    Returns Top-1 (Type-2, raw) on ``val`` before and after; refuses when more than 0.3 points are lost.
    """
    model = read_model(folder)
    if model.kind != "twins":
        raise InputError(f"Only twin networks have an int8 variant, and {model.name!r} is not one.")
    check_folder(out, (CONFIG, GRAPH), force)
    config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    with new_folder(out, force) as draft:
        progress("calibrating", 0.0)
        _write_int8(model, draft / GRAPH, _calibration_views(model, pictures))
        config |= {"name": f"{model.name}-int8", "hashes": {GRAPH: hash_of(draft / GRAPH)}}
        (draft / CONFIG).write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        found = {
            variant: mean_top1(which, val, partial(progress, f"scoring {variant}"))
            for variant, which in (("float", model), ("int8", read_model(draft)))
        }
        if found["float"] - found["int8"] > MOST_LOST:
            raise InputError(
                f"int8 costs {100 * (found['float'] - found['int8']):.2f} points of Top-1, more than "
                f"{100 * MOST_LOST:.1f}; nothing was written."
            )
        config["about"]["int8"] = {key: round(value, 4) for key, value in found.items()}
        (draft / CONFIG).write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    return found


def mean_top1(model: Model, val: Path, progress: Callable[[float], None]) -> float:
    """Top-1 (Type-2, raw) over the pictures of a folder."""
    measure, shares = twins_measure(model.name, "", [model]), []
    found = collect_pictures([val])
    for done, picture in enumerate(found):
        progress(done / len(found))
        puzzle = worn_puzzle(picture, Conditions(model.piece, model.worn), 2)
        assert puzzle.truth is not None
        shares.append(top_k(measure.scores(puzzle), puzzle.truth))
    return float(np.mean(shares))


def _calibration_views(model: Model, pictures: Path) -> list[NDArray[np.float32]]:
    batches = []
    for picture in collect_pictures([pictures])[:CALIBRATION_PICTURES]:
        puzzle = worn_puzzle(picture, Conditions(model.piece, model.worn), 1)
        batches.append(edge_views(puzzle.pieces[:32], model.worn))
    return batches


def _write_int8(model: Model, path: Path, batches: Sequence[NDArray[np.float32]]) -> None:
    graph = onnx.load(whole_file(model.folder, model.name, GRAPH, model.hashes.get(GRAPH, "")))
    _store_in_full_precision(graph)
    with tempfile.TemporaryDirectory() as aside:
        full = Path(aside) / "full.onnx"
        onnx.save(graph, full)
        kinds: dict[str, Any] = {"activation_type": QuantType.QUInt8, "weight_type": QuantType.QInt8}
        # Its advice on pre-processing does not concern graphs that are written by hand.
        logging.disable(logging.WARNING)
        try:
            quantize_static(full, path, _Views(batches), quant_format=QuantFormat.QDQ, per_channel=True, **kinds)
        finally:
            logging.disable(logging.NOTSET)


def _store_in_full_precision(model: onnx.ModelProto) -> None:
    """The quantiser wants its weights as float32, without the casts."""
    casts = {node.input[0]: node.output[0] for node in model.graph.node if node.op_type == "Cast"}
    for tensor in model.graph.initializer:
        if tensor.name in casts:
            values = numpy_helper.to_array(tensor).astype(np.float32)
            tensor.CopyFrom(numpy_helper.from_array(values, casts[tensor.name]))
    kept = [node for node in model.graph.node if node.op_type != "Cast"]
    del model.graph.node[:]
    model.graph.node.extend(kept)
