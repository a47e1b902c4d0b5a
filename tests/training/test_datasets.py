"""Official layouts, made small: found, counted, and what is missing named."""

from pathlib import Path

import pytest

from tenjigsaw.errors import InputError
from tenjigsaw.training.datasets import PICTURE_SETS, TRAINING, VALIDATION, find_set, part_for, survey


def lay_out(folder: Path, stems: list[str]) -> None:
    folder.mkdir(parents=True)
    for stem in stems:
        (folder / f"{stem}.png").write_bytes(b"")


def test_div2k_is_found_below_the_root_and_below_a_folder_of_its_own(tmp_path: Path) -> None:
    lay_out(tmp_path / "DIV2K" / "DIV2K_train_HR", [f"{n:04d}" for n in range(1, 801)])
    lay_out(tmp_path / "DIV2K_valid_HR", [f"{n:04d}" for n in range(801, 901)])
    train, valid = find_set("div2k-train", tmp_path), find_set("div2k-valid", tmp_path)
    assert (len(train), train[0].name, train[-1].name) == (800, "0001.png", "0800.png")
    assert (len(valid), valid[0].name) == (100, "0801.png")


@pytest.mark.parametrize("folder", PICTURE_SETS["pirm-test"].folders)
def test_pirm_is_found_under_all_its_names(tmp_path: Path, folder: str) -> None:
    lay_out(tmp_path / folder, [str(n) for n in range(201, 301)])
    assert len(find_set("pirm-test", tmp_path)) == 100


def test_mit_counts_with_or_without_a_leading_nought(tmp_path: Path) -> None:
    lay_out(tmp_path / "mit20", [f"{n:02d}" for n in range(1, 21)])
    assert [path.name for path in find_set("mit", tmp_path)][:2] == ["01.png", "02.png"]


def test_the_survey_says_what_is_missing(tmp_path: Path) -> None:
    lay_out(tmp_path / "imData", [str(n) for n in range(1, 20)])
    said = {found.set.name: found.sentence for found in survey(tmp_path)}
    assert said["mit"] == f"mit: 19 of 20 pictures in {tmp_path / 'imData'}; missing 20"
    assert said["div2k-train"] == "div2k-train: not found; looked for DIV2K_train_HR"
    with pytest.raises(InputError, match=r"19 of 20 pictures in .*; missing 20"):
        find_set("mit", tmp_path)


def test_unknown_sets_and_roots_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no picture set 'holiday'"):
        find_set("holiday", tmp_path)
    with pytest.raises(InputError, match="There is no folder"):
        survey(tmp_path / "nowhere")


def test_the_folder_may_be_the_set_itself(tmp_path: Path) -> None:
    lay_out(tmp_path / "pictures", [f"{n:02d}" for n in range(1, 21)])
    lay_out(tmp_path / "DIV2K_train_HR", ["0001"])
    said = {found.set.name: found.sentence for found in survey(tmp_path / "pictures")}
    assert said.pop("mit") == f"mit: all 20 pictures in {tmp_path / 'pictures'}"
    assert all("not found" in sentence for sentence in said.values()), "twenty pictures are not a fifth of PIRM"
    (part,) = (found for found in survey(tmp_path / "DIV2K_train_HR") if found.folder)
    assert part.sentence.startswith("div2k-train: 1 of 800 pictures in")
    lay_out(tmp_path / "PIRM_testset" / "Original", [str(n) for n in range(201, 301)])
    (part,) = (found for found in survey(tmp_path / "PIRM_testset") if found.folder)
    assert part.sentence == f"pirm-test: all 100 pictures in {tmp_path / 'PIRM_testset' / 'Original'}"


def test_each_use_takes_its_own_part(tmp_path: Path) -> None:
    lay_out(tmp_path / "DIV2K" / "DIV2K_train_HR", [f"{n:04d}" for n in range(1, 801)])
    lay_out(tmp_path / "DIV2K" / "DIV2K_valid_HR", [f"{n:04d}" for n in range(801, 901)])
    assert part_for(TRAINING, tmp_path) == tmp_path / "DIV2K" / "DIV2K_train_HR"
    assert part_for(TRAINING, tmp_path / "DIV2K") == tmp_path / "DIV2K" / "DIV2K_train_HR"
    assert part_for(VALIDATION, tmp_path) == tmp_path / "DIV2K" / "DIV2K_valid_HR"
    lay_out(tmp_path / "PIRM_valset", [str(n) for n in range(1, 101)])
    assert part_for(VALIDATION, tmp_path) == tmp_path / "PIRM_valset", "as in the paper"


def test_any_other_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    lay_out(tmp_path / "photos", ["a", "b"])
    assert part_for(TRAINING, tmp_path) == tmp_path
    assert part_for(TRAINING, tmp_path / "nowhere") == tmp_path / "nowhere"
    part = tmp_path / "DIV2K_train_HR"
    lay_out(part, ["0001", "0003"])
    assert part_for(TRAINING, part) == part
    with pytest.raises(InputError, match=rf"2 of 800 pictures in {part}; missing 0002, .*; name {part} to take what"):
        part_for(TRAINING, tmp_path)
