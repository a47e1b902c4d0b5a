"""Tables of seconds and bytes."""

from tables.reading import markdown, rows_of


def inference() -> str:
    """Seconds for all pairs, beside those that the paper prints for a GPU."""
    names = {"ten": "TEN", "ten_large": "TEN-Large", "e2e": "E2E", "unified": "unified"}
    printed = (f"{names[name]}, paper's GPU" for name in ("ten", "ten_large", "e2e"))
    header = ["pieces", *names.values(), "all pairs in full", "negative", "second look", "its share", *printed]
    lines = []
    for row in rows_of("inference.csv"):
        pair = row["e2e"] if row["e2e_measured"] == "1" else f"{row['e2e']}, extrapolated"
        negative, second = row["unified_negative"], row["unified_second_look"]
        share = float(second) / (float(row["unified"]) + float(negative) + float(second))
        ours = [
            row["ten"],
            row["ten_large"],
            pair,
            row["unified"],
            row["unified_dense"],
            negative,
            second,
            f"{100 * share:.0f} %",
        ]
        lines.append([row["pieces"], *ours, *(row[f"paper_{name}"] for name in ("ten", "ten_large", "e2e"))])
    return markdown(header, lines)


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


def split() -> str:
    """What the seconds go to, and the share of the machine's own rate of products that TEN reaches."""
    header = ["pieces", "TEN, network", "its rate", "TEN, distances", "their rate", "torch for ONNX Runtime's second"]
    header += ["unified, network", "products", "Sinkhorn"]
    return markdown(
        header,
        (
            [
                row["pieces"],
                row["ten_network"],
                _percent(row["ten_network_rate"]),
                row["ten_distances"],
                _percent(row["ten_distances_rate"]),
                row["torch_ratio"],
                *(row[f"unified_{step}"] for step in ("network", "products", "sinkhorn")),
            ]
            for row in rows_of("inference.csv")
        ),
    )


def _percent(share: str) -> str:
    return f"{100 * float(share):.0f} %"


def runtime() -> str:
    """ONNX Runtime beside numpy."""
    lines = [[row["pieces"], row["onnx_runtime"], row["numpy_products_alone"]] for row in rows_of("runtime.csv")]
    return markdown(["pieces", "ONNX Runtime, the whole network", "numpy, its large products alone"], lines)


def end_to_end() -> str:
    row = rows_of("end_to_end.csv")[0]
    neighbour, largest = (f"{100 * float(row[value]):.1f}" for value in ("neighbour", "largest"))
    return (
        f"From the picture's file to the saved layout, the {int(row['pieces']):,} pieces (Type-{row['type']}, worn by "
        f"{row['worn']} px, {row['measure']}) take {float(row['seconds']):.0f} s, of which the solver was given "
        f"{float(row['solver_seconds']):.0f}, and {row['peak_gib']} GiB at the peak: {neighbour} % of the joins are "
        f"right, and {largest} % of the pieces in one right part."
    )


def end_to_end_clean() -> str:
    """Whole runs on clean pictures of thousands of pieces."""
    lines = [
        [f"{int(row['pieces']):,}", f"{100 * float(row['neighbour']):.1f}", row["seconds"], row["peak_gib"]]
        for row in rows_of("end_to_end_clean.csv")
    ]
    return markdown(["pieces", "neighbour accuracy", "seconds from file to layout", "GiB at the peak"], lines)
