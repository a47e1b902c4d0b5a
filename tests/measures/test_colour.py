import numpy as np
from skimage.color import rgb2lab

from tenjigsaw.measures.colour import lab


def test_agrees_with_scikit_image():
    rng = np.random.default_rng(0)
    colours = np.concatenate([rng.integers(0, 256, (5000, 3)), np.repeat(np.arange(256)[:, None], 3, 1)]).astype(
        np.uint8
    )
    np.testing.assert_allclose(lab(colours), rgb2lab(colours[None])[0], atol=1e-3)
