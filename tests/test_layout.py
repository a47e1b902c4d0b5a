"""Layouts: joins against an obvious loop, turning, and JSON in and out."""

import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenjigsaw.errors import InputError
from tenjigsaw.geometry import edge_facing
from tenjigsaw.layout import EMPTY, FORMAT, Layout, confidence_from_json

RIGHT, DOWN = 1, 2


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    numbers = draw(st.permutations(range(rows * cols + 3)))
    empty = draw(st.lists(st.booleans(), min_size=rows * cols, max_size=rows * cols))
    turns = draw(st.lists(st.integers(0, 3), min_size=rows * cols, max_size=rows * cols))
    piece = [EMPTY if gone else number for gone, number in zip(empty, numbers, strict=False)]
    turn = [0 if gone else turned for gone, turned in zip(empty, turns, strict=True)]
    return Layout(np.array(piece).reshape(rows, cols), np.array(turn).reshape(rows, cols))


def same(one: Layout, other: Layout) -> bool:
    return np.array_equal(one.piece, other.piece) and np.array_equal(one.turn, other.turn)


def joins_one_by_one(layout: Layout) -> set[tuple[int, int, int, int, int]]:
    """(one, other, row, col, direction) of every join, cell by cell."""
    found = set()
    for row in range(layout.rows):
        for col in range(layout.cols):
            for direction, next_row, next_col in ((RIGHT, row, col + 1), (DOWN, row + 1, col)):
                if next_row == layout.rows or next_col == layout.cols:
                    continue
                here, there = layout.piece[row, col], layout.piece[next_row, next_col]
                if here == EMPTY or there == EMPTY:
                    continue
                one = edge_facing(int(here), int(layout.turn[row, col]), direction)
                other = edge_facing(int(there), int(layout.turn[next_row, next_col]), (direction + 2) % 4)
                found.add((one, other, row, col, direction))
    return found


@given(layout=layouts())
def test_joins_are_those_of_the_obvious_loop(layout: Layout) -> None:
    joins = layout.joins()
    listed = [joins.one, joins.other, joins.row, joins.col, joins.direction]
    found = list(zip(*(part.tolist() for part in listed), strict=True))
    assert len(joins) == len(found) == len(set(found))
    assert set(found) == joins_one_by_one(layout)


@pytest.mark.parametrize(
    ("piece", "turn", "said"),
    [
        (np.zeros((1, 1)), np.zeros((1, 1), dtype=int), "not of float64"),
        (np.zeros((1, 1), dtype=int), np.zeros((1, 1)), "not of float64"),
        (np.zeros((1, 1), dtype=bool), np.zeros((1, 1), dtype=int), "not of bool"),
        ([[0]], [[0]], "not list"),
    ],
)
def test_a_layout_holds_arrays_of_whole_numbers(piece: Any, turn: Any, said: str) -> None:
    with pytest.raises(InputError, match=f"arrays of whole numbers for pieces and turns, {said}"):
        Layout(piece, turn)
    assert Layout(np.zeros((1, 1), dtype=np.uint8), np.zeros((1, 1), dtype=np.int32)).rows == 1


def test_the_joins_of_two_turned_pieces() -> None:
    # Piece 1 lies on its right side (its top faces right), piece 0 stands on its head.
    layout = Layout(np.array([[1, 0]]), np.array([[1, 2]]))
    joins = layout.joins()
    assert (joins.one.tolist(), joins.other.tolist()) == ([4 * 1 + 0], [4 * 0 + 1])


def pairs(layout: Layout) -> set[frozenset[int]]:
    joins = layout.joins()
    return {frozenset(pair) for pair in zip(joins.one.tolist(), joins.other.tolist(), strict=True)}


@given(layout=layouts(), turn=st.integers(-5, 5))
def test_turning_keeps_the_set_of_joins(layout: Layout, turn: int) -> None:
    turned = layout.turned(turn)
    assert pairs(turned) == pairs(layout)
    assert (turned.rows, turned.cols) == ((layout.rows, layout.cols) if turn % 2 == 0 else (layout.cols, layout.rows))


@given(layout=layouts(), turn=st.integers(0, 7))
def test_turns_add_up_and_four_change_nothing(layout: Layout, turn: int) -> None:
    one_by_one = layout
    for _ in range(turn):
        one_by_one = one_by_one.turned(1)
    assert same(one_by_one, layout.turned(turn))
    assert same(layout.turned(4), layout)


def test_a_quarter_turn_clockwise() -> None:
    turned = Layout(np.array([[0, 1], [2, EMPTY]]), np.array([[0, 1], [3, 0]])).turned(1)
    assert turned.piece.tolist() == [[2, 0], [EMPTY, 1]]
    assert turned.turn.tolist() == [[0, 1], [0, 2]]


@pytest.mark.parametrize(
    ("piece", "turn", "reason"),
    [
        ([[0, 0]], [[0, 0]], "same piece twice"),
        ([[0, -2]], [[0, 0]], "from 0 on"),
        ([[0, 1]], [[0, 4]], "turns from 0 to 3"),
        ([[0, 1]], [[0, -1]], "turns from 0 to 3"),
        ([[0, 1]], [[0], [0]], "same shape"),
        ([0, 1], [0, 0], "a grid of pieces"),
    ],
)
def test_impossible_layouts_are_refused(piece: Any, turn: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Layout(np.array(piece), np.array(turn))


class TestJson:
    def test_names_tell_which_piece_is_meant_when_numbers_have_changed(self) -> None:
        text = Layout(np.array([[0, 2], [1, -1]]), np.zeros((2, 2), dtype=int)).to_json(["b", "c", "d"])
        assert Layout.from_json(text, ["a", "b", "c", "d"]).piece.tolist() == [[1, 3], [2, -1]]
        with pytest.raises(InputError, match="a piece 'd' that the puzzle does not have"):
            Layout.from_json(text, ["a", "b", "c"])

    @given(layout=layouts())
    def test_round_trip(self, layout: Layout) -> None:
        assert same(Layout.from_json(layout.to_json()), layout)

    @given(layout=layouts(), seed=st.integers(0, 99))
    def test_names_and_confidences_go_along(self, layout: Layout, seed: int) -> None:
        names = [f"n{i}" for i in range(int(layout.piece.max()) + 1)]
        sure = np.random.default_rng(seed).random(len(layout.joins()))
        text = layout.to_json(names, sure)
        assert same(Layout.from_json(text), layout)
        assert same(Layout.from_json(text, names), layout)
        document = json.loads(text)
        assert all(cell["name"] == f"n{cell['piece']}" for cell in document["cells"])
        assert len(document["cells"]) == (layout.piece >= 0).sum()
        expected = {
            (row, col, "right" if direction == RIGHT else "down"): share
            for row, col, direction, share in zip(
                *(part.tolist() for part in (layout.joins().row, layout.joins().col, layout.joins().direction, sure)),
                strict=True,
            )
        }
        found = {(join["row"], join["col"], join["to"]): join["confidence"] for join in document["joins"]}
        assert found == pytest.approx(expected, abs=5e-5)

    def test_the_text_is_plain(self) -> None:
        text = Layout(np.array([[1, EMPTY]]), np.array([[3, 0]])).to_json(["", "vase.png"])
        cell = {"row": 0, "col": 0, "piece": 1, "turn": 3, "name": "vase.png"}
        assert json.loads(text) == {"format": FORMAT, "rows": 1, "cols": 2, "cells": [cell]}
        assert text.endswith("}\n")


class TestConfidenceFromJson:
    @given(layout=layouts(), seed=st.integers(0, 99))
    def test_comes_back_in_the_order_of_the_joins(self, layout: Layout, seed: int) -> None:
        sure = np.random.default_rng(seed).random(len(layout.joins())).round(4)
        found = confidence_from_json(layout.to_json(confidence=sure), layout)
        assert found is not None
        assert np.array_equal(found, sure)

    def test_is_none_unless_there_is_one_for_every_join(self) -> None:
        layout = Layout(np.array([[0, 1, 2]]), np.zeros((1, 3), dtype=np.int64))
        assert confidence_from_json(layout.to_json(), layout) is None
        text = layout.to_json(confidence=np.array([0.5, 0.25]))
        assert confidence_from_json(text, layout.turned(1)) is None

    @pytest.mark.parametrize(
        ("joins", "reason"),
        [
            ({}, 'The layout\'s "joins" must be a list of objects.'),
            ([1], 'The layout\'s "joins" must be a list of objects.'),
            ([{"row": 0, "col": 0, "to": "left", "confidence": 1}], '"to" must be "right" or "down", not \'left\'.'),
            ([{"row": 0, "col": -1, "to": "down", "confidence": 1}], '"col" must be a whole number from 0 on, not -1.'),
            (
                [{"row": 0, "col": 0, "to": "down", "confidence": 2}],
                '"confidence" must be a number from 0 to 1, not 2.',
            ),
            ([{"row": 0, "col": 0, "to": "down"}], '"confidence" must be a number from 0 to 1, not None.'),
        ],
    )
    def test_what_is_no_confidence_is_refused(self, joins: Any, reason: str) -> None:
        layout = Layout(np.array([[0, 1]]), np.zeros((1, 2), dtype=np.int64))
        with pytest.raises(InputError, match=re.escape(reason)):
            confidence_from_json(json.dumps(json.loads(layout.to_json()) | {"joins": joins}), layout)


def document(**changes: Any) -> dict[str, Any]:
    return {"format": FORMAT, "rows": 1, "cols": 2, "cells": []} | changes


def cell(**changes: Any) -> dict[str, Any]:
    return {"row": 0, "col": 0, "piece": 0, "turn": 0} | changes


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("1" * 5000, "not valid JSON"),
        ("[]", "holds no layout"),
        ("NaN", "holds no layout"),
        ('{"format": "something else"}', "holds no layout"),
        *(
            (json.dumps(document(rows=rows)), '"rows" must be a whole number from 1 on')
            for rows in (0, -1, 1.0, True, None, "1", [1], float("nan"), 2**31)
        ),
        (json.dumps(document(rows=10**6, cols=10**6)), "larger than any puzzle"),
        (json.dumps(document(rows=10**4, cols=10**4)), "larger than any puzzle"),
        (json.dumps(document(cells={})), '"cells" must be a list of objects'),
        (json.dumps(document(cells=None)), '"cells" must be a list of objects'),
        (json.dumps(document(cells=[1])), '"cells" must be a list of objects'),
        (json.dumps(document(cells=[cell(row=1)])), "outside its frame"),
        (json.dumps(document(cells=[cell(col=2)])), "outside its frame"),
        (json.dumps(document(cells=[cell(), cell(piece=1)])), "given twice"),
        (json.dumps(document(cells=[cell(), cell(col=1)])), "same piece twice"),
        (json.dumps(document(cells=[cell(turn=4)])), "turns from 0 to 3"),
        (json.dumps(document(cells=[cell(row=-1)])), '"row" must be a whole number'),
        (json.dumps(document(cells=[cell(piece=-1)])), '"piece" must be a whole number'),
        (json.dumps(document(cells=[{"row": 0, "col": 0}])), '"piece" must be a whole number'),
    ],
    ids=lambda value: value[:40],
)
def test_texts_that_are_no_layout(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Layout.from_json(text)


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
small = st.integers(0, 4)
cells = st.fixed_dictionaries(
    {key: st.one_of(small, small, small, any_json) for key in ("row", "col", "piece", "turn")},
    optional={"name": any_json},
)
documents = st.fixed_dictionaries(
    {
        "format": st.just(FORMAT),
        "rows": st.integers(1, 5) | any_json,
        "cols": st.integers(1, 5) | any_json,
        "cells": st.lists(cells, max_size=5) | any_json,
    },
    optional={"joins": any_json},
)


@settings(max_examples=4 * settings.default.max_examples)
@given(text=(documents | any_json).map(json.dumps) | st.text(max_size=50))
def test_any_text_is_a_layout_or_one_sentence(text: str) -> None:
    try:
        layout = Layout.from_json(text)
    except InputError as refused:
        sentence = str(refused)
    else:
        sentence = "read."
        assert same(Layout.from_json(layout.to_json()), layout)
    assert re.fullmatch(r"[^\n]+\.", sentence)
