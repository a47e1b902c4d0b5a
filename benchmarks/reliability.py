"""How often joins said to be so sure are right: fit the confidence on training pictures, check it on others.

python benchmarks/reliability.py TRAIN VAL --csv results/reliability.csv --plot docs/reliability.png
"""

import argparse
import csv
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tenjigsaw import confidence
from tenjigsaw.evaluation import right_joins
from tenjigsaw.evaluation.benchmark import Conditions, collect_pictures, worn_puzzle
from tenjigsaw.measures import create_measure, normalise, score
from tenjigsaw.solvers import Frame, Stop, create_solver

Floats = NDArray[np.float64]
BINS = 10


def observed(picture: Path, measure: str, puzzle_type: int, erosion: int) -> tuple[Floats, Floats]:
    """(joins, 2) evidence and (joins,) truth of the layout that the default solver makes of a picture."""
    puzzle = worn_puzzle(picture, Conditions(erosion=erosion), puzzle_type)
    assert puzzle.truth is not None
    assert puzzle.frame is not None
    scores = normalise(score(puzzle, create_measure(measure)), "sinkhorn")
    layout = create_solver("default").solve(scores, Frame(*puzzle.frame), Stop(), np.random.default_rng(0))
    evidence = np.stack(confidence.evidence(layout, scores), axis=1)
    return evidence, right_joins(layout, puzzle.truth).astype(np.float64)


def gather(pictures: list[Path], measures: list[str], erosions: list[int]) -> tuple[Floats, Floats]:
    """The joins of all pictures, both types, under all conditions."""
    parts = []
    for picture, measure, puzzle_type, erosion in product(pictures, measures, (1, 2), erosions):
        parts.append(observed(picture, measure, puzzle_type, erosion))
        print(
            f"{picture.name} {measure} Type-{puzzle_type} worn {erosion}: {parts[-1][1].mean():.3f} right", flush=True
        )
    evidence, truth = zip(*parts, strict=True)
    return np.concatenate(evidence), np.concatenate(truth)


def fit(evidence: Floats, right: Floats, steps: int = 30) -> Floats:
    """(own, around, given) of the logistic regression, by Newton's method."""
    inputs = np.column_stack((evidence, np.ones(len(evidence))))
    weights = np.zeros(inputs.shape[1])
    for _ in range(steps):
        probability = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (right - probability)
        bend = (inputs * (probability * (1 - probability))[:, None]).T @ inputs + 1e-6 * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def bins(probability: Floats, right: Floats) -> list[dict[str, float]]:
    """For each tenth of confidence: how many joins, how sure they were said to be, how many were right."""
    place = np.minimum((probability * BINS).astype(int), BINS - 1)
    return [
        {
            "joins": int((place == number).sum()),
            "said": round(float(probability[place == number].mean()), 4),
            "right": round(float(right[place == number].mean()), 4),
        }
        for number in range(BINS)
        if (place == number).any()
    ]


def calibration_error(rows: list[dict[str, float]]) -> float:
    """The expected calibration error: the mean gap between said and right, each bin by its joins."""
    total = sum(row["joins"] for row in rows)
    return sum(row["joins"] * abs(row["said"] - row["right"]) for row in rows) / total


def plot(rows: list[dict[str, float]], path: Path, error: float) -> None:
    """The reliability diagram."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(4.5, 4.5))
    axes.plot([0, 1], [0, 1], color="0.6", linewidth=1)
    sizes = [200 * (row["joins"] / max(r["joins"] for r in rows)) ** 0.5 for row in rows]
    axes.scatter([row["said"] for row in rows], [row["right"] for row in rows], s=sizes, color="#0072b2")
    axes.set(xlabel="confidence of joins", ylabel="share that is right", xlim=(0, 1), ylim=(0, 1))
    axes.set_title(f"expected calibration error {error:.3f}", fontsize=10)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main() -> None:
    """Fit on one folder, check on another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    parser.add_argument("val", type=Path)
    parser.add_argument("--pictures", type=int, default=12, help="of the training folder")
    parser.add_argument("--measures", default="unified,mgc")
    parser.add_argument("--erosions", default="1", help="worn pixels, with commas")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    measures, erosions = options.measures.split(","), [int(worn) for worn in options.erosions.split(",")]
    pictures = collect_pictures([options.train])
    chosen = pictures[:: max(1, len(pictures) // options.pictures)][: options.pictures]
    weights = fit(*gather(chosen, measures, erosions))
    print(f"OWN, AROUND, GIVEN = {weights[0]:.3f}, {weights[1]:.3f}, {weights[2]:.3f}")
    written = []
    for measure in measures:
        evidence, right = gather(collect_pictures([options.val]), [measure], erosions)
        probability = 1 / (1 + np.exp(-(np.column_stack((evidence, np.ones(len(right)))) @ weights)))
        rows = bins(probability, right)
        error = calibration_error(rows)
        print(f"{measure}: expected calibration error {error:.4f} over {len(right)} joins")
        written += [{"measure": measure, **row, "calibration_error": round(error, 4)} for row in rows]
        if options.plot and measure == measures[0]:
            plot(rows, options.plot, error)
    if options.csv:
        with options.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(written[0]))
            writer.writeheader()
            writer.writerows(written)


if __name__ == "__main__":
    main()
