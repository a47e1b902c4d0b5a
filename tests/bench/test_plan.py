"""What a bench has to do, and by which names."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from benches import save_pictures, small_plan
from tenjigsaw.bench.plan import BUILT_IN, find_sources, quick_plan
from tenjigsaw.bench.rows import file_safe


def test_a_folder_is_a_set(tmp_path):
    one, two = save_pictures(tmp_path / "one", 2), save_pictures(tmp_path / "two", 3)
    sources = find_sources([one, two / "01.png", two / "00.png"], drawn=1)
    assert [(source.set, source.picture, source.drawn) for source in sources] == [
        ("one", "00", True),
        ("one", "01", False),
        ("two", "01", True),
        ("two", "00", False),
    ]
    assert all(source.path.is_absolute() for source in sources)


def test_pictures_of_one_name_are_told_apart(tmp_path):
    for folder in ("a/same", "b/same", "c/same"):
        save_pictures(tmp_path / folder, 1)
    (tmp_path / "a" / "same" / "00.bmp").write_bytes(b"")
    sources = find_sources([tmp_path / name / "same" for name in "abc"], drawn=0)
    assert [source.picture for source in sources] == ["00", "00.png", "00.png-2", "00.png-3"]


@given(st.lists(st.text("aB-. é/1".replace("/", ""), min_size=1, max_size=4), min_size=1, max_size=6))
def test_no_two_tasks_go_by_one_name(names):
    from tenjigsaw.bench.plan import _named

    sources = _named([(name, Path(f"/{name}/x.png")) for name in names], 0)
    labels = [f"{file_safe(source.set)}-{file_safe(source.picture)}".lower() for source in sources]
    assert len(set(labels)) == len(labels)


def test_tasks_are_all_combinations(tmp_path):
    plan = small_plan(save_pictures(tmp_path / "set", 3))
    tasks = plan.tasks()
    assert len({task.name for task in tasks}) == len(tasks) == 6
    assert [task.source.picture for task in tasks] == ["00", "00", "01", "01", "02", "02"]
    assert all(task.conditions.erosion == 1 for task in tasks)


def test_settings_change_with_the_pictures(tmp_path):
    folder = save_pictures(tmp_path / "set", 2)
    before = small_plan(folder).settings()
    assert small_plan(folder).settings() == before
    assert small_plan(folder, repeats=2).settings() != before
    (folder / "01.png").write_bytes((folder / "01.png").read_bytes() + b"more")
    assert small_plan(folder).settings() != before


def test_the_quick_bench_is_on_pictures_of_the_package():
    plan = quick_plan(drawn=1)
    assert {source.set for source in plan.sources} == {BUILT_IN}
    assert len(plan.sources) == 3
    assert all(source.path.is_file() for source in plan.sources)
    assert [source.drawn for source in plan.sources] == [True, False, False]


def test_more_pixels_or_other_weights_make_another_bench(tmp_path, monkeypatch):
    plan = small_plan(save_pictures(tmp_path / "set", 2))
    before = plan.settings()
    assert plan.settings() == before
    monkeypatch.setattr("tenjigsaw.bench.plan.fingerprint", lambda measure: f"other weights of {measure}")
    assert plan.settings() != before
    monkeypatch.undo()
    with (tmp_path / "set" / "01.png").open("ab") as file:
        file.write(b"more")
    assert plan.settings() != before
