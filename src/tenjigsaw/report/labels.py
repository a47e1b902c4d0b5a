"""Where labels stand so that they hide neither points nor each other."""

from collections.abc import Sequence
from dataclasses import dataclass

from tenjigsaw.report.svg import WIDTH

_HALF_HEIGHT, _AWAY = 7.0, 9.0
# Beside the point first, then above and below it, ever further.
_LIFTS = (0.0, -13.0, 13.0, -26.0, 26.0, -39.0, 39.0)


@dataclass(frozen=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    def covered_by(self, other: "_Box") -> float:
        """The area that both share."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, width) * max(0.0, height)


def place_labels(
    points: Sequence[tuple[float, float]], widths: Sequence[float], top: float, bottom: float, left: float = 0.0
) -> list[tuple[float, float, str]]:
    """For each point the end of its label next to it, the height, and which end it is; as close as the others allow.

    ``left``, ``top`` and ``bottom`` are where the chart ends, and beyond them stand the numbers of its axes.
    """
    taken = [_Box(x - 6, y - 6, x + 6, y + 6) for x, y in points]
    places = []
    for (x, y), width in zip(points, widths, strict=True):
        sides = [side for side in (x + _AWAY, x - _AWAY - width) if side >= left and side + width <= WIDTH - 4]
        sides = sides or [max(left, WIDTH - 4 - width)]
        choices = [(side, min(max(y + lift, top), bottom)) for lift in _LIFTS for side in sides]
        boxes = [_Box(start, middle - _HALF_HEIGHT, start + width, middle + _HALF_HEIGHT) for start, middle in choices]
        hidden = [sum(box.covered_by(other) for other in taken) for box in boxes]
        best = hidden.index(min(hidden))
        taken.append(boxes[best])
        start, middle = choices[best]
        places.append((start + width, middle, "end") if start < x else (start, middle, "start"))
    return places
