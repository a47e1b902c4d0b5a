"""What a bench has to do: pictures x wear x types x measures, a task each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from tenjigsaw.bench.rows import file_safe
from tenjigsaw.evaluation.benchmark import Conditions, collect_pictures
from tenjigsaw.measures.fingerprint import fingerprint
from tenjigsaw.measures.registry import announced_measure
from tenjigsaw.pictures import built_in_pictures
from tenjigsaw.plugins import source_hash
from tenjigsaw.solvers import Stop
from tenjigsaw.solvers.registry import announced_solver

BUILT_IN = "built-in"


@dataclass(frozen=True)
class Source:
    """A picture: the set it is from, its name there, where it lies, and whether its puzzles are drawn."""

    set: str
    picture: str
    path: Path
    drawn: bool = False


@dataclass(frozen=True)
class Work:
    """What is done with the scores of each puzzle."""

    normalisations: tuple[str, ...]
    solvers: tuple[str, ...]
    repeats: int
    stop: Stop


@dataclass(frozen=True)
class Task:
    """One puzzle and one measure: what is lost at most when a bench is killed."""

    source: Source
    measure: str
    type: int
    conditions: Conditions
    work: Work

    @property
    def name(self) -> str:
        """Unlike that of any other task of the same plan."""
        parts = (self.source.set, self.source.picture, self.measure)
        return f"{'-'.join(map(file_safe, parts))}-t{self.type}-e{self.conditions.erosion}"


@dataclass(frozen=True)
class Plan:
    """A whole bench; the conditions' own wear counts for nothing beside ``erosions``."""

    sources: tuple[Source, ...]
    measures: tuple[str, ...]
    types: tuple[int, ...]
    erosions: tuple[int, ...]
    conditions: Conditions
    work: Work

    def tasks(self) -> list[Task]:
        """All tasks, in the order of the rows."""
        return [
            Task(source, measure, kind, replace(self.conditions, erosion=erosion), self.work)
            for source in self.sources
            for erosion in self.erosions
            for kind in self.types
            for measure in self.measures
        ]

    def settings(self) -> dict[str, Any]:
        """All that the rows depend on, fit for JSON; two plans are the same if these are."""
        return {
            "pictures": [f"{source.set}/{source.path.name}" for source in self.sources],
            "bytes": sum(source.path.stat().st_size for source in self.sources),
            "drawn": sum(source.drawn for source in self.sources),
            "measures": list(self.measures),
            "fingerprints": [fingerprint(measure) for measure in self.measures],
            "plugins": self._plugins() or None,
            "normalise": list(self.work.normalisations),
            "solvers": list(self.work.solvers),
            "types": list(self.types),
            "erode": list(self.erosions),
            "piece": self.conditions.piece,
            "drop": self.conditions.drop,
            "unknown_frame": self.conditions.open_frame,
            "repeat": self.work.repeats,
            "seconds": self.work.stop.seconds,
            "generations": self.work.stop.generations,
            "patience": self.work.stop.patience,
            "seed": self.conditions.seed,
        }

    def _plugins(self) -> dict[str, str]:
        """The hash of the source of each measure and solver of another package, whose edits nothing else tells."""
        announced = {f"measure {name}": announced_measure(name) for name in self.measures}
        announced |= {f"solver {name}": announced_solver(name) for name in self.work.solvers}
        return {name: source_hash(point) for name, point in announced.items() if point is not None}


def find_sources(paths: Sequence[Path], drawn: int) -> tuple[Source, ...]:
    """The pictures of files and folders; those of the same folder are a set, the first ``drawn`` of it are drawn."""
    found = [path.parent.resolve() / path.name for path in collect_pictures(paths)]
    return _named([(path.parent.name or "pictures", path) for path in found], drawn)


def built_in_sources(drawn: int) -> tuple[Source, ...]:
    """The pictures that come with the package."""
    return _named([(BUILT_IN, path) for path in built_in_pictures()], drawn)


def _named(found: Sequence[tuple[str, Path]], drawn: int) -> tuple[Source, ...]:
    """Pictures go by their file's name without its ending; where that is taken, by the whole, and then by a number."""
    sources: list[Source] = []
    taken: set[str] = set()
    members = Counter[str]()
    for folder, path in found:
        names = chain((path.stem, path.name), (f"{path.name}-{number}" for number in count(2)))
        name = next(name for name in names if _label(folder, name) not in taken)
        taken.add(_label(folder, name))
        members[folder] += 1
        sources.append(Source(folder, name, path, members[folder] <= drawn))
    return tuple(sources)


def _label(folder: str, name: str) -> str:
    """What the names of files begin with; some systems do not tell capitals."""
    return f"{file_safe(folder)}-{file_safe(name)}".lower()


def quick_plan(drawn: int) -> Plan:
    """A small bench that is always the same, on pictures that everybody has."""
    return Plan(
        sources=built_in_sources(drawn),
        measures=("ssd", "mgc", "unified-rerank"),
        types=(1, 2),
        erosions=(0, 1),
        conditions=Conditions(),
        work=Work(normalisations=("none", "sinkhorn"), solvers=("tree", "segments"), repeats=1, stop=Stop()),
    )
