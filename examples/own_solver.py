"""A solver of your own: let every piece be the first one once, lay the rest row by row, and keep the best."""

import numpy as np

import tenjigsaw
from tenjigsaw.geometry import DOWN, LEFT, RIGHT, UP
from tenjigsaw.measures import DenseScores
from tenjigsaw.pictures import built_in_picture


class RowByRow:
    """Each piece in turn is the upper left one."""

    name = "row-by-row"
    summary = "every piece as the first one once, the rest row by row"

    def solve(self, scores, frame, stop, rng, progress=lambda stage, share: None, start=None, pins=None):
        """A layout of all pieces."""
        if pins is not None or frame.size is None or not isinstance(scores, DenseScores):
            raise tenjigsaw.InputError("row-by-row needs the size of the whole and all scores, and keeps no pins.")
        best, lowest, watch = None, np.inf, stop.watch()
        for done, first in enumerate(rng.permutation(scores.edges // 4)):
            progress("laying", 4 * done / scores.edges)
            left, cost = lay(scores.values, frame.size, 4 * first + LEFT)
            if best is None or cost < lowest:
                best, lowest = left, cost
            if watch.ends_after(lowest):
                break
        # An edge is 4 * piece + side, and a piece is turned by as many quarter turns as bring that side to the left.
        return tenjigsaw.Layout(best // 4, (LEFT - best) % 4)


def lay(cost, size, first):
    """For each cell the edge that faces left, and what all joins cost together."""
    edges, total = np.arange(len(cost)), 0.0
    sides = [edges - edges % 4 + (edges % 4 + 1 + direction) % 4 for direction in range(4)]  # when an edge faces left
    left, used = np.full(size, -1), np.zeros(len(cost))
    for row, col in np.ndindex(size):
        fit = used + (cost[sides[RIGHT][left[row, col - 1]]] if col else 0)
        fit = fit + (cost[sides[DOWN][left[row - 1, col]]][sides[UP]] if row else 0)
        left[row, col] = fit.argmin() if row or col else first
        total += fit[left[row, col]]
        used[edges // 4 == left[row, col] // 4] = np.inf
        if np.isinf(used).all():
            break
    return left, total


SOLVER = RowByRow()

if __name__ == "__main__":
    tenjigsaw.register_solver(SOLVER)
    rng = np.random.default_rng(0)
    whole = tenjigsaw.cut(tenjigsaw.read_picture(built_in_picture()), 28)
    puzzle = tenjigsaw.shuffle(tenjigsaw.erode(whole, 1, rng), rng)
    for name in ("row-by-row", "tree", "segments"):
        solved = tenjigsaw.reassemble(puzzle, measure="mgc", solver=name)
        assert solved.accuracy  # known, as we cut the puzzle ourselves
        print(f"{name:10} {solved.accuracy.neighbour:.1%} of the joins are right")
