"""One sampler for all networks: picture -> crop of another size -> mirrors, turns, colours -> block of pieces."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from tenjigsaw.geometry import turn_picture
from tenjigsaw.puzzle.cut import cut
from tenjigsaw.puzzle.pictures import Picture
from tenjigsaw.training.pictures import holds_a_join
from tenjigsaw.training.settings import Settings

Levels = NDArray[np.float32]

# What `varied` blocks are cut into.
PIECES = (16, 20, 24, 28, 32, 40, 48, 64, 96, 128)
WORN = (0, 1, 2, 3, 4)

# How programs reduce pictures: the crudest picks single pixels, the others go from soft to sharp.
FILTERS = (
    Image.Resampling.NEAREST,
    Image.Resampling.BILINEAR,
    Image.Resampling.BOX,
    Image.Resampling.HAMMING,
    Image.Resampling.BICUBIC,
    Image.Resampling.LANCZOS,
)
# Those that enlarge without showing the pixels as squares.
ENLARGING = (Image.Resampling.BILINEAR, Image.Resampling.BICUBIC, Image.Resampling.LANCZOS)
MOST_SHARPENING = 150  # percent
SOFTENED = 0.25  # share of processed blocks that lose detail instead of being sharpened
MOST_SOFTENING = 0.9  # pixels
MOST_NOISE = 3.0  # levels
MOST_GRAIN = 5.0  # levels; the grain of film or sensor, which is then sharpened or softened with the picture
GAMMA = (0.6, 1.6)
SATURATION = (0.4, 1.5)
COMPRESSED = 0.5  # share of processed blocks that have been through JPEG
JPEG_QUALITY = (50, 96)
JPEG_CELL = 8  # pixels; twice that where colours are stored at half the size

# The share of red, green and blue in grey (ITU-R BT.601).
GREY = np.array([0.299, 0.587, 0.114])


@dataclass(frozen=True)
class Block:
    """Neighbouring pieces of one picture, row by row, and their true joins.

    ``pieces`` is (N, P, P, 3) with the frame still in place; ``worn`` says how much of it no network may see.
    ``partner`` is (4N,): the edge that each edge truly joins, or -1 on the block's border.
    """

    pieces: NDArray[np.uint8]
    partner: NDArray[np.int64]
    worn: int


def block_of(picture: Picture, piece: int, worn: int) -> Block:
    """All whole pieces of a picture as one block."""
    puzzle = cut(picture, piece)
    assert puzzle.truth is not None
    return Block(puzzle.pieces, puzzle.truth.partners(), worn)


class Sampler:
    """Blocks as a pure function of seed, step and worker, so that a resumed run sees the same stream."""

    def __init__(self, pictures: Sequence[Picture], settings: Settings, worker: int = 0) -> None:
        self.pictures = pictures
        self.settings = settings
        self.worker = worker

    def rng(self, step: int) -> np.random.Generator:
        """The randomness of one step: for the blocks first, then for what a loss picks from them."""
        return np.random.default_rng([self.settings.seed, step, self.worker])

    def blocks(self, rng: np.random.Generator) -> list[Block]:
        """``settings.blocks`` blocks, each of a picture of its own."""
        return [self.block(rng) for _ in range(self.settings.blocks)]

    def block(self, rng: np.random.Generator) -> Block:
        """One block of a random picture."""
        picture = self.pictures[int(rng.integers(len(self.pictures)))]
        piece, worn = self._cut(picture, rng)
        crop = random_crop(picture, piece, self.settings, rng)
        return block_of(disguise(crop, self.settings, rng), piece, worn)

    def _cut(self, picture: Picture, rng: np.random.Generator) -> tuple[int, int]:
        """The side and the wear of the pieces."""
        settings = self.settings
        if not settings.varied or rng.random() >= settings.varied:
            return settings.piece, settings.worn
        fitting = [piece for piece in PIECES if holds_a_join(picture, piece)] or [settings.piece]
        return int(rng.choice(fitting)), int(rng.choice(WORN))


def random_crop(picture: Picture, piece: int, settings: Settings, rng: np.random.Generator) -> Picture:
    """A random part of the picture, reduced or enlarged at random: about ``block`` x ``block`` pieces."""
    # Smaller pieces come in larger numbers, so that a block costs about the same whatever its pieces.
    block = max(2, round(settings.block * (settings.piece / piece) ** 0.5))
    height, width = (min(block, side // piece) * piece for side in picture.shape[:2])
    least = max(settings.smallest_reduction, height / picture.shape[0], width / picture.shape[1])
    scale = 1.0 if rng.random() < settings.unreduced else rng.uniform(least, settings.largest_enlargement)
    part_height = min(picture.shape[0], int(np.ceil(height / scale)))
    part_width = min(picture.shape[1], int(np.ceil(width / scale)))
    top = int(rng.integers(picture.shape[0] - part_height + 1))
    left = int(rng.integers(picture.shape[1] - part_width + 1))
    part = picture[top : top + part_height, left : left + part_width]
    if part.shape[:2] == (height, width):
        return part
    processed = settings.processed and rng.random() < settings.processed
    known = ENLARGING if scale > 1 else FILTERS
    kernel = known[int(rng.integers(len(known)))] if processed else Image.Resampling.LANCZOS
    return _resize(part, height, width, scale, kernel)


def _resize(part: Picture, height: int, width: int, scale: float, kernel: Image.Resampling) -> Picture:
    # The float box keeps the pixels square although the part has a whole number of them.
    box = (0.0, 0.0, min(width / scale, part.shape[1]), min(height / scale, part.shape[0]))
    image = Image.fromarray(np.ascontiguousarray(part))
    return np.asarray(image.resize((width, height), kernel, box=box))


def disguise(crop: Picture, settings: Settings, rng: np.random.Generator) -> Picture:
    """Mirrors, turns, swapped channels and lost colour: what must not change which pieces belong together."""
    if settings.symmetries:
        crop = turn_picture(crop, int(rng.integers(4)))
        crop = crop[:, ::-1] if rng.random() < 0.5 else crop
    if settings.mixes_channels:
        crop = crop[:, :, rng.permutation(3)]
    if settings.processed and rng.random() < settings.processed:
        crop = process(crop, rng)
    if rng.random() < settings.grey:
        crop = np.repeat(np.rint(crop @ GREY).astype(np.uint8)[:, :, None], 3, axis=2)
    return crop


def process(crop: Picture, rng: np.random.Generator) -> Picture:
    """What other cameras and programs do, each as much or as little as it happens: grain, sharpen or soften, change the
    tones, which may clip them, add noise, and compress.
    """
    # Squared: little grain is more common than much.
    grainy = _noisy(crop.astype(np.float32), MOST_GRAIN * rng.random() ** 2, rng)
    focused = np.asarray(Image.fromarray(_whole_levels(grainy)).filter(_focus(rng)))
    noisy = _noisy(_toned(focused, rng), rng.uniform(0, MOST_NOISE), rng)
    processed = _whole_levels(noisy)
    return compress(processed, rng) if rng.random() < COMPRESSED else processed


def _noisy(levels: Levels, deviation: float, rng: np.random.Generator) -> Levels:
    return levels + np.float32(deviation) * rng.standard_normal(levels.shape, dtype=np.float32)


def _whole_levels(levels: Levels) -> Picture:
    return np.clip(np.rint(levels), 0, 255).astype(np.uint8)


def _toned(crop: Picture, rng: np.random.Generator) -> Levels:
    """Another gamma, saturation, contrast and brightness."""
    white, middle = np.float32(255), np.float32(127.5)
    levels = white * (crop.astype(np.float32) / white) ** np.float32(rng.uniform(*GAMMA))
    grey = (levels @ GREY.astype(np.float32))[:, :, None]
    levels = grey + np.float32(rng.uniform(*SATURATION)) * (levels - grey)
    gain, offset = np.float32(rng.uniform(0.8, 1.3)), np.float32(rng.uniform(-20, 20))
    toned: Levels = ((levels - middle) * gain + middle + offset).astype(np.float32)
    return toned


def _focus(rng: np.random.Generator) -> ImageFilter.MultibandFilter:
    if rng.random() < SOFTENED:
        return ImageFilter.GaussianBlur(float(rng.uniform(0.2, MOST_SOFTENING)))
    return ImageFilter.UnsharpMask(float(rng.uniform(0.4, 1.5)), int(rng.uniform(0, MOST_SHARPENING)), 0)


def compress(crop: Picture, rng: np.random.Generator) -> Picture:
    """Through JPEG and back; its cells begin anywhere, since pieces are not cut along them."""
    top, left = rng.integers(2 * JPEG_CELL, size=2)
    wider = Image.fromarray(np.pad(crop, ((top, 0), (left, 0), (0, 0)), mode="reflect"))
    coded = io.BytesIO()
    # 0, 1, 2: colours at full size, at half the width, at half the width and height.
    wider.save(coded, "JPEG", quality=int(rng.integers(*JPEG_QUALITY)), subsampling=int(rng.integers(3)))
    return np.asarray(Image.open(coded))[top:, left:]
