"""What the pair network loses by 8-bit products: raw Top-1 of drawn edges in full precision, as shipped, and in 8 bits
alone, without the exact costs of each edge's best pairs.

python benchmarks/eight_bits_pairs.py ../shared/data/val --edges 24 --csv results/eight_bits_pairs.csv
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation.benchmark import Conditions, collect_pictures, drawn_edges, top_1_of_drawn, worn_puzzle
from tenjigsaw.measures import create_measure, refine
from tenjigsaw.measures.pairs import PairMeasure


def main() -> None:
    """One line for each picture and type."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("--edges", type=int, default=24)
    parser.add_argument("--csv", type=Path, required=True)
    options = parser.parse_args()
    rows: list[dict[str, str | int | float]] = []
    for picture in collect_pictures(options.pictures):
        for row in compared(picture, Conditions(edges=options.edges)):
            rows.append({"picture": picture.name, **row})
            print(rows[-1], flush=True)
    write_csv(options.csv, rows, force=True)


def compared(picture: Path, conditions: Conditions) -> list[dict[str, int | float]]:
    """Top-1 of the same edges in all three ways, for both types."""
    puzzle, measure = worn_puzzle(picture, conditions, 1), create_measure("e2e")
    assert puzzle.truth is not None
    assert isinstance(measure, PairMeasure)
    truth, edges, features = puzzle.truth, drawn_edges(puzzle.truth, conditions), measure.describe(puzzle)
    shipped = replace(measure, describe=lambda _: features)
    # All pairs among the best: none is left to 8 bits.
    with patch.object(refine, "REFINED", sys.maxsize):
        costs = {"full_precision": shipped.rows(puzzle, edges)}
    costs["shipped"] = shipped.rows(puzzle, edges)
    costs["eight_bits"] = replace(shipped, refine=None).rows(puzzle, edges)
    return [
        {"type": kind, **{name: round(top_1_of_drawn(rows, edges, truth, kind), 6) for name, rows in costs.items()}}
        for kind in (1, 2)
    ]


if __name__ == "__main__":
    main()
