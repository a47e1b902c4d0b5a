"""Times to score all 16 N^2 pairs with the paper's networks (Table 6), on this machine beside the paper's GPU.

    python benchmarks/inference.py --csv results/inference.csv --plot results/inference.png

The networks are fresh: time does not depend on what they have learned. The pair network is measured where it takes
below ten minutes and extrapolated from a few batches above. "rate" is the share of the machine's own matrix-product
rate, measured beside it, that the multiplications of the network or of the distances reach.
"""

import argparse
import csv
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from tenjigsaw.measures.learned import DISTANCES, PairNetworkCosts, embed, views_for
from tenjigsaw.measures.models import Model, hash_of
from tenjigsaw.measures.scores import DenseScores
from tenjigsaw.networks.registry import create_network
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.training.export import round_to_half
from tenjigsaw.training.graph import e2e_graph, ten_graph

PIECE, DIMENSION = 28, 40
PAPER = {
    100: (0.07, 0.18, 32.0),
    200: (0.14, 0.39, 120.0),
    400: (0.36, 0.89, 490.0),
    800: (1.0, 2.2, 1900.0),
    1600: (3.2, 6.2, 7900.0),
    3200: (11.0, 19.0, 31000.0),
}
LONGEST_MEASURED = 600.0


def fresh_model(folder: Path, name: str) -> Model:
    network = create_network(name, PIECE, DIMENSION).eval()
    round_to_half(network)
    graph = (e2e_graph if name == "e2e" else ten_graph)(network, PIECE)  # type: ignore[arg-type]  # the name says which network it is
    place = folder / name
    place.mkdir()
    (place / "model.onnx").write_bytes(graph.SerializeToString())
    hashes = {"model.onnx": hash_of(place / "model.onnx")}
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
    """Multiply-adds of one twin for one view, layer by layer of Table 1."""
    area = PIECE * PIECE
    convolutions = 9 * (area * channels * 64 + area * 64 * 128 + area // 4 * 128 * 256 + area // 16 * 256 * 512)
    return convolutions + area // 16 * 512 * DIMENSION


def time_twins(members: list[Model], puzzle: Puzzle, rate: float) -> dict[str, float]:
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
        "network_rate": multiplied / network / rate,
        "distances_rate": len(members) * edges**2 * DIMENSION / distances / rate,
    }


def time_pairs(model: Model, puzzle: Puzzle) -> tuple[float, bool]:
    """(seconds, measured?)."""
    costs = PairNetworkCosts(model)
    predicted = costs.predicted_seconds(puzzle)
    if predicted > LONGEST_MEASURED:
        return predicted, False
    began = perf_counter()
    features = costs.describe(puzzle)
    costs.compare(features, features)
    return perf_counter() - began, True


def measure(count: int, models: dict[str, Model]) -> dict[str, object]:
    puzzle, rate = noise_puzzle(count), product_rate()
    ten = time_twins([models["ten"]], puzzle, rate)
    large = time_twins([models[name] for name in ("ten-red", "ten-green", "ten-blue", "ten")], puzzle, rate)
    pairs, measured = time_pairs(models["e2e"], puzzle)
    paper = PAPER[count]
    return {
        "pieces": count,
        "ten": round(ten["network"] + ten["distances"], 3),
        "ten_network": round(ten["network"], 3),
        "ten_distances": round(ten["distances"], 3),
        "ten_network_rate": round(ten["network_rate"], 3),
        "ten_distances_rate": round(ten["distances_rate"], 3),
        "ten_large": round(large["network"] + large["distances"], 3),
        "e2e": round(pairs, 1),
        "e2e_measured": int(measured),
        "paper_ten": paper[0],
        "paper_ten_large": paper[1],
        "paper_e2e": paper[2],
        "product_gflops": round(2 * rate / 1e9, 1),
    }


def plot(rows: list[dict[str, object]], path: Path) -> None:
    """Inference time against pieces, log-log, as in the paper's figure."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4.2), layout="constrained")
    pieces = [int(str(row["pieces"])) for row in rows]
    colours = {"ten": "#0072B2", "ten_large": "#009E73", "e2e": "#D55E00"}
    names = {"ten": "TEN", "ten_large": "TEN-Large", "e2e": "E2E"}
    for key, colour in colours.items():
        axes.plot(pieces, [row[key] for row in rows], "o-", color=colour, label=f"{names[key]}, two CPU cores")
        axes.plot(
            pieces,
            [row[f"paper_{key}"] for row in rows],
            "s--",
            color=colour,
            mfc="none",
            label=f"{names[key]}, paper (GPU)",
        )
    axes.set(xscale="log", yscale="log", xlabel="pieces", ylabel="seconds for all pairs")
    axes.set_xticks(pieces, [str(count) for count in pieces])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=Path, default=Path("results/inference.csv"))
    parser.add_argument("--plot", type=Path, default=Path("results/inference.png"))
    parser.add_argument("--pieces", type=int, nargs="+", default=list(PAPER), choices=list(PAPER))
    wanted = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        models = {name: fresh_model(Path(folder), name) for name in ("ten", "ten-red", "ten-green", "ten-blue", "e2e")}
        for count in wanted.pieces:
            rows.append(measure(count, models))
            print(rows[-1], flush=True)
    with wanted.csv.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    plot(rows, wanted.plot)


if __name__ == "__main__":
    main()
