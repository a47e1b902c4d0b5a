"""Top-1 under other wears and sizes of pieces than the usual ones.

python benchmarks/conditions.py mit20/01.png ... mit20/06.png --csv results/conditions_mit.csv
"""

import argparse
from dataclasses import asdict
from pathlib import Path

from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation.benchmark import Conditions, collect_pictures, match_rows, mean_by

CONDITIONS = [
    *(Conditions(piece=28, erosion=worn) for worn in (0, 1, 2, 3, 4)),
    *(Conditions(piece=side, erosion=1) for side in (16, 48, 64)),
]


def main() -> None:
    """One line for each condition, measure, normalisation and type."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("--measures", default="mgc,unified,unified-rerank")
    parser.add_argument("--normalise", default="none,sinkhorn")
    parser.add_argument("--csv", type=Path, required=True)
    options = parser.parse_args()
    measures, normalisations = options.measures.split(","), options.normalise.split(",")
    written = []
    for conditions in CONDITIONS:
        rows = []
        for picture in collect_pictures(options.pictures):
            rows += match_rows(picture, measures, normalisations, [1, 2], conditions)
            print(f"{conditions.piece} px worn {conditions.erosion}: {picture.name}", flush=True)
        means = mean_by(rows, ["measure", "normalise", "type"], ["top1"])
        written += [{**asdict(conditions), **mean, "top1": round(mean["top1"], 4)} for mean in means]
    write_csv(options.csv, written, force=True)


if __name__ == "__main__":
    main()
