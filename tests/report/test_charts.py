"""Axes, labels and the SVG of charts."""

import itertools
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenjigsaw.report.axes import fit_axis, in_short
from tenjigsaw.report.charts import Frame, Point, Series, Strip, line_chart, point_chart, strip_chart
from tenjigsaw.report.labels import place_labels
from tenjigsaw.report.palette import ink_of, measures_in_order
from tenjigsaw.report.svg import CHARACTER, apart

SVG = "{http://www.w3.org/2000/svg}"
FRAME = Frame("A <title> & more", "What it shows", "x", "y")
numbers = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


@given(values=st.lists(numbers, min_size=1, max_size=9))
def test_a_straight_axis_holds_its_values_and_few_ticks(values):
    axis = fit_axis(values, 50, 450)
    assert all(50 <= axis.place(value) <= 450 for value in values)
    ticks = axis.ticks()
    assert 2 <= len(ticks) <= 12
    assert all(49.9 <= axis.place(tick) <= 450.1 for tick in ticks)


@given(values=st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=9))
def test_a_logarithmic_axis_holds_its_values(values):
    axis = fit_axis(values, 0, 100, logarithmic=True)
    assert all(0 <= axis.place(value) <= 100 for value in values)
    assert all(-0.1 <= axis.place(tick) <= 100.1 for tick in axis.ticks())


def test_equal_ratios_take_equal_room_on_a_logarithmic_axis():
    axis = fit_axis([1, 1000], 0, 100, logarithmic=True)
    steps = [axis.place(10) - axis.place(1), axis.place(1000) - axis.place(100)]
    assert steps[0] == pytest.approx(steps[1])
    assert axis.ticks() == [1, 10, 100, 1000]


@pytest.mark.parametrize(("value", "words"), [(0.5, "0.5"), (20, "20"), (1600, "1,600"), (31000, "31k")])
def test_ticks_are_short(value, words):
    assert in_short(value) == words


@given(wanted=st.lists(st.floats(0, 200), max_size=10))
def test_labels_at_line_ends_keep_apart_and_inside(wanted):
    places = apart(wanted, 14, 0, 200)
    assert all(-0.01 <= place <= 200.01 for place in places)
    assert all(b - a > 13.99 for a, b in itertools.pairwise(sorted(places)))
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    assert [places[number] for number in order] == sorted(places)


def test_a_label_that_is_in_nobodys_way_stands_beside_its_point():
    assert place_labels([(100, 100)], [50], 0, 300) == [(109, 100, "start")]
    assert place_labels([(480, 100)], [50], 0, 300) == [(471, 100, "end")]


def test_labels_of_points_in_one_place_do_not_cover_each_other():
    placed = place_labels([(100, 100)] * 4, [50] * 4, 0, 300)
    boxes = [(x if side == "start" else x - 50, y) for x, y, side in placed]
    for (one_x, one_y), (other_x, other_y) in itertools.combinations(boxes, 2):
        assert abs(one_x - other_x) >= 50 or abs(one_y - other_y) >= 13


def test_labels_stay_right_of_the_axis_even_where_points_crowd():
    near_the_axis = [Point(f"tree, {n}", "", ink_of("a"), 1 + n / 100, 50 + n / 10) for n in range(6)]
    far = Point("far", "", ink_of("a"), 100, 90)
    drawing = point_chart(Frame("t", "d", "x", "y", (True, False)), [*near_the_axis, far])
    labels = [e for e in ElementTree.fromstring(drawing).iter(f"{SVG}text") if (e.text or "").startswith("tree, ")]
    lefts = [float(e.get("x")) - (len(e.text) * CHARACTER if e.get("text-anchor") == "end" else 0) for e in labels]
    assert len(lefts) == 6
    assert min(lefts) >= 50


def texts(drawing: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(drawing).iter(f"{SVG}text")]


def test_a_line_chart_draws_and_names_every_line_and_can_be_read_aloud():
    lines = [
        Series("MGC", ink_of("mgc"), [(0, 99), (1, 80)], [1, 2]),
        Series("SSD", ink_of("ssd"), [(0, 90), (1, 40)], dashed=True),
    ]
    drawing = line_chart(FRAME, lines)
    root = ElementTree.fromstring(drawing)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "A <title> & more"
    assert root.findtext(f"{SVG}desc") == "What it shows"
    assert len(list(root.iter(f"{SVG}polyline"))) == 2
    assert {"MGC", "SSD", "x", "y"} <= set(texts(drawing))
    assert ink_of("mgc").dark in drawing
    assert "prefers-color-scheme:dark" in drawing


def test_points_stand_higher_the_better_they_are():
    points = [Point("good", "90", ink_of("a"), 1, 90), Point("bad", "10", ink_of("a"), 10, 10)]
    drawing = point_chart(Frame("t", "d", "x", "y", (True, False)), points)
    heights = {e.text: float(e.get("y")) for e in ElementTree.fromstring(drawing).iter(f"{SVG}text")}
    assert heights["good"] < heights["bad"]


def test_a_strip_shows_its_mean():
    drawing = strip_chart(FRAME, [Strip("one", ink_of("mgc"), [50, 100]), Strip("other", ink_of("ssd"), [0])])
    assert {"one", "75.0", "other", "0.0"} <= set(texts(drawing))


def test_known_measures_differ_in_ink_and_unknown_ones_keep_theirs():
    known = ["ssd", "l1", "pbc", "mgc", "ten", "ten-large", "e2e", "unified", "unified-rerank"]
    assert len({ink_of(name).light for name in known}) == len({ink_of(name).dark for name in known}) == len(known)
    assert ink_of("my-own") == ink_of("my-own")
    assert measures_in_order({"zzz", "unified", "aaa", "ssd"}) == ["ssd", "unified", "aaa", "zzz"]
