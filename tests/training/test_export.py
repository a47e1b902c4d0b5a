"""A trained network runs the same through ONNX Runtime as through torch."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reference import puzzle_of
from tenjigsaw.errors import InputError
from tenjigsaw.measures import create_measure, list_measures
from tenjigsaw.measures.edge_views import edge_views, edges_facing_right
from tenjigsaw.measures.models import read_model

torch = pytest.importorskip("torch")

from tenjigsaw.networks.registry import create_network  # noqa: E402  (torch first: without it this file is passed over)
from tenjigsaw.networks.ten import TenLarge  # noqa: E402
from tenjigsaw.training.export import LEAST_OUTPUT, _refuse_gap, export  # noqa: E402
from tenjigsaw.training.fast_graph import fast_graph  # noqa: E402
from tenjigsaw.training.graph import ten_graph  # noqa: E402
from tenjigsaw.training.quantise import quantise  # noqa: E402
from tenjigsaw.training.run import Run, load_trained  # noqa: E402
from tenjigsaw.training.seam_graph import seam_products_graph  # noqa: E402
from tenjigsaw.training.settings import Settings  # noqa: E402
from tenjigsaw.training.tensors import to_tensor  # noqa: E402

from .pictures import write_pictures  # noqa: E402

PIECE = 12
ROOT = Path(__file__).parents[2]
SHIPPED = sorted([*ROOT.glob("weights/*/config.json"), *ROOT.glob("src/tenjigsaw/weights/*/config.json")])


def save_run(folder, network, distance="l2"):
    """A run that has not learned anything yet."""
    folder.mkdir()
    run = Run(Settings(network=network, piece=PIECE, dimension=6, distance=distance, loss="listwise"))
    run.save(folder / "checkpoint.pt")
    return folder


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """One model folder for each network, and the torch networks they were made of."""
    root = tmp_path_factory.mktemp("models")
    networks = {}
    for name in ("ten", "ten-red", "ten-green", "ten-blue", "e2e"):
        run = save_run(root / f"{name}.run", name)
        export(run, root / "weights" / name)
        networks[name], _ = load_trained(run)
    return root / "weights", networks


@pytest.fixture
def puzzle():
    return puzzle_of(1, size=PIECE)


def test_pairs_are_the_same_in_tiles_of_any_shape(weights, puzzle, monkeypatch):
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(weights[0]))
    measure = create_measure("e2e")
    whole, tiled = (replace(measure, tile=tile).scores(replace(puzzle, turned=True)).values for tile in (24, 7))
    np.testing.assert_allclose(tiled, whole, rtol=1e-4, atol=1e-5)


def torch_costs(network, puzzle):
    with torch.no_grad():
        return network.costs(to_tensor(edge_views(puzzle.pieces, puzzle.erosion))).numpy()


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("name", ["ten", "ten-red", "e2e"])
def test_the_measure_gives_what_the_network_gives(weights, puzzle, name, turned, monkeypatch):
    folder, networks = weights
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(folder))
    # Every partner is among the best: the pair network rounds none to 8 bits.
    monkeypatch.setattr("tenjigsaw.measures.refine.REFINED", puzzle.count)
    puzzle = replace(puzzle, turned=turned)
    found = create_measure(name).scores(puzzle).values
    expected = torch_costs(networks[name], puzzle)
    legal = np.isfinite(found)
    assert legal.sum() == 24 * 5 * (4 if turned else 1)
    # Half precision of the weights, nothing else, sets the two apart.
    np.testing.assert_allclose(found[legal], expected[legal], rtol=5e-3, atol=5e-3 * np.abs(expected).max())


def test_ten_large_is_the_mean_of_its_members(weights, puzzle, monkeypatch):
    folder, networks = weights
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(folder))
    large = TenLarge(PIECE, 6)
    for member, name in zip(large.members, ("ten-red", "ten-green", "ten-blue", "ten"), strict=True):
        member.load_state_dict(networks[name].state_dict())
    found, expected = create_measure("ten-large").scores(puzzle).values, torch_costs(large, puzzle)
    legal = np.isfinite(found)
    np.testing.assert_allclose(found[legal], expected[legal], rtol=5e-3, atol=5e-3 * expected.max())


def test_a_pair_network_that_its_8_bit_products_do_not_match_is_not_exported(tmp_path, monkeypatch):
    def products_of_another_network(network):
        return seam_products_graph(create_network("e2e", PIECE))

    monkeypatch.setattr("tenjigsaw.training.export.seam_products_graph", products_of_another_network)
    with pytest.raises(InputError, match=r"8-bit graph is .* off in logit"):
        export(save_run(tmp_path / "run", "e2e"), tmp_path / "e2e")
    assert not (tmp_path / "e2e").exists()


def test_best_lists_agree_with_the_full_matrix(weights, puzzle, monkeypatch):
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(weights[0]))
    measure = create_measure("ten")
    np.testing.assert_array_equal(measure.nearest(puzzle, 4).row_smallest(4), measure.scores(puzzle).row_smallest(4))


def test_the_pair_network_says_beforehand_how_long_it_takes(weights, puzzle, monkeypatch):
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(weights[0]))
    forecasts = {measure.name: getattr(measure, "forecast", None) for measure in list_measures()}
    assert forecasts["ten"] is None
    assert forecasts["e2e"](puzzle) > 0


def test_the_config_tells_how_the_model_was_made(weights):
    model = read_model(weights[0] / "ten")
    assert (model.network, model.kind, model.piece, model.distance) == ("ten", "twins", PIECE, "l2")
    assert model.about["settings"]["dimension"] == 6
    assert model.about["gap"] <= 1e-5
    assert set(model.hashes) == {"model.onnx", "model.safetensors"}


def expect_preprocessing(config):
    """What a config says of pixels is what networks are shown of them, at all 256 levels."""
    piece, worn, told = config["piece"], config["worn"], config["preprocessing"]
    pieces = (np.arange(2 * piece * piece * 3) % 256).astype(np.uint8).reshape(2, piece, piece, 3)
    expected = (edges_facing_right(pieces) / told["full_scale"] - told["mean"]) / told["std"]
    frame = np.ones((piece, piece), dtype=bool)
    frame[worn : piece - worn, worn : piece - worn] = False
    expected[:, frame] = told["blank"]
    np.testing.assert_allclose(edge_views(pieces, worn), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("path", SHIPPED, ids=[path.parent.name for path in SHIPPED])
def test_every_shipped_config_says_what_becomes_of_a_pixel(path):
    expect_preprocessing(json.loads(path.read_text()))


@pytest.mark.parametrize("name", ["ten", "e2e"])
def test_an_exported_config_says_what_becomes_of_a_pixel(weights, name):
    expect_preprocessing(json.loads((weights[0] / name / "config.json").read_text()))


@pytest.mark.parametrize(("network", "part"), [("ten", ""), ("e2e", ", middle 5 x 5 of the first 2")])
def test_the_card_repeats_what_the_config_says_of_the_validation_set(tmp_path, monkeypatch, run, network, part):
    pictures = write_pictures(tmp_path / "val")
    told = []
    folder = tmp_path / "weights" / network
    config = export(save_run(tmp_path / "run", network), folder, pictures, progress=lambda *at: told.append(at))
    assert told == [("scoring", done / len(told)) for done in range(2 if part else 4)]
    found = config["about"]["val"]
    assert found["pictures"] == f"val{part}"
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(tmp_path / "weights"))
    assert run("card", network, "--set", f"val={pictures}").code == 0
    noted = read_model(tmp_path / "weights" / network).about["val"]
    assert noted["pictures"] == "val"
    assert read_model(tmp_path / "weights" / network).hashes == config["hashes"]
    card = (tmp_path / "weights" / network / "README.md").read_text()
    assert f"| val | {100 * noted['type1']:.1f} / {100 * noted['type2']:.1f} |" in card
    if not part:
        assert noted == pytest.approx({**found, "pictures": "val"}, abs=1e-3)


def test_a_damaged_graph_is_refused(tmp_path, puzzle, monkeypatch):
    export(save_run(tmp_path / "run", "ten"), tmp_path / "weights" / "ten")
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(tmp_path / "weights"))
    graph = tmp_path / "weights" / "ten" / "model.onnx"
    whole = graph.read_bytes()
    graph.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="damaged or of another model"):
        create_measure("ten").scores(puzzle)
    graph.unlink()
    with pytest.raises(InputError, match="is missing"):
        create_measure("ten").scores(puzzle)


def test_a_graph_that_can_not_run_is_refused_even_if_its_hash_is_right(tmp_path, puzzle, monkeypatch):
    import hashlib

    folder = tmp_path / "weights" / "ten"
    export(save_run(tmp_path / "run", "ten"), folder)
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(tmp_path / "weights"))
    (folder / "model.onnx").write_bytes(b"not a graph")
    config = json.loads((folder / "config.json").read_text())
    config["hashes"]["model.onnx"] = hashlib.sha256(b"not a graph").hexdigest()
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="can't be run"):
        create_measure("ten").scores(puzzle)


def test_a_network_that_disagrees_with_its_graph_is_not_exported(tmp_path, monkeypatch):
    def graph_of_another_network(network, piece):
        with torch.no_grad():
            network.left.projection.weight.mul_(1.001)
        model = ten_graph(network, piece)
        with torch.no_grad():
            network.left.projection.weight.div_(1.001)
        return model

    monkeypatch.setattr("tenjigsaw.training.export.ten_graph", graph_of_another_network)
    with pytest.raises(InputError, match="disagree"):
        export(save_run(tmp_path / "run", "ten"), tmp_path / "weights")
    assert not (tmp_path / "weights").exists()


def graph_that_is_off_by(share):
    """TEN's graph, with a left twin whose numbers are all too large by this share."""

    def graph(network, piece):
        import onnx

        model = ten_graph(network, piece)
        for node in model.graph.node:
            node.output[:] = ["exact" if name == "left" else name for name in node.output]
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.float32(1 + share), "factor"))
        model.graph.node.append(onnx.helper.make_node("Mul", ["exact", "factor"], ["left"]))
        return model

    return graph


def test_a_graph_that_is_off_by_less_than_a_hundred_thousandth_is_exported(tmp_path, monkeypatch):
    monkeypatch.setattr("tenjigsaw.training.export.ten_graph", graph_that_is_off_by(0.9e-5))
    config = export(save_run(tmp_path / "run", "ten"), tmp_path / "weights")
    assert 0.8e-5 < config["about"]["gap"] <= 1e-5


def test_a_graph_that_is_off_by_more_than_a_hundred_thousandth_is_not_exported(tmp_path, monkeypatch):
    monkeypatch.setattr("tenjigsaw.training.export.ten_graph", graph_that_is_off_by(1.1e-5))
    with pytest.raises(InputError, match=r"disagree by 1\.[01]e-05 on this network"):
        export(save_run(tmp_path / "run", "ten"), tmp_path / "weights")
    assert not (tmp_path / "weights").exists()


@pytest.mark.parametrize("largest", [1000.0, 1.0, LEAST_OUTPUT])
def test_the_gap_is_a_share_of_the_largest_output_however_small_the_one_that_is_off(largest):
    exact = np.array([[0.0, -largest]])
    off = np.array([[largest, 0.0]])
    assert _refuse_gap([exact, exact], [exact, exact + 0.9e-5 * off]) == pytest.approx(0.9e-5)
    with pytest.raises(InputError, match=r"disagree by 1\.1e-05"):
        _refuse_gap([exact, exact], [exact, exact + 1.1e-5 * off])


def test_an_8_bit_graph_of_other_weights_is_not_exported(tmp_path, monkeypatch):
    def graph_of_another_network(network):
        torch.manual_seed(1)
        return fast_graph(create_network("unified", PIECE, 6))

    monkeypatch.setattr("tenjigsaw.training.export.fast_graph", graph_of_another_network)
    with pytest.raises(InputError, match=r"The 8-bit graph is .* off"):
        export(save_run(tmp_path / "run", "unified"), tmp_path / "weights")
    assert not (tmp_path / "weights").exists()


@pytest.mark.parametrize(
    ("network", "setting", "value", "sentence"),
    [
        ("unified", "without", "tails", "trained without tails, for a study"),
        ("ten", "network", "e2e", "another network"),
    ],
    ids=["without an ingredient", "weights of another architecture"],
)
def test_what_can_not_be_a_measure_is_not_exported(tmp_path, network, setting, value, sentence):
    folder = save_run(tmp_path / "run", network)
    state = torch.load(folder / "checkpoint.pt", weights_only=True)
    state["settings"][setting] = value
    torch.save(state, folder / "checkpoint.pt")
    with pytest.raises(InputError, match=sentence):
        export(folder, tmp_path / "weights")
    assert not (tmp_path / "weights").exists()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("mgc", "'mgc' is the name of another measure"),
        ("default", "'default' is the name of another measure"),
        ("ten-large", "'ten-large' is the name of another measure"),
        ("unified-rerank", "would be the second look of another model"),
        ("a,b", "letters, digits, dots, dashes and underscores only, unlike 'a,b'"),
        ("a/b", "letters, digits, dots, dashes and underscores only, unlike 'a/b'"),
        ("", "letters, digits, dots, dashes and underscores only, unlike ''"),
    ],
)
def test_a_model_has_a_name_that_stands_for_nothing_else(tmp_path, name, sentence):
    with pytest.raises(InputError, match=sentence):
        export(save_run(tmp_path / "run", "ten"), tmp_path / "weights", name=name)
    assert not (tmp_path / "weights").exists()


def test_a_model_in_the_way_is_found_before_any_scoring(tmp_path, monkeypatch):
    photos, folder = write_pictures(tmp_path / "photos", count=1), tmp_path / "weights" / "ten"
    export(save_run(tmp_path / "run", "ten"), folder)

    def scored(*_):
        raise AssertionError("scored in vain")

    monkeypatch.setattr("tenjigsaw.training.export.validate", scored)
    with pytest.raises(InputError, match="exists already; add --force"):
        export(tmp_path / "run", folder, photos)
    monkeypatch.setattr("tenjigsaw.training.quantise.mean_top1", scored)
    with pytest.raises(InputError, match="exists already; add --force"):
        quantise(folder, folder, photos, photos)


def test_the_int8_variant_is_nearly_as_good(tmp_path, puzzle, monkeypatch):
    photos = write_pictures(tmp_path / "photos", count=2)
    export(save_run(tmp_path / "run", "ten"), tmp_path / "weights" / "ten")
    monkeypatch.setattr("tenjigsaw.training.quantise.MOST_LOST", 0.1)
    told = []
    found = quantise(
        tmp_path / "weights" / "ten",
        tmp_path / "weights" / "ten-int8",
        photos,
        photos,
        False,
        lambda *at: told.append(at),
    )
    scored = [(f"scoring {variant}", share) for variant in ("float", "int8") for share in (0.0, 0.5)]
    assert told == [("calibrating", 0.0), *scored]
    assert found["float"] - found["int8"] <= 0.1
    monkeypatch.setenv("TENJIGSAW_WEIGHTS", str(tmp_path / "weights"))
    full, small = (create_measure(name).scores(puzzle).values for name in ("ten", "ten-int8"))
    legal = np.isfinite(full)
    assert np.corrcoef(full[legal], small[legal])[0, 1] > 0.98


def test_an_int8_variant_that_loses_too_much_is_not_written(tmp_path, monkeypatch):
    photos = write_pictures(tmp_path / "photos", count=1)
    export(save_run(tmp_path / "run", "ten"), tmp_path / "weights" / "ten")
    monkeypatch.setattr("tenjigsaw.training.quantise.MOST_LOST", -1.0)
    with pytest.raises(InputError, match="nothing was written"):
        quantise(tmp_path / "weights" / "ten", tmp_path / "weights" / "ten-int8", photos, photos)
    assert not (tmp_path / "weights" / "ten-int8").exists()
