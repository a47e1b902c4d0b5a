"""What runs the unified network faster: ONNX Runtime, all of it, or numpy, its six large matrix products alone.

    python benchmarks/runtime.py --csv results/runtime.csv

Were the products in numpy alone slower than everything in ONNX Runtime, nothing around them could make up for that.
Random pixels; the best of three runs each.
"""

import argparse
from pathlib import Path

import numpy as np

from inference import best_time, noise_puzzle
from tenjigsaw.cli.console import write_csv
from tenjigsaw.measures.models import find_models
from tenjigsaw.measures.unified import EDGES_AT_ONCE, nearest_columns, run_network

LAYERS, WIDTH = 6, 3  # of the network's trunk: convolutions along the edge, and the tokens that each sees


def products(edges: int, tokens: int, channels: int) -> None:
    """The trunk's products for all edges, in portions that stay in the cache."""
    rng = np.random.default_rng(0)
    seen = rng.random((min(edges, EDGES_AT_ONCE) * tokens, WIDTH * channels), dtype=np.float32)
    weights = rng.random((WIDTH * channels, channels), dtype=np.float32)
    room = np.empty((len(seen), channels), dtype=np.float32)
    for _ in range(LAYERS * -(-edges // EDGES_AT_ONCE)):
        np.matmul(seen, weights, out=room)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pieces", default="400,3200")
    parser.add_argument("--csv", type=Path, default=Path("results/runtime.csv"))
    wanted = parser.parse_args()
    model = find_models()["unified"]
    channels = 2 * int(model.about["settings"]["dimension"])
    rows = []
    for count in map(int, wanted.pieces.split(",")):
        strips = nearest_columns(noise_puzzle(count))
        onnx = best_time(lambda strips=strips: run_network(model, strips, 1), 3)
        numpy = best_time(lambda strips=strips: products(len(strips), strips.shape[1], channels), 3)
        rows.append({"pieces": count, "onnx_runtime": round(onnx, 3), "numpy_products_alone": round(numpy, 3)})
        print(rows[-1], flush=True)
    write_csv(wanted.csv, rows, force=True)


if __name__ == "__main__":
    main()
