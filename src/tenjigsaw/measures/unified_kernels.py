"""The unified cost of some pairs of edges; ``kernels.py`` has that of all.

Tokens come last, so that the innermost loop runs over the tokens of one pair.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit, prange
from tenjigsaw.measures.kernels import Floats, fast_log

# Tokens are filled up with nothing to a multiple of this, the width of the widest vector instructions.
TOKENS_AT_ONCE = 16
_PAIRS_AT_ONCE = 1024
_EDGES_AT_ONCE = 512


@njit(parallel=True, fastmath=True, cache=True)
def rough_costs(
    root: Floats,
    target: Floats,
    weight: Floats,
    shown: Floats,
    other_root: Floats,
    other_target: Floats,
    other_weight: Floats,
    other_shown: Floats,
) -> Any:
    """(A, B): sum_p weight(p) log(1 + sum_k (root(p, k) shown(p, k) - target(p, k))^2), both ways, for three features.

    ``root``, ``target`` and ``shown`` are (A, Q, 3), ``weight`` (A, Q); of the others (Q, 3, B) and (Q, B).
    """
    count, length = weight.shape
    others = other_weight.shape[1]
    costs = np.zeros((count, others), dtype=np.float32)
    one = np.float32(1.0)
    for a in prange(count):
        for first in range(0, others, _EDGES_AT_ONCE):
            last = first + _EDGES_AT_ONCE
            total = costs[a, first:last]
            for p in range(length):
                r0, r1, r2 = root[a, p, 0], root[a, p, 1], root[a, p, 2]
                t0, t1, t2 = target[a, p, 0], target[a, p, 1], target[a, p, 2]
                s0, s1, s2 = shown[a, p, 0], shown[a, p, 1], shown[a, p, 2]
                w = weight[a, p]
                their_weight = other_weight[p, first:last]
                x0, x1, x2 = other_root[p, 0, first:last], other_root[p, 1, first:last], other_root[p, 2, first:last]
                y0, y1, y2 = (
                    other_target[p, 0, first:last],
                    other_target[p, 1, first:last],
                    other_target[p, 2, first:last],
                )
                z0, z1, z2 = other_shown[p, 0, first:last], other_shown[p, 1, first:last], other_shown[p, 2, first:last]
                for b in range(len(total)):
                    forward = one + (r0 * z0[b] - t0) ** 2 + (r1 * z1[b] - t1) ** 2 + (r2 * z2[b] - t2) ** 2
                    back = one + (x0[b] * s0 - y0[b]) ** 2 + (x1[b] * s1 - y1[b]) ** 2 + (x2[b] * s2 - y2[b]) ** 2
                    total[b] += w * fast_log(forward) + their_weight[b] * fast_log(back)
    return costs


@njit(inline="always")
def _add_squares(square: Floats, root: Floats, target: Floats, shown: Floats, first: int, last: int) -> None:
    """1 + the sum over features of (root shown - target)^2, token by token; (K, Q) each."""
    square[:] = np.float32(1.0)
    for k in range(first, last):
        r, t, s = root[k], target[k], shown[k]
        for p in range(len(square)):
            d = r[p] * s[p] - t[p]
            square[p] += d * d


@njit(inline="always")
def _weighted_logarithms(square: Floats, weight: Floats) -> Any:
    total = np.float32(0.0)
    for p in range(len(square)):
        total += weight[p] * fast_log(square[p])
    return total


@njit(inline="always")
def _mahalanobis_sum(whitening: Floats, predicted: Floats, pixels: Floats) -> Any:
    """sum_p |W x(p) - v(p)| of one pair; (6,) and (3, Q) twice."""
    w00, w10, w11 = whitening[0], whitening[1], whitening[2]
    w20, w21, w22 = whitening[3], whitening[4], whitening[5]
    v0, v1, v2 = predicted[0], predicted[1], predicted[2]
    red, green, blue = pixels[0], pixels[1], pixels[2]
    total = np.float32(0.0)
    for p in range(len(red)):
        d0 = w00 * red[p] - v0[p]
        d1 = w10 * red[p] + w11 * green[p] - v1[p]
        d2 = w20 * red[p] + w21 * green[p] + w22 * blue[p] - v2[p]
        total += np.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    return total


@njit(parallel=True, fastmath=True, cache=True)
def unified_costs(
    root: Floats,
    target: Floats,
    shown: Floats,
    weight: Floats,
    strength: Floats,
    commonness: Floats,
    whitening: Floats,
    predicted: Floats,
    pixels: Floats,
    colours: int,
    one: NDArray[np.int64],
    other: NDArray[np.int64],
) -> Any:
    """(pairs,): the cost of joining edge ``one[i]`` to edge ``other[i]``, both ways.

    ``root``, ``target`` and ``shown`` are (4N, K, Q), the first K of them ``colours``; ``weight`` (4N, 2, Q);
    ``predicted`` and ``pixels`` (4N, 3, Q).
    """
    features, tokens = root.shape[1], root.shape[2]
    costs = np.empty(len(one), dtype=np.float32)
    for chunk in prange((len(one) + _PAIRS_AT_ONCE - 1) // _PAIRS_AT_ONCE):
        square = np.empty(tokens, dtype=np.float32)
        for i in range(chunk * _PAIRS_AT_ONCE, min(len(one), (chunk + 1) * _PAIRS_AT_ONCE)):
            cost = commonness[one[i]] + commonness[other[i]]
            for a, b in ((one[i], other[i]), (other[i], one[i])):
                _add_squares(square, root[a], target[a], shown[b], 0, colours)
                cost += _weighted_logarithms(square, weight[a, 0])
                _add_squares(square, root[a], target[a], shown[b], colours, features)
                cost += _weighted_logarithms(square, weight[a, 1])
                mgc = _mahalanobis_sum(whitening[a], predicted[a], pixels[b])
                cost += strength[a] * fast_log(np.float32(1.0) + mgc)
            costs[i] = cost
    return costs
