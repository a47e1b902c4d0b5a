"""The moving parts of a training run, and their way to disk and back."""

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import nn

from tenjigsaw.errors import InputError
from tenjigsaw.measures.models import CONFIG, TENSORS, read_model, whole_file
from tenjigsaw.networks.borrowing import borrow
from tenjigsaw.networks.registry import MirroredNetwork, create_network
from tenjigsaw.networks.unified import Unified
from tenjigsaw.training.averaging import AveragedWeights
from tenjigsaw.training.checkpoint import LATEST, TRUNK, read_checkpoint, write_checkpoint
from tenjigsaw.training.clock import Clock
from tenjigsaw.training.objectives import create_objective
from tenjigsaw.training.optimisers import create_optimiser
from tenjigsaw.training.schedule import create_schedule
from tenjigsaw.training.settings import Settings, settings_from

# A checkpoint of other values of these can not be continued.
FIXED = ("network", "dimension", "distance", "piece", "worn", "without", "loss", "optimiser")

# What every checkpoint holds, whichever version wrote it.
HELD = {"settings", "network", "averaged", "objective", "optimiser", "schedule", "random", "step", "seconds"}
HELD |= {"cpu_seconds", "falling"}


class Run:
    """Everything that changes from step to step; ``start`` is a run or a model to borrow the first weights from."""

    def __init__(self, settings: Settings, start: Path | None = None) -> None:
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.network = _network_of(settings)
        self.before = (0.0, 0.0)  # minutes and core minutes of the runs that the first weights come from
        if start:
            trained, about = load_start(start)
            borrow(self.network, trained)
            minutes, cpu_minutes = about["before"]
            self.before = (minutes + about["minutes"], cpu_minutes + about["cpu_minutes"])
        self.objective = create_objective(settings)
        # Now, before anything of the run is on disk, and not at its first step.
        self.objective.fitting(self.network)
        self.weights = list(chain(self.network.parameters(), self.objective.parameters()))
        self.optimiser = create_optimiser(self.weights, settings)
        self.schedule = create_schedule(settings)
        self.averaged = AveragedWeights(self.network, settings.averaging)
        self.clock = Clock()
        self.learning_rate = settings.learning_rate
        self.step = 0
        self.falling = False
        self.learned_from = ("", 0)  # the folder's name, and how many pictures it holds

    def set_rate(self, done: float) -> None:
        """Set the learning rate of this step, ``done`` (0..1) of the budget being used up."""
        self.falling = self.schedule.falling(done)
        self.learning_rate = self.settings.learning_rate * self.schedule.share(self.step, done)
        for group in self.optimiser.param_groups:
            group["lr"] = self.learning_rate * group["share"]

    def mirror_gradients(self) -> None:
        """Let the twins learn as mirror images, if the settings say so and there are twins."""
        if self.settings.mirrored and isinstance(self.network, MirroredNetwork):
            self.network.mirror_gradients()

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        write_checkpoint(path, self._state())

    def resume(self, folder: Path, done: Callable[[Clock, int], float]) -> bool:
        """Go on from the folder's checkpoint, if it has one; ``done`` tells the share of the budget used up.

        A run whose rate had begun to fall, and that now has a larger budget, goes on from before the fall.
        """
        if not (folder / LATEST).exists():
            return False
        state = _read_run(folder / LATEST)
        falling = self.schedule.falling(done(_clock_of(state), state["step"]))
        if state["falling"] and not falling and (folder / TRUNK).exists():
            state = _read_run(folder / TRUNK)
        self._load(state, folder)
        return True

    def _state(self) -> dict[str, Any]:
        return {
            "settings": self.settings.as_dict(),
            "network": self.network.state_dict(),
            "averaged": self.averaged.network.state_dict(),
            "objective": self.objective.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "schedule": self.schedule.state_dict(),
            "random": torch.get_rng_state(),
            "step": self.step,
            "seconds": self.clock.seconds,
            "cpu_seconds": self.clock.cpu_seconds,
            "falling": self.falling,
            "learned_from": self.learned_from,
            "before": self.before,
        }

    def _load(self, state: dict[str, Any], folder: Path) -> None:
        recorded = settings_from(state["settings"], str(folder))
        for name in FIXED:
            before, now = getattr(recorded, name), getattr(self.settings, name)
            if before != now:
                raise InputError(
                    f"{folder} holds a run with {name} = {before!r}, which can't go on with {now!r}; "
                    "choose another folder."
                )
        _give_weights(self.network, state["network"], folder)
        _give_weights(self.averaged.network, state["averaged"], folder)
        self.objective.load_state_dict(state["objective"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
        self.clock = _clock_of(state)
        self.step, self.falling = state["step"], state["falling"]
        self.before = state.get("before", self.before)


def _read_run(path: Path) -> dict[str, Any]:
    """A checkpoint, known to hold a run and not whatever else torch can read."""
    state = read_checkpoint(path)
    if not isinstance(state, dict) or not state.keys() >= HELD:
        raise InputError(f"{path} was written by torch, but it is no checkpoint of a training run.")
    return state


def _clock_of(state: dict[str, Any]) -> Clock:
    return Clock(state["seconds"], state["cpu_seconds"])


def _network_of(settings: Settings) -> nn.Module:
    built = (settings.network, settings.piece, settings.dimension, settings.distance, settings.without)
    return create_network(*built)


def load_trained(path: Path) -> tuple[nn.Module, dict[str, Any]]:
    """The averaged network of a run (its folder or one of its checkpoints) and what is known of the run."""
    state = _read_run(path / LATEST if path.is_dir() else path)
    network = _with_weights(state["settings"], state["averaged"], path)
    temperature = state["objective"].get("log_temperature")
    if isinstance(network, Unified) and temperature is not None:
        network.scale_costs(float(temperature.exp()))
    about = {"settings": state["settings"], "step": state["step"], "minutes": state["seconds"] / 60.0}
    folder, pictures = state.get("learned_from", ("", 0))
    about |= {"cpu_minutes": state["cpu_seconds"] / 60.0, "folder": folder, "pictures": pictures}
    about["before"] = state.get("before", (0.0, 0.0))
    return network.eval(), about


def load_start(path: Path) -> tuple[nn.Module, dict[str, Any]]:
    """The same of a run or of an exported model."""
    if not (path / CONFIG).exists():
        return load_trained(path)
    model = read_model(path)
    if TENSORS not in model.hashes:
        raise InputError(f"{path} is a variant without the weights to start from; choose the model it was made of.")
    weights = load_file(whole_file(path, model.name, TENSORS, model.hashes[TENSORS]))
    try:
        about = {"before": (0.0, 0.0), **model.about}
        network = _with_weights(about["settings"], {name: half.float() for name, half in weights.items()}, path)
        return network.eval(), {name: about[name] for name in ("settings", "minutes", "cpu_minutes", "before")}
    except KeyError as missing:
        raise InputError(f"{path / CONFIG} does not say {missing} of the model.") from None


def _with_weights(settings: dict[str, Any], weights: dict[str, torch.Tensor], source: Path) -> nn.Module:
    network = _network_of(settings_from(settings, str(source)))
    _give_weights(network, weights, source)
    return network


def _give_weights(network: nn.Module, weights: dict[str, torch.Tensor], source: Path) -> None:
    try:
        network.load_state_dict(weights)
    except RuntimeError:
        raise InputError(f"{source} holds the weights of another network, or of another version of it.") from None
