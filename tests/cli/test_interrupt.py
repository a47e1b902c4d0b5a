"""Ctrl-C ends a command with one word and a disk as it was before."""

import os
import pty
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commands import PROGRAM, contents, heed_interrupts
from drawing import noise_picture


def save(path: Path, height: int, width: int) -> Path:
    Image.fromarray(noise_picture(height, width)).save(path)
    return path


def interrupted(arguments: list[object], when: Callable[[str], bool], started_in: Path) -> tuple[int, str]:
    """Run a command at a terminal and press Ctrl-C once ``when`` says so, given what is on the screen."""
    screen, keyboard = pty.openpty()
    command = [*PROGRAM, *map(str, arguments)]
    process = subprocess.Popen(
        command, stdin=keyboard, stdout=keyboard, stderr=keyboard, cwd=started_in, preexec_fn=heed_interrupts
    )
    os.close(keyboard)
    os.set_blocking(screen, False)
    shown, pressed = "", False
    try:
        while True:
            ended = process.poll() is not None
            try:
                shown += os.read(screen, 65536).decode(errors="replace")
            except BlockingIOError:
                time.sleep(0.002)
            except OSError:  # how a pseudo-terminal says that the other end is closed
                break
            if not pressed and when(shown):
                process.send_signal(signal.SIGINT)
                pressed = True
            if ended:
                break
        process.wait(timeout=60)
    finally:
        process.kill()
        os.close(screen)
    assert pressed, f"ended before Ctrl-C: {shown}"
    return process.returncode, shown


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
