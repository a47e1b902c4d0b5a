"""Files and folders appear whole or not at all, and nothing is overwritten unasked."""

import os
from pathlib import Path

import pytest

from commands import contents
from tenjigsaw.errors import InputError
from tenjigsaw.files import check_file, check_folder, new_file, new_folder, only_user_of


class WritingError(Exception):
    """Something that goes wrong while writing."""


def fill(folder: Path, *names: str, text: str = "new") -> None:
    for name in names:
        (folder / name).write_text(text)


def fail_half_way(path: Path, stop: type[BaseException]) -> None:
    path.write_text("half")
    raise stop


class TestNewFile:
    def test_appears_once_the_block_has_ended(self, tmp_path: Path) -> None:
        path = tmp_path / "a.txt"
        with new_file(path) as draft:
            draft.write_text("new")
            assert not path.exists()
            assert draft.suffix == ".txt"
        assert contents(tmp_path) == {"a.txt": b"new"}

    @pytest.mark.parametrize("stop", [WritingError, KeyboardInterrupt])
    def test_leaves_nothing_when_the_block_fails(self, tmp_path: Path, stop: type[BaseException]) -> None:
        with pytest.raises(stop), new_file(tmp_path / "a.txt") as draft:
            fail_half_way(draft, stop)
        assert contents(tmp_path) == {}

    def test_makes_the_folders_it_needs(self, tmp_path: Path) -> None:
        with new_file(tmp_path / "x" / "y" / "a.txt") as draft:
            draft.write_text("new")
        assert contents(tmp_path) == {"x": None, "x/y": None, "x/y/a.txt": b"new"}

    def test_takes_the_folders_away_again_when_the_block_fails(self, tmp_path: Path) -> None:
        with pytest.raises(WritingError), new_file(tmp_path / "x" / "y" / "a.txt"):
            raise WritingError
        assert contents(tmp_path) == {}

    def test_keeps_what_is_there(self, tmp_path: Path) -> None:
        fill(tmp_path, "a.txt", text="old")
        with pytest.raises(InputError, match=r"a\.txt exists already; add --force"), new_file(tmp_path / "a.txt"):
            pytest.fail("the block must not run")
        assert contents(tmp_path) == {"a.txt": b"old"}

    def test_replaces_it_when_forced(self, tmp_path: Path) -> None:
        fill(tmp_path, "a.txt", text="old")
        with new_file(tmp_path / "a.txt", force=True) as draft:
            draft.write_text("new")
        assert contents(tmp_path) == {"a.txt": b"new"}

    def test_keeps_the_old_one_when_forced_and_failing(self, tmp_path: Path) -> None:
        fill(tmp_path, "a.txt", text="old")
        with pytest.raises(WritingError), new_file(tmp_path / "a.txt", force=True) as draft:
            fail_half_way(draft, WritingError)
        assert contents(tmp_path) == {"a.txt": b"old"}

    @pytest.mark.parametrize("force", [False, True])
    def test_never_replaces_a_folder(self, tmp_path: Path, force: bool) -> None:
        (tmp_path / "a.txt").mkdir()
        with pytest.raises(InputError, match="is a folder"), new_file(tmp_path / "a.txt", force):
            pytest.fail("the block must not run")

    @pytest.mark.parametrize("force", [False, True])
    def test_never_replaces_a_device(self, tmp_path: Path, force: bool) -> None:
        os.mkfifo(tmp_path / "a.txt")
        with pytest.raises(InputError, match="is not a plain file"), new_file(tmp_path / "a.txt", force):
            pytest.fail("the block must not run")
        assert (tmp_path / "a.txt").is_fifo()

    def test_a_name_as_long_as_names_may_be(self, tmp_path: Path) -> None:
        name = "x" * 255
        with new_file(tmp_path / name) as draft:
            draft.write_text("new")
        assert contents(tmp_path) == {name: b"new"}

    def test_everybody_may_read_it_as_usual(self, tmp_path: Path) -> None:
        fill(tmp_path, "usual")
        with new_file(tmp_path / "a.txt") as draft:
            draft.write_text("new")
        assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "usual").stat().st_mode


class TestNewFolder:
    def test_appears_once_the_block_has_ended(self, tmp_path: Path) -> None:
        with new_folder(tmp_path / "out") as draft:
            fill(draft, "a", "b")
            assert not (tmp_path / "out").exists()
        assert contents(tmp_path) == {"out": None, "out/a": b"new", "out/b": b"new"}

    @pytest.mark.parametrize("stop", [WritingError, KeyboardInterrupt])
    @pytest.mark.parametrize("there", [False, True])
    def test_leaves_nothing_when_the_block_fails(self, tmp_path: Path, stop: type[BaseException], there: bool) -> None:
        if there:
            (tmp_path / "out").mkdir()
            fill(tmp_path / "out", "a", text="old")
        before = contents(tmp_path)
        with pytest.raises(stop), new_folder(tmp_path / "out", force=True) as draft:
            fail_half_way(draft / "a", stop)
        assert contents(tmp_path) == before

    def test_takes_parent_folders_away_again_when_the_block_fails(self, tmp_path: Path) -> None:
        with pytest.raises(WritingError), new_folder(tmp_path / "x" / "y" / "out"):
            raise WritingError
        assert contents(tmp_path) == {}

    def test_joins_the_files_of_an_existing_folder(self, tmp_path: Path) -> None:
        fill(tmp_path, "mine", text="old")
        with new_folder(tmp_path) as draft:
            fill(draft, "a")
        assert contents(tmp_path) == {"a": b"new", "mine": b"old"}

    def test_replaces_no_file_unasked_not_even_the_others(self, tmp_path: Path) -> None:
        fill(tmp_path, "b", text="old")
        with pytest.raises(InputError, match="b exists already; add --force"), new_folder(tmp_path) as draft:
            fill(draft, "a", "b", "c")
        assert contents(tmp_path) == {"b": b"old"}

    def test_replaces_files_of_the_same_name_when_forced(self, tmp_path: Path) -> None:
        fill(tmp_path, "b", "mine", text="old")
        with new_folder(tmp_path, force=True) as draft:
            fill(draft, "a", "b")
        assert contents(tmp_path) == {"a": b"new", "b": b"new", "mine": b"old"}

    def test_a_file_in_its_place_is_named_and_kept(self, tmp_path: Path) -> None:
        fill(tmp_path, "out", text="old")
        with pytest.raises(InputError, match="out is a file"), new_folder(tmp_path / "out", force=True):
            pytest.fail("the block must not run")
        assert contents(tmp_path) == {"out": b"old"}

    @pytest.mark.parametrize("name", [".", "..", "../here"])
    def test_the_folder_one_stands_in(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        (tmp_path / "here").mkdir()
        monkeypatch.chdir(tmp_path / "here")
        with new_folder(Path(name)) as draft:
            fill(draft, "a")
        assert Path(name, "a").read_text() == "new"
        assert len(contents(tmp_path)) == 2

    def test_a_link_to_a_folder_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to("real")
        with new_folder(tmp_path / "link") as draft:
            fill(draft, "a")
        assert (tmp_path / "real" / "a").read_text() == "new"
        assert (tmp_path / "link").is_symlink()

    @pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="there is no second file system to write to")
    def test_a_folder_on_another_file_system(self, tmp_path: Path) -> None:
        import tempfile

        with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
            if Path(elsewhere).stat().st_dev == tmp_path.stat().st_dev:
                pytest.skip("there is no second file system to write to")
            (tmp_path / "out").symlink_to(elsewhere)
            with new_folder(tmp_path / "out") as draft:
                fill(draft, "a")
            assert contents(Path(elsewhere)) == {"a": b"new"}


class TestChecksBeforeLongWork:
    def test_a_free_place_is_fine_and_nothing_is_made_there(self, tmp_path: Path) -> None:
        check_file(tmp_path / "x" / "a.csv", force=False)
        check_folder(tmp_path / "x" / "out", ["a"], force=False)
        assert contents(tmp_path) == {}

    def test_existing_files(self, tmp_path: Path) -> None:
        fill(tmp_path, "a", text="old")
        with pytest.raises(InputError, match="a exists already; add --force"):
            check_file(tmp_path / "a", force=False)
        with pytest.raises(InputError, match="a exists already; add --force"):
            check_folder(tmp_path, ["b", "a"], force=False)
        check_file(tmp_path / "a", force=True)
        check_folder(tmp_path, ["b", "a"], force=True)
        assert contents(tmp_path) == {"a": b"old"}

    def test_a_file_where_a_folder_is_needed(self, tmp_path: Path) -> None:
        fill(tmp_path, "a", text="old")
        with pytest.raises(InputError, match="a is a file"):
            check_folder(tmp_path / "a", [], force=True)
        with pytest.raises(InputError, match="a is a file"):
            check_folder(tmp_path / "a" / "out", [], force=True)
        with pytest.raises(InputError, match="a is a file"):
            check_file(tmp_path / "a" / "b.csv", force=True)

    def test_a_place_the_system_does_not_let_write(self) -> None:
        with pytest.raises(InputError, match=r"Nothing can be written to /proc: "):
            check_folder(Path("/proc/out"), [], force=False)

    def test_a_read_only_folder(self, read_only: Path) -> None:
        for path in (read_only, read_only / "out"):
            with pytest.raises(InputError, match=r"Nothing can be written to .*read-only: permission denied"):
                check_folder(path, [], force=False)


class TestOnlyUser:
    def test_two_at_once_are_refused(self, tmp_path):
        with only_user_of(tmp_path / "a" / "b"):
            with pytest.raises(InputError, match="Another process is at work"), only_user_of(tmp_path / "a" / "b"):
                pass
            with only_user_of(tmp_path / "c"):
                pass
        with only_user_of(tmp_path / "a" / "b"):
            pass

    def test_a_folder_made_in_vain_goes_again(self, tmp_path):
        with only_user_of(tmp_path / "a" / "b"):
            assert (tmp_path / "a" / "b").is_dir()
        assert not (tmp_path / "a").exists()
        with only_user_of(tmp_path / "a" / "b"):
            (tmp_path / "a" / "b" / "kept").write_text("")
        assert (tmp_path / "a" / "b" / "kept").exists()

    def test_a_file_is_refused(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(InputError, match="is a file"), only_user_of(tmp_path / "file"):
            pass
