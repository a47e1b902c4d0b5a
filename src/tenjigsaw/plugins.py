"""Measures and solvers that other packages bring, found by their entry points.

Nothing of another package is imported before its name is asked for.
"""

import hashlib
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tenjigsaw.errors import InputError


def find_plugins(group: str) -> dict[str, EntryPoint]:
    """What installed packages announce in this group, by name."""
    return {point.name: point for point in entry_points(group=group)}


def load_plugin(point: EntryPoint, kind: str, methods: Sequence[str]) -> Any:
    """The object that a package announces, as a measure or a solver."""
    try:
        plugin = point.load()
    except Exception as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{point.name!r} can't be loaded from {point.value}: {reason}.") from error
    check_plugin(plugin, kind, methods)
    if plugin.name != point.name:
        raise InputError(f"{point.value} is announced as {point.name!r}, but that is not its own name.")
    return plugin


def check_plugin(plugin: object, kind: str, methods: Sequence[str]) -> None:
    """Refuse what can't be asked for by its name, or lacks what is needed of a measure or a solver."""
    if isinstance(plugin, type):
        raise InputError(f"A {kind} must be an object, not the class {plugin.__name__} itself.")
    name, summary = getattr(plugin, "name", None), getattr(plugin, "summary", None)
    if not isinstance(name, str) or not isinstance(summary, str):
        raise InputError(f"A {kind} must have a name and a summary, both text; {type(plugin).__name__} does not.")
    # On the command line commas part names, and blanks around them do not count.
    if not name or name != name.strip() or "," in name:
        raise InputError(f"A {kind} needs a name without commas or blanks at its ends, not {name!r}.")
    missing = [method for method in methods if not callable(getattr(plugin, method, None))]
    if missing:
        raise InputError(f"The {kind} {name} needs the method {missing[0]!r}.")


def source_hash(point: EntryPoint) -> str:
    """Changes with any Python file of the package that announces the plugin, or with its module where that is all."""
    files = sorted(_source_files(point.module.partition(".")[0]))
    parts = (part for name, path in files for part in (name.encode(), path.read_bytes()))
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _source_files(package: str) -> Iterator[tuple[str, Path]]:
    """Each file by its name within the package: the same package in another place is still the same."""
    spec = find_spec(package)
    if spec is None:
        return
    for folder in spec.submodule_search_locations or ():
        yield from ((path.relative_to(folder).as_posix(), path) for path in Path(folder).rglob("*.py"))
    if not spec.submodule_search_locations and spec.origin and Path(spec.origin).is_file():
        yield Path(spec.origin).name, Path(spec.origin)
