"""The page of `tenjigsaw report`: what is in it, whatever the folder lacks."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from report.folders import COMMAND, bench_row, results_folder, some_rows
from tenjigsaw import __version__
from tenjigsaw.errors import InputError
from tenjigsaw.report.gallery import pictures_in, shown_puzzles, shown_results
from tenjigsaw.report.page import build_page


class Outline(HTMLParser):
    """Every element with its attributes, and all text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)

    def with_class(self, name):
        return [attributes for _, attributes in self.elements if name in (attributes.get("class") or "").split()]


@pytest.fixture
def folder(tmp_path):
    return results_folder(tmp_path / "found", some_rows())


def test_the_page_needs_nothing_from_anywhere(folder):
    outline = Outline(build_page(folder))
    for tag, attributes in outline.elements:
        assert tag not in ("link", "iframe", "object", "embed")
        for name in ("src", "href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:image/")), (tag, attributes)
    page = build_page(folder)
    assert "url(" not in page
    assert "@import" not in page


def test_the_page_says_how_it_was_made(folder):
    page = build_page(folder)
    assert COMMAND in page
    assert f"tenjigsaw {__version__}" in page
    assert "ssd, mgc" in page


def test_the_summary_names_the_best(tmp_path):
    rows = [bench_row(1, measure="mgc"), bench_row(9, measure="ssd")]
    text = " ".join(Outline(build_page(results_folder(tmp_path / "r", rows))).words)
    assert "1 picture was cut into 1 puzzle of 12 pieces" in text
    assert "MGC, Sinkhorn, tree finds 70.0% of the true joins" in text
    assert "SSD, Sinkhorn, tree, finds 30.0%" in text


def test_a_puzzle_that_was_solved_again_is_still_one(tmp_path):
    rows = [replace(bench_row(repeat=repeat), perfect=int(repeat == 0)) for repeat in range(4)]
    rows += [replace(bench_row(picture="dog.png", repeat=repeat), perfect=1) for repeat in range(4)]
    page = build_page(results_folder(tmp_path / "r", rows, pictures=False))
    assert "2 pictures were cut into 2 puzzles" in page
    assert "and 1.2 of 2 puzzles without a mistake on average." in page
    assert '<td class="number" data-value="2">2</td>' in page
    assert '<td class="number" data-value="1.2">1.2</td>' in page
    assert "<caption>Means over the puzzles of few; perfect puzzles as a mean over the repeats</caption>" in page


def test_of_means_only_those_that_are_not_whole_have_a_decimal(tmp_path):
    pictures = ("cat.png", "dog.png")
    rows = [
        bench_row(type=kind, picture=name, repeat=repeat) for kind in (1, 2) for name in pictures for repeat in (0, 1)
    ]
    rows = [replace(row, perfect=int(row.type == 2 or row.repeat == 0 or row.picture == "cat.png")) for row in rows]
    page = build_page(results_folder(tmp_path / "r", rows, pictures=False))
    assert '<td class="number" data-value="1.5">1.5</td>' in page
    assert '<td class="number" data-value="2.0">2</td>' in page
    whole = [replace(row, perfect=1) for row in rows]
    assert "a mean over the repeats" not in build_page(results_folder(tmp_path / "whole", whole, pictures=False))


def test_every_worn_puzzle_has_its_results_and_the_truth(folder):
    outline = Outline(build_page(folder))
    # Two pictures and types, clean ones left out; for each two measures and two solvers, and the truth.
    assert len(outline.with_class("puzzle")) == 4
    assert len(outline.with_class("choose")) == 4 * 4
    assert len(outline.with_class("card")) == 4 * 5
    assert all(attributes["alt"] for attributes in outline.with_class("after"))


def test_only_so_many_puzzles_as_wanted_are_shown(folder):
    page = build_page(folder, most_puzzles=3)
    assert len(Outline(page).with_class("puzzle")) == 3
    assert "1 puzzle more left out" in page
    assert not Outline(build_page(folder, most_puzzles=0)).with_class("puzzle")


def test_of_many_results_the_best_of_each_measure_is_shown():
    rows = [bench_row(0, measure=f"m{number % 5}", solver=f"s{number}") for number in range(20)]
    assert shown_results(rows) == rows[-5:]
    assert shown_results(rows[:8]) == rows[:8]


def test_sets_take_turns_so_that_none_is_left_out(tmp_path):
    rows = [bench_row(set=name, picture=f"{number}.png") for name in ("a", "b") for number in range(3)]
    pictures = pictures_in(results_folder(tmp_path / "r", rows) / "pictures")
    assert [group[0].set for group in shown_puzzles(rows, pictures)] == ["a", "b"] * 3


def test_a_page_does_not_grow_without_end(folder, monkeypatch):
    monkeypatch.setattr("tenjigsaw.report.gallery.MOST_CHARACTERS", 1000)
    page = build_page(folder)
    assert len(Outline(page).with_class("puzzle")) == 1
    assert "3 puzzles more left out" in page


def test_tables_can_be_sorted_by_keyboard_and_reader(folder):
    page = build_page(folder)
    heads = re.findall(r"<th scope[^>]*>(.*?)</th>", page)
    assert len(heads) > 20
    assert all(re.fullmatch(r'<button type="button">[^<]+</button>', head) for head in heads)


def test_tables_that_the_bench_wrote_are_shown_under_their_heading(folder):
    (folder / "tables").mkdir()
    (folder / "tables" / "top1.md").write_text(
        "Top-1, beside the paper\n\n| measure | ours | gain |\n| --- | ---: | ---: |\n"
        "| a\\|b | 53.8 | +1.2 [0.3, 2.0] |\n| 0001.png | 7 |  |\n| short |\n"
    )
    (folder / "tables" / "empty.md").write_text("Nothing here\n")
    page = build_page(folder)
    assert '<table id="table-top1"><caption>Top-1, beside the paper</caption>' in page
    first = '<td>a|b</td><td class="number" data-value="53.8">53.8</td><td class="number" data-value="1.2">'
    assert f"{first}+1.2 [0.3, 2.0]</td>" in page
    assert '<td>0001.png</td><td class="number" data-value="7.0">7</td><td></td>' in page
    assert "table-empty" not in page


def test_names_from_files_can_not_become_markup(tmp_path):
    bad = '<img src=x onerror="alert(1)">'
    rows = [bench_row(1, set=bad, picture=bad + ".png", measure=bad, normalise=bad, solver=bad)]
    folder = results_folder(tmp_path / "r", rows)
    (folder / "run.json").write_text('{"command": "</pre><script>alert(1)</script>", "<b>": "<i>"}')
    (folder / "tables").mkdir()
    (folder / "tables" / "t.md").write_text("<u>t</u>\n| <u>a</u> |\n|---|\n| <s>b</s> |\n")
    outline = Outline(build_page(folder, title="<title>"))
    tags = [tag for tag, _ in outline.elements]
    assert not {"i", "u", "s"} & set(tags)
    assert tags.count("script") == 1
    assert not any("onerror" in attributes for _, attributes in outline.elements)


def test_a_folder_without_pictures_tables_or_run_still_gives_a_page(tmp_path):
    folder = results_folder(tmp_path / "r", some_rows(), pictures=False)
    (folder / "run.json").unlink()
    (folder / "pictures").rmdir()
    outline = Outline(build_page(folder))
    sections = [attributes.get("id") for tag, attributes in outline.elements if tag == "section"]
    assert sections == ["summary", "figures", "tables", "made"]


def test_a_file_that_is_no_picture_is_left_out(folder):
    for path in (folder / "pictures").glob("*-joins.webp"):
        path.write_bytes(b"<html>")
    assert not Outline(build_page(folder)).with_class("joins")


def spoil_number(path):
    """Make the first Top-1 no number."""
    lines = path.read_text().splitlines()
    place = lines[0].split(",").index("top1")
    cells = lines[1].split(",")
    lines[1] = ",".join([*cells[:place], "nan", *cells[place + 1 :]])
    path.write_text("\n".join(lines))


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda folder: (folder / "rows.csv").unlink(), "has no rows.csv"),
        (lambda folder: (folder / "rows.csv").write_text("key,set\n"), "has no rows yet"),
        (lambda folder: (folder / "rows.csv").write_text("key,set\na,b\n"), "is not from a bench"),
        (lambda folder: spoil_number(folder / "rows.csv"), "is not from a bench: line 2"),
        (lambda folder: (folder / "run.json").write_text("{"), "is not valid JSON"),
        (lambda folder: (folder / "run.json").write_text("[]"), "must hold a JSON object"),
    ],
)
def test_a_folder_that_can_not_be_used_ends_in_one_sentence(run, folder, tmp_path, spoil, sentence):
    spoil(folder)
    assert sentence in run("report", folder, "--out", tmp_path / "page.html").sentence
    assert not (tmp_path / "page.html").exists()


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="There is no results folder"):
        build_page(tmp_path / "nothing")


@pytest.mark.parametrize("name", ["page.pdf", "page", "html"])
def test_a_page_is_called_a_page(run, folder, tmp_path, name):
    said = run("report", folder, "--out", tmp_path / name).sentence
    assert said == f"The report is a web page, so its name must end in .html or .htm, not {name!r}."
    assert not (tmp_path / name).exists()
    assert run("report", folder, "--out", tmp_path / "page.HTM").code == 0


def test_the_command_writes_one_page_and_keeps_an_earlier_one(run, folder, tmp_path):
    page = tmp_path / "page.html"
    assert run("report", folder, "--out", page, "--title", "My bench").code == 0
    assert "<h1>My bench</h1>" in page.read_text()
    assert "exists already" in run("report", folder, "--out", page).sentence
    assert run("report", folder, "--out", page, "--force", "--puzzles", 0).code == 0
