"""The picture that comes with the package."""

from pathlib import Path


def built_in_picture() -> Path:
    """The picture of the demo."""
    return Path(__file__).parent / "chelsea.png"
