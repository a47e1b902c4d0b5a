"""What options say is heeded, or refused in one sentence before any work."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commands import Run, contents
from drawing import noise_picture
from tenjigsaw.cli.console import Bar
from tenjigsaw.layout import Layout
from tenjigsaw.measures import Scores
from tenjigsaw.solvers import Frame, Stop, registry


@pytest.fixture
def tiles(tmp_path: Path) -> Path:
    """Four tiles of 16 pixels in a plain folder."""
    folder = tmp_path / "tiles"
    folder.mkdir()
    for number, tile in enumerate(noise_picture(64, 16).reshape(4, 16, 16, 3)):
        Image.fromarray(tile).save(folder / f"{number}.png")
    return folder


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--piece", 8], "are cut already; --piece is for one shuffled picture"),
        (["--unknown-frame", "--rows", 2], "leave it out, or --rows and --cols"),
        (["--puzzles", 2, "--normalise", "typo"], "'typo'"),
    ],
)
def test_solve_refuses_what_it_would_not_heed(
    run: Run, tmp_path: Path, tiles: Path, options: list[object], sentence: str
) -> None:
    before = contents(tmp_path)
    ran = run("solve", tiles, "--out", tmp_path / "solved", *options)
    assert ran.code == 2
    assert sentence in ran.sentence
    assert contents(tmp_path) == before


class Noting:
    """A solver that keeps the limits it was given."""

    name = "noting"
    summary = "keeps its limits"

    def __init__(self) -> None:
        self.stop: Stop | None = None

    def solve(self, scores: Scores, frame: Frame, stop: Stop, *rest: object) -> Layout:
        self.stop = stop
        return Layout(np.arange(4).reshape(2, 2), np.zeros((2, 2), dtype=np.int64))


def test_the_bar_stays_from_the_first_photo_to_the_last_picture(
    run: Run, tmp_path: Path, tiles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, float]] = []
    monkeypatch.setattr(Bar, "__call__", lambda bar, stage, share: told.append((stage, share)))
    assert run("solve", tiles, "--out", tmp_path / "solved", "--measure", "ssd").code == 0
    reading, writing = [("reading", share / 4) for share in range(4)], [("writing", 0.0), ("writing", 0.5)]
    assert (told[:4], told[-2:]) == (reading, writing)
    film = ("--layout", tmp_path / "solved" / "layout.json", "--width", 64, "--seconds", 0.1)
    told.clear()
    assert run("animate", tiles, "--out", tmp_path / "film.gif", *film).code == 0
    assert (told[:4], told[-1]) == (reading, ("writing", 0.0))


def test_all_limits_reach_the_solver(run: Run, tmp_path: Path, tiles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Noting()
    monkeypatch.setitem(registry._SOLVERS, "noting", solver)
    limits = ("--seconds", 9, "--generations", 7, "--patience", 3)
    assert (
        run("solve", tiles, "--out", tmp_path / "solved", "--measure", "ssd", "--solver", "noting", *limits).code == 0
    )
    assert solver.stop is not None
    assert replace(solver.stop, asked=None) == Stop(seconds=9, generations=7, patience=3)
    assert solver.stop.asked is not None, "Ctrl-C is heeded"
    ran = run("solve", tiles, "--out", tmp_path / "again", "--patience", 0)
    assert (ran.code, "--patience" in ran.err) == (2, True)


@pytest.mark.parametrize("command", ["solve", "bench"])
@pytest.mark.parametrize("seconds", [0, -1, "nan", "inf"])
def test_seconds_are_a_number_above_0(run: Run, tmp_path: Path, tiles: Path, command: str, seconds: object) -> None:
    place = tiles if command == "solve" else tiles / "0.png"
    ran = run(command, place, "--out", tmp_path / "out", "--seconds", seconds)
    assert ran.code == 2
    assert f"The seconds to stop after must be a number above 0, not {float(str(seconds))!r}." in ran.sentence
    assert ">=0" not in run(command, "--help").out.split("--seconds")[1].split("--generations")[0]


def test_a_heap_is_not_solved_into_its_own_folder(run: Run, tmp_path: Path, tiles: Path) -> None:
    heap = tiles.rename(tmp_path / "1")
    assert "the puzzle's own folder" in run("solve", heap, "--out", tmp_path, "--puzzles", 2).sentence


@pytest.mark.parametrize(
    ("size", "fragment"), [("inf", "--cache-gigabytes must be a number"), ("nan", "Invalid value for")]
)
def test_a_cache_has_a_size(run: Run, tmp_path: Path, tiles: Path, size: str, fragment: str) -> None:
    ran = run("bench", tiles / "0.png", "--out", tmp_path / "out", "--cache-gigabytes", size)
    assert ran.code == 2
    assert fragment in ran.err


def test_the_last_picture_is_too_small_before_any_work(run: Run, tmp_path: Path, tiles: Path) -> None:
    Image.fromarray(noise_picture(56, 56)).save(tiles / "0.png")
    before = contents(tmp_path)
    ran = run("bench", tiles, "--out", tmp_path / "out")
    assert "1.png: A picture of 16 x 16 pixels gives fewer than two pieces" in ran.sentence
    assert contents(tmp_path) == before


def test_a_mark_before_the_description_is_no_error(run: Run, tmp_path: Path, tiles: Path) -> None:
    (tiles / "puzzle.json").write_text('{"format": "tenjigsaw puzzle 1", "frame": [2, 2]}', encoding="utf-8-sig")
    assert run("solve", tiles, "--out", tmp_path / "solved", "--measure", "ssd").code == 0
    assert np.asarray(Image.open(tmp_path / "solved" / "reconstruction.png")).shape == (32, 32, 3)


@pytest.mark.parametrize("seconds", ["nan", "inf", "0", "121", "-1"])
def test_a_film_that_is_too_short_or_too_long_is_refused_before_any_work(
    run: Run, tmp_path: Path, tiles: Path, seconds: str
) -> None:
    before = contents(tmp_path)
    told = run("animate", tiles, "--out", tmp_path / "film.gif", "--seconds", seconds).sentence
    assert told == f"Pieces can take from 0.1 to 120 seconds to come together, not {seconds}."
    assert contents(tmp_path) == before


def test_a_film_heeds_turns_and_wear(run: Run, tmp_path: Path, tiles: Path) -> None:
    film = ("--out", tmp_path / "film.gif", "--width", 64, "--seconds", 0.1)
    assert "An erosion of 8 pixels leaves 0" in run("animate", tiles, *film, "--erode", 8).sentence
    assert run("animate", tiles, *film, "--erode", 1, "--type", 2).code == 0
