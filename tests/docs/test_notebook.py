"""The notebook runs from top to bottom in a fresh kernel, and shows what it says."""

import re
from copy import deepcopy
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "tour.ipynb"


@pytest.fixture(scope="module")
def stored():
    nbformat = pytest.importorskip("nbformat")
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture(scope="module")
def executed(stored, tmp_path_factory):
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    folder = str(tmp_path_factory.mktemp("tour"))
    return nbclient.NotebookClient(deepcopy(stored), timeout=300, resources={"metadata": {"path": folder}}).execute()


def printed(notebook) -> str:
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return "".join(output.text for output in outputs if output.output_type == "stream")


def test_it_is_stored_without_outputs(stored):
    for cell in stored.cells:
        assert cell.cell_type == "markdown" or (cell.outputs == [] and cell.execution_count is None)


def test_every_picture_is_there(executed):
    wanted = sum("Image.fromarray(" in cell.source for cell in executed.cells)
    shown = [
        output
        for cell in executed.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]
    assert len(shown) == wanted > 0


def test_corrections_help(executed):
    before, after = map(float, re.search(r"([\d.]+)% before, ([\d.]+)% after", printed(executed)).groups())
    assert after > before


def test_sure_joins_are_right_more_often_than_unsure_ones(executed):
    right = [int(share) for share in re.findall(r"(\d+)% of them right", printed(executed))]
    assert len(right) == 3
    assert right[0] < right[2]
