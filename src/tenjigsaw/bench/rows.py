"""The rows of a bench, and the two files that hold them.

What a run finds stands in `rows.csv`, how long it took in `times.csv`: the first comes out the same every time, the
second never does.
"""

import csv
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from tenjigsaw.errors import InputError
from tenjigsaw.files import new_file, read_text

ROWS, TIMES = "rows.csv", "times.csv"
CLOCKED = ("score_seconds", "seconds")


@dataclass(frozen=True)
class BenchRow:
    """One puzzle, scored by one measure and solved once; ``top1`` to ``largest`` are shares from 0 to 1.

    ``score_seconds`` are the measure's, ``seconds`` the solver's; 0 where nobody kept the times.
    """

    key: str
    set: str
    picture: str
    measure: str
    normalise: str
    solver: str
    type: int
    piece: int
    erosion: int
    drop: float
    seed: int
    repeat: int
    pieces: int
    top1: float
    neighbour: float
    direct: float
    largest: float
    perfect: int
    score_seconds: float = 0.0
    seconds: float = 0.0


COLUMNS = tuple(field.name for field in fields(BenchRow) if field.name not in CLOCKED)
_KINDS: dict[str, type[Any]] = {field.name: field.type for field in fields(BenchRow)}  # type: ignore[misc]  # not text here


def file_safe(text: str) -> str:
    """The text with nothing in it that a file name or a link would stumble over."""
    return re.sub(r"[^A-Za-z0-9.+_]+", "-", text).strip("-.") or "x"


def row_key(
    *,
    set: str,
    picture: str,
    measure: str,
    normalise: str,
    solver: str,
    type: int,
    piece: int,
    erosion: int,
    drop: float,
    seed: int,
    repeat: int,
) -> str:
    """What tells a row from all others of its run; fit for a file name."""
    names = (file_safe(name) for name in (set, picture, measure, normalise, solver))
    return "-".join((*names, f"t{type}", f"p{piece}", f"e{erosion}", f"d{drop:g}", f"s{seed}", f"r{repeat}"))


def read_rows(path: Path) -> list[BenchRow]:
    """The rows of a `rows.csv`, or of the folder that holds it, with the times that stand beside it."""
    path = path / ROWS if path.is_dir() else path
    times = {row["key"]: row for row in _read_csv(path.with_name(TIMES))} if path.with_name(TIMES).exists() else {}
    rows = []
    for line, found in enumerate(_read_csv(path), start=2):
        try:
            told = found | times.get(found["key"], {})
            values = {name: kind(told[name]) for name, kind in _KINDS.items() if name in told}
            if not all(math.isfinite(value) for value in values.values() if isinstance(value, float)):
                raise ValueError
            rows.append(BenchRow(**values))
        except (KeyError, TypeError, ValueError):
            raise InputError(f"{path} is not from a bench: line {line} does not have what a row needs.") from None
    return rows


def write_rows(folder: Path, rows: Sequence[BenchRow]) -> None:
    """Write `rows.csv` and `times.csv`, each whole or not at all."""
    found = [asdict(row) for row in rows]
    _write_csv(folder / TIMES, ("key", *CLOCKED), found)
    _write_csv(folder / ROWS, COLUMNS, found)


def _read_csv(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(read_text(path).splitlines()))


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> None:
    with new_file(path, force=True) as draft, draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
