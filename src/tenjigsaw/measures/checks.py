"""What a measure of one's own can get wrong, told in one sentence before it ends deep inside."""

import numpy as np

from tenjigsaw.errors import InputError
from tenjigsaw.measures.features import Features
from tenjigsaw.measures.scores import Floats


def checked_features(measure: str, features: object, edges: int) -> Features:
    """The descriptions of all edges, if that is what they are."""
    if not isinstance(features, tuple) or not features:
        raise InputError(f"The measure {measure} must describe edges by a tuple of arrays, not by {_kind(features)}.")
    for array in features:
        if not isinstance(array, np.ndarray) or array.shape[:1] != (edges,):
            wanted = f"arrays whose first axis is the {edges} edges"
            raise InputError(f"The measure {measure} must describe edges by {wanted}, not by {_kind(array)}.")
    return features


def checked_costs(measure: str, costs: object, shape: tuple[int, int]) -> Floats:
    """A cost for each pair, as float32, if that is what they are."""
    if not isinstance(costs, np.ndarray) or costs.shape != shape or costs.dtype.kind not in "iuf":
        wanted = f"a float32 array of {_size(shape)} costs"
        raise InputError(f"The measure {measure} must return {wanted}, not {_kind(costs)}.")
    return costs.astype(np.float32, copy=False)


def _kind(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {_size(value.shape)} {value.dtype}" if value.ndim else "an array without an axis"
    return "an empty tuple" if isinstance(value, tuple) and not value else type(value).__name__


def _size(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))
