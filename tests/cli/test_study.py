"""A study's table fits on a screen; its file holds everything."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Run

pytest.importorskip("torch")

from tenjigsaw.training.studies import STUDIES, StudyRow


def rows_of_study(name: str, *_: object) -> Iterator[StudyRow]:
    for number, variant in enumerate(STUDIES[name]):
        told = (variant.network, variant.without, variant.distance, variant.dimension, variant.loss)
        paper = "" if variant.paper is None else variant.paper / 100
        yield StudyRow(*told, 5.0 + number / 100, 1234 + number, 0.5123, 0.4123, 0.6123, 0.5123, paper)


@pytest.mark.parametrize("study", STUDIES)
def test_the_table_is_as_wide_as_a_screen(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, study: str
) -> None:
    monkeypatch.setattr("tenjigsaw.training.studies.run_study", rows_of_study)
    ran = run("study", study, tmp_path, tmp_path, "--out", tmp_path / "runs", "--csv", tmp_path / "study.csv")
    assert ran.code == 0
    words = set(ran.out.replace("┃", " ").replace("│", " ").split())
    assert {"type1", "type2", "3-4", "min", "steps", "0.512"} <= words
    assert {"distances": "distance", "dimensions": "d", "losses": "loss", "ingredients": "without"}[study] in words
    assert "network" not in words
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    table = [line.count("│") for line in ran.out.splitlines() if line.startswith("│")]
    assert len(table) == len(STUDIES[study]), "each variant is one line"
    assert len(set(table)) == 1
    with (tmp_path / "study.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    assert len(found[0]) == 12
    assert len(found) == len(STUDIES[study])
