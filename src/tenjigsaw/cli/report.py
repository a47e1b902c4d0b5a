"""`tenjigsaw report` and `tenjigsaw figures`: from a results folder to something to look at."""

from pathlib import Path

import typer

PAGES = (".html", ".htm")


def report(
    folders: list[Path] = typer.Argument([Path("quick")], help="Folders that tenjigsaw bench made."),
    out: Path = typer.Option(Path("report.html"), help="The page to write."),
    title: str = typer.Option("", help="The heading of the page; the folders' names if not given."),
    puzzles: int = typer.Option(8, min=0, help="How many puzzles to show with their pictures."),
    force: bool = typer.Option(False, "--force", help="Overwrite an earlier page."),
) -> None:
    """Turn a results folder, or several, into one page that needs nothing but a browser.

    Example: tenjigsaw report quick --out report.html
    """
    from tenjigsaw.cli.console import tell
    from tenjigsaw.errors import InputError
    from tenjigsaw.files import check_file, new_file
    from tenjigsaw.report.page import build_page

    if out.suffix.lower() not in PAGES:
        raise InputError(f"The report is a web page, so its name must end in {' or '.join(PAGES)}, not {out.name!r}.")
    check_file(out, force)
    page = build_page(*folders, title=title, most_puzzles=puzzles)
    with new_file(out, force) as draft:
        draft.write_text(page, encoding="utf-8")
    tell(f"The page is {out} ({len(page) / 1e6:.1f} MB); open it in any browser.")


def figures(
    folders: list[Path] = typer.Argument(
        ..., help="Folders with rows.csv, inference.csv, conditions*.csv or training*.csv."
    ),
    out: Path | None = typer.Option(None, help="A folder for the figures; figures inside the other if not given."),
    force: bool = typer.Option(False, "--force", help="Overwrite earlier figures."),
) -> None:
    """Draw every figure that results folders hold the numbers for; the rows of several are put together.

    Example: tenjigsaw figures results --out figures
    """
    from tenjigsaw.bench.folder import FIGURES
    from tenjigsaw.cli.console import own_or_given, tell
    from tenjigsaw.errors import InputError
    from tenjigsaw.files import new_folder
    from tenjigsaw.report.figures import draw_figures
    from tenjigsaw.report.mosaic import draw_mosaics

    place = own_or_given(out, folders, FIGURES)
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"There is no results folder {folder}.")
    found = draw_figures(*folders)
    mosaics = draw_mosaics(folders, found.rows)
    for sentence in found.skipped:
        tell(sentence)
    if not found.drawn and not mosaics:
        raise InputError(f"{', '.join(map(str, folders))} holds nothing that could be drawn.")
    with new_folder(place, force) as draft:
        for figure in found.drawn:
            (draft / f"{figure.name}.svg").write_text(figure.svg, encoding="utf-8")
        for name, picture in mosaics.items():
            picture.save(draft / f"{name}.webp", quality=85)
    tell(f"{len(found.drawn) + len(mosaics)} figures are in {place}.")
