"""Who asks to see layouts is shown them."""

import numpy as np

from tenjigsaw.cli.console import Bar
from tenjigsaw.layout import Layout
from tenjigsaw.progress import no_progress, show

LAYOUT = Layout(np.array([[0, 1]]), np.array([[0, 0]]))


def test_a_bar_tells_the_cost_of_the_best_layout():
    told = []
    bar = Bar(lambda **values: told.append(values))
    bar("evolving", 0.25)
    show(bar, LAYOUT, 12.5)
    bar("evolving", 0.5)
    assert told == [
        {"description": "evolving", "completed": 0.25},
        {"description": "evolving, cost 12.5", "completed": 0.5},
    ]


def test_a_plain_function_is_left_alone():
    show(no_progress, LAYOUT, 12.5)
