"""What the scores of a measure depend on beside the puzzle."""

import hashlib
from functools import cache
from pathlib import Path

from tenjigsaw.measures.classical import CLASSICAL
from tenjigsaw.measures.models import find_models
from tenjigsaw.measures.registry import models_behind

_PACKAGE = Path(__file__).parent.parent


def fingerprint(measure: str) -> str | None:
    """Changes with the code and the weights of a measure; None for one that was registered from outside."""
    models = find_models()
    behind = [models[name] for name in models_behind(measure) if name in models]
    if not behind and measure not in {classical.name for classical in CLASSICAL}:
        return None
    hashes = [hash_ for model in behind for _, hash_ in sorted(model.hashes.items())]
    return hashlib.sha256("\n".join((measure, _code(), *hashes)).encode()).hexdigest()


@cache
def _code() -> str:
    """A hash of the code that scores: the version alone would miss what changed in a clone."""
    files = [_PACKAGE / "geometry.py", *sorted((_PACKAGE / "measures").glob("*.py"))]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()
