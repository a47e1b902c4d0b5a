"""`tenjigsaw bench` as a user calls it."""

import csv
import json
from dataclasses import replace

import pytest

from benches import NO_STORE, save_pictures
from commands import Run, contents
from tenjigsaw.bench.folder import BenchFolder
from tenjigsaw.bench.plan import quick_plan
from tenjigsaw.bench.rows import read_rows
from tenjigsaw.bench.solving import Done, Surroundings, solve_task
from tenjigsaw.solvers import create_solver

FAST = ("--measures", "ssd", "--normalise", "none", "--piece", 16, "--jobs", 1)


def test_a_folder_with_all_that_is_promised(run: Run, tmp_path):
    one, two = save_pictures(tmp_path / "one", 2), save_pictures(tmp_path / "two", 1)
    out, cache = tmp_path / "out", tmp_path / "cache"
    ran = run("bench", one, two, *FAST, "--erode", "0,1", "--out", out, "--pictures", 1, "--cache", cache)
    assert ran.code == 0, ran.err
    rows = read_rows(out)
    assert [(row.set, row.picture) for row in rows[::4]] == [("one", "00"), ("one", "01"), ("two", "00")]
    assert {(row.erosion, row.type) for row in rows} == {(0, 1), (0, 2), (1, 1), (1, 2)}
    assert {"run.json", "rows.csv", "times.csv", "tables/top1.md", "pictures/one-00-truth.webp"} <= set(contents(out))
    assert not [name for name in contents(out / "pictures") if name.startswith("one-01")]
    command = json.loads((out / "run.json").read_text())["command"]
    assert command.startswith(f"tenjigsaw bench {one} {two} --measures ssd")
    # The picture of the second set is the same as one of the first, and is scored once.
    assert len(list(cache.glob("*.npz"))) == 8
    assert "Means" in ran.out


def test_names_given_twice_count_once(run: Run, tmp_path):
    options = ("--measures", "ssd,ssd", "--solvers", "tree,tree", "--types", "1,1", "--erode", "1,1", "--piece", 16)
    pictures = save_pictures(tmp_path / "set", 1)
    assert (
        run("bench", pictures, *options, "--normalise", "none,none", "--jobs", 1, "--out", tmp_path / "out").code == 0
    )
    assert len(read_rows(tmp_path / "out")) == 1


def test_pictures_are_counted_not_repeats(run: Run, tmp_path):
    pictures = save_pictures(tmp_path / "set", 2)
    options = (*FAST, "--solvers", "segments", "--types", 1, "--repeat", 2)
    (line,) = [line for line in run("bench", pictures, *options).out.splitlines() if "ssd" in line]
    assert line.split("│")[-2].strip() == "2"


def test_heaps_are_counted_as_heaps(run: Run, tmp_path):
    pictures = save_pictures(tmp_path / "set", 2)
    options = ("--measures", "ssd", "--normalise", "none", "--piece", 16, "--types", 1, "--mixed", 2)
    out = run("bench", pictures, *options).out
    assert "heaps" in out
    assert "pictures" not in out


@pytest.mark.parametrize("rule", ["generations", "patience"])
def test_rules_to_stop_are_settings_of_the_bench(run: Run, tmp_path, rule):
    pictures, out = save_pictures(tmp_path / "set", 1), tmp_path / "out"
    options = ("--measures", "ssd", "--normalise", "none", "--solvers", "genetic", "--types", 2, "--piece", 16)
    assert run("bench", pictures, *options, f"--{rule}", 1, "--jobs", 1, "--out", out).code == 0
    assert json.loads((out / "run.json").read_text())["settings"][rule] == 1
    ran = run("bench", pictures, *options, f"--{rule}", 2, "--jobs", 1, "--out", out)
    assert "holds a bench with other settings" in ran.sentence


def test_patience_reaches_the_solver(run: Run, tmp_path, monkeypatch):
    given = []
    monkeypatch.setattr("tenjigsaw.bench.solving.create_solver", lambda name: Heeding(given))
    ran = run("bench", save_pictures(tmp_path / "set", 1), *FAST, "--types", 1, "--patience", 7)
    assert ran.code == 0, ran.err
    assert given[-1].patience == 7


def test_a_solver_that_lays_nothing_is_refused(run: Run, tmp_path, monkeypatch):
    monkeypatch.setattr("tenjigsaw.bench.solving.create_solver", lambda name: Idle())
    pictures = save_pictures(tmp_path / "set", 1)
    assert "The solver tree must return a Layout, not NoneType" in run("bench", pictures, *FAST).sentence


class Idle:
    """Lays nothing."""

    def solve(self, scores, frame, stop, rng):
        return None


class Heeding:
    """The tree, which writes down when it was told to stop."""

    draws = False

    def __init__(self, given):
        self.given = given

    def solve(self, scores, frame, stop, rng):
        self.given.append(stop)
        return create_solver("tree").solve(scores, frame, stop, rng)


def test_another_command_into_the_same_folder_is_refused(run: Run, tmp_path):
    pictures, out = save_pictures(tmp_path / "set", 1), tmp_path / "out"
    assert run("bench", pictures, *FAST, "--out", out).code == 0
    assert run("bench", pictures, *FAST, "--out", out, "--cache-gigabytes", 0).code == 0
    ran = run("bench", pictures, *FAST, "--out", out, "--seed", 1)
    assert ran.code == 2
    assert ran.sentence == f"{out} holds a bench with other settings; give another folder, or --force to start over."
    assert run("bench", pictures, *FAST, "--out", out, "--seed", 1, "--force").code == 0
    assert {row.seed for row in read_rows(out)} == {1}


def test_one_file_without_a_folder(run: Run, tmp_path):
    pictures = save_pictures(tmp_path / "set", 2)
    assert run("bench", pictures, *FAST, "--csv", tmp_path / "out.csv").code == 0
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    columns = "picture,measure,normalise,solver,type,pieces,drop,neighbour,direct,largest,perfect,seconds"
    assert ",".join(rows[0]) == columns
    assert [(row["picture"], row["type"]) for row in rows] == [
        ("00.png", "1"),
        ("00.png", "2"),
        ("01.png", "1"),
        ("01.png", "2"),
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "Name pictures or folders of pictures"),
        (("--quick", "--measures", "ssd"), "leave out --measures"),
        (("--quick", "--seed", 1), "leave out --seed"),
        (("--quick", "--csv", "x.csv"), "--quick is a fixed bench; leave out --csv"),
        (("PICTURES", "--quick"), "leave out"),
        (("PICTURES", "--erode", "0,1", "--csv", "x.csv"), "does not tell pieces by their wear"),
        (("PICTURES", "--pictures", 2), "into the folder that --out names; leave out --pictures"),
        (("PICTURES", "--pictures", 2, "--csv", "x.csv"), "leave out --pictures"),
        (("PICTURES", "--erode", "1,some"), "not 'some'"),
        (("PICTURES", "--erode", "-1"), "not '-1'"),
        (("PICTURES", "--mixed", 2, "--out", "out"), "kept with --csv"),
        (("PICTURES", "--mixed", 2, "--repeat", 2), "once"),
        (("PICTURES", "--mixed", 2, "--solvers", "segments", "--jobs", 2), "leave out --jobs"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, tmp_path, monkeypatch, options, said):
    pictures = save_pictures(tmp_path / "set", 2)
    monkeypatch.chdir(tmp_path)
    before = contents(tmp_path)
    ran = run("bench", *(pictures if option == "PICTURES" else option for option in options))
    assert ran.code == 2
    assert said in ran.sentence
    assert contents(tmp_path) == before


def test_broken_pictures_leave_what_was_found_before(run: Run, tmp_path):
    pictures, out = save_pictures(tmp_path / "set", 2), tmp_path / "out"
    whole = (pictures / "01.png").read_bytes()
    (pictures / "01.png").write_bytes(bytes(len(whole)))
    ran = run("bench", pictures, *FAST, "--out", out)
    assert ran.code == 2
    assert "01.png" in ran.sentence
    (pictures / "01.png").write_bytes(whole)
    assert run("bench", pictures, *FAST, "--out", out).code == 0
    assert len(read_rows(out)) == 4


def test_a_bench_that_finds_nothing_leaves_nothing(run: Run, tmp_path):
    pictures = save_pictures(tmp_path / "set", 1)
    before = contents(tmp_path)
    assert "erosion of 7 pixels" in run("bench", pictures, *FAST, "--erode", 7, "--out", tmp_path / "out").sentence
    assert contents(tmp_path) == before


def test_the_quick_bench_starts_by_itself(run: Run, tmp_path, monkeypatch):
    """Its puzzles are those of the package; here they are found done, so that nothing is left but the tables."""

    monkeypatch.chdir(tmp_path)
    plan = quick_plan(3)
    one = solve_task(replace(plan.tasks()[0], source=replace(plan.sources[0], drawn=False)), Surroundings(NO_STORE))
    folder = BenchFolder(tmp_path / "quick", plan, "tenjigsaw bench --quick")
    for task in plan.tasks():
        folder.keep(Done(task.name, one.rows, {}))
    assert run("bench", "--quick").code == 0
    assert len(read_rows(tmp_path / "quick")) == 36 * 4
