"""From numpy's pieces to torch's tensors."""

import numpy as np
import torch
from torch import Tensor

from tenjigsaw.measures.edge_views import Views


def to_tensor(views: Views) -> Tensor:
    """(M, P, P, C) -> (M, C, P, P) in channels-last memory, which is how numpy holds it already."""
    return torch.from_numpy(np.ascontiguousarray(views)).permute(0, 3, 1, 2)
