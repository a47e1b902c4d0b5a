"""Place whole clusters of pinned pieces, which single-piece filling would tear apart."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.errors import InputError
from tenjigsaw.geometry import STEPS, spun
from tenjigsaw.layout import EMPTY, Layout
from tenjigsaw.measures.scores import Scores
from tenjigsaw.solvers.clusters import Clusters

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Block:
    """Pieces that belong together, with their places; all (members,), rows and columns from 0 on."""

    piece: Ints
    row: Ints
    col: Ints
    turn: Ints

    def turned(self, turn: int) -> "Block":
        """The block turned clockwise as a whole."""
        row, col = spun(self.row, self.col, turn)
        return Block(self.piece, row - row.min(), col - col.min(), (self.turn + turn) % 4)


def blocks_of(clusters: Clusters) -> list[Block]:
    """The clusters of more than one piece."""
    found = []
    for name in np.nonzero(np.bincount(clusters.cluster) > 1)[0]:
        piece = np.nonzero(clusters.cluster == name)[0]
        found.append(Block(piece, clusters.row[piece], clusters.col[piece], clusters.turn[piece]).turned(0))
    return found


def keep_blocks_whole(layout: Layout, blocks: list[Block], held: Ints, scores: Scores, may_grow: bool) -> Layout:
    """Lay every block that the layout holds in part, or not at all, where it costs least; what lies there leaves,
    unless it is another block or one of the ``held`` pieces.
    """
    piece, turn = layout.piece.copy(), layout.turn.copy()
    torn = [block for block in blocks if np.isin(block.piece, piece).sum() < len(block.piece)]
    for block in torn:
        piece[np.isin(piece, block.piece)] = EMPTY
    fixed = np.isin(piece, np.concatenate([held, *(block.piece for block in blocks)]))
    for block in sorted(torn, key=lambda block: -len(block.piece)):
        if may_grow:
            margin = int(max(block.row.max(), block.col.max())) + 1
            piece = np.pad(piece, margin, constant_values=EMPTY)
            turn, fixed = np.pad(turn, margin), np.pad(fixed, margin)
        laid, row, col = _cheapest_place(piece, turn, fixed, block, scores)
        piece[row, col], turn[row, col], fixed[row, col] = laid.piece, laid.turn, True
    return Layout(piece, np.where(piece >= 0, turn, 0))


def _cheapest_place(
    piece: Ints, turn: Ints, fixed: NDArray[np.bool_], block: Block, scores: Scores
) -> tuple[Block, Ints, Ints]:
    """The turned block, and the cells for it that drive out the fewest pieces and, among those, cost least."""
    rows, cols = piece.shape
    best: tuple[float, float] = (np.inf, np.inf)
    found: tuple[Block, Ints, Ints] | None = None
    for spin in range(4 if scores.turned else 1):
        laid = block.turned(spin)
        for top in range(rows - int(laid.row.max())):
            for left in range(cols - int(laid.col.max())):
                row, col = laid.row + top, laid.col + left
                if fixed[row, col].any():
                    continue
                driven_out = float((piece[row, col] >= 0).sum())
                if found is not None and driven_out > best[0]:
                    continue
                price = (driven_out, _mean_cost(piece, turn, laid, row, col, scores))
                if found is None or price < best:
                    best, found = price, (laid, row, col)
    if found is None:
        raise InputError(
            f"There is no room left in the frame for the pieces that are pinned to {block.piece[0]}; pin fewer."
        )
    return found


def _mean_cost(piece: Ints, turn: Ints, block: Block, row: Ints, col: Ints, scores: Scores) -> float:
    """What the joins of a block with the pieces around it cost on average; infinite if there are none."""
    rows, cols = piece.shape
    costs = []
    for direction, (down, right) in enumerate(STEPS):
        r, c = row + down, col + right
        inside = (r >= 0) & (r < rows) & (c >= 0) & (c < cols)
        r, c, own = r[inside], c[inside], (4 * block.piece + (direction - block.turn) % 4)[inside]
        there = piece[r, c] >= 0
        r, c, own = r[there], c[there], own[there]
        costs.append(scores.cost(own, 4 * piece[r, c] + (direction + 2 - turn[r, c]) % 4))
    every = np.concatenate(costs)
    return float(every.mean()) if len(every) else np.inf
