"""The paper's picture sets in their official layouts: what is found where, and what is missing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenjigsaw.errors import InputError
from tenjigsaw.puzzle.folder import pictures_in


@dataclass(frozen=True)
class PictureSet:
    """One part of a dataset: the folders it may lie in, below the root, and the file stems it has."""

    name: str
    use: str
    folders: tuple[str, ...]
    stems: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """What is there of a picture set: its files in order, and the stems that are missing."""

    set: PictureSet
    folder: Path | None
    files: tuple[Path, ...]
    missing: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """One line for a person."""
        total = len(self.set.stems)
        if self.folder is None:
            return f"{self.set.name}: not found; looked for {' or '.join(self.set.folders)}"
        if not self.missing:
            return f"{self.set.name}: all {total} pictures in {self.folder}"
        some = ", ".join(self.missing[:5]) + (", ..." if len(self.missing) > 5 else "")
        return f"{self.set.name}: {len(self.files)} of {total} pictures in {self.folder}; missing {some}"


def _numbers(first: int, last: int, text: Callable[[int], str] = str) -> tuple[str, ...]:
    return tuple(text(number) for number in range(first, last + 1))


def _four_digits(number: int) -> str:
    return f"{number:04d}"


PICTURE_SETS = {
    found.name: found
    for found in (
        PictureSet("div2k-train", "training", ("DIV2K_train_HR",), _numbers(1, 800, _four_digits)),
        PictureSet("div2k-valid", "test", ("DIV2K_valid_HR",), _numbers(801, 900, _four_digits)),
        PictureSet(
            "pirm-valid",
            "validation",
            ("PIRM_valset/Original", "PIRM_Self-Val_set/HR", "PIRM_Self-Val_set/Original", "PIRM_valset"),
            _numbers(1, 100),
        ),
        PictureSet(
            "pirm-test",
            "test",
            ("PIRM_testset/Original", "PIRM_Test_set/HR", "PIRM_Test_set/Original", "PIRM_testset"),
            _numbers(201, 300),
        ),
        PictureSet("mit", "test", ("imData", "mit20", "MIT", "mit"), _numbers(1, 20)),
    )
}

# What a root is taken for, the paper's choice first.
TRAINING, VALIDATION = ("div2k-train",), ("pirm-valid", "div2k-valid")


def part_for(use: Sequence[str], root: Path) -> Path:
    """The folder of the first of these sets that lies below ``root``, all of it there; else ``root`` itself."""
    for name in use:
        folder = _look(root, PICTURE_SETS[name]).folder
        # Whoever names the folder of a set itself gets what is in it, however much that is.
        if folder is not None and folder != root:
            find_set(name, root)
            return folder
    return root


def survey(root: Path) -> list[Found]:
    """What is found of every set in ``root``: there, below it, or in a folder of the dataset's own."""
    if not root.is_dir():
        raise InputError(f"There is no folder {root}.")
    return [_look(root, wanted) for wanted in PICTURE_SETS.values()]


def find_set(name: str, root: Path) -> tuple[Path, ...]:
    """The pictures of one set in order; all of them, or one sentence that says what is missing."""
    if name not in PICTURE_SETS:
        raise InputError(f"There is no picture set {name!r}; choose one of {', '.join(PICTURE_SETS)}.")
    found = _look(root, PICTURE_SETS[name])
    if found.missing:
        there = f"; name {found.folder} to take what is there" if found.folder else ""
        raise InputError(f"{found.sentence}{there}.")
    return found.files


def _look(root: Path, wanted: PictureSet) -> Found:
    candidates = [_in_folder(folder, wanted) for folder in _places(root, wanted) if folder.is_dir()]
    nothing = Found(wanted, None, (), wanted.stems)
    return max(candidates, key=lambda found: len(found.files), default=nothing)


def _places(root: Path, wanted: PictureSet) -> list[Path]:
    roots = [root, *sorted(folder for folder in root.iterdir() if folder.is_dir())] if root.is_dir() else []
    below = [base / folder for base in roots for folder in wanted.folders]
    return [*below, *(base for base in roots if _is_called(base, wanted)), *([root] if _is_all(root, wanted) else [])]


def _is_called(folder: Path, wanted: PictureSet) -> bool:
    """Whether the folder has one of the set's own names."""
    parts = folder.resolve().parts
    names = (Path(name).parts for name in wanted.folders)
    return any(parts[-len(name) :] == name for name in names)


def _is_all(folder: Path, wanted: PictureSet) -> bool:
    """Whether the folder, whatever its name, holds the pictures of the set and no others."""
    if not folder.is_dir():
        return False
    stems = sorted(path.stem.lstrip("0") for path in pictures_in(folder))
    return stems == sorted(stem.lstrip("0") for stem in wanted.stems)


def _in_folder(folder: Path, wanted: PictureSet) -> Found:
    # "01.png" and "1.png" are the same picture of a set that counts 1, 2, 3.
    there = {path.stem.lstrip("0"): path for path in sorted(folder.glob("*")) if path.is_file()}
    files = {stem: there[stem.lstrip("0")] for stem in wanted.stems if stem.lstrip("0") in there}
    missing = tuple(stem for stem in wanted.stems if stem not in files)
    return Found(wanted, folder, tuple(files.values()), missing)
