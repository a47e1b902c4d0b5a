"""`tenjigsaw bench`: how well solvers rebuild pictures."""

from dataclasses import asdict
from pathlib import Path

import typer

from tenjigsaw.errors import InputError


def bench(
    pictures: list[Path] = typer.Argument(..., help="Pictures, or folders of pictures."),
    measures: str = typer.Option("mgc", help="Measures, with commas between; see: tenjigsaw measures"),
    normalise: str = typer.Option("ratio,sinkhorn", help="Any of none, ten, ratio, csls, sinkhorn."),
    solvers: str = typer.Option("tree", help="Solvers, with commas between; see: tenjigsaw solvers"),
    types: str = typer.Option("1,2", help="1: turns known, 2: unknown."),
    erode: int = typer.Option(1, min=0, help="Pixels worn off every edge."),
    piece: int = typer.Option(28, help="Side of a piece in pixels."),
    drop: float = typer.Option(0.0, min=0, max=0.9, help="The share of pieces that are lost."),
    unknown_frame: bool = typer.Option(False, "--unknown-frame", help="Do not tell solvers the size of the whole."),
    mixed: int = typer.Option(1, min=1, help="Mix so many pictures into one heap, in the order given."),
    seconds: float | None = typer.Option(None, min=0, help="End a solver that works in rounds after so many seconds."),
    csv: Path | None = typer.Option(None, help="Save a row for each picture here."),
    seed: int = typer.Option(0, min=0, help="The same seed gives the same puzzles and results."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing CSV file."),
) -> None:
    """Cut pictures into worn puzzles, solve them, and compare with the truth.

    Example: tenjigsaw bench photos/ --measures mgc --normalise ratio,sinkhorn --csv solved.csv
    """
    from tenjigsaw.cli.console import comma_list, progress_bar, show_table, tell_forecast, type_list, write_csv
    from tenjigsaw.evaluation.benchmark import Conditions, SolveRow, collect_pictures, forecast, mean_by, solve_rows
    from tenjigsaw.evaluation.mixture import MixedRow, mixed_rows
    from tenjigsaw.files import check_file
    from tenjigsaw.measures import create_measure
    from tenjigsaw.measures.normalisation import check_normalisation
    from tenjigsaw.solvers import Stop, create_solver

    if csv is not None:
        check_file(csv, force)
    chosen = [create_measure(name).name for name in comma_list(measures, "--measures")]
    normalisations = [check_normalisation(name) for name in comma_list(normalise, "--normalise")]
    chosen_solvers = [create_solver(name).name for name in comma_list(solvers, "--solvers")]
    chosen_types, found = type_list(types), collect_pictures(pictures)
    conditions, stop = Conditions(piece, erode, seed, drop, unknown_frame), Stop(seconds=seconds)
    tell_forecast(forecast(found[0], chosen, chosen_types, conditions), len(found))
    if mixed > 1:
        heaps = [found[i : i + mixed] for i in range(0, len(found) - mixed + 1, mixed)]
        if not heaps:
            raise InputError(f"There are too few pictures to mix {mixed}.")
        together: list[MixedRow] = []
        with progress_bar("solving") as progress:
            for done, heap in enumerate(heaps):
                progress(heap[0].name, done / len(heaps))
                together += mixed_rows(heap, chosen, normalisations, chosen_types, conditions, stop)
        if csv is not None:
            write_csv(csv, [asdict(row) for row in together], force)
        means = mean_by(together, ["measure", "normalise", "type"], ["neighbour", "apart", "seconds"])
        show_table("Means", means)
        return
    rows: list[SolveRow] = []
    with progress_bar("solving") as progress:
        for done, picture in enumerate(found):
            progress(picture.name, done / len(found))
            rows += solve_rows(picture, chosen, normalisations, chosen_solvers, chosen_types, conditions, stop)
    if csv is not None:
        write_csv(csv, [asdict(row) for row in rows], force)
    keys = ["measure", "normalise", "solver", "type"]
    show_table("Means", mean_by(rows, keys, ["neighbour", "direct", "largest", "perfect", "seconds"]))
