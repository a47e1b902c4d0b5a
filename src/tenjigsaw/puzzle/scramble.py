"""Shuffle, turn and lose pieces; the truth, where known, follows along."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.errors import InputError
from tenjigsaw.geometry import turn_picture
from tenjigsaw.puzzle.puzzle import Puzzle


def take(puzzle: Puzzle, chosen: NDArray[np.int64]) -> Puzzle:
    """The puzzle of the chosen pieces, in the given order."""
    return replace(
        puzzle,
        pieces=puzzle.pieces[chosen],
        truth=puzzle.truth.take(chosen) if puzzle.truth else None,
        names=tuple(puzzle.names[i] for i in chosen) if puzzle.names else (),
    )


def shuffle(puzzle: Puzzle, rng: np.random.Generator) -> Puzzle:
    """Put the pieces in random order."""
    return take(puzzle, rng.permutation(puzzle.count))


def turn(puzzle: Puzzle, rng: np.random.Generator) -> Puzzle:
    """Turn every piece by a random number of quarter turns."""
    turns = rng.integers(0, 4, size=puzzle.count)
    pieces = np.stack([turn_picture(piece, int(t)) for piece, t in zip(puzzle.pieces, turns, strict=True)])
    truth = replace(puzzle.truth, turn=(puzzle.truth.turn - turns) % 4) if puzzle.truth else None
    return replace(puzzle, pieces=pieces, turned=True, truth=truth)


def drop(puzzle: Puzzle, share: float, rng: np.random.Generator) -> Puzzle:
    """Lose a random share of the pieces, keeping the order of the rest."""
    if not 0 <= share < 1:
        raise InputError(f"The share of pieces to drop must be at least 0 and below 1, not {share}.")
    lost = round(share * puzzle.count)
    if puzzle.count - lost < 2:
        raise InputError(f"Dropping {lost} of {puzzle.count} pieces leaves fewer than two.")
    return take(puzzle, np.sort(rng.permutation(puzzle.count)[lost:]))
