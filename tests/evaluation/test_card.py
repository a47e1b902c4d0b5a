"""A card says what was measured, and how far that is from the paper."""

from dataclasses import replace
from pathlib import Path

import pytest

from tenjigsaw.evaluation.card import card_text
from tenjigsaw.measures.models import Model

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


def test_a_network_of_which_the_paper_prints_nothing_has_no_such_line():
    assert "paper |" not in card_text(model("ten-red"), {"MIT": scores(0.5, 0.4)})


def test_it_names_the_pictures_where_they_are_known():
    known = replace(model(), about={**ABOUT, "folder": "photos", "pictures": 720})
    assert "adam, on 720 pictures of the folder `photos`." in card_text(known, {})
    assert "listwise loss and adam." in card_text(model(), {})


def test_the_unified_model_is_called_what_it_is():
    text = card_text(replace(model("unified"), kind="tokens"), {"MIT": scores(0.5, 0.4)})
    assert "The unified model, 40 channels in each half" in text
    assert "of the paper" not in text
