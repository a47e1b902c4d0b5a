"""`tenjigsaw cut`: from a picture to a puzzle."""

from pathlib import Path

import typer


def cut(
    picture: Path = typer.Argument(..., help="The picture to cut."),
    out: Path = typer.Argument(..., help="A new folder for the pieces, or a file that ends in .npz."),
    piece: int = typer.Option(28, help="Side of a piece in pixels."),
    erode: int = typer.Option(0, help="Pixels worn off every edge."),
    wear: str = typer.Option("frame", help="How they wear: frame, ragged or fade."),
    turn: bool = typer.Option(False, "--turn", help="Turn the pieces too (Type-2)."),
    drop: float = typer.Option(0.0, help="Share of pieces to lose, such as 0.05."),
    seed: int = typer.Option(0, min=0, help="The same seed gives the same puzzle."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing puzzle."),
) -> None:
    """Cut a picture into worn, shuffled pieces.

    Example: tenjigsaw cut photo.jpg my_puzzle --piece 28 --erode 1 --turn
    """
    import numpy as np

    from tenjigsaw import puzzle as puzzles
    from tenjigsaw.cli.console import show_table, tell
    from tenjigsaw.files import check_file, check_folder
    from tenjigsaw.puzzle.description import FILE_NAME

    if out.suffix.lower() == ".npz":
        check_file(out, force)
    else:
        check_folder(out, [FILE_NAME], force)
    rng = np.random.default_rng(seed)
    pixels = puzzles.read_picture(picture)
    result = puzzles.cut(pixels, piece)
    result = puzzles.erode(result, erode, rng, wear)  # type: ignore[arg-type]  # checked there, one sentence
    result = puzzles.drop(puzzles.shuffle(result, rng), drop, rng)
    if turn:
        result = puzzles.turn(result, rng)
    puzzles.write_puzzle(result, out, force)
    right, bottom = puzzles.remainder(pixels, piece)
    if right or bottom:
        tell(f"Left out {right} pixels at the right and {bottom} at the bottom, which fill no whole piece.")
    assert result.frame is not None
    rows, cols = result.frame
    facts = {"puzzle": str(out), "pieces": result.count, "rows": rows, "cols": cols}
    show_table("Cut", [facts | {"piece": piece, "worn": erode, "turned": turn}])
