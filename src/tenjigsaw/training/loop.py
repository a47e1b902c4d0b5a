"""The training loop, to be read from top to bottom."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import torch

from tenjigsaw.files import only_user_of
from tenjigsaw.networks.precision import rough
from tenjigsaw.training.budget import Budget
from tenjigsaw.training.checkpoint import LATEST
from tenjigsaw.training.datasets import TRAINING, part_for
from tenjigsaw.training.log import RunLog
from tenjigsaw.training.pictures import load_pictures
from tenjigsaw.training.run import Run
from tenjigsaw.training.sampler import Block, Sampler
from tenjigsaw.training.settings import Settings
from tenjigsaw.training.validate import Top1, load_blocks
from tenjigsaw.training.watch import Watch
from tenjigsaw.training.workers import Workers


@dataclass(frozen=True)
class Outcome:
    """Where a run stands when the loop returns; ``loss`` and ``top1`` are the last ones in the log."""

    step: int
    minutes: float
    loss: float
    top1: Top1 | None


def train(
    settings: Settings,
    pictures: Path,
    out: Path,
    val: Path | None = None,
    minutes: float = float("inf"),
    steps: int | None = None,
    progress: Callable[[str], None] = print,
    start: Path | None = None,
    cpu_minutes: float = float("inf"),
) -> Outcome:
    """Train, or go on training, in the folder ``out`` until the budget of minutes or steps is used up.

    Where ``pictures`` or ``val`` holds DIV2K or PIRM as they are published, the part made for the purpose is taken.
    ``start`` is a run or an exported model whose weights are the first ones here. SIGTERM and SIGINT write a
    checkpoint and return. Under torchrun every process calls this the same way.
    """
    pictures = part_for(TRAINING, pictures)
    budget = Budget(minutes, steps or settings.steps, cpu_minutes)
    with Workers() as workers, stop_asked() as asked, only_user_of(out) if workers.first else nullcontext():
        sampler = Sampler(load_pictures(pictures, settings.piece), settings, workers.rank)
        known = _known_blocks(val, settings) if workers.first else []
        begun = (out / LATEST).exists()
        run = Run(settings, None if begun else start)
        run.learned_from = (pictures.resolve().name, len(sampler.pictures))
        resumed = run.resume(out, budget.done)
        watch = None
        if workers.first:
            out.mkdir(parents=True, exist_ok=True)
            watch = Watch(run, out, known, RunLog(out, run.step, progress), budget)
            progress(_opening(run, resumed, start))

        while True:
            done, stop = workers.agree(budget.done(run.clock, run.step), asked())
            if stop or done >= 1.0:
                break
            if watch and run.schedule.falling(done) and not run.falling:
                watch.before_fall()
            run.set_rate(done)

            run.clock.start()
            rng = sampler.rng(run.step)
            with rough(settings.bfloat16):
                judged = run.objective(run.network, sampler.blocks(rng), rng)
            run.optimiser.zero_grad()
            judged.loss.backward()
            workers.average_gradients(run.weights)
            run.mirror_gradients()
            length = torch.nn.utils.clip_grad_norm_(run.weights, settings.clip or float("inf"))
            # One broken gradient would spoil the weights for good; a step left out costs nothing.
            if torch.isfinite(length):
                run.optimiser.step()
                run.averaged.update(run.network, run.step)
            loss = workers.mean(judged.loss.item())
            run.schedule.observe(loss)
            run.step += 1
            seconds = run.clock.stop()

            if watch:
                watch.after_step(loss, judged.top1, seconds)

        if not watch:
            return Outcome(run.step, run.clock.minutes, float("nan"), None)
        watch.finish(whole=not stop)
        progress(f"Stopped at step {run.step} after {run.clock.minutes:.1f} minutes of training.")
        return Outcome(run.step, run.clock.minutes, watch.loss, watch.checked)


def _known_blocks(val: Path | None, settings: Settings) -> list[Block]:
    """What is validated on, if anything."""
    if val is None:
        return []
    size = (settings.validate_pictures, settings.validate_block)
    return load_blocks(val, settings.piece, settings.worn, *size)


def _opening(run: Run, resumed: bool, start: Path | None) -> str:
    origin = f"from the weights in {start}" if start else "from scratch"
    if resumed:
        origin = f"going on from step {run.step} ({run.clock.minutes:.1f} min)"
    weights = sum(weight.numel() for weight in run.network.parameters())
    settings, (folder, pictures) = run.settings, run.learned_from
    seen = f"{pictures} pictures of {folder}"
    return f"{settings.network} ({weights:,} weights), {settings.loss} loss, {seen}, {origin}."


@contextmanager
def stop_asked() -> Iterator[Callable[[], bool]]:
    """Turn SIGTERM and SIGINT into an answer to "shall we stop?", for as long as the context lasts."""
    received: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield lambda: bool(received)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
