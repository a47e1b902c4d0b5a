"""From a training run to a model folder: safetensors, ONNX and a config, which can't drift apart."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import nn

from tenjigsaw import __version__
from tenjigsaw.errors import InputError
from tenjigsaw.files import check_folder, new_folder
from tenjigsaw.measures.edge_views import DEVIATION, MEAN
from tenjigsaw.measures.graphs import COLUMNS, OUTPUTS, STATISTICS
from tenjigsaw.measures.models import (
    CONFIG,
    FAST_GRAPH,
    FORMAT,
    GRAPH,
    SECOND_GRAPH,
    TENSORS,
    Model,
    hash_of,
    read_model,
)
from tenjigsaw.measures.registry import check_model_name
from tenjigsaw.measures.seam import SAMPLED_EDGES, PairNetworkCosts
from tenjigsaw.networks.ten import E2E, Ten
from tenjigsaw.networks.unified import SecondLook, Unified
from tenjigsaw.progress import Progress, no_progress
from tenjigsaw.training.datasets import VALIDATION, part_for
from tenjigsaw.training.fast_graph import fast_graph
from tenjigsaw.training.graph import ten_graph
from tenjigsaw.training.run import load_trained
from tenjigsaw.training.seam_graph import e2e_graph, seam_products_graph
from tenjigsaw.training.tensors import to_tensor
from tenjigsaw.training.unified_graph import described, second_look_graph, unified_graph
from tenjigsaw.training.validate import load_blocks, validate

LARGEST_GAP = 1e-5
# Logits learned on small blocks, where strangers are few, are too flat for whole puzzles. Tuned on val: Top-1 after
# Sinkhorn gains half a point, and the probabilities are about as high as they should be on average.
SHARPER = 1.5
# Of an output's spread: trained networks are 1 to 5 % off on noise.
LARGEST_ROUGH_GAP = 0.2
PAIR_VALIDATION = 2, 5  # pictures and the side of the block: a pair network is slow
# A network sees a pixel x as (x / full_scale - mean) / std, and the worn frame as `blank`.
PREPROCESSING = {"full_scale": 255, "mean": MEAN, "std": DEVIATION, "blank": 0.0}
LEAST_OUTPUT = 1e-3  # a network that says nothing yet is compared on this scale


def export(
    run: Path,
    out: Path,
    val: Path | None = None,
    name: str | None = None,
    force: bool = False,
    progress: Progress = no_progress,
) -> dict[str, Any]:
    """Write the averaged network of a run to the folder ``out``; returns what its config says.

    The weights are rounded to half precision first. Torch with these weights and ONNX Runtime with its graph must
    agree to 1e-5 of the largest output, or nothing is written.
    """
    if name is not None:
        check_model_name(name)
    check_folder(out, (CONFIG, GRAPH, TENSORS, SECOND_GRAPH, FAST_GRAPH), force)
    network, about = load_trained(run)
    if about["settings"].get("without"):
        left_out = about["settings"]["without"]
        raise InputError(f"{run} was trained without {left_out}, for a study; a measure can't leave that out.")
    if isinstance(network, Unified):
        network.scale_costs(SHARPER)
    round_to_half(network)
    settings = about["settings"]
    model = _graph(network, settings)
    config: dict[str, Any] = {
        "format": FORMAT,
        "name": settings["network"] if name is None else name,
        "network": settings["network"],
        "kind": _kind(network),
        "piece": settings["piece"],
        "worn": settings["worn"],
        "distance": settings["distance"],
        "preprocessing": PREPROCESSING,
        "about": {"version": __version__, **about, "val": _score(network, settings, val, progress)},
    }
    with new_folder(out, force) as draft:
        (draft / GRAPH).write_bytes(model.SerializeToString())
        state = {key: value.numpy().astype(np.float16) for key, value in network.state_dict().items()}
        save_file({key: np.array(value, order="C") for key, value in state.items()}, draft / TENSORS)
        gap = refuse_disagreement(network, draft / GRAPH, settings["piece"])
        if isinstance(network, Unified):
            look = network.second_look
            (draft / SECOND_GRAPH).write_bytes(second_look_graph(look).SerializeToString())
            gap = max(gap, refuse_second_disagreement(look, draft / SECOND_GRAPH))
            (draft / FAST_GRAPH).write_bytes(fast_graph(network).SerializeToString())
            refuse_rough_disagreement(draft / GRAPH, draft / FAST_GRAPH, settings["piece"])
        if isinstance(network, E2E):
            (draft / FAST_GRAPH).write_bytes(seam_products_graph(network).SerializeToString())
        config["about"]["gap"] = gap
        config["hashes"] = {file.name: hash_of(file) for file in sorted(draft.iterdir())}
        (draft / CONFIG).write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        if isinstance(network, E2E):
            refuse_rough_logits(read_model(draft))
    return config


@torch.no_grad()
def round_to_half(network: nn.Module) -> None:
    """Give every weight the value that half precision can hold."""
    for weight in network.parameters():
        weight.copy_(weight.half().float())


def refuse_disagreement(network: nn.Module, graph: Path, piece: int) -> float:
    """The largest gap between torch and ONNX Runtime on random views, as a share of the largest output."""
    import onnxruntime

    rng = np.random.default_rng(0)
    views = rng.normal(size=(2, 16, piece, piece, 3)).astype(np.float32)
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    with torch.no_grad():
        if isinstance(network, Unified):
            strips = rng.integers(0, 256, (32, piece, COLUMNS, 3), dtype=np.uint8)
            expected = described(network, strips, 1)
            found = session.run(OUTPUTS, {"strips": strips, "wear": np.array([1])})
        elif isinstance(network, E2E):
            # The network as a whole, pair by pair, and not by its seam.
            left, right = to_tensor(views[0]), to_tensor(views[1])
            logits = [network.pair_logits(left, one[None].expand_as(left)) for one in right]
            expected = [torch.stack(logits, dim=1).numpy()]
            found = session.run(["logit"], {"left": views[0], "right": views[1]})
        else:
            expected = [embedding.numpy() for embedding in network(to_tensor(views[0]))]
            found = session.run(None, {"views": views[0]})
    return _refuse_gap(expected, found)


def refuse_second_disagreement(look: SecondLook, graph: Path) -> float:
    """The same for the second look."""
    import onnxruntime

    rng = np.random.default_rng(0)
    one, other = rng.normal(size=(2, 16, look.first.same.shape[1], 26)).astype(np.float32)
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    with torch.no_grad():
        expected = look(torch.from_numpy(one), torch.from_numpy(other)).numpy()
    return _refuse_gap([expected], session.run(None, {"one": one, "other": other}))


def refuse_rough_disagreement(graph: Path, fast: Path, piece: int) -> None:
    """Refuse an 8-bit graph that is further from the full one than rounding explains."""
    import onnxruntime

    strips = np.random.default_rng(0).integers(0, 256, (64, piece, COLUMNS, 3), dtype=np.uint8)
    whole, rough = (onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"]) for file in (graph, fast))
    shown = {"strips": strips, "wear": np.array([1])}
    statistics = dict(zip(STATISTICS, whole.run(STATISTICS, shown), strict=True))
    for name, expected, found in zip(
        OUTPUTS, whole.run(OUTPUTS, shown), rough.run(OUTPUTS, shown | statistics), strict=True
    ):
        _refuse_rough_gap(name, expected, found)


def refuse_rough_logits(model: Model) -> None:
    """The same for a pair network whose seam is computed in 8 bits."""
    costs, rng = PairNetworkCosts(model), np.random.default_rng(0)
    views = rng.normal(size=(2 * SAMPLED_EDGES, model.piece, model.piece, 3)).astype(np.float32)
    halves, (one, other) = costs.halves(views), np.indices((len(views), len(views))).reshape(2, -1)
    expected = costs.logits(views, views)
    _refuse_gap([costs.refine(halves, one, other)], [expected.reshape(-1)])
    _refuse_rough_gap("logit", expected, costs.compare(halves, halves))


def _refuse_rough_gap(name: str, expected: NDArray[np.float32], found: NDArray[np.float32]) -> None:
    gap = float(np.sqrt(np.mean((expected - found) ** 2)) / max(expected.std(), LEAST_OUTPUT))
    if not gap <= LARGEST_ROUGH_GAP:
        raise InputError(f"The 8-bit graph is {gap:.0%} off in {name}; nothing was exported.")


def _refuse_gap(expected: Sequence[NDArray[np.float32]], found: Sequence[NDArray[np.float32]]) -> float:
    gap = max(
        float(np.abs(one - other).max() / max(np.abs(other).max(), LEAST_OUTPUT))
        for one, other in zip(expected, found, strict=True)
    )
    if not gap <= LARGEST_GAP:
        raise InputError(f"Torch and ONNX Runtime disagree by {gap:.1e} on this network; nothing was exported.")
    return gap


def _kind(network: nn.Module) -> str:
    if isinstance(network, Unified):
        return "tokens"
    return "pair" if isinstance(network, E2E) else "twins"


def _graph(network: nn.Module, settings: dict[str, Any]) -> Any:
    if isinstance(network, Unified):
        return unified_graph(network)
    if isinstance(network, Ten):
        return ten_graph(network, settings["piece"])
    if isinstance(network, E2E):
        return e2e_graph(network, settings["piece"])
    raise InputError(f"A network called {settings['network']!r} can't be exported; export its members instead.")


def _score(
    network: nn.Module, settings: dict[str, Any], val: Path | None, progress: Progress
) -> dict[str, str | float] | None:
    """Top-1 on whole pictures for twins; a pair network sees the middle of the first pictures only."""
    if val is None:
        return None
    pictures, block = PAIR_VALIDATION if isinstance(network, E2E) else (None, None)
    blocks = load_blocks(val, settings["piece"], settings["worn"], pictures, block)
    part = f", middle {block} x {block} of the first {pictures}" if block else ""
    shares = {key: round(value, 4) for key, value in validate(network, blocks, progress)._asdict().items()}
    return {"pictures": part_for(VALIDATION, val).name + part, **shares}
