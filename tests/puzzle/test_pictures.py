"""Any picture becomes 8-bit RGB, and what is no picture ends in one sentence."""

import io
import re
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image, TiffImagePlugin

from drawing import noise_picture
from reference import smooth_picture
from tenjigsaw.errors import InputError
from tenjigsaw.puzzle.pictures import MOST_PIXELS, read_picture

EXIF_ORIENTATION = 0x0112

# What a viewer does with the stored pixels for each EXIF orientation.
SHOWN = {
    1: lambda stored: stored,
    2: np.fliplr,
    3: lambda stored: np.rot90(stored, 2),
    4: np.flipud,
    5: lambda stored: stored.swapaxes(0, 1),
    6: lambda stored: np.rot90(stored, -1),
    7: lambda stored: np.rot90(stored, 2).swapaxes(0, 1),
    8: lambda stored: np.rot90(stored, 1),
}


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def forged_png(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims to be this large."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", pixels) + png_chunk(b"IEND", b"")


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def grey_of(picture: np.ndarray) -> np.ndarray:
    assert (picture == picture[:, :, :1]).all()
    return picture[:, :, 0]


class TestWhatPillowReads:
    def test_rgb_comes_back_pixel_by_pixel(self, tmp_path: Path) -> None:
        pixels = noise_picture(11, 17)
        Image.fromarray(pixels).save(tmp_path / "a.png")
        picture = read_picture(tmp_path / "a.png")
        assert picture.dtype == np.uint8
        assert np.array_equal(picture, pixels)

    def test_the_answer_may_be_written_to(self, tmp_path: Path) -> None:
        Image.fromarray(noise_picture(8, 8)).save(tmp_path / "a.png")
        read_picture(tmp_path / "a.png")[0, 0] = 7

    def test_grey_fills_all_channels(self, tmp_path: Path) -> None:
        grey = noise_picture(9, 13)[:, :, 0]
        Image.fromarray(grey).save(tmp_path / "a.png")
        assert np.array_equal(grey_of(read_picture(tmp_path / "a.png")), grey)

    def test_one_bit_is_black_and_white(self, tmp_path: Path) -> None:
        bits = noise_picture(9, 13)[:, :, 0] > 127
        Image.fromarray(bits).save(tmp_path / "a.png")
        assert np.array_equal(grey_of(read_picture(tmp_path / "a.png")), np.where(bits, 255, 0))

    def test_palette_colours_are_looked_up(self, tmp_path: Path) -> None:
        index = np.arange(64, dtype=np.uint8).reshape(8, 8) % 3
        image = Image.new("P", (8, 8))
        image.putdata(index.ravel().tolist())
        image.putpalette([255, 0, 0, 0, 255, 0, 10, 20, 30])
        image.save(tmp_path / "a.png")
        table = np.array([[255, 0, 0], [0, 255, 0], [10, 20, 30]])
        assert np.array_equal(read_picture(tmp_path / "a.png"), table[index])

    def test_transparent_palette_entries_turn_black(self, tmp_path: Path) -> None:
        index = np.arange(64, dtype=np.uint8).reshape(8, 8) % 3
        image = Image.new("P", (8, 8))
        image.putdata(index.ravel().tolist())
        image.putpalette([255, 0, 0, 0, 255, 0, 10, 20, 30])
        image.save(tmp_path / "a.png", transparency=1)
        table = np.array([[255, 0, 0], [0, 0, 0], [10, 20, 30]])
        assert np.array_equal(read_picture(tmp_path / "a.png"), table[index])

    def test_a_transparent_colour_turns_black(self, tmp_path: Path) -> None:
        pixels = noise_picture(8, 8)
        pixels[2:4] = 200, 100, 50
        Image.fromarray(pixels).save(tmp_path / "a.png", transparency=(200, 100, 50))
        pixels[2:4] = 0
        assert np.array_equal(read_picture(tmp_path / "a.png"), pixels)

    def test_alpha_is_laid_over_black(self, tmp_path: Path) -> None:
        pixels, alpha = noise_picture(8, 9), noise_picture(8, 9, 1)[:, :, :1]
        Image.fromarray(np.concatenate([pixels, alpha], axis=2)).save(tmp_path / "a.png")
        expected = pixels * (alpha / 255.0)
        assert np.abs(read_picture(tmp_path / "a.png") - expected).max() <= 1

    def test_grey_alpha_is_laid_over_black(self, tmp_path: Path) -> None:
        both = noise_picture(8, 9)[:, :, :2]
        Image.fromarray(both).save(tmp_path / "a.png")
        expected = both[:, :, 0] * (both[:, :, 1] / 255.0)
        assert np.abs(grey_of(read_picture(tmp_path / "a.png")) - expected).max() <= 1

    @pytest.mark.parametrize("ending", ["png", "tif"])
    def test_16_bit_grey_keeps_its_whole_range(self, tmp_path: Path, ending: str) -> None:
        deep = np.linspace(0, 65535, 96).reshape(8, 12).astype(np.uint16)
        Image.fromarray(deep).save(tmp_path / f"a.{ending}")
        picture = grey_of(read_picture(tmp_path / f"a.{ending}"))
        assert np.array_equal(picture, np.rint(deep / 257.0))
        assert picture.min() == 0
        assert picture.max() == 255

    def test_a_transparent_16_bit_grey_turns_black(self, tmp_path: Path) -> None:
        deep = np.full((8, 8), 40000, dtype=np.uint16)
        deep[3:] = 257 * 9
        Image.fromarray(deep).save(tmp_path / "plain.png")
        data = (tmp_path / "plain.png").read_bytes()
        at = data.index(b"IDAT") - 4
        (tmp_path / "a.png").write_bytes(data[:at] + png_chunk(b"tRNS", struct.pack(">H", 40000)) + data[at:])
        assert np.array_equal(grey_of(read_picture(tmp_path / "a.png"))[:, 0], [0] * 3 + [9] * 5)

    def test_16_bit_rgb_is_reduced(self, tmp_path: Path) -> None:
        deep = noise_picture(8, 8).astype(">u2") * 257
        rows = b"".join(b"\0" + row.tobytes() for row in deep)
        header = struct.pack(">IIBBBBB", 8, 8, 16, 2, 0, 0, 0)
        body = png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(rows)) + png_chunk(b"IEND", b"")
        (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + body)
        assert np.array_equal(read_picture(tmp_path / "a.png"), noise_picture(8, 8))

    @pytest.mark.parametrize("top", [1.0, 255.0])
    def test_float_grey_from_0_to_1_or_to_255(self, tmp_path: Path, top: float) -> None:
        share = np.linspace(0, 1, 64, dtype=np.float32).reshape(8, 8)
        Image.fromarray(share * np.float32(top)).save(tmp_path / "a.tif")
        assert np.abs(grey_of(read_picture(tmp_path / "a.tif")) - share * 255).max() <= 0.51

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
    def test_float_pixels_that_are_no_numbers_are_refused(self, tmp_path: Path, bad: float) -> None:
        pixels = np.zeros((8, 8), dtype=np.float32)
        pixels[3, 4] = bad
        Image.fromarray(pixels).save(tmp_path / "bad.tif")
        with pytest.raises(InputError, match=r"bad\.tif has pixels that are not a number"):
            read_picture(tmp_path / "bad.tif")

    def test_cmyk_is_converted(self, tmp_path: Path) -> None:
        Image.new("CMYK", (8, 8), (0, 255, 255, 0)).save(tmp_path / "a.tif")
        assert np.array_equal(read_picture(tmp_path / "a.tif"), np.full((8, 8, 3), (255, 0, 0)))

    @pytest.mark.parametrize("orientation", SHOWN)
    def test_an_exif_turned_jpeg_stands_upright(self, tmp_path: Path, orientation: int) -> None:
        exif = Image.Exif()
        exif[EXIF_ORIENTATION] = orientation
        path = tmp_path / "a.jpg"
        Image.fromarray(smooth_picture(np.random.default_rng(0), 16, 24)).save(path, exif=exif)
        with Image.open(path) as image:
            stored = np.asarray(image)
        assert np.array_equal(read_picture(path), SHOWN[orientation](stored))

    @pytest.mark.parametrize(
        "exif", [b"Exif\0\0garbage", b"Exif\0\0MM\0*\xff\xff\xff\xff", b"Exif\0\0II*\0\x08\0\0\0\xff"]
    )
    def test_broken_metadata_does_not_hide_a_good_picture(self, tmp_path: Path, exif: bytes) -> None:
        Image.fromarray(smooth_picture(np.random.default_rng(0), 16, 24)).save(tmp_path / "good.jpg")
        Image.fromarray(smooth_picture(np.random.default_rng(0), 16, 24)).save(tmp_path / "odd.jpg", exif=exif)
        assert np.array_equal(read_picture(tmp_path / "odd.jpg"), read_picture(tmp_path / "good.jpg"))

    def test_the_first_frame_of_an_animation(self, tmp_path: Path) -> None:
        red, blue = Image.new("RGB", (9, 8), (255, 0, 0)), Image.new("RGB", (9, 8), (0, 0, 255))
        red.save(tmp_path / "a.gif", save_all=True, append_images=[blue])
        assert np.array_equal(read_picture(tmp_path / "a.gif"), np.full((8, 9, 3), (255, 0, 0)))


class TestWhatIsRefused:
    def refusal(self, path: Path) -> str:
        with pytest.raises(InputError) as refused:
            read_picture(path)
        sentence = str(refused.value)
        assert str(path) in sentence
        assert sentence.endswith(".")
        assert "\n" not in sentence
        return sentence

    def test_a_missing_file(self, tmp_path: Path) -> None:
        assert "There is no picture" in self.refusal(tmp_path / "none.png")

    def test_a_folder(self, tmp_path: Path) -> None:
        assert "is a folder" in self.refusal(tmp_path)

    def test_a_text_called_png(self, tmp_path: Path) -> None:
        (tmp_path / "a.png").write_text("I am a picture, honestly.\n")
        assert "not a picture" in self.refusal(tmp_path / "a.png")

    def test_an_empty_file(self, tmp_path: Path) -> None:
        (tmp_path / "a.png").touch()
        assert "not a picture" in self.refusal(tmp_path / "a.png")

    @pytest.mark.parametrize("kind", ["png", "jpeg"])
    def test_a_truncated_file(self, tmp_path: Path, kind: str) -> None:
        whole = encoded(Image.fromarray(noise_picture(64, 64)), kind)
        (tmp_path / "a").write_bytes(whole[: len(whole) // 2])
        assert "truncated" in self.refusal(tmp_path / "a")

    @pytest.mark.parametrize("side", [100_000, int(MOST_PIXELS**0.5) + 1])
    def test_a_bomb_far_above_and_just_above_the_limit(self, tmp_path: Path, side: int) -> None:
        (tmp_path / "bomb.png").write_bytes(forged_png(side, side))
        assert "claims" in self.refusal(tmp_path / "bomb.png")

    def test_a_forged_header_below_the_limit(self, tmp_path: Path) -> None:
        (tmp_path / "a.png").write_bytes(forged_png(1000, 1000))
        assert "truncated" in self.refusal(tmp_path / "a.png")

    def test_a_name_no_file_can_have(self) -> None:
        self.refusal(Path("x" * 300 + ".png"))
        self.refusal(Path("nul\0.png"))


def valid_files() -> list[bytes]:
    """Small files in every kind of coding the common formats have."""
    colours = Image.fromarray(smooth_picture(np.random.default_rng(0), 16, 12))
    deep = Image.fromarray(np.arange(192, dtype=np.uint16).reshape(16, 12) * 300)
    floats = Image.fromarray(np.linspace(0, 1, 192, dtype=np.float32).reshape(16, 12))
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = 6
    directory = TiffImagePlugin.ImageFileDirectory_v2()
    directory[EXIF_ORIENTATION] = 8
    return [
        encoded(colours, "PNG", exif=exif),
        encoded(colours.convert("RGBA"), "PNG"),
        encoded(colours.quantize(8), "PNG", transparency=3),
        encoded(deep, "PNG"),
        encoded(colours, "JPEG", exif=exif),
        encoded(colours.convert("CMYK"), "JPEG"),
        encoded(colours, "JPEG", progressive=True),
        encoded(colours, "GIF", save_all=True, append_images=[colours.rotate(180)]),
        encoded(colours, "TIFF", tiffinfo=directory),
        encoded(colours, "TIFF", compression="tiff_lzw"),
        encoded(deep, "TIFF", compression="tiff_adobe_deflate"),
        encoded(floats, "TIFF"),
        encoded(colours, "BMP"),
        encoded(colours.quantize(16), "BMP"),
        encoded(colours, "WEBP"),
        encoded(colours.convert("RGBA"), "WEBP", lossless=True),
        encoded(colours, "JPEG2000"),
        encoded(colours, "TGA"),
        encoded(colours, "PPM"),
        encoded(colours, "ICO"),
    ]


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    data = bytearray(draw(st.sampled_from(VALID)))
    near_start = st.integers(0, min(80, len(data) - 1))
    places = st.one_of(near_start, st.integers(0, len(data) - 1))
    for place, value in draw(st.lists(st.tuples(places, st.integers(0, 255)), max_size=6)):
        data[place] = value
    return bytes(data[: draw(st.one_of(st.just(len(data)), st.integers(0, len(data))))])


VALID = valid_files()


def picture_or_refusal(path: Path) -> None:
    try:
        picture = read_picture(path)
    except InputError as refusal:
        sentence = str(refusal)
    else:
        sentence = "read."
        assert picture.dtype == np.uint8
        assert picture.ndim == 3
        assert picture.shape[2] == 3
    assert re.fullmatch(r"[^\n]+\.", sentence)


@pytest.mark.parametrize("number", range(len(VALID)))
def test_the_files_to_be_damaged_are_good(tmp_path: Path, number: int) -> None:
    (tmp_path / "a").write_bytes(VALID[number])
    assert set(read_picture(tmp_path / "a").shape[:2]) == {12, 16}


@settings(max_examples=4 * settings.default.max_examples)
@given(data=damaged_files())
def test_damaged_pictures_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(data)
    picture_or_refusal(path)


@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
@example(b"\x89PNG\r\n\x1a\n")
@example(b"GIF89a")
@example(b"BM")
@example(b"\xff\xd8\xff\xe0")
@example(b"II*\0")
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "anything.png"
    path.write_bytes(data)
    picture_or_refusal(path)
