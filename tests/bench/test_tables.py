"""Tables from rows, the paper's values beside them."""

import csv
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Run
from tenjigsaw.bench.accuracy_tables import neighbour_table, top1_table
from tenjigsaw.bench.rows import BenchRow, write_rows
from tenjigsaw.bench.study_tables import study_tables
from tenjigsaw.bench.table_files import Column, Table, plain
from tenjigsaw.bench.tables import seconds_table
from tenjigsaw.errors import InputError

PLAIN = {"piece": 28, "drop": 0.0, "seed": 0, "pieces": 432, "direct": 0.0, "largest": 0.0}


def row(picture="01", measure="mgc", solver="tree", type=1, repeat=0, value=0.5, **more) -> BenchRow:
    about = {"set": "mit20", "normalise": "none", "erosion": 1, "top1": value, "neighbour": value, "perfect": 0}
    key = f"{picture}-{measure}-{solver}-{type}-{repeat}-{more}"
    given = {**PLAIN, **about, **more}
    return BenchRow(key=key, picture=picture, measure=measure, solver=solver, type=type, repeat=repeat, **given)


def line(table: Table, **wanted):
    (found,) = [cells for cells in table.rows if all(cells.get(name) == value for name, value in wanted.items())]
    return found


class TestAccuracies:
    def test_means_over_pictures_and_spread_over_repeats(self):
        values = {("01", 0): 0.5, ("02", 0): 0.7, ("01", 1): 0.6, ("02", 1): 0.8, ("01", 2): 0.7, ("02", 2): 0.9}
        rows = [
            row(picture, solver="genetic", repeat=repeat, value=value) for (picture, repeat), value in values.items()
        ]
        found = line(neighbour_table(rows, "mgc"), measure="mgc", solver="genetic")
        assert found["type1"] == pytest.approx(0.7)
        assert found["type1_spread"] == pytest.approx(0.1)
        assert found["pictures"] == 2
        assert "type2" not in found
        assert "| 70.0 ± 10.0 | 58.2 |" in neighbour_table(rows, "mgc").markdown()

    def test_perfect_puzzles_are_a_mean_over_the_repeats(self):
        thirds = [row("01", solver="segments", repeat=repeat, perfect=int(repeat == 0)) for repeat in range(3)]
        whole = [row(name, solver="genetic", repeat=repeat, perfect=1) for name in ("01", "02") for repeat in range(3)]
        table = neighbour_table([*thirds, *whole], "mgc")
        (column,) = [column for column in table.columns if column.heading == "Type-1, perfect"]
        assert [column.text(cells) for cells in table.rows[:2]] == ["0.3", "2"]
        assert "; perfect: puzzles without a mistake, as a mean over the repeats" in table.title
        assert "perfect:" not in neighbour_table(whole, "mgc").title

    def test_printed_values_stand_beside_ours(self):
        table = top1_table([row(), row(measure="unified", type=2)], "mgc")
        assert line(table, measure="mgc")["type1_paper"] == 0.535
        assert "type1_paper" not in line(table, measure="unified")
        assert line(table, measure="e2e")["type2_paper"] == 0.609
        assert "type1" not in line(table, measure="e2e")
        assert table.title == "Top-1 accuracy in percent (Table 4); the paper's from raw scores"

    @pytest.mark.parametrize("other", [{"erosion": 0}, {"piece": 16}, {"drop": 0.1}, {"set": "kodak24"}])
    def test_the_paper_says_nothing_of_other_puzzles(self, other):
        for table in (top1_table([row(**other)], "mgc"), neighbour_table([row(**other)], "mgc")):
            assert len(table.rows) == 1
            assert "paper" not in table.markdown()

    def test_solvers_that_the_paper_has_not(self):
        table = neighbour_table([row(solver="segments")], "mgc")
        assert "type1_paper" not in line(table, solver="segments")
        assert line(table, measure="mgc", solver="genetic")["type2_paper"] == 0.323

    def test_top1_counts_a_puzzle_once(self):
        rows = [row("01", value=0.2), row("02", value=0.4), row("02", solver="segments", repeat=1, value=0.4)]
        found = line(top1_table(rows, "mgc"), measure="mgc")
        assert found["type1"] == pytest.approx(0.3)
        assert "type1_spread" not in found

    @given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8))
    def test_gains_are_counted_on_the_same_pictures(self, pairs):
        rows = [row(str(i), "mgc", value=base) for i, (base, _) in enumerate(pairs)]
        rows += [row(str(i), "unified", value=ours) for i, (_, ours) in enumerate(pairs)]
        rows.append(row("alone", "unified", value=1.0))
        found = line(top1_table(rows, "mgc"), measure="unified")
        gains = [ours - base for base, ours in pairs]
        assert found["type1_gain"] == pytest.approx(sum(gains) / len(gains), abs=1e-5)
        assert min(gains) - 1e-5 <= found["type1_gain_low"] <= found["type1_gain_high"] <= max(gains) + 1e-5
        assert "type1_gain" not in line(top1_table(rows, "mgc"), measure="mgc")
        assert "gain" not in top1_table(rows, "wmgc").markdown()

    def test_wear_and_sets_are_kept_apart(self):
        rows = [row(value=0.1), row(erosion=0, value=0.9), row(set="kodak24", value=0.5)]
        table = top1_table(rows, "mgc")
        assert [cells["type1"] for cells in table.rows if "type1" in cells] == [0.1, 0.9, 0.5]

    def test_seconds(self):
        rows = [row("01", seconds=1.0, score_seconds=0.5), row("02", seconds=3.0, score_seconds=0.5)]
        assert "| mit20 | 1 | mgc | none | tree | 1 | 432 | 0.5 | 2 |" in seconds_table(rows).markdown()

    def test_seconds_of_each_wear(self):
        rows = [row(erosion=0, seconds=1.0), row(erosion=1, seconds=3.0)]
        found = [(cells["erosion"], cells["seconds"]) for cells in seconds_table(rows).rows]
        assert found == [(0, 1.0), (1, 3.0)]

    def test_many_seconds_have_no_exponent(self):
        assert "| 12300 |" in seconds_table([row(seconds=12345.6)]).markdown()


class TestForms:
    TABLE = Table("one", "About 100 % & more", (Column("a_b", plain("a"), is_number=False),), [{"a": "x|y_z ± 1"}, {}])

    def test_markdown(self):
        assert self.TABLE.markdown() == "About 100 % & more\n\n| a_b |\n| --- |\n| x/y_z ± 1 |\n|  |\n"

    def test_latex(self):
        text = self.TABLE.latex()
        assert "\\caption{About 100 \\% \\& more}" in text
        assert "a\\_b \\\\\n\\midrule\nx|y\\_z $\\pm$ 1 \\\\\n \\\\\n\\bottomrule" in text
        assert text.count("\\begin{") == text.count("\\end{") == 2

    def test_csv(self):
        assert list(csv.DictReader(self.TABLE.csv().splitlines())) == [{"a": "x|y_z ± 1"}, {"a": ""}]


STUDY = (
    "network,without,distance,dimension,loss,cpu_minutes,steps,type1,type2,type1_processed,type2_processed,paper_top1\n"
)


class TestStudies:
    def test_distances_and_dimensions(self, tmp_path):
        (tmp_path / "distances.csv").write_text(STUDY + "ten,,l1,40,listwise,5.0,100,0.31,0.21,0.35,0.25,0.518\n")
        (tmp_path / "dimensions.csv").write_text(STUDY + "ten,,cosine,80,listwise,5.0,100,0.3,0.2,0.35,0.25,0.405\n")
        distances, dimensions = study_tables(tmp_path)
        assert "| l1 | 5.0 | 31.0 | 21.0 | 35.0 | 25.0 | 51.8 |" in distances.markdown()
        assert "| cosine | 80 | 5.0 | 30.0 | 20.0 | 35.0 | 25.0 | 40.5 |" in dimensions.markdown()

    def test_inference(self, tmp_path):
        lines = ("pieces,ten,ten_large,e2e,e2e_measured", "100,0.5,1.25,40.0,1", "3200,20.5,60.0,50000.0,0", "")
        (tmp_path / "inference.csv").write_text("\n".join(lines))
        (table,) = study_tables(tmp_path)
        assert "| 100 | 0.5 | 0.07 | 1.25 | 0.18 | 40 | 32 |" in table.markdown()
        assert "where there are 3200 pieces" in table.title

    def test_our_own_network_beside_the_papers(self, tmp_path):
        (tmp_path / "inference.csv").write_text(
            "pieces,ten,ten_large,unified,e2e,e2e_measured\n100,0.5,1.25,0.75,40.0,1\n"
        )
        (table,) = study_tables(tmp_path)
        assert "| 100 | 0.5 | 0.07 | 1.25 | 0.18 | 40 | 32 | 0.75 |" in table.markdown()

    def test_other_files_are_refused(self, tmp_path):
        (tmp_path / "inference.csv").write_text("a,b\n1,2\n")
        with pytest.raises(InputError, match="inference"):
            study_tables(tmp_path)


class TestCommand:
    def test_writes_every_form_and_keeps_what_is_there(self, run: Run, tmp_path):
        write_rows(tmp_path, [row(), row(measure="unified", value=0.75)])
        assert run("tables", tmp_path).code == 0
        names = {path.name for path in (tmp_path / "tables").iterdir()}
        stems, endings = ("top1", "neighbour", "seconds"), ("md", "csv", "tex")
        assert names == {f"{stem}.{ending}" for stem in stems for ending in endings}
        assert "+25.0 [+25.0, +25.0]" in (tmp_path / "tables" / "top1.md").read_text()
        assert "exists already" in run("tables", tmp_path).sentence
        assert run("tables", tmp_path, "--force", "--baseline", "unified").code == 0
        assert "-25.0 [-25.0, -25.0]" in (tmp_path / "tables" / "top1.md").read_text()

    def test_a_baseline_that_was_not_benched(self, run: Run, tmp_path):
        write_rows(tmp_path, [row(measure="ssd"), row(measure="unified")])
        said = run("tables", tmp_path, "--baseline", "nope").sentence
        assert said == "There are no rows of the measure 'nope'; the baseline can be ssd, unified."
        assert not (tmp_path / "tables").exists()
        assert run("tables", tmp_path).code == 0

    def test_a_folder_of_something_else(self, run: Run, tmp_path):
        assert "rows.csv" in run("tables", tmp_path).sentence
        write_rows(tmp_path, [])
        assert "no rows" in run("tables", tmp_path).sentence


def test_rows_in_any_order_of_pictures_give_the_same_means():
    rows = [row(str(number), value=number / 10) for number in range(5)]
    tables = (top1_table(rows, "mgc"), top1_table([replace(one) for one in rows[::-1]], "mgc"))
    assert tables[0].markdown() == tables[1].markdown()
