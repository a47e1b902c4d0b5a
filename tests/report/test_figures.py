"""Which figures a folder gives, and `tenjigsaw figures`."""

from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from report.folders import bench_row, results_folder, some_rows
from tenjigsaw.errors import InputError
from tenjigsaw.report.figures import draw_figures
from tenjigsaw.report.mosaic import draw_mosaics
from tenjigsaw.report.selection import once_each, usual, usual_wear


def names(folder):
    return {figure.name for figure in draw_figures(folder).drawn}


def test_a_bench_gives_accuracy_wear_and_time_for_each_set_and_type(tmp_path):
    drawn = names(results_folder(tmp_path / "r", some_rows()))
    assert drawn == {f"{kind}-few-type{turns}" for kind in ("accuracy", "wear", "time") for turns in (1, 2)}


def test_what_is_lacking_is_left_out_and_said(tmp_path):
    found = draw_figures(results_folder(tmp_path / "r", some_rows(erosion=1)))
    assert {figure.name.split("-")[0] for figure in found.drawn} == {"accuracy", "time"}
    assert [sentence.split(" is left out")[0] for sentence in found.skipped] == [
        "Top-1 against wear",
        "Inference time against pieces",
        "Learning curve",
    ]


def test_without_times_there_is_no_figure_of_time(tmp_path):
    folder = results_folder(tmp_path / "r", some_rows())
    (folder / "times.csv").unlink()
    assert not any(name.startswith("time") for name in names(folder))


def test_a_single_row_is_enough_for_a_figure(tmp_path):
    assert "accuracy-few-type1" in names(results_folder(tmp_path / "r", [bench_row()]))


def test_a_point_is_a_puzzle_however_often_it_was_solved(tmp_path):
    rows = [bench_row(number, repeat=number) for number in (1, 2, 3)]  # 70, 40 and 10 percent
    (figure, _) = draw_figures(results_folder(tmp_path / "r", rows, pictures=False)).drawn
    assert "cat.png: 40.0" in figure.svg
    assert figure.svg.count("cat.png: ") == 1


def test_the_files_of_studies_are_drawn(tmp_path):
    (tmp_path / "inference.csv").write_text(
        "pieces,ten,ten_large,e2e,e2e_measured,paper_ten,paper_ten_large,paper_e2e\n"
        "100,1,2,90,1,.1,.2,32\n200,2,5,300,1,.2,.4,120\n400,4,9,999,0,.4,.9,490\n"
    )
    (tmp_path / "conditions_mit.csv").write_text(
        "piece,erosion,measure,normalise,type,top1\n"
        + "".join(f"28,{worn},mgc,sinkhorn,{kind},0.{9 - worn}\n" for worn in (0, 1, 2) for kind in (1, 2))
    )
    (tmp_path / "training_ten.csv").write_text(
        "run,step,minutes,val_type1,val_type2\na,1,30,0.4,0.3\na,2,60,,\na,3,60,0.5,0.4\nb,1,60,0.6,0.5\n"
    )
    found = draw_figures(tmp_path)
    expected = {"inference", "wear-conditions_mit-type1", "wear-conditions_mit-type2", "learning-ten"}
    assert {figure.name for figure in found.drawn} == expected
    inference = next(figure for figure in found.drawn if figure.name == "inference")
    assert "extrapolated from 400 pieces on" in inference.caption
    learning = next(figure for figure in found.drawn if figure.name == "learning-ten")
    # Runs stand one after the other: the second run's hour begins after the first's.
    assert "turns known: 2, 60" in learning.svg
    for figure in found.drawn:
        ElementTree.fromstring(figure.svg)


def test_times_of_the_unified_model_stand_beside_the_papers_where_they_are_known(tmp_path):
    header, line = "pieces,ten,ten_large,e2e,paper_ten,paper_ten_large,paper_e2e", "1,1,1,1,1,1"
    drawn = []
    for column, values in (("", ("", "")), (",unified", (",0.25", ",0.75"))):
        rows = (f"{pieces},{line}{value}" for pieces, value in zip((100, 200), values, strict=True))
        (tmp_path / "inference.csv").write_text("\n".join([header + column, *rows]) + "\n")
        drawn.append(draw_figures(tmp_path).drawn[0].svg)
    assert ["unified" in svg for svg in drawn] == [False, True]


def test_a_file_without_numbers_is_refused_by_name(tmp_path):
    (tmp_path / "inference.csv").write_text("pieces,ten\nmany,1\n")
    with pytest.raises(InputError, match=r"inference.csv can't be drawn: its column 'pieces' must hold"):
        draw_figures(tmp_path)


@pytest.mark.parametrize("line", ["0,1,1,1,1,1,1", "100,0,1,1,1,1,1", "100,nan,1,1,1,1,1", "100,1"])
def test_times_that_no_logarithm_can_show_are_refused(tmp_path, line):
    header = "pieces,ten,ten_large,e2e,paper_ten,paper_ten_large,paper_e2e"
    (tmp_path / "inference.csv").write_text(f"{header}\n{line}\n")
    with pytest.raises(InputError, match="must hold numbers above 0"):
        draw_figures(tmp_path)


def test_names_from_files_can_not_become_markup(tmp_path):
    rows = some_rows(set="<b>&", measure='"><script>')
    for figure in draw_figures(results_folder(tmp_path / "r", rows, pictures=False)).drawn:
        ElementTree.fromstring(figure.svg)
        assert "<script>" not in figure.svg


def test_only_like_is_compared_with_like():
    rows = [bench_row(normalise="none"), bench_row(), bench_row(drop=0.2), bench_row(piece=64), bench_row(erosion=0)]
    assert usual(rows) == [rows[1], rows[4]]
    assert usual_wear(usual(rows)) == [rows[1]]
    assert len(once_each([bench_row(solver="tree"), bench_row(solver="segments")])) == 1


def test_a_mosaic_shows_the_best_of_each_measure_and_the_truth(tmp_path):
    rows = some_rows()
    mosaics = draw_mosaics([results_folder(tmp_path / "r", rows)], rows)
    assert len(mosaics) == 4
    picture = mosaics["reconstructions-few-cat.png-type1"]
    # Two measures and the truth in one line.
    assert picture.width == 16 + 3 * (360 + 16)
    ink = (np.asarray(picture.convert("L")) < 250).any(axis=0)
    assert all(ink[16 + place * 376 : 16 + place * 376 + 360].all() for place in range(3))


def test_three_measures_and_the_truth_make_a_square(tmp_path):
    rows = [bench_row(number, measure=measure) for number, measure in enumerate(("ssd", "l1", "mgc"))]
    picture = draw_mosaics([results_folder(tmp_path / "r", rows)], rows)["reconstructions-few-cat.png-type1"]
    tile = 360 * 24 // 36
    assert picture.size == (16 + 2 * (360 + 16), 16 + 2 * (tile + 30 + 16))


def test_the_command_writes_figures_and_refuses_to_overwrite(run, tmp_path):
    folder = results_folder(tmp_path / "r", some_rows())
    told = run("figures", folder)
    assert told.code == 0
    assert "10 figures are in" in told.out
    assert "Learning curve is left out: it needs training*.csv." in told.out
    written = sorted(path.name for path in (folder / "figures").iterdir())
    assert len([name for name in written if name.endswith(".svg")]) == 6
    with Image.open(folder / "figures" / "reconstructions-few-dog.png-type2.webp") as picture:
        assert picture.format == "WEBP"
    assert "exists already" in run("figures", folder).sentence
    assert run("figures", folder, "--force").code == 0


def test_the_command_refuses_a_folder_with_nothing_to_draw(run, tmp_path):
    assert "holds nothing that could be drawn" in run("figures", tmp_path).sentence
    assert "no results folder" in run("figures", tmp_path / "none").sentence
