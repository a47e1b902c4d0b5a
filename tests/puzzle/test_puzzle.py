"""What a puzzle may hold, and which edges truly meet."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawing import coordinate_picture, noise_picture, thinned_puzzle
from tenjigsaw.errors import InputError
from tenjigsaw.geometry import edge_strips
from tenjigsaw.puzzle import Puzzle, Truth, cut, drop, shuffle, turn


def pieces(count: int = 4, size: int = 8) -> np.ndarray:
    return np.zeros((count, size, size, 3), dtype=np.uint8)


def truth(rows: int, cols: int, *places: tuple[int, int, int]) -> Truth:
    row, col, turned = np.array(places, dtype=np.int64).reshape(-1, 3).T
    return Truth(rows, cols, row, col, turned)


class TestPuzzle:
    def test_size_count_and_inner_part(self) -> None:
        puzzle = Puzzle(pieces(5, 12), erosion=3)
        assert (puzzle.count, puzzle.size, puzzle.inner.shape) == (5, 12, (5, 6, 6, 3))

    def test_without_wear_the_inner_part_is_all(self) -> None:
        puzzle = Puzzle(noise_picture(32, 8).reshape(4, 8, 8, 3))
        assert np.array_equal(puzzle.inner, puzzle.pieces)

    @pytest.mark.parametrize("shape", [(4, 8, 9, 3), (4, 8, 8, 4), (4, 8, 8), (8, 8, 3), ()])
    def test_pieces_must_be_square_rgb(self, shape: tuple[int, ...]) -> None:
        with pytest.raises(InputError, match=r"shape \(N, P, P, 3\)"):
            Puzzle(np.zeros(shape, dtype=np.uint8))

    def test_pieces_must_have_8_bits(self) -> None:
        with pytest.raises(InputError, match="8-bit RGB, not uint16"):
            Puzzle(pieces().astype(np.uint16))

    def test_no_pieces(self) -> None:
        with pytest.raises(InputError, match="at least two pieces, and there are none"):
            Puzzle(pieces(0))

    def test_one_piece(self) -> None:
        with pytest.raises(InputError, match="at least two pieces, and there is only one"):
            Puzzle(pieces(1))

    def test_tiny_pieces(self) -> None:
        with pytest.raises(InputError, match="at least 8 pixels wide, not 7"):
            Puzzle(pieces(4, 7))

    @given(size=st.integers(8, 30), erosion=st.integers(-3, 20))
    def test_wear_must_leave_four_pixels(self, size: int, erosion: int) -> None:
        if erosion >= 0 and size - 2 * erosion >= 4:
            assert Puzzle(pieces(2, size), erosion=erosion).inner.shape[1] == size - 2 * erosion
        else:
            with pytest.raises(InputError, match="erosion"):
                Puzzle(pieces(2, size), erosion=erosion)

    @pytest.mark.parametrize("frame", [(1, 3), (0, 5), (-2, -2), (5, 0)])
    def test_the_frame_must_hold_all_pieces(self, frame: tuple[int, int]) -> None:
        with pytest.raises(InputError, match="A frame of"):
            Puzzle(pieces(4), frame=frame)

    def test_the_frame_may_have_empty_cells(self) -> None:
        assert Puzzle(pieces(4), frame=(3, 2)).frame == (3, 2)

    @pytest.mark.parametrize("frame", [(10**6, 10**6), (2**31, 2**31)])
    def test_a_frame_that_no_memory_holds(self, frame: tuple[int, int]) -> None:
        with pytest.raises(InputError, match="far too large for 4 pieces"):
            Puzzle(pieces(4), frame=frame)

    def test_the_truth_must_speak_of_all_pieces(self) -> None:
        with pytest.raises(InputError, match="speaks of 2 pieces but there are 4"):
            Puzzle(pieces(4), truth=truth(2, 2, (0, 0, 0), (1, 1, 0)))

    def test_all_pieces_have_names_or_none(self) -> None:
        assert Puzzle(pieces(2), names=("a", "b")).names == ("a", "b")
        with pytest.raises(InputError, match="1 names for 2 pieces"):
            Puzzle(pieces(2), names=("a",))


class TestTruth:
    @pytest.mark.parametrize("place", [(2, 0, 0), (0, 3, 0), (-1, 0, 0), (0, -1, 0)])
    def test_places_lie_in_the_frame(self, place: tuple[int, int, int]) -> None:
        with pytest.raises(InputError, match="outside its 2 x 3 frame"):
            truth(2, 3, (1, 1, 0), place)

    def test_no_two_pieces_share_a_cell(self) -> None:
        with pytest.raises(InputError, match="two pieces in the same cell"):
            truth(2, 2, (1, 1, 0), (1, 1, 2))

    @pytest.mark.parametrize("turned", [-1, 4])
    def test_turns_are_quarter_turns(self, turned: int) -> None:
        with pytest.raises(InputError, match="turn that is not 0, 1, 2 or 3"):
            truth(2, 2, (0, 0, turned))

    def test_a_frame_that_no_memory_holds(self) -> None:
        with pytest.raises(InputError, match="far too large"):
            truth(2**31, 2**31, (0, 0, 0), (0, 1, 0))

    def test_the_grid_shows_who_stands_where(self) -> None:
        assert truth(2, 2, (1, 0, 0), (0, 1, 3), (0, 0, 1)).grid().tolist() == [[2, 1], [0, -1]]

    def test_partners_of_two_pieces_side_by_side(self) -> None:
        # Piece 0 stands upright at the left. Piece 1 must be turned once clockwise: its bottom then faces left.
        assert truth(1, 2, (0, 0, 0), (0, 1, 1)).partners().tolist() == [-1, 4 + 2, -1, -1, -1, -1, 1, -1]


def neighbours_by_pixels(puzzle: Puzzle) -> np.ndarray:
    """(4N,) the edge whose pixels lie beside each edge's in the picture, by comparing all pairs pixel by pixel."""
    strips = edge_strips(puzzle.pieces, 1)[:, :, 0, :2].astype(int)
    partner = np.full(len(strips), -1)
    for edge, strip in enumerate(strips):
        for other, met in enumerate(strips[:, ::-1]):
            steps = np.abs(strip - met).sum(axis=1)
            if other // 4 != edge // 4 and (steps == 1).all():
                partner[edge] = other
    return partner


puzzle_settings = {
    "rows": st.integers(1, 4),
    "cols": st.integers(2, 4),
    "size": st.integers(8, 10),
    "turned": st.booleans(),
    "share": st.sampled_from([0.0, 0.25, 0.5]),
    "seed": st.integers(0, 99),
}


@given(**puzzle_settings)
def test_partners_are_the_edges_whose_pixels_meet(
    rows: int, cols: int, size: int, turned: bool, share: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    puzzle = shuffle(cut(coordinate_picture(rows * size, cols * size), size), rng)
    puzzle = turn(puzzle, rng) if turned else puzzle
    puzzle = drop(puzzle, share, rng) if rows * cols * (1 - share) >= 2 else puzzle
    assert puzzle.truth is not None
    assert np.array_equal(puzzle.truth.partners(), neighbours_by_pixels(puzzle))


@given(**puzzle_settings)
def test_partners_are_each_others_partners(
    rows: int, cols: int, size: int, turned: bool, share: float, seed: int
) -> None:
    puzzle = thinned_puzzle(rows, cols, size, 0, turned, share, seed)
    assert puzzle.truth is not None
    partner = puzzle.truth.partners()
    edges = np.nonzero(partner >= 0)[0]
    assert np.array_equal(partner[partner[edges]], edges)
    if puzzle.count == rows * cols:
        assert len(edges) == 2 * (2 * rows * cols - rows - cols)


def test_taking_pieces_keeps_what_is_known_about_them() -> None:
    whole = truth(2, 2, (0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 1, 3))
    some = whole.take(np.array([3, 0]))
    assert (some.rows, some.cols) == (2, 2)
    assert [some.row.tolist(), some.col.tolist(), some.turn.tolist()] == [[1, 0], [1, 0], [3, 0]]


def test_a_puzzle_can_not_be_changed() -> None:
    puzzle = Puzzle(pieces())
    with pytest.raises(AttributeError):
        puzzle.erosion = 1  # type: ignore[misc]
    assert replace(puzzle, erosion=1).erosion == 1
