"""What all tables share: reading the CSV files, means of both types, Markdown."""

import csv
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).parent.parent.parent
STATES = {"clean": "clean", "eroded": "worn"}
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
    "ten-large": "TEN-Large, our training",
    "e2e": "E2E, our training",
    "unified": "unified",
    "unified-rerank": "unified, with negative and second look",
}
NETWORKS = {"ten": "TEN", "ten-large": "TEN-Large", "e2e": "E2E"}


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


def mean_of_each_type(rows: list[dict[str, str]]) -> list[str]:
    (found,) = both_types(rows, "neighbour", ("measure",)).values()
    return found.split(" / ")


def of_the_paper(printed: dict[int, dict[str, float]]) -> str:
    """'Type-1 / Type-2' on MIT, as printed."""
    return f"{printed[1]['MIT']} / {printed[2]['MIT']}"
