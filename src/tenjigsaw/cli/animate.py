"""`tenjigsaw animate`: a film of a puzzle coming together."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tenjigsaw.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tenjigsaw.animation import Floats, Ints
    from tenjigsaw.layout import Layout
    from tenjigsaw.progress import Progress
    from tenjigsaw.puzzle import Puzzle


def animate(
    puzzle: Path | None = typer.Argument(None, help="A puzzle as for solve; the picture of the demo if not given."),
    out: Path = typer.Option(Path("animation.webp"), help="The film, a .webp or .gif file."),
    layout: Path | None = typer.Option(None, help="A layout.json of solve; else the puzzle is solved first."),
    piece: int | None = typer.Option(None, min=8, help="Side of a piece, for one shuffled picture."),
    type: int | None = typer.Option(
        None, min=1, max=2, help="1: turns known, 2: unknown. Default: as the puzzle says, else 1."
    ),
    erode: int | None = typer.Option(None, min=0, help="Worn pixels. Default: as the puzzle says, else 0."),
    width: int = typer.Option(480, min=64, max=4096, help="Width of the film in pixels."),
    seconds: float = typer.Option(7.0, help="How long pieces take to come together, from 0.1 to 120."),
    seed: int = typer.Option(0, min=0, help="The same seed gives the same result."),
    force: bool = typer.Option(False, "--force", help="Overwrite an earlier film."),
) -> None:
    """Make a film of a puzzle coming together, the surest joins first.

    Example: tenjigsaw animate my_puzzle --layout solved/layout.json --out film.webp
    """
    from tenjigsaw.animation import check_kind, check_seconds, save_film
    from tenjigsaw.cli.console import progress_bar, tell
    from tenjigsaw.cli.demo import demo_puzzle
    from tenjigsaw.cli.hints import tell_of_contradictions, tell_of_left_out_pictures
    from tenjigsaw.cli.solve import with_told
    from tenjigsaw.files import check_file, new_file, read_document
    from tenjigsaw.puzzle.description import Description
    from tenjigsaw.puzzle.read import read_puzzle, stated

    check_file(out, force)
    check_kind(out)
    check_seconds(seconds)
    if layout and puzzle is None:
        raise InputError(f"{layout} lays some puzzle's pieces: name that puzzle before --layout.")
    with progress_bar("reading") as progress:
        given = read_puzzle(puzzle, piece, progress) if puzzle else demo_puzzle()
    pieces = with_told(given, type, erode)
    solved = read_document(layout, partial(_with_confidence, names=pieces.names)) if layout else None
    if puzzle:
        tell_of_left_out_pictures(puzzle)
    tell_of_contradictions(stated(puzzle) if puzzle else Description(given.erosion, given.turned), type, erode)
    with progress_bar("starting") as progress:
        shown, steps = _as_laid(*solved, pieces, progress) if solved else _as_solved(pieces, seed, progress)
        with new_file(out, force) as draft:
            save_film(pieces, shown, steps, draft, width=width, seconds=seconds, progress=progress)
    tell(f"The film is {out} ({out.stat().st_size / 1e6:.1f} MB).")


def _with_confidence(text: str, names: "Sequence[str]") -> "tuple[Layout, Floats | None]":
    """A layout, and how sure its joins are as far as it says so itself."""
    from tenjigsaw.layout import Layout, confidence_from_json

    layout = Layout.from_json(text, names=names)
    return layout, confidence_from_json(text, layout)


def _as_laid(
    layout: "Layout", confidence: "Floats | None", pieces: "Puzzle", progress: "Progress"
) -> "tuple[Layout, list[Ints]]":
    """A layout and its steps, in the order of the confidence that came with it; without any it is reckoned anew."""
    from tenjigsaw.animation import cluster_steps
    from tenjigsaw.confidence import join_confidence
    from tenjigsaw.measures import create_measure, normalise, score
    from tenjigsaw.rendering import check_same_pieces
    from tenjigsaw.solvers.start import check_turns

    check_same_pieces(layout, pieces)
    if confidence is None:
        check_turns(layout, pieces.turned)
        scores = normalise(score(pieces, create_measure("default"), progress), "sinkhorn")
        confidence = join_confidence(layout, scores)
    return layout, cluster_steps(layout, confidence)


def _as_solved(pieces: "Puzzle", seed: int, progress: "Progress") -> "tuple[Layout, list[Ints]]":
    """A layout that is solved now and its steps; it stands upright if the truth is known."""
    from tenjigsaw.animation import cluster_steps
    from tenjigsaw.evaluation.metrics import upright
    from tenjigsaw.reassembly import reassemble

    result = reassemble(pieces, seed=seed, progress=progress)
    known = pieces.truth if pieces.turned else None
    shown = upright(result.layout, known) if known else result.layout
    return shown, cluster_steps(result.layout, result.confidence)
