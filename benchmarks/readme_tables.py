"""Write the tables of README.md and the docs anew from the CSV files in results/.

    python benchmarks/readme_tables.py
    python benchmarks/readme_tables.py --check

Each table stands between two comments, `<!-- table: NAME -->` and `<!-- end -->`. With `--check` nothing is written;
the exit code is 1 if a table is stale.
"""

import argparse
import re
import sys
from collections.abc import Callable

from tables import machine, measures, solvers
from tables.reading import ROOT

PAGES = (ROOT / "README.md", ROOT / "docs" / "results.md", ROOT / "docs" / "training.md")
TABLES: dict[str, Callable[[], str]] = {
    "headline": solvers.headline,
    "learned": measures.learned,
    "drawn edges": measures.drawn_edges,
    "eight bits pairs": measures.eight_bits_pairs,
    "choices": measures.choices,
    "runtime": machine.runtime,
    "end to end": machine.end_to_end,
    "end to end clean": machine.end_to_end_clean,
    "top1 eroded": lambda: measures.top1("top1_mit_eroded.csv", paper=True),
    "top1 clean": lambda: measures.top1("top1_mit_clean.csv", paper=False),
    "tree": lambda: solvers.solved("tree", ("ratio", "csls", "sinkhorn"), solvers.TREE_PUBLISHED),
    "segments": lambda: solvers.solved("segments", ("sinkhorn",), solvers.GENETIC_PUBLISHED),
    "genetic": lambda: solvers.solved("genetic", ("ten",), solvers.GENETIC_PUBLISHED),
    "table 5": solvers.table5,
    "table 5 kodak": solvers.table5_kodak,
    "generations": solvers.generations,
    "segments learned": solvers.segments_learned,
    "segments kodak": solvers.segments_kodak,
    "solvers": solvers.same_scores,
    "longer": solvers.longer,
    "seconds clean": solvers.seconds_clean,
    "inference": machine.inference,
    "split": machine.split,
    "conditions": lambda: measures.conditions("mit"),
    "conditions kodak": lambda: measures.conditions("kodak"),
    "study losses": lambda: measures.study("losses", {"loss": "loss"}, paper=False),
    "study distances": lambda: measures.study("distances", {"distance": "distance"}, paper=True),
    "study dimensions": lambda: measures.study(
        "dimensions", {"distance": "distance", "dimension": "dimensions"}, paper=True
    ),
    "study ingredients": lambda: measures.study("ingredients", {"without": "left out"}, paper=False),
    "ceiling": measures.ceiling,
    "lost": solvers.lost,
    "mixed": solvers.mixed,
    "six pictures": solvers.six_pictures,
    "peers": solvers.peers,
    "large": solvers.large,
    "speed": machine.speed,
    "memory": machine.memory,
}


def with_tables(text: str) -> str:
    """The text with every table between its comments made anew."""

    def fresh(match: re.Match[str]) -> str:
        return f"<!-- table: {match[1]} -->\n{TABLES[match[1]]()}\n<!-- end -->"

    return re.sub(r"<!-- table: (.+?) -->\n.*?<!-- end -->", fresh, text, flags=re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; say which page has a stale table")
    checking = parser.parse_args().check
    stale = 0
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = with_tables(before)
        if before == after:
            continue
        stale += 1
        if checking:
            print(f"{page.relative_to(ROOT)} has a stale table: run python benchmarks/readme_tables.py")
        else:
            page.write_text(after, encoding="utf-8")
    return int(checking and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
