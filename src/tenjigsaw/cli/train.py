"""`tenjigsaw train` and `tenjigsaw export`: from pictures to a trained model."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from tenjigsaw.errors import InputError


@contextmanager
def training_extra() -> Iterator[None]:
    """Say how to get what the base install leaves out."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in ("torch", "onnx", "safetensors", "tensorboard"):
            raise InputError(
                f"Training needs {error.name}: install the extra with pip install 'tenjigsaw[train]'."
            ) from None
        raise


def train(
    pictures: Path = typer.Argument(..., help="A folder of pictures to learn from, or one that holds DIV2K_train_HR."),
    out: Path = typer.Option(..., help="A folder for the run; goes on if one is in it."),
    network: str | None = typer.Option(
        None, help="unified, ten, ten-red, ten-green, ten-blue or e2e; else the recipe's."
    ),
    recipe: str = typer.Option("cpu", help="unified, cpu, cpu-e2e, paper, or a TOML file."),
    start: Path | None = typer.Option(None, help="Start from the weights of another run or of an exported model."),
    val: Path | None = typer.Option(
        None, help="The same to validate on: pictures, or PIRM_valset or DIV2K_valid_HR in it."
    ),
    minutes: float = typer.Option(float("inf"), help="Training time over all sittings."),
    steps: int | None = typer.Option(None, min=1, help="Steps over all sittings."),
    set_: list[str] = typer.Option([], "--set", metavar="KEY=VALUE", help="Override a setting of the recipe."),
) -> None:
    """Train a network. Stop it at any time (Ctrl-C); the same command goes on where it stopped.

    Example: tenjigsaw train photos/ --out runs/ten --network ten --val other_photos/ --minutes 180
    """
    from tenjigsaw.cli.console import tell

    with training_extra():
        from tenjigsaw.training.loop import train as run_training
        from tenjigsaw.training.settings import parse_changes, read_recipe

        changes = parse_changes(set_) | ({"network": network} if network else {})
        run_training(read_recipe(recipe, **changes), pictures, out, val, minutes, steps, tell, start)


def export(
    run: Path = typer.Argument(..., help="The folder of a training run."),
    out: Path = typer.Argument(..., help="A new folder for the model, such as weights/ten."),
    val: Path | None = typer.Option(None, help="A folder of pictures to score it on, for its card."),
    name: str | None = typer.Option(None, help="What the measure will be called; default: the network's name."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing model."),
) -> None:
    """Turn a training run into a model: safetensors, ONNX and a config that agree with each other.

    Example: tenjigsaw export runs/ten weights/mine --name mine --val other_photos/
    """
    from tenjigsaw.cli.console import progress_bar, show_table, tell

    with training_extra():
        from tenjigsaw.training.export import export as export_run

        tell("Checking that torch and ONNX Runtime agree" + (", and scoring on pictures." if val else "."))
        with progress_bar("checking") as progress:
            config = export_run(run, out, val, name, force, progress)
    about = config["about"]
    row = {
        "model": config["name"],
        "minutes": float(about["minutes"]),
        "steps": about["step"],
        "gap": f"{about['gap']:.0e}",
    }
    show_table("Exported", [row | (about["val"] or {})])


def quantise(
    model: Path = typer.Argument(..., help="The folder of an exported twin network, such as weights/ten."),
    out: Path = typer.Argument(..., help="A new folder for the int8 variant."),
    pictures: Path = typer.Option(..., help="A folder of pictures to calibrate on."),
    val: Path = typer.Option(..., help="A folder of pictures to check it on."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing model."),
) -> None:
    """Make the int8 variant of a model, unless it costs more than 0.3 points of Top-1.

    Example: tenjigsaw quantise weights/ten weights/ten-int8 --pictures photos/ --val other_photos/
    """
    from tenjigsaw.cli.console import progress_bar, show_table, tell

    with training_extra():
        from tenjigsaw.training.quantise import quantise as make_int8

        tell("Calibrating, then comparing both on every picture.")
        with progress_bar("calibrating") as progress:
            found = make_int8(model, out, pictures, val, force, progress)
    show_table("Top-1, Type-2, raw", [found])
