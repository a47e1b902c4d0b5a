"""Checkpoints that are either the old one or the new one, never half of either."""

import os
from pathlib import Path
from typing import Any

import torch

from tenjigsaw.errors import InputError

LATEST = "checkpoint.pt"
# The last state before the learning rate began to fall: where a longer run goes on.
TRUNK = "trunk.pt"


def write_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Write aside, make sure it is on disk, then take the old one's place in one move."""
    aside = path.with_name(path.name + ".part")
    with aside.open("wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
    _sync_folder(path.parent)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """The state written last."""
    try:
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise InputError(f"There is no checkpoint at {path}.") from None
    except Exception:  # torch's reader raises nearly everything on damaged files
        raise InputError(f"{path} is not a whole checkpoint of a training run.") from None
    return state


def _sync_folder(folder: Path) -> None:
    """A rename is only sure to outlive a power cut once the folder itself is on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
