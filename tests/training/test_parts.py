"""The small parts of the loop: clock, schedules, averages, optimiser and log."""

import math
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from tenjigsaw.errors import InputError  # noqa: E402
from tenjigsaw.training.averaging import AveragedWeights  # noqa: E402
from tenjigsaw.training.budget import Budget  # noqa: E402
from tenjigsaw.training.clock import Clock, counted_seconds  # noqa: E402
from tenjigsaw.training.log import Line, RunLog, time_left  # noqa: E402
from tenjigsaw.training.optimisers import create_optimiser, orthogonalise  # noqa: E402
from tenjigsaw.training.schedule import Plateau, Trapezoid, create_schedule  # noqa: E402
from tenjigsaw.training.settings import Settings  # noqa: E402


def test_a_pause_hardly_counts() -> None:
    assert counted_seconds(0.9, 1.0) == 0.9
    assert counted_seconds(4.0, 1.0) == 4.0
    assert counted_seconds(3600.0, 1.0) == 10.0
    assert counted_seconds(3600.0, 0.01) == 1.0
    assert counted_seconds(3600.0, None) == 60.0


def test_the_clock_adds_up_steps_only() -> None:
    clock = Clock(seconds=60.0)
    clock.start()
    passed = clock.stop()
    assert clock.seconds == 60.0 + passed
    assert clock.minutes >= 1.0


def test_the_plateau_falls_after_flat_epochs_only() -> None:
    schedule = Plateau(epoch_steps=2, factor=0.9, patience=2)
    shares = []
    for loss in (3.0, 2.0, 2.0, 2.0, 1.9, 1.9, 1.9):
        schedule.observe(loss)
        schedule.observe(loss)
        shares.append(schedule.share(0, 0.0))
    assert shares == pytest.approx([1.0, 1.0, 1.0, 0.9, 0.9, 0.9, 0.81])


def test_a_loss_that_is_no_number_does_not_make_an_epoch_flat() -> None:
    schedule = Plateau(epoch_steps=2, factor=0.9, patience=1)
    for loss in (3.0, 3.0, float("nan"), 2.0, 2.0, 1.0, float("inf"), 1.0, 0.5, 0.5):
        schedule.observe(loss)
        assert schedule.share(0, 0.0) == 1.0


def test_the_trapezoid_rises_stays_and_falls() -> None:
    schedule = Trapezoid(warmup_steps=10, decay_share=0.2)
    assert schedule.share(0, 0.0) == pytest.approx(0.1)
    assert schedule.share(9, 0.0) == 1.0
    assert schedule.share(500, 0.8) == pytest.approx(1.0)
    assert schedule.share(500, 0.9) == pytest.approx(0.5)
    assert schedule.share(500, 1.0) == 0.0
    assert not schedule.falling(0.8)
    assert schedule.falling(0.81)


def test_unknown_schedules_and_optimisers_are_refused() -> None:
    with pytest.raises(InputError, match="There is no schedule 'stairs'"):
        create_schedule(Settings(schedule="stairs"))
    with pytest.raises(InputError, match="There is no optimiser 'newton'"):
        create_optimiser([torch.zeros(1)], Settings(optimiser="newton"))


def test_averaged_weights_follow_the_network() -> None:
    network = torch.nn.Linear(2, 2)
    averaged = AveragedWeights(network, 0.5)
    start = network.weight.detach().clone()
    with torch.no_grad():
        network.weight += 1.0
    averaged.update(network, step=100)
    torch.testing.assert_close(averaged.network.weight, start + 0.5)
    assert AveragedWeights(network, 0.0).network is network


@settings(deadline=None, max_examples=20)
@given(rows=st.integers(1, 12), columns=st.integers(1, 12), seed=st.integers(0, 2**31))
def test_orthogonalised_matrices_stretch_no_direction(rows: int, columns: int, seed: int) -> None:
    matrix = torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    found = torch.linalg.svdvals(orthogonalise(matrix, sweeps=10))
    assert found.min() > 0.6
    assert found.max() < 1.3


@pytest.mark.parametrize("optimiser", ["adam", "muon"])
def test_optimisers_go_downhill(optimiser: str) -> None:
    torch.manual_seed(0)
    weight, scale = torch.nn.Parameter(torch.randn(4, 6)), torch.nn.Parameter(torch.zeros(()))
    descent = create_optimiser([weight, scale], Settings(optimiser=optimiser, learning_rate=0.02))
    losses = []
    for _ in range(150):
        loss = ((weight - 1.0) ** 2).mean() + (scale - 1.0) ** 2
        descent.zero_grad()
        loss.backward()
        descent.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2


def test_the_log_takes_back_lines_the_checkpoint_does_not_know(tmp_path: Path) -> None:
    log = RunLog(tmp_path, 0, str)
    for step in (10, 20, 30):
        log.write(Line(step, 1.0, 2.0, 0.5, 0.25, 3.0, 1e-3), "soon")
    log.close()
    with (tmp_path / "log.csv").open("a") as file:
        file.write("40,1.0,2")
    RunLog(tmp_path, 20, str).close()
    lines = (tmp_path / "log.csv").read_text().splitlines()
    assert lines[0].startswith("step,minutes,")
    assert [line.split(",")[0] for line in lines[1:]] == ["10", "20"]


def test_the_log_speaks_of_validation_only_when_there_was_one(tmp_path: Path) -> None:
    said: list[str] = []
    log = RunLog(tmp_path, 0, said.append)
    log.write(Line(10, 1.0, 2.0, 0.5, 0.25, 3.0, 1e-3), "9 min left")
    log.write(Line(20, 2.0, 4.0, 0.4, 0.35, 3.0, 1e-3, 0.5, 0.4, 0.6, 0.45), "8 min left")
    log.close()
    assert "val" not in said[0]
    assert said[1].endswith("val Top-1 0.500 / 0.400  (eq. 3-4: 0.600 / 0.450)")


def test_the_budget_that_ends_first_is_told() -> None:
    clock = Clock(seconds=600.0, cpu_seconds=300.0)
    assert Budget(30.0, 10**9).minutes_left(clock, 0, 1.0) == pytest.approx(20.0)
    assert Budget(math.inf, 600).minutes_left(clock, 0, 1.0) == pytest.approx(10.0)
    # The processor is half busy with this run, so ten of its minutes take twenty.
    assert Budget(math.inf, 10**9, cpu_minutes=15.0).minutes_left(clock, 0, 1.0) == pytest.approx(20.0)
    assert Budget(9.0, 10**9).minutes_left(clock, 0, 1.0) == 0.0
    assert time_left(20.0) == "20 min left"
    assert time_left(600.0) == "10.0 h left"


def test_a_budget_is_over_when_any_part_of_it_is() -> None:
    clock = Clock(seconds=600.0, cpu_seconds=300.0)
    assert Budget(20.0, 100, cpu_minutes=50.0).done(clock, 10) == pytest.approx(0.5)
    assert Budget(20.0, 100, cpu_minutes=5.0).done(clock, 10) == pytest.approx(1.0)
    assert Budget(20.0, 100).done(clock, 90) == pytest.approx(0.9)
    with pytest.raises(InputError, match="budget"):
        Budget(20.0, 100, cpu_minutes=0.0)
