"""Small benches that tests share."""

from pathlib import Path

import numpy as np
from PIL import Image

from reference import smooth_picture
from tenjigsaw.bench.plan import Plan, Work, find_sources
from tenjigsaw.bench.score_store import ScoreStore
from tenjigsaw.evaluation.benchmark import Conditions
from tenjigsaw.solvers import Stop

NO_STORE = ScoreStore(Path("/nonexistent"), 0)


def save_pictures(folder: Path, number: int, rows: int = 3, cols: int = 4, piece: int = 16) -> Path:
    folder.mkdir(parents=True)
    for index in range(number):
        picture = smooth_picture(np.random.default_rng(index), rows * piece, cols * piece)
        Image.fromarray(picture).save(folder / f"{index:02d}.png")
    return folder


def small_plan(folder: Path, drawn: int = 0, **work: object) -> Plan:
    """Both types of worn puzzles, quickly solved."""
    chosen = {"normalisations": ("none",), "solvers": ("tree",), "repeats": 1, "stop": Stop()}
    return Plan(find_sources([folder], drawn), ("ssd",), (1, 2), (1,), Conditions(16), Work(**{**chosen, **work}))
