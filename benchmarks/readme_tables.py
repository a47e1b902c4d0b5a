"""Write the tables of the README anew from the CSV files in results/.

    python benchmarks/readme_tables.py

Each table stands between two comments, `<!-- table: NAME -->` and `<!-- end -->`.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).parent.parent
NORMALISATIONS = {"none": "raw", "ten": "TEN eq. 3-4", "ratio": "ratio", "csls": "CSLS", "sinkhorn": "Sinkhorn"}
MEASURES = {
    "ssd": "SSD, RGB",
    "ssd-lab": "SSD, CIELAB",
    "l1": "L1, CIELAB",
    "pbc": "PBC, CIELAB",
    "mgc": "MGC",
    "mgc-squared": "MGC, squared",
    "wmgc": "wMGC",
}
LEARNED = {
    "mgc": "MGC",
    "ten": "TEN, our training",
    "unified": "unified",
    "unified-rerank": "unified, with a second look",
}
# Printed in the paper, Table 4, MIT columns.
PAPER_NETWORKS = {"TEN": "55.2 / 46.6", "TEN-Large": "59.1 / 51.5", "E2E": "69.4 / 60.9"}
PAPER_TOP1 = {"ssd": "42.0 / 33.5", "l1": "46.6 / 37.6", "pbc": "43.7 / 34.1", "mgc": "53.5 / 41.1"}

TREE_PUBLISHED = {"clean": "95.1 / 90.4 (Gallagher 2012)", "eroded": "49.4 / 12.8 (the paper, same solver)"}
GENETIC_PUBLISHED = {
    "clean": "95.7 / 94.9 (Sholomon 2013, 2014)",
    "eroded": "58.2 / 32.3 (the paper, with the solver of Rika 2019)",
}


def rows_of(name: str) -> list[dict[str, str]]:
    with (ROOT / "results" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def markdown(header: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    head = list(header)
    body = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *body])


def both_types(rows: list[dict[str, str]], value: str, keys: tuple[str, ...]) -> dict[tuple[str, ...], str]:
    """'Type-1 / Type-2' in percent for each combination of keys."""
    groups: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        groups[tuple(row[key] for key in keys)][row["type"]].append(float(row[value]))
    return {key: " / ".join(f"{100 * mean(types[kind]):.1f}" for kind in ("1", "2")) for key, types in groups.items()}


def top1(name: str, paper: bool) -> str:
    found = both_types(rows_of(name), "top1", ("measure", "normalise"))
    header = ["measure", *NORMALISATIONS.values()] + (["raw, as printed in the paper"] if paper else [])
    return markdown(
        header,
        (
            [label, *(found[measure, kind] for kind in NORMALISATIONS)]
            + ([PAPER_TOP1.get(measure, "")] if paper else [])
            for measure, label in MEASURES.items()
        ),
    )


def learned() -> str:
    kinds = ("none", "ten", "sinkhorn")
    mit, kodak = (
        both_types(rows_of(f"learned_{name}.csv"), "top1", ("measure", "normalise")) for name in ("mit", "kodak")
    )
    header = ["measure", *(f"MIT, {NORMALISATIONS[kind]}" for kind in kinds), "Kodak, raw", "Kodak, Sinkhorn"]
    ours = [
        [label, *(mit[measure, kind] for kind in kinds), kodak[measure, "none"], kodak[measure, "sinkhorn"]]
        for measure, label in LEARNED.items()
    ]
    printed = [[f"{name}, as printed in the paper", value, "", "", "", ""] for name, value in PAPER_NETWORKS.items()]
    return markdown(header, ours + printed)


def solved(solver: str, kinds: tuple[str, ...], published: dict[str, str]) -> str:
    lines = []
    for state in ("clean", "eroded"):
        rows = rows_of(f"{solver}_mit_{state}.csv")
        found = both_types(rows, "neighbour", ("normalise",))
        for kind in kinds:
            perfect = [
                sum(int(row["perfect"]) for row in rows if (row["normalise"], row["type"]) == (kind, number))
                for number in ("1", "2")
            ]
            lines.append([state, NORMALISATIONS[kind], found[kind,], f"{perfect[0]} / {perfect[1]}", published[state]])
    return markdown(["edges", "normalisation", "neighbour accuracy", "perfect", "published"], lines)


def segments_learned() -> str:
    """The best measure with the best solver, on worn edges."""
    rows = rows_of("segments_mit_learned.csv")
    (found,) = both_types(rows, "neighbour", ("measure",)).values()
    perfect = " / ".join(str(sum(int(row["perfect"]) for row in rows if row["type"] == kind)) for kind in ("1", "2"))
    lines = [
        ["unified-rerank, Sinkhorn, segments", found, perfect],
        ["E2E with a genetic solver, as printed in the paper", "87.3 / 74.5", ""],
        ["TEN-Large with a genetic solver, as printed in the paper", "65.1 / 49.1", ""],
    ]
    return markdown(["worn edges", "neighbour accuracy", "perfect"], lines)


def speed() -> str:
    lines = []
    for row in rows_of("speed.csv"):
        faster = f"{row['times_faster_than_numpy']} x" if row["times_faster_than_numpy"] else ""
        lines.append([row["what"], f"{float(row['seconds']):.2f}", faster, row["products"]])
    return markdown(["what", "seconds", "faster than numpy", "products"], lines)


def memory() -> str:
    row = rows_of("memory.csv")[0]
    return (
        f"Best-{row['best']} lists of {row['measure'].upper()} for {int(row['pieces']):,} pieces, Type-2, take "
        f"{row['peak_gib']} GiB at the peak and {row['seconds']} s; "
        f"the full matrix would be {row['full_matrix_gib']} GiB."
    )


TABLES: dict[str, Callable[[], str]] = {
    "learned": learned,
    "top1 eroded": lambda: top1("top1_mit_eroded.csv", paper=True),
    "top1 clean": lambda: top1("top1_mit_clean.csv", paper=False),
    "tree": lambda: solved("tree", ("ratio", "csls", "sinkhorn"), TREE_PUBLISHED),
    "segments": lambda: solved("segments", ("sinkhorn",), GENETIC_PUBLISHED),
    "genetic": lambda: solved("genetic", ("ten",), GENETIC_PUBLISHED),
    "segments learned": segments_learned,
    "speed": speed,
    "memory": memory,
}


def with_tables(text: str) -> str:
    """The text with every table between its comments made anew."""

    def fresh(match: re.Match[str]) -> str:
        return f"<!-- table: {match[1]} -->\n{TABLES[match[1]]()}\n<!-- end -->"

    return re.sub(r"<!-- table: (.+?) -->\n.*?<!-- end -->", fresh, text, flags=re.DOTALL)


def main() -> None:
    readme = ROOT / "README.md"
    readme.write_text(with_tables(readme.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
