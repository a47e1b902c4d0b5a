"""A model's card: what it is, how it was trained, how well it does, and by how much it misses the paper."""

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tenjigsaw.errors import InputError
from tenjigsaw.evaluation.benchmark import (
    Conditions,
    MatchRow,
    collect_pictures,
    match_forecast,
    match_rows,
    mean_by,
)
from tenjigsaw.evaluation.paper import TOP1
from tenjigsaw.files import new_file, read_text
from tenjigsaw.measures.models import CONFIG, Ensemble, Model
from tenjigsaw.progress import Progress, no_progress

CARD = "README.md"
VALIDATION = "val"  # the set whose score goes into the config
DIGITS = 6  # kept there: with fewer, percent to one place would now and then be rounded another way than on the card
PART = "middle"  # stands in the label of scores on parts of pictures
NORMALISATIONS, TYPES = ("none", "ten", "sinkhorn"), (1, 2)
# What a card tells of the training.
TOLD, TOLD_SETTINGS = ("settings", "minutes", "cpu_minutes", "step", "gap"), ("dimension", "loss", "optimiser")

# After 600 epochs on a GPU; Type-1 and Type-2.
PAPER_MIT = {name: (TOP1[name][1]["MIT"], TOP1[name][2]["MIT"]) for name in ("ten", "ten-large", "e2e")}


def forecast_sets(model: Model | Ensemble, sets: Mapping[str, Path]) -> tuple[float, int]:
    """The seconds that a slow model takes for a picture, and how many pictures there are in all the sets."""
    found = {name: collect_pictures([place]) for name, place in sets.items() if place.suffix != ".csv"}
    count, conditions = sum(map(len, found.values())), Conditions(model.piece, model.worn)
    # The pictures of a set are mostly of one size, and those of another set of another.
    seconds = sum(
        len(pictures) * match_forecast(pictures[0], list(_measures_of(model, name).values()), TYPES, conditions)
        for name, pictures in found.items()
    )
    return seconds / max(count, 1), count


def score_sets(
    model: Model | Ensemble, sets: Mapping[str, Path], progress: Progress = no_progress
) -> dict[str, dict[str, float]]:
    """Top-1 on each set of pictures, as "type1 none", "type2 sinkhorn", ...; shares between 0 and 1.

    A set is a folder of pictures, or the CSV file that `tenjigsaw score` made of one.
    """
    scores = {}
    for name, place in sets.items():
        for label, measure in _measures_of(model, name).items():
            rows = _rows_in(place, measure) if place.suffix == ".csv" else _measured(place, measure, model, progress)
            means = mean_by(rows, ["type", "normalise"], ["top1"])
            scores[label] = {f"type{mean['type']} {mean['normalise']}": mean["top1"] for mean in means}
    return scores


def _measured(folder: Path, measure: str, model: Model | Ensemble, progress: Progress) -> list[MatchRow]:
    conditions, pictures = Conditions(model.piece, model.worn), collect_pictures([folder])
    rows: list[MatchRow] = []
    for done, picture in enumerate(pictures):
        progress(f"{measure} on {folder.name}", done / len(pictures))
        rows += match_rows(picture, [measure], NORMALISATIONS, TYPES, conditions)
    return rows


def _rows_in(path: Path, measure: str) -> list[MatchRow]:
    """The measure's rows in a file of scores."""
    try:
        rows = [_row(line) for line in csv.DictReader(read_text(path).splitlines())]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path} does not hold what tenjigsaw score writes.") from None
    chosen = [row for row in rows if row.measure == measure]
    for row in chosen:
        if not 0 <= row.top1 <= 1:
            raise InputError(f"{path} holds a Top-1 of {row.top1:g} for {row.picture}, but shares go from 0 to 1.")
    if not {(row.type, row.normalise) for row in chosen} >= {(1, "none"), (2, "none")}:
        raise InputError(f"{path} lacks scores of {measure}: both types, raw.")
    return chosen


def _row(line: dict[str, str]) -> MatchRow:
    names = (line["picture"], line["measure"], line["normalise"])
    return MatchRow(*names, int(line["type"]), int(line["pieces"]), float(line["top1"]))


def _measures_of(model: Model | Ensemble, pictures: str) -> dict[str, str]:
    """The measures that a model is used by, and how their lines are called for a set of pictures."""
    if model.kind != "tokens":
        return {pictures: model.name}
    return {pictures: model.name, f"{pictures}, with negative and second look": f"{model.name}-rerank"}


def _label(scores: Iterable[str], pictures: str) -> str | None:
    """The line of a set of pictures, "val" or "val, ..."; one of whole pictures if there is any."""
    found = [label for label in scores if label.split(",")[0] == pictures]
    return next((label for label in found if PART not in label), found[0] if found else None)


def note_validation(model: Model | Ensemble, scores: Mapping[str, Mapping[str, float]]) -> None:
    """Write the score on the validation set, if that is among the sets, into the model's config."""
    label = _label(scores, VALIDATION)
    if label is None or isinstance(model, Ensemble):
        return
    found = scores[label]
    suffixes = {suffix: name for suffix, name in {"": "none", "_processed": "ten"}.items() if _has(found, name)}
    shares = {
        f"type{kind}{suffix}": round(found[f"type{kind} {name}"], DIGITS)
        for suffix, name in suffixes.items()
        for kind in (1, 2)
    }
    path = model.folder / CONFIG
    config = json.loads(read_text(path))
    config["about"]["val"] = {"pictures": label, **shares}
    with new_file(path, force=True) as draft:
        draft.write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


def card_text(model: Model | Ensemble, scores: Mapping[str, Mapping[str, float]]) -> str:
    """The card as Markdown."""
    lines = [
        f"# {model.name}",
        "",
        *(_members(model) if isinstance(model, Ensemble) else _training(model)),
        "",
        "Top-1 in percent, Type-1 / Type-2, pieces worn by one pixel:",
        "",
        "| pictures | raw | TEN eq. 3-4 | Sinkhorn |",
        "|---|---|---|---|",
        *(_line(name, found) for name, found in scores.items()),
        *_paper_lines(model, scores),
    ]
    return "\n".join(lines) + "\n"


def refuse_untold(model: Model | Ensemble) -> None:
    """Refuse a model whose config does not say what a card tells; an ensemble's card tells only what is known."""
    if isinstance(model, Ensemble):
        return
    about = model.about
    untold = [name for name in TOLD if name not in about]
    untold += [name for name in TOLD_SETTINGS if name not in about.get("settings", {})]
    if untold:
        raise InputError(f"{model.folder / CONFIG} does not say how the model was made: {untold[0]!r} is missing.")


def _training(model: Model) -> list[str]:
    about, settings = model.about, model.about["settings"]
    return [
        _what(model),
        "",
        f"- Trained for {about['minutes'] / 60:.2f} hours ({about['step']:,} steps, {about['cpu_minutes'] / 60:.2f} "
        f"core hours) with the {settings['loss']} loss and {settings['optimiser']}{_on_pictures(about)}.",
        *_before(about),
        *(["- The twins learned as mirror images of each other; the paper trains them apart."] * _mirrored(settings)),
        f"- Weights in half precision; torch and ONNX Runtime agree to {about['gap']:.0e} of the largest output.",
    ]


def _members(ensemble: Ensemble) -> list[str]:
    """Each member's hours; how it learned stands on its own card."""
    lines = [f"`{ensemble.name}` of the paper: the mean of the distances that its members find.", ""]
    for model in ensemble.members:
        hours, core_hours = (minutes / 60 for minutes in all_minutes(model.about))
        lines.append(f"- `{model.name}`: {hours:.2f} hours, {core_hours:.2f} core hours{_on_pictures(model.about)}")
    return [*lines, "", "The hours include the runs that a member's first weights came from."]


def all_minutes(about: Mapping[str, Any]) -> tuple[float, float]:
    """Minutes of the clock and of the processor, with those of the runs before."""
    before, cpu_before = about.get("before", (0.0, 0.0))
    return about.get("minutes", 0.0) + before, about.get("cpu_minutes", 0.0) + cpu_before


def _what(model: Model) -> str:
    dimension = model.about["settings"]["dimension"]
    if model.kind == "tokens":
        return (
            f"The unified model, {dimension} channels in each half, for pieces of any size with a worn frame of up to "
            "4 pixels; most of all for those of "
            f"{model.piece} x {model.piece} pixels worn by {model.worn}."
        )
    kind = "both pieces seen at once" if model.kind == "pair" else f"d = {dimension}, {model.distance} distance"
    return (
        f"`{model.network}` of the paper, {kind}, for pieces of "
        f"{model.piece} x {model.piece} pixels with a worn frame of {model.worn}."
    )


def _on_pictures(about: Mapping[str, Any]) -> str:
    return f", on {about['pictures']} pictures of the folder `{about['folder']}`" if about.get("pictures") else ""


def _before(about: Mapping[str, Any]) -> list[str]:
    minutes, cpu_minutes = about.get("before", (0.0, 0.0))
    if not minutes:
        return []
    taken = f"{minutes / 60:.2f} hours ({cpu_minutes / 60:.2f} core hours)"
    return [f"- It began with the weights of runs that had taken {taken}."]


def _mirrored(settings: Mapping[str, Any]) -> bool:
    return bool(settings.get("mirrored", False))


def _line(name: str, found: Mapping[str, float]) -> str:
    return f"| {name} | {' | '.join(_cell(found, kind) for kind in NORMALISATIONS)} |"


def _has(found: Mapping[str, float], normalisation: str) -> bool:
    return all(f"type{kind} {normalisation}" in found for kind in (1, 2))


def _cell(found: Mapping[str, float], kind: str) -> str:
    """Both types; empty where only raw scores were measured."""
    if not _has(found, kind):
        return ""
    return f"{100 * found[f'type1 {kind}']:.1f} / {100 * found[f'type2 {kind}']:.1f}"


def _paper_lines(model: Model | Ensemble, scores: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What the paper prints for MIT, and how far from it this model is."""
    if model.network not in PAPER_MIT:
        return []
    type1, type2 = PAPER_MIT[model.network]
    lines = [f"| MIT, as printed in the paper | {type1} / {type2} | | |"]
    label = _label(scores, "MIT")
    if label is None or PART in label:
        lines += ["", "The paper's figures are for whole puzzles, after 600 epochs of 5000 steps on a GPU."]
    else:
        gap1 = type1 - 100 * scores[label]["type1 none"]
        gap2 = type2 - 100 * scores[label]["type2 none"]
        lines += [
            "",
            f"The paper trains for 600 epochs of 5000 steps on a GPU; this model is {gap1:.1f} and {gap2:.1f} points "
            "below its figures on MIT."
            if gap1 > 0 or gap2 > 0
            else "This model passes the paper's figures on MIT.",
        ]
    return lines
