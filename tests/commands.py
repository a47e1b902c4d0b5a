"""Run the command line and look at what it leaves behind."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PROGRAM = [sys.executable, "-c", "from tenjigsaw.cli.main import run; run()"]


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """What the user reads after a mistake: exactly one line, one sentence, no traceback."""
        assert "Traceback" not in self.err
        match = re.fullmatch(r"tenjigsaw: ([^\n]+\.)\n", self.err)
        assert match, f"not one sentence: {self.err!r}"
        assert ". " not in match[1]
        return match[1]


Run = Callable[..., Ran]


def run_apart(*arguments: object, before: Callable[[], None] | None = None, out: int = subprocess.PIPE) -> Ran:
    """Run ``tenjigsaw`` in a process of its own; ``before`` is called there first."""
    command = [*PROGRAM, *map(str, arguments)]
    ended = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, preexec_fn=before, timeout=120)
    return Ran(ended.returncode, ended.stdout or "", ended.stderr)


def heed_interrupts() -> None:
    """A shell's background job ignores Ctrl-C and its children inherit that; undo it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def contents(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder with its bytes, every folder with None; hidden ones too."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }
