"""`tenjigsaw score`: how often measures find the true neighbour."""

from dataclasses import asdict
from pathlib import Path

import typer


def score(
    pictures: list[Path] = typer.Argument(..., help="Pictures, or folders of pictures."),
    measures: str = typer.Option("ssd,pbc,l1,mgc", help="Measures, with commas between; see: tenjigsaw measures"),
    types: str = typer.Option("1,2", help="1: turns known, 2: unknown."),
    erode: int = typer.Option(1, min=0, help="Pixels worn off every edge."),
    piece: int = typer.Option(28, help="Side of a piece in pixels, 8 or more."),
    middle: int | None = typer.Option(None, min=2, help="Only so many pieces high and wide, for slow measures."),
    edges: int | None = typer.Option(
        None, min=1, help="Judge only so many edges of each picture, drawn at random, for slow measures; raw only."
    ),
    normalise: str = typer.Option("none,ten,ratio,sinkhorn", help="Any of none, ten, ratio, csls, sinkhorn, loops."),
    csv: Path | None = typer.Option(None, help="Save a row for each picture here."),
    seed: int = typer.Option(0, min=0, help="The same seed gives the same puzzles."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing CSV file."),
) -> None:
    """Cut pictures into worn puzzles and count how often the true neighbour scores best (Top-1).

    Example: tenjigsaw score photos/ --measures ssd,mgc --normalise none,sinkhorn --csv top1.csv
    """
    from tenjigsaw.cli.console import comma_list, progress_bar, show_table, tell_forecast, type_list, write_csv
    from tenjigsaw.evaluation.benchmark import (
        Conditions,
        MatchRow,
        check_drawn,
        check_pieces,
        collect_pictures,
        match_forecast,
        match_rows,
        mean_by,
    )
    from tenjigsaw.files import check_file
    from tenjigsaw.measures import create_measure
    from tenjigsaw.measures.normalise import check_normalisation

    if csv is not None:
        check_file(csv, force)
    chosen = list(dict.fromkeys(create_measure(name).name for name in comma_list(measures, "--measures")))
    normalisations = [check_normalisation(name) for name in comma_list(normalise, "--normalise")]
    if edges is not None:
        check_drawn(chosen, normalisations)
    chosen_types, found = type_list(types), collect_pictures(pictures)
    check_pieces(found, piece)
    conditions = Conditions(piece, erode, seed, middle=middle, edges=edges)
    tell_forecast(match_forecast(found[0], chosen, chosen_types, conditions), len(found))
    rows: list[MatchRow] = []
    with progress_bar("scoring") as progress:
        for done, picture in enumerate(found):
            progress(picture.name, done / len(found))
            rows += match_rows(picture, chosen, normalisations, chosen_types, conditions)
    if csv is not None:
        write_csv(csv, [asdict(row) for row in rows], force)
    show_table("Mean Top-1", mean_by(rows, ["measure", "normalise", "type"], ["top1"]))
