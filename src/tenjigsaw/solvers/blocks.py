"""Pins as clusters: the pieces that pinned joins hold together, and those that are held in their cells."""

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.geometry import STEPS
from tenjigsaw.solvers.clusters import Clusters, single_pieces
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.pins import Pins

# Row, column and turn.
Place = tuple[int, int, int]


def pinned_clusters(pins: Pins, count: int, frame: Frame) -> Clusters:
    """The pieces that joined pins hold together, as clusters; held pieces form one, in the places they have."""
    clusters, partners = single_pieces(count), _partners(pins)
    settled = _grown({piece: (row, col, turn) for piece, row, col, turn in pins.held.tolist()}, partners)
    _check_inside(settled, frame)
    _enter(clusters, settled)
    for piece in partners:
        if piece not in settled:
            block = _grown({piece: (0, 0, 0)}, partners)
            _enter(clusters, block)
            settled |= block
    return clusters


def _partners(pins: Pins) -> dict[int, list[tuple[int, int]]]:
    """The pinned joins of each piece, as (own edge, other edge)."""
    partners: dict[int, list[tuple[int, int]]] = {}
    for a, b in pins.joined.tolist():
        partners.setdefault(a // 4, []).append((a, b))
        partners.setdefault(b // 4, []).append((b, a))
    return partners


def _grown(block: dict[int, Place], partners: dict[int, list[tuple[int, int]]]) -> dict[int, Place]:
    """The block with all pieces that pinned joins tie to it."""
    places, waiting = dict(block), list(block)
    while waiting:
        piece = waiting.pop()
        for own, other in partners.get(piece, []):
            place = _beside(places[piece], own, other)
            if other // 4 not in places:
                waiting.append(other // 4)
            if places.setdefault(other // 4, place) != place:
                raise InputError(f"The pins contradict each other: they give piece {other // 4} two places.")
    _check_free(places)
    return places


def _beside(place: Place, own: int, other: int) -> Place:
    row, col, turn = place
    direction = (own + turn) % 4
    down, right = STEPS[direction].tolist()
    return row + down, col + right, (direction + 2 - other) % 4


def _check_free(places: dict[int, Place]) -> None:
    taken: dict[tuple[int, int], int] = {}
    for piece, (row, col, _) in places.items():
        if taken.setdefault((row, col), piece) != piece:
            raise InputError(f"The pins would lay pieces {taken[row, col]} and {piece} on each other.")


def _check_inside(places: dict[int, Place], frame: Frame) -> None:
    rows, cols = frame.size or (0, 0)
    for piece, (row, col, _) in places.items():
        if not (0 <= row < rows and 0 <= col < cols):
            raise InputError(f"The pins would lay piece {piece} outside the frame of {rows} x {cols}.")


def _enter(clusters: Clusters, places: dict[int, Place]) -> None:
    pieces = sorted(places)
    clusters.cluster[pieces] = pieces[:1]
    clusters.row[pieces], clusters.col[pieces], clusters.turn[pieces] = (
        np.array([places[piece] for piece in pieces]).reshape(-1, 3).T
    )
