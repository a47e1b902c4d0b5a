"""What was typed in from the paper agrees with itself and with what the paper says of it in words."""

from itertools import pairwise

import pytest

from tenjigsaw.evaluation import paper


def gain(solver: str, kind: int, name: str) -> float:
    table = paper.NEIGHBOUR[solver]
    return round(table["ten-large"][kind][name] - table["mgc"][kind][name], 1)


def test_every_table_is_full():
    measures = ["ssd", "pbc", "l1", "mgc", "ten", "ten-large", "e2e"]
    for table in (paper.TOP1, *paper.NEIGHBOUR.values()):
        assert list(table) == measures
        for types in table.values():
            assert list(types) == [1, 2]
            assert all(tuple(values) == paper.SETS for values in types.values())
    assert list(paper.INFERENCE) == [100, 200, 400, 800, 1600, 3200]


def test_unknown_turns_are_harder():
    for table in (paper.TOP1, *paper.NEIGHBOUR.values()):
        for types in table.values():
            assert all(types[2][name] < types[1][name] for name in paper.SETS)


def test_tables_2_and_3_share_a_column():
    for distance, values in paper.DIMENSIONS.items():
        assert values[40] == paper.DISTANCES[distance]


def test_top1_on_div2k_is_as_in_the_text():
    assert (paper.TOP1["e2e"][1]["DIV2K"], paper.TOP1["e2e"][2]["DIV2K"]) == (71.4, 64.1)
    assert (paper.TOP1["ten-large"][1]["DIV2K"], paper.TOP1["ten-large"][2]["DIV2K"]) == (64.6, 56.8)


def test_ten_large_gains_up_to_what_the_text_says():
    for kind, most in ((1, 8.5), (2, 16.8)):
        assert max(gain("genetic", kind, name) for name in paper.SETS) == most


def test_times_of_pairs_grow_with_the_square_of_the_pieces():
    times = [values["e2e"] for values in paper.INFERENCE.values()]
    for shorter, longer in pairwise(times):
        assert longer / shorter == pytest.approx(4, rel=0.08)


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("mit20", "MIT"),
        ("MIT", "MIT"),
        ("DIV2K_test_HR", "DIV2K"),
        ("PIRM-test", "PIRM"),
        ("kodak24", None),
        ("mitten", None),
        ("", None),
    ],
)
def test_sets_go_by_their_folders(folder, name):
    assert paper.set_of(folder) == name
