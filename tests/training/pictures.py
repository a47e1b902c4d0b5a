"""Small pictures for the tests of training: smooth enough that neighbours can be told, different everywhere."""

from pathlib import Path

import numpy as np
from PIL import Image


def smooth_picture(height: int, width: int, seed: int) -> np.ndarray:
    """A few random waves in each colour, (H, W, 3) 8-bit."""
    rng = np.random.default_rng(seed)
    row, col = np.mgrid[0:height, 0:width]
    picture = np.zeros((height, width, 3))
    for _ in range(6):
        across, down = rng.uniform(-0.25, 0.25, 2)
        colour = rng.uniform(-1, 1, 3)
        picture += np.sin(across * col + down * row + rng.uniform(0, 6.3))[:, :, None] * colour
    picture = (picture - picture.min()) / (picture.max() - picture.min())
    return np.rint(picture * 255).astype(np.uint8)


def write_pictures(folder: Path, count: int = 4, height: int = 72, width: int = 88) -> Path:
    """A folder of smooth pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(count):
        Image.fromarray(smooth_picture(height, width, seed)).save(folder / f"{seed:04d}.png")
    return folder
