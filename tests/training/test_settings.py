"""Settings: the paper's by default, unknown keys and wrong values refused in one sentence."""

from pathlib import Path

import pytest

from tenjigsaw.errors import InputError
from tenjigsaw.training.settings import Settings, list_recipes, parse_changes, read_recipe, settings_from


def test_the_papers_recipe_is_the_default() -> None:
    assert read_recipe("paper") == Settings()


def test_the_paper_says() -> None:
    settings = read_recipe("paper")
    assert (settings.piece, settings.worn, settings.dimension, settings.distance) == (28, 1, 40, "l2")
    assert (settings.loss, settings.margin, settings.samples) == ("triplet", 1.0, 64)
    assert (settings.optimiser, settings.learning_rate) == ("adam", 1e-4)
    assert (settings.factor, settings.patience) == (0.9, 5)
    assert settings.steps == 600 * 5000


@pytest.mark.parametrize("recipe", list_recipes())
def test_every_packaged_recipe_can_be_read(recipe: str) -> None:
    assert read_recipe(recipe, network="e2e").network == "e2e"


@pytest.mark.parametrize("recipe", list_recipes())
def test_a_run_of_every_packaged_recipe_loses_at_most_a_minute(recipe: str) -> None:
    assert read_recipe(recipe).checkpoint_seconds <= 60


def test_an_unknown_key_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("learning_speed = 1\n")
    with pytest.raises(InputError, match=r"there is no setting 'learning_speed'; known are network, .*seed"):
        read_recipe(str(path))


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"block": 4.0}, "block must be a whole number, not 4.0"),
        ({"margin": "wide"}, "margin must be a number"),
        ({"symmetries": 1}, "symmetries must be true or false"),
        ({"piece": True}, "piece must be a whole number"),
        ({"block": 1}, "block must be at least 2"),
        ({"worn": 14}, "leaves nothing of pieces of 28 pixels"),
        ({"learning_rate": 0}, "learning_rate must be above 0"),
        ({"grey": 1.5}, "grey must be a share from 0 to 1, not 1.5"),
        ({"smallest_reduction": 0}, "smallest_reduction must be above 0"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"seed": 2**64}, "seed must be at least 0 and below"),
        ({"weight_decay": -1}, "weight_decay must be 0 or more, not -1"),
        ({"clip": -1}, "clip must be 0 or more"),
        ({"learning_rate": float("inf")}, "learning_rate must be a finite number, not inf"),
        ({"learning_rate": float("nan")}, "learning_rate must be a finite number, not nan"),
        ({"averaging": 1}, "averaging must be at least 0 and below 1"),
        ({"validate_pictures": -1}, "validate_pictures must be at least 1"),
        ({"validate_pictures": 0}, "validate_pictures must be at least 1"),
        ({"validate_block": 0}, "validate_block must be at least 2"),
        ({"factor": -0.9}, "factor must be above 0"),
        ({"patience": -1}, "patience must be 0 or more"),
        ({"warmup_steps": -1}, "warmup_steps must be 0 or more"),
        ({"rate_inputs": -1}, "rate_inputs must be 0 or more"),
        ({"margin": float("nan")}, "margin must be a finite number, not nan"),
        ({"log_seconds": float("nan")}, "log_seconds must be 0 or more, not nan"),
    ],
)
def test_wrong_values_are_refused(values: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        settings_from(values, "mine.toml")


def test_a_missing_or_broken_recipe_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no recipe 'secret'; .* one of cpu, cpu-e2e, paper"):
        read_recipe("secret")
    (tmp_path / "broken.toml").write_text("block = = 4")
    with pytest.raises(InputError, match="is not valid TOML"):
        read_recipe(str(tmp_path / "broken.toml"))


def test_changes_are_typed_as_the_settings_are() -> None:
    parsed = parse_changes(["block=6", "margin=2", "loss=listwise", "symmetries=false"])
    assert parsed == {"block": 6, "margin": 2.0, "loss": "listwise", "symmetries": False}
    with pytest.raises(InputError, match="reads key=value"):
        parse_changes(["block"])
    with pytest.raises(InputError, match="block must be a whole number, not 'six'"):
        read_recipe("cpu", **parse_changes(["block=six"]))
