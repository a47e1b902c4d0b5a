"""Compiled ruin and recreate: break a layout into segments, put it together anew, keep what is better."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit
from tenjigsaw.solvers.grid import beside
from tenjigsaw.solvers.recreation import IMPOSSIBLE, recreate, segments_of, strip_width, worth

Ints = NDArray[np.int64]

# How often a hole is torn instead of breaking the whole, and how large it is, in pieces.
_HOLES = 0.5
_SMALLEST_RADIUS = 1.5
_LARGEST_RADIUS = 5.5
# Joins are cut where they are worth less than a level drawn from this range; some others too.
_LOWEST_CUT = -0.3
_HIGHEST_CUT = 0.8
_MOST_LOOSE = 0.1
_MOST_NOISE = 0.2


@njit(cache=True, nogil=True)
def improve(
    values: Any, places: Any, sizes: Ints, score: float, bounds: Any, blocks: Any, centres: Ints, tries: int, rng: Any
) -> Any:
    """Ruin and recreate ``tries`` times, tearing holes around pieces of ``centres``.

    The places, the (rows, cols) of each puzzle and the worth of the best.
    """
    for _ in range(tries):
        if rng.random() < _HOLES:
            segment, found = _torn(places, bounds, blocks, centres, rng)
            first = np.arange(bounds.puzzles)
        else:
            level = _LOWEST_CUT + (_HIGHEST_CUT - _LOWEST_CUT) * rng.random()
            segment, found = _broken(values, places, bounds, blocks, level, _MOST_LOOSE * rng.random(), rng)
            first = _drawn(segment, bounds.puzzles, rng)
        if bounds.fixed:
            first[0] = segment[blocks.member[0]]
        noise = _MOST_NOISE * rng.random()
        segments = segments_of(segment, found)
        tried, tried_sizes, gained = recreate(values, places, segments, blocks, bounds, first, score, noise, rng)
        if gained >= score and gained > IMPOSSIBLE:
            places, sizes, score = tried, tried_sizes, gained
    return places, sizes, score


@njit(cache=True)
def begin(values: Any, places: Any, segment: Ints, bounds: Any, blocks: Any, tries: int, rng: Any) -> Any:
    """Recreate from given segments, with other ones in the middle each time, and keep the best; as `improve`."""
    found = segment.max() + 1
    segments = segments_of(segment, found)
    best, sizes, score = places, np.zeros((bounds.puzzles, 2), dtype=np.int64), IMPOSSIBLE
    if found < bounds.puzzles:
        return best, sizes, score
    for _ in range(tries):
        first = _drawn(segment, bounds.puzzles, rng)
        tried, tried_sizes, gained = recreate(values, places, segments, blocks, bounds, first, score, 0.0, rng)
        if gained > score:
            best, sizes, score = tried, tried_sizes, gained
    return best, sizes, score


@njit(cache=True)
def _drawn(segment: Ints, puzzles: int, rng: Any) -> Any:
    """The segments of random pieces, another one for each puzzle: large segments come more often."""
    first = np.empty(puzzles, dtype=np.int64)
    drawn = 0
    while drawn < puzzles:
        first[drawn] = segment[rng.integers(0, len(segment))]
        if not (first[:drawn] == first[drawn]).any():
            drawn += 1
    return first


@njit(cache=True)
def _torn(places: Any, bounds: Any, blocks: Any, centres: Ints, rng: Any) -> Any:
    """A disc around a piece falls into single pieces; all the rest, and pinned blocks, stay as segment 0, 1, ..."""
    centre = centres[rng.integers(0, len(centres))]
    radius = _SMALLEST_RADIUS + (_LARGEST_RADIUS - _SMALLEST_RADIUS) * rng.random()
    segment, found = places.col // strip_width(bounds), bounds.puzzles
    for piece in range(len(segment)):
        down, across = places.row[piece] - places.row[centre], places.col[piece] - places.col[centre]
        block = blocks.segment[piece]
        alone = blocks.start[block + 1] - blocks.start[block] == 1
        if alone and down * down + across * across <= radius * radius:
            segment[piece] = found
            found += 1
    return segment, found


@njit(cache=True)
def _broken(values: Any, places: Any, bounds: Any, blocks: Any, level: float, loose: float, rng: Any) -> Any:
    """Segments that hang together by joins worth at least ``level``, where a share of these is cut as well."""
    cell = np.full((strip_width(bounds), bounds.puzzles * strip_width(bounds)), -1, dtype=np.int64)
    for piece in range(len(places.row)):
        cell[places.row[piece], places.col[piece]] = piece
    parent = np.empty(len(places.row), dtype=np.int64)
    for piece in range(len(parent)):
        parent[piece] = blocks.member[blocks.start[blocks.segment[piece]]]
    for piece in range(len(parent)):
        for direction in range(1, 3):
            r, c = beside(places.row[piece], places.col[piece], direction)
            other = cell[r, c]
            if other < 0:
                continue
            own_edge = 4 * piece + (direction - places.turn[piece]) % 4
            other_edge = 4 * other + (direction + 2 - places.turn[other]) % 4
            if worth(values, own_edge, other_edge) >= level and rng.random() >= loose:
                one, two = _root(parent, piece), _root(parent, other)
                parent[max(one, two)] = min(one, two)
    return _numbered(parent)


@njit(cache=True)
def _root(parent: Ints, piece: int) -> Any:
    while parent[piece] != piece:
        parent[piece] = parent[parent[piece]]
        piece = parent[piece]
    return piece


@njit(cache=True)
def _numbered(parent: Ints) -> Any:
    """Numbers from 0 on instead of root pieces, and how many there are."""
    number, found = np.full(len(parent), -1, dtype=np.int64), 0
    segment = np.empty(len(parent), dtype=np.int64)
    for piece in range(len(parent)):
        root = _root(parent, piece)
        if number[root] < 0:
            number[root] = found
            found += 1
        segment[piece] = number[root]
    return segment, found
