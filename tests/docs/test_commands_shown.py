"""Every command line and every piece of Python that a newcomer will copy is understood."""

import re
import shlex
from pathlib import Path

import pytest
import typer.main

from drawing import thinned_puzzle
from tenjigsaw.cli.main import app
from tenjigsaw.puzzle import write_puzzle

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = typer.main.get_command(app).commands
# At the start of a line in a block, or between backquotes with at least one word behind the command.
SHOWN = re.compile(r"^tenjigsaw (.+)$|`tenjigsaw (\w+ [^`]+)`", re.MULTILINE)


def lines_of(page: Path) -> list[str]:
    return [first or second for first, second in SHOWN.findall(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_line_has_only_options_that_there_are(page):
    for line in lines_of(page):
        name, *words = shlex.split(line)
        assert name in COMMANDS, line
        known = {option for parameter in COMMANDS[name].params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, line


def test_there_are_many():
    assert sum(len(lines_of(page)) for page in PAGES) > 30


def test_the_python_of_the_readme_runs(tmp_path, monkeypatch):
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGES[0].read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    write_puzzle(thinned_puzzle(12, 20, size=12, turned=False), tmp_path / "my_tiles")
    (tmp_path / "my_tiles" / "puzzle.json").unlink()
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    assert names["result"].layout.piece.shape == (12, 20)
    assert names["result"].type == 2
