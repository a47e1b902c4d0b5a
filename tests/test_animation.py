"""The film of a puzzle coming together."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from drawing import thinned_puzzle
from tenjigsaw.animation import Moment, cluster_steps, draw_moment, final_places, first_places, save_film
from tenjigsaw.errors import InputError
from tenjigsaw.layout import Layout
from tenjigsaw.puzzle import Puzzle, write_puzzle
from tenjigsaw.rendering import render


def true_layout(puzzle: Puzzle) -> Layout:
    assert puzzle.truth is not None
    grid = puzzle.truth.grid()
    return Layout(grid, np.where(grid >= 0, puzzle.truth.turn[grid], 0))


@pytest.fixture
def puzzle() -> Puzzle:
    return thinned_puzzle(3, 4, size=16, erosion=1, turned=True)


def steps_of(layout: Layout) -> list[np.ndarray]:
    return cluster_steps(layout, np.linspace(0, 1, len(layout.joins())))


def test_the_surest_join_comes_first_and_all_end_in_one_cluster(puzzle: Puzzle) -> None:
    layout = true_layout(puzzle)
    steps = steps_of(layout)
    assert [len(np.unique(step)) for step in steps] == list(range(12, 0, -1))
    surest = layout.joins()
    assert steps[1][surest.one[-1] // 4] == steps[1][surest.other[-1] // 4]


def test_a_cluster_never_falls_apart(puzzle: Puzzle) -> None:
    steps = steps_of(true_layout(puzzle))
    for before, after in pairwise(steps):
        for cluster in np.unique(before):
            assert len(np.unique(after[before == cluster])) == 1


def test_pieces_begin_in_the_cells_in_which_they_end(puzzle: Puzzle) -> None:
    layout = true_layout(puzzle)
    first, final = first_places(layout), final_places(layout)
    assert sorted(map(tuple, first)) == sorted(map(tuple, final))
    assert first.tolist() == sorted(first.tolist())


def frames_of(path: Path) -> tuple[list[np.ndarray], list[int]]:
    frames, durations = [], []
    with Image.open(path) as film:
        for number in range(film.n_frames):
            film.seek(number)
            frames.append(np.asarray(film.convert("RGB")).astype(int))
            durations.append(int(film.info["duration"]))
        assert film.info["loop"] == 0
    return frames, durations


@pytest.mark.parametrize("kind", [".webp", ".gif"])
def test_a_film_begins_with_the_heap_and_rests_on_the_finished_picture(
    puzzle: Puzzle, tmp_path: Path, kind: str
) -> None:
    layout = true_layout(puzzle)
    path = tmp_path / f"film{kind}"
    save_film(puzzle, layout, steps_of(layout), path, width=200, seconds=0.5)
    frames, durations = frames_of(path)
    assert len(frames) > 10
    # The end is shown for longer than any moment before it.
    assert durations[-1] >= 2000 > max(durations[:-1])
    assert frames[0].shape == frames[-1].shape
    final = np.asarray(Image.fromarray(render(layout, puzzle, "closed")).resize((154, 115))).astype(int)
    shown = frames[-1][23 : 23 + 115, 23 : 23 + 154]
    heap = frames[0][23 : 23 + 115, 23 : 23 + 154]
    assert np.abs(shown - final).mean() < 16
    assert np.abs(heap - final).mean() > 2 * np.abs(shown - final).mean()


def test_the_same_film_comes_out_every_time(puzzle: Puzzle, tmp_path: Path) -> None:
    layout = true_layout(puzzle)
    for name in ("one.webp", "other.webp"):
        save_film(puzzle, layout, steps_of(layout), tmp_path / name, width=100, seconds=0.2)
    assert (tmp_path / "one.webp").read_bytes() == (tmp_path / "other.webp").read_bytes()


def test_pieces_that_are_not_laid_and_gaps_are_left_out(tmp_path: Path) -> None:
    puzzle = thinned_puzzle(3, 4, size=16)
    grid = np.array([[0, -1, 2], [-1, -1, 5]])
    layout = Layout(grid, np.zeros_like(grid))
    path = tmp_path / "film.webp"
    save_film(puzzle, layout, steps_of(layout), path, width=120, seconds=0.2)
    frames, _ = frames_of(path)
    cell = 120 / (3 + 1.2)
    dark = [frames[-1][int((row + 1.1) * cell), int((col + 1.1) * cell)].max() < 60 for row, col in [(0, 1), (1, 0)]]
    assert all(dark)


def test_a_turned_piece_is_drawn_turned(puzzle: Puzzle) -> None:
    layout = true_layout(puzzle)
    final = final_places(layout)
    turns = np.zeros(12)
    turns[layout.piece] = 90.0 * layout.turn
    flat = np.zeros(12)
    moments = (Moment(final, turned, flat) for turned in (turns, flat))
    upright, lying = (np.asarray(draw_moment(puzzle, layout, moment, 300, 0.0)) for moment in moments)
    corner = np.argwhere(layout.turn == 0)[0]
    row, col = (int((place + 0.6) * 300 / 5.2) for place in corner)
    side = int(300 / 5.2)
    cell = np.s_[row : row + side, col : col + side]
    assert np.array_equal(upright[cell], lying[cell])
    assert not np.array_equal(upright, lying)


def test_only_films_can_be_written(puzzle: Puzzle, tmp_path: Path) -> None:
    layout = true_layout(puzzle)
    with pytest.raises(InputError, match=r"A film is a \.webp or a \.gif file, which film\.mp4 is not"):
        save_film(puzzle, layout, steps_of(layout), tmp_path / "film.mp4")


def test_the_command_films_a_puzzle_with_and_without_a_layout(run, tmp_path):
    picture = tmp_path / "picture.png"
    Image.fromarray(render(true_layout(thinned_puzzle(3, 4, size=16)), thinned_puzzle(3, 4, size=16))).save(picture)
    assert run("cut", picture, tmp_path / "puzzle", "--piece", 16, "--erode", 1, "--turn").code == 0
    assert run("solve", tmp_path / "puzzle", "--out", tmp_path / "solved").code == 0
    short = ("--width", 120, "--seconds", 0.2)
    film = tmp_path / "film.webp"
    told = run("animate", tmp_path / "puzzle", "--out", film, *short)
    assert told.code == 0, told.err
    assert len(frames_of(film)[0]) > 10
    layout = tmp_path / "solved" / "layout.json"
    assert "exists already" in run("animate", tmp_path / "puzzle", "--layout", layout, "--out", film).sentence
    assert run("animate", tmp_path / "puzzle", "--layout", layout, "--out", tmp_path / "film.gif", *short).code == 0


def test_the_command_films_a_layout_in_the_order_of_its_own_confidence(run, tmp_path, puzzle, monkeypatch):
    layout = true_layout(puzzle)
    sure = np.linspace(0.9, 0.1, len(layout.joins()))
    (tmp_path / "layout.json").write_text(layout.to_json(confidence=sure))
    write_puzzle(replace(puzzle, turned=False), tmp_path / "puzzle")
    filmed = []

    def note_steps(puzzle, layout, steps, path, **rest):
        filmed.append(steps)
        path.touch()

    monkeypatch.setattr("tenjigsaw.animation.save_film", note_steps)
    film = ("--layout", tmp_path / "layout.json", "--out", tmp_path / "film.gif")
    assert run("animate", tmp_path / "puzzle", *film).code == 0
    assert np.array_equal(filmed[0], cluster_steps(layout, sure))


def test_the_command_refuses_turned_pieces_whose_order_it_can_not_know(run, tmp_path, puzzle):
    (tmp_path / "layout.json").write_text(true_layout(puzzle).to_json())
    write_puzzle(replace(puzzle, turned=False), tmp_path / "puzzle")
    film = ("--layout", tmp_path / "layout.json", "--out", tmp_path / "film.gif", "--width", 64, "--seconds", 0.1)
    refused = run("animate", tmp_path / "puzzle", *film)
    assert refused.sentence == "The layout holds a turned piece, but turns are known here."
    assert run("animate", tmp_path / "puzzle", *film, "--type", 2).code == 0


def test_the_command_refuses_what_is_no_film_and_a_layout_of_another_puzzle(run, tmp_path):
    assert "A film is a .webp or a .gif file" in run("animate", "--out", tmp_path / "film.png").sentence
    layout = tmp_path / "layout.json"
    layout.write_text(Layout(np.array([[0, 999]]), np.zeros((1, 2), dtype=np.int64)).to_json())
    film = ("--layout", layout, "--out", tmp_path / "film.gif")
    assert "name that puzzle before --layout" in run("animate", *film).sentence
    write_puzzle(thinned_puzzle(3, 4, size=16), tmp_path / "puzzle")
    assert "speaks of piece 999" in run("animate", tmp_path / "puzzle", *film).sentence
