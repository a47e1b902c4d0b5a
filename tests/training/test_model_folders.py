"""Model folders that were changed by hand: one sentence that names the folder, whatever was changed."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from commands import Run
from reference import puzzle_of
from tenjigsaw.errors import InputError
from tenjigsaw.evaluation.card import score_sets
from tenjigsaw.measures import create_measure
from tenjigsaw.measures.learned import DISTANCES
from tenjigsaw.measures.models import DISTANCE_NAMES, FAST_GRAPH, GRAPH, SECOND_GRAPH, hash_of, read_model

pytest.importorskip("torch")

from tenjigsaw.training.export import export
from tenjigsaw.training.run import Run as TrainingRun
from tenjigsaw.training.settings import Settings

from .pictures import write_pictures

PIECE = 12


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each kind of model, and another unified one of another size."""
    root = tmp_path_factory.mktemp("made")
    for name, network, dimension in (
        ("ten", "ten", 6),
        ("e2e", "e2e", 6),
        ("unified", "unified", 4),
        ("wider unified", "unified", 6),
    ):
        (root / f"{name}.run").mkdir()
        run = TrainingRun(Settings(network=network, piece=PIECE, dimension=dimension, loss="listwise"))
        run.save(root / f"{name}.run" / "checkpoint.pt")
        export(root / f"{name}.run", root / name)
    return root


@pytest.fixture
def weights(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copies to change, where measures look first."""
    for name in ("ten", "e2e", "unified"):
        shutil.copytree(made / name, tmp_path / "weights" / name)
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(tmp_path / "weights"))
    return tmp_path / "weights"


def change(folder: Path, **values: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | values))


def put_graph(other: Path, folder: Path, graph: str) -> None:
    """Another model's graph, with its hash."""
    shutil.copy(other, folder / graph)
    change(folder, hashes={**read_model(folder).hashes, graph: hash_of(folder / graph)})


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"kind": "triplets"}, "of kind 'triplets'; known are twins, pair, tokens"),
        ({"distance": "l7"}, "names the distance 'l7'; known are cosine, l1, l2, l3"),
        ({"piece": True}, '"piece" is missing or of the wrong kind'),
        ({"piece": 0}, "wear of 1 leaves nothing of pieces of 0 pixels"),
        ({"worn": -1}, "wear of -1 leaves nothing"),
        ({"hashes": {"model.onnx": []}}, '"hashes" must be texts'),
        ({"about": {"before": 5}}, '"before" in "about" is of the wrong kind'),
        ({"about": {"before": [5]}}, '"before" in "about" must be two numbers'),
        ({"about": {"minutes": "many"}}, '"minutes" in "about" is of the wrong kind'),
        ({"about": {"val": "good"}}, '"val" in "about" is of the wrong kind'),
    ],
)
def test_fields_that_make_no_model(weights: Path, run: Run, values: dict[str, Any], sentence: str) -> None:
    change(weights / "ten", **values)
    ran = run("models")
    assert ran.code == 2
    assert sentence in ran.sentence
    assert str(weights / "ten") in ran.sentence


def test_all_distances_are_known() -> None:
    assert tuple(DISTANCES) == DISTANCE_NAMES


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"piece": 16}, r"it takes views \(any x 12 x 12 x 3\) instead of views \(any x 16 x 16 x 3\)"),
        ({"piece": 10**6}, "instead of views"),
        ({"kind": "pair"}, "instead of left .* and right"),
        ({"kind": "tokens"}, "instead of strips"),
    ],
)
def test_a_config_that_is_not_the_graphs(weights: Path, values: dict[str, Any], sentence: str) -> None:
    change(weights / "ten", **values)
    with pytest.raises(InputError, match=f"{weights / 'ten' / GRAPH} is the graph of another model .*{sentence}"):
        create_measure("ten").scores(puzzle_of(1, size=PIECE))


@pytest.mark.parametrize(
    ("model", "graph", "other", "measure"),
    [
        ("ten", GRAPH, f"e2e/{GRAPH}", "ten"),
        ("e2e", GRAPH, f"ten/{GRAPH}", "e2e"),
        ("e2e", FAST_GRAPH, f"unified/{FAST_GRAPH}", "e2e"),
        ("unified", GRAPH, f"ten/{GRAPH}", "unified"),
        ("unified", GRAPH, f"unified/{FAST_GRAPH}", "unified"),
        ("unified", FAST_GRAPH, f"wider unified/{FAST_GRAPH}", "unified"),
        ("unified", SECOND_GRAPH, f"unified/{FAST_GRAPH}", "unified-rerank"),
    ],
)
def test_a_graph_of_another_model(weights: Path, made: Path, model: str, graph: str, other: str, measure: str) -> None:
    put_graph(made / other, weights / model, graph)
    puzzle = puzzle_of(1, 12, 12, size=PIECE)  # more edges than the sample that the statistics are of
    with pytest.raises(InputError, match=f"{weights / model / graph} is the graph of another model"):
        create_measure(measure).scores(puzzle)


def test_a_graph_that_gives_something_else(weights: Path) -> None:
    import onnx

    graph = onnx.load(weights / "ten" / GRAPH)
    for node in graph.graph.node:
        node.output[:] = ["middle" if name == "left" else name for name in node.output]
    graph.graph.output[0].name = "middle"
    onnx.save(graph, weights / "other.onnx")
    put_graph(weights / "other.onnx", weights / "ten", GRAPH)
    with pytest.raises(InputError, match="it gives no left"):
        create_measure("ten").scores(puzzle_of(1, size=PIECE))


def test_a_slow_card_tells_how_long_it_takes(
    weights: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenjigsaw.measures.seam.PairNetworkCosts.predicted_seconds", lambda *_: 60.0)
    photos = write_pictures(tmp_path / "photos", 2, 36, 48)
    ran = run("card", "e2e", "--set", f"val={photos}")
    assert ran.code == 0
    assert "This takes about 60 seconds a picture, 2 minutes in all.\n" in ran.out
    assert "This takes" not in run("card", "ten", "--set", f"val={photos}").out
    told: list[tuple[str, float]] = []
    score_sets(read_model(weights / "ten"), {"val": photos}, lambda *at: told.append(at))
    assert told == [("ten on photos", 0.0), ("ten on photos", 0.5)]


def test_a_card_needs_to_know_how_the_model_was_made(weights: Path, run: Run, tmp_path: Path) -> None:
    photos = write_pictures(tmp_path / "photos", count=1)
    for about, missing in (({}, "settings"), ({"settings": {}}, "minutes")):
        change(weights / "ten", about=about)
        ran = run("card", "ten", "--set", f"val={photos}")
        assert ran.code == 2
        assert ran.sentence.endswith(f"ten/config.json does not say how the model was made: {missing!r} is missing.")
        assert ran.out == ""
