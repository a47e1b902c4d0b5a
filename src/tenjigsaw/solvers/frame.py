"""What is known about the size of the whole."""

from dataclasses import dataclass

from tenjigsaw.errors import InputError
from tenjigsaw.puzzle.puzzle import check_frame
from tenjigsaw.solvers.given import is_whole

# If pieces are missing, nobody knows how many of what.
ASSUMED_LOST = 0.15


@dataclass(frozen=True)
class Frame:
    """The size of the whole: known, unknown with every piece there, or unknown with pieces missing.

    With ``rows`` and ``cols`` given, cells may stay empty when there are fewer pieces. Without them the frame is one
    that N pieces fill exactly, or, if ``missing``, whatever the joins ask for.
    """

    rows: int | None = None
    cols: int | None = None
    missing: bool = False

    def __post_init__(self) -> None:
        if (self.rows is None) != (self.cols is None):
            raise InputError("Give both the rows and the columns of the frame, or neither.")
        if self.size is not None and not (is_whole(self.rows) and is_whole(self.cols)):
            raise InputError(f"Rows and columns of a frame are whole numbers, not {self.rows!r} and {self.cols!r}.")

    @property
    def size(self) -> tuple[int, int] | None:
        """(rows, cols) if known."""
        return None if self.rows is None or self.cols is None else (self.rows, self.cols)

    def lost_share(self, count: int) -> float:
        """What share of the pieces seems to be missing, with ``count`` there."""
        if self.size is not None:
            return 1 - count / (self.size[0] * self.size[1])
        return ASSUMED_LOST if self.missing else 0.0

    def shapes(self, count: int, turned: bool) -> list[tuple[int, int]]:
        """The (rows, cols) that ``count`` pieces may take; empty if any."""
        if self.size is not None:
            rows, cols = self.size
            check_frame(self.size, count)
            return [(rows, cols), (cols, rows)] if turned and rows != cols else [(rows, cols)]
        if self.missing:
            return []
        return [(rows, count // rows) for rows in range(1, count + 1) if count % rows == 0]
