"""How long slow measures will take: what is scored counts, and nothing twice."""

from dataclasses import replace

import pytest

from commands import Run
from tenjigsaw.evaluation.benchmark import Conditions, forecast, match_forecast, match_rows
from tenjigsaw.measures import PairMeasure, create_measure, registry
from tenjigsaw.pictures import built_in_picture

SEEN: list[bool] = []
SMALL = Conditions(56, 0)


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """SSD, as if all pairs took 100 seconds and a quarter of them 25; it notes what it is asked for."""
    measure = create_measure("ssd")
    assert isinstance(measure, PairMeasure)

    def describe(puzzle):
        SEEN.append(puzzle.turned)
        return measure.describe(puzzle)

    SEEN.clear()

    def predicted(puzzle, judged=None):
        return (100.0 if puzzle.turned else 25.0) * (judged or 4 * puzzle.count) / (4 * puzzle.count)

    pretended = replace(measure, name="slow", describe=describe, forecast=predicted)
    monkeypatch.setitem(registry._registered, "slow", pretended)


@pytest.mark.parametrize(("types", "seconds"), [([1], 25), ([2], 100), ([1, 2], 100), ([2, 1], 100)])
def test_type_1_is_read_off_type_2(types: list[int], seconds: float) -> None:
    assert match_forecast(built_in_picture(), ["ssd", "slow"], types, SMALL) == seconds
    list(match_rows(built_in_picture(), ["slow"], ["none"], types, SMALL))
    assert sum(100 if turned else 25 for turned in SEEN) == seconds


def test_a_bench_scores_each_type() -> None:
    assert forecast(built_in_picture(), ["slow", "mgc"], [1, 2], SMALL) == 125
    assert forecast(built_in_picture(), ["mgc"], [1, 2], SMALL) == 0


def test_lists_are_made_for_each_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenjigsaw.evaluation.benchmark.MOST_DENSE_PIECES", 4)
    assert match_forecast(built_in_picture(), ["slow"], [1, 2], SMALL) == 125


def test_some_edges_take_a_share_of_the_time() -> None:
    whole = match_forecast(built_in_picture(), ["slow"], [1, 2], SMALL)
    (row,) = match_rows(built_in_picture(), ["slow"], ["none"], [2], SMALL)
    few = match_forecast(built_in_picture(), ["slow"], [1, 2], replace(SMALL, edges=row.pieces))
    assert few == pytest.approx(whole / 4)


def test_a_puzzle_has_no_more_edges_than_it_has() -> None:
    assert match_forecast(built_in_picture(), ["slow"], [2], replace(SMALL, edges=10**6)) == 100


def test_score_tells_it(run: Run) -> None:
    ran = run("score", built_in_picture(), "--measures", "slow", "--piece", 56, "--normalise", "none")
    assert "This takes about 2 minutes a picture, 2 minutes in all." in ran.out
