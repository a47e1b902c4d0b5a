"""Compiled kernels: the parts of the measures that are not matrix products.

Each compares every edge of one set with every edge of another. The second set comes transposed, positions first and
edges last, so that the innermost loop runs over neighbouring memory and becomes vector instructions. It runs over
slices: an index that might be negative would have to be checked each time, and costs a factor of ten.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.compilation import njit, prange

Floats = NDArray[np.float32]

# Edges handled at a time by the innermost loop: their pixels stay in the second-level cache.
_CHUNK = 512
# Columns of a tile whose pairs come together.
_BLOCK = 256


@njit(parallel=True, fastmath=True, cache=True)
def mahalanobis_sums(whitening: Floats, predicted: Floats, pixels: Floats) -> Any:
    """sum_p |W_a x_b(p) - v_a(p)| for all pairs: MGC's root form, with S^-1 = W'W and v = W (x + mu).

    ``whitening`` is (A, 6): the lower triangle of W by rows; ``predicted`` (A, Q, 3); ``pixels`` (Q, 3, B).
    """
    count, length, _ = predicted.shape
    others = pixels.shape[2]
    sums = np.zeros((count, others), dtype=np.float32)
    for a in prange(count):
        w00, w10, w11 = whitening[a, 0], whitening[a, 1], whitening[a, 2]
        w20, w21, w22 = whitening[a, 3], whitening[a, 4], whitening[a, 5]
        for first in range(0, others, _CHUNK):
            total = sums[a, first : first + _CHUNK]
            for p in range(length):
                v0, v1, v2 = predicted[a, p, 0], predicted[a, p, 1], predicted[a, p, 2]
                red = pixels[p, 0, first : first + _CHUNK]
                green = pixels[p, 1, first : first + _CHUNK]
                blue = pixels[p, 2, first : first + _CHUNK]
                for b in range(len(total)):
                    d0 = w00 * red[b] - v0
                    d1 = w10 * red[b] + w11 * green[b] - v1
                    d2 = w20 * red[b] + w21 * green[b] + w22 * blue[b] - v2
                    total[b] += np.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    return sums


@njit(parallel=True, fastmath=True, cache=True)
def absolute_sums(predicted: Floats, values: Floats) -> Any:
    """sum_k |predicted[a, k] - values[k, b]| for all pairs; (A, K) and (K, B)."""
    count, length = predicted.shape
    others = values.shape[1]
    sums = np.zeros((count, others), dtype=np.float32)
    for a in prange(count):
        for first in range(0, others, _CHUNK):
            total = sums[a, first : first + _CHUNK]
            for k in range(length):
                expected = predicted[a, k]
                seen = values[k, first : first + _CHUNK]
                for b in range(len(total)):
                    total[b] += abs(expected - seen[b])
    return sums


@njit(inline="always")
def _fast_log2(value: Any) -> Any:
    """Logarithm to base 2 of a positive normal float to six digits, without a call, so that loops are vectorised."""
    bits = np.float32(value).view(np.int32)
    whole = np.float32((bits >> np.int32(23)) - np.int32(127))
    mantissa = np.int32((bits & np.int32(0x007FFFFF)) | np.int32(0x3F800000)).view(np.float32)
    t = (mantissa - np.float32(1.5)) / (mantissa + np.float32(1.5))
    square = t * t
    # log2(m) = log2(1.5) + 2/ln2 * atanh(t), |t| <= 0.2
    series = np.float32(1.0) + square * (np.float32(1 / 3) + square * (np.float32(0.2) + square * np.float32(1 / 7)))
    return whole + np.float32(0.5849625007) + np.float32(2.885390082) * t * series


@njit(inline="always")
def fast_log(value: Any) -> Any:
    """Natural logarithm, as fast."""
    return _fast_log2(value) * np.float32(0.6931471806)


@njit(inline="always")
def _fast_power(base: Any, exponent: Any) -> Any:
    """``base ** exponent`` for base >= 0 to five digits, without a call, so that the loop around it is vectorised.

    Splits the float into exponent and mantissa, takes log2 and 2^x by polynomials, and puts it together again.
    """
    power = exponent * _fast_log2(base + np.float32(1e-30))
    floor = np.int32(power) - np.int32(power < np.float32(0.0))
    # 2^f = e^(f ln 2), f in [0, 1), by its Taylor series
    x = (power - np.float32(floor)) * np.float32(0.6931471806)
    fraction = np.float32(1.0) + x * (
        np.float32(1.0)
        + x
        * (
            np.float32(0.5)
            + x * (np.float32(1 / 6) + x * (np.float32(1 / 24) + x * (np.float32(1 / 120) + x * np.float32(1 / 720))))
        )
    )
    # The smallest normal float: anything below counts as that.
    scale = np.int32((max(floor, np.int32(-126)) + np.int32(127)) << np.int32(23)).view(np.float32)
    return fraction * scale


@njit(parallel=True, fastmath=True, cache=True)
def power_sums(predicted: Floats, values: Floats, exponent: float) -> Any:
    """sum_k |predicted[a, k] - values[k, b]| ** exponent for all pairs; (A, K) and (K, B)."""
    count, length = predicted.shape
    others = values.shape[1]
    power = np.float32(exponent)
    sums = np.zeros((count, others), dtype=np.float32)
    for a in prange(count):
        for first in range(0, others, _CHUNK):
            total = sums[a, first : first + _CHUNK]
            for k in range(length):
                expected = predicted[a, k]
                seen = values[k, first : first + _CHUNK]
                for b in range(len(total)):
                    total[b] += _fast_power(abs(expected - seen[b]), power)
    return sums


@njit(parallel=True, fastmath=True, cache=True)
def tailed_misfits(root: Floats, target: Floats, weight: Floats, shown: Floats) -> Any:
    """sum_p weight_a(p) log(1 + sum_k (root_a(p, k) shown_b(p, k) - target_a(p, k))^2) for all pairs.

    ``root`` and ``target`` are (A, Q, K), ``weight`` (A, Q), ``shown`` (Q, K, B).
    """
    count, length, features = root.shape
    others = shown.shape[2]
    sums = np.zeros((count, others), dtype=np.float32)
    for a in prange(count):
        square = np.empty(_CHUNK, dtype=np.float32)
        for first in range(0, others, _CHUNK):
            total = sums[a, first : first + _CHUNK]
            misfit = square[: len(total)]
            for p in range(length):
                misfit[:] = np.float32(1.0)
                for k in range(features):
                    r, t = root[a, p, k], target[a, p, k]
                    seen = shown[p, k, first : first + _CHUNK]
                    for b in range(len(total)):
                        d = r * seen[b] - t
                        misfit[b] += d * d
                w = weight[a, p]
                for b in range(len(total)):
                    total[b] += w * fast_log(misfit[b])
    return sums


@njit(parallel=True, fastmath=True, cache=True)
def add_logarithms(total: Floats, values: Floats, scale: float, strength: Floats) -> None:
    """Add strength_a log(1 + scale values_ab) to ``total``."""
    factor = np.float32(scale)
    for a in prange(len(total)):
        row, value, s = total[a], values[a], strength[a]
        for b in range(len(row)):
            row[b] += s * fast_log(np.float32(1.0) + factor * value[b])


@njit(inline="always")
def _insert(
    edge: int, partner: int, cost: Any, back: Any, best_cost: Floats, best_back: Floats, best_edge: NDArray[np.int64]
) -> None:
    """Put a partner into an edge's list, whose last one goes; it must cost less than that."""
    place = best_cost.shape[1] - 1
    while place > 0 and best_cost[edge, place - 1] > cost:
        best_cost[edge, place] = best_cost[edge, place - 1]
        best_back[edge, place] = best_back[edge, place - 1]
        best_edge[edge, place] = best_edge[edge, place - 1]
        place -= 1
    best_cost[edge, place] = cost
    best_back[edge, place] = back
    best_edge[edge, place] = partner


@njit(parallel=True, cache=True)
def keep_smallest(
    tile: Floats,
    back: Floats,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    best_cost: Floats,
    best_back: Floats,
    best_edge: NDArray[np.int64],
    largest: Floats,
) -> None:
    """Merge a tile of costs into the sorted best-k lists of its rows; pairs of one piece are passed over.

    ``tile[r, c]`` is the cost of edge ``rows[r]`` with edge ``columns[c]``, ``back[r, c]`` the same join seen from the
    other side. The lists are (4N, k), ascending, and ``largest`` (4N,) keeps the largest cost met.
    """
    k = best_cost.shape[1]
    for r in prange(len(rows)):
        edge = rows[r]
        costs = tile[r]
        worst, most = best_cost[edge, k - 1], largest[edge]
        for c in range(len(costs)):
            cost = costs[c]
            if worst <= cost <= most or columns[c] // 4 == edge // 4:
                continue
            most = max(most, cost)
            if cost < worst:
                _insert(edge, columns[c], cost, back[r, c], best_cost, best_back, best_edge)
                worst = best_cost[edge, k - 1]
        largest[edge] = most


@njit(cache=True)
def keep_listed(
    one: NDArray[np.int64],
    other: NDArray[np.int64],
    costs: Floats,
    best_cost: Floats,
    best_back: Floats,
    best_edge: NDArray[np.int64],
    largest: Floats,
) -> None:
    """Merge some pairs, whose cost is the same from either side, into the lists of both edges."""
    k = best_cost.shape[1]
    for i in range(len(costs)):
        a, b, cost = one[i], other[i], costs[i]
        largest[a], largest[b] = max(largest[a], cost), max(largest[b], cost)
        if cost < best_cost[a, k - 1]:
            _insert(a, b, cost, cost, best_cost, best_back, best_edge)
        if cost < best_cost[b, k - 1]:
            _insert(b, a, cost, cost, best_cost, best_back, best_edge)


@njit(cache=True)
def _pairs_of_block(
    tile: Floats,
    row_limit: Floats,
    column_limit: Floats,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    block: int,
    same: bool,
    one: NDArray[np.int64],
    other: NDArray[np.int64],
) -> int:
    """Write the pairs of one block of columns down, as far as there is room for them, and say how many there are."""
    found = 0
    first, last = block * _BLOCK, min(len(columns), (block + 1) * _BLOCK)
    for r in range(len(rows)):
        limit, costs, piece = row_limit[r], tile[r], rows[r] // 4
        for c in range(max(first, r + 1) if same else first, last):
            if costs[c] <= max(limit, column_limit[c]) and columns[c] // 4 != piece:
                if found < len(one):
                    one[found], other[found] = rows[r], columns[c]
                found += 1
    return found


@njit(parallel=True, cache=True)
def pairs_within(
    tile: Floats, row_limit: Floats, column_limit: Floats, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> Any:
    """(one, other): the edges of all pairs in the tile that cost no more than the limit of either edge, each pair once
    even where rows and columns are the same edges; pairs of one piece are passed over.

    They come by blocks of columns, so that whoever goes through them finds what is known of the columns in the cache.
    """
    same = len(columns) == len(rows) and rows[0] == columns[0]
    blocks = (len(columns) + _BLOCK - 1) // _BLOCK
    start = np.zeros(blocks + 1, dtype=np.int64)
    for block in prange(blocks):
        start[block + 1] = _pairs_of_block(tile, row_limit, column_limit, rows, columns, block, same, start[:0], start)
    start = np.cumsum(start)
    one = np.empty(start[blocks], dtype=np.int64)
    other = np.empty(start[blocks], dtype=np.int64)
    for block in prange(blocks):
        here = slice(start[block], start[block + 1])
        _pairs_of_block(tile, row_limit, column_limit, rows, columns, block, same, one[here], other[here])
    return one, other


@njit(parallel=True, cache=True)
def scaled_and_shifted(values: Floats, scale: Floats, shift: Floats) -> Any:
    """values[a, b] * scale[a] * scale[b] + shift[a] + shift[b]."""
    result = np.empty_like(values)
    for a in prange(len(values)):
        source, target = values[a], result[a]
        row_scale, row_shift = scale[a], shift[a]
        for b in range(len(source)):
            target[b] = source[b] * (row_scale * scale[b]) + (row_shift + shift[b])
    return result


@njit(inline="always")
def _insert_smaller(kept: Floats, values: Floats) -> None:
    """Let values into the ascending ``kept`` as far as they are smaller than what it holds."""
    last = len(kept) - 1
    for value in values:
        if value < kept[last]:
            place = last
            while place > 0 and kept[place - 1] > value:
                kept[place] = kept[place - 1]
                place -= 1
            kept[place] = value


@njit(parallel=True, cache=True)
def smallest_in_rows(values: Floats, k: int) -> Any:
    """(rows, k): the k smallest of each row, ascending; infinite where there are fewer."""
    smallest = np.full((len(values), k), np.inf, dtype=np.float32)
    for r in prange(len(values)):
        _insert_smaller(smallest[r], values[r])
    return smallest


@njit(cache=True)
def smallest_in_lists(values: Floats, start: NDArray[np.int64], k: int) -> Any:
    """(lists, k): the same for lists that lie one behind the other and begin at ``start``; too short for threads."""
    smallest = np.full((len(start) - 1, k), np.inf, dtype=np.float32)
    for r in range(len(smallest)):
        _insert_smaller(smallest[r], values[start[r] : start[r + 1]])
    return smallest


@njit(cache=True)
def sums_of_lists(values: Floats, column: NDArray[np.int64], start: NDArray[np.int64], weights: Floats) -> Any:
    """(lists,): the sum of each list's values, each times the weight of its column."""
    sums = np.zeros(len(start) - 1, dtype=np.float32)
    for r in range(len(sums)):
        total = 0.0
        for entry in range(start[r], start[r + 1]):
            total += values[entry] * weights[column[entry]]
        sums[r] = total
    return sums


@njit(cache=True)
def largest_in_lists(values: Floats, start: NDArray[np.int64]) -> Any:
    """(lists,): the largest value of each list; minus infinity where it is empty."""
    largest = np.full(len(start) - 1, -np.inf, dtype=np.float32)
    for r in range(len(largest)):
        for entry in range(start[r], start[r + 1]):
            largest[r] = max(largest[r], values[entry])
    return largest


@njit(parallel=True, cache=True)
def largest_in_rows(values: Floats) -> Any:
    """(rows,): the largest finite value of each row; minus infinity where there is none."""
    largest = np.full(len(values), -np.inf, dtype=np.float32)
    for r in prange(len(values)):
        for value in values[r]:
            if value > largest[r] and value < np.inf:
                largest[r] = value
    return largest


@njit(parallel=True, cache=True)
def best_in_rows(values: Floats, k: int) -> Any:
    """(rows, k): where the k smallest of each row stand, ascending, the first of equals first; -1 if fewer."""
    best = np.full((len(values), k), -1, dtype=np.int64)
    for r in prange(len(values)):
        kept, row = best[r], values[r]
        for c in range(len(row)):
            if row[c] < (row[kept[k - 1]] if kept[k - 1] >= 0 else np.inf):
                place = k - 1
                while place > 0 and (kept[place - 1] < 0 or row[kept[place - 1]] > row[c]):
                    kept[place] = kept[place - 1]
                    place -= 1
                kept[place] = c
    return best


@njit(cache=True)
def joins_between(values: Floats, low: float, high: float, group: NDArray[np.int64]) -> Any:
    """(a, b, cost) of all a < b with low < cost <= high whose pieces are in different groups."""
    edges = len(values)
    count = 0
    for a in range(edges):
        for b in range(a + 1, edges):
            count += low < values[a, b] <= high and group[a // 4] != group[b // 4]
    one = np.empty(count, dtype=np.int64)
    other = np.empty(count, dtype=np.int64)
    cost = np.empty(count, dtype=np.float32)
    place = 0
    for a in range(edges):
        for b in range(a + 1, edges):
            if low < values[a, b] <= high and group[a // 4] != group[b // 4]:
                one[place], other[place], cost[place] = a, b, values[a, b]
                place += 1
    return one, other, cost
