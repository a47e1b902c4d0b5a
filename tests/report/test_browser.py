"""The page in a real browser: its script runs, tables sort, sliders slide, and nothing is blank."""

import json
import re

import numpy as np
import pytest
from PIL import Image

from report.browser import browse, needs_browser
from report.folders import results_folder, some_rows
from tenjigsaw.report.page import build_page

pytestmark = needs_browser

# Does what a visitor would and writes down what came of it.
VISIT = """
window.addEventListener("error", (event) => { seen.errors.push(event.message); });
const seen = { errors: [] };
const puzzle = document.querySelector(".puzzle");
const find = (selector) => puzzle.querySelector(selector);
const column = (table, place) => [...table.tBodies[0].rows].map((row) => row.cells[place].textContent);
const means = document.getElementById("means");
const neighbour = [...means.tHead.rows[0].cells].findIndex((head) => head.textContent === "neighbour %");
const head = means.tHead.rows[0].cells[neighbour];
seen.viewer = !find(".viewer").hidden;
seen.cut = find(".compare").style.getPropertyValue("--cut");
seen.before = find(".over").src === find("img.before").src && find(".over").naturalWidth > 0;
find("input").value = "20";
find("input").dispatchEvent(new Event("input"));
seen.moved = find(".compare").style.getPropertyValue("--cut");
find(".choose").click();
seen.chosen = find(".under").src === find(".choose img").src && find(".choose").getAttribute("aria-pressed");
find("[data-view=joins]").click();
seen.joins = find(".single").src === find("img.joins").src && find(".compare").hidden;
seen.slider = find("input").checkVisibility();
find("[data-view=mistakes]").click();
seen.mistakes = find(".single").src === find("img.mistakes").src && find(".single").checkVisibility();
seen.enlarged = find(".single").naturalWidth > 0 && find(".nothing").hidden;
seen.told = find(".caption").textContent;
[...puzzle.querySelectorAll(".choose")].at(-1).click();
seen.none = !find(".single").checkVisibility() && find(".nothing").textContent;
head.querySelector("button").click();
seen.highest = [head.getAttribute("aria-sort"), ...column(means, neighbour)];
head.querySelector("button").click();
seen.lowest = [head.getAttribute("aria-sort"), ...column(means, neighbour)];
seen.address = location.hash;
seen.width = [document.documentElement.scrollWidth, window.innerWidth];
const note = document.createElement("script");
note.type = "application/json";
note.id = "seen";
note.textContent = JSON.stringify(seen);
document.body.append(note);
"""


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(build_page(results_folder(tmp_path / "found", some_rows())), encoding="utf-8")
    return path


@pytest.fixture
def seen(page, tmp_path):
    """What a visitor finds."""
    visited = page.with_name("visited.html")
    script = f"<script>window.addEventListener('load', () => {{ {VISIT} }});</script></body>"
    visited.write_text(page.read_text(encoding="utf-8").replace("</body>", script), encoding="utf-8")
    document = browse(visited, tmp_path / "profile", "--dump-dom")
    match = re.search(r'<script type="application/json" id="seen">(.*?)</script>', document)
    assert match, "the visit did not come to its end"
    return json.loads(match[1])


def test_a_visitor_can_use_everything(seen):
    assert seen["errors"] == []
    assert seen["viewer"]
    assert seen["before"]
    assert (seen["cut"], seen["moved"]) == ("50%", "20%")
    assert seen["chosen"] == "true"
    assert seen["joins"]
    assert not seen["slider"]
    assert seen["mistakes"]
    assert seen["enlarged"]
    assert re.search(r"% of joins right; framed orange as joined, framed green beside the true", seen["told"])
    assert seen["none"] == "There are no mistakes."
    highest, lowest = seen["highest"], seen["lowest"]
    assert (highest[0], lowest[0]) == ("descending", "ascending")
    assert [float(value) for value in highest[1:]] == sorted(map(float, highest[1:]), reverse=True)
    assert [float(value) for value in lowest[1:]] == sorted(map(float, lowest[1:]))
    assert len(set(highest)) > 3
    assert re.fullmatch(r"#sort=means,\d+,ascending", seen["address"])


def test_an_address_with_an_order_opens_the_page_in_that_order(page, tmp_path):
    document = browse(page, tmp_path / "profile", "--dump-dom", address="#sort=rows,1,descending")
    table = re.search(r'<table id="rows">.*?</table>', document, re.DOTALL)
    assert table
    assert re.findall(r'<th scope="col"[^>]* aria-sort="(\w+)">', table[0]) == ["descending"]
    types = re.findall(r"<tr><td>[^<]*</td><td[^>]*>(\d)</td>", table[0])
    assert types == ["2"] * 16 + ["1"] * 16


def screenshot(page, tmp_path, *arguments):
    path = tmp_path / "shot.png"
    browse(page, tmp_path / "profile", f"--screenshot={path}", *arguments)
    with Image.open(path) as picture:
        return np.asarray(picture.convert("L")).astype(float)


def test_light_and_dark_pages_show_something(page, tmp_path):
    light = screenshot(page, tmp_path, "--window-size=1280,1200")
    dark = screenshot(page, tmp_path, "--window-size=1280,1200", "--blink-settings=preferredColorScheme=0")
    assert np.median(light) > 200
    assert np.median(dark) < 60
    # The noise of the puzzles' pictures can't be mistaken for an empty page.
    for shot in (light, dark):
        assert shot.std() > 10
        assert len(np.unique(shot)) > 100


def test_nothing_sticks_out_on_a_phone(page, tmp_path):
    # Headless browsers do not make windows as narrow as a phone, but frames in them.
    frame = page.with_name("phone.html")
    read = "document.body.dataset.width = document.querySelector('iframe').contentDocument.documentElement.scrollWidth"
    frame.write_text(f'<body><iframe src="{page.name}" width="390" height="900" onload="{read}"></iframe></body>')
    document = browse(frame, tmp_path / "profile", "--allow-file-access-from-files", "--dump-dom")
    width = re.search(r'data-width="(\d+)"', document)
    assert width
    assert int(width[1]) <= 390
