"""Numbers that a person gives: what kind of value each is."""

import math
from numbers import Integral, Real


def is_whole(value: object, least: float = -math.inf) -> bool:
    """Whether a value is a whole number, Python's or numpy's, from ``least`` on."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least


def is_number(value: object) -> bool:
    """Whether a value is a finite number, Python's or numpy's."""
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
