"""Rows of a bench: written, read, and told apart by their keys."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenjigsaw.bench.rows import COLUMNS, BenchRow, file_safe, read_rows, row_key, write_rows
from tenjigsaw.errors import InputError

ROW = BenchRow(
    key="mit20-01-mgc-sinkhorn-tree-t2-p28-e1-d0.1-s0-r0",
    set="mit20",
    picture="01",
    measure="mgc",
    normalise="sinkhorn",
    solver="tree",
    type=2,
    piece=28,
    erosion=1,
    drop=0.1,
    seed=0,
    repeat=0,
    pieces=432,
    top1=0.527,
    neighbour=0.5,
    direct=0.25,
    largest=0.125,
    perfect=0,
    score_seconds=0.25,
    seconds=1.5,
)


def test_rows_come_back_as_they_were(tmp_path):
    rows = [ROW, replace(ROW, key="other", perfect=1, picture='a "quoted", name')]
    write_rows(tmp_path, rows)
    assert read_rows(tmp_path) == rows
    assert read_rows(tmp_path / "rows.csv") == rows


def test_no_clock_in_rows(tmp_path):
    write_rows(tmp_path, [ROW])
    before = (tmp_path / "rows.csv").read_bytes()
    write_rows(tmp_path, [replace(ROW, seconds=9.0, score_seconds=8.0)])
    assert (tmp_path / "rows.csv").read_bytes() == before
    assert before.decode().splitlines()[0] == ",".join(COLUMNS)


def test_rows_without_times_have_none(tmp_path):
    write_rows(tmp_path, [ROW])
    (tmp_path / "times.csv").unlink()
    assert read_rows(tmp_path) == [replace(ROW, score_seconds=0.0, seconds=0.0)]


@pytest.mark.parametrize("text", ["key,set\na,b\n", "picture,measure\n01.png,mgc\n"])
def test_other_csv_files_are_refused(tmp_path, text):
    (tmp_path / "rows.csv").write_text(text)
    with pytest.raises(InputError, match="line 2"):
        read_rows(tmp_path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"rows\.csv"):
        read_rows(tmp_path)


def test_key_says_all():
    parts = {name: getattr(ROW, name) for name in COLUMNS[1:12]}
    assert row_key(**parts) == ROW.key
    for name in parts:
        other = "zz" if isinstance(parts[name], str) else 7
        assert row_key(**{**parts, name: other}) != ROW.key


@given(st.text())
def test_file_safe_names_are_safe(text):
    safe = file_safe(text)
    assert re.fullmatch(r"[A-Za-z0-9+_][A-Za-z0-9.+_-]*", safe)
    assert file_safe(safe) == safe
