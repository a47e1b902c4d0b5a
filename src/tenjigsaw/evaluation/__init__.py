"""Step 4: from a layout to numbers."""

from tenjigsaw.evaluation.matches import top_k
from tenjigsaw.evaluation.metrics import Accuracy, accuracy, right_joins

__all__ = ["Accuracy", "accuracy", "right_joins", "top_k"]
