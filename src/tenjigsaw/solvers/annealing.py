"""Compiled annealing: pieces and segments go beside a likely partner, and those they drive out take their places.

What a move costs is paid if the temperature allows; since a move touches few cells, a million take seconds.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit, njit_without_counting
from tenjigsaw.solvers.grid import facing, spun
from tenjigsaw.solvers.recreation import worth

Ints = NDArray[np.int64]

HOLE = -1
WALL = -2

# How often more than one piece is moved, and how often all that hangs together, however much it is. Tuned on val.
_SEGMENTS = 0.3
_WHOLE = 0.05
_LARGEST = 60
# A segment hangs together by joins worth more than a level drawn from minus this to this.
_LEVELS = 0.2


class Board(NamedTuple):
    """``cell``: 4 * piece + turn, HOLE or WALL, row after row of ``width``; ``where`` (N,): the cell of each piece.

    Walls surround the frame. Pieces that are ``frozen`` (N,) stay where they are.
    """

    cell: Ints
    where: Ints
    width: int
    frozen: NDArray[np.bool_]
    turned: bool


class Draws(NamedTuple):
    """Likely partners of each edge (4N, K), their summed probabilities (4N, K), and how many there are (4N,)."""

    partner: Ints
    chance: NDArray[np.float32]
    partners: Ints


class Move(NamedTuple):
    """Room for a move: ``source`` lists the cells of a segment, ``touched`` all cells that change.

    By cell: what it holds ``before`` and ``after``, the ``origin`` of the piece that enters it, and the number of the
    last move by which a piece was ``leaving`` it, ``entering`` it, or it was ``changing`` at all.
    """

    source: Ints
    touched: Ints
    before: Ints
    after: Ints
    origin: Ints
    leaving: Ints
    entering: Ints
    changing: Ints


@njit(cache=True, nogil=True)
def anneal(values: Any, draws: Any, board: Any, hosts: Ints, moves: int, hot: float, cold: float, rng: Any) -> None:
    """Try so many moves on the board while it cools, each beside one of the hosts."""
    move = _room(len(board.cell))
    for number in range(1, moves + 1):
        touched = _propose(values, draws, board, hosts, move, number, rng)
        if touched == 0:
            continue
        change = -_worth_around(values, board, move, touched, number)
        _carry_out(board, move, touched)
        change += _worth_around(values, board, move, touched, number)
        if change < 0 and rng.random() >= np.exp(change / (hot * (cold / hot) ** (number / moves))):
            _take_back(board, move, touched)


@njit(cache=True)
def _room(cells: int) -> Any:
    return Move(
        np.empty(cells, np.int64),
        np.empty(cells, np.int64),
        np.empty(cells, np.int64),
        np.empty(cells, np.int64),
        np.empty(cells, np.int64),
        np.zeros(cells, np.int64),
        np.zeros(cells, np.int64),
        np.zeros(cells, np.int64),
    )


@njit_without_counting
def _turned(placed: int, spin: int) -> Any:
    return placed if placed < 0 else (placed & -4) | ((placed + spin) & 3)


@njit_without_counting
def _next_to(cell: int, direction: int, width: int) -> Any:
    if direction == 0:
        return cell - width
    if direction == 1:
        return cell + 1
    if direction == 2:
        return cell + width
    return cell - 1


@njit_without_counting
def _propose(values: Any, draws: Any, board: Any, hosts: Ints, move: Any, number: int, rng: Any) -> Any:
    """Plan to lay a likely partner beside an edge; how many cells that changes, none if there is nothing to do."""
    host = hosts[int(rng.random() * len(hosts))]
    direction = int(rng.random() * 4)
    anchor = board.where[host]
    target = _next_to(anchor, direction, board.width)
    partner = _drawn(draws, facing(board.cell[anchor], direction), rng)
    if partner < 0 or board.cell[target] == WALL or board.frozen[partner >> 2]:
        return 0
    source = board.where[partner >> 2]
    spin = (direction + 2 - partner - board.cell[source]) & 3
    if source == target and spin == 0:
        return 0
    taken = 1
    move.source[0], move.leaving[source] = source, number
    if rng.random() < _SEGMENTS:
        taken = _hang_together(values, board, move, anchor, number, rng)
    touched = _lay(board, move, taken, source, target, anchor, spin, number)
    if touched == 0:
        return 0
    touched = _drive_out(board, move, touched, spin, number)
    if taken == 1 and touched == 2 and board.turned and board.cell[target] >= 0:
        _turn_best(values, board, move, source, target)
    for k in range(touched):
        move.changing[move.touched[k]] = number
    return touched


@njit_without_counting
def _drawn(draws: Any, edge: int, rng: Any) -> Any:
    """A partner, as often as it is likely; -1 if the edge has none."""
    count = draws.partners[edge]
    if count == 0:
        return -1
    level, k = rng.random() * draws.chance[edge, count - 1], 0
    while k < count - 1 and draws.chance[edge, k] < level:
        k += 1
    return draws.partner[edge, k]


@njit_without_counting
def _hang_together(values: Any, board: Any, move: Any, anchor: int, number: int, rng: Any) -> Any:
    """Add what hangs on the first source cell by joins worth enough; how many cells the segment has."""
    level = _LEVELS * (2 * rng.random() - 1)
    limit = len(board.cell) if rng.random() < _WHOLE else 2 + int((_LARGEST - 2) * rng.random() ** 3)
    taken, looked = 1, 0
    while looked < taken:
        cell = move.source[looked]
        looked += 1
        for direction in range(4):
            other = _next_to(cell, direction, board.width)
            there = board.cell[other]
            if taken == limit or there < 0 or other == anchor or move.leaving[other] == number:
                continue
            if board.frozen[there >> 2]:
                continue
            if worth(values, facing(board.cell[cell], direction), facing(there, direction + 2)) > level:
                move.leaving[other], move.source[taken] = number, other
                taken += 1
    return taken


@njit_without_counting
def _lay(board: Any, move: Any, taken: int, source: int, target: int, anchor: int, spin: int, number: int) -> Any:
    """Lay the segment down with its first piece in the target; how many cells it enters, none if there is no room."""
    width, height = board.width, len(board.cell) // board.width
    for k in range(taken):
        cell = move.source[k]
        down, across = spun(cell // width - source // width, cell % width - source % width, spin)
        row, col = target // width + down, target % width + across
        if row < 0 or row >= height or col < 0 or col >= width:
            return 0
        goal = row * width + col
        there = board.cell[goal]
        if there == WALL or goal == anchor or (there >= 0 and board.frozen[there >> 2]):
            return 0
        move.touched[k], move.entering[goal], move.origin[goal] = goal, number, cell
        move.after[goal] = _turned(board.cell[cell], spin)
    return taken


@njit_without_counting
def _drive_out(board: Any, move: Any, entered: int, spin: int, number: int) -> Any:
    """Send what the segment covers the opposite way, into the cells it left; how many cells change in all."""
    touched = entered
    for k in range(entered):
        goal = move.touched[k]
        if move.leaving[goal] == number:
            continue
        free, steps = move.origin[goal], 1
        while move.entering[free] == number:
            free, steps = move.origin[free], steps + 1
        move.after[free] = _turned(board.cell[goal], -steps * spin)
        move.touched[touched] = free
        touched += 1
    return touched


@njit_without_counting
def _turn_best(values: Any, board: Any, move: Any, source: int, target: int) -> None:
    """Turn a single piece that was driven out as it fits best where it goes."""
    came, driven_out = board.cell[source], board.cell[target]
    board.cell[target] = move.after[target]
    highest = -np.inf
    for turn in range(4):
        board.cell[source] = (driven_out & -4) | turn
        gain = _contact(values, board, source)
        if gain > highest:
            highest, move.after[source] = gain, board.cell[source]
    board.cell[source], board.cell[target] = came, driven_out


@njit_without_counting
def _contact(values: Any, board: Any, cell: int) -> Any:
    total = 0.0
    for direction in range(4):
        there = board.cell[_next_to(cell, direction, board.width)]
        if there >= 0:
            total += worth(values, facing(board.cell[cell], direction), facing(there, direction + 2))
    return total


@njit_without_counting
def _worth_around(values: Any, board: Any, move: Any, touched: int, number: int) -> Any:
    """What all joins of the cells that change are worth, each counted once."""
    total = 0.0
    for k in range(touched):
        cell = move.touched[k]
        here = board.cell[cell]
        if here < 0:
            continue
        for direction in range(4):
            other = _next_to(cell, direction, board.width)
            there = board.cell[other]
            if there >= 0 and (other > cell or move.changing[other] != number):
                total += worth(values, facing(here, direction), facing(there, direction + 2))
    return total


@njit_without_counting
def _carry_out(board: Any, move: Any, touched: int) -> None:
    for k in range(touched):
        cell = move.touched[k]
        move.before[cell] = board.cell[cell]
        _set(board, cell, move.after[cell])


@njit_without_counting
def _take_back(board: Any, move: Any, touched: int) -> None:
    for k in range(touched):
        cell = move.touched[k]
        _set(board, cell, move.before[cell])


@njit_without_counting
def _set(board: Any, cell: int, placed: int) -> None:
    board.cell[cell] = placed
    if placed >= 0:
        board.where[placed >> 2] = cell
