"""`make paper`: what is committed is what its commands make."""

import re
import shlex
from pathlib import Path

from commands import Run

ROOT = Path(__file__).parents[2]
PAPER = "results/paper"


def commands_of_the_target() -> list[list[str]]:
    """The command lines of `make paper` that run tenjigsaw, with variables filled in."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    variables = dict(re.findall(r"^(\w+) := (.+)$", text, re.MULTILINE))
    recipe = re.search(r"^paper:.*\n((?:\t.*\n)+)", text, re.MULTILINE)
    assert recipe
    filled = re.sub(r"\$\((\w+)\)", lambda match: variables[match[1]], recipe[1].replace("$(BIN)/", ""))
    return [shlex.split(line)[1:] for line in filled.splitlines() if line.startswith("\ttenjigsaw ")]


def test_no_table_or_figure_of_the_paper_is_stale(run: Run, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    commands = commands_of_the_target()
    assert [command[0] for command in commands] == ["tables", "figures"]
    for command in commands:
        ran = run(*(str(tmp_path / "made") if word == PAPER else word for word in command))
        assert ran.code == 0, ran.err
    made = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "made").iterdir()}
    kept = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / PAPER).iterdir()}
    assert made.keys() == kept.keys(), "run: make paper"
    assert [name for name in made if made[name] != kept[name]] == [], "run: make paper"
    for picture in (ROOT / "docs" / "pictures").glob("*.svg"):
        assert picture.read_text(encoding="utf-8") == kept.get(picture.name), f"run: make paper, for {picture.name}"


def test_every_table_of_the_paper_is_there_in_every_form():
    for name in ("dimensions", "distances", "top1", "neighbour", "inference"):
        for ending in ("md", "csv", "tex"):
            assert (ROOT / PAPER / f"{name}.{ending}").is_file()


def test_ten_large_has_its_gain_over_mgc():
    text = (ROOT / PAPER / "neighbour.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if "| ten-large | ten | genetic |" in line]
    assert re.search(r"[+-]\d+\.\d \[[+-]\d+\.\d, [+-]\d+\.\d\] \|$", line)
