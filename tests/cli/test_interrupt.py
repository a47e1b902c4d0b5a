"""Ctrl-C ends a command with one word and a disk as it was before; a search that has a layout keeps it."""

import json
import os
import pty
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commands import PROGRAM, contents, heed_interrupts
from drawing import noise_picture
from tenjigsaw.cli.interruption import Interruption


def save(path: Path, height: int, width: int) -> Path:
    Image.fromarray(noise_picture(height, width)).save(path)
    return path


def interrupted(
    arguments: list[object],
    when: Callable[[str], bool],
    started_in: Path,
    again: Callable[[str], bool] | None = None,
) -> tuple[int, str]:
    """Run a command at a terminal and press Ctrl-C once ``when`` says so, given what is on the screen.

    Once ``again`` says so too, press it a second time.
    """
    waiting = [when] if again is None else [when, again]
    screen, keyboard = pty.openpty()
    command = [*PROGRAM, *map(str, arguments)]
    process = subprocess.Popen(
        command, stdin=keyboard, stdout=keyboard, stderr=keyboard, cwd=started_in, preexec_fn=heed_interrupts
    )
    os.close(keyboard)
    os.set_blocking(screen, False)
    shown = ""
    try:
        while True:
            ended = process.poll() is not None
            try:
                shown += os.read(screen, 65536).decode(errors="replace")
            except BlockingIOError:
                time.sleep(0.002)
            except OSError:  # how a pseudo-terminal says that the other end is closed
                break
            if waiting and waiting[0](shown):
                process.send_signal(signal.SIGINT)
                waiting.pop(0)
            if ended:
                break
        process.wait(timeout=60)
    finally:
        process.kill()
        os.close(screen)
    assert not waiting, f"ended before Ctrl-C: {shown}"
    return process.returncode, shown


def a_layout_is_there(shown: str) -> bool:
    return "cost" in shown


def test_an_abort_that_the_compiler_swallowed_comes_all_the_same() -> None:
    interruption = Interruption(lambda: False)
    assert not interruption.asked()
    with suppress(KeyboardInterrupt):
        interruption.heed(signal.SIGINT, None)
    with pytest.raises(KeyboardInterrupt):
        interruption.asked()


class TestInterrupt:
    def check(self, ended: tuple[int, str]) -> None:
        code, shown = ended
        assert code == 130, shown
        assert "Traceback" not in shown
        assert shown.rstrip().endswith("tenjigsaw: Stopped.")

    @pytest.fixture
    def large_picture(self, tmp_path: Path) -> Path:
        return save(tmp_path / "large.png", 8 * 50, 8 * 50)

    def test_while_solving(self, tmp_path: Path) -> None:
        pieces = noise_picture(8 * 2500, 8).reshape(2500, 8, 8, 3)
        np.savez(tmp_path / "large.npz", pieces=pieces, turned=True)
        before = contents(tmp_path)
        arguments = ["solve", "large.npz", "--out", "x/out", "--measure", "mgc"]
        self.check(interrupted(arguments, lambda shown: "scoring" in shown, tmp_path))
        assert contents(tmp_path) == before

    @pytest.mark.parametrize("solver", ["segments", "genetic"])
    @pytest.mark.parametrize("puzzles", [1, 2])
    def test_a_search_is_ended_and_its_layout_kept(self, tmp_path: Path, solver: str, puzzles: int) -> None:
        code, shown = interrupted(self.endless(tmp_path, solver, puzzles), a_layout_is_there, tmp_path)
        assert code == 0, shown
        assert "Ctrl-C has ended the search; the best layout until then is kept." in shown
        folders = [tmp_path / "out"] if puzzles == 1 else [tmp_path / "out" / "1", tmp_path / "out" / "2"]
        layouts = [json.loads((folder / "layout.json").read_text()) for folder in folders]
        assert sorted(cell["piece"] for layout in layouts for cell in layout["cells"]) == list(range(100))
        assert not list(tmp_path.rglob(".tenjigsaw-*"))

    def test_pressed_again_it_aborts(self, tmp_path: Path) -> None:
        arguments = self.endless(tmp_path, "segments", 1, side=64)
        before = contents(tmp_path)

        def results_are_being_written(shown: str) -> bool:
            return bool(list(tmp_path.rglob(".tenjigsaw-*/draft/*.png")))

        self.check(interrupted(arguments, a_layout_is_there, tmp_path, results_are_being_written))
        assert contents(tmp_path) == before

    def endless(self, folder: Path, solver: str, puzzles: int, side: int = 8) -> list[object]:
        """A search in noise, where there is always something left to look for."""
        pieces = noise_picture(side * 100, side).reshape(100, side, side, 3)
        np.savez(folder / "noise.npz", pieces=pieces, turned=True)
        arguments: list[object] = ["solve", "noise.npz", "--out", "out", "--measure", "ssd", "--solver", solver]
        return [*arguments, "--puzzles", puzzles, "--seconds", 600, "--generations", 10**6, "--patience", 10**6]

    def test_while_benchmarking(self, tmp_path: Path, large_picture: Path) -> None:
        before = contents(tmp_path)
        arguments = ["bench", large_picture, "--piece", 8, "--csv", "x/out.csv"]
        self.check(interrupted(arguments, lambda shown: "large.png" in shown, tmp_path))
        assert contents(tmp_path) == before

    @pytest.mark.parametrize("there", [False, True], ids=["new folder", "existing folder"])
    def test_while_writing_pieces(self, tmp_path: Path, there: bool) -> None:
        save(tmp_path / "large.png", 8 * 100, 8 * 100)
        if there:
            (tmp_path / "out").mkdir()
            (tmp_path / "out" / "mine.txt").write_text("mine")
        before = contents(tmp_path)

        def some_pieces_are_written(shown: str) -> bool:
            return len(list(tmp_path.rglob(".tenjigsaw-*/draft/piece-0*.png"))) > 20

        self.check(interrupted(["cut", "large.png", "out", "--piece", 8], some_pieces_are_written, tmp_path))
        assert contents(tmp_path) == before
