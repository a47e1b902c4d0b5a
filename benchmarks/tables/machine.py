"""Tables of seconds and bytes."""

from tables.reading import markdown, rows_of


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
