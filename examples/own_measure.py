"""A measure of your own: both edges go on into the worn gap as they end, and should meet in the middle."""

import numpy as np

import tenjigsaw
from tenjigsaw.geometry import edge_strips
from tenjigsaw.measures import PairMeasure, normalise
from tenjigsaw.pictures import built_in_picture


def describe(puzzle):
    """What to remember of each of the 4N edges; all are turned to face right."""
    strips = edge_strips(puzzle.inner, depth=2).astype(np.float32)
    last, before = strips[:, :, 0], strips[:, :, 1]
    middle = last + (puzzle.erosion + 0.5) * (last - before)
    # Face to face, two edges run in opposite directions: where one is read downwards, its partner is read upwards.
    downwards, upwards = middle, middle[:, ::-1]
    return downwards.reshape(len(middle), -1), upwards.reshape(len(middle), -1)


def compare(one, other):
    """(A, B): the cost of joining each edge of one set to each of the other; low is good."""
    return np.stack([np.abs(other[1] - edge).sum(axis=1) for edge in one[0]])


MEASURE = PairMeasure("meet", "how far apart two edges are in the middle of the gap", describe, compare)

if __name__ == "__main__":
    tenjigsaw.register_measure(MEASURE)
    rng = np.random.default_rng(0)
    whole = tenjigsaw.cut(tenjigsaw.read_picture(built_in_picture()), 28)
    puzzle = tenjigsaw.turn(tenjigsaw.shuffle(tenjigsaw.erode(whole, 1, rng), rng), rng)
    for name in ("ssd", "meet", "mgc"):
        scores = normalise(tenjigsaw.create_measure(name).scores(puzzle), "sinkhorn")
        solved = tenjigsaw.reassemble(puzzle, measure=name)
        assert puzzle.truth  # it and the accuracy are known, as we cut the puzzle ourselves
        assert solved.accuracy
        top1, right = tenjigsaw.top_k(scores, puzzle.truth), solved.accuracy.neighbour
        print(f"{name:5} {top1:.1%} of the true neighbours come first, {right:.1%} of the joins are right in the end")
