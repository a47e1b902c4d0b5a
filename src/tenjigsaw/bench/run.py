"""A whole bench, with or without a folder that keeps it."""

from dataclasses import dataclass
from pathlib import Path

from tenjigsaw.bench.folder import BenchFolder
from tenjigsaw.bench.plan import Plan
from tenjigsaw.bench.rows import BenchRow
from tenjigsaw.bench.score_store import ScoreStore
from tenjigsaw.bench.spread import connected, solve_all
from tenjigsaw.files import only_user_of
from tenjigsaw.progress import Progress, no_progress


@dataclass(frozen=True)
class Means:
    """By which means a bench is run; the rows do not depend on it."""

    store: ScoreStore
    jobs: int = 1
    scheduler: str | None = None


def run_bench(plan: Plan, means: Means, progress: Progress = no_progress) -> list[BenchRow]:
    """All rows in the order of the plan; nothing is kept."""
    done: dict[str, tuple[BenchRow, ...]] = {}
    tasks = plan.tasks()
    progress(tasks[0].source.path.name, 0.0)
    with connected(means.scheduler):
        for found in solve_all(tasks, means.store, means.jobs, means.scheduler):
            done[found.task] = found.rows
            progress(f"{len(done)} of {len(tasks)} puzzles", len(done) / len(tasks))
    return [row for task in tasks for row in done[task.name]]


def run_bench_into(
    path: Path, plan: Plan, command: str, means: Means, force: bool = False, progress: Progress = no_progress
) -> list[BenchRow]:
    """The same, kept in a folder: what is there of the same plan is not done again."""
    # Connected before the folder is touched: with --force, that means the end of what an earlier bench has left.
    with only_user_of(path), connected(means.scheduler), BenchFolder(path, plan, command, force) as folder:
        left = [] if folder.finished else [task for task in plan.tasks() if task.name not in folder.done]
        if left:
            progress(left[0].source.path.name, 0.0)
        for number, found in enumerate(solve_all(left, means.store, means.jobs, means.scheduler), start=1):
            folder.keep(found)
            progress(f"{number} of {len(left)} puzzles", number / len(left))
        return folder.finish()
