"""Times to score all 16 N^2 pairs with the paper's networks (Table 6) and ours, on this machine beside the paper's GPU.

    python benchmarks/inference.py --csv results/inference.csv
    tenjigsaw figures results --out figures

The networks are fresh: time does not depend on what they have learned. The pair network is measured where it takes
below ten minutes and extrapolated from a few batches above; "e2e_whole", always extrapolated, is the same network run
by torch as a whole for every pair, as in the paper, and not around the seam only. "rate" is the share of the machine's
own matrix-product rate, the best that was measured before and after, that the multiplications of the network or of the
distances reach.
"torch_ratio" is the time torch takes for a batch of TEN's views in units of ONNX Runtime's. The unified model's time is
split into network, products and Sinkhorn, and what the negative and the second look add; above 2000 pieces its scores
are lists, of pairs that a shortlist holds, and "unified_dense" is what the full costs of all pairs take. A pause
of the machine spoils what takes only seconds, so the unified model is timed three times and TEN twice, and the fastest
run counts. Sizes that were not asked for keep the rows they have.
"""

import argparse
import csv
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation.paper import INFERENCE
from tenjigsaw.measures import create_measure, normalise, score
from tenjigsaw.measures.learned import DISTANCES, embed, views_for
from tenjigsaw.measures.models import FAST_GRAPH, GRAPH, TEN_LARGE, Model, hash_of
from tenjigsaw.measures.rerank import RerankedMeasure
from tenjigsaw.measures.scores import DenseScores
from tenjigsaw.measures.scoring import LISTED_PARTNERS, MOST_DENSE_PIECES
from tenjigsaw.measures.seam import PairNetworkCosts, pair_measure
from tenjigsaw.measures.unified import describe_edges, unified_measure
from tenjigsaw.networks.registry import create_network
from tenjigsaw.networks.ten import E2E
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.training.export import round_to_half
from tenjigsaw.training.graph import ten_graph
from tenjigsaw.training.seam_graph import e2e_graph, seam_products_graph

PIECE, DIMENSION = 28, 40
LONGEST_MEASURED = 600.0


def fresh_model(folder: Path, name: str) -> Model:
    network = create_network(name, PIECE, DIMENSION).eval()
    round_to_half(network)
    graph = (e2e_graph if name == "e2e" else ten_graph)(network, PIECE)  # type: ignore[arg-type]  # the name says which network it is
    place = folder / name
    place.mkdir()
    (place / GRAPH).write_bytes(graph.SerializeToString())
    if isinstance(network, E2E):
        (place / FAST_GRAPH).write_bytes(seam_products_graph(network).SerializeToString())
    hashes = {file.name: hash_of(file) for file in place.iterdir()}
    return Model(place, name, name, "pair" if name == "e2e" else "twins", PIECE, 1, "l2", {}, hashes)


def noise_puzzle(count: int) -> Puzzle:
    pieces = np.random.default_rng(0).integers(0, 256, (count, PIECE, PIECE, 3), dtype=np.uint8)
    return Puzzle(pieces, erosion=1, turned=True)


def product_rate() -> float:
    """Multiply-adds a second of a large float32 matrix product."""
    matrix = np.random.default_rng(0).random((2048, 2048), dtype=np.float32)
    matrix @ matrix
    began = perf_counter()
    for _ in range(5):
        matrix @ matrix
    return 5 * 2048**3 / (perf_counter() - began)


def twin_multiplications(channels: int) -> int:
    """Multiply-adds of one twin for one view, layer by layer of Table 1; nobody multiplies by the zeros around it."""
    layers = ((PIECE, channels * 64), (PIECE, 64 * 128), (PIECE // 2, 128 * 256), (PIECE // 4, 256 * 512))
    convolutions = sum((3 * side - 2) ** 2 * products for side, products in layers)
    return convolutions + (PIECE // 4) ** 2 * 512 * DIMENSION


def time_twins(members: list[Model], puzzle: Puzzle) -> dict[str, float]:
    """Seconds, and multiply-adds a second, of the network and of the distances."""
    began = perf_counter()
    embedded = [embed(model, views_for(model, puzzle)) for model in members]
    network = perf_counter() - began
    began = perf_counter()
    total = np.zeros((4 * puzzle.count, 4 * puzzle.count), dtype=np.float32)
    for left, right in embedded:
        for first in range(0, len(left), 2048):
            total[first : first + 2048] += DISTANCES["l2"](left[first : first + 2048], right)
    DenseScores(total, turned=True, mutual=False)
    distances = perf_counter() - began
    edges = 4 * puzzle.count
    multiplied = sum(2 * edges * twin_multiplications(3 if model.name == "ten" else 1) for model in members)
    return {
        "network": network,
        "distances": distances,
        "network_rate": multiplied / network,
        "distances_rate": len(members) * edges**2 * DIMENSION / distances,
    }


def time_pairs(model: Model, puzzle: Puzzle) -> tuple[float, bool]:
    """(seconds, measured?)."""
    predicted = PairNetworkCosts(model).predicted_seconds(puzzle)
    if predicted > LONGEST_MEASURED:
        return predicted, False
    began = perf_counter()
    pair_measure(model.name, "", model).scores(puzzle)
    return perf_counter() - began, True


def time_whole_pairs(count: int) -> float:
    """Seconds of the pair network as a whole for every pair, from a batch of them."""
    import torch

    network, batch = create_network("e2e", PIECE).eval(), 128
    left, right = torch.randn(2, batch, 3, PIECE, PIECE)

    def by_torch() -> None:
        with torch.no_grad():
            network.pair_logits(left, right)  # type: ignore[operator]  # the name says which network it is

    return best_time(by_torch, 3) / batch * 16 * count * (count - 1)


def torch_ratio(model: Model) -> float:
    """The time of torch in units of ONNX Runtime's, for the same network and views; the best of five each."""
    import torch

    network = create_network("ten", PIECE, DIMENSION).eval()
    views = views_for(model, noise_puzzle(64))
    tensors = torch.from_numpy(np.ascontiguousarray(views.transpose(0, 3, 1, 2)))

    def by_torch() -> None:
        with torch.no_grad():
            network(tensors)

    return best_time(by_torch) / best_time(lambda: embed(model, views))


def best_time(work: Callable[[], object], repeats: int = 5) -> float:
    """Seconds of the fastest of some repeats."""
    return min(_seconds_of(work) for _ in range(repeats))


def _seconds_of(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def time_unified(puzzle: Puzzle) -> dict[str, float]:
    """Seconds of each step of the default measure; of three runs, the one whose scores were there first."""
    runs = [_unified_steps(puzzle) for _ in range(3)]
    fastest = min(runs, key=lambda steps: steps["network"] + steps["products"])
    return fastest | {"dense": min(steps["dense"] for steps in runs)}


def _unified_steps(puzzle: Puzzle) -> dict[str, float]:
    best = create_measure("unified-rerank")
    assert isinstance(best, RerankedMeasure)
    steps = [perf_counter()]
    features = tuple(describe_edges(best.model, puzzle))
    steps.append(perf_counter())
    unified = replace(unified_measure("unified", "", best.model), describe=lambda _: features)
    scores = score(puzzle, unified)
    steps.append(perf_counter())
    normalise(scores, "sinkhorn")
    steps.append(perf_counter())
    seen = best.describe(puzzle)
    few = puzzle.count <= MOST_DENSE_PIECES
    first = best.first_scores(puzzle, seen) if few else best.first_nearest(puzzle, seen, LISTED_PARTNERS)
    steps.append(perf_counter())
    best.second_costs(first, seen)
    steps.append(perf_counter())
    seconds = dict(zip(("network", "products", "sinkhorn", "negative", "second_look"), np.diff(steps), strict=True))
    # The positive's part of what both take is what it took by itself.
    seconds["negative"] -= seconds["network"] + seconds["products"]
    del first, seen
    seconds["dense"] = seconds["network"] + (
        seconds["products"] if few else _seconds_of(lambda: unified.scores(puzzle))
    )
    return {name: float(value) for name, value in seconds.items()}


def measure(count: int, models: dict[str, Model]) -> dict[str, object]:
    puzzle, rate = noise_puzzle(count), product_rate()
    ten = min((time_twins([models["ten"]], puzzle) for _ in range(2)), key=lambda found: found["network"])
    large = time_twins([models[name] for name in TEN_LARGE], puzzle)
    rate = max(rate, product_rate())
    unified = time_unified(puzzle)
    pairs, measured = time_pairs(models["e2e"], puzzle)
    paper = INFERENCE[count]
    return {
        "pieces": count,
        "ten": round(ten["network"] + ten["distances"], 3),
        "ten_network": round(ten["network"], 3),
        "ten_distances": round(ten["distances"], 3),
        "ten_network_rate": round(ten["network_rate"] / rate, 3),
        "ten_distances_rate": round(ten["distances_rate"] / rate, 3),
        "torch_ratio": round(torch_ratio(models["ten"]), 2),
        "ten_large": round(large["network"] + large["distances"], 3),
        "unified": round(unified["network"] + unified["products"], 3),
        **{f"unified_{step}": round(seconds, 3) for step, seconds in unified.items()},
        "e2e": round(pairs, 1),
        "e2e_measured": int(measured),
        "e2e_whole": round(time_whole_pairs(count), 1),
        "paper_ten": paper["ten"],
        "paper_ten_large": paper["ten-large"],
        "paper_e2e": paper["e2e"],
        "product_gflops": round(2 * rate / 1e9, 1),
    }


def read_csv(path: Path) -> list[dict[str, object]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [dict(row) for row in csv.DictReader(file)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=Path, default=Path("results/inference.csv"))
    parser.add_argument("--pieces", type=int, nargs="+", default=list(INFERENCE), choices=list(INFERENCE))
    wanted = parser.parse_args()
    rows = {int(row["pieces"]): row for row in (read_csv(wanted.csv) if wanted.csv.exists() else [])}
    with tempfile.TemporaryDirectory() as folder:
        time_unified(noise_puzzle(520))  # compiles
        time_unified(noise_puzzle(2100))
        models = {name: fresh_model(Path(folder), name) for name in (*TEN_LARGE, "e2e")}
        for count in wanted.pieces:
            found = measure(count, models)
            print(found, flush=True)
            rows = {size: row for size, row in rows.items() if row.keys() == found.keys()} | {count: found}
            write_csv(wanted.csv, [rows[size] for size in sorted(rows)], force=True)


if __name__ == "__main__":
    main()
