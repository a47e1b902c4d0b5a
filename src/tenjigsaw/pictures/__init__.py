"""The pictures that come with the package."""

from pathlib import Path

_FOLDER = Path(__file__).parent


def built_in_picture() -> Path:
    """The picture of the demo."""
    return _FOLDER / "chelsea.png"


def built_in_pictures() -> list[Path]:
    """All of them."""
    return [built_in_picture(), _FOLDER / "astronaut.webp", _FOLDER / "coffee.webp"]
