"""Tables keep names whole, however narrow the terminal, and are as wide as they like where there is none."""

import io

import pytest
from rich.console import Console

from tenjigsaw.cli import console

MEANS = {
    "measure": "unified-rerank",
    "normalise": "sinkhorn",
    "solver": "row-by-row",
    "type": 1,
    "top1": 0.5,
    "neighbour": 0.625,
    "perfect": 0.0,
    "seconds": 12.3456,
    "pictures": 20,
}
SUMMARY = "one network for both sides, tokens along the edge"


def shown(rows: list[dict[str, object]], monkeypatch: pytest.MonkeyPatch, width: int) -> list[str]:
    """The lines that a terminal of this width shows."""
    screen = io.StringIO()
    monkeypatch.setattr(console, "_console", Console(file=screen, width=width, force_terminal=True, color_system=None))
    console.show_table("Means", rows)
    return screen.getvalue().splitlines()


def test_headings_are_whole_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown([MEANS | {"measure": "mgc", "solver": "tree"}], monkeypatch, 80)
    assert [cell.strip() for cell in lines[2].strip("┃").split("┃")] == list(MEANS)


@pytest.mark.parametrize("width", [80, 100, 200])
def test_names_and_numbers_are_never_broken(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    lines = shown([MEANS], monkeypatch, width)
    (line,) = [line for line in lines if "unified-rerank" in line]
    cells = [cell.strip() for cell in line.strip("│").split("│")]
    assert cells == ["unified-rerank", "sinkhorn", "row-by-row", "1", "0.500", "0.625", "0.000", "12.346", "20"]
    assert max(map(len, lines[2:])) <= width


def test_sentences_are_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown([{"measure": "unified-rerank", "summary": SUMMARY, "default": True}], monkeypatch, 40)
    assert max(map(len, lines[2:])) <= 40
    body = [line.split("│")[2].strip() for line in lines if line.startswith("│")]
    assert " ".join(body) == SUMMARY


def test_a_terminal_that_is_narrower_than_the_names_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(shown([MEANS], monkeypatch, 30))
    assert all(cell in text for cell in ("unified-rerank", "row-by-row", "0.625", "12.346"))


def test_long_paths_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    model = {"model": "unified", "hours": 11.28, "on": "val, middle of each", "folder": "/" + 12 * "a_folder/"}
    lines = shown([model], monkeypatch, 60)
    assert max(map(len, lines[2:])) <= 60


def test_where_there_is_no_terminal_every_row_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    console.show_table("Means", [MEANS | {"summary": 3 * SUMMARY, "folder": "/" + 20 * "a_folder/"}] * 2)
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    assert len(rows) == 2
    assert all(3 * SUMMARY in row and 20 * "a_folder/" in row for row in rows)


def test_a_table_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    console.show_table("Means", [])
    assert "│" not in capsys.readouterr().out
