"""Checkpoints: the old one or the new one, and one sentence when it is neither."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from tenjigsaw.errors import InputError  # noqa: E402
from tenjigsaw.training.checkpoint import read_checkpoint, write_checkpoint  # noqa: E402


def test_what_is_written_is_read(tmp_path: Path) -> None:
    state = {"step": 3, "weights": {"a": torch.arange(4.0)}, "share": 0.5}
    write_checkpoint(tmp_path / "x.pt", state)
    found = read_checkpoint(tmp_path / "x.pt")
    assert found["step"] == 3
    assert torch.equal(found["weights"]["a"], torch.arange(4.0))
    assert [path.name for path in tmp_path.iterdir()] == ["x.pt"]


def test_a_write_cut_short_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.pt"
    write_checkpoint(path, {"step": 1})

    def half(state: object, file: Any) -> None:
        file.write(b"PK\x03\x04 half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", half)
    with pytest.raises(KeyboardInterrupt):
        write_checkpoint(path, {"step": 2})
    assert read_checkpoint(path)["step"] == 1


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"hello", bytes(1000)])
def test_a_broken_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.pt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"x\.pt is not a whole checkpoint"):
        read_checkpoint(path)


def test_a_truncated_checkpoint_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    write_checkpoint(path, {"weights": torch.zeros(1000)})
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(InputError, match="not a whole checkpoint"):
        read_checkpoint(path)


def test_a_missing_checkpoint_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no checkpoint at"):
        read_checkpoint(tmp_path / "x.pt")
