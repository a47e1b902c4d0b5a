"""The paper's distances between embeddings (section 3.3), for pairs and for all pairs.

Each takes left embeddings and right embeddings. ``pairs``: (M, d) and (M, d) -> (M,).
``all_pairs``: (L, d) and (R, d) -> (L, R).
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from tenjigsaw.errors import InputError
from tenjigsaw.networks.precision import exact


class Distance(NamedTuple):
    """One distance in its two forms."""

    pairs: Callable[[Tensor, Tensor], Tensor]
    all_pairs: Callable[[Tensor, Tensor], Tensor]


def cosine_pairs(left: Tensor, right: Tensor) -> Tensor:
    """1 - cosine of each pair."""
    return 1.0 - functional.cosine_similarity(left, right, dim=1)


def cosine_all_pairs(left: Tensor, right: Tensor) -> Tensor:
    """1 - cosine of all pairs."""
    with exact():
        return 1.0 - functional.normalize(left, dim=1) @ functional.normalize(right, dim=1).T


def norm_pairs(left: Tensor, right: Tensor, p: float) -> Tensor:
    """The L_p distance of each pair."""
    length: Tensor = torch.linalg.vector_norm(left - right, ord=p, dim=1)
    return length


def norm_all_pairs(left: Tensor, right: Tensor, p: float) -> Tensor:
    """The L_p distance of all pairs."""
    # The matrix-product form of L2 loses half the digits of short distances, the ones that decide Top-1.
    return torch.cdist(left, right, p=p, compute_mode="donot_use_mm_for_euclid_dist")


def _norm(p: float) -> Distance:
    return Distance(lambda a, b: norm_pairs(a, b, p), lambda a, b: norm_all_pairs(a, b, p))


DISTANCES = {
    "cosine": Distance(cosine_pairs, cosine_all_pairs),
    "l1": _norm(1.0),
    "l2": _norm(2.0),
    "l3": _norm(3.0),
}


def create_distance(name: str) -> Distance:
    """The distance called ``name``."""
    if name not in DISTANCES:
        raise InputError(f"There is no distance {name!r}; choose one of {', '.join(DISTANCES)}.")
    return DISTANCES[name]
