"""A study trains each variant once, goes on after a stop, and puts the paper's value beside ours."""

import math

import pytest

from tenjigsaw.errors import InputError

pytest.importorskip("torch")

from tenjigsaw.training.run import load_trained
from tenjigsaw.training.studies import STUDIES, run_study

from .pictures import write_pictures


def test_each_variant_is_trained_once(tmp_path, monkeypatch):
    photos = write_pictures(tmp_path / "photos", count=1, height=84, width=112)
    monkeypatch.setitem(STUDIES, "distances", STUDIES["distances"][1:3])
    told = []
    first = list(run_study("distances", photos, photos, tmp_path / "runs", 0.02, told.append))
    again = list(run_study("distances", photos, photos, tmp_path / "runs", 0.02, lambda text: None))
    assert first == again
    assert [row.distance for row in first] == ["l1", "l2"]
    assert [row.paper_top1 for row in first] == [0.518, 0.544]
    assert all(row.steps > 0 and 0 <= row.type2 <= row.type1 <= 1 for row in first)
    assert any("listwise-l1-40" in text for text in told)


def test_tables_2_and_3_are_there_in_full():
    assert [variant.distance for variant in STUDIES["distances"]] == ["cosine", "l1", "l2", "l3"]
    assert [variant.dimension for variant in STUDIES["dimensions"]] == [10, 20, 40, 80] * 2
    assert {variant.loss for variant in STUDIES["losses"]} == {"triplet", "listwise"}


def test_an_unknown_study_is_refused(tmp_path):
    with pytest.raises(InputError, match="no study called 'colours'"):
        list(run_study("colours", tmp_path, tmp_path, tmp_path, 1.0, print))


def test_what_is_studied_can_not_be_set(tmp_path):
    with pytest.raises(InputError, match="A study sets dimension, network itself"):
        list(run_study("distances", tmp_path, tmp_path, tmp_path, 1.0, print, {"network": "e2e", "dimension": 20}))


def test_every_ingredient_of_the_unified_model_is_left_out_once(tmp_path, monkeypatch):
    lacking = [variant.without for variant in STUDIES["ingredients"]]
    assert lacking[0] == ""
    inside = {"colour", "precision", "tails", "mgc", "compression", "mirror", "tokens"}
    assert set(lacking[1:]) == inside | {"blocks", "balance"}
    photos = write_pictures(tmp_path / "photos", count=1, height=84, width=112)
    monkeypatch.setitem(STUDIES, "ingredients", STUDIES["ingredients"][1:2])
    (row,) = run_study("ingredients", photos, photos, tmp_path / "runs", 0.02, lambda text: None)
    assert (row.network, row.without) == ("unified", lacking[1])
    assert row.steps > 0


def test_variants_may_be_given_steps_instead_of_minutes(tmp_path, monkeypatch):
    photos = write_pictures(tmp_path / "photos", count=1, height=84, width=112)
    monkeypatch.setitem(STUDIES, "ingredients", STUDIES["ingredients"][-4:-2])
    told = []
    rows = list(run_study("ingredients", photos, photos, tmp_path / "runs", math.inf, told.append, steps=3))
    assert [row.steps for row in rows] == [3, 3]
    assert "unified-without-tokens: 3 steps" in told


def test_what_is_left_out_of_the_training_is_a_setting(tmp_path, monkeypatch):
    photos = write_pictures(tmp_path / "photos", count=1, height=84, width=112)
    monkeypatch.setitem(STUDIES, "ingredients", STUDIES["ingredients"][-2:])
    changes = {"block": 6}
    list(run_study("ingredients", photos, photos, tmp_path / "runs", math.inf, lambda text: None, changes, steps=1))
    learned = {}
    for name in ("blocks", "balance"):
        _, about = load_trained(tmp_path / "runs" / f"unified-without-{name}")
        learned[name] = [about["settings"][key] for key in ("block", "blocks", "balanced")]
    # As many pieces in blocks of four, and a loss on raw scores alone.
    assert learned == {"blocks": [2, 9, 0.5], "balance": [6, 1, 0.0]}


def test_a_run_with_other_settings_is_not_taken_for_a_variant(tmp_path, monkeypatch):
    photos = write_pictures(tmp_path / "photos", count=1, height=84, width=112)
    monkeypatch.setitem(STUDIES, "distances", STUDIES["distances"][2:3])
    study = ("distances", photos, photos, tmp_path / "runs", 0.02, lambda text: None)
    (first,) = run_study(*study, {"seed": 1})
    with pytest.raises(InputError, match="holds a run with other settings"):
        list(run_study(*study))
    (again,) = run_study(*study, {"seed": 1})
    assert first == again
