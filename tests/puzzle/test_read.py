"""Puzzles come back from disk as they went there; anything else is a puzzle or one sentence."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from commands import contents
from drawing import noise_picture, thinned_puzzle
from reading import puzzle_or_refusal, refusal
from tenjigsaw.errors import InputError
from tenjigsaw.puzzle import Puzzle, cut, read_puzzle, write_puzzle
from tenjigsaw.puzzle.description import FORMAT
from tenjigsaw.puzzle.folder import pictures_in, unreadable_photos

MANY = settings(max_examples=3 * settings.default.max_examples)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all examples of a property share."""
    return tmp_path_factory.mktemp("read")


def same(one: Puzzle, other: Puzzle, names: bool = True) -> bool:
    def facts(puzzle: Puzzle) -> list[Any]:
        truth = puzzle.truth
        places = None if truth is None else (truth.rows, truth.cols, *map(list, (truth.row, truth.col, truth.turn)))
        return [puzzle.erosion, puzzle.turned, puzzle.frame, places, puzzle.names if names else ()]

    return np.array_equal(one.pieces, other.pieces) and facts(one) == facts(other)


@st.composite
def small_puzzles(draw: st.DrawFn) -> Puzzle:
    size = draw(st.integers(8, 10))
    puzzle = thinned_puzzle(
        rows=draw(st.integers(1, 4)),
        cols=draw(st.integers(2, 4)),
        size=size,
        erosion=draw(st.integers(0, (size - 4) // 2)),
        turned=draw(st.booleans()),
        lost=draw(st.sampled_from([0.0, 0.3])),
        seed=draw(st.integers(0, 99)),
    )
    letters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
    name = st.text(letters, max_size=5)
    names = draw(st.none() | st.lists(name, min_size=puzzle.count, max_size=puzzle.count))
    return replace(
        puzzle,
        frame=draw(st.sampled_from([puzzle.frame, None])),
        truth=draw(st.sampled_from([puzzle.truth, None])),
        names=tuple(names or ()),
    )


class TestRoundTrips:
    @given(puzzle=small_puzzles())
    def test_of_an_archive(self, place: Path, puzzle: Puzzle) -> None:
        write_puzzle(puzzle, place / "trip.npz", force=True)
        assert same(read_puzzle(place / "trip.npz"), puzzle)

    @given(puzzle=small_puzzles())
    def test_of_a_folder(self, place: Path, puzzle: Puzzle) -> None:
        write_puzzle(puzzle, place / "trip", force=True)
        back = read_puzzle(place / "trip")
        assert same(back, puzzle, names=False)
        assert back.names == tuple(sorted(path.name for path in (place / "trip").glob("*.png")))

    @pytest.mark.parametrize("name", ["a.npz", "a.NPZ", "a"])
    def test_the_same_puzzle_gives_the_same_bytes(self, tmp_path: Path, name: str) -> None:
        for copy in ("one", "two"):
            write_puzzle(thinned_puzzle(turned=True), tmp_path / copy / name)
        assert contents(tmp_path / "one") == contents(tmp_path / "two")
        assert same(read_puzzle(tmp_path / "one" / name), thinned_puzzle(turned=True), names=False)

    def test_paths_may_be_text(self, tmp_path: Path) -> None:
        write_puzzle(thinned_puzzle(), str(tmp_path / "a"))
        assert same(read_puzzle(str(tmp_path / "a")), thinned_puzzle(), names=False)


class TestWriting:
    @pytest.mark.parametrize("name", ["a", "a.npz"])
    def test_an_existing_puzzle_is_kept_unless_forced(self, tmp_path: Path, name: str) -> None:
        write_puzzle(thinned_puzzle(seed=1), tmp_path / name)
        before = contents(tmp_path)
        with pytest.raises(InputError, match="exists already; add --force"):
            write_puzzle(thinned_puzzle(seed=2), tmp_path / name)
        assert contents(tmp_path) == before
        write_puzzle(thinned_puzzle(seed=2), tmp_path / name, force=True)
        assert same(read_puzzle(tmp_path / name), thinned_puzzle(seed=2), names=False)

    def test_a_smaller_puzzle_takes_the_place_of_a_larger_one(self, tmp_path: Path) -> None:
        write_puzzle(thinned_puzzle(4, 4), tmp_path / "a")
        write_puzzle(thinned_puzzle(1, 3), tmp_path / "a", force=True)
        names = {"piece-0.png", "piece-1.png", "piece-2.png", "puzzle.json"}
        assert set(contents(tmp_path / "a")) == names

    def test_pictures_of_other_names_are_never_removed(self, tmp_path: Path) -> None:
        pictures_in_folder(tmp_path / "a", ["vase.png", "bowl.png"])
        listed = [{"file": "vase.png"}, {"file": "bowl.png"}, {"file": "puzzle.json"}]
        (tmp_path / "a" / "puzzle.json").write_text(json.dumps({"format": FORMAT, "pieces": listed}))
        write_puzzle(thinned_puzzle(), tmp_path / "a", force=True)
        assert {"vase.png", "bowl.png", "puzzle.json"} <= set(contents(tmp_path / "a"))


def pictures_in_folder(folder: Path, names: list[str], size: int = 8) -> None:
    folder.mkdir(exist_ok=True)
    for number, name in enumerate(names):
        Image.fromarray(np.full((size, size, 3), number, dtype=np.uint8)).save(folder / name)


def described(folder: Path, **document: Any) -> Path:
    """A folder of four pictures with this description."""
    pictures_in_folder(folder, [f"{i}.png" for i in range(4)])
    (folder / "puzzle.json").write_text(json.dumps({"format": FORMAT} | document))
    return folder


class TestFolders:
    def test_natural_order(self, tmp_path: Path) -> None:
        names = ["piece-1.png", "piece-2.png", "piece-10.png", "piece-100.png", "quite-0.png"]
        pictures_in_folder(tmp_path, names)
        puzzle = read_puzzle(tmp_path)
        assert list(puzzle.names) == names
        assert puzzle.pieces[:, 0, 0, 0].tolist() == [0, 1, 2, 3, 4]

    def test_names_that_differ_in_zeros_only_have_one_order(self, tmp_path: Path) -> None:
        names = ["1.png", "01.png", "001.png", "0001.png"]
        pictures_in_folder(tmp_path, names)
        assert list(read_puzzle(tmp_path).names) == sorted(names)

    def test_all_kinds_of_pictures_together(self, tmp_path: Path) -> None:
        colours = Image.fromarray(noise_picture(8, 8))
        colours.save(tmp_path / "1.png")
        colours.convert("L").save(tmp_path / "2.BMP")
        colours.convert("RGBA").save(tmp_path / "3.webp", lossless=True)
        colours.quantize(16).save(tmp_path / "4.gif")
        Image.fromarray(np.full((8, 8), 257 * 5, dtype=np.uint16)).save(tmp_path / "5.tif")
        puzzle = read_puzzle(tmp_path)
        assert puzzle.count == 5
        assert np.array_equal(puzzle.pieces[0], noise_picture(8, 8))
        assert (puzzle.pieces[4] == 5).all()
        assert (puzzle.erosion, puzzle.turned, puzzle.frame, puzzle.truth) == (0, False, None, None)

    def test_what_is_no_picture_by_its_ending_is_passed_over(self, tmp_path: Path) -> None:
        pictures_in_folder(tmp_path, ["a.png", "b.png"])
        for name in ("notes.txt", "scan.pdf", ".hidden.png", "README"):
            (tmp_path / name).write_text("not a picture")
        (tmp_path / "folder.png").mkdir()
        assert read_puzzle(tmp_path).names == ("a.png", "b.png")

    def test_an_empty_folder(self, tmp_path: Path) -> None:
        assert f"The folder {tmp_path} holds no pictures" in refusal(tmp_path)

    def test_a_folder_of_photos_that_can_not_be_read(self, tmp_path: Path) -> None:
        for number in range(1, 11):
            (tmp_path / f"IMG_{number}.HEIC").touch()
        told = (
            "holds no pictures that can be read; convert IMG_1.HEIC, IMG_2.HEIC, IMG_3.HEIC and 7 more to PNG or JPEG."
        )
        assert told in refusal(tmp_path)

    def test_a_photo_that_a_plugin_can_read_is_a_picture(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "a.HEIC").touch()
        assert unreadable_photos(tmp_path) == ["a.HEIC"]
        monkeypatch.setitem(Image.EXTENSION, ".heic", "PNG")
        assert unreadable_photos(tmp_path) == []
        assert [path.name for path in pictures_in(tmp_path)] == ["a.HEIC"]

    def test_one_picture(self, tmp_path: Path) -> None:
        pictures_in_folder(tmp_path, ["a.png"])
        assert "at least two pieces, and there is only one" in refusal(tmp_path)

    def test_unequal_sizes_are_named(self, tmp_path: Path) -> None:
        pictures_in_folder(tmp_path, ["a.png", "b.png"])
        Image.new("RGB", (9, 9)).save(tmp_path / "c.png")
        assert "c.png is 9 pixels wide but a.png is 8: pieces must be equal" in refusal(tmp_path)

    def test_a_picture_that_is_not_square_is_named(self, tmp_path: Path) -> None:
        pictures_in_folder(tmp_path, ["a.png", "b.png"])
        Image.new("RGB", (8, 9)).save(tmp_path / "c.png")
        assert "c.png is 8 x 9 pixels, but pieces must be square" in refusal(tmp_path)

    def test_a_picture_that_can_not_be_read_is_named(self, tmp_path: Path) -> None:
        pictures_in_folder(tmp_path, ["a.png", "c.png"])
        (tmp_path / "b.png").write_text("not a picture")
        assert str(tmp_path / "b.png") in refusal(tmp_path)

    def test_a_missing_puzzle(self, tmp_path: Path) -> None:
        assert f"There is no puzzle at {tmp_path / 'none'}" in refusal(tmp_path / "none")


class TestDescriptions:
    def test_the_listed_order_counts(self, tmp_path: Path) -> None:
        folder = described(tmp_path, pieces=[{"file": "2.png"}, {"file": "0.png"}], erosion=1, turned=True)
        puzzle = read_puzzle(folder)
        assert puzzle.names == ("2.png", "0.png")
        assert puzzle.pieces[:, 0, 0, 0].tolist() == [2, 0]
        assert (puzzle.erosion, puzzle.turned) == (1, True)

    def test_without_a_list_the_natural_order_counts(self, tmp_path: Path) -> None:
        assert read_puzzle(described(tmp_path, frame=[2, 2])).names == ("0.png", "1.png", "2.png", "3.png")

    def test_an_unknown_key(self, tmp_path: Path) -> None:
        assert "unknown key 'erode'" in refusal(described(tmp_path, erode=1))

    @pytest.mark.parametrize(
        "name", ["../x.png", "/etc/passwd", "a/b.png", "..\\x.png", "..", ".", "", "nul\0.png", 7, None, ["0.png"]]
    )
    def test_files_elsewhere_are_out_of_reach(self, tmp_path: Path, name: Any) -> None:
        pictures_in_folder(tmp_path, ["x.png"])
        pieces = [{"file": "0.png"}, {"file": name}]
        assert "a file in the same folder" in refusal(described(tmp_path / "in", pieces=pieces))

    def test_a_file_that_is_listed_twice(self, tmp_path: Path) -> None:
        pieces = [{"file": "0.png"}, {"file": "1.png"}, {"file": "2.png"}, {"file": "1.png"}]
        assert "puzzle.json: \"pieces\" lists the file '1.png' twice" in refusal(described(tmp_path, pieces=pieces))

    def test_a_listed_picture_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        pieces = [{"file": "0.png"}, {"file": "gone.png"}]
        assert "puzzle.json lists gone.png, which is not there" in refusal(described(tmp_path, pieces=pieces))

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            *(("erosion", value) for value in ["1", 1.0, True, None, -1, [], float("nan"), 10**30, [[[0]] * 99] * 99]),
            *(("turned", value) for value in [0, 1, "yes", None, float("nan")]),
            *(
                ("frame", value)
                for value in [4, [4], [1, 2, 3], "2x2", {"rows": 2}, [2.0, 2], [True, 4], [10**9, 10**9]]
            ),
            *(("truth", value) for value in [4, [4], [-2, -2], [2**31, 1], [10**9, 10**9]]),
            *(
                ("pieces", value)
                for value in [0, 1, "0.png", {}, None, ["0.png"], [[]], [{}], [{"file": float("nan")}]]
            ),
        ],
    )
    def test_values_of_the_wrong_kind(self, tmp_path: Path, key: str, value: Any) -> None:
        sentence = refusal(described(tmp_path, **{key: value}))
        assert key in sentence or key in ("truth", "pieces", "frame")
        assert len(sentence) < 400

    def test_a_truth_without_places(self, tmp_path: Path) -> None:
        pieces = [{"file": f"{i}.png"} for i in range(4)]
        assert '"row" must be a whole number' in refusal(described(tmp_path, truth=[2, 2], pieces=pieces))

    @pytest.mark.parametrize(
        "text",
        ["", "{", "[]", "null", "NaN", '{"format": 1}', "1" * 5000, "[" * 100_000, "\ufeff{}", '{"format": "x"}'],
    )
    def test_texts_that_are_no_description(self, tmp_path: Path, text: str) -> None:
        described(tmp_path)
        (tmp_path / "puzzle.json").write_text(text)
        assert str(tmp_path / "puzzle.json") in refusal(tmp_path)

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        described(tmp_path)
        (tmp_path / "puzzle.json").write_bytes(b"\xff\xfe{}")
        assert "is not valid JSON" in refusal(tmp_path)

    def test_nesting_as_deep_as_json_goes(self, tmp_path: Path) -> None:
        described(tmp_path)
        for depth in range(900, 1000):
            text = f'{{"format": "{FORMAT}", "erosion": {"[" * depth}{"]" * depth}}}'
            (tmp_path / "puzzle.json").write_text(text)
            refusal(tmp_path)


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
small = st.integers(-1, 5)
sometimes_wrong = st.one_of(small, small, small, any_json)
entries = st.fixed_dictionaries(
    {"file": st.sampled_from(["0.png", "1.png", "2.png", "3.png", "none.png", "../0.png"]) | any_json},
    optional={"row": sometimes_wrong, "col": sometimes_wrong, "turn": sometimes_wrong, "extra": any_json},
)
documents = st.fixed_dictionaries(
    {"format": st.just(FORMAT)},
    optional={
        "erosion": sometimes_wrong,
        "turned": st.booleans() | any_json,
        "frame": st.tuples(small, small) | any_json,
        "truth": st.tuples(small | st.integers(0, 2**40), small | st.integers(0, 2**40)) | any_json,
        "pieces": st.lists(entries, max_size=4) | any_json,
    },
)


@pytest.fixture(scope="module")
def folder(place: Path) -> Path:
    return described(place / "described")


@MANY
@given(document=documents | any_json)
def test_any_description_is_read_or_refused(folder: Path, document: Any) -> None:
    (folder / "puzzle.json").write_text(json.dumps(document))
    puzzle_or_refusal(folder)


@given(data=st.binary(max_size=100) | st.text(max_size=100).map(lambda text: text.encode("utf-8", "ignore")))
def test_any_bytes_as_description_are_read_or_refused(folder: Path, data: bytes) -> None:
    (folder / "puzzle.json").write_bytes(data)
    puzzle_or_refusal(folder)


class TestSheets:
    def test_a_sheet_is_cut_and_its_order_is_no_truth(self, tmp_path: Path) -> None:
        Image.fromarray(noise_picture(16, 24)).save(tmp_path / "a.png")
        puzzle = read_puzzle(tmp_path / "a.png", piece=8)
        assert np.array_equal(puzzle.pieces, cut(noise_picture(16, 24), 8).pieces)
        assert (puzzle.frame, puzzle.truth) == ((2, 3), None)

    def test_the_piece_size_must_be_told(self, tmp_path: Path) -> None:
        Image.fromarray(noise_picture(16, 24)).save(tmp_path / "a.png")
        assert "say how wide its pieces are with --piece" in refusal(tmp_path / "a.png")

    def test_a_sheet_must_be_a_whole_number_of_pieces(self, tmp_path: Path) -> None:
        Image.fromarray(noise_picture(16, 25)).save(tmp_path / "a.png")
        assert "25 x 16 pixels, which is not a whole number of 8-pixel pieces" in refusal(tmp_path / "a.png", 8)

    @pytest.mark.parametrize("piece", [0, -8, 7])
    def test_tiny_pieces(self, tmp_path: Path, piece: int) -> None:
        Image.fromarray(noise_picture(16, 24)).save(tmp_path / "a.png")
        assert "at least 8 pixels wide" in refusal(tmp_path / "a.png", piece)
