"""The folder of a bench: what was asked, what is done so far, and in the end the rows.

Each finished task is a line of a journal that is on disk before the next is taken up. After a kill the same command
reads it and goes on; once all is done, the rows are put together in the order of the plan and the journal goes.
"""

import json
import os
import platform
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tenjigsaw import __version__
from tenjigsaw.bench.plan import Plan
from tenjigsaw.bench.rows import ROWS, TIMES, BenchRow, read_rows, write_rows
from tenjigsaw.bench.solving import Done
from tenjigsaw.errors import InputError
from tenjigsaw.files import check_folder, new_file

RUN, JOURNAL = "run.json", "journal.jsonl"
PICTURES, TABLES, FIGURES = "pictures", "tables", "figures"


class BenchFolder:
    """Where a bench keeps what it has; ``done`` are the rows of finished tasks by the task's name."""

    def __init__(self, path: Path, plan: Plan, command: str, force: bool = False) -> None:
        self.path = path
        self.done: dict[str, tuple[BenchRow, ...]] = {}
        self._order = [task.name for task in plan.tasks()]
        about = _about(plan, command)
        check_folder(path, (), force)
        if force:
            self._clear()
        if (path / RUN).exists():
            self._go_on(about)
        elif (path / ROWS).exists():
            raise InputError(f"{path / ROWS} exists already; add --force to overwrite it.")
        else:
            self._write(RUN, (json.dumps(about, indent=2) + "\n").encode())

    def __enter__(self) -> "BenchFolder":
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """A bench that failed before it had found anything leaves nothing."""
        if error is not None and not self.done and not self.finished:
            (self.path / RUN).unlink(missing_ok=True)

    @property
    def finished(self) -> bool:
        """Whether the rows are there."""
        return (self.path / ROWS).exists()

    def keep(self, done: Done) -> None:
        """Keep what a task has found, whatever happens next."""
        for name, drawing in done.drawings.items():
            self._write(f"{PICTURES}/{name}", drawing)
        line = json.dumps({"task": done.task, "rows": [asdict(row) for row in done.rows]}) + "\n"
        with (self.path / JOURNAL).open("ab") as journal:
            journal.write(line.encode())
            journal.flush()
            os.fsync(journal.fileno())
        self.done[done.task] = done.rows

    def finish(self) -> list[BenchRow]:
        """All rows in the order of the plan, written to their files."""
        if not self.finished:
            write_rows(self.path, [row for name in self._order for row in self.done[name]])
        (self.path / JOURNAL).unlink(missing_ok=True)
        return read_rows(self.path)

    def _go_on(self, about: dict[str, Any]) -> None:
        before = _read_json(self.path / RUN)
        for what, name in (("settings", "a bench with other settings"), ("version", "a bench of another version")):
            if _told(before.get(what)) != _told(about[what]):
                raise InputError(f"{self.path} holds {name}; give another folder, or --force to start over.")
        self.done = _read_journal(self.path / JOURNAL)

    def _clear(self) -> None:
        """Forget an earlier bench; other files stay, and so do folders that no bench made."""
        if (self.path / RUN).exists():
            for name in (PICTURES, TABLES, FIGURES):
                shutil.rmtree(self.path / name, ignore_errors=True)
        for name in (ROWS, TIMES, JOURNAL, RUN):
            (self.path / name).unlink(missing_ok=True)

    def _write(self, name: str, content: bytes) -> None:
        with new_file(self.path / name, force=True) as draft:
            draft.write_bytes(content)


def _about(plan: Plan, command: str) -> dict[str, Any]:
    return {
        "command": command,
        "version": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processors": os.cpu_count() or 1,
        "settings": plan.settings(),
    }


def _told(value: Any) -> Any:
    """A setting that is None says as much as one that was not there yet when a bench began."""
    return {name: one for name, one in value.items() if one is not None} if isinstance(value, dict) else value


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{path} is not from a bench; give another folder.")
    return found


def _read_journal(path: Path) -> dict[str, tuple[BenchRow, ...]]:
    """What is done; a last line that was cut short by a kill is cut off, so that the next does not follow it."""
    if not path.exists():
        return {}
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        os.truncate(path, len(whole))
    done = {}
    for line in whole.splitlines():
        try:
            entry = json.loads(line)
            done[entry["task"]] = tuple(BenchRow(**row) for row in entry["rows"])
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{path} is damaged; start over with --force.") from None
    return done
