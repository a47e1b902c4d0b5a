"""One colour, mark and name for each measure, the same in every figure and on light and dark pages."""

from dataclasses import dataclass
from zlib import crc32


@dataclass(frozen=True)
class Ink:
    """How something is drawn: on light paper, on dark paper, and with which mark."""

    light: str
    dark: str
    mark: str = "circle"


_INKS = {
    "ssd": Ink("#6b7280", "#a3adba", "circle"),
    "ssd-lab": Ink("#8c564b", "#cfa79e", "circle"),
    "l1": Ink("#9a7000", "#e3b341", "triangle"),
    "pbc": Ink("#b5367a", "#f288bd", "square"),
    "mgc": Ink("#c85200", "#ff9550", "square"),
    "mgc-squared": Ink("#8f3600", "#ffb98c", "diamond"),
    "wmgc": Ink("#b3001b", "#ff7b7b", "triangle"),
    "ten": Ink("#6a3dc0", "#b79cff", "triangle"),
    "ten-large": Ink("#3b2a8c", "#918fff", "circle"),
    "e2e": Ink("#3f7a1e", "#8fd16a", "square"),
    "unified": Ink("#007a72", "#3ccfc0", "circle"),
    "unified-rerank": Ink("#0065c2", "#66b5ff", "diamond"),
}
_SPARE = [
    Ink("#5b6b00", "#c5d64a"),
    Ink("#7a4d9c", "#d2a6f0", "square"),
    Ink("#006d8f", "#5cc8e8", "triangle"),
    Ink("#9c3d3d", "#f0a0a0", "diamond"),
]
_NAMES = {
    "ssd": "SSD",
    "ssd-lab": "SSD, CIELAB",
    "l1": "L1",
    "pbc": "PBC",
    "mgc": "MGC",
    "mgc-squared": "MGC, squared",
    "wmgc": "wMGC",
    "ten": "TEN",
    "ten-large": "TEN-Large",
    "e2e": "E2E",
    "unified": "unified",
    "unified-rerank": "unified reranked",
    "none": "raw",
    "csls": "CSLS",
    "sinkhorn": "Sinkhorn",
}


def ink_of(measure: str) -> Ink:
    """The ink of a measure; one that is not known here gets one that depends on nothing but its name."""
    return _INKS.get(measure) or _SPARE[crc32(measure.encode()) % len(_SPARE)]


def name_of(word: str) -> str:
    """How a measure or normalisation is called in figures and tables."""
    return _NAMES.get(word, word)


def measures_in_order(names: set[str]) -> list[str]:
    """Known measures from the oldest to the newest, then all others by name."""
    known = list(_INKS)
    return sorted(names, key=lambda name: (known.index(name) if name in known else len(known), name))
