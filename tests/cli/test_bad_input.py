"""Whatever a user can do wrong ends in one sentence, exit code 2, and a disk as it was before."""

import json
import resource
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commands import Ran, Run, contents, run_apart
from drawing import noise_picture, thinned_puzzle
from tenjigsaw.layout import Layout
from tenjigsaw.puzzle import write_puzzle
from tenjigsaw.puzzle.description import FORMAT

Case = Callable[[Path], tuple[list[object], str]]


def save(path: Path, height: int = 48, width: int = 64) -> Path:
    Image.fromarray(noise_picture(height, width)).save(path)
    return path


def forged(path: Path, width: int, height: int) -> Path:
    """A small PNG whose header claims other sizes; its checksum is right."""
    import zlib

    data = bytearray(save(path).read_bytes())
    data[16:24] = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    path.write_bytes(data)
    return path


def truncated(path: Path) -> Path:
    whole = save(path).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    return path


def text(path: Path) -> Path:
    path.write_text("I am a picture, honestly.\n")
    return path


def folder(path: Path, *sizes: tuple[int, int]) -> Path:
    path.mkdir()
    for number, size in enumerate(sizes):
        save(path / f"{number}.png", *size)
    return path


def layout_file(folder: Path) -> Path:
    """A layout of a puzzle that has at least a thousand pieces."""
    path = folder / "layout.json"
    path.write_text(Layout(np.array([[999]]), np.array([[0]])).to_json())
    return path


def puzzle(path: Path, **options: int) -> Path:
    write_puzzle(thinned_puzzle(3, 4, **options), path)
    return path


def with_nan(path: Path) -> Path:
    pieces = np.zeros((4, 8, 8, 3))
    pieces[1, 2, 3] = np.nan
    np.savez(path, pieces=pieces)
    return path


def float_picture_with_nan(path: Path) -> Path:
    pixels = np.zeros((64, 64), dtype=np.float32)
    pixels[5, 5] = np.nan
    Image.fromarray(pixels).save(path)
    return path


def described(path: Path, **document: object) -> Path:
    folder(path, (8, 8), (8, 8))
    (path / "puzzle.json").write_text(json.dumps({"format": FORMAT} | document))
    return path


# What is wrong with a picture: the path and what the sentence must hold.
PICTURES: dict[str, Callable[[Path], tuple[Path, str]]] = {
    "missing": lambda at: (at / "none.png", "There is no picture at"),
    "text": lambda at: (text(at / "a.png"), "a.png can't be read: it is not a picture"),
    "truncated": lambda at: (truncated(at / "a.jpg"), "a.jpg can't be read: image file is truncated"),
    "bomb": lambda at: (forged(at / "a.png", 100_000, 100_000), "a.png claims more than 150,000,000 pixels"),
    "smaller bomb": lambda at: (forged(at / "a.png", 13_000, 13_000), "a.png claims 13000 x 13000 pixels"),
    "nan": lambda at: (float_picture_with_nan(at / "a.tif"), "a.tif has pixels that are not a number"),
    "one piece": lambda at: (save(at / "a.png", 30, 50), "50 x 30 pixels gives fewer than two pieces of 28"),
    "no piece": lambda at: (save(at / "a.png", 20, 20), "20 x 20 pixels gives fewer than two pieces of 28"),
}

PUZZLES: dict[str, Case] = {
    "missing": lambda at: ([at / "none"], "There is no puzzle at"),
    "no pieces": lambda at: ([folder(at / "a")], "a holds no pictures"),
    "one piece": lambda at: ([folder(at / "a", (8, 8))], "at least two pieces, and there is only one"),
    "unequal": lambda at: ([folder(at / "a", (8, 8), (9, 9))], "1.png is 9 pixels wide but 0.png is 8"),
    "not square": lambda at: ([folder(at / "a", (8, 8), (8, 9))], "1.png is 9 x 8 pixels, but pieces must be square"),
    "tiny": lambda at: ([folder(at / "a", (7, 7), (7, 7))], "at least 8 pixels wide, not 7"),
    "text inside": lambda at: ([text(folder(at / "a", (8, 8)) / "1.png").parent], "1.png can't be read"),
    "bomb inside": lambda at: ([forged(folder(at / "a", (8, 8)) / "1.png", 10**5, 10**5).parent], "1.png claims"),
    "truncated inside": lambda at: ([truncated(folder(at / "a", (8, 8)) / "1.jpg").parent], "1.jpg can't be read"),
    "nan": lambda at: ([with_nan(at / "a.npz")], "a.npz: the pieces hold values that are not a number"),
    "no archive": lambda at: ([text(at / "a.npz")], "a.npz is not a puzzle archive"),
    "worn away": lambda at: ([puzzle(at / "a"), "--erode", 3], "erosion of 3 pixels leaves 2 of a 8-pixel piece"),
    "described as worn away": lambda at: ([described(at / "a", erosion=4)], "erosion of 4 pixels leaves 0"),
    "huge truth": lambda at: (
        [
            described(
                at / "a",
                truth=[10**9, 10**9],
                pieces=[{"file": f"{i}.png", "row": i, "col": 0, "turn": 0} for i in range(2)],
            )
        ],
        "far too large",
    ),
    "unknown key": lambda at: ([described(at / "a", erode=1)], "puzzle.json has an unknown key 'erode'"),
    "reaching elsewhere": lambda at: (
        [described(at / "a", pieces=[{"file": "../b.png"}])],
        "a file in the same folder, not '../b.png'",
    ),
    "sheet without a size": lambda at: ([save(at / "a.png")], "say how wide its pieces are with --piece"),
    "sheet of another size": lambda at: ([save(at / "a.png"), "--piece", 9], "not a whole number of 9-pixel pieces"),
    "unknown measure": lambda at: ([puzzle(at / "a"), "--measure", "psychic"], "no measure called 'psychic'"),
    "unknown normalise": lambda at: ([puzzle(at / "a"), "--normalise", "odd"], "'odd'"),
    "no seconds at all": lambda at: ([puzzle(at / "a"), "--seconds", 0], "number above 0"),
    "no such pins": lambda at: ([puzzle(at / "a"), "--pins", at / "pins.json"], "can't be read: no such file"),
    "pins that are a picture": lambda at: ([puzzle(at / "a"), "--pins", save(at / "pins.png")], "not a text file"),
    "pins that are a layout": lambda at: (
        [puzzle(at / "a"), "--pins", layout_file(at)],
        f"{at / 'layout.json'}: The file holds no pins",
    ),
    "a start of another puzzle": lambda at: ([puzzle(at / "a"), "--start", layout_file(at)], "holds piece 999"),
    "unknown solver": lambda at: ([puzzle(at / "a"), "--solver", "magic"], "no solver called 'magic'"),
    "unknown wear": lambda at: ([puzzle(at / "a"), "--worn", "glossy"], "called 'glossy'; choose from"),
    "rows alone": lambda at: ([puzzle(at / "a"), "--rows", 3], "both the rows and the columns"),
    "cols alone": lambda at: ([puzzle(at / "a"), "--cols", 3], "both the rows and the columns"),
    "frame too small": lambda at: ([puzzle(at / "a"), "--rows", 2, "--cols", 5], "too few for 12 pieces"),
    "frame too large": lambda at: ([puzzle(at / "a"), "--rows", 10**6, "--cols", 10**6], "far too large"),
}

CUTS: dict[str, tuple[list[object], str]] = {
    "tiny": (["--piece", 7], "at least 8 pixels wide, not 7"),
    "no piece size": (["--piece", 0], "at least 8 pixels wide, not 0"),
    "worn away": (["--piece", 8, "--erode", 3], "erosion of 3 pixels leaves 2 of a 8-pixel piece"),
    "grown": (["--erode", -1, "--piece", 8], "erosion can't be negative"),
    "unknown wear": (["--piece", 8, "--wear", "acid"], "no wear called 'acid'; choose from frame, ragged, fade"),
    "drop all": (["--piece", 8, "--drop", 1], "at least 0 and below 1, not 1.0"),
    "drop too many": (["--piece", 8, "--drop", 0.98], "leaves fewer than two"),
    "drop fewer than none": (["--piece", 8, "--drop", -0.1], "at least 0 and below 1, not -0.1"),
    "drop no number": (["--piece", 8, "--drop", "nan"], "at least 0 and below 1, not nan"),
}

LISTS: dict[str, tuple[list[object], str]] = {
    "measures": (["--measures", "ssd,psychic"], "no measure called 'psychic'"),
    "normalise": (["--normalise", "none,odd"], "'odd'"),
    "types": (["--types", "1,3"], "no puzzle type '3'"),
    "no types": (["--types", ","], "--types needs at least one name"),
    "no measures": (["--measures", ""], "--measures needs at least one name"),
    "worn away": (["--piece", 8, "--erode", 3], "erosion of 3 pixels"),
    "below nothing": (["--piece", -5], "at least 8 pixels wide, not -5"),
    "huge": (["--piece", 99999999], "64 x 48 pixels gives fewer than two pieces of 99999999 pixels"),
}


def refused(ran: Ran, fragment: str) -> None:
    assert ran.code == 2
    assert fragment in ran.sentence
    assert ran.out == ""


class TestRefusals:
    @pytest.mark.parametrize("case", PICTURES)
    @pytest.mark.parametrize("command", ["cut", "score", "bench"])
    def test_pictures(self, run: Run, tmp_path: Path, command: str, case: str) -> None:
        picture, fragment = PICTURES[case](tmp_path)
        before = contents(tmp_path)
        out = [tmp_path / "x" / "out"] if command == "cut" else ["--csv", tmp_path / "x" / "out.csv"]
        refused(run(command, picture, *out), fragment)
        assert contents(tmp_path) == before

    @pytest.mark.parametrize("case", PUZZLES)
    def test_puzzles(self, run: Run, tmp_path: Path, case: str) -> None:
        arguments, fragment = PUZZLES[case](tmp_path)
        before = contents(tmp_path)
        refused(run("solve", *arguments, "--out", tmp_path / "x" / "out"), fragment)
        assert contents(tmp_path) == before

    def test_results_in_the_folder_of_the_puzzle(self, run: Run, tmp_path: Path) -> None:
        write_puzzle(thinned_puzzle(2, 3, size=16), tmp_path / "in")
        before = contents(tmp_path)
        refused(run("solve", tmp_path / "in", "--out", tmp_path / "in"), "the puzzle's own folder")
        assert contents(tmp_path) == before

    @pytest.mark.parametrize("case", CUTS)
    def test_ways_to_cut(self, run: Run, tmp_path: Path, case: str) -> None:
        options, fragment = CUTS[case]
        picture = save(tmp_path / "a.png")
        before = contents(tmp_path)
        refused(run("cut", picture, tmp_path / "out", *options), fragment)
        assert contents(tmp_path) == before

    @pytest.mark.parametrize("case", LISTS)
    @pytest.mark.parametrize("command", ["score", "bench"])
    def test_lists_of_names(self, run: Run, tmp_path: Path, command: str, case: str) -> None:
        options, fragment = LISTS[case]
        picture = save(tmp_path / "a.png")
        before = contents(tmp_path)
        refused(run(command, picture, *options, "--csv", tmp_path / "out.csv"), fragment)
        assert contents(tmp_path) == before

    def test_an_unknown_solver_in_a_list(self, run: Run, tmp_path: Path) -> None:
        refused(run("bench", save(tmp_path / "a.png"), "--solvers", "tree,magic"), "no solver called 'magic'")

    def test_a_folder_without_pictures(self, run: Run, tmp_path: Path) -> None:
        refused(run("score", tmp_path), f"There are no pictures in {tmp_path}")

    def test_one_bad_picture_among_good_ones_is_named_and_no_csv_is_left(self, run: Run, tmp_path: Path) -> None:
        folder(tmp_path / "all", (56, 56), (20, 20))
        ran = run("score", tmp_path / "all", "--measures", "ssd", "--csv", tmp_path / "out.csv")
        refused(ran, "1.png: A picture of 20 x 20 pixels gives fewer than two pieces")
        assert not (tmp_path / "out.csv").exists()

    @pytest.mark.parametrize(
        ("arguments", "fragment"),
        [
            (["solve", "a", "--out", "x", "--type", 3], "Invalid value for '--type'"),
            (["solve", "a", "--out", "x", "--seed", -1], "Invalid value for '--seed'"),
            (["solve", "a", "--out", "x", "--rows", 0, "--cols", 4], "Invalid value for '--rows'"),
            (["solve", "a"], "Missing option"),
            (["cut", "a.png"], "Missing argument"),
            (["cut", "a.png", "x", "--drop", "many"], "Invalid value for '--drop'"),
            (["solve", "a", "--out", "x", "--colour", "red"], "No such option"),
            (["unscramble"], "No such command"),
        ],
    )
    def test_options_that_there_are_not(
        self,
        run: Run,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        arguments: list[object],
        fragment: str,
    ) -> None:
        puzzle(tmp_path / "a")
        save(tmp_path / "a.png")
        monkeypatch.chdir(tmp_path)
        before = contents(tmp_path)
        ran = run(*arguments)
        assert ran.code == 2
        assert fragment in ran.err
        assert "Traceback" not in ran.err
        assert contents(tmp_path) == before


# Every command that writes, with the option or argument that says where.
WRITERS: dict[str, Callable[[Path, Path], list[object]]] = {
    "demo": lambda at, out: ["demo", "--out", out],
    "cut": lambda at, out: ["cut", save(at / "a.png"), out],
    "solve": lambda at, out: ["solve", puzzle(at / "a"), "--out", out],
}
FILE_WRITERS: dict[str, Callable[[Path, Path], list[object]]] = {
    "cut": lambda at, out: ["cut", save(at / "a.png"), out.with_suffix(".npz")],
    "score": lambda at, out: ["score", save(at / "a.png"), "--measures", "ssd", "--csv", out.with_suffix(".csv")],
    "bench": lambda at, out: ["bench", save(at / "a.png"), "--csv", out.with_suffix(".csv")],
}


class TestNothingIsOverwritten:
    @pytest.mark.parametrize("command", WRITERS)
    def test_results_in_a_folder(self, run: Run, tmp_path: Path, command: str) -> None:
        arguments = WRITERS[command](tmp_path, tmp_path / "out")
        assert run(*arguments).code == 0
        (tmp_path / "out" / "mine.txt").write_text("mine")
        before = contents(tmp_path)
        refused(run(*arguments), "exists already; add --force to overwrite it")
        assert contents(tmp_path) == before
        for path in (tmp_path / "out").glob("*.json"):
            path.write_text("stale")
        assert run(*arguments, "--force").code == 0
        after = contents(tmp_path)
        assert set(after) == set(before)
        assert b"stale" not in after.values()
        assert after["out/mine.txt"] == b"mine"

    @pytest.mark.parametrize("name", ["reconstruction.png", "layout.json", "confidence.png", "result.json"])
    def test_one_file_of_the_same_name_is_enough(self, run: Run, tmp_path: Path, name: str) -> None:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / name).write_text("mine")
        arguments = WRITERS["solve"](tmp_path, tmp_path / "out")
        before = contents(tmp_path)
        refused(run(*arguments), f"{name} exists already")
        assert contents(tmp_path) == before

    def test_a_single_piece_of_the_same_name(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "piece-1.png").write_text("mine")
        arguments = WRITERS["cut"](tmp_path, tmp_path / "out")
        before = contents(tmp_path)
        refused(run(*arguments, "--piece", 16, "--drop", 0.3), "piece-1.png exists already")
        assert contents(tmp_path) == before

    @pytest.mark.parametrize("command", FILE_WRITERS)
    def test_single_files(self, run: Run, tmp_path: Path, command: str) -> None:
        arguments = FILE_WRITERS[command](tmp_path, tmp_path / "out")
        Path(str(arguments[-1])).write_text("mine")
        before = contents(tmp_path)
        refused(run(*arguments, "--piece", 16), "exists already; add --force")
        assert contents(tmp_path) == before
        assert run(*arguments, "--piece", 16, "--force").code == 0
        assert contents(tmp_path).keys() == before.keys()
        assert b"mine" not in contents(tmp_path).values()


class TestPlacesThatCanNotBeWrittenTo:
    @pytest.mark.parametrize("command", WRITERS)
    def test_a_file_where_the_folder_should_be(self, run: Run, tmp_path: Path, command: str) -> None:
        (tmp_path / "out").write_text("mine")
        arguments = WRITERS[command](tmp_path, tmp_path / "out")
        before = contents(tmp_path)
        refused(run(*arguments, "--force"), "out is a file, but a folder is needed there")
        assert contents(tmp_path) == before

    @pytest.mark.parametrize("writers", [WRITERS, FILE_WRITERS], ids=["folders", "files"])
    @pytest.mark.parametrize("below", ["out", "deeper/out"])
    def test_a_file_on_the_way(self, run: Run, tmp_path: Path, writers: dict, below: str) -> None:
        (tmp_path / "file").write_text("mine")
        for number, arguments in enumerate(writers.values()):
            (tmp_path / str(number)).mkdir()
            command = arguments(tmp_path / str(number), tmp_path / "file" / below)
            before = contents(tmp_path)
            refused(run(*command), "file is a file, but a folder is needed there")
            assert contents(tmp_path) == before

    @pytest.mark.parametrize("writers", [WRITERS, FILE_WRITERS], ids=["folders", "files"])
    def test_a_system_that_refuses(self, run: Run, tmp_path: Path, writers: dict) -> None:
        for number, arguments in enumerate(writers.values()):
            (tmp_path / str(number)).mkdir()
            refused(run(*arguments(tmp_path / str(number), Path("/proc/out"))), "Nothing can be written to /proc: ")

    @pytest.mark.parametrize("writers", [WRITERS, FILE_WRITERS], ids=["folders", "files"])
    def test_a_read_only_folder(self, run: Run, tmp_path: Path, read_only: Path, writers: dict) -> None:
        for number, arguments in enumerate(writers.values()):
            (tmp_path / str(number)).mkdir()
            command = arguments(tmp_path / str(number), read_only / "out")
            refused(run(*command), "read-only: permission denied")
        assert contents(read_only) == {}


def remove_all_but(kept: Iterable[str], folder: Path) -> None:
    for name in sorted(set(contents(folder)) - set(kept), reverse=True):
        path = folder / name
        path.rmdir() if path.is_dir() else path.unlink()


class TestFullDisk:
    """The system lets no file grow beyond a few bytes; writing then fails half-way as on a full disk."""

    @staticmethod
    def small_files_only(size: int) -> Callable[[], None]:
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    @pytest.mark.parametrize(
        ("writers", "command", "size"),
        [
            (WRITERS, "cut", 700),
            (FILE_WRITERS, "cut", 5000),
            (WRITERS, "solve", 1500),
            (FILE_WRITERS, "score", 100),
            (FILE_WRITERS, "bench", 100),
        ],
        ids=["cut folder", "cut archive", "solve", "score", "bench"],
    )
    @pytest.mark.parametrize("force", [False, True])
    def test_nothing_is_left_and_nothing_is_lost(
        self, run: Run, tmp_path: Path, writers: dict, command: str, size: int, force: bool
    ) -> None:
        arguments = [*writers[command](tmp_path, tmp_path / "out"), "--force"]
        if command != "solve":
            arguments += ["--piece", 16]
        given = contents(tmp_path)
        assert run(*arguments).code == 0  # compiled kernels are on disk now, so that only the result needs room
        if not force:
            remove_all_but(given, tmp_path)
        before = contents(tmp_path)
        ran = run_apart(*arguments, before=self.small_files_only(size))
        refused(ran, "There is no room left to write")
        assert contents(tmp_path) == before

    def test_of_the_standard_output(self) -> None:
        with Path("/dev/full").open("wb") as full:
            ran = run_apart("measures", out=full.fileno())
        refused(ran, "There is no room left to write")
