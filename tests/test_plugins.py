"""Measures and solvers of other packages: installed, they are there for every command."""

import os
import shutil
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from benches import save_pictures, small_plan
from commands import run_apart
from tenjigsaw.bench.rows import read_rows
from tenjigsaw.errors import InputError
from tenjigsaw.measures import create_measure, list_measures, register_measure
from tenjigsaw.measures.registry import check_model_name
from tenjigsaw.pictures import built_in_pictures
from tenjigsaw.plugins import source_hash
from tenjigsaw.solvers import create_solver, list_solvers, register_solver

EXAMPLES = Path(__file__).parent.parent / "examples"
ANNOUNCED = """[tenjigsaw.measures]
meet = own_measure:MEASURE

[tenjigsaw.solvers]
row-by-row = own_solver:SOLVER
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A folder of packages, as pip would leave it, and a way to put the two examples into it."""

    def install(announced: str = ANNOUNCED) -> Path:
        for example in ("own_measure.py", "own_solver.py"):
            shutil.copy(EXAMPLES / example, tmp_path)
        about = tmp_path / "mine-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(announced)
        monkeypatch.syspath_prepend(tmp_path)
        paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
        return tmp_path

    return install


def test_they_are_found_by_name(installed):
    installed()
    assert create_measure("meet").name == "meet"
    assert create_solver("row-by-row").name == "row-by-row"
    assert "meet" in {measure.name for measure in list_measures()}
    assert "row-by-row" in {solver.name for solver in list_solvers()}


def test_the_command_line_knows_them_and_so_do_its_processes(installed):
    folder = installed()
    small = ("--piece", 56, "--types", 1, "--pictures", 0, "--normalise", "sinkhorn")
    chosen = ("--measures", "meet", "--solvers", "row-by-row", "--jobs", 2, "--out", folder / "bench")
    ran = run_apart("bench", *built_in_pictures()[:2], *small, *chosen)
    assert ran.code == 0, ran.err
    rows = read_rows(folder / "bench" / "rows.csv")
    assert [(row.measure, row.solver) for row in rows] == 2 * [("meet", "row-by-row")]


class Half:
    """Something with a name, and perhaps no more."""

    def __init__(self, **given):
        self.__dict__.update(given)


SAID = {"name": "half", "summary": "half of what is needed"}


@pytest.mark.parametrize(
    ("half", "said"),
    [
        (Half, "must be an object, not the class Half itself"),
        (object(), "must have a name and a summary, both text; object does not"),
        (Half(name="half"), "must have a name and a summary"),
        (Half(**{**SAID, "name": 3}), "must have a name and a summary"),
        (Half(**{**SAID, "name": "a,b"}), "a name without commas or blanks at its ends, not 'a,b'"),
        (Half(**{**SAID, "name": " a"}), "a name without commas or blanks at its ends, not ' a'"),
        (Half(**{**SAID, "name": ""}), "a name without commas or blanks at its ends, not ''"),
    ],
)
@pytest.mark.parametrize("register", [register_measure, register_solver])
def test_what_is_no_measure_or_solver_is_not_registered(register, half, said):
    with pytest.raises(InputError, match=said):
        register(half)


def test_what_lacks_a_method_is_not_registered():
    with pytest.raises(InputError, match="The measure half needs the method 'nearest'"):
        register_measure(Half(**SAID, scores=print))
    with pytest.raises(InputError, match="The solver half needs the method 'solve'"):
        register_solver(Half(**SAID))


@pytest.mark.parametrize("edited", ["own_measure.py", "own_solver.py"])
def test_a_bench_does_not_go_on_after_an_edit(installed, edited):
    folder = installed()
    chosen = ("--measures", "meet", "--solvers", "row-by-row", "--out", folder / "bench", "--jobs", 1)
    small = ("--piece", 56, "--types", 1, "--pictures", 0, "--normalise", "none")
    begun = ("bench", built_in_pictures()[0], *small, *chosen)
    assert run_apart(*begun).code == 0
    assert run_apart(*begun).code == 0, "nothing has changed"
    with (folder / edited).open("a") as file:
        file.write("\n# A better idea.\n")
    assert "holds a bench with other settings" in run_apart(*begun).sentence
    assert run_apart(*begun, "--force").code == 0


def test_the_source_of_a_package_is_all_its_files(tmp_path, monkeypatch):
    package = tmp_path / "of_many_files"
    (package / "inner").mkdir(parents=True)
    for name in ("__init__.py", "inner/__init__.py", "inner/deep.py"):
        (package / name).write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("deep", "of_many_files.inner.deep:MEASURE", "tenjigsaw.measures")
    before = source_hash(point)
    assert source_hash(point) == before
    (package / "__init__.py").write_text("1")
    edited = source_hash(point)
    (package / "inner" / "deep.py").rename(package / "inner" / "renamed.py")
    assert len({before, edited, source_hash(point)}) == 3


def test_only_plugins_add_to_the_settings_of_a_bench(installed, tmp_path):
    installed(
        "[tenjigsaw.measures]\nssd = own_measure:MEASURE\n\n[tenjigsaw.solvers]\nrow-by-row = own_solver:SOLVER\n"
    )
    pictures = save_pictures(tmp_path / "set", 1)
    assert small_plan(pictures).settings()["plugins"] is None
    assert small_plan(pictures, solvers=("tree", "row-by-row")).settings()["plugins"].keys() == {"solver row-by-row"}


def test_built_in_names_stay_what_they_are(installed):
    installed("[tenjigsaw.measures]\nmgc = own_measure:MEASURE\n")
    assert create_measure("mgc").summary.startswith("Mahalanobis")
    assert [measure.name for measure in list_measures()].count("mgc") == 1


def test_an_announced_name_is_taken(installed):
    installed()
    with pytest.raises(InputError, match="already"):
        register_measure(create_measure("meet"))


def test_an_announced_name_is_no_name_for_a_model(installed):
    check_model_name("meet")
    installed()
    with pytest.raises(InputError, match="'meet' is the name of another measure"):
        check_model_name("meet")


@pytest.mark.parametrize(
    ("announced", "said"),
    [
        ("broken = no_such_module:MEASURE", "can't be loaded from no_such_module:MEASURE: No module named"),
        ("broken = own_measure:NOTHING", "can't be loaded from own_measure:NOTHING"),
        ("broken = own_measure:describe", "must have a name and a summary, both text; function does not"),
        ("broken = own_measure:PairMeasure", "must be an object, not the class PairMeasure itself"),
        ("broken = own_measure:MEASURE", "announced as 'broken', but that is not its own name"),
    ],
)
def test_a_broken_one_ends_in_a_sentence_and_disturbs_no_other(installed, announced, said):
    installed(f"[tenjigsaw.measures]\n{announced}\n")
    with pytest.raises(InputError, match=said):
        create_measure("broken")
    assert create_measure("mgc").name == "mgc"
