"""The slow, obvious version of every fast kernel, and pictures to try them on."""

import numpy as np

from tenjigsaw.measures import DenseScores
from tenjigsaw.measures.colour import lab
from tenjigsaw.puzzle import Puzzle, cut, erode, shuffle, turn


def smooth_picture(rng, height, width):
    """Low-pass noise with a little grain: edges that fit, and no two alike."""
    coarse = rng.normal(size=(height // 6 + 3, width // 6 + 3, 3))
    rows, cols = np.linspace(0, coarse.shape[0] - 1.001, height), np.linspace(0, coarse.shape[1] - 1.001, width)
    r, c = rows.astype(int), cols.astype(int)
    fr, fc = (rows - r)[:, None, None], (cols - c)[None, :, None]
    top = coarse[r][:, c] * (1 - fc) + coarse[r][:, c + 1] * fc
    bottom = coarse[r + 1][:, c] * (1 - fc) + coarse[r + 1][:, c + 1] * fc
    field = top * (1 - fr) + bottom * fr + rng.normal(scale=0.02, size=(height, width, 3))
    return np.clip(128 + 50 * field, 0, 255).astype(np.uint8)


def puzzle_of(seed, rows=2, cols=3, size=9, erosion=1, turned=True):
    rng = np.random.default_rng(seed)
    whole = cut(smooth_picture(rng, rows * size, cols * size), size)
    worn = shuffle(erode(whole, erosion, rng), rng)
    return turn(worn, rng) if turned else worn


def is_legal(a, b, turned):
    if a // 4 == b // 4:
        return False
    return turned or (a % 4 + 2) % 4 == b % 4


def random_scores(seed, pieces=5, turned=True, mutual=True):
    rng = np.random.default_rng(seed)
    half = rng.uniform(1, 100, size=(4 * pieces, 4 * pieces))
    values = half + half.T if mutual else half
    for a in range(4 * pieces):
        for b in range(4 * pieces):
            if not is_legal(a, b, turned):
                values[a, b] = np.inf
    return DenseScores(values.astype(np.float32), turned, mutual=mutual)


def facing(puzzle: Puzzle, edge: int, direction: int) -> np.ndarray:
    """The surviving piece of an edge, turned so that the edge faces ``direction``."""
    return np.rot90(puzzle.inner[edge // 4], -(direction - edge % 4)).astype(np.float64)


def facing_lab(puzzle, edge, direction):
    turned = np.rot90(puzzle.inner[edge // 4], -(direction - edge % 4))
    return lab(np.ascontiguousarray(turned)).astype(np.float64)


def ssd(puzzle, a, b, view=facing):
    left, right = view(puzzle, a, 1), view(puzzle, b, 3)
    return sum((left[p, -1, c] - right[p, 0, c]) ** 2 for p in range(len(left)) for c in range(3))


def ssd_lab(puzzle, a, b):
    return ssd(puzzle, a, b, facing_lab)


def l1(puzzle, a, b):
    left, right = facing_lab(puzzle, a, 1), facing_lab(puzzle, b, 3)
    return np.abs(2 * left[:, -1] - left[:, -2] - right[:, 0]).sum()


def pbc(puzzle, a, b):
    left, right = facing_lab(puzzle, a, 1), facing_lab(puzzle, b, 3)
    forward = np.abs(2 * left[:, -1] - left[:, -2] - right[:, 0]) ** 0.3
    backward = np.abs(2 * right[:, 0] - right[:, 1] - left[:, -1]) ** 0.3
    return (forward.sum() + backward.sum()) ** (5 / 24)


DUMMIES = [(0, 0, 0), (1, 1, 1), (-1, -1, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]


def mgc_one_way(left, right, squared):
    """``left`` predicts ``right``: both as seen with the join between them."""
    gradient = left[:, -1] - left[:, -2]
    inverse = np.linalg.inv(np.cov(np.concatenate([gradient, DUMMIES]).T))
    total = 0.0
    for p in range(len(left)):
        step = right[p, 0] - left[p, -1] - gradient.mean(axis=0)
        distance = step @ inverse @ step
        total += distance if squared else np.sqrt(distance)
    return total


def mgc(puzzle, a, b, squared=False):
    left, right = facing(puzzle, a, 1), facing(puzzle, b, 3)
    # Seen from the other piece the picture is turned by half: what was left is right.
    return mgc_one_way(left, right, squared) + mgc_one_way(np.rot90(right, 2), np.rot90(left, 2), squared)


def mgc_squared(puzzle, a, b):
    return mgc(puzzle, a, b, squared=True)


def wmgc(puzzle, a, b):
    return mgc(puzzle, a, b) * ssd(puzzle, a, b) ** (1 / 5)


MEASURES = {
    "ssd": ssd,
    "ssd-lab": ssd_lab,
    "pbc": pbc,
    "l1": l1,
    "mgc": mgc,
    "mgc-squared": mgc_squared,
    "wmgc": wmgc,
}


def scores(puzzle, name):
    """All costs by a double loop."""
    edges = 4 * puzzle.count
    values = np.full((edges, edges), np.inf)
    for a in range(edges):
        for b in range(edges):
            if is_legal(a, b, puzzle.turned):
                values[a, b] = MEASURES[name](puzzle, a, b)
    return values


def legal_row(values, a):
    return [b for b in range(len(values)) if np.isfinite(values[a, b])]


def ten(values):
    scaled = np.full_like(values, np.inf)
    for a in range(len(values)):
        row = [values[a, b] for b in legal_row(values, a)]
        for b in legal_row(values, a):
            scaled[a, b] = (values[a, b] - min(row)) / (max(row) - min(row))
    return (scaled + scaled.T) / 2


def ratio(values):
    result = np.full_like(values, np.inf)
    for a in range(len(values)):
        for b in legal_row(values, a):
            in_row = [values[a, c] for c in legal_row(values, a) if c != b]
            in_column = [values[c, b] for c in range(len(values)) if np.isfinite(values[c, b]) and c != a]
            result[a, b] = values[a, b] / min(in_row + in_column)
    return (result + result.T) / 2


def csls(values, k=5):
    values = (values + values.T) / 2
    near = [np.mean(sorted(values[a, b] for b in legal_row(values, a))[:k]) for a in range(len(values))]
    result = np.full_like(values, np.inf)
    for a in range(len(values)):
        for b in legal_row(values, a):
            result[a, b] = 2 * values[a, b] - near[a] - near[b]
    return result


def sinkhorn(values, sweeps=20):
    """Row by row: symmetric costs to a common scale, then scale until rows and dustbin sum to one."""
    values = (values + values.T) / 2
    count = len(values)
    best = [sorted(values[a, b] for b in legal_row(values, a))[:10] for a in range(count)]
    near = [np.mean(row) for row in best]
    contrast = np.median([1 - best[a][0] / near[a] for a in range(count)])
    chance = np.zeros_like(values)
    for a in range(count):
        for b in legal_row(values, a):
            chance[a, b] = np.exp(-values[a, b] / (0.2 * contrast * np.sqrt(near[a] * near[b])))
    lead = np.array([max(-np.log(row[row > 0].max()), 0) / 2 for row in chance])
    chance *= np.exp(lead[:, None] + lead[None, :])
    scale = np.ones(count)
    for _ in range(sweeps):
        dustbin = 4 * np.sqrt(count / 4) / scale.sum()
        scale = np.array([np.sqrt(scale[a] / (chance[a] @ scale + dustbin)) for a in range(count)])
    return chance * scale[:, None] * scale[None, :]


def fill(values, piece, turn, spare, turned):
    """Most-neighboured hole first, and there the piece and turn of the lowest total cost."""
    piece, turn, spare = piece.copy(), turn.copy(), list(spare)
    steps = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    while spare:
        choices = []
        for r, c in np.argwhere(piece < 0):
            facing_edges = []
            for direction, (dr, dc) in enumerate(steps):
                nr, nc = r + dr, c + dc
                if 0 <= nr < piece.shape[0] and 0 <= nc < piece.shape[1] and piece[nr, nc] >= 0:
                    facing_edges.append((direction, 4 * piece[nr, nc] + (direction + 2 - turn[nr, nc]) % 4))
            for candidate in spare if facing_edges else ():
                for t in range(4 if turned else 1):
                    cost = sum(values[edge, 4 * candidate + (d - t) % 4] for d, edge in facing_edges)
                    choices.append((-len(facing_edges), cost, r, c, candidate, t))
        if not choices:
            break
        _, _, r, c, candidate, t = min(choices)
        piece[r, c], turn[r, c] = candidate, t
        spare.remove(candidate)
    return piece, turn


def tree(values):
    """Kruskal with geometry: {piece: (row, col, turn)} for each cluster left."""
    count = len(values) // 4
    clusters = [{piece: (0, 0, 0)} for piece in range(count)]
    joins = sorted((values[a, b], a, b) for a in range(4 * count) for b in range(a + 1, 4 * count))
    steps = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    for cost, a, b in joins:
        if not np.isfinite(cost):
            break
        one = next(c for c in clusters if a // 4 in c)
        other = next(c for c in clusters if b // 4 in c)
        if one is other:
            continue
        row, col, turn = one[a // 4]
        direction = (a % 4 + turn) % 4
        target = (row + steps[direction][0], col + steps[direction][1])
        guest_row, guest_col, guest_turn = other[b // 4]
        spin = (direction + 2 - b % 4 - guest_turn) % 4
        moved = {}
        for piece, (r, c, t) in other.items():
            r, c = r - guest_row, c - guest_col
            for _ in range(spin):
                r, c = c, -r
            moved[piece] = (r + target[0], c + target[1], (t + spin) % 4)
        taken = {(r, c) for r, c, _ in one.values()}
        if any((r, c) in taken for r, c, _ in moved.values()):
            continue
        one.update(moved)
        clusters.remove(other)
    return clusters


def kernel(values, start, shape, turned):
    """The joins of a kernel that grows from piece ``start``, always by the cheapest join, in a floating frame."""
    placed, cells, joined = {start: (0, 0, 0)}, {(0, 0): start}, set()
    while len(placed) < len(values) // 4:
        offers = []
        for piece, (row, col, spin) in placed.items():
            for side in range(4):
                direction = (side + spin) % 4
                cell = (row + (direction == 2) - (direction == 0), col + (direction == 1) - (direction == 3))
                if cell in cells or not _floats_in(shape, [*cells, cell], turned):
                    continue
                for edge in range(len(values)):
                    if edge // 4 not in placed and np.isfinite(values[4 * piece + side, edge]):
                        offers.append((values[4 * piece + side, edge], edge, cell, (direction + 2 - edge) % 4))
        _, edge, cell, spin = min(offers)
        placed[edge // 4], cells[cell] = (*cell, spin), edge // 4
    for (row, col), piece in cells.items():
        for other, direction in ((cells.get((row, col + 1)), 1), (cells.get((row + 1, col)), 2)):
            if other is not None:
                own, there = (direction - placed[piece][2]) % 4, (direction + 2 - placed[other][2]) % 4
                joined.add(frozenset((4 * piece + own, 4 * other + there)))
    return frozenset(joined)


def _floats_in(shape, cells, turned):
    rows, cols = (max(line) - min(line) + 1 for line in zip(*cells, strict=True))
    return (rows <= shape[0] and cols <= shape[1]) or (turned and rows <= shape[1] and cols <= shape[0])


def loops(probability):
    """The probability that the pieces counter-clockwise of both edges of a join meet, summed over all such pieces."""
    count = len(probability)

    def turned(edge, quarter):
        return 4 * (edge // 4) + (edge + quarter) % 4

    closed = np.zeros((count, count))
    for a in range(count):
        for b in range(count):
            for e in range(count):
                for f in range(count):
                    above, across = probability[turned(a, 3), e], probability[turned(b, 1), f]
                    met = probability[turned(e, 3), turned(f, 1)] if f // 4 != a // 4 else 0
                    closed[a, b] += above * met * across
    return closed
