"""Tables 4 and 5 of the paper, filled in from the rows of a bench beside the printed values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from tenjigsaw.bench.rows import BenchRow
from tenjigsaw.bench.table_files import Cells, Column, Table, count, gain, is_whole, percent, plain
from tenjigsaw.evaluation import paper
from tenjigsaw.evaluation.bootstrap import bootstrap_mean

TYPES = (1, 2)
DIGITS = 6
_INTERVAL = "with a 95 % bootstrap interval over the pictures"

Names = tuple[str, ...]


@dataclass(frozen=True)
class Subject:
    """What a table is about: a value of the rows, what its lines differ in, and what the paper prints of it.

    The paper's lines differ in ``printed_by`` only: it says nothing of normalisations.
    """

    name: str
    title: str
    value: str
    keys: Names
    printed_by: Names
    printed: Mapping[Names, Mapping[int, Mapping[str, float]]]
    printed_note: str = ""


TOP1 = Subject(
    "top1",
    "Top-1 accuracy in percent (Table 4)",
    "top1",
    ("measure", "normalise"),
    ("measure",),
    {(measure,): values for measure, values in paper.TOP1.items()},
    "the paper's from raw scores",
)
NEIGHBOUR = Subject(
    "neighbour",
    "Neighbour accuracy in percent (Table 5), ± its spread over the repeats",
    "neighbour",
    ("measure", "normalise", "solver"),
    ("measure", "solver"),
    {(measure, solver): values for solver, by in paper.NEIGHBOUR.items() for measure, values in by.items()},
)


def top1_table(rows: Sequence[BenchRow], baseline: str) -> Table:
    """Table 4: the scores' own, so the same whichever solver comes after and however often."""
    once = {(*_puzzle(row), row.measure, row.normalise): row for row in reversed(rows)}
    return _table(TOP1, list(once.values())[::-1], baseline)


def neighbour_table(rows: Sequence[BenchRow], baseline: str) -> Table:
    """Table 5."""
    return _table(NEIGHBOUR, rows, baseline)


def grouped(rows: Sequence[BenchRow], keys: Sequence[str]) -> Iterator[tuple[tuple[Any, ...], list[BenchRow]]]:
    """The rows that agree in all keys, in order of first appearance."""
    groups: dict[tuple[Any, ...], list[BenchRow]] = {}
    for row in rows:
        groups.setdefault(tuple(getattr(row, key) for key in keys), []).append(row)
    yield from groups.items()


def _table(subject: Subject, rows: Sequence[BenchRow], baseline: str) -> Table:
    lines = [line for _, block in grouped(rows, ("set", "erosion")) for line in _lines(subject, block, baseline)]
    texts = ("set", "erosion", *subject.keys)
    columns = [Column("wear" if name == "erosion" else name, plain(name), is_number=False) for name in texts]
    for kind in TYPES:
        columns.append(Column(f"Type-{kind}", percent(f"type{kind}")))
        columns.append(Column(f"Type-{kind}, paper", percent(f"type{kind}_paper")))
    if subject is NEIGHBOUR:
        columns += [Column(f"Type-{kind}, perfect", count(f"type{kind}_perfect")) for kind in TYPES]
    columns += [Column(f"Type-{kind}, gain", gain(f"type{kind}_gain")) for kind in TYPES]
    told = [column for column in columns if any(column.text(line) for line in lines)]
    notes = {"paper": subject.printed_note, "gain": f"gain: points above {baseline}, {_INTERVAL}"}
    headings = " ".join(column.heading for column in told)
    told_notes = [note for word, note in notes.items() if note and word in headings]
    if any(not is_whole(line.get(f"type{kind}_perfect", 0)) for line in lines for kind in TYPES):
        told_notes.insert(0, "perfect: puzzles without a mistake, as a mean over the repeats")
    title = "; ".join([subject.title, *told_notes])
    return Table(subject.name, title, tuple(told), lines)


def _lines(subject: Subject, block: Sequence[BenchRow], baseline: str) -> list[Cells]:
    """Ours in order of appearance, then what the paper has beside."""
    where = {"set": block[0].set, "erosion": block[0].erosion}
    printed = _printed(subject, block[0])
    groups = dict(grouped(block, subject.keys))
    lines: list[Cells] = []
    for names, members in groups.items():
        about = dict(zip(subject.keys, names, strict=True))
        found = _accuracies(members, subject.value)
        beside = groups.get(tuple((about | {"measure": baseline}).values()), [])
        gains = _gains(members, beside, subject.value) if about["measure"] != baseline else {}
        lines.append(where | about | found | printed.get(_printed_name(subject, about), {}) | gains)
    ours = {_printed_name(subject, line) for line in lines}
    others = [(names, values) for names, values in printed.items() if names not in ours]
    return lines + [where | dict(zip(subject.printed_by, names, strict=True)) | values for names, values in others]


def _printed_name(subject: Subject, about: Cells) -> Names:
    return tuple(about[key] for key in subject.printed_by)


def _printed(subject: Subject, row: BenchRow) -> dict[Names, dict[str, Any]]:
    """The paper's values for puzzles like this one, as shares; none where it had no such puzzles."""
    name = paper.set_of(row.set)
    if name is None or (row.erosion, row.piece, row.drop) != (paper.WORN, paper.PIECE, 0):
        return {}
    return {
        names: {f"type{kind}_paper": round(values[kind][name] / 100, DIGITS) for kind in TYPES}
        for names, values in subject.printed.items()
    }


def _accuracies(rows: Sequence[BenchRow], value: str) -> dict[str, Any]:
    found: dict[str, Any] = {"pictures": len({row.picture for row in rows})}
    for (kind,), members in grouped(rows, ("type",)):
        by_picture = _by_picture(members, value)
        found[f"type{kind}"] = round(fmean(by_picture.values()), DIGITS)
        # Benches of other pictures may have fewer repeats; what they differ in is no spread over repeats.
        runs = [run for _, run in grouped(members, ("seed", "repeat")) if len(run) == len(by_picture)]
        if len(runs) > 1:
            by_run = [fmean(getattr(row, value) for row in run) for run in runs]
            found[f"type{kind}_spread"] = round(stdev(by_run), DIGITS)
        if value == NEIGHBOUR.value:
            found[f"type{kind}_perfect"] = round(sum(_by_picture(members, "perfect").values()), DIGITS)
    return found


def _gains(rows: Sequence[BenchRow], baseline: Sequence[BenchRow], value: str) -> dict[str, Any]:
    """How much more than the baseline on the same pictures, a picture's repeats counting as one."""
    found: dict[str, float] = {}
    for kind in TYPES:
        ours, theirs = (_by_picture([row for row in some if row.type == kind], value) for some in (rows, baseline))
        common = [picture for picture in ours if picture in theirs]
        if common:
            interval = bootstrap_mean([ours[picture] - theirs[picture] for picture in common])
            name = f"type{kind}_gain"
            bounds = {name: interval.mean, f"{name}_low": interval.low, f"{name}_high": interval.high}
            found |= {part: round(bound, DIGITS) for part, bound in bounds.items()}
    return found


def _by_picture(rows: Sequence[BenchRow], value: str) -> dict[str, float]:
    return {picture: fmean(getattr(row, value) for row in some) for (picture,), some in grouped(rows, ("picture",))}


def _puzzle(row: BenchRow) -> tuple[Any, ...]:
    return row.set, row.picture, row.type, row.erosion, row.seed
