"""`tenjigsaw models` and `tenjigsaw data`: which trained models and picture sets are there."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from tenjigsaw.measures.models import Ensemble, Model


def models(
    name: str | None = typer.Argument(None, help="Show the card of this model."),
) -> None:
    """List the trained models, or show the card of one.

    Example: tenjigsaw models ten
    """
    from tenjigsaw.cli.console import show_table, tell
    from tenjigsaw.errors import InputError
    from tenjigsaw.measures.models import find_ensembles, find_models, weight_folders
    from tenjigsaw.measures.registry import RERANKED

    if name is not None:
        name = name.removesuffix(RERANKED)  # the second look is part of its model
    found = find_models() | find_ensembles()
    if not found:
        tell(f"There are no trained models in {', '.join(str(folder) for folder in weight_folders())}.")
    elif name is None:
        show_table("Models", [_row(model) for model in found.values()])
    elif name not in found:
        raise InputError(f"There is no model called {name!r}; choose from {', '.join(found)}.")
    else:
        card = found[name].folder / "README.md"
        tell(card.read_text(encoding="utf-8") if card.exists() else f"{name} has no card: {found[name].folder}")


def _row(model: "Model | Ensemble") -> dict[str, object]:
    from tenjigsaw.evaluation.card import all_minutes
    from tenjigsaw.measures.models import Ensemble

    named: dict[str, object] = {"model": model.name, "network": model.network}
    if isinstance(model, Ensemble):
        # Members share the runs that they began with, so that their hours can't be added up.
        return named | {"hours": "", "type 1": "", "type 2": "", "on": "", "folder": str(model.folder)}
    val = model.about.get("val") or {}
    return named | {
        "hours": round(all_minutes(model.about)[0] / 60, 2),
        "type 1": val.get("type1", ""),
        "type 2": val.get("type2", ""),
        "on": val.get("pictures", ""),
        "folder": str(model.folder),
    }


def data(
    root: Path = typer.Argument(..., help="The folder that holds the picture sets, or one of them itself."),
) -> None:
    """Tell which of the paper's picture sets are found, and what is missing.

    Example: tenjigsaw data ~/pictures
    """
    from tenjigsaw.cli.console import tell
    from tenjigsaw.training.datasets import survey

    for found in survey(root):
        tell(found.sentence)


def card(
    name: str = typer.Argument(..., help="A model; see: tenjigsaw models"),
    sets: list[str] = typer.Option(
        ..., "--set", metavar="NAME=FOLDER", help="Pictures to score it on, or a CSV file of score; may be given again."
    ),
) -> None:
    """Score a model on sets of pictures and write its card, README.md, beside its weights.

    The score on the set called "val", or "val, ...", goes into the model's config as well: one of whole pictures before
    one that has "middle" in its name.

    Example: tenjigsaw card ten --set val=photos/val --set MIT=photos/mit
    """
    from tenjigsaw.cli.console import progress_bar, tell, tell_forecast
    from tenjigsaw.errors import InputError
    from tenjigsaw.evaluation.card import CARD, card_text, forecast_sets, note_validation, refuse_untold, score_sets
    from tenjigsaw.files import new_file
    from tenjigsaw.measures.models import find_ensembles, find_models

    found = find_models() | find_ensembles()
    if name not in found:
        raise InputError(f"There is no model called {name!r}; choose from {', '.join(found) or 'none'}.")
    folders = dict(part.partition("=")[::2] for part in sets)
    if not all(folders.values()) or "" in folders or len(folders) < len(sets):
        raise InputError("Each --set must be NAME=FOLDER, with a name of its own.")
    refuse_untold(found[name])
    tell(f"Scoring {name} on {', '.join(folders)}.")
    places = {label: Path(folder) for label, folder in folders.items()}
    tell_forecast(*forecast_sets(found[name], places))
    with progress_bar("scoring") as progress:
        scores = score_sets(found[name], places, progress)
    text = card_text(found[name], scores)
    with new_file(found[name].folder / CARD, force=True) as draft:
        draft.write_text(text, encoding="utf-8")
    note_validation(found[name], scores)
    tell(text)
