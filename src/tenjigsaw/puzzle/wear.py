"""Wear the edges of pieces away."""

from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.errors import InputError
from tenjigsaw.puzzle.puzzle import Puzzle, check_erosion

Wear = Literal["frame", "ragged", "fade"]
WEARS: tuple[str, ...] = get_args(Wear)
Colour = tuple[int, int, int]
BLACK: Colour = (0, 0, 0)


def erode(puzzle: Puzzle, depth: int, rng: np.random.Generator, wear: Wear = "frame", colour: Colour = BLACK) -> Puzzle:
    """Wear ``depth`` pixels off every edge and put ``colour`` in their place.

    ``frame`` takes all of them, as the paper does; ``ragged`` takes a depth that wanders between 1 and ``depth`` along
    the edge; ``fade`` lets the picture fade towards the edge. In all three, nothing further in than ``depth`` changes.
    """
    if wear not in WEARS:
        raise InputError(f"There is no wear called {wear!r}; choose from {', '.join(WEARS)}.")
    check_erosion(puzzle.size, depth)
    if depth == 0:
        return puzzle
    kept = _kept_share(puzzle, depth, rng, wear)[..., None]
    pieces = puzzle.pieces * kept + np.asarray(colour, dtype=np.float32) * (1 - kept)
    return replace(puzzle, pieces=np.rint(pieces).astype(np.uint8), erosion=max(depth, puzzle.erosion))


def _kept_share(puzzle: Puzzle, depth: int, rng: np.random.Generator, wear: Wear) -> NDArray[np.float32]:
    """(N, P, P), 1 where the picture survives and 0 where it is gone."""
    size = puzzle.size
    from_edge = np.minimum(np.arange(size), np.arange(size)[::-1])
    if wear == "frame":
        inside = from_edge >= depth
        return np.broadcast_to(inside[:, None] & inside, (puzzle.count, size, size)).astype(np.float32)
    if wear == "fade":
        share = np.minimum(from_edge / depth, 1.0)
        return np.broadcast_to(np.minimum.outer(share, share), (puzzle.count, size, size)).astype(np.float32)
    return _ragged_share(puzzle.count, size, depth, rng)


def _ragged_share(count: int, size: int, depth: int, rng: np.random.Generator) -> NDArray[np.float32]:
    kept = np.ones((count, size, size), dtype=np.float32)
    for side in range(4):
        bite = _wandering_depth(count, size, depth, rng)
        facing_up = np.rot90(kept, side, axes=(1, 2))
        facing_up[np.arange(size)[None, :, None] < bite[:, None, :]] = 0
    return kept


def _wandering_depth(count: int, size: int, depth: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """(count, size) whole numbers from 1 to ``depth`` that change slowly along the edge."""
    knots = rng.uniform(0.5, depth + 0.5, size=(count, max(2, size // 4)))
    place = np.linspace(0, knots.shape[1] - 1, size)
    left = np.minimum(place.astype(np.int64), knots.shape[1] - 2)
    share = place - left
    smooth = knots[:, left] * (1 - share) + knots[:, left + 1] * share
    wandering: NDArray[np.int64] = np.clip(np.rint(smooth), 1, depth).astype(np.int64)
    return wandering
