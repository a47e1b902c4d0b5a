"""Pieces of several puzzles in one heap: segments grow around a middle for each puzzle, and go where they fit best."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tenjigsaw.compilation import interrupts_held
from tenjigsaw.errors import InputError
from tenjigsaw.layout import EMPTY, Layout
from tenjigsaw.measures.loops import with_loops
from tenjigsaw.measures.scores import Scores, SparseScores, with_cost
from tenjigsaw.progress import Progress, no_progress, show
from tenjigsaw.solvers.blocks import pinned_clusters
from tenjigsaw.solvers.border import check_apart, check_scores
from tenjigsaw.solvers.clusters import Clusters
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.recreation import (
    IMPOSSIBLE,
    Bounds,
    Places,
    Segments,
    Values,
    recreate,
    segments_of,
    strip_width,
)
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


@dataclass(frozen=True, eq=False)
class _Heap:
    """What layouts of a heap are made of, and judged by."""

    heard: SparseScores
    values: Values
    pins: Pins
    pinned: Clusters
    blocks: Segments
    bounds: Bounds


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
    check_heap_size(puzzles, frame, count)
    check_heap_pins(pins, count, scores.turned)
    check_apart(scores, pins)
    if starts:
        check_heap_start(starts, puzzles, count, scores.turned)
    bounds = _bounds(puzzles, frame, count, scores.turned)
    watch = (stop if stop.seconds else stop.or_else(_DEFAULT_STOP)).watch()
    progress("listening to loops", 0.0)
    heap = _heap(scores, pins, bounds)
    best, centres = _begun(heap, starts, frame, rng), np.arange(count)
    while True:
        places, sizes, worth = best
        whole = _side_by_side(places, bounds)
        show(progress, whole, HIGHEST * len(whole.joins()) - worth)
        progress("improving", watch.share)
        best = ruin_in_time(heap.values, best, bounds, heap.blocks, centres, TRIES_A_ROUND, rng, watch)
        if watch.ends_after(-best[2]):
            break
    places, sizes, _ = best
    pins.check_kept(_side_by_side(places, bounds))
    return _in_order_of(starts, _layouts(places, sizes, strip_width(bounds), frame))


def _heap(scores: Scores, pins: Pins, bounds: Bounds) -> _Heap:
    # Best-k lists leave out what is forbidden, and what they leave out is merely unlikely: forbid it once more.
    heard = with_cost(with_loops(with_cost(scores, pins.apart, np.inf)), pins.apart, np.inf)
    assert isinstance(heard, SparseScores)
    pinned = pinned_clusters(pins, scores.edges // 4, Frame(missing=True))
    return _Heap(heard, expected_right(heard, pins), pins, pinned, _segments(pinned), bounds)


def _begun(heap: _Heap, starts: Sequence[Layout], frame: Frame, rng: np.random.Generator) -> Best:
    """The layouts to start from, if there are any that suit the frame; else what sure joins, or single pieces, make."""
    if starts:
        continued = _from_starts(heap, starts, rng)
        if continued[2] > IMPOSSIBLE:
            return continued
    for clusters in (_surely_joined(heap), heap.pinned):
        segment = np.unique(clusters.cluster, return_inverse=True)[1]
        with interrupts_held():
            best: Best = begin(heap.values, _places(clusters), segment, heap.bounds, heap.blocks, _FIRST_TRIES, rng)
        if best[2] > IMPOSSIBLE:
            return best
    count, puzzles = len(heap.blocks.segment), heap.bounds.puzzles
    advice = "give another size" if frame.size else "say how large each is"
    if len(heap.pins.joined):
        advice = "pin fewer of them together"
    raise InputError(f"No way was found to part {count} pieces into {puzzles} puzzles; {advice}.")


def _from_starts(heap: _Heap, starts: Sequence[Layout], rng: np.random.Generator) -> Best:
    """Each layout stays as it is, but for pieces that pins name: these and all others are laid around, as blocks.

    Where pins name all pieces of a layout, that puzzle begins with one of their blocks.
    """
    row, col, turn = (part.copy() for part in _places(heap.pinned))
    segment = heap.blocks.segment + len(starts)
    named = np.concatenate([heap.pins.joined.ravel(), heap.pins.apart.ravel()]) // 4
    first = np.arange(len(starts))
    for number, start in enumerate(starts):
        placed = start.piece >= 0
        r, c = np.nonzero(placed & ~np.isin(start.piece, named))
        piece = start.piece[r, c]
        row[piece], col[piece], turn[piece], segment[piece] = r, c, start.turn[r, c], number
        if not len(piece) and placed.any():
            first[number] = segment[start.piece[placed][0]]
    places = Places(row, col, turn)
    names, segment = np.unique(segment, return_inverse=True)
    if not np.isin(first, names).all():
        return places, np.zeros((len(starts), 2), dtype=np.int64), IMPOSSIBLE
    first = np.searchsorted(names, first)
    with interrupts_held():
        segments = segments_of(segment, len(names))
        begun: Best = recreate(heap.values, places, segments, heap.blocks, heap.bounds, first, IMPOSSIBLE, 0.0, rng)
    return begun


def _bounds(puzzles: int, frame: Frame, count: int, turned: bool) -> Bounds:
    # An unknown frame may be long: four times as many cells as a square needs leave room for that.
    side = 2 * math.ceil(math.sqrt(count / puzzles))
    rows, cols = frame.size or (side, side)
    cells = rows * cols if frame.size else max(side, int(_LARGEST_SHARE * count / puzzles))
    return Bounds(puzzles, rows, cols, cells, turned, turned, fixed=False)


def check_heap_size(puzzles: int, frame: Frame, count: int) -> None:
    """Refuse more puzzles than pieces, and frames that can't hold them all."""
    if not 1 <= puzzles <= count:
        raise InputError(f"{count} pieces can't be those of {puzzles} puzzles.")
    if frame.size is not None and puzzles * frame.size[0] * frame.size[1] < count:
        rows, cols = frame.size
        raise InputError(f"{puzzles} frames of {rows} x {cols} have too few cells for {count} pieces.")


def check_heap_pins(pins: Pins, count: int, turned: bool) -> None:
    """Refuse pins that make no sense for a heap."""
    if len(pins.held):
        raise InputError("In a heap of several puzzles no piece can be held in a cell; pin joins instead.")
    pins.check(count, Frame(missing=True), turned)


def _surely_joined(heap: _Heap) -> Clusters:
    scores = heap.heard
    sure = replace(scores, values=np.where(scores.values > -math.log(_SURE), np.float32(np.inf), scores.values))
    return grow(sure if np.isfinite(sure.values).any() else scores, heap.pinned, heap.pins.apart)


def _segments(clusters: Clusters) -> Segments:
    names, segment = np.unique(clusters.cluster, return_inverse=True)
    with interrupts_held():
        segments: Segments = segments_of(segment, len(names))
    return segments


def _places(clusters: Clusters) -> Places:
    return Places(clusters.row, clusters.col, clusters.turn)


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
