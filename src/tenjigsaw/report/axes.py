"""Where values stand on an axis, and which of them get a tick."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Axis:
    """A straight or logarithmic scale from ``low`` to ``high``, drawn between two pixel positions."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """The pixel position of a value."""
        low, high, value = (self._warp(number) for number in (self.low, self.high, value))
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Few round values inside the axis."""
        return _powers(self.low, self.high) if self.logarithmic else _round_steps(self.low, self.high)

    def _warp(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value


def fit_axis(
    values: Sequence[float], start: float, end: float, logarithmic: bool = False, floor: float | None = None
) -> Axis:
    """An axis that holds all values, with some air around them; ``floor`` is where it begins, if given."""
    low, high = min(values), max(values)
    if logarithmic:
        air = max((high / low) ** 0.06, 1.15)
        return Axis(low / air, high * air, start, end, True)
    air = (high - low) * 0.06 or max(abs(high) * 0.1, 1e-9)
    return Axis(low - air if floor is None else floor, high + air, start, end)


def in_short(value: float) -> str:
    """A tick's label: 0.5, 20, 1,000, 31k."""
    if abs(value) >= 10_000:
        return f"{value / 1000:g}k"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.6g}"


def _round_steps(low: float, high: float) -> list[float]:
    rough = (high - low) / 8
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


def _powers(low: float, high: float) -> list[float]:
    """Powers of ten; with fewer than three of them, also their 2 and 5 times."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    powers = [10.0**exponent for exponent in exponents if low <= 10.0**exponent <= high]
    if len(powers) >= 3:
        return powers
    finer = [factor * 10.0**exponent for exponent in exponents for factor in (1, 2, 5)]
    return [value for value in finer if low <= value <= high]
