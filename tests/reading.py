"""What tests of reading share: a puzzle comes back, or one sentence."""

import re
from pathlib import Path

import numpy as np
import pytest

from tenjigsaw.errors import InputError
from tenjigsaw.puzzle import read_puzzle


def refusal(path: Path, piece: int | None = None) -> str:
    with pytest.raises(InputError) as refused:
        read_puzzle(path, piece)
    sentence = str(refused.value)
    assert re.fullmatch(r"[^\n]+\.", sentence)
    assert ". " not in sentence
    return sentence


def puzzle_or_refusal(path: Path) -> None:
    try:
        puzzle = read_puzzle(path)
    except InputError as refused:
        sentence = str(refused)
    else:
        sentence = "read."
        assert puzzle.pieces.dtype == np.uint8
        if puzzle.truth is not None:
            assert len(puzzle.truth.partners()) == 4 * puzzle.count
    assert re.fullmatch(r"[^\n]+\.", sentence)
