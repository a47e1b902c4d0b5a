"""A model's card: what it is, how it was trained, how well it does, and by how much it misses the paper."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tenjigsaw.evaluation.benchmark import Conditions, collect_pictures, match_rows, mean_by
from tenjigsaw.measures.models import Model

CARD = "README.md"
NORMALISATIONS = ("none", "ten", "sinkhorn")

# Table 4 of the paper, MIT columns: Top-1 in percent, Type-1 and Type-2, after 600 epochs on a GPU.
PAPER_MIT = {"ten": (55.2, 46.6), "ten-large": (59.1, 51.5), "e2e": (69.4, 60.9)}


def score_sets(model: Model, sets: Mapping[str, Path]) -> dict[str, dict[str, float]]:
    """Top-1 on each set of pictures, as "type1 none", "type2 sinkhorn", ...; shares between 0 and 1."""
    conditions = Conditions(model.piece, model.worn)
    scores = {}
    for name, folder in sets.items():
        rows = [
            row
            for picture in collect_pictures([folder])
            for row in match_rows(picture, [model.name], NORMALISATIONS, [1, 2], conditions)
        ]
        means = mean_by(rows, ["type", "normalise"], ["top1"])
        scores[name] = {f"type{mean['type']} {mean['normalise']}": round(mean["top1"], 4) for mean in means}
    return scores


def card_text(model: Model, scores: Mapping[str, Mapping[str, float]]) -> str:
    """The card as Markdown."""
    about, settings = model.about, model.about["settings"]
    lines = [
        f"# {model.name}",
        "",
        _what(model),
        "",
        f"- Trained for {about['minutes'] / 60:.2f} hours ({about['step']:,} steps, {about['cpu_minutes'] / 60:.2f} "
        f"core hours) with the {settings['loss']} loss and {settings['optimiser']}{_on_pictures(about)}.",
        *(["- The twins learned as mirror images of each other; the paper trains them apart."] * _mirrored(settings)),
        f"- Weights in half precision; torch and ONNX Runtime agree to {about['gap']:.0e} of the largest output.",
        "",
        "Top-1 in percent, Type-1 / Type-2, pieces worn by one pixel:",
        "",
        "| pictures | raw | TEN eq. 3-4 | Sinkhorn |",
        "|---|---|---|---|",
        *(_line(name, found) for name, found in scores.items()),
        *_paper_lines(model, scores),
    ]
    return "\n".join(lines) + "\n"


def _what(model: Model) -> str:
    dimension = model.about["settings"]["dimension"]
    if model.kind == "tokens":
        return (
            f"The unified model, {dimension} channels in each half, for pieces of any size with a worn frame of up to "
            "4 pixels; most of all for those of "
            f"{model.piece} x {model.piece} pixels worn by {model.worn}."
        )
    return (
        f"`{model.network}` of the paper, d = {dimension}, {model.distance} distance, for pieces of "
        f"{model.piece} x {model.piece} pixels with a worn frame of {model.worn}."
    )


def _on_pictures(about: Mapping[str, Any]) -> str:
    return f", on {about['pictures']} pictures of the folder `{about['folder']}`" if about.get("pictures") else ""


def _mirrored(settings: Mapping[str, Any]) -> bool:
    return bool(settings.get("mirrored", False))


def _line(name: str, found: Mapping[str, float]) -> str:
    cells = (f"{100 * found[f'type1 {kind}']:.1f} / {100 * found[f'type2 {kind}']:.1f}" for kind in NORMALISATIONS)
    return f"| {name} | {' | '.join(cells)} |"


def _paper_lines(model: Model, scores: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What the paper prints for MIT, and how far from it this model is."""
    if model.network not in PAPER_MIT:
        return []
    type1, type2 = PAPER_MIT[model.network]
    lines = [f"| MIT, as printed in the paper | {type1} / {type2} | | |"]
    if "MIT" in scores:
        gap1 = type1 - 100 * scores["MIT"]["type1 none"]
        gap2 = type2 - 100 * scores["MIT"]["type2 none"]
        lines += [
            "",
            f"The paper trains for 600 epochs of 5000 steps on a GPU; this model is {gap1:.1f} and {gap2:.1f} points "
            "below its figures on MIT."
            if gap1 > 0 or gap2 > 0
            else "This model passes the paper's figures on MIT.",
        ]
    return lines
