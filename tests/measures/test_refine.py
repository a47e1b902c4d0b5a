"""Exact costs for the best partners: they replace the rough ones, and nothing else changes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import puzzle_of
from tenjigsaw.measures import PairMeasure, create_measure
from tenjigsaw.measures.features import Features
from tenjigsaw.measures.refine import REFINED
from tenjigsaw.measures.scores import Edges, Floats, without_turns


def exact_of(one: Edges, other: Edges) -> Floats:
    """Costs that tell which pair they belong to, and from which side it is seen."""
    return (1000 * one + other + 0.5).astype(np.float32)


def refined(_: Features, one: Edges, other: Edges) -> Floats:
    return exact_of(one, other)


def measure(**changes: object) -> PairMeasure:
    rough = create_measure("ssd")
    assert isinstance(rough, PairMeasure)
    return replace(rough, symmetric=False, **changes)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32), turned=st.booleans(), rows=st.integers(1, 4))
def test_only_the_best_of_each_side_become_exact(seed: int, turned: bool, rows: int) -> None:
    puzzle = replace(puzzle_of(seed, rows, 3), turned=turned)
    before = measure().scores(puzzle).values
    after = measure(refine=refined).scores(puzzle).values
    edges = np.arange(len(before))
    is_exact = after == exact_of(edges[:, None], edges)
    np.testing.assert_array_equal(after[~is_exact], before[~is_exact])
    for edge in edges:
        for side in range(4):
            legal = np.isfinite(before[edge, side::4])
            chosen = is_exact[edge, side::4]
            assert chosen.sum() == min(REFINED, legal.sum())
            if chosen.any() and not chosen[legal].all():
                assert before[edge, side::4][chosen].max() <= before[edge, side::4][legal & ~chosen].min()


def test_an_upright_puzzle_is_read_off_a_turned_one() -> None:
    puzzle = replace(puzzle_of(3, 4, 4), turned=False)
    upright = measure(refine=refined).scores(puzzle)
    turned = measure(refine=refined).scores(replace(puzzle, turned=True))
    np.testing.assert_array_equal(without_turns(turned).values, upright.values)


def test_rows_are_refined_as_in_the_whole() -> None:
    puzzle, edges = replace(puzzle_of(5, 3, 4), turned=True), np.array([7, 2, 40])
    whole = measure(refine=refined)
    np.testing.assert_array_equal(whole.rows(puzzle, edges), whole.scores(puzzle).values[edges])


@pytest.mark.parametrize("turned", [False, True])
def test_lists_get_exact_costs_for_their_best(turned: bool) -> None:
    puzzle = replace(puzzle_of(6, 4, 5), turned=turned)
    best = REFINED * (4 if turned else 1)
    rough, found = measure().nearest(puzzle, 18), measure(refine=refined).nearest(puzzle, 18)
    is_exact = found.values == exact_of(found.row, found.column)
    np.testing.assert_array_equal(found.values[~is_exact], rough.values[~is_exact])
    np.testing.assert_array_equal(np.bincount(found.row[is_exact], minlength=80), np.full(80, best))
    kept = rough.best(best)
    assert all(set(found.column[is_exact & (found.row == edge)]) == set(kept[edge]) for edge in range(80))


@pytest.mark.parametrize("lists", [False, True])
def test_progress_rises_through_both_passes(lists: bool) -> None:
    told: list[float] = []
    puzzle = replace(puzzle_of(7, 3, 4), turned=True)

    def note(done: int, total: int) -> None:
        told.append(done / total)

    whole = measure(refine=refined)
    whole.nearest(puzzle, 8, note) if lists else whole.scores(puzzle, note)
    assert told == sorted(told)
    assert told[0] == 0
    assert told[-1] == 1
    assert any(0.9 < share < 1 for share in told)
