"""A puzzle's reconstructions side by side in one picture, each with its accuracy under it, and the truth."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tenjigsaw.bench.rows import BenchRow, file_safe
from tenjigsaw.report.gallery import Files, pictures_in, shown_puzzles, truth_name
from tenjigsaw.report.palette import measures_in_order, name_of

COLUMNS = 3  # at most
_WIDTH, _GAP, _CAPTION = 360, 16, 30
_PAPER, _INK = (255, 255, 255), (20, 24, 29)


def draw_mosaics(folders: Sequence[Path], rows: Sequence[BenchRow]) -> dict[str, Image.Image]:
    """A picture by name for each puzzle that a bench kept pictures of; of each measure, what its best solver made."""
    pictures = pictures_in(*(folder / "pictures" for folder in folders))
    mosaics = {}
    for group in shown_puzzles(rows, pictures):
        best = {row.measure: row for row in group}  # the rows come from worst to best
        first = group[0]
        name = f"reconstructions-{file_safe(first.set)}-{file_safe(first.picture)}-type{first.type}"
        mosaics[name] = _mosaic([best[measure] for measure in measures_in_order(set(best))], pictures)
    return mosaics


def _mosaic(rows: Sequence[BenchRow], pictures: Files) -> Image.Image:
    tiles = [(pictures[f"{row.key}-after.webp"], f"{name_of(row.measure)}  {100 * row.neighbour:.1f}%") for row in rows]
    if truth_name(rows[0]) in pictures:
        tiles.append((pictures[truth_name(rows[0])], "Truth"))
    shown = [(_fitted(path), caption) for path, caption in tiles]
    height = max(tile.height for tile, _ in shown) + _CAPTION
    lines = -(-len(shown) // COLUMNS)
    columns = -(-len(shown) // lines)  # four make a square, rather than leave one alone
    whole = Image.new("RGB", (_GAP + columns * (_WIDTH + _GAP), _GAP + lines * (height + _GAP)), _PAPER)
    draw = ImageDraw.Draw(whole)
    for place, (tile, caption) in enumerate(shown):
        left = _GAP + place % columns * (_WIDTH + _GAP)
        top = _GAP + place // columns * (height + _GAP)
        whole.paste(tile, (left + (_WIDTH - tile.width) // 2, top))
        middle = (left + _WIDTH // 2, top + tile.height + _CAPTION // 2 + 2)
        draw.text(middle, caption, fill=_INK, font=ImageFont.load_default(17), anchor="mm")
    return whole


def _fitted(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        tile = picture.convert("RGB")
    scale = min(_WIDTH / tile.width, _WIDTH / tile.height)
    size = max(1, round(tile.width * scale)), max(1, round(tile.height * scale))
    return tile.resize(size, Image.Resampling.LANCZOS)
