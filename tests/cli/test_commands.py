"""Each command does its job, through the same entry point that a user calls."""

import csv
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commands import Run, contents, run_apart
from drawing import thinned_puzzle
from reference import smooth_picture
from tenjigsaw import __version__
from tenjigsaw.cli.main import app
from tenjigsaw.layout import Layout
from tenjigsaw.measures import list_measures
from tenjigsaw.pictures import built_in_picture
from tenjigsaw.puzzle import cut, read_picture, read_puzzle, write_puzzle
from tenjigsaw.rendering import render
from tenjigsaw.solvers import list_solvers

COMMANDS = [command.name or command.callback.__name__ for command in app.registered_commands]
ALWAYS = {"measure", "normalise", "solver", "type", "seed", "pieces", "seconds", "cost"}
WITH_TRUTH = {"neighbour", "direct", "largest", "perfect"}
OUTPUTS = {"reconstruction.png", "layout.json", "confidence.png", "result.json"}


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture of 4 x 5 pieces of 16 pixels, and a little more at the right and at the bottom."""
    path = tmp_path / "picture.png"
    Image.fromarray(smooth_picture(np.random.default_rng(0), 4 * 16 + 3, 5 * 16 + 7)).save(path)
    return path


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    """A folder of 20 pieces, shuffled and turned, not worn."""
    write_puzzle(thinned_puzzle(4, 5, size=16, turned=True), tmp_path / "puzzle")
    return tmp_path / "puzzle"


def strict_json(path: Path) -> dict:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(path.read_text(), parse_constant=refuse)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


class TestHelp:
    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_command_has_an_example_that_it_understands(self, run: Run, command: str) -> None:
        shown = run(command, "--help")
        assert shown.code == 0
        assert f"Example: tenjigsaw {command}" in shown.out

    def test_all_commands_are_listed(self, run: Run) -> None:
        assert {"demo", "cut", "solve", "score", "bench", "measures", "solvers"} <= set(COMMANDS)
        shown = run("--help")
        assert shown.code == 0
        assert all(f" {command} " in shown.out for command in COMMANDS)

    def test_version(self, run: Run) -> None:
        assert run("--version").out == f"tenjigsaw {__version__}\n"

    def test_measures_and_solvers_are_listed_with_the_default(self, run: Run) -> None:
        for listing, entries in ((run("measures"), list_measures()), (run("solvers"), list_solvers())):
            assert listing.code == 0
            assert all(f" {entry.name} " in listing.out for entry in entries)
            assert sum(" yes " in line for line in listing.out.splitlines()) == 1


class TestDemo:
    def test_shows_the_scrambled_and_the_reassembled_picture(self, run: Run, tmp_path: Path) -> None:
        assert run("demo", "--out", tmp_path / "demo").code == 0
        assert set(contents(tmp_path / "demo")) == OUTPUTS | {"joins.png", "teaser.png"}
        result = strict_json(tmp_path / "demo" / "result.json")
        assert (result["type"], result["pieces"]) == (2, 160)
        assert result["neighbour"] > 0.9
        teaser = read_picture(tmp_path / "demo" / "teaser.png")
        whole = read_picture(built_in_picture())[: 10 * 28, : 16 * 28]
        assert teaser.shape == (10 * 28, 33 * 28, 3)
        right = (teaser[:, 17 * 28 :] == whole).all(axis=-1)
        assert right.mean() > 0.8


class TestCut:
    def test_into_a_folder(self, run: Run, tmp_path: Path, picture: Path) -> None:
        ran = run("cut", picture, tmp_path / "out", "--piece", 16, "--erode", 1, "--turn", "--drop", 0.1)
        assert ran.code == 0
        assert "Left out 7 pixels at the right and 3 at the bottom" in ran.out
        puzzle = read_puzzle(tmp_path / "out")
        assert (puzzle.count, puzzle.size, puzzle.erosion, puzzle.turned, puzzle.frame) == (18, 16, 1, True, (4, 5))
        assert puzzle.truth is not None
        assert not puzzle.pieces[:, 0].any()

    def test_into_an_archive(self, run: Run, tmp_path: Path, picture: Path) -> None:
        assert run("cut", picture, tmp_path / "out.npz", "--piece", 16).code == 0
        puzzle = read_puzzle(tmp_path / "out.npz")
        assert (puzzle.count, puzzle.erosion, puzzle.turned) == (20, 0, False)
        whole = cut(read_picture(picture), 16).pieces
        assert sorted(piece.tobytes() for piece in puzzle.pieces) == sorted(piece.tobytes() for piece in whole)
        assert not np.array_equal(puzzle.pieces, whole)

    def test_says_nothing_of_a_remainder_where_there_is_none(self, run: Run, tmp_path: Path) -> None:
        Image.fromarray(smooth_picture(np.random.default_rng(0), 32, 48)).save(tmp_path / "even.png")
        assert "Left out" not in run("cut", tmp_path / "even.png", tmp_path / "out", "--piece", 16).out

    @pytest.mark.parametrize("wear", ["frame", "ragged", "fade"])
    def test_the_seed_decides_every_byte(self, run: Run, tmp_path: Path, picture: Path, wear: str) -> None:
        options = ("--piece", 16, "--erode", 3, "--wear", wear, "--turn", "--drop", 0.2, "--seed")
        for name, seed in (("one", 5), ("again", 5), ("other", 6)):
            assert run("cut", picture, tmp_path / name, *options, seed).code == 0
        assert contents(tmp_path / "one") == contents(tmp_path / "again")
        assert contents(tmp_path / "one") != contents(tmp_path / "other")


class TestSolve:
    def test_writes_and_prints_everything(self, run: Run, tmp_path: Path, puzzle: Path) -> None:
        ran = run("solve", puzzle, "--out", tmp_path / "out", "--seed", 3)
        assert ran.code == 0
        assert set(contents(tmp_path / "out")) == OUTPUTS | {"joins.png"}
        result = strict_json(tmp_path / "out" / "result.json")
        assert set(result) == ALWAYS | WITH_TRUTH
        assert (result["type"], result["seed"], result["pieces"], result["normalise"]) == (2, 3, 20, "sinkhorn")
        assert (result["neighbour"], result["direct"], result["perfect"]) == (1.0, 1.0, True)
        assert math.isfinite(result["cost"])
        assert all(f" {name} " in ran.out for name in set(result) - {"cost"})
        assert " sum of join costs " in ran.out
        assert f" {result['measure']} " in ran.out
        assert f" {result['cost']:.3f} " in ran.out

    def test_keeps_pins_and_takes_a_start_and_a_limit(self, run: Run, tmp_path: Path, puzzle: Path) -> None:
        assert run("solve", puzzle, "--out", tmp_path / "first").code == 0
        start = tmp_path / "first" / "layout.json"
        piece = int(Layout.from_json(start.read_text()).piece[0, 0])
        held = {"piece": piece, "row": 2, "col": 3, "turn": 1}
        text = json.dumps({"format": "tenjigsaw pins 1", "held": [held]})
        (tmp_path / "pins.json").write_text(text, encoding="utf-8-sig")  # as some editors on Windows would
        told = ("--pins", tmp_path / "pins.json", "--start", start, "--seconds", 5)
        assert run("solve", puzzle, "--out", tmp_path / "second", *told).code == 0
        second = Layout.from_json((tmp_path / "second" / "layout.json").read_text())
        assert (second.piece[2, 3], second.turn[2, 3]) == (piece, 1)

    def test_the_layout_says_what_the_picture_shows(self, run: Run, tmp_path: Path, puzzle: Path) -> None:
        run("solve", puzzle, "--out", tmp_path / "out")
        text = (tmp_path / "out" / "layout.json").read_text()
        layout, pieces = Layout.from_json(text), read_puzzle(puzzle)
        shown = read_picture(tmp_path / "out" / "reconstruction.png")
        assert np.array_equal(shown, render(layout, pieces))
        # The mark of the quickest way to pack: large photos would else take longer to write than to solve.
        written = (tmp_path / "out" / "reconstruction.png").read_bytes()
        assert written[written.index(b"IDAT") + 4 :].startswith(b"\x78\x01")
        document = strict_json(tmp_path / "out" / "layout.json")
        assert {cell["name"] for cell in document["cells"]} == set(pieces.names)
        assert len(document["joins"]) == len(layout.joins())
        assert all(0 <= join["confidence"] <= 1 for join in document["joins"])

    def test_without_a_truth(self, run: Run, tmp_path: Path) -> None:
        write_puzzle(replace(thinned_puzzle(3, 3, size=16), truth=None), tmp_path / "in.npz")
        ran = run("solve", tmp_path / "in.npz", "--out", tmp_path / "out")
        assert ran.code == 0
        assert set(contents(tmp_path / "out")) == OUTPUTS
        assert set(strict_json(tmp_path / "out" / "result.json")) == ALWAYS
        assert "neighbour" not in ran.out

    def test_no_picture_of_an_earlier_puzzle_stays(self, run: Run, tmp_path: Path, puzzle: Path) -> None:
        write_puzzle(replace(thinned_puzzle(3, 3, size=16), truth=None), tmp_path / "in.npz")
        assert run("solve", puzzle, "--out", tmp_path / "out").code == 0
        assert run("solve", tmp_path / "in.npz", "--out", tmp_path / "out", "--force").code == 0
        assert set(contents(tmp_path / "out")) == OUTPUTS

    def test_a_sheet(self, run: Run, tmp_path: Path) -> None:
        puzzle = thinned_puzzle(3, 4, size=16)
        Image.fromarray(render(Layout(np.arange(12).reshape(3, 4), np.zeros((3, 4), dtype=int)), puzzle)).save(
            tmp_path / "sheet.png"
        )
        options = ("--piece", 16, "--type", 1, "--normalise", "ratio", "--measure", "ssd")
        assert run("solve", tmp_path / "sheet.png", "--out", tmp_path / "out", *options).code == 0
        assert puzzle.truth is not None
        assert np.array_equal(
            read_picture(tmp_path / "out" / "reconstruction.png"),
            render(Layout(puzzle.truth.grid(), np.zeros((3, 4), dtype=int)), puzzle),
        )

    def test_default_names_the_best_there_is(self, run: Run, tmp_path: Path, puzzle: Path) -> None:
        run("solve", puzzle, "--out", tmp_path / "out", "--measure", "default", "--solver", "default")
        result = strict_json(tmp_path / "out" / "result.json")
        assert result["measure"] in {measure.name for measure in list_measures()}
        assert result["solver"] in {solver.name for solver in list_solvers()}

    @pytest.mark.parametrize(
        ("options", "shape"),
        [
            (["--rows", 5, "--cols", 4, "--type", 1], (5, 4)),
            (["--rows", 3, "--cols", 7, "--type", 1], (3, 7)),
            (["--unknown-frame"], None),
            (["--missing"], None),
        ],
    )
    def test_what_is_known_about_the_frame(
        self, run: Run, tmp_path: Path, puzzle: Path, options: list[object], shape: tuple[int, int] | None
    ) -> None:
        assert run("solve", puzzle, "--out", tmp_path / "out", *options).code == 0
        layout = Layout.from_json((tmp_path / "out" / "layout.json").read_text())
        assert sorted(layout.piece[layout.piece >= 0]) == list(range(20))
        assert shape in (None, layout.piece.shape)

    def test_worn_edges_can_be_closed(self, run: Run, tmp_path: Path) -> None:
        write_puzzle(thinned_puzzle(3, 3, size=16, erosion=2), tmp_path / "in")
        assert run("solve", tmp_path / "in", "--out", tmp_path / "out", "--worn", "closed").code == 0
        assert read_picture(tmp_path / "out" / "reconstruction.png").shape == (36, 36, 3)
        assert read_picture(tmp_path / "out" / "joins.png").shape == (48, 48, 3)

    def test_the_same_seed_gives_the_same_bytes_in_another_process_too(
        self, run: Run, tmp_path: Path, puzzle: Path
    ) -> None:
        assert run("solve", puzzle, "--out", tmp_path / "one", "--seed", 4).code == 0
        assert run_apart("solve", puzzle, "--out", tmp_path / "two", "--seed", 4).code == 0
        one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
        assert set(one) == set(two)
        assert all(one[name] == two[name] for name in one if name != "result.json")

    def test_into_the_folder_one_stands_in(
        self, run: Run, tmp_path: Path, puzzle: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "here").mkdir()
        (tmp_path / "here" / "mine.txt").write_text("mine")
        monkeypatch.chdir(tmp_path / "here")
        assert run("solve", puzzle, "--out", ".").code == 0
        assert set(contents(tmp_path / "here")) == OUTPUTS | {"joins.png", "mine.txt"}

    def test_names_that_look_like_markup_are_printed_as_they_are(self, run: Run, tmp_path: Path, puzzle: Path) -> None:
        out = tmp_path / "a[" / "b]:smile:[red]"
        ran = run("solve", puzzle, "--out", out)
        assert ran.code == 0
        assert f"are in {out}." in ran.out
        cut_there = run("cut", built_in_picture(), tmp_path / "x[" / "y]", "--piece", 100)
        assert cut_there.code == 0
        assert "x[/y]" in cut_there.out.replace("\n", "").replace("│", "").replace(" ", "")


class TestScore:
    def test_a_row_for_each_picture(self, run: Run, tmp_path: Path, picture: Path) -> None:
        Image.fromarray(smooth_picture(np.random.default_rng(1), 64, 64)).save(tmp_path / "second.png")
        options = ("--measures", "ssd,mgc", "--normalise", "none,sinkhorn", "--types", "1,2", "--piece", 16)
        ran = run("score", picture, tmp_path / "second.png", *options, "--csv", tmp_path / "top1.csv")
        assert ran.code == 0
        rows = rows_of(tmp_path / "top1.csv")
        assert list(rows[0]) == ["picture", "measure", "normalise", "type", "pieces", "top1"]
        keys = {(row["picture"], row["measure"], row["normalise"], row["type"]) for row in rows}
        assert len(rows) == len(keys) == 2 * 2 * 2 * 2
        assert {(row["picture"], row["pieces"]) for row in rows} == {("picture.png", "20"), ("second.png", "16")}
        assert all(0 <= float(row["top1"]) <= 1 for row in rows)
        printed = {tuple(line.split()[1:8:2]) for line in ran.out.splitlines() if line.startswith("│")}
        for kind in {key[1:] for key in keys}:
            shares = [float(row["top1"]) for row in rows if (row["measure"], row["normalise"], row["type"]) == kind]
            assert (*kind, f"{np.mean(shares):.3f}") in printed

    def test_a_folder_and_the_same_seed(self, run: Run, tmp_path: Path, picture: Path) -> None:
        options = ("--measures", "ssd", "--normalise", "none", "--piece", 16, "--seed", 2)
        for name in ("one.csv", "two.csv"):
            assert run("score", tmp_path, *options, "--csv", tmp_path / "csv" / name).code == 0
        assert (tmp_path / "csv" / "one.csv").read_bytes() == (tmp_path / "csv" / "two.csv").read_bytes()

    def test_the_middle_alone(self, run: Run, tmp_path: Path, picture: Path) -> None:
        options = ("--measures", "ssd", "--normalise", "none", "--piece", 16, "--middle", 3)
        assert run("score", picture, *options, "--csv", tmp_path / "top1.csv").code == 0
        assert {row["pieces"] for row in rows_of(tmp_path / "top1.csv")} == {"9"}

    def test_edges_drawn_at_random_and_all_of_them(self, run: Run, tmp_path: Path, picture: Path) -> None:
        options = ("--measures", "ssd,mgc", "--normalise", "none", "--piece", 16)
        for name, drawn in {"all": (), "many": ("--edges", 1000), "one": ("--edges", 1)}.items():
            assert run("score", picture, *options, *drawn, "--csv", tmp_path / f"{name}.csv").code == 0
        assert (tmp_path / "many.csv").read_bytes() == (tmp_path / "all.csv").read_bytes()
        assert {float(row["top1"]) for row in rows_of(tmp_path / "one.csv")} <= {0.0, 1.0}

    @pytest.mark.parametrize(
        ("options", "fragment"),
        [
            (["--normalise", "none,ten"], "--edges goes with --normalise none"),
            (["--normalise", "none", "--measures", "unified-rerank"], "unified-rerank scores all edges or none"),
        ],
    )
    def test_drawn_edges_are_raw_and_alone(self, run: Run, picture: Path, options: list[str], fragment: str) -> None:
        ran = run("score", picture, "--edges", 4, *options)
        assert ran.code == 2
        assert fragment in ran.err

    def test_without_a_csv_nothing_is_written(self, run: Run, tmp_path: Path, picture: Path) -> None:
        before = contents(tmp_path)
        assert "Mean Top-1" in run("score", picture, "--measures", "ssd", "--piece", 16).out
        assert contents(tmp_path) == before


class TestBench:
    def test_a_row_for_each_picture(self, run: Run, tmp_path: Path, picture: Path) -> None:
        options = ("--normalise", "sinkhorn", "--piece", 16, "--erode", 0, "--csv", tmp_path / "solved.csv")
        assert run("bench", picture, *options).code == 0
        rows = rows_of(tmp_path / "solved.csv")
        assert [row["type"] for row in rows] == ["1", "2"]
        expected = {"picture", "measure", "normalise", "solver", "type", "pieces", "neighbour", "direct", "perfect"}
        assert expected <= set(rows[0])
        assert all((row["neighbour"], row["direct"], row["perfect"]) == ("1.0", "1.0", "1") for row in rows)

    def test_pieces_lost_and_a_size_not_told(self, run: Run, tmp_path: Path, picture: Path) -> None:
        options = ("--solvers", "segments", "--normalise", "sinkhorn", "--piece", 16, "--erode", 0, "--types", 1)
        ran = run("bench", picture, *options, "--drop", 0.1, "--unknown-frame", "--csv", tmp_path / "solved.csv")
        assert ran.code == 0
        (row,) = rows_of(tmp_path / "solved.csv")
        assert (row["pieces"], row["drop"]) == ("18", "0.1")
        assert float(row["neighbour"]) > 0.9

    def test_two_pictures_in_one_heap(self, run: Run, tmp_path: Path, picture: Path) -> None:
        other = tmp_path / "other.png"
        Image.fromarray(smooth_picture(np.random.default_rng(1), 4 * 16, 5 * 16)).save(other)
        options = ("--mixed", 2, "--normalise", "sinkhorn", "--piece", 16, "--erode", 0, "--solvers", "tree,segments")
        assert run("bench", picture, other, *options, "--csv", tmp_path / "mixed.csv").code == 0
        rows = rows_of(tmp_path / "mixed.csv")
        assert [(row["pictures"], row["solver"], row["type"], row["pieces"]) for row in rows] == [
            ("picture.png+other.png", "tree", "1", "40"),
            ("picture.png+other.png", "segments", "1", "40"),
            ("picture.png+other.png", "tree", "2", "40"),
            ("picture.png+other.png", "segments", "2", "40"),
        ]
        assert all(float(row["apart"]) > 0.9 for row in rows)
        assert "too few pictures" in run("bench", picture, *options).err


class TestSolveSeveral:
    def test_each_puzzle_gets_a_folder(self, run: Run, tmp_path: Path, puzzle: Path) -> None:
        out = tmp_path / "solved"
        assert run("solve", puzzle, "--out", out, "--puzzles", 2).code == 0
        placed: list[int] = []
        for number in ("1", "2"):
            assert set(contents(out / number)) >= OUTPUTS
            placed += [place["piece"] for place in strict_json(out / number / "layout.json")["cells"]]
        assert sorted(placed) == list(range(20)), "numbers of the heap, so that a layout fits what was read"
        assert run("solve", puzzle, "--out", out, "--puzzles", 2).code != 0

    @pytest.mark.parametrize("solver", ["tree", "genetic"])
    def test_with_another_solver_too(self, run: Run, tmp_path: Path, puzzle: Path, solver: str) -> None:
        out, options = tmp_path / "solved", ("--solver", solver, "--generations", 1)
        assert run("solve", puzzle, "--out", out, "--puzzles", 2, *options).code == 0
        assert [strict_json(out / number / "result.json")["solver"] for number in ("1", "2")] == [solver, solver]

    def test_pins_are_kept_and_layouts_begun_from(self, run: Run, tmp_path: Path, puzzle: Path) -> None:
        out, pins = tmp_path / "solved", tmp_path / "pins.json"
        join = {"piece": 0, "side": "right", "to": 13, "to_side": "left"}
        pins.write_text(json.dumps({"format": "tenjigsaw pins 1", "joined": [join]}))
        assert run("solve", puzzle, "--out", out, "--puzzles", 2, "--pins", pins).code == 0
        joins = [Layout.from_json((out / number / "layout.json").read_text()).joins() for number in ("1", "2")]
        assert (4 * 0 + 1, 4 * 13 + 3) in {
            (min(a, b), max(a, b)) for each in joins for a, b in zip(each.one, each.other, strict=True)
        }
        starts = [word for number in ("1", "2") for word in ("--start", out / number / "layout.json")]
        assert run("solve", puzzle, "--out", tmp_path / "more", "--puzzles", 2, *starts).code == 0
        ran = run("solve", puzzle, "--out", tmp_path / "one", "--puzzles", 2, *starts[:2])
        assert ran.sentence == "A heap of 2 puzzles can start from as many layouts, not from 1."
        ran = run("solve", puzzle, "--out", tmp_path / "one", *starts)
        assert ran.sentence == "One puzzle can start from one layout, not from 2."


def test_the_second_look_has_the_card_of_its_model(run: Run) -> None:
    assert run("models", "unified-rerank").out == run("models", "unified").out
