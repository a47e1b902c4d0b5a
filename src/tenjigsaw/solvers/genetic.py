"""The genetic solver of Sholomon 2013 (Type-1) and 2014 (Type-2), on which Rika 2019 builds."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenjigsaw.errors import InputError
from tenjigsaw.layout import EMPTY, Layout
from tenjigsaw.measures.scores import Scores, symmetric, with_cost
from tenjigsaw.progress import Progress, no_progress, show
from tenjigsaw.solvers.blocks import pinned_clusters
from tenjigsaw.solvers.border import check_task
from tenjigsaw.solvers.clusters import Clusters, chains
from tenjigsaw.solvers.crossover import breed
from tenjigsaw.solvers.filling import cost_view
from tenjigsaw.solvers.frame import Frame
from tenjigsaw.solvers.given import is_number, is_whole
from tenjigsaw.solvers.kernel import Rules
from tenjigsaw.solvers.pins import Pins
from tenjigsaw.solvers.stop import Stop, Watch
from tenjigsaw.solvers.tree import TreeSolver

Ints = NDArray[np.int32]
Costs = NDArray[np.float64]
Shape = tuple[int, int]

# Of the first population, the share that descends from a layout to start from.
_HEIRS = 0.1
# The share of placements that are odd in a mutated child, and in all of the first population: those have no parents
# to differ by, and without it they would differ by their first piece only. Tuned on val.
_ODD = 0.2
_FIRST_ODD = 0.05
# All lists together; large puzzles get shorter ones, though never shorter than this.
_MOST_LISTED, _FEWEST_LISTED = 2_000_000, 64
# Children grown between two looks at the clock, if there is reason to look: those of a large puzzle take seconds.
_PORTION = 128
# Where the size is open, the rows and columns beyond those that a tree of the joins fills.
_MARGIN = 2
# Children grown in each shape that the pieces could fill, to see which suits them.
_TRIAL = 100


@dataclass(frozen=True, eq=False)
class Population:
    """``layouts`` (P, rows, cols) hold 4 * piece + turn, -1 where empty; ``costs`` (P,) are theirs, lowest first."""

    layouts: Ints
    costs: Costs


@dataclass(frozen=True)
class GeneticSolver:
    """A population of layouts; children grow from the joins that their parents agree on.

    Population, elites and the share of mutated children are the papers'; what these leave open was tuned on val.
    """

    name: str = "genetic"
    summary: str = "a population of layouts, crossed by what parents share (Sholomon 2013, 2014)"
    population: int = 1000
    elites: int = 4
    mutation: float = 0.05  # share of children with odd placements
    # Listed for each edge; beyond them a cell is filled by looking at every spare piece. Where hundreds of pieces are
    # alike, as in a clipped sky, short lists run out soon: that took seven times as long on val. Tuned there.
    partners: int = 768
    generations: int = 100
    patience: int = 20
    # Selection: the power of its fitness that a layout is drawn as a parent by. The papers don't say; in plain
    # proportion, 1, the best of a thousand hardly have more children than the others, and nothing comes of what they
    # found. Tuned on val.
    pressure: float = 8.0

    def __post_init__(self) -> None:
        for name, least in (("population", 1), ("elites", 0), ("partners", 1), ("generations", 1), ("patience", 1)):
            if not is_whole(getattr(self, name), least):
                self._refuse(name, f"a whole number from {least} on")
        if self.elites >= self.population:
            self._refuse("elites", f"below the population of {self.population}")
        if not (is_number(self.mutation) and 0 <= self.mutation <= 1):
            self._refuse("mutation", "a share from 0 to 1")
        if not (is_number(self.pressure) and self.pressure > 0):
            self._refuse("pressure", "a number above 0")

    def _refuse(self, name: str, needed: str) -> None:
        raise InputError(f"The genetic solver's {name} must be {needed}, not {getattr(self, name)!r}.")

    def solve(
        self,
        scores: Scores,
        frame: Frame,
        stop: Stop,
        rng: np.random.Generator,
        progress: Progress = no_progress,
        start: Layout | None = None,
        pins: Pins | None = None,
    ) -> Layout:
        """Place all pieces; a ``start`` has a tenth of the first population for its heirs.

        Where pieces are missing and the size is unknown, children grow in a frame that floats, with room for a tree.
        """
        pins = pins or Pins()
        check_task(scores, frame, pins, start)
        count = scores.edges // 4
        watch = stop.or_else(Stop(generations=self.generations, patience=self.patience)).watch()
        is_open = frame.missing and frame.size is None
        shapes = _shapes(frame, count, scores.turned)
        clusters = pinned_clusters(pins, count, frame)
        scores = symmetric(with_cost(scores, pins.apart, np.inf))
        progress("preparing", 0.0)
        if is_open:
            tree = TreeSolver().solve(scores, frame, stop, rng, pins=pins)
            shapes = [_roomy_shape(tree, start)]
        rules = self._fitting_rules(self._rules(scores, clusters, pins), shapes, rng, watch)
        layout = self._evolve(rules, start, rng, watch, progress)
        pins.check_kept(layout)
        return layout.cropped() if is_open else layout

    def _rules(self, scores: Scores, clusters: Clusters, pins: Pins) -> Rules:
        """What all children have in common, but for the size of the frame."""
        edges = np.arange(scores.edges)
        affordable = max(_FEWEST_LISTED, _MOST_LISTED // scores.edges)
        listed = scores.best(min(self.partners, affordable, scores.longest_row))
        cost = np.where(listed >= 0, scores.cost(edges[:, None], np.maximum(listed, 0)), np.float32(np.inf))
        listed = np.where(np.isfinite(cost), listed, -1)
        first = listed[:, 0]
        view = cost_view(scores)
        reference, penalty = _reference(cost), _penalty(scores, view[-1])
        return Rules(
            *view,
            listed=listed.astype(np.int32),
            listed_cost=cost,
            buddy=np.where((first >= 0) & (first[first] == edges), first, -1).astype(np.int32),
            cluster=clusters.cluster,
            row=clusters.row,
            col=clusters.col,
            turn=clusters.turn,
            following=chains(clusters.cluster)[0],
            held=int(pins.held[0, 0]) if len(pins.held) else -1,
            rows=0,
            cols=0,
            turned=scores.turned,
            penalty=penalty,
            reference=reference,
            mutation=float(self.mutation),
            odd=_ODD,
        )

    def _fitting_rules(self, rules: Rules, shapes: list[Shape], rng: np.random.Generator, watch: Watch) -> Rules:
        """The rules for the shape whose first children cost least; there is nothing to try if only one is possible.

        The squarest shape is tried first, since it is the best guess if there is time for no other.
        """
        roomy = [rules._replace(rows=rows, cols=cols) for rows, cols in shapes if _has_room(rules, (rows, cols))]
        if not roomy:
            raise InputError("There is no room in the frame for the pieces that are pinned to each other.")
        if len(roomy) == 1:
            return roomy[0]
        seeds, lowest = [_seed(rng) for _ in roomy], np.full(len(roomy), np.inf)
        for number in sorted(range(len(roomy)), key=lambda number: abs(roomy[number].rows - roomy[number].cols)):
            lowest[number] = _orphans(roomy[number], _TRIAL, seeds[number], watch).costs[0]
            if watch.out_of_time and np.isfinite(lowest[number]):
                break
        return roomy[int(np.argmin(lowest))]

    def _evolve(
        self, rules: Rules, start: Layout | None, rng: np.random.Generator, watch: Watch, progress: Progress
    ) -> Layout:
        lowest = np.inf
        for population in self._generations(rules, start, rng, watch):
            cost = float(population.costs[0])
            if not np.isfinite(min(cost, lowest)):
                raise InputError("The genetic solver finds no room in the frame for all that is pinned.")
            if cost <= lowest:  # without elites the best may have died out
                best, lowest = _as_layout(population.layouts[0]), cost
            ended = watch.ends_after(lowest)
            show(progress, best, lowest + rules.reference * len(best.joins()))
            progress("evolving", watch.share)
            if ended:
                break
        return best

    def _generations(
        self, rules: Rules, start: Layout | None, rng: np.random.Generator, watch: Watch
    ) -> Iterator[Population]:
        population = self._first(rules, start, rng, watch)
        while True:
            yield population
            pairs = _roulette(population.costs, (self.population - self.elites, 2), self.pressure, rng)
            children = _children(rules, population.layouts, pairs, _seed(rng), watch)
            elite = Population(population.layouts[: self.elites], population.costs[: self.elites])
            population = _together(elite, children)

    def _first(self, rules: Rules, start: Layout | None, rng: np.random.Generator, watch: Watch) -> Population:
        """Children that grow by costs alone, and heirs of the start.

        Random layouts, the papers' first population, share no joins: this is what their children look like.
        """
        if start is None:
            return _orphans(rules, self.population, _seed(rng), watch)
        heirs = int(_HEIRS * self.population)
        ancestor = np.where(start.piece >= 0, 4 * start.piece + start.turn, EMPTY).astype(np.int32)[None]
        faithful = _offspring(rules._replace(mutation=0.0), ancestor, 1, _seed(rng), watch)
        varied = _offspring(rules._replace(mutation=1.0), ancestor, heirs, _seed(rng), watch)
        orphans = _orphans(rules, self.population - heirs - 1, _seed(rng), watch)
        return _together(_together(faithful, varied), orphans)


def _shapes(frame: Frame, count: int, turned: bool) -> list[Shape]:
    """The sizes to try, none if any will do; those that differ by a turn of the whole count once."""
    shapes = frame.shapes(count, turned)
    if frame.size is not None:
        return shapes[:1]
    return [(rows, cols) for rows, cols in shapes if rows <= cols or not turned]


def _roomy_shape(tree: Layout, start: Layout | None) -> Shape:
    """A frame that floats a bit beyond what a tree fills, and what there is to start from: the size is open."""
    layouts = [tree] if start is None else [tree, start]
    return max(layout.rows for layout in layouts) + _MARGIN, max(layout.cols for layout in layouts) + _MARGIN


def _has_room(rules: Rules, shape: Shape) -> bool:
    """Whether each pinned cluster by itself fits into the frame."""
    for name in np.nonzero(rules.following[rules.cluster] >= 0)[0]:
        inside = rules.cluster == rules.cluster[name]
        extents = (np.ptp(rules.row[inside]) + 1, np.ptp(rules.col[inside]) + 1)
        fits = [extents, extents[::-1]] if rules.turned else [extents]
        if not any(rows <= shape[0] and cols <= shape[1] for rows, cols in fits):
            return False
    return True


def _reference(listed_cost: NDArray[np.float32]) -> float:
    """What a middling wrong join costs: the median of the second best of each edge."""
    second = listed_cost[:, min(1, listed_cost.shape[1] - 1)]
    known = second[np.isfinite(second)]
    return float(np.median(known)) if len(known) else 0.0


def _penalty(scores: Scores, unlisted: float) -> float:
    """A cost that no layout without it can reach in total."""
    finite = scores.values[np.isfinite(scores.values)]
    largest = max(float(finite.max(initial=0.0)), unlisted if np.isfinite(unlisted) else 0.0)
    return largest + (largest - float(finite.min(initial=0.0)) + 1) * scores.edges


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**62))


def _orphans(rules: Rules, count: int, seed: int, watch: Watch) -> Population:
    """Children whose parents know nothing."""
    nobody = np.full((1, 1, 1), EMPTY, dtype=np.int32)
    return _offspring(rules._replace(mutation=1.0, odd=_FIRST_ODD), nobody, count, seed, watch)


def _offspring(rules: Rules, ancestor: Ints, count: int, seed: int, watch: Watch) -> Population:
    """Children that have one layout for both parents."""
    return _children(rules, ancestor, np.zeros((count, 2), dtype=np.int64), seed, watch)


def _children(rules: Rules, parents: Ints, pairs: NDArray[np.int64], seed: int, watch: Watch) -> Population:
    """A child of each pair; if the time is up, of the first pairs only, until there is one that fits."""
    layouts = np.empty((len(pairs), rules.rows, rules.cols), dtype=np.int32)
    costs, grown = np.empty(len(pairs)), 0
    most = _PORTION if watch.may_end_amid else len(pairs)
    while grown < len(pairs) and not (watch.out_of_time and np.isfinite(costs[:grown]).any()):
        portion = slice(grown, grown + most)
        breed(rules, parents, pairs[portion], seed, grown, layouts[portion], costs[portion])
        grown += len(pairs[portion])
    return _sorted(layouts[:grown], costs[:grown])


def _sorted(layouts: Ints, costs: Costs) -> Population:
    order = np.argsort(costs, kind="stable")
    return Population(layouts[order], costs[order])


def _together(one: Population, other: Population) -> Population:
    return _sorted(np.concatenate([one.layouts, other.layouts]), np.concatenate([one.costs, other.costs]))


def _roulette(costs: Costs, size: tuple[int, int], pressure: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Numbers of layouts (costs ascend), drawn in proportion to a power of how much better each is than a bad one."""
    best, middling = costs[0], np.median(costs[np.isfinite(costs)])
    # As far beyond the median as the best is below it; what is worse, as with a join that must not be, has no children.
    ahead = np.maximum(middling + (middling - best) - costs, 0.0)
    fitness = (ahead / (ahead[0] or 1.0)) ** pressure
    share = np.cumsum(fitness if fitness.any() else np.ones(len(costs)))
    drawn: NDArray[np.int64] = np.searchsorted(share, rng.random(size) * share[-1], side="right")
    return drawn


def _as_layout(cells: Ints) -> Layout:
    placed = cells.astype(np.int64)
    return Layout(np.where(placed >= 0, placed // 4, EMPTY), np.where(placed >= 0, placed % 4, 0))
