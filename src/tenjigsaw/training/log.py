"""What a run leaves to look at: a CSV with a line a minute, TensorBoard, and a line on the screen."""

import csv
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

CSV_NAME = "log.csv"


@dataclass(frozen=True)
class Line:
    """One line of the log. The validation figures are empty where none was made."""

    step: int
    minutes: float
    cpu_minutes: float
    loss: float
    top1: float
    steps_per_second: float
    learning_rate: float
    val_type1: float | None = None
    val_type2: float | None = None
    val_type1_processed: float | None = None
    val_type2_processed: float | None = None


class RunLog:
    """Writes lines. Lines of a killed sitting that the checkpoint does not know are taken back on resume."""

    def __init__(self, folder: Path, resumed_step: int, progress: Callable[[str], None]) -> None:
        self.path = folder / CSV_NAME
        self.progress = progress
        _forget_after(self.path, resumed_step)
        self.board = SummaryWriter(str(folder / "tensorboard"), purge_step=resumed_step)

    def write(self, line: Line, remaining: str) -> None:
        """One line everywhere."""
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.writer(file).writerow(_text(value) for value in asdict(line).values())
        for name, value in asdict(line).items():
            if name != "step" and value is not None:
                self.board.add_scalar(name, value, line.step)
        self.board.flush()
        self.progress(sentence(line, remaining))

    def close(self) -> None:
        """Flush what TensorBoard still holds."""
        self.board.close()


def sentence(line: Line, remaining: str) -> str:
    """A line for the screen."""
    text = (
        f"step {line.step}  {line.minutes:.1f} min  loss {line.loss:.4f}  block Top-1 {line.top1:.3f}"
        f"  {line.steps_per_second:.2f} steps/s  rate {line.learning_rate:.1e}  {remaining}"
    )
    if line.val_type1 is not None and line.val_type2 is not None:
        text += f"  val Top-1 {line.val_type1:.3f} / {line.val_type2:.3f}"
    if line.val_type1_processed is not None and line.val_type2_processed is not None:
        text += f"  (eq. 3-4: {line.val_type1_processed:.3f} / {line.val_type2_processed:.3f})"
    return text


def time_left(minutes: float) -> str:
    """In words."""
    return f"{minutes:.0f} min left" if minutes < 120 else f"{minutes / 60:.1f} h left"


def _text(value: float | int | None) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _forget_after(path: Path, step: int) -> None:
    """Keep the header and the lines up to ``step``; a line cut short by a kill goes as well."""
    header = [field.name for field in fields(Line)]
    old: list[list[str]] = []
    if path.exists():
        with path.open(newline="", encoding="utf-8") as file:
            old = [row for row in csv.reader(file) if len(row) == len(header) and row[0].isdigit()]
    aside = path.with_name(path.name + ".part")
    with aside.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *(row for row in old if int(row[0]) <= step)])
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
