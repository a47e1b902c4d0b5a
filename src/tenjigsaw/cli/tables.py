"""`tenjigsaw tables`: the paper's tables, ours beside the printed values."""

from pathlib import Path

import typer


def tables(
    folders: list[Path] = typer.Argument(..., help="Folders made by: tenjigsaw bench --out"),
    studies: Path | None = typer.Option(
        None, help="A folder with inference.csv, distances.csv and dimensions.csv, or some of them; else FOLDERS."
    ),
    baseline: str | None = typer.Option(
        None, help="The measure that the others' gain is counted from; mgc if not given."
    ),
    out: Path | None = typer.Option(None, help="A folder for the tables; tables inside the bench's own if not given."),
    force: bool = typer.Option(False, "--force", help="Overwrite earlier tables."),
) -> None:
    """Make the tables of the paper from a bench: Markdown, CSV and LaTeX, with the paper's values beside ours.

    The rows of several benches are put together, so that their measures stand in one table.

    Example: tenjigsaw tables results/mit --studies results --force
    """
    from tenjigsaw.bench.folder import TABLES
    from tenjigsaw.bench.tables import make_tables, write_tables
    from tenjigsaw.cli.console import own_or_given, tell

    place = own_or_given(out, folders, TABLES)
    made = make_tables(folders, studies, baseline)
    write_tables(place, made, force)
    for table in made:
        tell(f"{place / table.name}.md: {table.title}")
