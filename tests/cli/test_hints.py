"""What solve tells beside its results."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from commands import Run
from drawing import thinned_puzzle
from tenjigsaw.puzzle import write_puzzle


def test_pictures_that_the_description_does_not_list_are_named(run: Run, tmp_path: Path) -> None:
    write_puzzle(thinned_puzzle(3, 3, size=16), tmp_path / "in")
    assert "Left out" not in run("solve", tmp_path / "in", "--out", tmp_path / "out").out
    for name in ("view-1.png", "view-2.png", "view-10.png", "view-20.png"):
        Image.new("RGB", (16, 16)).save(tmp_path / "in" / name)
    told = " ".join(run("solve", tmp_path / "in", "--out", tmp_path / "two").out.split())
    assert "does not list them: view-1.png, view-2.png, view-10.png and 1 more." in told
    assert json.loads((tmp_path / "two" / "result.json").read_text())["pieces"] == 9


def test_photos_that_can_not_be_read_are_named(run: Run, tmp_path: Path) -> None:
    write_puzzle(thinned_puzzle(3, 3, size=16), tmp_path / "in")
    (tmp_path / "in" / "puzzle.json").unlink()
    for name in ("notes.txt", ".hidden.heic", "t3.HEIC", "x.CR2", "t12.heif", "y.svg"):
        (tmp_path / "in" / name).write_text("what a camera wrote")
    told = " ".join(run("solve", tmp_path / "in", "--out", tmp_path / "out").out.split())
    sentence = "can't be read: t3.HEIC, t12.heif, x.CR2 and 1 more; convert them to PNG or JPEG."
    assert sentence in told
    for name in ("t3", "t12", "x", "y"):
        Image.new("RGB", (16, 16)).save(tmp_path / "in" / f"{name}.png")
    ran = run("solve", tmp_path / "in", "--out", tmp_path / "two")
    assert ran.code == 0
    assert "Left out" not in ran.out


@pytest.mark.parametrize("name", ["in", "in.npz"])
def test_what_the_puzzle_says_otherwise_is_told(run: Run, tmp_path: Path, name: str) -> None:
    write_puzzle(thinned_puzzle(3, 3, size=16, erosion=1, turned=True), tmp_path / name)
    plain = ("--out", tmp_path / "out", "--measure", "ssd", "--force")
    assert "overrides" not in run("solve", tmp_path / name, *plain, "--type", 2, "--erode", 1).out
    told = " ".join(run("solve", tmp_path / name, *plain, "--type", 1, "--erode", 2).out.split())
    assert "--type 1 overrides the puzzle's own 2 and --erode 2 overrides the puzzle's own 1." in told


def test_a_puzzle_that_says_nothing_of_wear_is_not_overridden(run: Run, tmp_path: Path) -> None:
    write_puzzle(thinned_puzzle(3, 3, size=16), tmp_path / "in")
    (tmp_path / "in" / "puzzle.json").write_text('{"format": "tenjigsaw puzzle 1", "turned": true}')
    told = run("solve", tmp_path / "in", "--out", tmp_path / "out", "--measure", "ssd", "--type", 1, "--erode", 1).out
    assert "--type 1 overrides the puzzle's own 2." in " ".join(told.split())
    assert "--erode" not in told


@pytest.mark.parametrize("name", ["in", "in.npz"])
def test_a_size_that_the_puzzle_says_otherwise_is_told(run: Run, tmp_path: Path, name: str) -> None:
    write_puzzle(thinned_puzzle(3, 4, size=16), tmp_path / name)
    plain = ("--out", tmp_path / "out", "--measure", "ssd", "--force")
    assert "overrides" not in run("solve", tmp_path / name, *plain, "--rows", 3, "--cols", 4).out
    told = " ".join(run("solve", tmp_path / name, *plain, "--rows", 2, "--cols", 6).out.split())
    assert "--rows 2 overrides the puzzle's own 3 and --cols 6 overrides the puzzle's own 4." in told
    told = " ".join(run("solve", tmp_path / name, *plain, "--rows", 4, "--cols", 4).out.split())
    assert "--rows 4 overrides the puzzle's own 3." in told
    assert "--cols" not in told


def test_a_puzzle_that_says_nothing_of_its_size_is_not_overridden(run: Run, tmp_path: Path) -> None:
    write_puzzle(replace(thinned_puzzle(3, 4, size=16), truth=None, frame=None), tmp_path / "in")
    size = ("--rows", 3, "--cols", 4)
    assert "overrides" not in run("solve", tmp_path / "in", "--out", tmp_path / "out", "--measure", "ssd", *size).out


def test_a_film_tells_the_same(run: Run, tmp_path: Path) -> None:
    write_puzzle(thinned_puzzle(3, 3, size=16, erosion=1), tmp_path / "in")
    (tmp_path / "in" / "t3.HEIC").touch()
    film = ("--out", tmp_path / "film.gif", "--width", 64, "--seconds", 0.1)
    told = " ".join(run("animate", tmp_path / "in", *film, "--erode", 2).out.split())
    assert "--erode 2 overrides the puzzle's own 1." in told
    assert "can't be read: t3.HEIC" in told


def test_a_guessed_size_is_told(run: Run, tmp_path: Path) -> None:
    puzzle = replace(thinned_puzzle(3, 4, size=16), truth=None, frame=None)
    write_puzzle(puzzle, tmp_path / "in.npz")
    told = run("solve", tmp_path / "in.npz", "--out", tmp_path / "out").out
    assert "No size was given and 12 pieces were laid" in told
    told = run("solve", tmp_path / "in.npz", "--out", tmp_path / "two", "--rows", 3, "--cols", 4).out
    assert "No size was given" not in told


def test_a_size_that_was_left_open_is_told(run: Run, tmp_path: Path) -> None:
    write_puzzle(replace(thinned_puzzle(3, 4, size=16), truth=None), tmp_path / "in.npz")
    options = ("solve", tmp_path / "in.npz", "--out", tmp_path / "out", "--measure", "ssd", "--force")
    assert "The size was left open and 12 pieces were laid" in run(*options, "--unknown-frame").out
    for told in ([], ["--missing"], ["--unknown-frame", "--missing"], ["--rows", 3, "--cols", 4]):
        assert "pieces were laid" not in run(*options, *told).out


def test_what_nobody_said_is_told(run: Run, tmp_path: Path) -> None:
    write_puzzle(thinned_puzzle(3, 3, size=16), tmp_path / "in")
    options = ("solve", tmp_path / "in", "--out", tmp_path / "out", "--measure", "ssd", "--force")
    assert "Nothing says otherwise" not in run(*options).out
    (tmp_path / "in" / "puzzle.json").unlink()
    told = " ".join(run(*options).out.split())
    assert "taken to be not worn and upright; if they are not, add --erode and --type 2." in told
    assert "taken to be upright; if they are not, add --type 2." in " ".join(run(*options, "--erode", 0).out.split())
    assert "Nothing says otherwise" not in run(*options, "--erode", 1, "--type", 1).out


def test_a_layout_that_is_not_begun_from_is_told(run: Run, tmp_path: Path) -> None:
    write_puzzle(replace(thinned_puzzle(3, 4, size=16), truth=None), tmp_path / "in.npz")
    options = ("solve", tmp_path / "in.npz", "--measure", "ssd", "--out")
    assert run(*options, tmp_path / "first").code == 0
    start = ("--start", tmp_path / "first" / "layout.json")
    assert "is not used" not in run(*options, tmp_path / "second", *start).out
    told = " ".join(run(*options, tmp_path / "third", *start, "--rows", 2, "--cols", 6).out.split())
    assert "The layout of 3 x 4 to begin from does not fit the frame: it is not used." in told
