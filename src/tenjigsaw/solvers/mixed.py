"""Pieces of several puzzles in one heap: segments grow around a middle for each puzzle, and go where they fit best."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.layout import EMPTY, Layout
from tenjigsaw.measures.loops import with_loops
from tenjigsaw.measures.scores import Scores, SparseScores, with_cost
from tenjigsaw.progress import Progress, no_progress, show
from tenjigsaw.solvers.blocks import pinned_clusters
from tenjigsaw.solvers.border import check_scores
from tenjigsaw.solvers.clusters import Clusters
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.recreation import Bounds, Places, Segments, Values, recreate, segments_of, strip_width
from tenjigsaw.solvers.ruin import begin
from tenjigsaw.solvers.search import TRIES_A_ROUND, Best, Ints, as_asked, laid_out, ruin_in_time
from tenjigsaw.solvers.start import check_heap_start
from tenjigsaw.solvers.stop import Stop
from tenjigsaw.solvers.tree import grow
from tenjigsaw.solvers.worth import HIGHEST, expected_right

# The first segments are held by joins at least this likely, so that hardly any spans two puzzles.
_SURE = 0.5
_FIRST_TRIES = 100
_DEFAULT_STOP = Stop(generations=10, patience=3)
# A puzzle of unknown size spans so many cells for its even share of the pieces: below 2, or one would swallow two.
_LARGEST_SHARE = 1.8


def solve_mixed(
    scores: Scores,
    puzzles: int,
    frame: Frame,
    stop: Stop,
    rng: np.random.Generator,
    progress: Progress = no_progress,
    pins: Pins | None = None,
    starts: Sequence[Layout] = (),
) -> list[Layout]:
    """Place the pieces of several puzzles, a layout for each; ``frame`` is the size of every one, if known.

    ``pins`` may say which edges are joined and which stay apart; that leaves open which puzzle they belong to.
    ``starts`` are layouts to begin from, one for each puzzle; they are not used if they do not suit the frame.
    """
    check_scores(scores)
    count, pins = scores.edges // 4, pins or Pins()
    check_heap_pins(pins, count, scores.turned)
    if starts:
        check_heap_start(starts, puzzles, count, scores.turned)
    bounds = _bounds(puzzles, frame, count, scores.turned)
    watch = (stop if stop.seconds else stop.or_else(_DEFAULT_STOP)).watch()
    progress("listening to loops", 0.0)
    heard = with_cost(with_loops(with_cost(scores, pins.apart, np.inf)), pins.apart, np.inf)
    assert isinstance(heard, SparseScores)
    pieces, pinned = np.arange(count), pinned_clusters(pins, count, Frame(missing=True))
    block_places, block = _as_segments(pinned)
    values, blocks = expected_right(heard, pins), segments_of(block, block.max() + 1)
    places, sizes, worth = _begun_from(starts, values, block_places, blocks, bounds, pins, rng)
    if worth == -np.inf:
        places, segment = _as_segments(_surely_joined(heard, pinned, pins))
        places, sizes, worth = begin(values, places, segment, bounds, blocks, _FIRST_TRIES, rng)
    if worth == -np.inf:
        places, sizes, worth = begin(values, block_places, block, bounds, blocks, _FIRST_TRIES, rng)
    if worth == -np.inf:
        raise InputError(f"No way was found to part {count} pieces into {puzzles} puzzles; say how large each is.")
    while True:
        whole = _side_by_side(places, bounds)
        show(progress, whole, HIGHEST * len(whole.joins()) - worth)
        progress("improving", watch.share)
        best = (places, sizes, worth)
        places, sizes, worth = ruin_in_time(values, best, bounds, blocks, pieces, TRIES_A_ROUND, rng, watch)
        if watch.ends_after(-worth):
            break
    pins.check_kept(_side_by_side(places, bounds))
    return _in_order_of(starts, _layouts(places, sizes, strip_width(bounds), frame))


def _bounds(puzzles: int, frame: Frame, count: int, turned: bool) -> Bounds:
    if not 1 <= puzzles <= count:
        raise InputError(f"{count} pieces can't be those of {puzzles} puzzles.")
    # An unknown frame may be long: four times as many cells as a square needs leave room for that.
    side = 2 * math.ceil(math.sqrt(count / puzzles))
    rows, cols = frame.size or (side, side)
    if puzzles * rows * cols < count:
        raise InputError(f"{puzzles} frames of {rows} x {cols} have too few cells for {count} pieces.")
    cells = rows * cols if frame.size else max(side, int(_LARGEST_SHARE * count / puzzles))
    return Bounds(puzzles, rows, cols, cells, turned, turned, fixed=False)


def check_heap_pins(pins: Pins, count: int, turned: bool) -> None:
    """Refuse pins that make no sense for a heap."""
    if len(pins.held):
        raise InputError("In a heap of several puzzles no piece can be held in a cell; pin joins instead.")
    pins.check(count, Frame(missing=True), turned)


def _begun_from(
    starts: Sequence[Layout],
    values: Values,
    block_places: Places,
    blocks: Segments,
    bounds: Bounds,
    pins: Pins,
    rng: np.random.Generator,
) -> Best:
    """Each layout stays as it is, but for pieces that pins name: these and all others are laid around, as blocks."""
    row, col, turn = (part.copy() for part in block_places)
    segment = blocks.segment + len(starts)
    named = np.concatenate([pins.joined.ravel(), pins.apart.ravel()]) // 4
    for number, start in enumerate(starts):
        r, c = np.nonzero((start.piece >= 0) & ~np.isin(start.piece, named))
        piece = start.piece[r, c]
        row[piece], col[piece], turn[piece], segment[piece] = r, c, start.turn[r, c], number
    names, segment = np.unique(segment, return_inverse=True)
    first = np.arange(bounds.puzzles)
    if not starts or not np.isin(first, names).all():
        return block_places, np.zeros((bounds.puzzles, 2), dtype=np.int64), -np.inf
    segments = segments_of(segment, len(names))
    begun: Best = recreate(values, Places(row, col, turn), segments, blocks, bounds, first, -np.inf, 0.0, rng)
    return begun


def _surely_joined(scores: SparseScores, pinned: Clusters, pins: Pins) -> Clusters:
    sure = replace(scores, values=np.where(scores.values > -math.log(_SURE), np.float32(np.inf), scores.values))
    if not np.isfinite(sure.values).any():
        sure = scores
    return grow(sure, pinned, pins.apart)


def _as_segments(clusters: Clusters) -> tuple[Places, Ints]:
    segment: Ints = np.unique(clusters.cluster, return_inverse=True)[1]
    return Places(clusters.row, clusters.col, clusters.turn), segment


def _in_order_of(starts: Sequence[Layout], layouts: list[Layout]) -> list[Layout]:
    """The layouts, each in the place of the start that it shares most pieces with: the search may exchange puzzles."""
    left, ordered = list(layouts), []
    for start in starts:
        shared = [np.isin(layout.piece[layout.piece >= 0], start.piece).sum() for layout in left]
        ordered.append(left.pop(int(np.argmax(shared))))
    return ordered + left


def _side_by_side(places: Places, bounds: Bounds) -> Layout:
    """All puzzles in one layout, with an empty column or more between them, for who wants to see how far it is."""
    width = strip_width(bounds)
    return as_asked(laid_out(places, np.array([width, bounds.puzzles * width])), Frame(missing=True))


def _layouts(places: Places, sizes: Ints, width: int, frame: Frame) -> list[Layout]:
    layouts = []
    for puzzle, (rows, cols) in enumerate(sizes):
        inside = np.nonzero(places.col // width == puzzle)[0]
        piece, turn = np.full((rows, cols), EMPTY, dtype=np.int64), np.zeros((rows, cols), dtype=np.int64)
        row, col = places.row[inside], places.col[inside] % width
        piece[row, col], turn[row, col] = inside, places.turn[inside]
        layouts.append(as_asked(Layout(piece, turn), frame if frame.size else Frame(missing=True)))
    return layouts
