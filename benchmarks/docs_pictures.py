"""Draw the pictures of the documentation from the built-in picture.

    python benchmarks/docs_pictures.py --out docs/pictures

Each picture has a light ground of its own, so that it can be read on a dark page too, and marks what matters by words
or shapes as well as by colour.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tenjigsaw import Pins, join_confidence, reassemble
from tenjigsaw.evaluation import right_joins
from tenjigsaw.evaluation.metrics import upright
from tenjigsaw.geometry import LEFT, RIGHT, turn_picture
from tenjigsaw.measures import DenseScores, create_measure
from tenjigsaw.pictures import built_in_picture
from tenjigsaw.puzzle import Puzzle, cut, erode, read_picture, shuffle, turn
from tenjigsaw.rendering import confidence_picture, joins_picture, render, scrambled_picture

PIECE = 28
GROUND, INK, FAINT = (250, 250, 247), (40, 40, 40), (110, 110, 110)
TRUE, WORN = (0, 158, 115), (150, 150, 150)
SEED = 0

Pixels = NDArray[np.uint8]


def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own letters."""
    return ImageFont.load_default(size)


def enlarged(pixels: Pixels, times: int) -> Image.Image:
    """Every pixel a square, so that one can count them."""
    return Image.fromarray(np.ascontiguousarray(pixels)).resize(
        (pixels.shape[1] * times, pixels.shape[0] * times), Image.Resampling.NEAREST
    )


def card(width: int, height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """An empty picture."""
    image = Image.new("RGB", (width, height), GROUND)
    return image, ImageDraw.Draw(image)


def side_by_side(pictures: dict[str, Image.Image]) -> Image.Image:
    """Pictures of one width with words above them."""
    width, height = max(picture.width for picture in pictures.values()), max(p.height for p in pictures.values())
    image, draw = card(20 + len(pictures) * (width + 20), height + 60)
    for place, (words, picture) in enumerate(pictures.items()):
        x = 20 + place * (width + 20)
        draw.text((x, 12), words, INK, font(18))
        image.paste(picture, (x, 40))
    return image


def demo_puzzle(erosion: int) -> Puzzle:
    """The puzzle of `tenjigsaw demo`, worn as much as wanted."""
    rng = np.random.default_rng(SEED)
    worn = erode(cut(read_picture(built_in_picture()), PIECE), erosion, rng)
    return turn(shuffle(worn, rng), rng)


def upright_puzzle(erosion: int, colour: tuple[int, int, int] = WORN) -> Puzzle:
    """The same pieces in reading order and not turned; the solver may turn them."""
    whole = cut(read_picture(built_in_picture()), PIECE)
    return replace(erode(whole, erosion, np.random.default_rng(SEED), colour=colour), turned=True)


def facing(puzzle: Puzzle, edge: int, direction: int) -> Pixels:
    """The piece of an edge, turned so that the edge faces a direction."""
    return turn_picture(puzzle.pieces[edge // 4], (direction - edge) % 4)


# What a puzzle is: before and after.


def before_and_after() -> Image.Image:
    """The scrambled puzzle and what `tenjigsaw demo` makes of it."""
    puzzle = demo_puzzle(1)
    assert puzzle.truth is not None
    solved = upright(reassemble(puzzle).layout, puzzle.truth)
    before, after = Image.fromarray(scrambled_picture(puzzle)), Image.fromarray(render(solved, puzzle))
    return side_by_side({"what you have": before, "what you get": after})


# What wear does to an edge.


def erosion() -> Image.Image:
    """A true pair of neighbours: clean, worn by one pixel, worn by two."""
    times, joins = 9, (0, 1, 2)
    side, shown = PIECE * times, 14
    image, draw = card(20 + len(joins) * (2 * shown * times + 20), side + 66)
    words = ("clean: colours run on", "worn by 1: two pixels lost", "worn by 2: four pixels lost")
    for place, worn in enumerate(joins):
        puzzle = upright_puzzle(worn)
        left, right = facing(puzzle, 4 * 69 + RIGHT, RIGHT), facing(puzzle, 4 * 70 + LEFT, LEFT)
        x = 20 + place * (2 * shown * times + 20)
        draw.text((x, 12), words[place], INK, font(18))
        image.paste(enlarged(left[:, PIECE - shown :], times), (x, 44))
        image.paste(enlarged(right[:, :shown], times), (x + shown * times, 44))
        middle = x + shown * times
        draw.polygon([(middle - 7, 35), (middle + 7, 35), (middle, 44)], INK)
    return image


# What each measure looks at.


def looked_at() -> Image.Image:
    """The same piece once for each measure, with what the measure does not see faded."""
    puzzle, times = upright_puzzle(1), 7
    shown = (
        ("SSD", "last column", 1),
        ("L1, PBC", "last two, continued", 2),
        ("MGC", "last two, as a whole", 2),
        ("unified", "twelve columns", 12),
        ("TEN", "the whole piece", 26),
    )
    side = PIECE * times
    image, draw = card(20 + len(shown) * (side + 20), side + 76)
    for place, (name, words, columns) in enumerate(shown):
        pixels = facing(puzzle, 4 * 69 + RIGHT, RIGHT).astype(np.float32)
        seen = np.zeros((PIECE, PIECE, 1), dtype=bool)
        seen[1 : PIECE - 1, PIECE - 1 - columns : PIECE - 1] = True
        faded = np.where(seen, pixels, 0.3 * pixels + 0.7 * np.array(GROUND))
        x = 20 + place * (side + 20)
        draw.text((x, 10), name, INK, font(20))
        draw.text((x, 36), words, FAINT, font(16))
        image.paste(enlarged(faded.astype(np.uint8), times), (x, 62))
    return image


# For one edge, the best candidates of each measure.

NAMES = {"ssd": "SSD", "mgc": "MGC", "unified-rerank": "unified, second look"}


def candidates(edge: int) -> Image.Image:
    """The five best partners of an edge under three measures; a tick and a frame mark the true one."""
    puzzle = upright_puzzle(1)
    assert puzzle.truth is not None
    true = int(puzzle.truth.partners()[edge])
    times, best = 4, 5
    side, left = PIECE * times, 214
    pair = 2 * side - 2 * times
    image, draw = card(left + best * (pair + 16) + 8, 30 + len(NAMES) * (side + 34))
    for line, (measure, words) in enumerate(NAMES.items()):
        scores = create_measure(measure).scores(puzzle)
        y = 30 + line * (side + 34)
        draw.text((20, y + 20), words, INK, font(18))
        draw.text((20, y + 48), f"true neighbour: {_ordinal(_rank(scores, edge, true))}", FAINT, font(16))
        for place, other in enumerate(scores.best(best)[edge]):
            x = left + place * (pair + 16)
            _paste_pair(image, puzzle, (edge, int(other)), (x, y), times)
            if other == true:
                draw.rectangle([x - 4, y - 4, x + pair + 3, y + side + 3], outline=TRUE, width=4)
                draw.line([(x + 8, y + 16), (x + 15, y + 24), (x + 29, y + 6)], (255, 255, 255), 9)
                draw.line([(x + 8, y + 16), (x + 15, y + 24), (x + 29, y + 6)], TRUE, 5)
    for place in range(best):
        draw.text((left + place * (pair + 16) + pair // 2 - 20, 4), _ordinal(place + 1), FAINT, font(16))
    return image


def _paste_pair(image: Image.Image, puzzle: Puzzle, edges: tuple[int, int], at: tuple[int, int], times: int) -> None:
    """Two pieces side by side, their worn frames closed between them."""
    one, other = facing(puzzle, edges[0], RIGHT), facing(puzzle, edges[1], LEFT)
    both = np.concatenate([one[:, :-1], other[:, 1:]], axis=1)
    image.paste(enlarged(both, times), at)


def _rank(scores: DenseScores, edge: int, true: int) -> int:
    return int((scores.values[edge] < scores.values[edge, true]).sum()) + 1


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


# How sure each join is, and whether it is right.


def confidence() -> Image.Image:
    """What the solver thinks of its joins, beside the truth; worn by two pixels, so that some are wrong."""
    puzzle = demo_puzzle(2)
    assert puzzle.truth is not None
    layout = upright(reassemble(puzzle, measure="mgc").layout, puzzle.truth)
    how_sure = join_confidence(layout, create_measure("mgc").scores(puzzle))
    sure = Image.fromarray(confidence_picture(layout, puzzle, how_sure))
    truth = Image.fromarray(joins_picture(layout, puzzle, right_joins(layout, puzzle.truth)))
    return side_by_side({"how sure it is of each join": sure, "which are right (green) and wrong": truth})


# What a person's corrections are worth.


def corrected() -> Image.Image:
    """A layout with wrong joins, and the one after a person has said what belongs at the twenty most doubtful."""
    puzzle = demo_puzzle(2)
    assert puzzle.truth is not None
    first = reassemble(puzzle, measure="mgc")
    joins, partner = first.layout.joins(), puzzle.truth.partners()
    wrong = np.nonzero(~right_joins(first.layout, puzzle.truth) & (partner[joins.one] >= 0))[0]
    doubtful = joins.one[wrong[np.argsort(first.confidence[wrong])][:20]]
    said = np.unique(np.sort(np.stack([doubtful, partner[doubtful]], axis=1), axis=1), axis=0)
    second = reassemble(puzzle, measure="mgc", start=first.layout, pins=Pins(joined=said))
    before, after = (
        Image.fromarray(render(upright(result.layout, puzzle.truth), puzzle)) for result in (first, second)
    )
    return side_by_side({"before": before, f"after {len(said)} pins": after})


PICTURES: dict[str, Callable[[], Image.Image]] = {
    "before_and_after": before_and_after,
    "erosion": erosion,
    "looked_at": looked_at,
    "candidates": lambda: candidates(215),
    "alike": lambda: candidates(150),
    "confidence": confidence,
    "corrected": corrected,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw all of them, or those named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *PICTURES])
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    wanted = parser.parse_args(arguments)
    wanted.out.mkdir(parents=True, exist_ok=True)
    for name in wanted.names or PICTURES:
        PICTURES[name]().save(wanted.out / f"{name}.webp", quality=88, method=6)


if __name__ == "__main__":
    main()
