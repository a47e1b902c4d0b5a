"""A card says what was measured, and how far that is from the paper."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tenjigsaw.errors import InputError
from tenjigsaw.evaluation.card import CARD, card_text, note_validation, score_sets
from tenjigsaw.measures.models import CONFIG, Ensemble, Model, find_models

ABOUT = {
    "minutes": 90.0,
    "cpu_minutes": 170.0,
    "step": 12345,
    "gap": 2e-6,
    "settings": {"dimension": 40, "loss": "listwise", "optimiser": "adam"},
}


def scores(type1, type2):
    return {f"type{kind} {name}": (type1, type2)[kind - 1] for kind in (1, 2) for name in ("none", "ten", "sinkhorn")}


def model(network="ten"):
    return Model(Path("nowhere"), "mine", network, "twins", 28, 1, "l2", ABOUT, {})


def test_it_names_budget_and_scores():
    text = card_text(model(), {"val": scores(0.5, 0.4)})
    assert "1.50 hours (12,345 steps" in text
    assert "| val | 50.0 / 40.0 | 50.0 / 40.0 | 50.0 / 40.0 |" in text
    assert "| MIT, as printed in the paper | 55.2 / 46.6 | | |" in text


@pytest.mark.parametrize(
    ("mit", "sentence"),
    [
        ((0.5, 0.4), "this model is 5.2 and 6.6 points below"),
        ((0.6, 0.5), "This model passes the paper's figures on MIT."),
    ],
)
def test_it_compares_with_the_paper_on_mit(mit, sentence):
    assert sentence in card_text(model(), {"MIT": scores(*mit)})


def test_scores_on_parts_of_pictures_are_not_set_against_whole_puzzles():
    text = card_text(replace(model("e2e"), kind="pair"), {"MIT, middle 6 x 6": scores(0.9, 0.9)})
    assert "both pieces seen at once" in text
    assert "points below" not in text
    assert "passes the paper" not in text
    assert "The paper's figures are for whole puzzles" in text


def test_raw_scores_alone_leave_the_other_cells_empty():
    raw = {"type1 none": 0.5, "type2 none": 0.4}
    text = card_text(model(), {"MIT, middle 4 x 4": scores(0.9, 0.9), "MIT, 24 edges of each": raw})
    assert "| MIT, 24 edges of each | 50.0 / 40.0 |  |  |" in text
    assert "this model is 5.2 and 6.6 points below" in text


def test_the_config_gets_the_score_on_whole_pictures_where_there_is_one(tmp_path):
    (tmp_path / CONFIG).write_text(json.dumps({"about": {}}))
    raw = {"type1 none": 0.5, "type2 none": 0.4}
    found = {"val, middle 4 x 4": scores(0.9, 0.9), "val, 24 edges of each": raw}
    note_validation(replace(model(), folder=tmp_path), found)
    noted = json.loads((tmp_path / CONFIG).read_text())["about"]["val"]
    assert noted == {"pictures": "val, 24 edges of each", "type1": 0.5, "type2": 0.4}


def test_a_network_of_which_the_paper_prints_nothing_has_no_such_line():
    assert "paper |" not in card_text(model("ten-red"), {"MIT": scores(0.5, 0.4)})


def test_an_ensemble_names_its_members_and_all_their_hours():
    members = (model("ten-red"), replace(model(), name="other", about=ABOUT | {"before": [30.0, 10.0]}))
    text = card_text(Ensemble("ten-large", members), {"MIT": scores(0.5, 0.4)})
    assert "- `mine`: 1.50 hours, 2.83 core hours" in text
    assert "- `other`: 2.00 hours, 3.00 core hours" in text
    assert "| MIT, as printed in the paper | 59.1 / 51.5 | | |" in text
    assert "this model is 9.1 and 11.5 points below" in text


CSV = "picture,measure,normalise,type,pieces,top1\n"


def test_scores_may_come_from_a_file(tmp_path):
    lines = [
        f"{picture},{measure},{normalise},{kind},6,{top1}"
        for picture, top1 in (("a.png", 0.5), ("b.png", 0.7))
        for measure in ("mine", "other")
        for normalise in ("none", "ten", "sinkhorn", "loops")
        for kind in (1, 2)
    ]
    (tmp_path / "mit.csv").write_text(CSV + "\n".join(lines))
    found = score_sets(model(), {"MIT": tmp_path / "mit.csv"})
    assert list(found) == ["MIT"]
    assert found["MIT"]["type2 sinkhorn"] == pytest.approx(0.6)


@pytest.mark.parametrize(
    "text", ["", "a,b\n1,2\n", CSV, CSV + "a.png,mine,none,1,6,much\n", CSV + "a.png,mine,none,1,6,1\n"]
)
def test_a_file_without_the_scores_is_refused(tmp_path, text):
    (tmp_path / "mit.csv").write_text(text)
    with pytest.raises(InputError, match=r"mit.csv (does not hold|lacks)"):
        score_sets(model(), {"MIT": tmp_path / "mit.csv"})


@pytest.mark.parametrize("top1", ["nan", "7", "-0.1", "inf"])
def test_a_share_that_is_none_is_refused(tmp_path, top1):
    (tmp_path / "odd.csv").write_text(f"{CSV}a.png,mine,none,1,6,{top1}\na.png,mine,none,2,6,0.5\n")
    with pytest.raises(InputError, match=rf"odd.csv holds a Top-1 of {top1} for a.png, but shares go from 0 to 1"):
        score_sets(model(), {"val": tmp_path / "odd.csv"})


def test_shares_are_rounded_once(tmp_path):
    """0.58146 is 58.1 percent, and so is what the config keeps of it; 0.5815, which it was rounded to, is not."""
    rows = [f"a.png,mine,none,{kind},6,{top1}" for kind, top1 in ((1, 0.581462), (2, 0.38149))]
    (tmp_path / "val.csv").write_text(CSV + "\n".join(rows))
    (tmp_path / CONFIG).write_text(json.dumps({"about": {}}))
    found = score_sets(model(), {"val": tmp_path / "val.csv"})
    assert "| val | 58.1 / 38.1 |" in card_text(model(), found)
    note_validation(replace(model(), folder=tmp_path), found)
    noted = json.loads((tmp_path / CONFIG).read_text())["about"]["val"]
    assert f"{100 * noted['type1']:.1f} / {100 * noted['type2']:.1f}" == "58.1 / 38.1"


def test_it_names_the_pictures_where_they_are_known():
    known = replace(model(), about={**ABOUT, "folder": "photos", "pictures": 720})
    assert "adam, on 720 pictures of the folder `photos`." in card_text(known, {})
    assert "listwise loss and adam." in card_text(model(), {})


def test_it_counts_the_runs_that_it_began_with():
    later = replace(model(), about={**ABOUT, "before": [30.0, 15.0]})
    assert "runs that had taken 0.50 hours (0.25 core hours)." in card_text(later, {})
    assert "runs that had taken" not in card_text(model(), {})


def test_the_unified_model_is_called_what_it_is():
    text = card_text(replace(model("unified"), kind="tokens"), {"MIT": scores(0.5, 0.4)})
    assert "The unified model, 40 channels in each half" in text
    assert "of the paper" not in text


@pytest.mark.parametrize("shipped", find_models().values(), ids=lambda model: model.name)
def test_card_and_config_of_a_shipped_model_name_the_same_validation_score(shipped):
    val = shipped.about["val"]
    card = (shipped.folder / CARD).read_text(encoding="utf-8")
    assert f"| {val['pictures']} | {100 * val['type1']:.1f} / {100 * val['type2']:.1f} |" in card


def test_sets_other_than_the_validation_set_leave_the_config_alone(tmp_path):
    note_validation(replace(model(), folder=tmp_path), {"MIT": scores(0.5, 0.4)})
    assert list(tmp_path.iterdir()) == []
