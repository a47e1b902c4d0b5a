"""`tenjigsaw tables`: the paper's tables, ours beside the printed values."""

from pathlib import Path

import typer


def tables(
    folder: Path = typer.Argument(..., help="A folder made by: tenjigsaw bench --out"),
    studies: Path | None = typer.Option(
        None, help="A folder with inference.csv, distances.csv and dimensions.csv, or some of them; else FOLDER."
    ),
    baseline: str = typer.Option("mgc", help="The measure that the others' gain is counted from."),
    force: bool = typer.Option(False, "--force", help="Overwrite earlier tables."),
) -> None:
    """Make the tables of the paper from a bench: Markdown, CSV and LaTeX, with the paper's values beside ours.

    Example: tenjigsaw tables results/mit --studies results --force
    """
    from tenjigsaw.bench.folder import TABLES
    from tenjigsaw.bench.tables import make_tables, write_tables
    from tenjigsaw.cli.console import tell

    made = make_tables(folder, studies, baseline)
    write_tables(folder, made, force)
    for table in made:
        tell(f"{folder / TABLES / table.name}.md: {table.title}")
