"""The documentation builds, leads nowhere that is not there, and shows code that runs."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from drawing import thinned_puzzle
from tenjigsaw.measures import create_measure

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LARGEST_PICTURE = 300_000
BLOCK = re.DOTALL | re.MULTILINE
# Another processor adds in another order, and a solver may then take another way.
PERCENT_BETWEEN_MACHINES = 3.0


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def blocks_of(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(page), BLOCK)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_built(site):
    built = {path.parent.name for path in site.glob("*/index.html")}
    assert built >= {page.stem for page in DOCS.glob("*.md")} - {"index"}


def test_no_page_asks_the_network_for_anything(site):
    for page in site.rglob("*.html"):
        fetched = re.findall(r"<(?:script|img|link|iframe|source)\b[^>]*?\b(?:src|href)=\"?(\S+)", text_of(page))
        assert not [address for address in fetched if re.match(r"(https?:)?//", address)], page


def test_the_readme_leads_only_to_what_is_there():
    links = re.findall(r"\]\(([^)#\s]+)", text_of(ROOT / "README.md"))
    inside = [link for link in links if not link.startswith(("https://", "http://"))]
    assert inside
    assert [link for link in inside if not (ROOT / link).exists()] == []


def test_every_picture_is_small_and_shown():
    shown = "\n".join(text_of(page) for page in [ROOT / "README.md", *DOCS.glob("*.md")])
    for picture in (DOCS / "pictures").iterdir():
        assert picture.stat().st_size < LARGEST_PICTURE, picture
        assert f"pictures/{picture.name}" in shown, picture


@pytest.mark.parametrize("example", ["own_measure.py", "own_solver.py"])
def test_the_page_shows_the_example_that_runs_and_what_it_prints(example):
    path = ROOT / "examples" / example
    assert text_of(path) in blocks_of(DOCS / "own.md", "python")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (shown,) = re.findall(rf"^`python examples/{example}` prints:\n\n```\n(.*?)^```$", text_of(DOCS / "own.md"), BLOCK)
    assert words_of(shown) == words_of(done.stdout)
    assert shares_of(shown) == pytest.approx(shares_of(done.stdout), abs=PERCENT_BETWEEN_MACHINES)


@pytest.mark.parametrize("turned", [True, False])
def test_costs_become_scores_as_the_page_shows(turned):
    (shown,) = [block for block in blocks_of(DOCS / "own.md", "python") if "def as_scores" in block]
    names: dict[str, object] = {}
    exec(shown, names)
    puzzle = thinned_puzzle(3, 4, size=16, turned=turned)
    expected = create_measure("ssd").scores(puzzle)
    all_joins = create_measure("ssd").scores(replace(puzzle, turned=True)).values
    scores = names["as_scores"](puzzle, np.where(np.isfinite(all_joins), all_joins, 0))
    np.testing.assert_array_equal(scores.values, expected.values)
    assert (scores.turned, scores.values.dtype) == (turned, np.float32)


def test_the_examples_are_rightly_typed_for_whoever_copies_them(tmp_path):
    pytest.importorskip("mypy")
    examples = map(str, (ROOT / "examples").glob("*.py"))
    plain = ("--config-file=", "--follow-imports=silent", f"--cache-dir={tmp_path}")
    command = [sys.executable, "-m", "mypy", *plain, *examples]
    surroundings = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def words_of(text: str) -> list[str]:
    return re.sub(r"[\d.]+%", "%", text).split()


def shares_of(text: str) -> list[float]:
    return [float(share) for share in re.findall(r"([\d.]+)%", text)]
