"""The shape of the house: nothing flows back, and heavy things wait until needed."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "tenjigsaw"

# A part imports only itself and what stands before it.
ORDER = [
    *("errors", "files", "plugins", "threads", "compilation", "geometry", "layout", "progress", "pictures", "puzzle"),
    *("measures", "solvers", "evaluation", "confidence", "rendering", "reassembly", "mistakes", "animation", "bench"),
    *("report", "networks", "training", "cli"),
]
FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def part_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_parts(path: Path) -> set[str]:
    modules = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            modules |= {f"{node.module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
    parts = {module.split(".")[1] for module in modules if module.startswith("tenjigsaw.")}
    return parts - {"__version__"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_nothing_flows_back(path):
    allowed = ORDER[: ORDER.index(part_of(path)) + 1]
    assert imported_parts(path) <= set(allowed)


def test_files_stay_short():
    root = SOURCE.parent.parent
    files = [path for part in ("src", "tests", "benchmarks", "examples") for path in (root / part).rglob("*.py")]
    assert [str(path.relative_to(root)) for path in files if len(path.read_text().splitlines()) > 400] == []


def loaded_after(code: str) -> set[str]:
    listing = f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_solving_never_loads_torch():
    code = "from tenjigsaw import reassembly, cli; import tenjigsaw.cli.main; tenjigsaw = __import__('tenjigsaw')\n"
    loaded = loaded_after(code + "tenjigsaw.reassemble; tenjigsaw.create_measure('default')")
    assert "numba" in loaded
    assert "torch" not in loaded


def test_help_loads_nothing_heavy():
    loaded = loaded_after("import tenjigsaw.cli.main")
    assert not loaded & {"numpy", "numba", "PIL", "torch", "scipy"}


def test_every_public_name_is_there():
    import tenjigsaw

    for name in tenjigsaw.__all__:
        assert getattr(tenjigsaw, name) is not None
    with pytest.raises(AttributeError):
        _ = tenjigsaw.nothing_of_that_name


def test_compiles_where_nothing_but_the_temporary_folder_can_be_written(tmp_path):
    """As in a container that runs as any user: package and home are not writable, whatever root may do."""
    package = tmp_path / "site" / "tenjigsaw"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__"))
    # A file where a folder is needed can't be written into even by root.
    (package / "__pycache__").write_text("")
    for folder in ("measures", "solvers"):
        (package / folder / "__pycache__").write_text("")
    home = tmp_path / "home"
    home.write_text("")
    code = "import numpy as np; from tenjigsaw.measures.kernels import smallest_in_rows as smallest\n"
    code += "print(smallest(np.eye(3, dtype=np.float32), 1))"
    surroundings = {**os.environ, "PYTHONPATH": str(package.parent), "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    surroundings.pop("XDG_CACHE_HOME", None)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=surroundings, check=False)
    assert done.returncode == 0, done.stderr


def test_nobody_is_told_that_it_runs(tmp_path):
    """ONNX Runtime keeps an identity of the machine and its reports in the home folder, unless told not to."""
    code = "import drawing, tenjigsaw; tenjigsaw.create_measure('unified').scores(drawing.thinned_puzzle())"
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith(("ORT_", "XDG_"))}
    surroundings |= {"HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent)}
    subprocess.run([sys.executable, "-c", code], env=surroundings, check=True)
    assert not [path for path in tmp_path.rglob("*") if "onnxruntime" in path.name]
