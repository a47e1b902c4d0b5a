"""Compiled crossover of the genetic solver: a child grows as one kernel of pieces, join by join.

The order of preference is Sholomon's: a join that both parents have, a best-buddy join that one of them has, the
cheapest join; after each placement it begins again.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit, njit_without_counting, prange
from tenjigsaw.solvers.grid import facing
from tenjigsaw.solvers.kernel import (
    BOTTOM,
    BUDDIES,
    FRESH,
    HEAP,
    LEFT,
    NOTHING,
    RIGHT,
    SHARED,
    SPARE,
    STUCK,
    TOP,
    Ints,
    Longs,
    add_to_heap,
    cost_beside,
    cost_between,
    drop_top,
    fits,
    is_open,
    lay,
    least_beside,
    new_kernel,
    pick,
    push,
    target,
)
from tenjigsaw.solvers.randomness import chance, draw, seed_for

_CHUNKS = 64


@njit(cache=True, parallel=True)
def breed(
    rules: Any, parents: Ints, pairs: Longs, seed: int, first: int, children: Ints, costs: NDArray[np.float64]
) -> None:
    """Grow a child of each pair of parents.

    ``parents`` (P, rows, cols) are whole layouts, ``pairs`` (C, 2) numbers of them; ``children`` (C, rows, cols) and
    ``costs`` (C,) are filled in. Each child draws from its own numbers, so that threads do not matter; ``first`` is
    how many children of the same seed there are already.
    """
    count = len(rules.cluster)
    for chunk in prange(_CHUNKS):
        kernel = new_kernel(count, rules.rows, rules.cols)
        for child in range(chunk, len(pairs), _CHUNKS):
            kernel.random[0] = seed_for(seed, first + child)
            note_partners(parents[pairs[child, 0]], kernel.partners[0])
            note_partners(parents[pairs[child, 1]], kernel.partners[1])
            grow_child(rules, kernel, rules.odd if chance(kernel.random, rules.mutation) else 0.0)
            hand_over(rules, kernel, children[child])
            costs[child] = cost_of(rules, children[child]) if kernel.counts[SPARE] == 0 else np.inf


@njit_without_counting
def note_partners(layout: Ints, partner: Ints) -> None:
    """Write down which edge each edge meets in a layout."""
    rows, cols = layout.shape
    partner[:] = NOTHING
    for r in range(rows):
        for c in range(cols):
            here = layout[r, c]
            if here < 0:
                continue
            if c + 1 < cols and layout[r, c + 1] >= 0:
                _note(partner, here, layout[r, c + 1], 1)
            if r + 1 < rows and layout[r + 1, c] >= 0:
                _note(partner, here, layout[r + 1, c], 2)


@njit_without_counting
def _note(partner: Ints, here: int, there: int, direction: int) -> None:
    a, b = facing(here, direction), facing(there, direction + 2)
    partner[a], partner[b] = b, a


@njit_without_counting
def cost_of(rules: Any, layout: Ints) -> Any:
    """The sum of the costs of all joins, each less the reference."""
    rows, cols = layout.shape
    total = 0.0
    for r in range(rows):
        for c in range(cols):
            here = layout[r, c]
            if here < 0:
                continue
            if c + 1 < cols and layout[r, c + 1] >= 0:
                total += cost_between(rules, facing(here, 1), facing(layout[r, c + 1], 3))
            if r + 1 < rows and layout[r + 1, c] >= 0:
                total += cost_between(rules, facing(here, 2), facing(layout[r + 1, c], 0))
    return total


@njit_without_counting
def grow_child(rules: Any, kernel: Any, odd: float) -> None:
    """Place piece after piece, as long as there are any that fit; ``odd`` is the share of odd placements."""
    placed, row, col = _begin(rules, kernel)
    while placed >= 0:
        lay(rules, kernel, placed >> 2, placed & 3, row, col)
        if kernel.counts[SPARE] == 0:
            return
        placed, row, col = _shared_join(rules, kernel, odd)
        if placed < 0:
            placed, row, col = _buddy_join(rules, kernel)
        if placed < 0:
            placed, row, col = _cheapest_join(rules, kernel, odd)
        if placed < 0:
            placed, row, col = _filling(rules, kernel)


@njit_without_counting
def _begin(rules: Any, kernel: Any) -> Any:
    """Clear the ground; the first piece, any or a held one, and its place."""
    count, counts = len(rules.cluster), kernel.counts
    kernel.ground[:] = NOTHING
    kernel.cell[:] = NOTHING
    for piece in range(count):
        kernel.queues[SPARE, piece] = kernel.spare_at[piece] = piece
    counts[:] = 0
    counts[SPARE] = count
    if rules.held >= 0:
        counts[TOP], counts[BOTTOM], counts[LEFT], counts[RIGHT] = 1, rules.rows, 1, rules.cols
        return 4 * rules.held + rules.turn[rules.held], rules.row[rules.held] + 1, rules.col[rules.held] + 1
    middle = max(rules.rows, rules.cols) + 1
    counts[TOP] = counts[BOTTOM] = counts[LEFT] = counts[RIGHT] = middle
    for _ in range(count):
        piece = draw(kernel.random, count)
        turn = draw(kernel.random, 4) if rules.turned else 0
        if fits(rules, kernel, piece, turn, middle, middle):
            return 4 * piece + turn, middle, middle
    return NOTHING, 0, 0


@njit_without_counting
def _shared_join(rules: Any, kernel: Any, odd: float) -> Any:
    """Phase 1: a join that both parents have; now and then one is passed over (mutation)."""
    counts = kernel.counts
    while counts[SHARED] > 0:
        edge = pick(kernel, SHARED)
        if chance(kernel.random, odd):
            continue
        placed, row, col = _joined(rules, kernel, edge, kernel.partners[0, edge])
        if placed >= 0:
            return placed, row, col
    return NOTHING, 0, 0


@njit_without_counting
def _buddy_join(rules: Any, kernel: Any) -> Any:
    """Phase 2: a best-buddy join that one parent has."""
    counts = kernel.counts
    while counts[BUDDIES] > 0:
        edge = pick(kernel, BUDDIES)
        placed, row, col = _joined(rules, kernel, edge, rules.buddy[edge])
        if placed >= 0:
            return placed, row, col
    return NOTHING, 0, 0


@njit_without_counting
def _cheapest_join(rules: Any, kernel: Any, odd: float) -> Any:
    """Phase 3: the cheapest listed join; now and then any piece instead (mutation)."""
    counts = kernel.counts
    _enter_fresh(rules, kernel)
    while counts[HEAP] > 0:
        edge = kernel.queues[HEAP, 0]
        direction, row, col = target(kernel, edge)
        if not is_open(rules, kernel, row, col):
            drop_top(kernel)
            continue
        partner = rules.listed[edge, kernel.choice[edge]]
        if kernel.cell[partner >> 2] < 0:
            piece, turn = partner >> 2, (direction + 2 - partner) & 3
            if chance(kernel.random, odd):
                piece = kernel.queues[SPARE, draw(kernel.random, counts[SPARE])]
                turn = draw(kernel.random, 4) if rules.turned else 0
            if fits(rules, kernel, piece, turn, row, col):
                return 4 * piece + turn, row, col
            kernel.choice[edge] += 1
        drop_top(kernel)
        _enter(rules, kernel, edge)
    return NOTHING, 0, 0


@njit_without_counting
def _enter_fresh(rules: Any, kernel: Any) -> None:
    """Enter newly exposed edges into the heap; most are covered again before anyone asks for the cheapest."""
    counts = kernel.counts
    while counts[FRESH] > 0:
        counts[FRESH] -= 1
        edge = kernel.queues[FRESH, counts[FRESH]]
        _, row, col = target(kernel, edge)
        if is_open(rules, kernel, row, col):
            kernel.choice[edge] = 0
            _enter(rules, kernel, edge)


@njit_without_counting
def _enter(rules: Any, kernel: Any, edge: int) -> None:
    """Enter an edge with its best partner that is left, or put it aside if its list holds none."""
    choice = kernel.choice[edge]
    listed = rules.listed[edge]
    while choice < len(listed) and listed[choice] >= 0 and kernel.cell[listed[choice] >> 2] >= 0:
        choice += 1
    kernel.choice[edge] = choice
    if choice < len(listed) and listed[choice] >= 0:
        add_to_heap(kernel, edge, rules.listed_cost[edge, choice])
    else:
        push(kernel, STUCK, edge)


@njit_without_counting
def _filling(rules: Any, kernel: Any) -> Any:
    """Beyond the lists: the spare piece that costs least beside all its neighbours, next to any exposed edge."""
    while kernel.counts[STUCK] > 0:
        _, row, col = target(kernel, pick(kernel, STUCK))
        if is_open(rules, kernel, row, col):
            best = _best_filling(rules, kernel, row, col)
            if best >= 0:
                return best, row, col
    return NOTHING, 0, 0


@njit_without_counting
def _best_filling(rules: Any, kernel: Any, row: int, col: int) -> Any:
    """The first of the spare pieces and turns that cost least in a cell; nothing if none fits."""
    best, lowest = NOTHING, np.inf
    # Flat pieces fit flat pieces as well as anything can, and there may be hundreds: the first is as good as any.
    bound = least_beside(rules, kernel, row, col)
    for k in range(kernel.counts[SPARE]):
        piece = kernel.queues[SPARE, k]
        for turn in range(4 if rules.turned else 1):
            cost = cost_beside(rules, kernel, 4 * piece + turn, row, col)
            if cost < lowest and fits(rules, kernel, piece, turn, row, col):
                best, lowest = 4 * piece + turn, cost
                if lowest <= bound:
                    return best
    return best


@njit_without_counting
def _joined(rules: Any, kernel: Any, edge: int, partner: int) -> Any:
    """The partner beside an exposed edge, and its place; nothing if it is not spare or there is no room."""
    piece = partner >> 2
    if kernel.cell[piece] < 0:
        direction, row, col = target(kernel, edge)
        turn = (direction + 2 - partner) & 3
        if fits(rules, kernel, piece, turn, row, col):
            return 4 * piece + turn, row, col
    return NOTHING, 0, 0


@njit_without_counting
def hand_over(rules: Any, kernel: Any, layout: Ints) -> None:
    """Copy the kernel into the frame, set upright if it grew lying on its side."""
    top, bottom, left, right = kernel.counts[TOP], kernel.counts[BOTTOM], kernel.counts[LEFT], kernel.counts[RIGHT]
    lying = bottom - top + 1 > rules.rows or right - left + 1 > rules.cols
    layout[:] = NOTHING
    for r in range(top, bottom + 1):
        for c in range(left, right + 1):
            placed = kernel.ground[r * kernel.side + c]
            if placed < 0:
                continue
            if lying:
                layout[c - left, bottom - r] = (placed & -4) | ((placed + 1) & 3)
            else:
                layout[r - top, c - left] = placed
