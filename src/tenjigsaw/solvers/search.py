"""The search of the segment solver, round by round: the best layout so far, and how to better it."""

from copy import copy
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import interrupts_held
from tenjigsaw.layout import EMPTY, Joins, Layout
from tenjigsaw.measures.scores import Scores, SparseScores
from tenjigsaw.solvers.annealing import HOLE, WALL, Board, anneal
from tenjigsaw.solvers.blocks import pinned_clusters
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.recreation import Bounds, Places, Segments, Values, segments_of
from tenjigsaw.solvers.ruin import improve
from tenjigsaw.solvers.stop import Watch
from tenjigsaw.solvers.worth import HIGHEST, UNIT, draws, expected_right, likelihood, worth_of

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
# Where the pieces lie, the (rows, cols) of each puzzle, and what their joins are worth.
Best = tuple[Places, Ints, float]

TRIES_A_ROUND, _TRIES_A_CENTRE = 200, 4
# A round ends amid its tries when the time is up; large puzzles take seconds for all of them.
_TRIES_A_PORTION = 4
# Where hardly any piece is in doubt, because of a join that is less likely than this or no first choice of both edges,
# so many rounds search around these pieces alone; later ones trust nothing. Tuned on val: half the time on clean
# puzzles, for the same result.
TRUSTING_ROUNDS = 8
_SURE, _FEW = 0.9, 0.25
# The first rounds look for right joins, which soon brings large parts together; later ones for a likely whole.
_FIRST_ROUNDS = 2
_MOVES_A_PIECE = 1000
# Large puzzles anneal less for each piece: a round must not take a minute.
_MOST_MOVES = 1_000_000
# Temperatures are in natural units of log-likelihood; the last portion of moves only goes uphill. Tuned on val.
_HOT, _COLD, _COLDEST = 4.0, 0.5, 0.05
_PORTIONS = 8
_MARGIN = 2


class Search:
    """The best layout so far, and what compiled code needs to look for a better one."""

    def __init__(self, matched: Scores, heard: SparseScores, frame: Frame, pins: Pins, layout: Layout) -> None:
        self.frame = frame
        self.expected, self.likely = expected_right(heard, pins), likelihood(matched, heard, pins)
        self.draws = draws(heard)
        self.blocks = _blocks(pins, heard.edges // 4, frame)
        self.bounds = _bounds(layout, frame, heard.turned, fixed=len(pins.held) > 0)
        self.layout = layout

    def from_layout(self, layout: Layout) -> "Search":
        """Another search of the same puzzle."""
        other = copy(self)
        other.layout = layout
        return other

    @property
    def pieces(self) -> int:
        """N."""
        return len(self.blocks.segment)

    @property
    def settled(self) -> bool:
        """Whether the frame is full and each edge in it meets its first choice: there is nothing to look for."""
        return bool((self.layout.piece >= 0).all() and self._are_first_choices(self.layout.joins()).all())

    def _are_first_choices(self, joins: Joins) -> Flags:
        first = self.draws.partner[:, 0]
        both: Flags = (first[joins.one] == joins.other) & (first[joins.other] == joins.one)
        return both

    def worth_moving(self, layout: Layout, rounds: int) -> Ints:
        """Pieces to search around after so many rounds: all of them, or the doubtful ones where these are few."""
        pieces = np.arange(self.pieces)
        if rounds >= TRUSTING_ROUNDS:
            return pieces
        doubtful = self._doubtful(layout)
        return doubtful if 0 < len(doubtful) <= _FEW * len(pieces) else pieces

    def _doubtful(self, layout: Layout) -> Ints:
        """Pieces with a join that is not surely right, or beside an empty cell."""
        joins = layout.joins()
        chance = self.draws.chance[:, 0]
        sure = self._are_first_choices(joins) & (np.minimum(chance[joins.one], chance[joins.other]) >= _SURE)
        empty = np.pad(layout.piece == EMPTY, 1)
        beside_empty = empty[:-2, 1:-1] | empty[2:, 1:-1] | empty[1:-1, :-2] | empty[1:-1, 2:]
        lonely = layout.piece[beside_empty & (layout.piece != EMPTY)]
        return np.unique(np.concatenate([joins.one[~sure] // 4, joins.other[~sure] // 4, lonely]))

    @property
    def worth(self) -> float:
        """How likely the layout is as a whole: what searches raise."""
        return worth_of(self.likely, self.layout)

    @property
    def cost(self) -> float:
        """How unlikely the layout is, from 0 for sure on. Where cells stay empty, fewer joins cost less."""
        return HIGHEST * len(self.layout.joins()) - self.worth

    def improve(self, rng: np.random.Generator, watch: Watch) -> None:
        """A round of the search."""
        if watch.rounds < _FIRST_ROUNDS:
            self.ruin_and_recreate(rng, watch)
        else:
            self._ruin_and_recreate(self.likely, rng, watch)
            self.anneal(rng, watch)

    def ruin_and_recreate(self, rng: np.random.Generator, watch: Watch) -> None:
        """Break segments off and lay them again as long as more right joins are to be expected."""
        self._ruin_and_recreate(self.expected, rng, watch)

    def _ruin_and_recreate(self, values: Values, rng: np.random.Generator, watch: Watch) -> None:
        best = (_places(self.layout), np.array([[self.layout.rows, self.layout.cols]]), worth_of(values, self.layout))
        centres = self.worth_moving(self.layout, watch.rounds)
        tries = TRIES_A_ROUND
        if len(centres) < self.pieces:
            tries = min(tries, _TRIES_A_CENTRE * len(centres))
        places, sizes, _ = ruin_in_time(values, best, self.bounds, self.blocks, centres, tries, rng, watch)
        self.layout = as_asked(laid_out(places, sizes[0]), self.frame)

    def anneal(self, rng: np.random.Generator, watch: Watch) -> None:
        """Move pieces and segments towards the likeliest layout."""
        board = _board(self.layout, self.blocks, self.bounds)
        temperatures = [*np.geomspace(_HOT, _COLD, _PORTIONS), _COLDEST]
        for hot, cold in pairwise(temperatures):
            if watch.out_of_time:
                break
            hosts = self.worth_moving(_layout_of(board), watch.rounds)
            moves = min(_MOVES_A_PIECE * len(hosts), _MOST_MOVES) // _PORTIONS
            anneal(self.likely, self.draws, board, hosts, moves, UNIT * hot, UNIT * cold, rng)
        found = _layout_of(board)
        if worth_of(self.likely, found) > worth_of(self.likely, self.layout):
            self.layout = found


def ruin_in_time(
    values: Values,
    best: Best,
    bounds: Bounds,
    blocks: Segments,
    centres: Ints,
    tries: int,
    rng: np.random.Generator,
    watch: Watch,
) -> Best:
    """A round of ruin and recreate, with holes around the ``centres``, that ends early if the time is up.

    Its portions go on where the one before left off, in what they have and in what they draw, so that a round that
    has the time does the same as one in one go.
    """
    for _ in range(0, tries, _TRIES_A_PORTION):
        if watch.out_of_time:
            break
        with interrupts_held():
            best = improve(values, *best, bounds, blocks, centres, _TRIES_A_PORTION, rng)
    return best


def _blocks(pins: Pins, count: int, frame: Frame) -> Segments:
    """Pieces that pins hold together, and single pieces; held pieces are block 0."""
    name = pinned_clusters(pins, count, frame).cluster.copy()
    if len(pins.held):
        name[name == name[pins.held[0, 0]]] = -1
    found, block = np.unique(name, return_inverse=True)
    with interrupts_held():
        blocks: Segments = segments_of(block, len(found))
    return blocks


def _bounds(layout: Layout, frame: Frame, turned: bool, fixed: bool) -> Bounds:
    """The frame that the layout has taken, or, where the size is open, a bit more than it fills."""
    rows, cols = layout.rows, layout.cols
    if frame.missing and frame.size is None:
        rows = cols = max(rows, cols) + _MARGIN
    return Bounds(1, rows, cols, rows * cols, turned and not fixed, turned, fixed)


def _board(layout: Layout, blocks: Segments, bounds: Bounds) -> Board:
    """The layout with walls around it; pinned blocks are frozen."""
    placed = np.where(layout.piece >= 0, 4 * layout.piece + layout.turn, HOLE)
    cell = np.pad(placed, 1, constant_values=WALL).ravel()
    where = np.empty(len(blocks.segment), dtype=np.int64)
    where[cell[cell >= 0] // 4] = np.nonzero(cell >= 0)[0]
    frozen = np.diff(blocks.start)[blocks.segment] > 1
    if bounds.fixed:
        frozen |= blocks.segment == 0
    return Board(cell, where, layout.cols + 2, frozen, bounds.turned)


def _layout_of(board: Board) -> Layout:
    placed = board.cell.reshape(-1, board.width)[1:-1, 1:-1]
    return Layout(np.where(placed >= 0, placed // 4, EMPTY), np.where(placed >= 0, placed % 4, 0))


def _places(layout: Layout) -> Places:
    row, col = np.nonzero(layout.piece >= 0)
    order = np.argsort(layout.piece[row, col])
    row, col = row[order], col[order]
    return Places(row, col, layout.turn[row, col])


def laid_out(places: Places, size: Ints) -> Layout:
    """The pieces in a frame of (rows, cols)."""
    piece, turn = np.full(size, EMPTY, dtype=np.int64), np.zeros(size, dtype=np.int64)
    piece[places.row, places.col] = np.arange(len(places.row))
    turn[places.row, places.col] = places.turn
    return Layout(piece, turn)


def as_asked(layout: Layout, frame: Frame) -> Layout:
    """Set upright what was built lying on its side, and cut off the margin of an open frame."""
    if frame.size is not None:
        return layout if frame.size == (layout.rows, layout.cols) else layout.turned(1)
    return layout.cropped() if frame.missing else layout
