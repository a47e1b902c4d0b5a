"""The pair network around its seam in full precision: what ``seam_kernels`` computes in 8 bits, as plain array work."""

from collections.abc import Sequence

import numpy as np

from tenjigsaw.measures.scores import Floats


def exact_logits(
    lefts: Sequence[Floats], rights: Sequence[Floats], weights: Sequence[Floats], projection: Floats
) -> Floats:
    """(M,): what the columns around the seam of M pairs add to their logits.

    ``lefts`` and ``rights`` are what the partners have of each layer by themselves, (M, rows, 2, C), ``weights`` those
    of the layers after the first, (3 C, 3 C'), and ``projection`` (rows, 4, C) those of the last layer's columns.
    """
    columns = np.maximum(lefts[0] + rights[0], 0)
    *before, last = zip(weights, lefts[1:], rights[1:], strict=True)
    for weight, left, right in before:
        columns = pooled(four_columns(_added(columns, weight), left, right))
    weight, left, right = last
    columns = np.maximum(four_columns(_added(columns, weight), left, right), 0)
    logits: Floats = columns.reshape(len(columns), -1) @ projection.reshape(-1)
    return logits


def _added(columns: Floats, weight: Floats) -> Floats:
    """What new columns (M, rows, 2, C) add to three places each, (M, rows, 2, 3 C'): one large product."""
    added: Floats = three_rows(columns).reshape(-1, len(weight)) @ weight
    return added.reshape(*columns.shape[:3], -1)


def three_rows(columns: Floats) -> Floats:
    """(M, rows, 2, C) -> (M, rows, 2, 3 C): each row with the one before and the one after, blank at the ends."""
    padded = np.pad(columns, ((0, 0), (1, 1), (0, 0), (0, 0)))
    return np.concatenate((padded[:, :-2], padded[:, 1:-1], padded[:, 2:]), axis=3)


def four_columns(added: Floats, left: Floats, right: Floats) -> Floats:
    """(M, rows, 4, C): what stands around the seam, before the ReLU: what two new columns (M, rows, 2, 3 C) add to
    three places each, and what both sides have by themselves.
    """
    by_place = added.reshape(*added.shape[:3], 3, -1)
    columns = np.concatenate(np.broadcast_arrays(left, right), axis=2)
    for new in range(2):
        columns[:, :, new : new + 3] += by_place[:, :, new]
    return columns


def pooled(columns: Floats) -> Floats:
    """(M, rows, 4, C) -> (M, rows / 2, 2, C): the largest of two rows by two columns, after the ReLU."""
    count, rows, _, channels = columns.shape
    largest: Floats = columns.reshape(count, rows // 2, 2, 2, 2, channels).max(axis=(2, 4))
    return np.maximum(largest, 0, out=largest)
