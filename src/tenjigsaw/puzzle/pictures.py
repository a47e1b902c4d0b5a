"""Read any picture Pillow knows as 8-bit RGB, and say in one sentence why one can't be read."""

import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from tenjigsaw.errors import InputError

Picture = NDArray[np.uint8]

# Large enough for a 12,000 x 12,000 scan, small enough that a forged header can not eat the memory.
MOST_PIXELS = 150_000_000


def read_picture(path: Path) -> Picture:
    """The picture as (H, W, 3) 8-bit RGB: EXIF turn applied, transparency over black, 16 bits reduced to 8."""
    try:
        with warnings.catch_warnings():
            # Our own limit below replaces Pillow's warning; broken metadata is no reason to speak up.
            warnings.simplefilter("ignore")
            with Image.open(path) as image:
                _refuse_bombs(image, path)
                return _to_rgb(ImageOps.exif_transpose(image), path)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"There is no picture at {path}.") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder, not a picture.") from None
    except PermissionError:
        raise InputError(f"The picture {path} may not be read: permission denied.") from None
    except Image.DecompressionBombError:
        raise InputError(f"The picture {path} claims more than {MOST_PIXELS:,} pixels and was not opened.") from None
    except MemoryError:
        raise InputError(f"The picture {path} does not fit into memory.") from None
    except Exception as error:  # Pillow's decoders raise nearly everything on damaged files
        raise InputError(f"The picture {path} can't be read: {_reason(error)}.") from None


def claimed_size(path: Path) -> tuple[int, int] | None:
    """Height and width as the file's head has them, without reading the rest; None where it can't be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path) as image:
                return image.height, image.width
    except Exception:  # whoever reads the picture itself says what is wrong with it
        return None


def _refuse_bombs(image: Image.Image, path: Path) -> None:
    if image.width * image.height > MOST_PIXELS:
        raise InputError(
            f"The picture {path} claims {image.width} x {image.height} pixels; the most allowed is {MOST_PIXELS:,}."
        )


def _to_rgb(image: Image.Image, path: Path) -> Picture:
    if image.mode.startswith("I") or image.mode == "F":
        grey = np.asarray(image)
        visible = grey != image.info.get("transparency")
        return np.repeat((_reduce_to_8_bits(grey, path) * visible)[:, :, None], 3, axis=2)
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        rgba = image.convert("RGBA")
        black = Image.new("RGBA", rgba.size, (0, 0, 0, 255))
        image = Image.alpha_composite(black, rgba)
    return np.array(image.convert("RGB"))


def _reduce_to_8_bits(grey: NDArray[np.generic], path: Path) -> Picture:
    """16-bit integers are scaled by 257; floats are taken as 0..1 if they fit in there, else as 0..255."""
    values = grey.astype(np.float64)
    if not np.isfinite(values).all():
        raise InputError(f"The picture {path} has pixels that are not a number.")
    if np.issubdtype(grey.dtype, np.floating):
        scaled = values * (255.0 if values.max(initial=0.0) <= 1.0 else 1.0)
    else:
        scaled = values / 257.0
    return np.clip(np.rint(scaled), 0, 255).astype(np.uint8)


def _reason(error: Exception) -> str:
    text = str(error).strip().rstrip(".")
    if "cannot identify image file" in text:
        return "it is not a picture in a format that Pillow knows"
    return text.splitlines()[0] if text else type(error).__name__
