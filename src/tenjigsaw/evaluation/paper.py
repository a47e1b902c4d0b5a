"""The numbers that the paper prints in its Tables 2 to 6; accuracies in percent."""

import re

SETS = ("DIV2K", "PIRM", "MIT")
WORN, PIECE = 1, 28

# Table 2: Top-1 after half the training, by distance and number of dimensions.
DIMENSIONS = {
    "cosine": {10: 31.1, 20: 37.9, 40: 40.7, 80: 40.5},
    "l2": {10: 46.3, 20: 51.4, 40: 54.4, 80: 54.7},
}

# Table 3: Top-1 after half the training, 40 dimensions, by distance.
DISTANCES = {"cosine": 40.7, "l1": 51.8, "l2": 54.4, "l3": 54.0}

_BySet = dict[str, float]


def _by_set(*values: float) -> _BySet:
    return dict(zip(SETS, values, strict=True))


# Table 4: Top-1 by measure, type and set.
TOP1: dict[str, dict[int, _BySet]] = {
    "ssd": {1: _by_set(37.4, 41.0, 42.0), 2: _by_set(29.0, 32.2, 33.5)},
    "pbc": {1: _by_set(46.4, 49.1, 43.7), 2: _by_set(37.5, 39.3, 34.1)},
    "l1": {1: _by_set(47.0, 49.8, 46.6), 2: _by_set(38.7, 40.7, 37.6)},
    "mgc": {1: _by_set(56.3, 59.5, 53.5), 2: _by_set(45.4, 47.5, 41.1)},
    "ten": {1: _by_set(59.4, 61.0, 55.2), 2: _by_set(50.5, 52.5, 46.6)},
    "ten-large": {1: _by_set(64.6, 65.4, 59.1), 2: _by_set(56.8, 57.5, 51.5)},
    "e2e": {1: _by_set(71.4, 72.6, 69.4), 2: _by_set(64.1, 64.2, 60.9)},
}

# Table 5: neighbour accuracy by solver, measure, type and set; the genetic solver's is the mean of 10 runs.
NEIGHBOUR: dict[str, dict[str, dict[int, _BySet]]] = {
    "tree": {
        "ssd": {1: _by_set(28.7, 32.4, 34.5), 2: _by_set(7.3, 9.8, 10.3)},
        "pbc": {1: _by_set(43.7, 47.1, 36.4), 2: _by_set(13.8, 16.5, 9.5)},
        "l1": {1: _by_set(42.2, 46.0, 41.3), 2: _by_set(12.2, 15.0, 10.7)},
        "mgc": {1: _by_set(54.7, 60.2, 49.4), 2: _by_set(19.7, 22.7, 12.8)},
        "ten": {1: _by_set(52.9, 53.1, 44.9), 2: _by_set(21.8, 23.4, 16.6)},
        "ten-large": {1: _by_set(60.7, 59.8, 53.4), 2: _by_set(30.2, 33.6, 22.7)},
        "e2e": {1: _by_set(75.4, 76.1, 69.0), 2: _by_set(48.5, 49.9, 39.0)},
    },
    "genetic": {
        "ssd": {1: _by_set(27.9, 34.0, 32.4), 2: _by_set(16.3, 18.4, 18.3)},
        "pbc": {1: _by_set(49.3, 53.2, 44.7), 2: _by_set(26.1, 30.5, 20.9)},
        "l1": {1: _by_set(43.6, 50.9, 43.2), 2: _by_set(25.6, 28.2, 22.0)},
        "mgc": {1: _by_set(64.4, 71.4, 58.2), 2: _by_set(40.2, 47.5, 32.3)},
        "ten": {1: _by_set(67.5, 71.5, 61.2), 2: _by_set(46.9, 50.9, 39.6)},
        "ten-large": {1: _by_set(72.9, 76.8, 65.1), 2: _by_set(55.5, 59.4, 49.1)},
        "e2e": {1: _by_set(82.5, 90.8, 87.3), 2: _by_set(73.3, 79.7, 74.5)},
    },
}

# Table 6: seconds to score all pairs on a GPU, by number of pieces and network.
INFERENCE: dict[int, dict[str, float]] = {
    100: {"ten": 0.07, "ten-large": 0.18, "e2e": 32.0},
    200: {"ten": 0.14, "ten-large": 0.39, "e2e": 120.0},
    400: {"ten": 0.36, "ten-large": 0.89, "e2e": 490.0},
    800: {"ten": 1.0, "ten-large": 2.2, "e2e": 1900.0},
    1600: {"ten": 3.2, "ten-large": 6.2, "e2e": 7900.0},
    3200: {"ten": 11.0, "ten-large": 19.0, "e2e": 31000.0},
}


def set_of(folder: str) -> str | None:
    """The paper's name of a set, by the name of a folder such as mit20, DIV2K_test_HR or PIRM-test."""
    for name in SETS:
        if re.match(rf"{name}(?![a-z])", folder, re.IGNORECASE):
            return name
    return None
