"""How often joins said to be so sure are right: fit the confidence on half of the pictures, check it on the other half.

python benchmarks/reliability.py ../shared/data/val --csv results/reliability.csv --plot docs/reliability.png
python benchmarks/reliability.py ../shared/data/val --drop 0.1,0.2,0.3 --csv results/reliability_lost.csv

Pictures that the measure has learned from would make it too sure of itself. With pieces lost, what holds without is
taken as given, and only what the loss changes is fitted. "shipped" is the confidence as every user gets it.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tenjigsaw import confidence
from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation import right_joins
from tenjigsaw.evaluation.benchmark import Conditions, collect_pictures, worn_puzzle
from tenjigsaw.measures import create_measure, normalise, score
from tenjigsaw.solvers import Frame, Stop, create_solver

Floats = NDArray[np.float64]
BINS = 10


Joins = tuple[Floats, Floats, Floats]


def observed(picture: Path, measure: str, puzzle_type: int, conditions: Conditions) -> Joins:
    """(joins, 2) evidence, (joins,) truth and (joins,) confidence of the layout that the default solver makes."""
    puzzle = worn_puzzle(picture, conditions, puzzle_type)
    assert puzzle.truth is not None
    assert puzzle.frame is not None
    frame = Frame(*puzzle.frame)
    raw = replace(score(puzzle, create_measure(measure)), lost=frame.lost_share(puzzle.count))
    scores = normalise(raw, "sinkhorn")
    layout = create_solver("default").solve(scores, frame, Stop(), np.random.default_rng(0))
    evidence = np.stack(confidence.evidence(layout, scores), axis=1)
    right = right_joins(layout, puzzle.truth).astype(np.float64)
    return evidence, right, confidence.join_confidence(layout, scores)


def gather(picture: Path, measure: str, conditions: Conditions) -> Joins:
    """The joins of a picture, both types."""
    parts = [observed(picture, measure, puzzle_type, conditions) for puzzle_type in (1, 2)]
    print(f"{picture.name}: {' / '.join(f'{right.mean():.3f}' for _, right, _ in parts)} right", flush=True)
    return together(parts)


def together(parts: Sequence[Joins]) -> Joins:
    """The joins of several puzzles."""
    evidence, right, shipped = map(np.concatenate, zip(*parts, strict=True))
    return evidence, right, shipped


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


def cross_checked(evidence: list[Floats], right: list[Floats]) -> Floats:
    """How sure the joins of each picture are said to be by a fit to every other picture but not to this one."""
    probability = []
    for number in range(len(evidence)):
        others = [other for other in range(len(evidence)) if (other - number) % 2]
        weights = fit(np.concatenate([evidence[o] for o in others]), np.concatenate([right[o] for o in others]))
        probability.append(said(evidence[number], weights))
    return np.concatenate(probability)


def fit_loss(found: Mapping[float, Joins]) -> tuple[float, float]:
    """The OWN_BY_LOSS and DOUBT_BY_LOSS that make the truth likeliest, from the joins for each share lost."""

    def surprise(by_loss: tuple[float, float]) -> float:
        total = 0.0
        for lost, (evidence, right, _) in found.items():
            probability = np.clip(confidence.probability(*evidence.T, lost, *by_loss), 1e-6, 1 - 1e-6)
            total -= float(np.sum(np.log(np.where(right > 0, probability, 1 - probability))))
        return total

    return min(product(np.arange(0, 2, 0.05), np.arange(0, 15, 0.25)), key=surprise)


def check_losses(pictures: list[Path], measure: str, erosion: int, shares: list[float]) -> list[dict[str, float]]:
    """How far the confidence is off for each share of the pieces lost, by a fit to the other half of the pictures."""
    halves: list[dict[float, Joins]] = []
    for half in (pictures[::2], pictures[1::2]):
        parts = {lost: [gather(p, measure, Conditions(erosion=erosion, drop=lost)) for p in half] for lost in shares}
        halves.append({lost: together(part) for lost, part in parts.items()})
    both = {lost: together([half[lost] for half in halves]) for lost in shares}
    print("OWN_BY_LOSS, DOUBT_BY_LOSS = {:.2f}, {:.2f}".format(*fit_loss(both)))
    fits = [fit_loss(half) for half in halves]
    rows = []
    for lost in shares:
        checked = [
            confidence.probability(*half[lost][0].T, lost, *by_loss)
            for half, by_loss in zip(halves, reversed(fits), strict=True)
        ]
        sure, (_, right, shipped) = np.concatenate(checked), both[lost]
        before = confidence.probability(*both[lost][0].T, 0.0)
        rows.append(
            {
                "lost": lost,
                "joins": len(right),
                "right": round(float(right.mean()), 4),
                "calibration_error": round(calibration_error(bins(sure, right)), 4),
                "right_above_0.9": round(float(right[sure > 0.9].mean()), 4),
                "calibration_error_shipped": round(calibration_error(bins(shipped, right)), 4),
                "calibration_error_without": round(calibration_error(bins(before, right)), 4),
                "right_above_0.9_without": round(float(right[before > 0.9].mean()), 4),
            }
        )
    return rows


def said(evidence: Floats, weights: Floats) -> Floats:
    probability: Floats = 1 / (1 + np.exp(-(np.column_stack((evidence, np.ones(len(evidence)))) @ weights)))
    return probability


def main() -> None:
    """Check each half of the pictures by a fit to the other, then fit to all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path, help="pictures that the measure has not learned from")
    parser.add_argument("--measure", default="unified-rerank")
    parser.add_argument("--erosion", type=int, default=1, help="worn pixels")
    parser.add_argument("--drop", help="shares of the pieces lost, with commas between")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--plot", type=Path, help="needs matplotlib")
    options = parser.parse_args()
    pictures = collect_pictures([options.pictures])
    if options.drop:
        lost_rows = check_losses(
            pictures, options.measure, options.erosion, [float(d) for d in options.drop.split(",")]
        )
        print(*lost_rows, sep="\n")
        if options.csv:
            write_csv(options.csv, lost_rows, force=True)
        return
    found = [gather(picture, options.measure, Conditions(erosion=options.erosion)) for picture in pictures]
    evidence, right, shipped = [list(part) for part in zip(*found, strict=True)]
    weights = fit(np.concatenate(evidence), np.concatenate(right))
    print(f"OWN, AROUND, GIVEN = {weights[0]:.3f}, {weights[1]:.3f}, {weights[2]:.3f}")
    rows = bins(cross_checked(evidence, right), np.concatenate(right))
    error = calibration_error(rows)
    as_shipped = calibration_error(bins(np.concatenate(shipped), np.concatenate(right)))
    print(f"{options.measure}: expected calibration error {error:.4f} over {sum(map(len, right))} joins")
    print(f"as shipped: {as_shipped:.4f}")
    if options.csv:
        errors = {"calibration_error": round(error, 4), "calibration_error_shipped": round(as_shipped, 4)}
        shared = {"measure": options.measure}, errors
        write_csv(options.csv, [shared[0] | row | shared[1] for row in rows], force=True)
    if options.plot:
        plot(rows, options.plot, error)


if __name__ == "__main__":
    main()
