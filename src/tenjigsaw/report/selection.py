"""Which rows of a bench belong together in a figure."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from statistics import mean, stdev
from typing import TypeVar

from tenjigsaw.bench.rows import BenchRow

Key = TypeVar("Key", bound=Hashable)


def grouped(rows: Iterable[BenchRow], key: Callable[[BenchRow], Key]) -> dict[Key, list[BenchRow]]:
    """The rows of each key, in the order in which keys first appear."""
    groups: dict[Key, list[BenchRow]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def usual(rows: Sequence[BenchRow]) -> list[BenchRow]:
    """The rows of the usual normalisation and size of pieces with none lost, so that only what is compared differs."""
    normalise = usual_normalisation(rows)
    piece = _most_common([row.piece for row in rows])
    drop = min(row.drop for row in rows)
    return [row for row in rows if (row.normalise, row.piece, row.drop) == (normalise, piece, drop)]


def usual_normalisation(rows: Sequence[BenchRow]) -> str:
    """Sinkhorn, the default, or what most rows have."""
    names = [row.normalise for row in rows]
    return "sinkhorn" if "sinkhorn" in names else _most_common(names)


def usual_wear(rows: Sequence[BenchRow]) -> list[BenchRow]:
    """The rows of one erosion: the one that most puzzles have, worn rather than not."""
    counts = Counter(row.erosion for row in rows)
    erosion = max(counts, key=lambda worn: (worn > 0, counts[worn], -worn))
    return [row for row in rows if row.erosion == erosion]


def once_each(rows: Iterable[BenchRow]) -> list[BenchRow]:
    """One row for each puzzle and measure: Top-1 is the same whatever solver comes after."""
    seen = {(row.set, row.picture, row.measure, row.normalise, row.type, row.erosion, row.seed): row for row in rows}
    return list(seen.values())


def puzzles_in(rows: Iterable[BenchRow]) -> list[list[BenchRow]]:
    """The rows of each puzzle; of one way to solve it, these are its repeats."""
    told = ("set", "picture", "type", "piece", "erosion", "drop", "seed")
    return list(grouped(rows, lambda row: tuple(getattr(row, name) for name in told)).values())


def perfect_puzzles(rows: Iterable[BenchRow]) -> float:
    """How many puzzles came out without a mistake, as a mean over the repeats."""
    return sum(mean(row.perfect for row in group) for group in puzzles_in(rows))


def standard_error(values: Sequence[float]) -> float:
    """How far a mean over pictures may be off; 0 if there is only one."""
    return stdev(values) / float(len(values)) ** 0.5 if len(values) > 1 else 0.0


def _most_common(values: Sequence[Key]) -> Key:
    return Counter(values).most_common(1)[0][0]
