"""Measures and solvers that other packages bring, found by their entry points.

Nothing of another package is imported before its name is asked for.
"""

from importlib.metadata import EntryPoint, entry_points
from typing import Any

from tenjigsaw.errors import InputError


def find_plugins(group: str) -> dict[str, EntryPoint]:
    """What installed packages announce in this group, by name."""
    return {point.name: point for point in entry_points(group=group)}


def load_plugin(point: EntryPoint) -> Any:
    """The object that a package announces."""
    try:
        plugin = point.load()
    except Exception as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{point.name!r} can't be loaded from {point.value}: {reason}.") from error
    if getattr(plugin, "name", None) != point.name:
        raise InputError(f"{point.value} is announced as {point.name!r}, but that is not its own name.")
    return plugin
