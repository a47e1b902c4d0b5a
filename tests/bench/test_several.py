"""The rows of several benches in one table, figure or page."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from commands import Run, contents
from report.folders import bench_row, results_folder, some_rows
from tenjigsaw.bench.accuracy_tables import neighbour_table
from tenjigsaw.bench.rows import BenchRow, write_rows
from tenjigsaw.bench.several import read_benches
from tenjigsaw.errors import InputError


def bench(folder: Path, *rows: BenchRow, **settings: object) -> Path:
    folder.mkdir()
    write_rows(folder, rows)
    if settings:
        (folder / "run.json").write_text(json.dumps({"command": f"made {folder.name}", "settings": settings}))
    return folder


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """The same two pictures, each bench with a measure of its own."""
    pictures = ("a.png", "b.png")
    one = bench(tmp_path / "one", *(bench_row(1, picture=name, measure="mgc") for name in pictures), generations=10)
    other = bench(tmp_path / "two", *(bench_row(7, picture=name, measure="ten") for name in pictures), generations=10)
    return one, other


def test_rows_follow_each_other(two):
    assert [row.measure for row in read_benches(two)] == ["mgc", "mgc", "ten", "ten"]


def test_a_result_in_several_folders_counts_once(tmp_path):
    rows = [bench_row(1), replace(bench_row(1), seconds=99.0), bench_row(7, measure="ten")]
    one, other = bench(tmp_path / "one", rows[0]), bench(tmp_path / "two", *rows[1:])
    assert [(row.measure, row.seconds) for row in read_benches([one, other])] == [
        ("mgc", rows[0].seconds),
        ("ten", rows[2].seconds),
    ]


def test_tables_have_gains_across_folders(run: Run, two, tmp_path):
    assert run("tables", *two, "--out", tmp_path / "all").code == 0
    assert "+20.0 [+20.0, +20.0]" in (tmp_path / "all" / "neighbour.md").read_text()
    assert not (two[0] / "tables").exists()


def test_one_folder_may_have_its_tables_elsewhere(run: Run, two, tmp_path):
    assert run("tables", two[0], "--out", tmp_path / "elsewhere").code == 0
    assert (tmp_path / "elsewhere" / "top1.tex").exists()


def test_figures_have_the_measures_of_all_folders(run: Run, two, tmp_path):
    (tmp_path / "inference.csv").write_text(
        "pieces,ten,ten_large,e2e,paper_ten,paper_ten_large,paper_e2e\n100,1,2,90,.1,.2,32\n200,2,5,300,.2,.4,120\n"
    )
    assert run("figures", tmp_path, *two, "--out", tmp_path / "drawn").code == 0
    assert {"inference.svg", "accuracy-few-type1.svg"} <= set(contents(tmp_path / "drawn"))
    drawn = (tmp_path / "drawn" / "accuracy-few-type1.svg").read_text()
    assert "MGC, tree" in drawn
    assert "TEN, tree" in drawn


def test_a_page_of_all_folders_has_tables_of_all_rows(run: Run, two, tmp_path):
    assert run("report", *two, "--out", tmp_path / "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert "<h1>tenjigsaw: one, two</h1>" in page
    assert "2 pictures were cut into 2 puzzles" in page
    assert '<table id="table-neighbour">' in page
    assert "+20.0 [+20.0, +20.0]" in page
    assert "made one" in page
    assert "made two" in page


def test_pictures_of_all_folders_are_shown(run: Run, tmp_path):
    one = results_folder(tmp_path / "one", some_rows(measure="mgc", erosion=1)[:1])
    other = results_folder(tmp_path / "two", some_rows(measure="ssd", erosion=1)[:1])
    assert run("report", one, other, "--out", tmp_path / "page.html").code == 0
    assert (tmp_path / "page.html").read_text().count('class="choose"') == 2


@pytest.mark.parametrize("command", ["tables", "figures"])
def test_what_several_folders_make_needs_a_place(run: Run, two, tmp_path, command):
    before = contents(tmp_path)
    assert run(command, *two).sentence == f"Say with --out where the {command} of several folders should go."
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("row", "settings", "said"),
    [
        (bench_row(5), {"generations": 10}, r"hold different results for few-cat\.png-mgc"),
        (bench_row(measure="ten", piece=64), {}, "have other pieces"),
        (bench_row(measure="ten", drop=0.1), {}, "or other shares of them lost, of few"),
        (bench_row(measure="ten"), {"generations": 100}, "made with different --generations"),
        (bench_row(measure="ten"), {"generations": 10, "unknown_frame": True}, "different --unknown-frame"),
    ],
)
def test_folders_that_contradict_each_other_are_refused(tmp_path, row, settings, said):
    one = bench(tmp_path / "one", bench_row(), generations=10)
    with pytest.raises(InputError, match=said):
        read_benches([one, bench(tmp_path / "two", row, **settings)])


def test_other_pictures_of_the_same_name_are_refused(tmp_path):
    larger = [replace(row, pieces=99) for row in [bench_row(measure="ten")]]
    with pytest.raises(InputError, match=r"different pictures that go by the name few/cat\.png"):
        read_benches([bench(tmp_path / "one", bench_row()), bench(tmp_path / "two", *larger)])


def test_solvers_of_one_folder_alone_may_have_rules_of_their_own(tmp_path):
    one = bench(tmp_path / "one", bench_row(solver="tree"), generations=None)
    other = bench(tmp_path / "two", bench_row(solver="genetic"), generations=10)
    assert len(read_benches([one, other])) == 2


def test_a_folder_named_twice_is_refused(two):
    with pytest.raises(InputError, match="named twice"):
        read_benches([two[0], two[0]])


def test_a_figure_that_two_folders_have_is_refused(run: Run, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "training_ten.csv").write_text("run,minutes,val_type1\na,1,0.1\na,2,0.2\n")
    said = run("figures", tmp_path / "one", tmp_path / "two", "--out", tmp_path / "out").sentence
    assert said == "Two of the folders have a figure called learning-ten; leave one of them out."


def test_a_picture_counts_once_however_often_it_was_repeated():
    rows = [bench_row(1, picture="a", repeat=repeat) for repeat in range(3)] + [bench_row(0, picture="b")]
    (line,) = neighbour_table(rows, "mgc").rows
    assert line["type1"] == pytest.approx(0.35)
    assert "type1_spread" not in line


def test_seeds_are_repeats_with_puzzles_of_their_own():
    rows = [bench_row(number, seed=seed) for seed, number in enumerate((1, 3))]
    (line,) = neighbour_table(rows, "mgc").rows
    assert line["type1"] == pytest.approx(0.4)
    assert line["type1_spread"] == pytest.approx(0.424264)
