"""Studies at a small budget: the paper's, beside its printed values, and what each ingredient of ours is worth."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tenjigsaw.errors import InputError
from tenjigsaw.evaluation.paper import DIMENSIONS, DISTANCES
from tenjigsaw.networks.unified import INGREDIENTS
from tenjigsaw.training.checkpoint import LATEST, read_checkpoint
from tenjigsaw.training.loop import train
from tenjigsaw.training.run import load_trained
from tenjigsaw.training.settings import Settings, read_recipe, settings_from
from tenjigsaw.training.validate import load_blocks, validate

# A smaller network than the shipped one shows in minutes what an ingredient is worth.
UNIFIED_CHANNELS = 48
# Pieces on a side of the middle of each picture that variants are scored on: enough to rank them, in little time.
SCORED_BLOCK = 9
# What is left out where each edge chooses among the few of a block of four pieces, as many such blocks as make a whole.
WHOLE_BLOCKS, SMALLEST_BLOCK = "blocks", 2
# What is left out where the loss looks at raw scores only, and not at those after Sinkhorn.
BALANCE = "balance"
# What the variants of a study are told apart by.
STUDIED = {"network", "distance", "dimension", "loss", "without"}


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
    cpu_minutes: float
    steps: int
    type1: float
    type2: float
    type1_processed: float
    type2_processed: float
    paper_top1: float | str


STUDIES: dict[str, tuple[Variant, ...]] = {
    "distances": tuple(Variant(distance, paper=value) for distance, value in DISTANCES.items()),
    "dimensions": tuple(
        Variant(distance, dimension, paper=value)
        for distance, values in DIMENSIONS.items()
        for dimension, value in values.items()
    ),
    "losses": (Variant(loss="triplet"), Variant(loss="listwise")),
    "ingredients": tuple(
        Variant("", UNIFIED_CHANNELS, network="unified", without=ingredient)
        for ingredient in ("", *INGREDIENTS, WHOLE_BLOCKS, BALANCE)
    ),
}


def _settings(variant: Variant, changes: dict[str, Any]) -> Settings:
    """The CPU recipe with some changes; triplets are drawn as the paper draws them, from many pictures at once.

    The unified model is studied at the pieces that are scored, or the variation would drown the differences.
    """
    if variant.network != "ten":
        only = {"dimension": variant.dimension, "varied": 0.0, "averaging": 0.99}
        whole = read_recipe("unified", **{**only, **changes})
        if variant.without == WHOLE_BLOCKS:
            return replace(whole, block=SMALLEST_BLOCK, blocks=(whole.block // SMALLEST_BLOCK) ** 2)
        return replace(whole, balanced=0.0) if variant.without == BALANCE else replace(whole, without=variant.without)
    drawn = {"block": 16, "blocks": 16} if variant.loss == "triplet" else {}
    built = {"distance": variant.distance, "dimension": variant.dimension, "loss": variant.loss}
    return read_recipe("cpu", network="ten", **{**built, **drawn, **changes})


def _refuse_other_settings(folder: Path, settings: Settings) -> None:
    """A row must not show a run that learned in another way than the study says."""
    if not (folder / LATEST).exists():
        return
    if settings_from(read_checkpoint(folder / LATEST)["settings"], str(folder)) != settings:
        raise InputError(f"{folder} holds a run with other settings; choose another folder for the study.")


def run_study(
    name: str,
    pictures: Path,
    val: Path,
    out: Path,
    minutes: float,
    progress: Callable[[str], None],
    changes: dict[str, Any] | None = None,
    steps: int | None = None,
) -> Iterator[StudyRow]:
    """Train every variant for the same minutes of the processor and score it on the middle of each picture of ``val``.

    With ``steps`` each ends after so many, if its minutes last: the same blocks for all, however busy the machine is.
    ``changes`` are settings that all variants share. The runs are kept in ``out``: a study that was stopped goes on
    where it was, and variants of two studies that are the same are trained once.
    """
    if name not in STUDIES:
        raise InputError(f"There is no study called {name!r}; choose from {', '.join(STUDIES)}.")
    studied = STUDIED & (changes or {}).keys()
    if studied:
        raise InputError(f"A study sets {', '.join(sorted(studied))} itself.")
    planned = [(variant, _settings(variant, changes or {}), out / variant.folder) for variant in STUDIES[name]]
    for _, settings, folder in planned:
        _refuse_other_settings(folder, settings)
    blocks = load_blocks(val, planned[0][1].piece, planned[0][1].worn, None, SCORED_BLOCK)
    for variant, settings, folder in planned:
        most = min(steps or settings.steps, settings.steps)
        progress(f"{variant.folder}: {f'{most:,} steps' if steps else f'{minutes:g} processor minutes'}")
        train(settings, pictures, folder, progress=progress, cpu_minutes=minutes, steps=most)
        network, about = load_trained(folder)
        if about["cpu_minutes"] < minutes and about["step"] < most:
            raise KeyboardInterrupt
        if steps and about["step"] > most:
            raise InputError(f"{folder} holds a run of {about['step']:,} steps; choose another folder for the study.")
        found = validate(network, blocks)
        yield StudyRow(
            network=variant.network,
            without=variant.without,
            distance=variant.distance,
            dimension=variant.dimension,
            loss=variant.loss,
            cpu_minutes=round(about["cpu_minutes"], 2),
            steps=about["step"],
            **{key: round(value, 4) for key, value in found._asdict().items()},
            paper_top1=round(variant.paper / 100, 4) if variant.paper is not None else "",
        )
