"""A slow measure says beforehand how long it takes, whether or not anybody sees a progress bar."""

from dataclasses import replace
from pathlib import Path

import pytest

from commands import Run
from drawing import thinned_puzzle
from tenjigsaw.measures import PairMeasure, create_measure, in_words, registry, score
from tenjigsaw.puzzle import write_puzzle


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> PairMeasure:
    """SSD, as if it took a quarter of an hour."""
    measure = create_measure("ssd")
    assert isinstance(measure, PairMeasure)
    pretended = replace(measure, name="slow", forecast=lambda puzzle: 900.0)
    monkeypatch.setitem(registry._registered, "slow", pretended)
    return pretended


def test_solve_tells_the_forecast_once_where_there_is_no_terminal(run: Run, tmp_path: Path, slow: PairMeasure) -> None:
    write_puzzle(thinned_puzzle(2, 3, size=16), tmp_path / "in")
    ran = run("solve", tmp_path / "in", "--out", tmp_path / "out", "--measure", "slow")
    assert ran.code == 0
    assert ran.err == "Scoring with slow takes about 15 minutes.\n"
    assert run("solve", tmp_path / "in", "--out", tmp_path / "two", "--measure", "ssd").err == ""


def test_it_is_told_before_the_work(slow: PairMeasure, capsys: pytest.CaptureFixture[str]) -> None:
    told: list[str] = []
    score(thinned_puzzle(2, 3, size=16), slow, lambda stage, share: told.append(capsys.readouterr().err))
    assert told[0] == "Scoring with slow takes about 15 minutes.\n"
    assert not any(told[1:])


def test_nobody_is_told_where_nobody_follows(slow: PairMeasure, capsys: pytest.CaptureFixture[str]) -> None:
    score(thinned_puzzle(2, 3, size=16), slow)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "a second"), (2, "2 seconds"), (99, "99 seconds"), (900, "15 minutes"), (7200, "2.0 hours")],
)
def test_forecasts_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words
