"""The classical measures, after `Cho 2010`, `Pomeranz 2011`, `Gallagher 2012`, `Mondal 2013` and `Paikin-Tal 2015`.

Every edge is seen facing right. Along the edge its partner runs the other way, so what is compared with row p of one
edge is row Q - 1 - p of the other: the features hold each edge twice, as it predicts and, reversed, as it is seen.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.geometry import edge_strips
from tenjigsaw.measures.colour import lab
from tenjigsaw.measures.features import Features
from tenjigsaw.measures.kernels import absolute_sums, mahalanobis_sums, power_sums
from tenjigsaw.measures.pairs import PairMeasure
from tenjigsaw.measures.scores import Floats
from tenjigsaw.puzzle import Puzzle

Colours = Callable[[NDArray[np.uint8]], Floats]

PBC_P, PBC_Q = 0.3, 5 / 24
WMGC_ROOT = 5  # of a public port; the constant of the paper could not be checked


def rgb(pixels: NDArray[np.uint8]) -> Floats:
    """RGB on 0..255."""
    return pixels.astype(np.float32)


def _border(puzzle: Puzzle, colours: Colours) -> tuple[Floats, Floats]:
    """The outermost pixels of each edge and the ones behind them, both (4N, Q, 3)."""
    strips = colours(edge_strips(puzzle.inner, depth=2))
    return strips[:, :, 0], strips[:, :, 1]


def _flat(rows: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(rows).reshape(len(rows), -1)


def _reversed(rows: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(rows[:, ::-1])


# SSD: sum (x_i - x_j)^2, as |x_i|^2 + |x_j|^2 - 2 x_i x_j.


def _describe_ssd(puzzle: Puzzle, colours: Colours) -> Features:
    outer, _ = _border(puzzle, colours)
    # Large terms cancel. Centred whole numbers keep every sum below 2^24, exact in float32; others need float64.
    centred = outer - np.float32(128) if colours is rgb else outer.astype(np.float64)
    predicting, seen = _flat(centred), _flat(_reversed(centred))
    return predicting, seen, np.einsum("ek,ek->e", seen, seen)


def _compare_ssd(one: Features, other: Features) -> Floats:
    cost = one[0] @ other[1].T
    cost *= -2
    cost += one[2][:, None]
    cost += other[2]
    positive: Floats = np.maximum(cost, 0, out=cost).astype(np.float32, copy=False)
    return positive


# PBC and L1: each edge predicts its neighbour by going on as its last two pixels do.


def _describe_prediction(puzzle: Puzzle) -> Features:
    outer, behind = _border(puzzle, lab)
    return _flat(2 * outer - behind), _flat(_reversed(outer))


def _compare_l1(one: Features, other: Features) -> Floats:
    cost: Floats = absolute_sums(one[0], np.ascontiguousarray(other[1].T))
    return cost


def _compare_pbc(one: Features, other: Features) -> Floats:
    forward = power_sums(one[0], np.ascontiguousarray(other[1].T), PBC_P)
    backward = power_sums(other[0], np.ascontiguousarray(one[1].T), PBC_P)
    cost: Floats = (forward + backward.T) ** np.float32(PBC_Q)
    return cost


# MGC: the step across the join should look like the steps just inside, by their mean and covariance.

_DUMMIES = np.concatenate([[[0, 0, 0], [1, 1, 1], [-1, -1, -1]], np.eye(3), -np.eye(3)])


def _inverse_covariance(gradient: NDArray[np.float64]) -> NDArray[np.float64]:
    """(4N, 3, 3) from (4N, Q, 3); nine dummy gradients keep it invertible on flat edges."""
    dummies = np.broadcast_to(_DUMMIES, (len(gradient), *_DUMMIES.shape))
    rows = np.concatenate([gradient, dummies], axis=1)
    rows = rows - rows.mean(axis=1, keepdims=True)
    covariance = np.einsum("epc,epd->ecd", rows, rows) / (rows.shape[1] - 1)
    return np.linalg.inv(covariance)


def _mgc_model(puzzle: Puzzle) -> tuple[NDArray[np.float64], NDArray[np.float64], Floats]:
    """Inverse covariance (4N, 3, 3), predicted neighbour (4N, Q, 3), and the edge as its neighbour sees it."""
    outer, behind = _border(puzzle, rgb)
    gradient = (outer - behind).astype(np.float64)
    predicted = outer + gradient.mean(axis=1, keepdims=True)
    return _inverse_covariance(gradient), predicted, _reversed(outer)


def describe_mgc(puzzle: Puzzle) -> Features:
    """Whitening (4N, 6), whitened prediction (4N, Q, 3), and the edge as its neighbour sees it (4N, Q, 3)."""
    inverse, predicted, seen = _mgc_model(puzzle)
    # S^-1 = C C' with C lower triangular, so |C' d|; reversing the channels makes C' lower triangular as well.
    lower = np.linalg.cholesky(inverse[:, ::-1, ::-1])[:, ::-1, ::-1].swapaxes(1, 2)
    whitened = np.einsum("ecd,epd->epc", lower, predicted)
    triangle = lower[:, [0, 1, 1, 2, 2, 2], [0, 0, 1, 0, 1, 2]]
    return triangle.astype(np.float32), whitened.astype(np.float32), seen


def mgc_one_way(one: Features, other: Features) -> Floats:
    """How badly each of the others continues each one."""
    cost: Floats = mahalanobis_sums(one[0], one[1], np.ascontiguousarray(other[2].transpose(1, 2, 0)))
    return cost


def _compare_mgc(one: Features, other: Features) -> Floats:
    forward = mgc_one_way(one, other)
    backward = forward if one is other else mgc_one_way(other, one)
    cost: Floats = forward + backward.T
    return cost


# The squared form, (x - m)' A (x - m) summed over p, is <A, sum xx'> - 2 (A m) x + m'Am: one inner product.


def _describe_mgc_squared(puzzle: Puzzle) -> Features:
    inverse, predicted, seen = _mgc_model(puzzle)
    pixels = seen.astype(np.float64)
    pull = np.einsum("ecd,epd->epc", inverse, predicted)
    constant = np.einsum("epc,epc->e", pull, predicted)
    predicting = np.concatenate([inverse.reshape(-1, 9), _flat(-2 * pull), constant[:, None]], axis=1)
    moments = np.einsum("epc,epd->ecd", pixels, pixels).reshape(-1, 9)
    as_seen = np.concatenate([moments, _flat(pixels), np.ones((len(pixels), 1))], axis=1)
    return predicting, as_seen


def _compare_mgc_squared(one: Features, other: Features) -> Floats:
    # Large terms cancel here: float64, and no cost below zero.
    cost = one[0] @ other[1].T + (other[0] @ one[1].T).T
    clipped: Floats = np.maximum(cost, 0).astype(np.float32)
    return clipped


def _describe_wmgc(puzzle: Puzzle) -> Features:
    return describe_mgc(puzzle) + _describe_ssd(puzzle, rgb)


def _compare_wmgc(one: Features, other: Features) -> Floats:
    ssd = _compare_ssd(one[3:], other[3:])
    return _compare_mgc(one[:3], other[:3]) * ssd ** np.float32(1 / WMGC_ROOT)


CLASSICAL = (
    PairMeasure(
        "ssd",
        "squared differences of the outermost pixels, RGB (Cho 2010)",
        partial(_describe_ssd, colours=rgb),
        _compare_ssd,
    ),
    PairMeasure(
        "ssd-lab",
        "squared differences of the outermost pixels, CIELAB",
        partial(_describe_ssd, colours=lab),
        _compare_ssd,
    ),
    PairMeasure(
        "pbc",
        "prediction from the last two pixels, (L0.3)^(5/24), CIELAB (Pomeranz 2011)",
        _describe_prediction,
        _compare_pbc,
    ),
    PairMeasure(
        "l1",
        "prediction from the last two pixels, L1, CIELAB (Paikin-Tal 2015)",
        _describe_prediction,
        _compare_l1,
        symmetric=False,
    ),
    PairMeasure(
        "mgc",
        "Mahalanobis distance of gradients, root form, RGB (Gallagher 2012)",
        describe_mgc,
        _compare_mgc,
    ),
    PairMeasure(
        "mgc-squared",
        "the same without the root, as printed by Gallagher",
        _describe_mgc_squared,
        _compare_mgc_squared,
    ),
    PairMeasure("wmgc", "MGC weighted by SSD, for worn edges (Mondal 2013)", _describe_wmgc, _compare_wmgc),
)
