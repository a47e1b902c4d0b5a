"""The command `tenjigsaw`."""

import sys
from errno import EDQUOT, EFBIG, ENOSPC

import typer

from tenjigsaw import __version__
from tenjigsaw.cli import animate, bench, cut, demo, lists, models, report, score, solve, study, tables, train
from tenjigsaw.errors import InputError

STOPPED = 130

app = typer.Typer(
    name="tenjigsaw",
    help="Put square-tile puzzles with worn edges back together.",
    epilog="Start with: tenjigsaw demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    *(demo.demo, cut.cut, solve.solve, score.score, bench.bench, lists.measures, lists.solvers),
    *(tables.tables, report.report, report.figures, animate.animate),
    *(models.models, models.card, models.data, train.train, train.export, train.quantise, study.study),
):
    app.command()(command)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tenjigsaw {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    """Put square-tile puzzles with worn edges back together."""


def run() -> None:
    """Run the command line; whatever a user can do wrong ends in one sentence and exit code 2."""
    try:
        app()
    except InputError as error:
        _end(str(error), 2)
    except MemoryError:
        _end("There is not enough memory for a puzzle of this size.", 2)
    except OSError as error:
        _end(_os_sentence(error), 2)
    except KeyboardInterrupt:
        _end("Stopped.", STOPPED)
    except SystemExit as ended:  # typer makes this of Ctrl-C inside a command, and says nothing
        if ended.code == STOPPED:
            _end("Stopped.", STOPPED)
        raise


def _end(sentence: str, code: int) -> None:
    print(f"tenjigsaw: {sentence}", file=sys.stderr)
    sys.exit(code)


def _os_sentence(error: OSError) -> str:
    place = f" {error.filename}" if error.filename else ""
    if error.errno in (ENOSPC, EDQUOT, EFBIG):
        return f"There is no room left to write{place or ' the result'}; nothing was kept of it."
    return f"The system refuses{place}: {(error.strerror or str(error)).lower()}."
