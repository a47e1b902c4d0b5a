"""Which pairs a loss that can't afford them all is shown: true partners, and strangers at random or look-alikes."""

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.geometry import edge_strips
from tenjigsaw.training.sampler import Block

Edges = NDArray[np.int64]

# How many of the most similar edges count as look-alikes.
LOOKALIKES = 16


def draw_candidates(
    block: Block, count: int, negatives: int, hard: float, rng: np.random.Generator
) -> tuple[Edges, Edges]:
    """(count,) anchors, (count, 1 + negatives) candidates: the true partner, then edges of other pieces.

    A share ``hard`` of the strangers are look-alikes of the partner; the others are any edges of the block.
    """
    anchors = rng.choice(np.flatnonzero(block.partner >= 0), count)
    legal = _strangers(block, anchors)
    strangers = _pick(legal, negatives, rng)
    if hard:
        alike = _pick(_most_similar(block, anchors, legal), negatives, rng)
        strangers = np.where(rng.random(strangers.shape) < hard, alike, strangers)
    return anchors, np.column_stack((block.partner[anchors], strangers))


def draw_crowd(block: Block, count: int, hard: float, rng: np.random.Generator) -> Edges:
    """At most ``count`` edges of a block, among them the partner of each: edges that are hard to tell apart.

    A share ``hard`` of the pairs are those that would suit one edge drawn at random, the others are any.
    """
    joined = np.flatnonzero(block.partner >= 0)
    anchor = rng.choice(joined, 1)
    nearest = joined[np.argsort(_apart(block, anchor)[0, joined], kind="stable")]
    pairs = count // 2
    alike = round(hard * pairs)
    chosen = np.concatenate((nearest[:alike], rng.permutation(nearest[alike:])[: pairs - alike]))
    return np.unique(np.concatenate((chosen, block.partner[chosen])))


def _strangers(block: Block, anchors: Edges) -> NDArray[np.bool_]:
    """(count, 4N): neither the anchor's own piece nor its true partner."""
    edges = np.arange(len(block.partner))
    legal: NDArray[np.bool_] = edges // 4 != anchors[:, None] // 4
    legal &= edges != block.partner[anchors][:, None]
    return legal


def _pick(allowed: NDArray[np.bool_], picks: int, rng: np.random.Generator) -> Edges:
    """(count, picks): for each row some of the allowed columns, all alike probable, with repetition."""
    order = np.argsort(~allowed, axis=1, kind="stable")
    place = rng.integers(0, allowed.sum(axis=1)[:, None], size=(len(allowed), picks))
    return np.take_along_axis(order, place, axis=1)


def _most_similar(block: Block, anchors: Edges, legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(count, 4N): the legal edges whose surviving outermost pixels differ least from the anchor's."""
    apart = _apart(block, anchors)
    apart[~legal] = np.inf
    # Four edges are the anchor's own piece's, one is the true partner.
    kept = min(LOOKALIKES, len(block.partner) - 5)
    limit = np.partition(apart, kept - 1, axis=1)[:, kept - 1 : kept]
    similar: NDArray[np.bool_] = apart <= limit
    return similar & legal


def _apart(block: Block, anchors: Edges) -> NDArray[np.float32]:
    """(count, 4N): how far each edge's outermost pixels are from the anchor's, squared, up to a constant a row."""
    size = block.pieces.shape[1]
    column = edge_strips(block.pieces, block.worn + 1)[:, block.worn : size - block.worn, block.worn]
    pixels = column.astype(np.float32)
    mine, met = (rows.reshape(len(pixels), -1) for rows in (pixels, pixels[:, ::-1]))
    apart: NDArray[np.float32] = (met**2).sum(axis=1) - 2 * mine[anchors] @ met.T
    return apart
