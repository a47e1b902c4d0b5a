"""CIELAB from 8-bit sRGB, in float32, by a table, a matrix and a cube root."""

import numpy as np
from numpy.typing import NDArray

_SRGB_TO_XYZ = np.array(
    [[0.412453, 0.357580, 0.180423], [0.212671, 0.715160, 0.072169], [0.019334, 0.119193, 0.950227]]
)
_WHITE_D65 = np.array([0.95047, 1.0, 1.08883])


def _linear_table() -> NDArray[np.float64]:
    value = np.arange(256) / 255.0
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


_LINEAR = _linear_table()
_TO_RELATIVE_XYZ = (_SRGB_TO_XYZ / _WHITE_D65[:, None]).T.astype(np.float32)


def lab(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(..., 3) sRGB to CIELAB under D65, two-degree observer."""
    xyz = _LINEAR.astype(np.float32)[rgb] @ _TO_RELATIVE_XYZ
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + np.float32(16 / 116))
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1).astype(np.float32)
