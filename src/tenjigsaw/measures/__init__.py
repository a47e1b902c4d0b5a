"""Step 2: from pieces to the cost of joining every pair of edges."""

from tenjigsaw.measures.normalise import NORMALISATIONS, normalise
from tenjigsaw.measures.pairs import PairMeasure
from tenjigsaw.measures.registry import Measure, create_measure, in_words, list_measures, register_measure
from tenjigsaw.measures.scores import DenseScores, Scores, SparseScores
from tenjigsaw.measures.scoring import score

__all__ = [
    "NORMALISATIONS",
    "DenseScores",
    "Measure",
    "PairMeasure",
    "Scores",
    "SparseScores",
    "create_measure",
    "in_words",
    "list_measures",
    "normalise",
    "register_measure",
    "score",
]
