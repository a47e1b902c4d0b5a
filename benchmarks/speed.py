"""How fast each measure and the tree solver are, as ratios to plain numpy and to a matrix product, run side by side.

    python benchmarks/speed.py --csv results/speed.csv

N = 864 pieces of 28 pixels worn by one, Type-2: 3456 x 3456 edges. "numpy" is the formula without compiled code, one
edge against all others at a time; "product" is one float32 matrix product of the measure's inner dimension.
"""

import argparse
import statistics
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.cli.console import write_csv
from tenjigsaw.geometry import edge_strips
from tenjigsaw.measures import create_measure, list_measures, normalise
from tenjigsaw.measures.colour import lab
from tenjigsaw.puzzle import Puzzle, cut, erode, shuffle, turn
from tenjigsaw.solvers import Frame, Stop, create_solver

Floats = NDArray[np.float64]
ROWS, COLS, PIECE = 24, 36, 28
DUMMIES = np.concatenate([[[0, 0, 0], [1, 1, 1], [-1, -1, -1]], np.eye(3), -np.eye(3)])


def made_up_puzzle(seed: int) -> Puzzle:
    """Low-pass noise with grain, worn, shuffled and turned."""
    rng = np.random.default_rng(seed)
    coarse = rng.normal(size=(ROWS * 4, COLS * 4, 3))
    picture = np.kron(coarse, np.ones((7, 7, 1)))
    for axis in (0, 1):
        for _ in range(3):
            picture = sum(np.roll(picture, shift, axis) for shift in range(-3, 4)) / 7
    grain = rng.normal(scale=2, size=picture.shape)
    pixels = np.clip(128 + 160 * picture + grain, 0, 255).astype(np.uint8)
    return turn(shuffle(erode(cut(pixels, PIECE), 1, rng), rng), rng)


def borders(puzzle: Puzzle, colours: Callable[[NDArray[np.uint8]], NDArray[np.float32]]) -> tuple[Floats, Floats]:
    strips = colours(edge_strips(puzzle.inner, 2)).astype(np.float64)
    return strips[:, :, 0], strips[:, :, 1]


def numpy_ssd(puzzle: Puzzle, colours: Callable[[NDArray[np.uint8]], NDArray[np.float32]]) -> Floats:
    outer, _ = borders(puzzle, colours)
    return np.stack([((edge - outer[:, ::-1]) ** 2).sum(axis=(1, 2)) for edge in outer])


def numpy_prediction(puzzle: Puzzle, power: float) -> Floats:
    outer, behind = borders(puzzle, lab)
    guess = 2 * outer - behind
    return np.stack([(np.abs(edge - outer[:, ::-1]) ** power).sum(axis=(1, 2)) for edge in guess])


def numpy_pbc(puzzle: Puzzle) -> Floats:
    one_way = numpy_prediction(puzzle, 0.3)
    return (one_way + one_way.T) ** (5 / 24)


def numpy_mgc(puzzle: Puzzle, squared: bool) -> Floats:
    outer, behind = borders(puzzle, lambda pixels: pixels.astype(np.float32))
    seen = outer[:, ::-1]
    one_way = []
    for edge, inside in zip(outer, behind, strict=True):
        gradient = edge - inside
        inverse = np.linalg.inv(np.cov(np.concatenate([gradient, DUMMIES]).T))
        step = seen - edge - gradient.mean(axis=0)
        distance = np.einsum("bpc,cd,bpd->bp", step, inverse, step)
        one_way.append((distance if squared else np.sqrt(distance)).sum(axis=1))
    total = np.stack(one_way)
    return total + total.T


def rgb(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    return pixels.astype(np.float32)


PLAIN: dict[str, Callable[[Puzzle], Floats]] = {
    "ssd": lambda puzzle: numpy_ssd(puzzle, rgb),
    "ssd-lab": lambda puzzle: numpy_ssd(puzzle, lab),
    "pbc": numpy_pbc,
    "l1": lambda puzzle: numpy_prediction(puzzle, 1.0),
    "mgc": lambda puzzle: numpy_mgc(puzzle, squared=False),
    "mgc-squared": lambda puzzle: numpy_mgc(puzzle, squared=True),
    "wmgc": lambda puzzle: numpy_mgc(puzzle, squared=False) * numpy_ssd(puzzle, rgb) ** 0.2,
}


def median_seconds(job: Callable[[], object], times: int) -> float:
    """The first run compiles and is not counted."""
    job()
    spent = []
    for _ in range(times):
        began = perf_counter()
        job()
        spent.append(perf_counter() - began)
    return statistics.median(spent)


def measure_row(name: str, puzzle: Puzzle) -> dict[str, object]:
    measure = create_measure(name)
    agree = float(np.nanmax(_relative_gap(measure.scores(puzzle).values, PLAIN[name](puzzle))))
    inner = 3 * (PIECE - 2)
    left = np.random.default_rng(0).random((4 * puzzle.count, inner), dtype=np.float32)
    ours = median_seconds(lambda: measure.scores(puzzle), 5)
    began = perf_counter()
    PLAIN[name](puzzle)
    plain = perf_counter() - began
    product = median_seconds(lambda: left @ left.T, 5)
    return {
        "what": name,
        "seconds": round(ours, 4),
        "numpy_seconds": round(plain, 3),
        "product_seconds": round(product, 4),
        "times_faster_than_numpy": round(plain / ours, 1),
        "products": round(ours / product, 1),
        "largest_relative_gap": f"{agree:.1e}",
    }


def _relative_gap(fast: NDArray[np.float32], slow: Floats) -> Floats:
    legal = np.isfinite(fast)
    return np.where(legal, np.abs(np.where(legal, fast, 0) - slow) / np.maximum(slow, 1.0), np.nan)


def tree_row(puzzle: Puzzle, normalisation: str) -> dict[str, object]:
    scores = create_measure("mgc").scores(puzzle)
    assert puzzle.frame is not None
    frame = Frame(*puzzle.frame)
    matched = normalise(scores, normalisation)
    spent = median_seconds(lambda: create_solver("tree").solve(matched, frame, Stop(), np.random.default_rng(0)), 3)
    scaling = median_seconds(lambda: normalise(scores, normalisation), 3)
    left = np.random.default_rng(0).random((4 * puzzle.count, 3 * (PIECE - 2)), dtype=np.float32)
    product = median_seconds(lambda: left @ left.T, 5)
    return {
        "what": f"tree after {normalisation} ({scaling:.2f} s)",
        "seconds": round(spent, 4),
        "product_seconds": round(product, 4),
        "products": round(spent / product, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=Path, default=Path("results/speed.csv"))
    out = parser.parse_args().csv
    puzzle = made_up_puzzle(0)
    rows = []
    for measure in list_measures():
        if measure.name in PLAIN:
            rows.append(measure_row(measure.name, puzzle))
            print(rows[-1], flush=True)
    for normalisation in ("ratio", "sinkhorn"):
        rows.append(tree_row(puzzle, normalisation))
        print(rows[-1], flush=True)
    write_csv(out, rows, force=True)


if __name__ == "__main__":
    main()
