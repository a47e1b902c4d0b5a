"""What a bench found, in a few plain sentences and numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from statistics import mean, median

from tenjigsaw.bench.rows import BenchRow
from tenjigsaw.bench.table_files import count_text
from tenjigsaw.report.palette import name_of
from tenjigsaw.report.selection import grouped, perfect_puzzles, puzzles_in, usual_wear
from tenjigsaw.report.words import counted, turns


@dataclass(frozen=True)
class Way:
    """All results of one measure, normalisation and solver, for one set and type."""

    set: str
    type: int
    rows: Sequence[BenchRow]

    @property
    def neighbour(self) -> float:
        """Mean neighbour accuracy in percent."""
        return 100 * mean(row.neighbour for row in self.rows)

    @property
    def perfect(self) -> str:
        """How many of the puzzles came out without a mistake, in words."""
        puzzles = len(puzzles_in(self.rows))
        mean_of_repeats = " on average" if len(self.rows) > puzzles else ""
        perfect = count_text(perfect_puzzles(self.rows))
        return f"{perfect} of {counted(puzzles, 'puzzle')} without a mistake{mean_of_repeats}"

    @property
    def way(self) -> str:
        """Measure, normalisation and solver in words."""
        row = self.rows[0]
        return f"{name_of(row.measure)}, {name_of(row.normalise)}, {row.solver}"

    @property
    def seconds(self) -> float:
        """What a puzzle usually takes, scoring and solving; 0 if nobody kept the times."""
        return median(row.score_seconds + row.seconds for row in self.rows)


def ways_of(rows: Sequence[BenchRow]) -> list[Way]:
    """Every way of the usual wear of one set and type, the best first; among equals the faster one."""
    groups = grouped(usual_wear(rows), lambda row: (row.drop, row.measure, row.normalise, row.solver))
    ways = [Way(group[0].set, group[0].type, group) for group in groups.values()]
    return sorted(ways, key=lambda way: (-way.neighbour, way.seconds, way.way))


def summary(rows: Sequence[BenchRow]) -> str:
    """The sentences and the large numbers at the head of the page."""
    pictures = {(row.set, row.picture) for row in rows}
    measures, solvers = {row.measure for row in rows}, {row.solver for row in rows}
    sizes = sorted({row.pieces for row in rows})
    opening = (
        "How well can shuffled square pieces with worn edges be put together again? "
        f"{counted(len(pictures), 'picture')} {'were' if len(pictures) > 1 else 'was'} cut into "
        f"{counted(len(puzzles_in(rows)), 'puzzle')} of {_range(sizes)} pieces, and solved with "
        f"{counted(len(measures), 'measure')} and {counted(len(solvers), 'solver')}: "
        f"{counted(len(rows), 'result')} in all."
    )
    groups = [ways_of(group) for _, group in sorted(grouped(rows, lambda row: (row.set, row.type)).items())]
    tiles = "".join(_tile(ways[0]) for ways in groups)
    findings = "".join(f"<li>{escape(_finding(ways))}</li>" for ways in groups)
    return f'<p class="lead">{escape(opening)}</p><div class="tiles">{tiles}</div><ul class="findings">{findings}</ul>'


def _finding(ways: Sequence[Way]) -> str:
    """What the best way reaches, and the best of the other measures."""
    best = ways[0]
    others = [way for way in ways if way.rows[0].measure != best.rows[0].measure]
    beside = f" The best with another measure, {others[0].way}, finds {others[0].neighbour:.1f}%." if others else ""
    took = f" in {best.seconds:.1f} seconds a puzzle" if best.seconds else ""
    return (
        f"{best.set}, {turns(best.type)}, {counted(best.rows[0].erosion, 'pixel')} worn off every edge: "
        f"{best.way} finds {best.neighbour:.1f}% of the true joins{took}, and {best.perfect}.{beside}"
    )


def _tile(best: Way) -> str:
    return (
        f'<div class="tile"><span class="where">{escape(best.set)}, {turns(best.type)}</span>'
        f"<strong>{best.neighbour:.1f}<small>%</small></strong>"
        f"<span>of joins right with {escape(best.way)}</span></div>"
    )


def _range(sizes: Sequence[int]) -> str:
    return f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
