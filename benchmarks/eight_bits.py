"""What the unified model loses by 8-bit products: Top-1 with all edges in full precision beside what is shipped.

python benchmarks/eight_bits.py ../shared/data/val --csv results/eight_bits.csv
"""

import argparse
from pathlib import Path
from unittest.mock import patch

import numpy as np

from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation import top_k
from tenjigsaw.evaluation.benchmark import Conditions, collect_pictures, worn_puzzle
from tenjigsaw.measures import create_measure, normalise, unified


def main() -> None:
    """One line for each picture: Type-2, after Sinkhorn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("--csv", type=Path, required=True)
    options = parser.parse_args()
    measure, rows = create_measure("unified"), []
    for picture in collect_pictures(options.pictures):
        puzzle = worn_puzzle(picture, Conditions(), 2)
        assert puzzle.truth is not None
        # With all edges in the sample there are none to follow in 8 bits.
        with patch.object(unified, "SAMPLED_EDGES", 4 * puzzle.count):
            full = top_k(normalise(measure.scores(puzzle), "sinkhorn"), puzzle.truth)
        rounded = top_k(normalise(measure.scores(puzzle), "sinkhorn"), puzzle.truth)
        rows.append({"picture": picture.name, "full_precision": round(full, 6), "eight_bits": round(rounded, 6)})
        print(rows[-1], flush=True)
    write_csv(options.csv, rows, force=True)
    print({key: float(np.mean([row[key] for row in rows])) for key in ("full_precision", "eight_bits")})


if __name__ == "__main__":
    main()
