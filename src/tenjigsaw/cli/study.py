"""`tenjigsaw study`: the paper's studies of the network, and ours, at a small budget."""

from dataclasses import asdict
from pathlib import Path

import typer


def study(
    name: str = typer.Argument(..., help="distances (Table 3), dimensions (Table 2), losses or ingredients."),
    pictures: Path = typer.Argument(..., help="A folder of pictures to learn from."),
    val: Path = typer.Argument(..., help="A folder of pictures to score on."),
    out: Path = typer.Option(..., help="A folder for the training runs; a stopped study goes on from there."),
    minutes: float = typer.Option(5.0, min=0.01, help="Processor minutes of training for each variant."),
    set_: list[str] = typer.Option([], "--set", metavar="KEY=VALUE", help="Override a setting for all variants."),
    csv: Path | None = typer.Option(None, help="Save the table here."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing CSV file."),
) -> None:
    """Train a network in several variants for the same minutes each, and compare: TEN, or the unified model.

    Example: tenjigsaw study distances photos/ other_photos/ --out runs/study --minutes 5 --csv distances.csv
    """
    from tenjigsaw.cli.console import show_table, tell, write_csv
    from tenjigsaw.cli.train import training_extra
    from tenjigsaw.files import refuse_existing

    if csv is not None:
        refuse_existing(csv, force)
    with training_extra():
        from tenjigsaw.training.settings import parse_changes
        from tenjigsaw.training.studies import run_study

        rows = [asdict(row) for row in run_study(name, pictures, val, out, minutes, tell, parse_changes(set_))]
    if csv is not None:
        write_csv(csv, rows, force)
    show_table(f"Study of {name}", rows)
