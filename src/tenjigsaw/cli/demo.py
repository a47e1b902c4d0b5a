"""`tenjigsaw demo`: the main job on a built-in picture."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from tenjigsaw.layout import Layout
    from tenjigsaw.puzzle import Puzzle
    from tenjigsaw.puzzle.pictures import Picture

DEMO_PIECE = 28


def demo(
    out: Path = typer.Option(Path("demo"), help="A folder for the pictures."),
    force: bool = typer.Option(False, "--force", help="Overwrite an earlier demo."),
) -> None:
    """Cut a built-in picture, wear, shuffle and turn its pieces, and put it together again.

    Example: tenjigsaw demo --out demo
    """
    from tenjigsaw.cli.console import progress_bar, tell
    from tenjigsaw.cli.solve import OUTPUTS, report, write_result
    from tenjigsaw.files import check_folder
    from tenjigsaw.reassembly import reassemble

    check_folder(out, (*OUTPUTS, "teaser.png"), force)
    puzzle = demo_puzzle()
    tell(f"{puzzle.count} pieces of {DEMO_PIECE} pixels, a frame of one pixel worn away, shuffled and turned.")
    with progress_bar("starting") as progress:
        result = reassemble(puzzle, progress=progress)
        teaser = {"teaser.png": partial(_teaser, result.layout, puzzle)}
        write_result(result, puzzle, out, "as-is", force, progress, teaser)
    report(result, out)


def demo_puzzle() -> "Puzzle":
    """The built-in picture cut, worn, shuffled and turned, always the same."""
    import numpy as np

    from tenjigsaw import puzzle as puzzles
    from tenjigsaw.pictures import built_in_picture

    rng = np.random.default_rng(0)
    worn = puzzles.erode(puzzles.cut(puzzles.read_picture(built_in_picture()), DEMO_PIECE), 1, rng)
    return puzzles.turn(puzzles.shuffle(worn, rng), rng)


def _teaser(layout: "Layout", puzzle: "Puzzle") -> "Picture":
    """The scrambled pieces and the reconstruction side by side, the latter turned as the truth stands."""
    import numpy as np

    from tenjigsaw.evaluation.metrics import upright
    from tenjigsaw.rendering import render, scrambled_picture

    assert puzzle.truth is not None
    before, after = scrambled_picture(puzzle), render(upright(layout, puzzle.truth), puzzle)
    gap = np.full((len(before), DEMO_PIECE, 3), 255, dtype=np.uint8)
    return np.concatenate([before, gap, after], axis=1)
