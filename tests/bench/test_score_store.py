"""Scores on disk: computed once, up to a limit, never trusted when damaged."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drawing import thinned_puzzle
from tenjigsaw.bench.score_store import Scored, ScoreStore
from tenjigsaw.measures import create_measure, score
from tenjigsaw.measures.fingerprint import fingerprint

ROOM = 10**8


class Counting:
    """Computes scores, and counts how often."""

    def __init__(self, puzzle, measure="ssd", listed=0):
        self.puzzle, self.measure, self.listed, self.times = puzzle, measure, listed, 0

    def __call__(self):
        self.times += 1
        measure = create_measure(self.measure)
        scores = measure.nearest(self.puzzle, self.listed) if self.listed else score(self.puzzle, measure)
        return Scored(scores, 1.5)


def same(one, other):
    return type(one) is type(other) and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in one.__dataclass_fields__
    )


@pytest.mark.parametrize("listed", [0, 5], ids=["full", "lists"])
@pytest.mark.parametrize("turned", [False, True])
def test_scores_are_computed_once(tmp_path, listed, turned):
    store, puzzle = ScoreStore(tmp_path / "scores", ROOM), thinned_puzzle(turned=turned)
    compute = Counting(puzzle, listed=listed)
    fresh, held = (store.scored(puzzle, "ssd", compute) for _ in range(2))
    assert compute.times == 1
    assert same(fresh.scores, held.scores)
    assert held.seconds == fresh.seconds == 1.5


def test_other_puzzles_wear_turns_and_measures_have_scores_of_their_own(tmp_path):
    store = ScoreStore(tmp_path, ROOM)
    puzzles = [
        thinned_puzzle(),
        thinned_puzzle(seed=1),
        thinned_puzzle(erosion=1),
        thinned_puzzle(turned=True),
    ]
    for puzzle in puzzles:
        for measure in ("ssd", "mgc"):
            compute = Counting(puzzle, measure)
            store.scored(puzzle, measure, compute)
            assert compute.times == 1
    assert len(list(tmp_path.glob("*.npz"))) == 8


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.floats(0, 1), flip=st.booleans())
def test_a_damaged_file_is_computed_again(tmp_path, cut, flip):
    store, puzzle = ScoreStore(tmp_path, ROOM), thinned_puzzle()
    expected = store.scored(puzzle, "ssd", Counting(puzzle))
    (path,) = tmp_path.glob("*.npz")
    whole = path.read_bytes()
    place = int(cut * (len(whole) - 1))
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :] if flip else whole[:place])
    assert same(store.scored(puzzle, "ssd", Counting(puzzle)).scores, expected.scores)
    path.unlink()


def test_those_not_used_for_longest_go_first(tmp_path):
    puzzles = [thinned_puzzle(seed=seed) for seed in range(4)]
    wide = ScoreStore(tmp_path, ROOM)
    for age, puzzle in enumerate(puzzles[:3]):
        wide.scored(puzzle, "ssd", Counting(puzzle))
        newest = max(tmp_path.glob("*.npz"), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (100 + age, 100 + age))
    size = newest.stat().st_size
    wide.scored(puzzles[0], "ssd", Counting(puzzles[0]))  # used just now
    narrow = ScoreStore(tmp_path, 3 * size + size // 2)
    narrow.scored(puzzles[3], "ssd", Counting(puzzles[3]))
    assert sum(path.stat().st_size for path in tmp_path.glob("*.npz")) <= narrow.limit
    computed = []
    for puzzle in puzzles:
        compute = Counting(puzzle)
        wide.scored(puzzle, "ssd", compute)
        computed.append(compute.times)
    assert computed == [0, 1, 0, 0]


def test_what_killed_processes_left_behind_goes_after_an_hour(tmp_path):
    left, at_work = tmp_path / ".tenjigsaw-left", tmp_path / ".tenjigsaw-at-work"
    for folder in (left, at_work):
        folder.mkdir()
        (folder / "half.npz").write_bytes(b"half")
    os.utime(left, (100, 100))
    ScoreStore(tmp_path, ROOM).trim()
    assert not left.exists()
    assert at_work.exists()


def test_nothing_is_kept_without_room(tmp_path):
    puzzle = thinned_puzzle()
    for limit in (0, 100):
        compute = Counting(puzzle)
        for _ in range(2):
            ScoreStore(tmp_path / "scores", limit).scored(puzzle, "ssd", compute)
        assert compute.times == 2
    assert not (tmp_path / "scores").exists()


def test_a_place_that_can_not_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    puzzle = thinned_puzzle()
    compute = Counting(puzzle)
    ScoreStore(tmp_path / "file" / "scores", ROOM).scored(puzzle, "ssd", compute)
    assert compute.times == 1


def test_fingerprints_tell_measures_apart():
    names = ("ssd", "mgc", "unified", "unified-rerank")
    assert len({fingerprint(name) for name in names} - {None}) == len(names)
    assert fingerprint("a measure of mine") is None
