"""Studies at a small budget: the paper's, beside its printed values, and what each ingredient of ours is worth."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tenjigsaw.errors import InputError
from tenjigsaw.networks.unified import INGREDIENTS
from tenjigsaw.training.loop import train
from tenjigsaw.training.run import load_trained
from tenjigsaw.training.settings import Settings, read_recipe
from tenjigsaw.training.validate import load_blocks, validate

# A smaller network than the shipped one shows in minutes what an ingredient is worth.
UNIFIED_CHANNELS = 48


@dataclass(frozen=True)
class Variant:
    """One cell of a table: what is trained, and the Top-1 the paper prints for it (in percent, None if it has none)."""

    distance: str = "l2"
    dimension: int = 40
    loss: str = "listwise"
    paper: float | None = None
    network: str = "ten"
    without: str = ""

    @property
    def folder(self) -> str:
        """Where its run is kept."""
        if self.network != "ten":
            return f"{self.network}-without-{self.without or 'nothing'}"
        return f"{self.loss}-{self.distance}-{self.dimension}"


@dataclass(frozen=True)
class StudyRow:
    """Top-1 of a variant after its budget, raw and after eq. 3-4, as shares; ``paper_top1`` in the same unit."""

    network: str
    without: str
    distance: str
    dimension: int
    loss: str
    minutes: float
    steps: int
    type1: float
    type2: float
    type1_processed: float
    type2_processed: float
    paper_top1: float | str


def _dimensions() -> Iterator[Variant]:
    printed = {"cosine": (31.1, 37.9, 40.7, 40.5), "l2": (46.3, 51.4, 54.4, 54.7)}
    for distance, values in printed.items():
        for dimension, value in zip((10, 20, 40, 80), values, strict=True):
            yield Variant(distance, dimension, paper=value)


STUDIES: dict[str, tuple[Variant, ...]] = {
    "distances": (
        Variant("cosine", paper=40.7),
        Variant("l1", paper=51.8),
        Variant("l2", paper=54.4),
        Variant("l3", paper=54.0),
    ),
    "dimensions": tuple(_dimensions()),
    "losses": (Variant(loss="triplet"), Variant(loss="listwise")),
    "ingredients": tuple(
        Variant("", UNIFIED_CHANNELS, network="unified", without=ingredient) for ingredient in ("", *INGREDIENTS)
    ),
}


def _settings(variant: Variant) -> Settings:
    """The CPU recipe; triplets are drawn as the paper draws them, from many pictures at once.

    The unified model is studied at the pieces that are scored, or the variation would drown the differences.
    """
    if variant.network != "ten":
        only = {"dimension": variant.dimension, "without": variant.without, "varied": 0.0, "averaging": 0.99}
        return read_recipe("unified", **only)
    drawn = {"block": 16, "blocks": 16} if variant.loss == "triplet" else {}
    built = {"distance": variant.distance, "dimension": variant.dimension, "loss": variant.loss}
    return read_recipe("cpu", network="ten", **built, **drawn)


def run_study(
    name: str, pictures: Path, val: Path, out: Path, minutes: float, progress: Callable[[str], None]
) -> Iterator[StudyRow]:
    """Train every variant for the same minutes and score it on whole pictures of ``val``.

    The runs are kept in ``out``: a study that was stopped goes on where it was, and variants of two studies that are
    the same are trained once.
    """
    if name not in STUDIES:
        raise InputError(f"There is no study called {name!r}; choose from {', '.join(STUDIES)}.")
    for variant in STUDIES[name]:
        progress(f"{variant.folder}: {minutes:g} minutes")
        settings = _settings(variant)
        folder = out / variant.folder
        outcome = train(settings, pictures, folder, minutes=minutes, progress=progress)
        if outcome.minutes < minutes:
            raise KeyboardInterrupt
        network, about = load_trained(folder)
        found = validate(network, load_blocks(val, settings.piece, settings.worn, None, None))
        yield StudyRow(
            network=variant.network,
            without=variant.without,
            distance=variant.distance,
            dimension=variant.dimension,
            loss=variant.loss,
            minutes=round(about["minutes"], 2),
            steps=about["step"],
            **{key: round(value, 4) for key, value in found._asdict().items()},
            paper_top1=round(variant.paper / 100, 4) if variant.paper is not None else "",
        )
