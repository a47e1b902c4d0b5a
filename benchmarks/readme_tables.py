"""Write the tables of README.md and docs/results.md anew from the CSV files in results/.

    python benchmarks/readme_tables.py
    python benchmarks/readme_tables.py --check

Each table stands between two comments, `<!-- table: NAME -->` and `<!-- end -->`. With `--check` nothing is written;
the exit code is 1 if a table is stale.
"""

import argparse
import csv
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from statistics import mean
from typing import Any

from tenjigsaw.bench.accuracy_tables import neighbour_table
from tenjigsaw.bench.rows import read_rows
from tenjigsaw.evaluation.paper import NEIGHBOUR, TOP1

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", ROOT / "docs" / "results.md")
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
    "unified": "unified",
    "unified-rerank": "unified, with a second look",
}
GENETIC = {"mgc": "MGC", "ten-large": "TEN-Large", "e2e": "E2E"}
NETWORKS = {"ten": "TEN", "ten-large": "TEN-Large", "e2e": "E2E"}


def of_the_paper(printed: dict[int, dict[str, float]]) -> str:
    """'Type-1 / Type-2' on MIT, as printed."""
    return f"{printed[1]['MIT']} / {printed[2]['MIT']}"


TREE_PUBLISHED = {
    "clean": "95.1 / 90.4 (Gallagher 2012)",
    "eroded": f"{of_the_paper(NEIGHBOUR['tree']['mgc'])} (the paper, same solver)",
}
GENETIC_PUBLISHED = {
    "clean": "95.7, not checked / 94.9 (Sholomon 2013, 2014)",
    "eroded": f"{of_the_paper(NEIGHBOUR['genetic']['mgc'])} (the paper, with the solver of Rika 2019)",
}
# nemanja-m/gaps, run once as its users would on picture 3 of MIT, Type-1, on the machine of our own figures, then busy.
GAPS = {"clean": "99.1", "eroded": "45.7"}


# Files in which a solver's rows stand beside another's.
SHARED = {("genetic", "eroded"): "solvers_mit_eroded.csv"}


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
            + ([of_the_paper(TOP1[measure]) if measure in TOP1 else ""] if paper else [])
            for measure, label in MEASURES.items()
        ),
    )


def learned() -> str:
    kinds = {kind: NORMALISATIONS[kind] for kind in ("none", "ten", "sinkhorn")} | {"loops": "loops"}
    mit, kodak = (
        both_types(rows_of(f"learned_{name}.csv") + rows_of(f"ten_{name}.csv"), "top1", ("measure", "normalise"))
        for name in ("mit", "kodak")
    )
    header = ["measure", *(f"MIT, {name}" for name in kinds.values()), "Kodak, raw", "Kodak, Sinkhorn"]
    columns = [*((mit, kind) for kind in kinds), (kodak, "none"), (kodak, "sinkhorn")]
    ours = [
        [label, *(found.get((measure, kind), "") for found, kind in columns)]
        for measure, label in LEARNED.items()
        if (measure, "none") in mit
    ]
    printed = [
        [f"{name}, as printed in the paper", of_the_paper(TOP1[key]), *[""] * 5] for key, name in NETWORKS.items()
    ]
    return markdown(header, ours + printed)


def pair_network() -> str:
    """The pair network on a part of each picture, which all of its pairs can be had of."""
    sets = {"val": "val", "mit": "MIT", "kodak": "Kodak"}
    found = {name: both_types(rows_of(f"e2e_{name}.csv"), "top1", ("measure", "normalise")) for name in sets}
    kinds = ("none", "ten", "sinkhorn")
    return markdown(
        ["measure", *(f"{label}, {NORMALISATIONS[kind]}" for label in sets.values() for kind in kinds)],
        (
            [label, *(found[name][measure, kind] for name in sets for kind in kinds)]
            for measure, label in {"mgc": "MGC", "e2e": "E2E, our training"}.items()
        ),
    )


def solved(solver: str, kinds: tuple[str, ...], published: dict[str, str]) -> str:
    lines = []
    for state in STATES:
        rows = rows_of(SHARED.get((solver, state), f"{solver}_mit_{state}.csv"))
        rows = [row for row in rows if row["solver"] == solver]
        found = both_types(rows, "neighbour", ("normalise",))
        for kind in kinds:
            perfect = [
                sum(int(row["perfect"]) for row in rows if (row["normalise"], row["type"]) == (kind, number))
                for number in ("1", "2")
            ]
            lines.append(
                [STATES[state], NORMALISATIONS[kind], found[kind,], f"{perfect[0]} / {perfect[1]}", published[state]]
            )
    return markdown(["edges", "normalisation", "neighbour accuracy", "perfect", "published"], lines)


def table5() -> str:
    """The paper's Table 5: tree and genetic solver, the latter's means over the seeds with their spread."""
    found = neighbour_table(read_rows(ROOT / "results" / "table5_mit"), "mgc").rows
    ours = {(line["measure"], line["solver"]): line for line in found if "normalise" in line}
    lines = []
    for measure in dict.fromkeys(measure for measure, _ in ours):
        cells = [MEASURES.get(measure, LEARNED.get(measure, measure))]
        for solver in ("tree", "genetic"):
            by_type = (mean_and_spread(ours[measure, solver], f"type{kind}") for kind in (1, 2))
            cells += [" / ".join(by_type), of_the_paper(NEIGHBOUR[solver][measure])]
        lines.append(cells)
    return markdown(["measure", "tree", "tree, paper", "genetic", "genetic, paper"], lines)


def mean_and_spread(line: Mapping[str, Any], name: str) -> str:
    spread = line.get(f"{name}_spread")
    return f"{100 * line[name]:.1f}" + ("" if spread is None else f" ± {100 * spread:.1f}")


def generations() -> str:
    """The genetic solver, ended early and not."""
    lines = []
    for number in ("10", "100"):
        rows = rows_of(f"genetic_val_{number}.csv")
        seconds = (mean(float(row["seconds"]) for row in rows if row["type"] == kind) for kind in ("1", "2"))
        lines.append([number, " / ".join(mean_of_each_type(rows)), " / ".join(f"{value:.1f}" for value in seconds)])
    return markdown(["generations, at most", "neighbour accuracy", "seconds"], lines)


def printed_genetic(measure: str) -> list[str]:
    return [str(NEIGHBOUR["genetic"][measure][kind]["MIT"]) for kind in (1, 2)]


def headline() -> str:
    """The README's one table: ours beside the paper's and beside gaps."""
    clean, worn, learned_worn = (rows_of(f"segments_mit_{name}.csv") for name in ("clean", "eroded", "learned"))
    lines = [
        ["tenjigsaw as it comes", *mean_of_each_type(learned_worn), third_picture(learned_worn), ""],
        ["tenjigsaw with MGC: nothing learned", *mean_of_each_type(worn), third_picture(worn), third_picture(clean)],
        *([f"the paper: {name}, genetic solver", *printed_genetic(key), "", ""] for key, name in GENETIC.items()),
        ["gaps", "", "can't", GAPS["eroded"], GAPS["clean"]],
    ]
    return markdown(
        ["in percent", "worn, turns known", "worn, turns unknown", "picture 3, worn", "picture 3, clean edges"], lines
    )


def mean_of_each_type(rows: list[dict[str, str]]) -> list[str]:
    (found,) = both_types(rows, "neighbour", ("measure",)).values()
    return found.split(" / ")


def third_picture(rows: list[dict[str, str]]) -> str:
    (row,) = (row for row in rows if (row["picture"], row["type"]) == ("03.png", "1"))
    return f"{100 * float(row['neighbour']):.1f}"


def segments_learned() -> str:
    """The best measure with the best solver, on worn edges."""
    rows = rows_of("segments_mit_learned.csv")
    perfect = " / ".join(str(sum(int(row["perfect"]) for row in rows if row["type"] == kind)) for kind in ("1", "2"))
    lines = [["unified-rerank, Sinkhorn, segments", " / ".join(mean_of_each_type(rows)), perfect]]
    for key in ("e2e", "ten-large"):
        printed = of_the_paper(NEIGHBOUR["genetic"][key])
        lines.append([f"{NETWORKS[key]} with a genetic solver, as printed in the paper", printed, ""])
    return markdown(["worn edges", "neighbour accuracy", "perfect"], lines)


def same_scores() -> str:
    """Two solvers on the very same scores, and the seconds that they take."""
    rows = rows_of("solvers_mit_eroded.csv")
    found = both_types(rows, "neighbour", ("normalise", "solver"))

    def seconds(kind: str, solver: str) -> str:
        chosen = [row for row in rows if (row["normalise"], row["solver"]) == (kind, solver)]
        means = (mean(float(row["seconds"]) for row in chosen if row["type"] == number) for number in ("1", "2"))
        return " / ".join(f"{value:.1f}" for value in means)

    lines = [[NORMALISATIONS[kind], solver, cell, seconds(kind, solver)] for (kind, solver), cell in found.items()]
    return markdown(["normalisation", "solver", "neighbour accuracy", "seconds"], lines)


def inference() -> str:
    """Seconds for all pairs, beside those that the paper prints for a GPU."""
    names = {"ten": "TEN", "ten_large": "TEN-Large", "e2e": "E2E", "unified": "unified"}
    header = ["pieces", *names.values(), *(f"{names[name]}, paper's GPU" for name in ("ten", "ten_large", "e2e"))]
    lines = []
    for row in rows_of("inference.csv"):
        pair = row["e2e"] if row["e2e_measured"] == "1" else f"{row['e2e']}, extrapolated"
        ours = [row["ten"], row["ten_large"], pair, row["unified"]]
        lines.append([row["pieces"], *ours, *(row[f"paper_{name}"] for name in ("ten", "ten_large", "e2e"))])
    return markdown(header, lines)


def conditions() -> str:
    """Top-1 with other wears and sizes, MGC beside ours."""
    rows = rows_of("conditions_mit.csv")
    found = both_types(rows, "top1", ("piece", "erosion", "measure", "normalise"))
    columns = {("mgc", "none"): "MGC, raw", ("mgc", "sinkhorn"): "MGC, Sinkhorn"}
    columns |= {("unified", "none"): "unified, raw", ("unified", "sinkhorn"): "unified, Sinkhorn"}
    columns |= {("unified-rerank", "sinkhorn"): "with a second look, Sinkhorn"}
    cuts = dict.fromkeys((row["piece"], row["erosion"]) for row in rows)
    return markdown(
        ["piece, pixels", "worn, pixels", *columns.values()],
        ([*cut, *(found[*cut, *column] for column in columns)] for cut in cuts),
    )


def study(name: str, columns: dict[str, str], paper: bool) -> str:
    """A study's variants: what sets them apart, and Top-1 after the same minutes of the processor each."""
    lines = []
    for row in rows_of(f"{name}.csv"):
        varied = [row[column] or "nothing" for column in columns]
        raw, scaled = (
            f"{100 * float(row[f'type1{kind}']):.1f} / {100 * float(row[f'type2{kind}']):.1f}"
            for kind in ("", "_processed")
        )
        printed = [f"{100 * float(row['paper_top1']):.1f}"] if paper else []
        lines.append([*varied, row["cpu_minutes"], row["steps"], raw, scaled, *printed])
    header = [*columns.values(), "core minutes", "steps", "Top-1, raw", "Top-1, TEN eq. 3-4"]
    return markdown(header + (["as printed, after half of the paper's training"] if paper else []), lines)


def ceiling() -> str:
    """What a perfect solver can expect."""
    rows = rows_of("ceiling_mit.csv")
    clean, worn, by_mgc = (
        100 * mean(float(row[column]) for row in rows if row["worn"] == wear)
        for column, wear in (("neighbour", "0"), ("neighbour", "1"), ("neighbour_by_mgc", "0"))
    )
    return (
        f"{clean:.1f} % of the joins are right on clean edges and {worn:.1f} % on worn ones, on average. MGC sees the "
        f"two outermost pixels of a side only, and more pieces are alike to it: with it, {by_mgc:.1f} % on clean edges."
    )


def lost() -> str:
    """Neighbour accuracy with a share of the pieces gone."""
    header = ["pieces lost", "clean edges", "worn edges"]
    names = {"none": "", "10 %": "drop10_", "20 %": "drop20_", "30 %": "drop30_"}
    return markdown(
        header,
        (
            [share, *(" / ".join(mean_of_each_type(rows_of(f"segments_mit_{name}{state}.csv"))) for state in STATES)]
            for share, name in names.items()
        ),
    )


def mixed() -> str:
    """Two puzzles in one heap."""
    lines = []
    for state, label in STATES.items():
        rows = rows_of(f"segments_mit_mixed_{state}.csv")
        apart, neighbour = (both_types(rows, value, ("measure",))["mgc",] for value in ("apart", "neighbour"))
        lines.append([label, neighbour, apart])
    return markdown(["edges", "neighbour accuracy", "pieces in the right heap"], lines)


def six_pictures() -> str:
    """Harder heaps, measured on the first six pictures only."""
    lines = []
    names = {"open": "10 % of the pieces lost, size unknown", "mixed3": "three puzzles in one heap, turns unknown"}
    for name, label in names.items():
        for state, edges in STATES.items():
            rows = rows_of(f"segments_mit_{name}_{state}.csv")
            kinds = sorted({row["type"] for row in rows})
            means = [mean(float(row["neighbour"]) for row in rows if row["type"] == kind) for kind in kinds]
            lines.append([label, edges, " / ".join(f"{100 * value:.1f}" for value in means)])
    return markdown(["heap", "edges", "neighbour accuracy"], lines)


def peers() -> str:
    """One picture, from the command to its end."""
    lines = [
        [row["tool"], row["edges"], f"{100 * float(row['neighbour']):.1f}", row["seconds"], row["source"]]
        for row in rows_of("peers.csv")
    ]
    return markdown(["tool", "edges", "neighbour accuracy", "seconds", "figures"], lines)


def large() -> str:
    """Each large picture by itself."""
    lines = []
    for name, edges in (("segments_large_clean.csv", "clean"), ("segments_22755_eroded.csv", "worn")):
        for row in rows_of(name):
            accuracies = [f"{100 * float(row[value]):.1f}" for value in ("neighbour", "largest")]
            lines.append([f"{int(row['pieces']):,}", edges, f"Type-{row['type']}", *accuracies, row["seconds"]])
    return markdown(["pieces", "edges", "turns", "neighbour accuracy", "largest right part", "seconds"], lines)


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
    "headline": headline,
    "learned": learned,
    "pair network": pair_network,
    "top1 eroded": lambda: top1("top1_mit_eroded.csv", paper=True),
    "top1 clean": lambda: top1("top1_mit_clean.csv", paper=False),
    "tree": lambda: solved("tree", ("ratio", "csls", "sinkhorn"), TREE_PUBLISHED),
    "segments": lambda: solved("segments", ("sinkhorn",), GENETIC_PUBLISHED),
    "genetic": lambda: solved("genetic", ("ten",), GENETIC_PUBLISHED),
    "table 5": table5,
    "generations": generations,
    "segments learned": segments_learned,
    "solvers": same_scores,
    "inference": inference,
    "conditions": conditions,
    "study losses": lambda: study("losses", {"loss": "loss"}, paper=False),
    "study distances": lambda: study("distances", {"distance": "distance"}, paper=True),
    "study dimensions": lambda: study("dimensions", {"distance": "distance", "dimension": "dimensions"}, paper=True),
    "study ingredients": lambda: study("ingredients", {"without": "left out"}, paper=False),
    "ceiling": ceiling,
    "lost": lost,
    "mixed": mixed,
    "six pictures": six_pictures,
    "peers": peers,
    "large": large,
    "speed": speed,
    "memory": memory,
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
