"""What is worth a word beside the results, lest someone trusts them by mistake."""

from pathlib import Path

from tenjigsaw.cli.console import tell
from tenjigsaw.layout import Layout
from tenjigsaw.puzzle import Puzzle
from tenjigsaw.puzzle.description import Description
from tenjigsaw.puzzle.folder import in_short, unlisted_pictures, unreadable_photos
from tenjigsaw.reassembly import Result
from tenjigsaw.solvers import Frame


def tell_of_left_out_pictures(path: Path) -> None:
    """A photo that was added to a described folder, or that can't be read, is easily thought to be a piece."""
    if not path.is_dir():
        return
    if names := unlisted_pictures(path):
        tell(f"Left out, since puzzle.json does not list them: {in_short(names)}.")
    if names := unreadable_photos(path):
        tell(f"Left out, since they can't be read: {in_short(names)}; convert them to PNG or JPEG.")


def tell_of_contradictions(
    said: Description, type: int | None, erode: int | None, rows: int | None = None, cols: int | None = None
) -> None:
    """An option that was typed by habit should not go against a puzzle that knows better without a word."""
    known = None if said.turned is None else 1 + said.turned
    own_rows, own_cols = said.frame or (None, None)
    told = [("--type", type, known), ("--erode", erode, said.erosion)]
    told += [("--rows", rows, own_rows), ("--cols", cols, own_cols)]
    overridden = [
        f"{option} {value} overrides the puzzle's own {own}"
        for option, value, own in told
        if None not in (value, own) and value != own
    ]
    if overridden:
        tell(f"{' and '.join(overridden)}.")


def tell_of_unused_start(start: Layout, puzzle: Puzzle, frame: Frame | None) -> None:
    """A search that begins anew looks like one that goes on."""
    whole = frame or (Frame(*puzzle.frame) if puzzle.frame else Frame())
    shapes = whole.shapes(puzzle.count, puzzle.turned)
    if shapes and (start.rows, start.cols) not in shapes:
        tell(f"The layout of {start.rows} x {start.cols} to begin from does not fit the frame: it is not used.")


def tell_what_is_taken_for_granted(said: Description, type: int | None, erode: int | None) -> None:
    """Wrong joins come out sure where worn edges are taken for whole ones, or turned pieces for upright ones."""
    unsaid = [("not worn", "--erode")] if said.erosion is None and erode is None else []
    unsaid += [("upright", "--type 2")] if said.turned is None and type is None else []
    if unsaid:
        words, options = (" and ".join(part) for part in zip(*unsaid, strict=True))
        tell(f"Nothing says otherwise, so the pieces are taken to be {words}; if they are not, add {options}.")


def tell_where_the_size_is_from(result: Result, path: Path, puzzle: Puzzle, frame: Frame | None) -> None:
    """A size that was guessed is worth a word: with a piece lost it may be far from the truth."""
    size = f"{result.layout.rows} x {result.layout.cols}"
    if frame is None and puzzle.frame is not None and path.is_file() and path.suffix.lower() != ".npz":
        tell(f"The whole was taken to be {size} like the sheet; add --unknown-frame or --rows and --cols if it is not.")
    elif frame is None and puzzle.frame is None:
        tell(f"No size was given and {puzzle.count} pieces were laid {size}; add --rows and --cols, or --missing.")
    elif frame is not None and frame.size is None and not frame.missing:
        tell(
            f"The size was left open and {puzzle.count} pieces were laid {size}; give --rows and --cols, or --missing."
        )
