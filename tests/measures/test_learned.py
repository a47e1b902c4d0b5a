"""Distances between embeddings, and pieces of other sizes; no trained weights needed."""

from pathlib import Path

import numpy as np
import pytest

from reference import puzzle_of
from tenjigsaw.errors import InputError
from tenjigsaw.measures.edge_views import edge_views
from tenjigsaw.measures.learned import DISTANCES, views_for
from tenjigsaw.measures.models import FORMAT, Model, find_models, read_model


def slow_distance(name, one, other):
    if name == "cosine":
        return 1 - one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    power = {"l1": 1, "l2": 2, "l3": 3}[name]
    return (np.abs(one - other) ** power).sum() ** (1 / power)


@pytest.mark.parametrize("name", list(DISTANCES))
def test_distances_agree_with_their_definition(name):
    rng = np.random.default_rng(0)
    left, right = rng.normal(size=(7, 5)).astype(np.float32), rng.normal(size=(9, 5)).astype(np.float32)
    right[3] = left[2] * 1.0001
    found = DISTANCES[name](left, right)
    for a in range(7):
        for b in range(9):
            expected = slow_distance(name, left[a].astype(float), right[b].astype(float))
            assert found[a, b] == pytest.approx(expected, rel=2e-4, abs=2e-5)


def model_for(piece):
    return Model(Path("nowhere"), "some", "ten", "twins", piece, 1, "l2", {}, {})


def test_pieces_of_the_model_s_size_are_taken_as_they_are():
    puzzle = puzzle_of(0, size=12)
    np.testing.assert_array_equal(views_for(model_for(12), puzzle), edge_views(puzzle.pieces, puzzle.erosion))


@pytest.mark.parametrize(("size", "erosion", "worn"), [(24, 2, 1), (24, 1, 1), (24, 0, 0), (48, 4, 1), (10, 1, 1)])
def test_other_sizes_are_resampled_with_a_blank_frame(size, erosion, worn):
    views = views_for(model_for(12), puzzle_of(0, size=size, erosion=erosion))
    assert views.shape == (24, 12, 12, 3)
    frame = np.ones((12, 12), dtype=bool)
    frame[worn : 12 - worn, worn : 12 - worn] = False
    assert (views[:, frame] == 0).all()
    assert (views[:, ~frame] != 0).mean() > 0.9


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "no config.json"),
        ("{", "not valid JSON"),
        ("[]", "does not describe a model"),
        (f'{{"format": "{FORMAT}", "name": 3}}', '"name" is missing or of the wrong kind'),
    ],
)
def test_broken_configs_are_named(tmp_path, text, sentence):
    if text is not None:
        (tmp_path / "config.json").write_text(text)
    with pytest.raises(InputError, match=sentence):
        read_model(tmp_path)


def test_models_are_found_where_the_variable_says(tmp_path, monkeypatch):
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(tmp_path))
    folder = tmp_path / "mine"
    folder.mkdir()
    fields = '"network": "ten", "kind": "twins", "piece": 28, "worn": 1, "distance": "l2", "about": {}, "hashes": {}'
    (folder / "config.json").write_text(f'{{"format": "{FORMAT}", "name": "mine", {fields}}}')
    assert find_models()["mine"].folder == folder
