"""`tenjigsaw solve`: from a puzzle to a layout with pictures and numbers."""

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tenjigsaw.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tenjigsaw.progress import Progress
    from tenjigsaw.puzzle import Puzzle
    from tenjigsaw.puzzle.pictures import Picture
    from tenjigsaw.reassembly import Result
    from tenjigsaw.solvers import Stop

# The bar shows the cost that the solver lowers, which is another sum; this one can be compared between solvers.
_NAMES_SHOWN = {"cost": "sum of join costs"}

# Photos gain little from more: with the usual 6, files are a sixth smaller and take more than twice the time.
_PNG_EFFORT = 1

OUTPUTS = ("reconstruction.png", "layout.json", "confidence.png", "result.json", "joins.png")


def solve(
    puzzle: Path = typer.Argument(..., help="A folder of piece pictures, an .npz file, or one shuffled picture."),
    out: Path = typer.Option(..., help="A folder for the results."),
    measure: str = typer.Option("default", help="How edges are compared; see: tenjigsaw measures"),
    normalise: str = typer.Option("sinkhorn", help="none, ten, ratio, csls, sinkhorn or loops."),
    solver: str = typer.Option("default", help="How pieces are placed; see: tenjigsaw solvers"),
    type: int | None = typer.Option(
        None, min=1, max=2, help="1: turns known, 2: unknown. Default: as the puzzle says, else 1."
    ),
    rows: int | None = typer.Option(None, min=1, help="Rows of the whole, if known; of each, with --puzzles."),
    cols: int | None = typer.Option(None, min=1, help="Columns of the whole, if known; likewise."),
    unknown_frame: bool = typer.Option(False, "--unknown-frame", help="Do not use the size the puzzle states."),
    missing: bool = typer.Option(False, "--missing", help="The size is unknown and pieces may be missing."),
    piece: int | None = typer.Option(None, min=8, help="Side of a piece, for one shuffled picture."),
    erode: int | None = typer.Option(None, min=0, help="Worn pixels. Default: as the puzzle says, else 0."),
    seconds: float | None = typer.Option(
        None, help="End a solver that works in rounds after so many seconds, more than 0."
    ),
    generations: int | None = typer.Option(None, min=1, help="End such a solver after so many rounds, or before."),
    patience: int | None = typer.Option(None, min=1, help="End it after so many rounds in a row without improvement."),
    start: list[Path] = typer.Option([], help="A layout.json to begin from; with --puzzles, one for each."),
    pins: Path | None = typer.Option(None, help="A pins.json with joins and cells that are settled."),
    puzzles: int = typer.Option(1, min=1, help="How many puzzles the pieces are of; each gets a folder 1, 2, ..."),
    worn: str = typer.Option("as-is", help="Show worn edges as-is, in grey (colour), or closed up (closed)."),
    seed: int = typer.Option(0, min=0, help="The same seed gives the same result."),
    force: bool = typer.Option(False, "--force", help="Overwrite earlier results."),
) -> None:
    """Put a puzzle together. Ctrl-C ends the search and keeps the best layout so far; pressed again, it aborts.

    Example: tenjigsaw solve my_puzzle --out solved --type 2
    """
    from tenjigsaw.cli.console import progress_bar
    from tenjigsaw.cli.hints import (
        tell_of_contradictions,
        tell_of_left_out_pictures,
        tell_of_unused_start,
        tell_what_is_taken_for_granted,
        tell_where_the_size_is_from,
    )
    from tenjigsaw.files import check_folder, read_document
    from tenjigsaw.layout import Layout
    from tenjigsaw.puzzle.read import read_puzzle, stated
    from tenjigsaw.reassembly import reassemble, reassemble_mixed
    from tenjigsaw.rendering import check_worn
    from tenjigsaw.solvers import Frame, Pins, Stop
    from tenjigsaw.solvers.mixed import check_heap_size
    from tenjigsaw.solvers.start import check_start

    folders = [out] if puzzles == 1 else [out / str(number) for number in range(1, puzzles + 1)]
    for folder in folders:
        if folder.resolve() == puzzle.resolve():
            raise InputError(f"The results can't go into the puzzle's own folder {puzzle}; give another --out.")
        check_folder(folder, OUTPUTS, force)
    if unknown_frame and (rows or cols):
        raise InputError("--unknown-frame says that the size is not known: leave it out, or --rows and --cols.")
    check_worn(worn)
    stop = Stop(seconds=seconds, generations=generations, patience=patience)
    settled = read_document(pins, Pins.from_json) if pins else None
    with progress_bar("reading") as bar:
        pieces = read_puzzle(puzzle, piece, bar)
    starts = [read_document(path, partial(Layout.from_json, names=pieces.names)) for path in start]
    pieces = with_told(pieces, type, erode)
    frame = Frame(rows, cols, missing) if rows or cols or missing or unknown_frame else None
    settings: dict[str, Any] = {"measure": measure, "normalise": normalise, "solver": solver}
    settings |= {"frame": frame, "seed": seed}
    # What can't be is refused before anything is told.
    if puzzles > 1:
        check_heap_size(puzzles, frame or Frame(missing=True), pieces.count)
    elif frame:
        frame.shapes(pieces.count, pieces.turned)
    tell_of_left_out_pictures(puzzle)
    said = stated(puzzle)
    tell_of_contradictions(said, type, erode, rows, cols)
    tell_what_is_taken_for_granted(said, type, erode)
    if puzzles > 1:
        parted = partial(reassemble_mixed, pieces, puzzles, starts=starts, pins=settled, **settings)
        # What truth a heap knows is not that of one puzzle in it.
        _solve_into(folders, replace(pieces, truth=None), parted, stop, worn, force)
        return
    if len(starts) > 1:
        raise InputError(f"One puzzle can start from one layout, not from {len(starts)}.")
    for given in starts:
        check_start(given, pieces.count, pieces.turned)
        tell_of_unused_start(given, pieces, frame)

    def search(**watched: Any) -> "list[Result]":
        return [reassemble(pieces, start=starts[0] if starts else None, pins=settled, **settings, **watched)]

    [result] = _solve_into(folders, pieces, search, stop, worn, force)
    tell_where_the_size_is_from(result, puzzle, pieces, frame)


def with_told(puzzle: "Puzzle", type: int | None, erode: int | None) -> "Puzzle":
    """The puzzle with what the command line says of turns and wear."""
    puzzle = puzzle if type is None else replace(puzzle, turned=type == 2)
    return puzzle if erode is None else replace(puzzle, erosion=erode)


def _solve_into(
    folders: "list[Path]",
    pieces: "Puzzle",
    search: "Callable[..., list[Result]]",
    stop: "Stop",
    worn: str,
    force: bool,
) -> "list[Result]":
    """Search and write with a bar; Ctrl-C ends the search, and what is found until then is kept."""
    from tenjigsaw.cli.console import progress_bar, tell
    from tenjigsaw.cli.interruption import search_ended_by_ctrl_c

    with progress_bar("starting") as bar:
        with search_ended_by_ctrl_c(lambda: bar.has_shown) as interruption:
            results = search(progress=bar, stop=replace(stop, asked=interruption.asked))
            interruption.asked()
        for result, folder in zip(results, folders, strict=True):
            write_result(result, pieces, folder, worn, force, bar)
    if interruption.pressed:
        tell("Ctrl-C has ended the search; the best layout until then is kept.")
    for result, folder in zip(results, folders, strict=True):
        report(result, folder)
    return results


def facts(result: "Result") -> dict[str, Any]:
    """The numbers of `result.json`."""
    names = ("measure", "normalise", "solver", "type", "seed", "pieces", "seconds", "cost")
    numbers = {name: getattr(result, name) for name in names}
    numbers["seconds"], numbers["cost"] = round(result.seconds, 3), round(result.cost, 4)
    return numbers | (asdict(result.accuracy) if result.accuracy else {})


def write_result(
    result: "Result",
    puzzle: "Puzzle",
    out: Path,
    worn: str,
    force: bool,
    progress: "Progress",
    more_pictures: "Mapping[str, Callable[[], Picture]] | None" = None,
) -> None:
    """All files of a solved puzzle, together or not at all."""
    import json

    from PIL import Image

    from tenjigsaw.evaluation import right_joins
    from tenjigsaw.files import new_folder
    from tenjigsaw.rendering import confidence_picture, joins_picture, render

    layout = result.layout
    # Drawn one after the other: all at once would take a lot of memory for large photos.
    pictures: dict[str, Callable[[], Picture]] = {
        "reconstruction.png": partial(render, layout, puzzle, worn),  # type: ignore[arg-type]  # checked there
        "confidence.png": partial(confidence_picture, layout, puzzle, result.confidence),
    }
    if puzzle.truth is not None:
        pictures["joins.png"] = partial(joins_picture, layout, puzzle, right_joins(layout, puzzle.truth))
    pictures |= more_pictures or {}
    with new_folder(out, force) as draft:
        for done, (name, draw) in enumerate(pictures.items()):
            progress("writing", done / len(pictures))
            Image.fromarray(draw()).save(draft / name, compress_level=_PNG_EFFORT)
        (draft / "layout.json").write_text(layout.to_json(puzzle.names, result.confidence), encoding="utf-8")
        (draft / "result.json").write_text(json.dumps(facts(result), indent=1) + "\n", encoding="utf-8")
    if puzzle.truth is None:
        # An earlier puzzle's picture would stand beside this one's.
        (out / "joins.png").unlink(missing_ok=True)


def report(result: "Result", out: Path) -> None:
    """Print the numbers and where the pictures are."""
    from tenjigsaw.cli.console import show_table, tell

    rows = [{"": _NAMES_SHOWN.get(name, name), "value": value} for name, value in facts(result).items()]
    show_table("Result", rows)
    tell(f"Pictures and layout are in {out}.")
