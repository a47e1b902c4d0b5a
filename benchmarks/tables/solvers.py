"""Tables of how well puzzles are solved."""

from collections.abc import Mapping
from statistics import mean
from typing import Any

from tables.reading import (
    LEARNED,
    MEASURES,
    NETWORKS,
    NORMALISATIONS,
    ROOT,
    STATES,
    both_types,
    markdown,
    mean_of_each_type,
    of_the_paper,
    rows_of,
)
from tenjigsaw.bench.accuracy_tables import neighbour_table
from tenjigsaw.bench.rows import read_rows
from tenjigsaw.evaluation.paper import NEIGHBOUR

GENETIC = {"mgc": "MGC", "ten-large": "TEN-Large", "e2e": "E2E"}
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
    ours = _by_solver("table5_mit", "table5_mit_ten_large", "table5_mit_e2e")
    lines = []
    for measure, found in ours.items():
        printed = {solver: of_the_paper(NEIGHBOUR[solver][measure]) for solver in found}
        lines.append([_named(measure), *(cell for solver in found for cell in (found[solver], printed[solver]))])
    return markdown(["measure", "tree", "tree, paper", "genetic", "genetic, paper"], lines)


def table5_kodak() -> str:
    """The same on the other test set, of which the paper has nothing."""
    found = _by_solver("table5_kodak")
    return markdown(
        ["measure", "tree", "genetic"],
        ([_named(measure), by_solver["tree"], by_solver["genetic"]] for measure, by_solver in found.items()),
    )


def _by_solver(*names: str) -> dict[str, dict[str, str]]:
    """Neighbour accuracy of each measure and solver in some benches, both types."""
    rows = [row for name in names for row in read_rows(ROOT / "results" / name)]
    found: dict[str, dict[str, str]] = {}
    for line in neighbour_table(rows, "mgc").rows:
        if "normalise" in line:
            by_type = (mean_and_spread(line, f"type{kind}") for kind in (1, 2))
            found.setdefault(line["measure"], {})[line["solver"]] = " / ".join(by_type)
    return found


def _named(measure: str) -> str:
    return MEASURES.get(measure, LEARNED.get(measure, measure))


def mean_and_spread(line: Mapping[str, Any], name: str) -> str:
    spread = line.get(f"{name}_spread")
    return f"{100 * line[name]:.1f}" + ("" if spread is None else f" ± {100 * spread:.1f}")


def generations() -> str:
    """The genetic solver, ended early and not."""
    lines = []
    for number in ("10", "100"):
        rows = rows_of(f"genetic_val_{number}.csv")
        lines.append([number, " / ".join(mean_of_each_type(rows)), seconds_of_each_type(rows)])
    return markdown(["generations, at most", "neighbour accuracy", "seconds"], lines)


def printed_genetic(measure: str) -> list[str]:
    return [str(NEIGHBOUR["genetic"][measure][kind]["MIT"]) for kind in (1, 2)]


def headline() -> str:
    """The README's one table: ours beside the paper's and beside gaps."""
    clean, worn, learned_worn = (rows_of(f"segments_mit_{name}.csv") for name in ("clean", "eroded", "learned"))
    lines = [
        ["tenjigsaw as it comes", *mean_of_each_type(learned_worn), third_picture(learned_worn), as_it_comes("clean")],
        ["tenjigsaw with MGC: nothing learned", *mean_of_each_type(worn), third_picture(worn), third_picture(clean)],
        *([f"the paper: {name}, genetic solver", *printed_genetic(key), "", ""] for key, name in GENETIC.items()),
        ["gaps", "", "can't", GAPS["eroded"], GAPS["clean"]],
    ]
    return markdown(
        ["in percent", "worn, turns known", "worn, turns unknown", "picture 3, worn", "picture 3, clean edges"], lines
    )


def third_picture(rows: list[dict[str, str]]) -> str:
    (row,) = (row for row in rows if (row["picture"], row["type"]) == ("03.png", "1"))
    return f"{100 * float(row['neighbour']):.1f}"


def as_it_comes(edges: str) -> str:
    """The third picture from the command to its end, with the measure that is the default."""
    (row,) = (row for row in rows_of("peers.csv") if (row["edges"], row["tool"]) == (edges, "tenjigsaw, second run"))
    return f"{100 * float(row['neighbour']):.1f}"


def segments_learned() -> str:
    """The best measure with the best solver."""
    lines = []
    for name, edges in (("segments_mit_learned.csv", "worn"), ("segments_mit_learned_clean.csv", "clean")):
        rows = rows_of(name)
        perfect = " / ".join(str(sum(int(row["perfect"]) for row in rows if row["type"] == kind)) for kind in "12")
        lines.append([edges, "unified-rerank, Sinkhorn, segments", " / ".join(mean_of_each_type(rows)), perfect])
    for key in ("e2e", "ten-large"):
        printed = of_the_paper(NEIGHBOUR["genetic"][key])
        lines.insert(-1, ["worn", f"{NETWORKS[key]} with a genetic solver, as printed in the paper", printed, ""])
    return markdown(["edges", "measure and solver", "neighbour accuracy", "perfect"], lines)


def segments_kodak() -> str:
    """The default solver on the other test set."""
    found = both_types(rows_of("segments_kodak_eroded.csv"), "neighbour", ("measure",))
    return markdown(["worn edges", "neighbour accuracy"], [[LEARNED[name], cell] for (name,), cell in found.items()])


def longer() -> str:
    """What a longer search finds, mean over the pictures."""
    by_time: dict[str, list[float]] = {}
    for row in rows_of("longer_mit.csv"):
        by_time.setdefault(row["seconds"], []).append(float(row["neighbour"]))
    everywhere = max(map(len, by_time.values()))
    whole = {seconds: found for seconds, found in by_time.items() if len(found) == everywhere}
    return markdown(
        ["seconds", *whole], [["neighbour accuracy", *(f"{100 * mean(found):.1f}" for found in whole.values())]]
    )


def same_scores() -> str:
    """All solvers on the very same scores, and the seconds that they take."""
    rows = rows_of("solvers_mit_eroded.csv")
    found = both_types(rows, "neighbour", ("normalise", "solver"))
    lines = []
    for (kind, solver), cell in found.items():
        chosen = [row for row in rows if (row["normalise"], row["solver"]) == (kind, solver)]
        lines.append([NORMALISATIONS[kind], solver, cell, seconds_of_each_type(chosen)])
    return markdown(["normalisation", "solver", "neighbour accuracy", "seconds"], lines)


def seconds_clean() -> str:
    """What a clean puzzle takes each solver, after the normalisation that suits it."""
    lines = []
    for solver, kind in (("tree", "sinkhorn"), ("genetic", "ten"), ("segments", "sinkhorn")):
        rows = [row for row in rows_of(f"{solver}_mit_clean.csv") if row["normalise"] == kind]
        accuracy = " / ".join(mean_of_each_type(rows))
        lines.append([solver, NORMALISATIONS[kind], accuracy, seconds_of_each_type(rows, digits=2)])
    return markdown(["solver", "normalisation", "neighbour accuracy", "seconds"], lines)


def seconds_of_each_type(rows: list[dict[str, str]], digits: int = 1) -> str:
    means = (mean(float(row["seconds"]) for row in rows if row["type"] == kind) for kind in ("1", "2"))
    return " / ".join(f"{value:.{digits}f}" for value in means)


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
