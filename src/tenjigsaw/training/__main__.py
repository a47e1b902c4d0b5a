"""``python -m tenjigsaw.training``: train a network on a folder of pictures."""

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

from tenjigsaw.errors import InputError
from tenjigsaw.training.loop import train
from tenjigsaw.training.settings import list_recipes, parse_changes, read_recipe


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 2 for input that can't be used."""
    options = _parser().parse_args(arguments)
    try:
        changes = parse_changes(options.set) | ({"network": options.network} if options.network else {})
        settings = read_recipe(options.recipe, **changes)
        budget = (options.minutes, options.steps)
        train(settings, options.pictures, options.out, options.val, *budget, _say, options.start)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def leave(code: int) -> NoReturn:
    """End this process once all it had to do is done, written and said."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        # Torch now and then aborts one of several processes while the interpreter shuts down, and torchrun then calls a
        # run that is complete a failure.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tenjigsaw.training", description=__doc__)
    parser.add_argument("--recipe", default="cpu", help=f"{', '.join(list_recipes())}, or a TOML file")
    parser.add_argument("--network", help="overrides the recipe's network")
    parser.add_argument(
        "--pictures", type=Path, required=True, help="folder of training pictures, or one that holds DIV2K_train_HR"
    )
    parser.add_argument("--val", type=Path, help="the same to validate on: PIRM_valset or DIV2K_valid_HR")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run; goes on if there is one in it")
    # torchrun takes "--start" for an abbreviation of an option of its own.
    weights = "run or exported model to take the first weights from"
    parser.add_argument("--start", "--weights", type=Path, help=weights)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="training time over all sittings")
    parser.add_argument("--steps", type=int, help="steps over all sittings")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="overrides a setting")
    return parser


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    leave(main())
