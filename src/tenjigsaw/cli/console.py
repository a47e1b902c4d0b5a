"""What all commands share: progress bars, tables, lists on the command line, CSV files."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from tenjigsaw.errors import InputError
from tenjigsaw.files import new_file

if TYPE_CHECKING:
    from tenjigsaw.layout import Layout

_console = Console(highlight=False)

# Seconds between two updates that still tell a pace. A round with a large puzzle takes minutes, and rich's own 30
# seconds would never let the time left be known.
_SLOWEST_UPDATES = 3600.0

# Characters of a line where nobody's window ends it.
_UNLIMITED = 10_000
# Words with more characters are no names but the paths of files, which may be broken.
_LONGEST_NAME = 30


def tell(sentence: str) -> None:
    """Print a line."""
    _console.out(sentence)


def tell_forecast(seconds: float, pictures: int) -> None:
    """Warn before a job that takes minutes."""
    if seconds > 2:
        from tenjigsaw.measures import in_words

        tell(f"This takes about {in_words(seconds)} a picture, {in_words(seconds * pictures)} in all.")


class Bar:
    """Shows the stage, the share done and the cost of the best layout so far.

    ``restart`` is called when the share falls, as it does where a new stage begins: a full bar would take itself for
    finished and stand still, and the time left would be reckoned from the pace of another stage.
    """

    def __init__(self, update: Callable[..., None], restart: Callable[..., None]) -> None:
        self._update = update
        self._restart = restart
        self._share = 0.0
        self._cost: float | None = None

    def __call__(self, stage: str, share: float) -> None:
        """Move the bar."""
        cost = "" if self._cost is None else f", cost {self._cost:.6g}"
        if share < self._share:
            self._restart(description=stage + cost)
        self._share = share
        self._update(description=stage + cost, completed=share)

    def show(self, layout: "Layout", cost: float) -> None:
        """Keep the cost for the next move."""
        self._cost = cost

    @property
    def has_shown(self) -> bool:
        """Whether there is a layout already."""
        return self._cost is not None


@contextmanager
def progress_bar(stage: str) -> Iterator[Bar]:
    """A bar with the stage's name, the share done and the time left; gone once finished."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        speed_estimate_period=_SLOWEST_UPDATES,
    ) as bar:
        task = bar.add_task(stage, total=1.0)
        yield Bar(partial(bar.update, task), partial(bar.reset, task))


def show_table(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """A table with a column for each key, no wider than a terminal if that can be; a file or pipe has any width."""
    console = _console if _console.is_terminal else Console(highlight=False, width=_UNLIMITED)
    table = Table(title=title, title_justify="left", header_style="bold")
    for key in rows[0] if rows else ():
        _add_column(table, str(key), [row[key] for row in rows])
    for row in rows:
        table.add_row(*(Text(_as_text(value)) for value in row.values()))
    # Blanks beside the cells go first; headings of numbers are broken only where that is not enough.
    if console.measure(table, options=console.options.update(width=_UNLIMITED)).minimum > console.width:
        table.padding = 0
        # Narrower, and the library would leave columns out.
        needed = sum(1 + (column.min_width or 0) for column in table.columns) + 1
        table.width = needed if needed > console.width else None
    console.print(table, crop=False)


def _add_column(table: Table, heading: str, values: Sequence[Any]) -> None:
    """Names are not broken, and text only between words; the heading of numbers gives way before they do."""
    is_text = isinstance(values[0], str)
    told = [*map(_as_text, values), *([heading] if is_text else [])]
    longest = max((len(word) for text in told for word in text.split()), default=0)
    table.add_column(
        heading,
        justify="left" if is_text else "right",
        overflow="fold",
        no_wrap=is_text and longest <= _LONGEST_NAME and not any(" " in text for text in told),
        min_width=longest if longest <= _LONGEST_NAME else len(heading),
    )


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def comma_list(text: str, option: str) -> list[str]:
    """The names of ``a,b,c``, each once."""
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise InputError(f"{option} needs at least one name.")
    return names


def type_list(text: str) -> list[int]:
    """The puzzle types of ``1,2``."""
    names = comma_list(text, "--types")
    for name in names:
        if name not in ("1", "2"):
            raise InputError(f"There is no puzzle type {name!r}; it is 1 (turns known) or 2 (turns unknown).")
    return [int(name) for name in names]


def number_list(text: str, option: str) -> list[int]:
    """The whole numbers from 0 on of ``0,1,2``."""
    names = comma_list(text, option)
    for name in names:
        if not name.isdecimal():
            raise InputError(f"{option} needs whole numbers from 0 on with commas between, not {name!r}.")
    return list(dict.fromkeys(map(int, names)))


def own_or_given(out: Path | None, folders: Sequence[Path], name: str) -> Path:
    """Where to write what is made of folders: where the user says, or in a folder of this name inside the only one."""
    if out is None and len(folders) > 1:
        raise InputError(f"Say with --out where the {name} of several folders should go.")
    return out or folders[0] / name


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]], force: bool) -> None:
    """One line for each row, whole or not at all."""
    with new_file(path, force) as draft, draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
