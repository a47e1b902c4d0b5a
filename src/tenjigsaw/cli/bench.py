"""`tenjigsaw bench`: how well solvers rebuild pictures."""

import math
import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tenjigsaw.errors import InputError

if TYPE_CHECKING:
    from tenjigsaw.bench.plan import Plan
    from tenjigsaw.bench.rows import BenchRow
    from tenjigsaw.bench.run import Means

QUICK = Path("quick")
GIGABYTE = 10**9
# What a quick bench may be told, and what a bench of heaps does not heed. A file of --csv does not tell wears apart,
# and a quick bench has two.
QUICK_TAKES = {"out", "drawn", "quick", "jobs", "scheduler", "cache", "cache_gigabytes", "force"}
MIXED_SOLVER = "segments"
MIXED_IGNORES = {"unknown_frame", "drawn", "jobs", "scheduler", "cache", "cache_gigabytes"}
# The columns of --csv, behind the picture's.
PLAIN = ("measure", "normalise", "solver", "type", "pieces", "drop")
PLAIN_FOUND = ("neighbour", "direct", "largest", "perfect", "seconds")


def bench(
    context: typer.Context,
    pictures: list[Path] = typer.Argument(None, help="Pictures, or folders of pictures: a folder is a set."),
    out: Path | None = typer.Option(None, help="A folder for rows, tables and pictures; a stopped run goes on there."),
    measures: str = typer.Option("mgc", help="Measures, with commas between; see: tenjigsaw measures"),
    normalise: str = typer.Option("ratio,sinkhorn", help="Any of none, ten, ratio, csls, sinkhorn, loops."),
    solvers: str = typer.Option("tree", help="Solvers, with commas between; see: tenjigsaw solvers"),
    types: str = typer.Option("1,2", help="1: turns known, 2: unknown."),
    erode: str = typer.Option("1", help="Pixels worn off every edge, with commas between."),
    piece: int = typer.Option(28, help="Side of a piece in pixels, 8 or more."),
    drop: float = typer.Option(0.0, min=0, max=0.9, help="The share of pieces that are lost."),
    unknown_frame: bool = typer.Option(False, "--unknown-frame", help="Do not tell solvers the size of the whole."),
    mixed: int = typer.Option(1, min=1, help="Mix so many pictures into one heap, in the order given."),
    repeat: int = typer.Option(1, min=1, help="Solve each puzzle so many times, where the solver draws at random."),
    seconds: float | None = typer.Option(
        None, help="End a solver that works in rounds after so many seconds, more than 0."
    ),
    generations: int | None = typer.Option(None, min=1, help="End such a solver after so many rounds, or before."),
    patience: int | None = typer.Option(None, min=1, help="End it after so many rounds in a row without a better one."),
    drawn: int = typer.Option(3, "--pictures", min=0, help="Draw the puzzles of so many pictures of each set."),
    quick: bool = typer.Option(False, "--quick", help=f"A small fixed bench on built-in pictures, into {QUICK}/."),
    jobs: int | None = typer.Option(None, min=1, help="Processes; with --out one for each core, else one."),
    scheduler: str | None = typer.Option(None, help="The address of a dask scheduler, to work on its cluster."),
    cache: Path | None = typer.Option(None, help="A folder to keep scores in, instead of the user's own cache."),
    cache_gigabytes: float = typer.Option(2.0, min=0, help="Keep at most so many gigabytes of scores."),
    csv: Path | None = typer.Option(None, help="Save a row for each puzzle here."),
    seed: int = typer.Option(0, min=0, help="The same seed gives the same puzzles and results."),
    force: bool = typer.Option(False, "--force", help="Start over where the results exist already."),
) -> None:
    """Cut pictures into worn puzzles, solve them, and compare with the truth.

    With --out, what is finished is kept: after a kill the same command goes on. The workers of a cluster need the
    same version of tenjigsaw, and the pictures under the same paths.

    Example: tenjigsaw bench photos/ --measures mgc,unified-rerank --solvers tree,segments --out results/photos
    """
    from tenjigsaw.bench.plan import Plan, Work, find_sources, quick_plan
    from tenjigsaw.bench.run import Means
    from tenjigsaw.bench.score_store import ScoreStore, default_folder
    from tenjigsaw.cli.console import comma_list, number_list, tell_forecast, type_list
    from tenjigsaw.evaluation.benchmark import Conditions, check_pieces, forecast
    from tenjigsaw.files import check_file
    from tenjigsaw.measures import create_measure
    from tenjigsaw.measures.normalise import check_normalisation
    from tenjigsaw.solvers import Stop, create_solver

    if csv is not None:
        check_file(csv, force)
    if mixed > 1:
        _refuse(context, lambda name: name in MIXED_IGNORES, "A bench of heaps does not heed it")
        solvers = solvers if _is_given(context, "solvers") else MIXED_SOLVER
    if quick:
        _refuse(context, lambda name: name not in QUICK_TAKES, "--quick is a fixed bench")
        out = out or QUICK
    elif not pictures:
        raise InputError("Name pictures or folders of pictures, or add --quick for built-in ones.")
    if out is None:
        _refuse(context, lambda name: name == "drawn", "Pictures are drawn into the folder that --out names")
    if not math.isfinite(cache_gigabytes):
        raise InputError(f"--cache-gigabytes must be a number, not {cache_gigabytes}.")
    store = ScoreStore((cache or default_folder()).absolute(), int(cache_gigabytes * GIGABYTE))
    means = Means(store, jobs or ((os.cpu_count() or 1) if out else 1), scheduler)
    if quick:
        _run(quick_plan(drawn), means, out, csv, force)
        return
    chosen = list(dict.fromkeys(create_measure(name).name for name in comma_list(measures, "--measures")))
    work = Work(
        normalisations=tuple(check_normalisation(name) for name in comma_list(normalise, "--normalise")),
        solvers=tuple(dict.fromkeys(create_solver(name).name for name in comma_list(solvers, "--solvers"))),
        repeats=repeat,
        stop=Stop(seconds=seconds, generations=generations, patience=patience),
    )
    plan = Plan(
        sources=find_sources(pictures, drawn if out else 0),
        measures=tuple(chosen),
        types=tuple(type_list(types)),
        erosions=tuple(number_list(erode, "--erode")),
        conditions=Conditions(piece, 0, seed, drop, unknown_frame),
        work=work,
    )
    check_pieces([source.path for source in plan.sources], piece)
    # Slow measures take as long whatever the wear.
    first, puzzles = plan.tasks()[0], len(plan.sources) * len(plan.erosions)
    tell_forecast(forecast(first.source.path, chosen, plan.types, first.conditions), puzzles)
    if mixed > 1:
        _run_mixed(plan, mixed, out, csv, force)
    else:
        _run(plan, means, out, csv, force)


def _refuse(context: typer.Context, unfit: Callable[[str], bool], reason: str) -> None:
    """Whoever asks for something that would not be heeded should not get something else by mistake."""
    for parameter in context.command.params:
        name = parameter.name or ""
        if unfit(name) and _is_given(context, name):
            raise InputError(f"{reason}; leave out {parameter.opts[0]}.")


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _run(plan: "Plan", means: "Means", out: Path | None, csv: Path | None, force: bool) -> None:
    from tenjigsaw.bench.folder import TABLES
    from tenjigsaw.bench.run import run_bench, run_bench_into
    from tenjigsaw.bench.tables import make_tables, write_tables
    from tenjigsaw.cli.console import progress_bar, show_table, tell
    from tenjigsaw.evaluation.benchmark import mean_by

    if csv is not None and len(plan.erosions) > 1:
        raise InputError("A file made by --csv does not tell pieces by their wear; take --out for several.")
    with progress_bar("solving") as progress:
        if out is None:
            rows = run_bench(plan, means, progress)
        else:
            command = shlex.join(["tenjigsaw", *sys.argv[1:]])
            rows = run_bench_into(out, plan, command, means, force, progress)
    if csv is not None:
        _write_plain(csv, plan, rows, force)
    keys = ["set", "erosion", "measure", "normalise", "solver", "type"]
    shown = [key for key in keys if key not in ("set", "erosion") or len({getattr(row, key) for row in rows}) > 1]
    show_table("Means", mean_by(rows, shown, ["top1", "neighbour", "perfect", "seconds"]))
    if out is not None:
        write_tables(out / TABLES, make_tables([out]), force=True)
        tell(f"Rows, tables and pictures are in {out}.")


def _write_plain(csv: Path, plan: "Plan", rows: "list[BenchRow]", force: bool) -> None:
    from tenjigsaw.cli.console import write_csv

    files = {(source.set, source.picture): source.path.name for source in plan.sources}
    columns = (*PLAIN, *PLAIN_FOUND)
    plain = [{"picture": files[row.set, row.picture]} | {name: getattr(row, name) for name in columns} for row in rows]
    write_csv(csv, plain, force)


def _run_mixed(plan: "Plan", mixed: int, out: Path | None, csv: Path | None, force: bool) -> None:
    from tenjigsaw.cli.console import progress_bar, show_table, write_csv
    from tenjigsaw.evaluation.benchmark import mean_by
    from tenjigsaw.evaluation.mixture import MixedRow, mixed_rows

    if out is not None or len(plan.erosions) > 1 or plan.work.repeats > 1:
        raise InputError("Mixed pictures are benched with one wear, once, and kept with --csv, not with --out.")
    found, conditions = [source.path for source in plan.sources], plan.tasks()[0].conditions
    heaps = [found[i : i + mixed] for i in range(0, len(found) - mixed + 1, mixed)]
    if not heaps:
        raise InputError(f"There are too few pictures to mix {mixed}.")
    rows: list[MixedRow] = []
    with progress_bar("solving") as progress:
        for done, heap in enumerate(heaps):
            progress(heap[0].name, done / len(heaps))
            names = (plan.measures, plan.work.normalisations, plan.work.solvers, plan.types)
            rows += mixed_rows(heap, *names, conditions, plan.work.stop)
    if csv is not None:
        write_csv(csv, [asdict(row) for row in rows], force)
    keys, found_out = ["measure", "normalise", "solver", "type"], ["neighbour", "apart", "seconds"]
    show_table("Means", mean_by(rows, keys, found_out, "heaps"))
