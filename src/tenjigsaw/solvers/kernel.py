"""The kernel of pieces that a child of the genetic solver grows from: what is placed, and which joins are open.

A placed piece is written ``4 * piece + turn``. The kernel floats in a square ground twice as wide as the frame. Open
joins wait in queues; those that later placements have made impossible are found out when their turn comes.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit, njit_without_counting
from tenjigsaw.solvers.filling import join_cost
from tenjigsaw.solvers.grid import beside, facing, spun
from tenjigsaw.solvers.randomness import draw

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]

NOTHING = -1

# The queues of a kernel, and the bounds of what is placed; all are numbers of a row in ``queues`` or ``counts``.
SHARED, BUDDIES, FRESH, HEAP, STUCK, SPARE, TOP, BOTTOM, LEFT, RIGHT = range(10)


class Rules(NamedTuple):
    """What is the same for all children of a puzzle.

    ``full`` to ``unlisted`` are a `CostView`, spread out because threads are not handed tuples within tuples.
    ``listed`` and ``listed_cost`` (4N, K): the best partners of each edge, best first; ``buddy`` (4N,): the partner
    for which each is the other's first choice. ``cluster``, ``row``, ``col``, ``turn`` and ``following`` (N,): pinned
    clusters, each a chain that begins with the piece it is named after. ``held``: a piece of the cluster that has a
    fixed place, or -1. ``penalty`` is what a join that must not be costs; ``reference`` is taken off every join, so
    that a join is worth having if it costs less. A share ``mutation`` of the children is mutated: a share ``odd`` of
    their placements is not what it should be.
    """

    full: Floats
    start: Longs
    column: Longs
    listed_value: Floats
    unlisted: float
    listed: Ints
    listed_cost: Floats
    buddy: Ints
    cluster: Longs
    row: Longs
    col: Longs
    turn: Longs
    following: Longs
    held: int
    rows: int
    cols: int
    turned: bool
    penalty: float
    reference: float
    mutation: float
    odd: float


class Kernel(NamedTuple):
    """A growing child.

    ``ground`` (side * side,): placed pieces; ``cell`` and ``turn`` (N,): where they are, -1 where not yet;
    ``partners`` (2, 4N): whom each edge meets in either parent. ``queues`` (6, 4N) hold exposed edges in five rows and
    in the last the pieces that are spare, each at its ``spare_at``; ``counts`` says how many, and then the bounds.
    ``choice`` (4N,) is how far down its list an edge of the heap has come, ``heap_cost`` the cost of that join.
    """

    side: int
    ground: Ints
    cell: Ints
    turn: Ints
    partners: Ints
    queues: Ints
    spare_at: Ints
    choice: Ints
    heap_cost: Floats
    counts: Longs
    random: NDArray[np.uint64]


@njit(cache=True)
def new_kernel(count: int, rows: int, cols: int) -> Any:
    """Room for a child."""
    side, edges = 2 * max(rows, cols) + 3, 4 * count
    return Kernel(
        side,
        np.empty(side * side, np.int32),
        np.empty(count, np.int32),
        np.empty(count, np.int32),
        np.empty((2, edges), np.int32),
        np.empty((6, edges), np.int32),
        np.empty(count, np.int32),
        np.empty(edges, np.int32),
        np.empty(edges, np.float32),
        np.zeros(10, np.int64),
        np.zeros(1, np.uint64),
    )


@njit_without_counting
def cost_between(rules: Any, a: int, b: int) -> Any:
    view = (rules.full, rules.start, rules.column, rules.listed_value, rules.unlisted)
    cost = join_cost(view, a, b)
    return (cost if cost < rules.penalty else rules.penalty) - rules.reference


@njit_without_counting
def pick(kernel: Any, which: int) -> Any:
    """Take any edge out of a queue."""
    place = draw(kernel.random, kernel.counts[which])
    edge = kernel.queues[which, place]
    kernel.counts[which] -= 1
    kernel.queues[which, place] = kernel.queues[which, kernel.counts[which]]
    return edge


@njit_without_counting
def push(kernel: Any, which: int, edge: int) -> None:
    kernel.queues[which, kernel.counts[which]] = edge
    kernel.counts[which] += 1


@njit_without_counting
def add_to_heap(kernel: Any, edge: int, price: float) -> None:
    heap, cost, place = kernel.queues[HEAP], kernel.heap_cost, kernel.counts[HEAP]
    kernel.counts[HEAP] += 1
    while place > 0:
        parent = (place - 1) >> 1
        if cost[parent] <= price:
            break
        heap[place], cost[place] = heap[parent], cost[parent]
        place = parent
    heap[place], cost[place] = edge, price


@njit_without_counting
def drop_top(kernel: Any) -> None:
    kernel.counts[HEAP] -= 1
    heap, cost, size = kernel.queues[HEAP], kernel.heap_cost, kernel.counts[HEAP]
    edge, price = heap[size], cost[size]
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and cost[child + 1] < cost[child]:
            child += 1
        if cost[child] >= price:
            break
        heap[place], cost[place] = heap[child], cost[child]
        place = child
    heap[place], cost[place] = edge, price


@njit_without_counting
def _step(side: int, row: int, col: int, direction: int) -> Any:
    """The next cell in a direction."""
    row, col = beside(row, col, direction)
    return row * side + col


@njit_without_counting
def target(kernel: Any, edge: int) -> Any:
    """(direction, row, column) of the cell that an exposed edge faces."""
    piece = edge >> 2
    direction = (edge + kernel.turn[piece]) & 3
    cell = kernel.cell[piece]
    row, col = beside(cell // kernel.side, cell % kernel.side, direction)
    return direction, row, col


@njit_without_counting
def is_open(rules: Any, kernel: Any, row: int, col: int) -> Any:
    """Whether a cell is free and not outside the frame, wherever that may float."""
    counts = kernel.counts
    height = max(counts[BOTTOM], row) - min(counts[TOP], row) + 1
    width = max(counts[RIGHT], col) - min(counts[LEFT], col) + 1
    return _in_frame(rules, height, width) and kernel.ground[row * kernel.side + col] < 0


@njit_without_counting
def _in_frame(rules: Any, height: int, width: int) -> Any:
    if height <= rules.rows and width <= rules.cols:
        return True
    return rules.turned and height <= rules.cols and width <= rules.rows


@njit_without_counting
def fits(rules: Any, kernel: Any, piece: int, turn: int, row: int, col: int) -> Any:
    """Whether a piece, with all that is pinned to it, has room there."""
    counts = kernel.counts
    top, bottom, left, right = counts[TOP], counts[BOTTOM], counts[LEFT], counts[RIGHT]
    member = rules.cluster[piece]
    while member >= 0:
        r, c = _offset(rules, piece, member, turn)
        r, c = r + row, c + col
        top, bottom, left, right = min(top, r), max(bottom, r), min(left, c), max(right, c)
        if not _in_frame(rules, bottom - top + 1, right - left + 1) or kernel.ground[r * kernel.side + c] >= 0:
            return False
        member = rules.following[member]
    return True


@njit_without_counting
def _offset(rules: Any, piece: int, member: int, turn: int) -> Any:
    """Row and column of another piece of the cluster, seen from this piece with this turn."""
    r, c = rules.row[member] - rules.row[piece], rules.col[member] - rules.col[piece]
    return spun(r, c, (turn - rules.turn[piece]) & 3)


@njit_without_counting
def lay(rules: Any, kernel: Any, piece: int, turn: int, row: int, col: int) -> None:
    """Lay a piece, with all that is pinned to it, and queue the joins that are open now."""
    counts = kernel.counts
    member = rules.cluster[piece]
    while member >= 0:
        r, c = _offset(rules, piece, member, turn)
        r, c = r + row, c + col
        kernel.cell[member] = r * kernel.side + c
        kernel.turn[member] = (rules.turn[member] + turn - rules.turn[piece]) & 3
        kernel.ground[kernel.cell[member]] = 4 * member + kernel.turn[member]
        counts[TOP], counts[BOTTOM] = min(counts[TOP], r), max(counts[BOTTOM], r)
        counts[LEFT], counts[RIGHT] = min(counts[LEFT], c), max(counts[RIGHT], c)
        counts[SPARE] -= 1
        moved, place = kernel.queues[SPARE, counts[SPARE]], kernel.spare_at[member]
        kernel.queues[SPARE, place], kernel.spare_at[moved] = moved, place
        member = rules.following[member]
    member = rules.cluster[piece]
    while member >= 0:
        _expose(rules, kernel, member)
        member = rules.following[member]


@njit_without_counting
def _expose(rules: Any, kernel: Any, piece: int) -> None:
    """Queue the open edges of a placed piece by what its parents know of them."""
    cell = kernel.cell[piece]
    placed = kernel.ground[cell]
    row, col = cell // kernel.side, cell % kernel.side
    for direction in range(4):
        if kernel.ground[_step(kernel.side, row, col, direction)] >= 0:
            continue
        edge = facing(placed, direction)
        one, other, buddy = kernel.partners[0, edge], kernel.partners[1, edge], rules.buddy[edge]
        if one >= 0 and one == other:
            if kernel.cell[one >> 2] < 0:
                push(kernel, SHARED, edge)
        elif buddy >= 0 and buddy in (one, other) and kernel.cell[buddy >> 2] < 0:
            push(kernel, BUDDIES, edge)
        push(kernel, FRESH, edge)


@njit_without_counting
def cost_beside(rules: Any, kernel: Any, placed: int, row: int, col: int) -> Any:
    """What a piece costs beside its neighbours."""
    total = 0.0
    for direction in range(4):
        there = kernel.ground[_step(kernel.side, row, col, direction)]
        if there >= 0:
            total += cost_between(rules, facing(placed, direction), facing(there, direction + 2))
    return total


@njit_without_counting
def least_beside(rules: Any, kernel: Any, row: int, col: int) -> Any:
    """What any piece costs at least beside the neighbours of a cell."""
    total = 0.0
    for direction in range(4):
        there = kernel.ground[_step(kernel.side, row, col, direction)]
        if there >= 0:
            edge = facing(there, direction + 2)
            if rules.listed[edge, 0] < 0:
                return -np.inf
            total += cost_between(rules, edge, rules.listed[edge, 0])
    return total
