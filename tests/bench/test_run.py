"""A bench is killed, stopped and taken up again, and comes out the same."""

import json
import os
import signal
import subprocess
import time
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benches import NO_STORE, save_pictures, small_plan
from commands import PROGRAM, contents, heed_interrupts, run_apart
from tenjigsaw import __version__
from tenjigsaw.bench.folder import JOURNAL, BenchFolder
from tenjigsaw.bench.rows import read_rows
from tenjigsaw.bench.run import Means, run_bench, run_bench_into
from tenjigsaw.bench.solving import Surroundings, solve_task
from tenjigsaw.errors import InputError
from tenjigsaw.solvers import Stop

MEANS = Means(NO_STORE)
OPTIONS = ("--measures", "ssd,mgc", "--normalise", "none,sinkhorn", "--solvers", "segments,tree", "--piece", 16)


def into(folder, plan, **more):
    return run_bench_into(folder, plan, "tenjigsaw bench", MEANS, **more)


def undone(rows):
    return [replace(row, score_seconds=0.0, seconds=0.0) for row in rows]


class TestRows:
    def test_every_combination_once(self, tmp_path):
        plan = small_plan(
            save_pictures(tmp_path / "set", 2), normalisations=("none", "ten"), solvers=("tree", "segments")
        )
        plan = replace(plan, erosions=(0, 1), work=replace(plan.work, repeats=2))
        rows = run_bench(plan, MEANS)
        # The tree never draws, so once is enough.
        assert len(rows) == 2 * 2 * 2 * 2 * (1 + 2)
        assert len({row.key for row in rows}) == len(rows)
        assert {row.set for row in rows} == {"set"}
        assert {(row.solver, row.repeat) for row in rows} == {("tree", 0), ("segments", 0), ("segments", 1)}
        clean = [row for row in rows if row.erosion == 0]
        assert all((row.top1, row.neighbour, row.perfect) == (1, 1, 1) for row in clean)

    def test_a_picture_of_each_row_that_is_drawn(self, tmp_path):
        rows = into(tmp_path / "out", small_plan(save_pictures(tmp_path / "set", 2), drawn=1))
        names = set(contents(tmp_path / "out" / "pictures"))
        drawn = [row for row in rows if row.picture == "00"]
        assert len(drawn) == 2
        assert {name for name in names if not name.endswith("-mistakes.webp")} == {
            "set-00-truth.webp",
            *(f"{row.key}-{what}.webp" for row in drawn for what in ("before", "after", "joins")),
        }

    def test_what_asked_for_it_stands_beside(self, tmp_path):
        plan = small_plan(save_pictures(tmp_path / "set", 1))
        into(tmp_path / "out", plan)
        about = json.loads((tmp_path / "out" / "run.json").read_text())
        assert about["command"] == "tenjigsaw bench"
        assert about["version"] == __version__
        assert about["settings"] == plan.settings()
        assert about["processors"] >= 1


class TestResume:
    @settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(share=st.floats(0, 1))
    def test_a_journal_cut_anywhere_leads_to_the_same_rows(self, tmp_path_factory, share):
        place = tmp_path_factory.mktemp("bench")
        plan = small_plan(save_pictures(place / "set", 2))
        into(place / "whole", plan)
        folder = BenchFolder(place / "cut", plan, "tenjigsaw bench")
        for task in plan.tasks()[::-1]:
            folder.keep(solve_task(task, Surroundings(NO_STORE)))
        journal = place / "cut" / JOURNAL
        journal.write_bytes(journal.read_bytes()[: int(share * journal.stat().st_size)])
        into(place / "cut", plan)
        assert (place / "cut" / "rows.csv").read_bytes() == (place / "whole" / "rows.csv").read_bytes()
        assert not journal.exists()

    def test_only_what_is_left_is_done(self, tmp_path):
        plan = small_plan(save_pictures(tmp_path / "set", 2))
        folder = BenchFolder(tmp_path / "out", plan, "tenjigsaw bench")
        for task in plan.tasks()[:3]:
            folder.keep(solve_task(task, Surroundings(NO_STORE)))
        told = []
        into(tmp_path / "out", plan, progress=lambda stage, share: told.append((stage, share)))
        assert told == [("01.png", 0.0), ("1 of 1 puzzles", 1.0)]

    def test_a_finished_bench_is_not_done_again(self, tmp_path):
        plan = small_plan(save_pictures(tmp_path / "set", 1))
        first = into(tmp_path / "out", plan)
        before = contents(tmp_path)
        assert into(tmp_path / "out", plan) == first
        assert contents(tmp_path) == before

    def test_a_bench_from_before_there_was_a_setting_goes_on(self, tmp_path):
        plan = small_plan(save_pictures(tmp_path / "set", 1))
        into(tmp_path / "out", plan)
        about = json.loads((tmp_path / "out" / "run.json").read_text())
        del about["settings"]["patience"]
        (tmp_path / "out" / "run.json").write_text(json.dumps(about))
        assert len(into(tmp_path / "out", plan)) == 2
        with pytest.raises(InputError, match="other settings"):
            into(tmp_path / "out", replace(plan, work=replace(plan.work, stop=Stop(patience=3))))

    def test_another_bench_is_refused_or_starts_over(self, tmp_path):
        pictures = save_pictures(tmp_path / "set", 1)
        into(tmp_path / "out", small_plan(pictures, drawn=1))
        (tmp_path / "out" / "mine.txt").write_text("mine")
        before, other = contents(tmp_path), small_plan(pictures, normalisations=("ten",))
        with pytest.raises(InputError, match="other settings"):
            into(tmp_path / "out", other)
        assert contents(tmp_path) == before
        rows = into(tmp_path / "out", other, force=True)
        assert {row.normalise for row in rows} == {"ten"}
        assert set(contents(tmp_path / "out")) == {"mine.txt", "rows.csv", "run.json", "times.csv"}

    @pytest.mark.parametrize(
        ("name", "text", "said"),
        [
            ("rows.csv", "picture\n", "exists already"),
            ("run.json", "{", "is not from a bench"),
            ("run.json", "[]", "is not from a bench"),
        ],
    )
    def test_files_of_others_are_left_alone(self, tmp_path, name, text, said):
        plan = small_plan(save_pictures(tmp_path / "set", 1))
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / name).write_text(text)
        before = contents(tmp_path)
        with pytest.raises(InputError, match=said):
            into(tmp_path / "out", plan)
        assert contents(tmp_path) == before

    def test_rows_of_others_give_way_when_forced(self, tmp_path):
        plan = small_plan(save_pictures(tmp_path / "set", 1))
        (tmp_path / "out" / "pictures").mkdir(parents=True)
        (tmp_path / "out" / "pictures" / "mine.png").write_bytes(b"mine")
        (tmp_path / "out" / "rows.csv").write_text("picture\n")
        assert into(tmp_path / "out", plan, force=True) == read_rows(tmp_path / "out")
        assert (tmp_path / "out" / "pictures" / "mine.png").exists()

    def test_a_damaged_journal_is_refused(self, tmp_path):
        plan = small_plan(save_pictures(tmp_path / "set", 1))
        BenchFolder(tmp_path / "out", plan, "tenjigsaw bench")
        (tmp_path / "out" / JOURNAL).write_text('{"task": "x"}\n')
        with pytest.raises(InputError, match="damaged"):
            into(tmp_path / "out", plan)


def lines_of(journal) -> int:
    """How many puzzles are written down whole; a journal that was only just opened has none."""
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def ended_by(kind: int, command: list[str], out) -> subprocess.Popen:
    """Start a bench and send it a signal once the first puzzle is written down; Ctrl-C goes to its children too."""
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True,
        preexec_fn=heed_interrupts,
    )  # fmt: skip
    while process.poll() is None and not lines_of(out / JOURNAL):
        time.sleep(0.01)
    assert process.poll() is None, process.stderr.read()
    (os.killpg if kind == signal.SIGINT else os.kill)(process.pid, kind)
    process.wait(timeout=60)
    return process


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("ends")


@pytest.fixture(scope="module")
def pictures(place):
    return save_pictures(place / "set", 5, 5, 6)


@pytest.fixture(scope="module")
def whole(place, pictures):
    """The rows of a bench that nothing disturbed."""
    ran = run_apart("bench", pictures, *OPTIONS, "--out", place / "whole", "--jobs", 1, "--cache", place / "one")
    assert ran.code == 0, ran.err
    return (place / "whole" / "rows.csv").read_bytes()


class TestEnds:
    @pytest.mark.parametrize(("kind", "jobs"), [(signal.SIGKILL, 1), (signal.SIGKILL, 2), (signal.SIGINT, 2)])
    def test_the_same_command_goes_on_to_the_same_rows(self, place, pictures, whole, kind, jobs):
        out = place / f"out-{kind}-{jobs}"
        # Scores are not kept, so that all is computed anew.
        options = ("bench", pictures, *OPTIONS, "--out", out, "--jobs", jobs, "--cache-gigabytes", 0)
        ended = ended_by(kind, [*PROGRAM, *map(str, options)], out)
        assert not (out / "rows.csv").exists()
        if kind == signal.SIGINT:
            assert (ended.returncode, ended.stderr.read()) == (130, "tenjigsaw: Stopped.\n")
        assert 1 <= lines_of(out / JOURNAL) < 20
        ran = run_apart(*options)
        assert ran.code == 0, ran.err
        assert (out / "rows.csv").read_bytes() == whole
        assert len(read_rows(out)) == 5 * 2 * 2 * 2 * 2
        assert set(contents(out / "tables")) >= {"top1.md", "neighbour.tex", "seconds.csv"}
