# `make demo` and `make test` are all a newcomer needs: each makes its own virtual environment first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test docs results benchmark paper clean

demo: $(VENV)/base
	$(BIN)/tenjigsaw demo --out demo --force

test: $(VENV)/dev
	$(BIN)/ruff check src tests benchmarks examples notebooks
	$(BIN)/ruff format --check src tests benchmarks examples notebooks
	$(BIN)/mypy
	$(BIN)/pytest -n 2

docs: $(VENV)/base
	$(BIN)/pip install --quiet --editable '.[docs]'
	$(BIN)/mkdocs build --strict --no-directory-urls

# The tables of results/, from the pictures in $(DATA); docs/numbers.md has the command of every CSV.
DATA ?= ../shared/data
VAL_SIX := $(foreach number,0 1 2 3 4 5,$(DATA)/val/000$(number).png)
SIX := $(foreach number,01 02 03 04 05 06,$(DATA)/mit20/$(number).png)
results: $(VENV)/base
	$(BIN)/tenjigsaw score $(DATA)/mit20 --measures ssd,ssd-lab,l1,pbc,mgc,mgc-squared,wmgc --normalise none,ten,ratio,csls,sinkhorn --erode 1 --csv results/top1_mit_eroded.csv --force
	$(BIN)/tenjigsaw score $(DATA)/mit20 --measures ssd,ssd-lab,l1,pbc,mgc,mgc-squared,wmgc --normalise none,ten,ratio,csls,sinkhorn --erode 0 --csv results/top1_mit_clean.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures ssd,pbc,l1,mgc,ten,unified,unified-rerank --normalise none,ten,sinkhorn,loops --solvers tree --generations 10 --erode 1 --pictures 0 --out results/table4_mit --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures e2e --normalise none,ten,sinkhorn,loops --solvers tree --generations 10 --erode 1 --pictures 0 --out results/table4_mit_e2e --force
	$(BIN)/tenjigsaw bench $(DATA)/kodak24 --measures ssd,pbc,l1,mgc,ten,unified,unified-rerank --normalise none,ten,sinkhorn,loops --solvers tree --generations 10 --erode 1 --pictures 0 --out results/table4_kodak --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures ten-large --normalise none,ten,sinkhorn,loops --solvers tree --generations 10 --erode 1 --pictures 0 --out results/table4_mit_ten_large --force
	$(BIN)/tenjigsaw score $(DATA)/kodak24 --measures ten-large --normalise none,ten,sinkhorn,loops --erode 1 --csv results/ten_large_kodak.csv --force
	$(BIN)/tenjigsaw score $(DATA)/mit20 --measures mgc,e2e --normalise none --erode 1 --edges 64 --csv results/e2e_drawn_mit.csv --force
	$(BIN)/tenjigsaw score $(DATA)/val --measures mgc,e2e --normalise none --erode 1 --edges 64 --csv results/e2e_drawn_val.csv --force
	$(BIN)/tenjigsaw score $(DATA)/kodak24 --measures mgc,e2e --normalise none --erode 1 --edges 64 --csv results/e2e_drawn_kodak.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures unified-rerank --normalise sinkhorn --solvers segments --erode 1 --csv results/segments_mit_learned.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures unified-rerank --normalise sinkhorn --solvers segments --erode 0 --csv results/segments_mit_learned_clean.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/kodak24 --measures mgc,unified-rerank --normalise sinkhorn --solvers segments --erode 1 --csv results/segments_kodak_eroded.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise ratio,csls,sinkhorn --solvers tree --erode 0 --csv results/tree_mit_clean.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise ratio,csls,sinkhorn --solvers tree --erode 1 --csv results/tree_mit_eroded.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise ten --solvers genetic --erode 0 --csv results/genetic_mit_clean.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise ten --solvers genetic,segments --erode 1 --csv results/solvers_mit_eroded.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures ssd,pbc,l1,mgc,ten --normalise ten --solvers tree,genetic --generations 10 --repeat 10 --erode 1 --pictures 0 --out results/table5_mit --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures ten-large --normalise ten --solvers tree,genetic --generations 10 --repeat 10 --erode 1 --pictures 0 --out results/table5_mit_ten_large --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures e2e --normalise ten --solvers tree,genetic --generations 10 --repeat 10 --erode 1 --pictures 0 --out results/table5_mit_e2e --force
	$(BIN)/tenjigsaw bench $(DATA)/kodak24 --measures mgc,ten --normalise ten --solvers tree,genetic --generations 10 --repeat 4 --erode 1 --pictures 0 --out results/table5_kodak --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc,unified-rerank --normalise sinkhorn --solvers genetic --generations 10 --erode 1 --pictures 0 --jobs 1 --out results/solvers_mit --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc,unified-rerank --normalise sinkhorn --solvers segments --erode 1 --pictures 0 --jobs 1 --out results/solvers_mit_segments --force
	$(BIN)/tenjigsaw bench $(VAL_SIX) --measures mgc --normalise ten --solvers genetic --generations 10 --erode 1 --csv results/genetic_val_10.csv --force
	$(BIN)/tenjigsaw bench $(VAL_SIX) --measures mgc --normalise ten --solvers genetic --erode 1 --csv results/genetic_val_100.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise sinkhorn --solvers segments --erode 0 --csv results/segments_mit_clean.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise sinkhorn --solvers segments --erode 1 --csv results/segments_mit_eroded.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise sinkhorn --solvers segments --drop 0.10 --erode 0 --csv results/segments_mit_drop10_clean.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise sinkhorn --solvers segments --drop 0.10 --erode 1 --csv results/segments_mit_drop10_eroded.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise sinkhorn --solvers segments --drop 0.20 --erode 0 --csv results/segments_mit_drop20_clean.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise sinkhorn --solvers segments --drop 0.20 --erode 1 --csv results/segments_mit_drop20_eroded.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise sinkhorn --solvers segments --drop 0.30 --erode 0 --csv results/segments_mit_drop30_clean.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise sinkhorn --solvers segments --drop 0.30 --erode 1 --csv results/segments_mit_drop30_eroded.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise sinkhorn --solvers segments --mixed 2 --erode 0 --csv results/segments_mit_mixed_clean.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/mit20 --measures mgc --normalise sinkhorn --solvers segments --mixed 2 --erode 1 --csv results/segments_mit_mixed_eroded.csv --force
	$(BIN)/tenjigsaw bench $(SIX) --measures mgc --normalise sinkhorn --solvers segments --drop 0.10 --unknown-frame --erode 0 --csv results/segments_mit_open_clean.csv --force
	$(BIN)/tenjigsaw bench $(SIX) --measures mgc --normalise sinkhorn --solvers segments --drop 0.10 --unknown-frame --erode 1 --csv results/segments_mit_open_eroded.csv --force
	$(BIN)/tenjigsaw bench $(SIX) --measures mgc --normalise sinkhorn --solvers segments --mixed 3 --types 2 --erode 0 --csv results/segments_mit_mixed3_clean.csv --force
	$(BIN)/tenjigsaw bench $(SIX) --measures mgc --normalise sinkhorn --solvers segments --mixed 3 --types 2 --erode 1 --csv results/segments_mit_mixed3_eroded.csv --force
	$(BIN)/tenjigsaw bench $(wildcard $(DATA)/large/3300-*.jpg $(DATA)/large/5015-*.jpg) --measures mgc --normalise sinkhorn --solvers segments --types 2 --erode 0 --csv results/segments_large_clean.csv --force
	$(BIN)/tenjigsaw bench $(DATA)/large/22834-1.jpg --measures mgc --normalise sinkhorn --solvers segments --types 1 --erode 1 --seconds 240 --csv results/segments_22755_eroded.csv --force

benchmark: $(VENV)/base
	$(BIN)/python benchmarks/speed.py --csv results/speed.csv
	$(BIN)/python benchmarks/peers.py $(DATA)/mit20/03.png --csv results/peers.csv
	$(BIN)/python benchmarks/memory.py $(DATA)/large/10375-1.jpg --csv results/memory.csv

# The paper's tables and figures from the files in results/, in seconds; the pages show some of the figures.
BENCHES := results/table4_mit results/table4_mit_ten_large results/table4_mit_e2e results/table4_kodak results/table5_mit results/table5_mit_ten_large results/table5_mit_e2e results/table5_kodak results/solvers_mit results/solvers_mit_segments
SHOWN := inference.svg learning-unified.svg wear-conditions_mit-type2.svg
paper: $(VENV)/base
	$(BIN)/tenjigsaw tables $(BENCHES) --studies results --out results/paper --force
	$(BIN)/tenjigsaw figures results $(BENCHES) --out results/paper --force
	cp $(addprefix results/paper/,$(SHOWN)) docs/pictures/

$(VENV)/base: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/dev: $(VENV)/base
	$(BIN)/pip install --quiet --editable '.[dev,train]'
	touch $@

clean:
	rm -rf $(VENV) demo site
