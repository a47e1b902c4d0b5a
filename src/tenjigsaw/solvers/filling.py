"""Compiled filling of holes: the piece and turn that fit the placed neighbours best, most-neighboured cell first."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit
from tenjigsaw.measures.scores import DenseScores, Scores
from tenjigsaw.solvers.grid import listed_at

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

# (full matrix, row starts, columns, listed costs, cost of what is not listed): either form in one signature.
CostView = tuple[Floats, Ints, Ints, Floats, float]


def cost_view(scores: Scores) -> CostView:
    """Scores of either form as the arrays that compiled code looks up; the unused form is empty."""
    if isinstance(scores, DenseScores):
        nothing = np.zeros(0, dtype=np.int64)
        # Averaging with the transpose may leave columns contiguous: compiled code would be built anew for that.
        return np.ascontiguousarray(scores.values), nothing, nothing, np.zeros(0, dtype=np.float32), np.inf
    finite = scores.values[np.isfinite(scores.values)]
    unlisted = float(finite.max(initial=0.0)) + 1.0
    return np.zeros((0, 0), dtype=np.float32), scores.start, scores.column, scores.values, unlisted


@njit(cache=True)
def join_cost(view: Any, a: int, b: int) -> Any:
    """The cost of joining edges a and b."""
    full, start, column, cost, unlisted = view
    if len(full):
        return np.float64(full[a, b])
    place = listed_at(start, column, a, b)
    return np.float64(cost[place]) if place >= 0 else unlisted


@njit(cache=True)
def fill_holes(view: Any, piece: Ints, turn: Ints, spare: Ints, turned: bool) -> Any:
    """Place the ``spare`` pieces into empty cells next to placed ones until one of the two runs out.

    Each hole remembers its best candidate, and looks again only when a neighbour was placed or its candidate went
    elsewhere. Returns the number of spare pieces placed.
    """
    rows, cols = piece.shape
    # Cells and spare pieces together have room for the highest number of a piece.
    available = np.zeros(rows * cols + len(spare), dtype=np.bool_)
    available[spare] = True
    best_cost = np.full((rows, cols), np.inf)
    best_piece = np.full((rows, cols), -1, dtype=np.int64)
    best_turn = np.zeros((rows, cols), dtype=np.int64)
    for placed in range(len(spare)):
        found_row, found_col, most = -1, -1, 0
        lowest = np.inf
        for r in range(rows):
            for c in range(cols):
                if piece[r, c] >= 0:
                    continue
                neighbours = _placed_neighbours(piece, r, c)
                if neighbours == 0 or neighbours < most:
                    continue
                # Candidates only vanish, so an old cost is a lower bound: no need to look again if it loses.
                if best_piece[r, c] >= 0 and neighbours == most and best_cost[r, c] >= lowest:
                    continue
                if best_piece[r, c] < 0 or not available[best_piece[r, c]]:
                    _find_best(view, piece, turn, spare, available, turned, r, c, best_cost, best_piece, best_turn)
                if neighbours > most or best_cost[r, c] < lowest:
                    found_row, found_col, most, lowest = r, c, neighbours, best_cost[r, c]
        if found_row < 0:
            return placed
        chosen = best_piece[found_row, found_col]
        piece[found_row, found_col], turn[found_row, found_col] = chosen, best_turn[found_row, found_col]
        available[chosen] = False
        for r, c in (
            (found_row - 1, found_col),
            (found_row + 1, found_col),
            (found_row, found_col - 1),
            (found_row, found_col + 1),
        ):
            if 0 <= r < rows and 0 <= c < cols:
                best_piece[r, c] = -1
    return len(spare)


@njit(cache=True)
def _placed_neighbours(piece: Ints, r: int, c: int) -> Any:
    rows, cols = piece.shape
    count = 0
    if r > 0 and piece[r - 1, c] >= 0:
        count += 1
    if r + 1 < rows and piece[r + 1, c] >= 0:
        count += 1
    if c > 0 and piece[r, c - 1] >= 0:
        count += 1
    if c + 1 < cols and piece[r, c + 1] >= 0:
        count += 1
    return count


@njit(cache=True)
def _find_best(
    view: Any,
    piece: Ints,
    turn: Ints,
    spare: Ints,
    available: Any,
    turned: bool,
    r: int,
    c: int,
    best_cost: Any,
    best_piece: Ints,
    best_turn: Ints,
) -> None:
    """Look for the available piece and turn that cost least next to what is placed around (r, c)."""
    rows, cols = piece.shape
    facing = np.full(4, -1, dtype=np.int64)
    for direction in range(4):
        nr = r + (direction == 2) - (direction == 0)
        nc = c + (direction == 1) - (direction == 3)
        if 0 <= nr < rows and 0 <= nc < cols and piece[nr, nc] >= 0:
            facing[direction] = 4 * piece[nr, nc] + (direction + 2 - turn[nr, nc]) % 4
    best_cost[r, c] = np.inf
    best_piece[r, c] = -1
    for candidate in spare:
        if not available[candidate]:
            continue
        for candidate_turn in range(4 if turned else 1):
            total = 0.0
            for direction in range(4):
                if facing[direction] >= 0:
                    total += join_cost(view, facing[direction], 4 * candidate + (direction - candidate_turn) % 4)
            if total < best_cost[r, c] or best_piece[r, c] < 0:
                best_cost[r, c] = total
                best_piece[r, c], best_turn[r, c] = candidate, candidate_turn
