"""What the pair network loses by 8-bit products: raw Top-1 of drawn edges in full precision beside what is shipped.

python benchmarks/eight_bits_pairs.py ../shared/data/val --edges 12 --csv results/eight_bits_pairs.csv
"""

import argparse
import sys
from pathlib import Path
from unittest.mock import patch

from tenjigsaw.cli.console import write_csv
from tenjigsaw.evaluation.benchmark import Conditions, collect_pictures, match_rows
from tenjigsaw.measures import seam


def main() -> None:
    """One line for each picture and type."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("--edges", type=int, default=12)
    parser.add_argument("--csv", type=Path, required=True)
    options = parser.parse_args()
    asked, rows = (["e2e"], ["none"], [1, 2], Conditions(edges=options.edges)), []
    for picture in collect_pictures(options.pictures):
        # A puzzle no larger than the sample is not rounded at all.
        with patch.object(seam, "SAMPLED_EDGES", sys.maxsize):
            full = list(match_rows(picture, *asked))
        for exact, rounded in zip(full, match_rows(picture, *asked), strict=True):
            about = {"picture": picture.name, "type": exact.type}
            rows.append(about | {"full_precision": exact.top1, "eight_bits": rounded.top1})
            print(rows[-1], flush=True)
    write_csv(options.csv, rows, force=True)


if __name__ == "__main__":
    main()
