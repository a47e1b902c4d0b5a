"""Any archive is a puzzle or one sentence."""

import io
import pickle
import warnings
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from drawing import noise_picture, thinned_puzzle
from reading import puzzle_or_refusal, refusal
from tenjigsaw.puzzle import read_puzzle, write_puzzle

PIECES = noise_picture(32, 8).reshape(4, 8, 8, 3)
MANY = settings(max_examples=3 * settings.default.max_examples)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all examples of a property share."""
    return tmp_path_factory.mktemp("archives")


def saved(path: Path, **content: Any) -> Path:
    np.savez(path, **content)
    return path


def npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


class TestArchives:
    def test_pieces_alone_are_enough(self, tmp_path: Path) -> None:
        assert np.array_equal(read_puzzle(saved(tmp_path / "a.npz", pieces=PIECES)).pieces, PIECES)

    @pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
    def test_floats_from_0_to_1(self, tmp_path: Path, kind: type) -> None:
        path = saved(tmp_path / "a.npz", pieces=(PIECES / 255).astype(kind))
        assert np.array_equal(read_puzzle(path).pieces, PIECES)

    @pytest.mark.parametrize("bad", [np.nan, np.inf])
    def test_floats_that_are_no_numbers(self, tmp_path: Path, bad: float) -> None:
        pieces = PIECES / 255
        pieces[1, 2, 3, 0] = bad
        assert "a.npz: the pieces hold values that are not a number" in refusal(
            saved(tmp_path / "a.npz", pieces=pieces)
        )

    @pytest.mark.parametrize("bad", [-0.1, 1.1])
    def test_floats_out_of_range(self, tmp_path: Path, bad: float) -> None:
        pieces = PIECES / 255
        pieces[1, 2, 3, 0] = bad
        assert "between 0 and 1" in refusal(saved(tmp_path / "a.npz", pieces=pieces))

    def test_without_pieces(self, tmp_path: Path) -> None:
        assert 'no array "pieces"' in refusal(saved(tmp_path / "a.npz", tiles=PIECES))

    def test_pickles_are_never_loaded(self, tmp_path: Path) -> None:
        class Trap:
            def __reduce__(self) -> tuple[Any, ...]:
                return Path.touch, (tmp_path / "sprung",)

        objects = np.empty(4, dtype=object)
        objects[0] = Trap()
        pickle.loads(pickle.dumps(Trap()))
        assert (tmp_path / "sprung").exists()
        (tmp_path / "sprung").unlink()
        for content in ({"pieces": objects}, {"pieces": PIECES, "names": objects}):
            refusal(saved(tmp_path / "a.npz", **content))
        (tmp_path / "b.npz").write_bytes(pickle.dumps(Trap()))
        refusal(tmp_path / "b.npz")
        assert not (tmp_path / "sprung").exists()

    def test_a_truncated_zip(self, tmp_path: Path) -> None:
        write_puzzle(thinned_puzzle(), tmp_path / "a.npz")
        whole = (tmp_path / "a.npz").read_bytes()
        (tmp_path / "a.npz").write_bytes(whole[: len(whole) // 2])
        assert "a.npz is not a puzzle archive" in refusal(tmp_path / "a.npz")

    def test_an_empty_file_and_a_folder_of_that_name(self, tmp_path: Path) -> None:
        (tmp_path / "a.npz").touch()
        refusal(tmp_path / "a.npz")
        (tmp_path / "b.npz").mkdir()
        refusal(tmp_path / "b.npz")

    def test_a_zip_that_claims_to_be_huge_is_not_unpacked(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
            with archive.open("pieces.npy", "w", force_zip64=True) as member:
                member.write(npy(PIECES))
            archive.infolist()[0].file_size = 9 << 30
        assert "claims 9,663,676,416 bytes" in refusal(tmp_path / "a.npz")

    def test_an_array_that_claims_to_be_huge(self, tmp_path: Path) -> None:
        header = io.BytesIO()
        claimed = {"descr": "|u1", "fortran_order": False, "shape": (10**9, 1000, 1000, 3)}
        np.lib.format.write_array_header_1_0(header, claimed)
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
            archive.writestr("pieces.npy", header.getvalue() + bytes(100))
        assert "a.npz is not a puzzle archive" in refusal(tmp_path / "a.npz")

    def test_a_member_that_is_no_array(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
            archive.writestr("pieces.npy", "I am text.")
        assert '"pieces" is not an array' in refusal(tmp_path / "a.npz")

    def test_names_with_letters_that_do_not_exist(self, tmp_path: Path) -> None:
        names = np.frombuffer(b"\xff\xff\xff\xff" * 4, dtype="<U1")
        refusal(saved(tmp_path / "a.npz", pieces=PIECES, names=names))

    def test_pieces_without_a_shape(self, tmp_path: Path) -> None:
        path = saved(tmp_path / "a.npz", pieces=np.uint8(1), truth_frame=[2, 2], truth=np.zeros((3, 4), dtype=int))
        refusal(path)

    def test_a_truth_without_places(self, tmp_path: Path) -> None:
        assert 'no "truth"' in refusal(saved(tmp_path / "a.npz", pieces=PIECES, truth_frame=[2, 2]))

    def test_damage_without_a_message_is_still_a_sentence(self, tmp_path: Path) -> None:
        """A member whose data end too early makes zipfile raise an error that says nothing."""
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
            archive.writestr("pieces.npy", npy(PIECES)[:300])
        data = bytearray((tmp_path / "a.npz").read_bytes())
        entry = data.index(b"PK\x01\x02")
        for field in (20, 24):
            data[entry + field : entry + field + 4] = (10**6).to_bytes(4, "little")
        (tmp_path / "a.npz").write_bytes(data)
        assert "a.npz is not a puzzle archive: it is damaged" in refusal(tmp_path / "a.npz")


@pytest.fixture(scope="module")
def good_archives(place: Path) -> list[bytes]:
    puzzle = replace(thinned_puzzle(2, 2, turned=True), names=("a", "b", "c", "d"))
    write_puzzle(puzzle, place / "good.npz", force=True)
    np.savez(place / "stored.npz", pieces=PIECES, erosion=1)
    return [(place / name).read_bytes() for name in ("good.npz", "stored.npz")]


@MANY
@given(data=st.data())
def test_damaged_archives_are_read_or_refused(place: Path, good_archives: list[bytes], data: st.DataObject) -> None:
    damaged = bytearray(data.draw(st.sampled_from(good_archives)))
    # The directory of a zip stands at its end, headers stand at its start.
    places = st.integers(0, len(damaged) - 1) | st.integers(0, 130) | st.integers(len(damaged) - 500, len(damaged) - 1)
    for where, value in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), min_size=1, max_size=5)):
        damaged[where] = value
    length = data.draw(st.just(len(damaged)) | st.integers(0, len(damaged)))
    (place / "damaged.npz").write_bytes(damaged[:length])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy and zipfile mention odd headers
        puzzle_or_refusal(place / "damaged.npz")


any_array = arrays.arrays(arrays.scalar_dtypes(), arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))


@MANY
@given(
    content=st.fixed_dictionaries(
        {"pieces": st.sampled_from([1, 255]).map(lambda top: PIECES if top == 255 else PIECES / 255) | any_array},
        optional={
            "erosion": arrays.arrays(np.int16, ()) | any_array,
            "turned": arrays.arrays(np.bool_, ()) | any_array,
            "frame": arrays.arrays(np.int64, 2) | any_array,
            "truth_frame": arrays.arrays(np.int64, 2, elements=st.integers(0, 4) | st.integers(-9, 2**62)) | any_array,
            "truth": arrays.arrays(np.int64, (3, 4), elements=st.integers(0, 3)) | any_array,
            "names": arrays.arrays("<U3", 4) | any_array,
        },
    )
)
def test_any_arrays_are_read_or_refused(place: Path, content: dict[str, np.ndarray]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            np.savez(place / "any.npz", **content)
        except (ValueError, TypeError):
            assume(False)
        puzzle_or_refusal(place / "any.npz")
