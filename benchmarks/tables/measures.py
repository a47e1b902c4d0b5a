"""Tables of how well edges are matched: Top-1 of the measures, the studies of training, what can be had at best."""

from statistics import mean

from tables.reading import LEARNED, MEASURES, NETWORKS, NORMALISATIONS, both_types, markdown, of_the_paper, rows_of
from tenjigsaw.evaluation.paper import TOP1


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
        both_types([row for file in files for row in rows_of(file)], "top1", ("measure", "normalise"))
        for files in (
            ("table4_mit/rows.csv", "table4_mit_e2e/rows.csv", "table4_mit_ten_large/rows.csv"),
            ("table4_kodak/rows.csv", "ten_large_kodak.csv"),
        )
    )
    header = ["measure", *(f"MIT, {name}" for name in kinds.values()), "Kodak, raw", "Kodak, Sinkhorn"]
    columns = [*((mit, kind) for kind in kinds), (kodak, "none"), (kodak, "sinkhorn")]
    ours = [[label, *(found.get((measure, kind), "") for found, kind in columns)] for measure, label in LEARNED.items()]
    printed = [
        [f"{name}, as printed in the paper", of_the_paper(TOP1[key]), *[""] * 5] for key, name in NETWORKS.items()
    ]
    return markdown(header, ours + printed)


def drawn_edges() -> str:
    """The pair network on whole pictures, by the edges that were drawn."""
    sets = {"mit": "MIT, raw", "kodak": "Kodak, raw", "val": "val, raw"}
    found = {name: both_types(rows_of(f"e2e_drawn_{name}.csv"), "top1", ("measure",)) for name in sets}
    labels = {"mgc": "MGC", "e2e": "E2E, our training"}
    lines = ([label, *(found[name][measure,] for name in sets)] for measure, label in labels.items())
    return markdown(["measure", *sets.values()], lines)


def eight_bits_pairs() -> str:
    """What the pair network loses by 8-bit products, and what exact costs of the best pairs bring back."""
    ways = {"full_precision": "full precision", "shipped": "8 bits, the best pairs exact", "eight_bits": "8 bits alone"}
    rows = rows_of("eight_bits_pairs.csv")
    return markdown(["products", "Top-1"], [[label, both_types(rows, way, ())[()]] for way, label in ways.items()])


def choices() -> str:
    """What was decided by measuring both ways."""
    found = both_types(rows_of("choices.csv"), "top1", ("choice", "way"))
    return markdown(["choice", "way", "Top-1 on val"], [[*key, figures] for key, figures in found.items()])


def conditions(pictures: str) -> str:
    """Top-1 with other wears and sizes, MGC beside ours."""
    rows = rows_of(f"conditions_{pictures}.csv")
    found = both_types(rows, "top1", ("piece", "erosion", "measure", "normalise"))
    columns = {("mgc", "none"): "MGC, raw", ("mgc", "sinkhorn"): "MGC, Sinkhorn"}
    columns |= {("unified", "none"): "unified, raw", ("unified", "sinkhorn"): "unified, Sinkhorn"}
    columns |= {("unified-rerank", "sinkhorn"): "with negative and second look, Sinkhorn"}
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
    columns = (("neighbour", "0"), ("neighbour", "1"), ("neighbour_by_mgc", "0"), ("neighbour_by_cost", "0"))
    clean, worn, by_mgc, by_cost = (
        100 * mean(float(row[column]) for row in rows if row["worn"] == wear) for column, wear in columns
    )
    return (
        f"{clean:.1f} % of the joins are right on clean edges and {worn:.1f} % on worn ones, on average. MGC sees the "
        f"two outermost pixels of a side only, and more pieces are alike to it: with it, {by_mgc:.1f} % on clean "
        f"edges. Nor does MGC like the truth best: where two pieces of a clean puzzle change places, from the truth "
        f"on, again and again, but never against MGC's sum over all joins, {by_cost:.1f} % are right in the end."
    )
