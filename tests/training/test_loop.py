"""The loop: it learns, stops and goes on as if nothing had happened, whatever happened."""

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from tenjigsaw.errors import InputError  # noqa: E402
from tenjigsaw.networks.registry import NETWORKS  # noqa: E402
from tenjigsaw.training.__main__ import main  # noqa: E402
from tenjigsaw.training.checkpoint import LATEST, TRUNK, read_checkpoint  # noqa: E402
from tenjigsaw.training.datasets import PICTURE_SETS  # noqa: E402
from tenjigsaw.training.export import export  # noqa: E402
from tenjigsaw.training.loop import Outcome, train  # noqa: E402
from tenjigsaw.training.run import load_start, load_trained  # noqa: E402
from tenjigsaw.training.settings import Settings, read_recipe  # noqa: E402
from tenjigsaw.training.validate import load_blocks  # noqa: E402

from .mean_gradients import gradients_of  # noqa: E402
from .pictures import write_pictures  # noqa: E402
from .tiny import Tiny  # noqa: E402

SCRIPT, MEAN_GRADIENTS = (Path(__file__).with_name(name) for name in ("tiny.py", "mean_gradients.py"))
CHANGES = {"network": "tiny", "piece": 8, "block": 4, "dimension": 8, "warmup_steps": 0, "learning_rate": 3e-4}
TINY = read_recipe("cpu", **CHANGES, validate_pictures=2, validate_block=4)


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def tiny_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NETWORKS, "tiny", Tiny)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pictures(tmp_path_factory.mktemp("pictures"))


def quiet(text: str) -> None:
    pass


def short(settings: Settings, pictures: Path, out: Path, steps: int) -> Outcome:
    return train(settings, pictures, out, val=pictures, steps=steps, progress=quiet)


def log_of(out: Path) -> list[dict[str, str]]:
    with (out / "log.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def command(pictures: Path, out: Path, *more: str) -> list[str]:
    changes = [part for key, value in CHANGES.items() for part in ("--set", f"{key}={value}")]
    return ["--pictures", str(pictures), "--out", str(out), *changes, *more]


def test_it_learns_and_leaves_a_trace(pictures: Path, tmp_path: Path) -> None:
    first = short(TINY, pictures, tmp_path / "short", steps=5)
    last = short(TINY, pictures, tmp_path / "long", steps=300)
    assert np.isfinite(last.loss)
    assert last.loss < first.loss - 0.3
    assert last.top1 is not None
    assert last.top1.type1 > 2 / 16
    line = log_of(tmp_path / "long")[-1]
    assert int(line["step"]) == 300
    assert float(line["val_type1"]) == pytest.approx(last.top1.type1, rel=1e-4)
    assert list((tmp_path / "long" / "tensorboard").iterdir())


def test_a_published_dataset_is_taken_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("div2k-train", "div2k-valid"):
        monkeypatch.setitem(PICTURE_SETS, name, replace(PICTURE_SETS[name], stems=("0000", "0001")))
    for folder in ("DIV2K_train_HR", "DIV2K_valid_HR"):
        write_pictures(tmp_path / "data" / folder, count=2)
    said: list[str] = []
    train(TINY, tmp_path / "data", tmp_path / "out", val=tmp_path / "data", steps=1, progress=said.append)
    assert "2 pictures of DIV2K_train_HR" in said[0]
    assert load_trained(tmp_path / "out")[1]["folder"] == "DIV2K_train_HR"
    assert len(load_blocks(tmp_path / "data", 8, 1, None, 2)) == 2, "those of the validation part"


def test_the_last_line_has_the_validation_figures_even_when_a_line_is_due(pictures: Path, tmp_path: Path) -> None:
    short(replace(TINY, log_seconds=0.0), pictures, tmp_path, steps=3)
    assert [bool(line["val_type1"]) for line in log_of(tmp_path)] == [False, False, True]


def test_a_trained_network_comes_back_with_its_history(pictures: Path, tmp_path: Path) -> None:
    short(TINY, pictures, tmp_path, steps=3)
    network, about = load_trained(tmp_path)
    assert isinstance(network, Tiny)
    assert about["step"] == 3
    assert about["settings"]["network"] == "tiny"
    averaged = read_checkpoint(tmp_path / LATEST)["averaged"]
    assert torch.equal(network.left.weight, averaged["left.weight"])


@pytest.mark.parametrize(
    "changes",
    [{}, {"optimiser": "muon"}, {"loss": "triplet", "schedule": "plateau", "epoch_steps": 3, "averaging": 0.0}],
)
def test_stopping_and_going_on_changes_nothing(pictures: Path, tmp_path: Path, changes: dict[str, object]) -> None:
    settings = read_recipe("cpu", **{**CHANGES, "decay_share": 0.0, **changes})
    short(settings, pictures, tmp_path / "once", steps=12)
    for steps in (1, 5, 12):
        short(settings, pictures, tmp_path / "thrice", steps=steps)
    once, thrice = (read_checkpoint(tmp_path / run / LATEST) for run in ("once", "thrice"))
    for part in ("network", "averaged", "objective"):
        for name, weight in once[part].items():
            assert torch.equal(weight, thrice[part][name]), (part, name)
    assert once["schedule"] == thrice["schedule"]


@pytest.mark.parametrize(
    ("recipe", "changes"),
    [
        ("cpu", {"network": "ten"}),
        ("cpu", {"network": "ten-green", "distance": "l1"}),
        ("cpu-e2e", {"crowd": 6}),
        ("cpu-e2e", {"loss": "binary", "samples": 8}),
        ("paper", {"samples": 4, "blocks": 2}),
    ],
)
def test_the_papers_networks_go_through_the_same_loop(
    pictures: Path, tmp_path: Path, recipe: str, changes: dict[str, object]
) -> None:
    small = {"piece": 8, "block": 2, "dimension": 4, "validate_pictures": 1, "validate_block": 2}
    outcome = short(read_recipe(recipe, **small, **changes), pictures, tmp_path, steps=2)
    assert np.isfinite(outcome.loss)
    assert outcome.top1 is not None


def test_a_run_can_start_from_a_trained_one(pictures: Path, tmp_path: Path) -> None:
    small = {"piece": 8, "block": 2, "dimension": 4, "learning_rate": 1e-9}
    short(read_recipe("cpu", **small), pictures, tmp_path / "ten", steps=1)
    settings = read_recipe("cpu", network="ten-red", **small)
    train(settings, pictures, tmp_path / "red", steps=1, progress=quiet, start=tmp_path / "ten")
    (donor, about), (red, later) = (load_trained(tmp_path / name) for name in ("ten", "red"))
    torch.testing.assert_close(red.left.projection.weight, donor.left.projection.weight, rtol=0, atol=1e-6)
    assert about["before"] == (0.0, 0.0)
    assert later["before"] == (about["minutes"], about["cpu_minutes"])


def test_a_run_can_start_from_an_exported_model(pictures: Path, tmp_path: Path) -> None:
    small = {"piece": 8, "block": 2, "dimension": 4, "learning_rate": 1e-9}
    for recipe in ("cpu", "unified"):
        short(read_recipe(recipe, **small), pictures, tmp_path / recipe, steps=1)
        export(tmp_path / recipe, tmp_path / f"{recipe}-model")
        begun = tmp_path / f"{recipe}-begun"
        train(
            read_recipe(recipe, **small), pictures, begun, steps=1, progress=quiet, start=tmp_path / f"{recipe}-model"
        )
        (donor, about), (later, known) = load_start(tmp_path / f"{recipe}-model"), load_trained(begun)
        for mine, its in zip(later.parameters(), donor.parameters(), strict=True):
            torch.testing.assert_close(mine, its, rtol=0, atol=1e-6)
        assert known["before"] == (about["minutes"], about["cpu_minutes"])


def test_a_run_that_began_elsewhere_goes_on_without_its_start(pictures: Path, tmp_path: Path) -> None:
    small = {"piece": 8, "block": 2, "dimension": 4}
    short(read_recipe("cpu", **small), pictures, tmp_path / "first", steps=1)
    said: list[str] = []
    for steps in (1, 2):
        start = tmp_path / "first"
        train(read_recipe("cpu", **small), pictures, tmp_path / "run", steps=steps, progress=said.append, start=start)
        shutil.rmtree(start, ignore_errors=True)
    openings = [line for line in said if line.startswith("ten (")]
    assert openings[0].endswith(f"from the weights in {tmp_path / 'first'}.")
    assert "going on from step 1" in openings[1]


def test_weights_that_are_damaged_are_no_start(pictures: Path, tmp_path: Path) -> None:
    small = {"piece": 8, "block": 2, "dimension": 4}
    short(read_recipe("cpu", **small), pictures, tmp_path / "run", steps=1)
    export(tmp_path / "run", tmp_path / "model")
    tensors = tmp_path / "model" / "model.safetensors"
    tensors.write_bytes(tensors.read_bytes()[:100])
    with pytest.raises(InputError, match="damaged or of another model"):
        load_start(tmp_path / "model")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "written by torch, but it is no checkpoint"),
        (b"holiday plans", "is not a whole checkpoint of a training"),
    ],
)
def test_a_file_that_is_no_run_is_no_start_and_stays(
    pictures: Path, tmp_path: Path, content: bytes | None, sentence: str
) -> None:
    start = tmp_path / "mine.pt"
    if content is None:
        torch.save({"weights": torch.zeros(3)}, start)
    else:
        start.write_bytes(content)
    with pytest.raises(InputError, match=sentence) as refused:
        train(TINY, pictures, tmp_path / "out", steps=1, progress=quiet, start=start)
    assert "delete" not in str(refused.value)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.pt"]


@pytest.mark.parametrize("recipe", ["cpu", "cpu-e2e", "unified"])
def test_rough_products_train_as_well(pictures: Path, tmp_path: Path, recipe: str) -> None:
    small = {"piece": 8, "block": 2, "dimension": 4, "blocks": 1, "bfloat16": True}
    outcome = short(read_recipe(recipe, **small), pictures, tmp_path, steps=2)
    assert np.isfinite(outcome.loss)


def test_minutes_add_up_over_sittings(pictures: Path, tmp_path: Path) -> None:
    first = short(TINY, pictures, tmp_path, steps=5)
    second = short(TINY, pictures, tmp_path, steps=20)
    assert second.minutes > first.minutes > 0
    assert [int(line["step"]) for line in log_of(tmp_path)] == [5, 20]


def test_a_longer_budget_goes_on_from_before_the_rate_fell(pictures: Path, tmp_path: Path) -> None:
    settings = read_recipe("cpu", **CHANGES, decay_share=0.5)
    short(settings, pictures, tmp_path, steps=10)
    assert read_checkpoint(tmp_path / TRUNK)["step"] == 6
    told: list[str] = []
    train(settings, pictures, tmp_path, steps=40, progress=told.append)
    assert "going on from step 6" in told[0]
    assert read_checkpoint(tmp_path / TRUNK)["step"] == 21


def test_a_time_budget_ends_the_run(pictures: Path, tmp_path: Path) -> None:
    outcome = train(TINY, pictures, tmp_path, minutes=0.02, progress=quiet)
    assert outcome.minutes >= 0.02
    assert 0 < outcome.step < TINY.steps


def test_killed_at_random_ten_times_it_resumes_and_ends_lower(pictures: Path, tmp_path: Path) -> None:
    fast = ("--set", "checkpoint_seconds=0.05", "--set", "log_seconds=0.05", "--steps", "2000000")
    start = [sys.executable, str(SCRIPT), *command(pictures, tmp_path, *fast)]
    chance = random.Random(0)
    steps = [0]
    for _ in range(10):
        process = subprocess.Popen(start, stdout=subprocess.DEVNULL)
        wait_for_step(tmp_path, steps[-1] + 20)
        time.sleep(chance.uniform(0, 0.4))
        process.send_signal(signal.SIGKILL)
        process.wait()
        steps.append(read_checkpoint(tmp_path / LATEST)["step"])
    assert steps == sorted(set(steps))
    finish = train(TINY, pictures, tmp_path, steps=steps[-1] + 50, progress=quiet)
    lines = log_of(tmp_path)
    assert [int(line["step"]) for line in lines] == sorted({int(line["step"]) for line in lines})
    assert np.isfinite(finish.loss)
    assert finish.loss < float(lines[0]["loss"])


def wait_for_step(out: Path, step: int) -> None:
    for _ in range(3000):
        if (out / LATEST).exists() and read_checkpoint(out / LATEST)["step"] >= step:
            return
        time.sleep(0.02)
    raise AssertionError(f"no checkpoint of step {step} after a minute")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_polite_signal_saves_the_last_step(pictures: Path, tmp_path: Path, number: signal.Signals) -> None:
    said: list[str] = []

    def interrupt(text: str) -> None:
        said.append(text)
        if text.startswith("step"):
            os.kill(os.getpid(), number)

    settings = read_recipe("cpu", **CHANGES, log_seconds=0.2)
    outcome = train(settings, pictures, tmp_path, progress=interrupt)
    assert outcome.step > 0
    assert read_checkpoint(tmp_path / LATEST)["step"] == outcome.step
    assert said[-1].startswith(f"Stopped at step {outcome.step} ")


def run_in_two_processes(*arguments: str) -> subprocess.CompletedProcess[str]:
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", *arguments]
    env = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(launch, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.parametrize(("processes", "farewells"), [("1", "said by itself"), ("2", "said")])
def test_one_of_several_processes_ends_before_the_interpreter_shuts_down(processes: str, farewells: str) -> None:
    ending = (
        "import atexit; from tenjigsaw.training.__main__ import leave; "
        "atexit.register(print, ' by itself', end=''); print('said', end=''); leave(2)"
    )
    env = os.environ | {"WORLD_SIZE": processes}
    done = subprocess.run([sys.executable, "-c", ending], capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, done.stdout) == (2, farewells)


def test_two_processes_train_one_network(pictures: Path, tmp_path: Path) -> None:
    done = run_in_two_processes(str(SCRIPT), *command(pictures, tmp_path / "two", "--steps", "30"))
    state = read_checkpoint(tmp_path / "two" / LATEST)
    assert state["step"] == 30
    assert all(torch.isfinite(weight).all() for weight in state["network"].values())
    assert done.stdout.count("Stopped at step 30") == 1
    short(TINY, pictures, tmp_path / "one", steps=30)
    alone = read_checkpoint(tmp_path / "one" / LATEST)
    differ = [not torch.equal(weight, alone["network"][name]) for name, weight in state["network"].items()]
    assert all(differ), "what the second process saw counts as well"


def test_two_processes_go_on_with_the_mean_of_their_gradients(tmp_path: Path) -> None:
    run_in_two_processes(str(MEAN_GRADIENTS), str(tmp_path))
    means = [((one + other) / 2).tolist() for one, other in zip(gradients_of(0), gradients_of(1), strict=True)]
    for rank in range(2):
        assert json.loads((tmp_path / f"{rank}.json").read_text()) == means


def test_a_run_of_another_network_is_not_overwritten(pictures: Path, tmp_path: Path) -> None:
    short(TINY, pictures, tmp_path, steps=1)
    other = read_recipe("cpu", **{**CHANGES, "dimension": 9})
    with pytest.raises(InputError, match="holds a run with dimension = 8, which can't go on with 9"):
        short(other, pictures, tmp_path, steps=2)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"network": "e2e", "loss": "triplet"}, "The triplet loss needs a network of two twins"),
        ({"network": "tiny", "loss": "binary"}, "need a network that sees pairs"),
        ({"network": "unified", "loss": "listwise", "crowd": 8}, "set crowd to 0"),
    ],
)
def test_a_loss_that_does_not_fit_the_network_leaves_nothing(
    pictures: Path, tmp_path: Path, changes: dict[str, object], sentence: str
) -> None:
    said: list[str] = []
    with pytest.raises(InputError, match=sentence):
        train(read_recipe("cpu", **{**CHANGES, **changes}), pictures, tmp_path / "out", progress=said.append)
    assert said == []
    assert list(tmp_path.iterdir()) == []


def test_bad_input_is_one_sentence(pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    small = write_pictures(tmp_path / "small", 2, 8, 15)
    cases = [
        (command(empty, tmp_path / "a"), "holds no pictures"),
        (command(small, tmp_path / "b"), "is as large as two pieces of 8 x 8 pixels"),
        (command(tmp_path / "nowhere", tmp_path / "c"), "There is no folder"),
        (command(pictures, tmp_path / "d", "--set", "colour=red"), "there is no setting 'colour'"),
        (command(pictures, tmp_path / "e", "--set", "worn"), "reads key=value"),
        (command(pictures, tmp_path / "g", "--val", str(empty)), "holds no pictures"),
        (command(pictures, tmp_path / "f", "--minutes", "0"), "more than 0 minutes"),
    ]
    for arguments, complaint in cases:
        assert main(arguments) == 2
        said = capsys.readouterr().err
        assert complaint in said
        assert said.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "small"]
