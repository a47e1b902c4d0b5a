"""`tenjigsaw study`: the paper's studies of the network, and ours, at a small budget."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

MINUTES = 5.0
# On the screen: broken where a person would, so that the columns are narrow; d is the paper's.
TITLES = {"dimension": "d", "cpu_minutes": "cpu\nmin", "paper_top1": "paper\ntop1"}
TITLES |= {"type1_processed": "type1\neq. 3-4", "type2_processed": "type2\neq. 3-4"}


def study(
    name: str = typer.Argument(..., help="distances (Table 3), dimensions (Table 2), losses or ingredients."),
    pictures: Path = typer.Argument(..., help="A folder of pictures to learn from."),
    val: Path = typer.Argument(..., help="A folder of pictures to score on."),
    out: Path = typer.Option(..., help="A folder for the training runs; a stopped study goes on from there."),
    minutes: float | None = typer.Option(
        None, min=0.01, help="Processor minutes of training for each variant; 5 if nothing else is said."
    ),
    steps: int | None = typer.Option(None, min=1, help="Steps for each variant, instead of minutes or before."),
    set_: list[str] = typer.Option([], "--set", metavar="KEY=VALUE", help="Override a setting for all variants."),
    csv: Path | None = typer.Option(None, help="Save the table here."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing CSV file."),
) -> None:
    """Train a network in several variants for the same budget each, and compare: TEN, or the unified model.

    Example: tenjigsaw study distances photos/ other_photos/ --out runs/study --minutes 5 --csv distances.csv
    """
    from tenjigsaw.cli.console import show_table, tell, write_csv
    from tenjigsaw.cli.train import training_extra
    from tenjigsaw.files import check_file

    if csv is not None:
        check_file(csv, force)
    with training_extra():
        from tenjigsaw.training.settings import parse_changes
        from tenjigsaw.training.studies import run_study

        budget = minutes or (MINUTES if steps is None else math.inf)
        changes = parse_changes(set_)
        rows = [asdict(row) for row in run_study(name, pictures, val, out, budget, tell, changes, steps)]
    if csv is not None:
        write_csv(csv, rows, force)
    show_table(f"Study of {name}", told_apart(rows))


def told_apart(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows without what all variants share, so that the table fits on a screen; scores stay, whatever they are."""
    shown = [key for key in rows[0] if key.startswith("type") or len(rows) == 1 or len({row[key] for row in rows}) > 1]
    return [{TITLES.get(key, key): row[key] for key in shown} for row in rows]
