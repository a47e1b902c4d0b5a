"""`tenjigsaw animate`: a film of a puzzle coming together."""

from functools import partial
from pathlib import Path

import typer


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
    seconds: float = typer.Option(7.0, min=0.1, max=120, help="How long pieces take to come together."),
    seed: int = typer.Option(0, min=0, help="The same seed gives the same result."),
    force: bool = typer.Option(False, "--force", help="Overwrite an earlier film."),
) -> None:
    """Make a film of a puzzle coming together, the surest joins first.

    Example: tenjigsaw animate my_puzzle --layout solved/layout.json --out film.webp
    """
    from tenjigsaw.animation import check_kind, cluster_steps, save_film
    from tenjigsaw.cli.console import progress_bar, tell
    from tenjigsaw.cli.demo import demo_puzzle
    from tenjigsaw.cli.hints import tell_of_contradictions, tell_of_left_out_pictures
    from tenjigsaw.cli.solve import with_told
    from tenjigsaw.confidence import join_confidence
    from tenjigsaw.evaluation.metrics import upright
    from tenjigsaw.files import check_file, new_file, read_document
    from tenjigsaw.layout import Layout
    from tenjigsaw.measures import create_measure, normalise, score
    from tenjigsaw.puzzle.description import Description
    from tenjigsaw.puzzle.read import read_puzzle, stated
    from tenjigsaw.reassembly import reassemble
    from tenjigsaw.rendering import check_same_pieces

    check_file(out, force)
    check_kind(out)
    given = read_puzzle(puzzle, piece) if puzzle else demo_puzzle()
    pieces = with_told(given, type, erode)
    shown = read_document(layout, partial(Layout.from_json, names=pieces.names)) if layout else None
    if puzzle:
        tell_of_left_out_pictures(puzzle)
    tell_of_contradictions(stated(puzzle) if puzzle else Description(given.erosion, given.turned), type, erode)
    with progress_bar("starting") as progress:
        if shown is not None:
            check_same_pieces(shown, pieces)
            scores = normalise(score(pieces, create_measure("default"), progress), "sinkhorn")
            steps = cluster_steps(shown, join_confidence(shown, scores))
        else:
            result = reassemble(pieces, seed=seed, progress=progress)
            steps = cluster_steps(result.layout, result.confidence)
            known = pieces.truth if pieces.turned else None
            shown = upright(result.layout, known) if known else result.layout
        with new_file(out, force) as draft:
            save_film(pieces, shown, steps, draft, width=width, seconds=seconds, progress=progress)
    tell(f"The film is {out} ({out.stat().st_size / 1e6:.1f} MB).")
