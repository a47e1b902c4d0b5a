"""Blocks of pieces: true joins are true, the stream is fixed by the seed, and the disguises change no join."""

from dataclasses import replace

import numpy as np
import pytest

from tenjigsaw.errors import InputError
from tenjigsaw.measures.edge_views import edges_facing_right, facing_left
from tenjigsaw.training.sampler import (
    PIECES,
    Block,
    Sampler,
    _toned,
    block_of,
    compress,
    disguise,
    process,
    random_crop,
)
from tenjigsaw.training.settings import Settings

PLAIN = Settings(piece=8, worn=0, block=3, blocks=2, unreduced=1.0, grey=0.0, permute_channels=False)


def numbered_picture(height: int, width: int) -> np.ndarray:
    """Every pixel tells its row and column."""
    row, col = np.mgrid[0:height, 0:width]
    return np.stack((row, col, np.zeros_like(row)), axis=2).astype(np.uint8)


def joins(block: Block) -> np.ndarray:
    return np.flatnonzero(block.partner >= 0)


@pytest.mark.parametrize("step", range(20))
def test_partners_adjoin_in_the_picture(step: int) -> None:
    """Across a true join, pixels that touch were one pixel apart in the picture."""
    sampler = Sampler([numbered_picture(40, 60)], PLAIN)
    block = sampler.block(sampler.rng(step))
    right = edges_facing_right(block.pieces).astype(int)
    left = facing_left(edges_facing_right(block.pieces)).astype(int)
    for edge in joins(block):
        apart = np.abs(right[edge][:, -1] - left[block.partner[edge]][:, 0]).sum(axis=1)
        assert (apart == 1).all()


def test_partners_are_mutual_and_as_many_as_the_grid_has() -> None:
    block = block_of(numbered_picture(24, 40), 8, 0)
    edges = joins(block)
    np.testing.assert_array_equal(block.partner[block.partner[edges]], edges)
    assert len(edges) == 2 * (2 * 3 * 5 - 3 - 5)
    assert (edges // 4 != block.partner[edges] // 4).all()


def test_strangers_do_not_adjoin() -> None:
    """The check above would notice a wrong partner."""
    block = block_of(numbered_picture(24, 24), 8, 0)
    right = edges_facing_right(block.pieces).astype(int)
    left = facing_left(edges_facing_right(block.pieces)).astype(int)
    edge, wrong = joins(block)[0], joins(block)[5]
    assert (np.abs(right[edge][:, -1] - left[block.partner[wrong]][:, 0]).sum(axis=1) != 1).any()


def test_the_same_seed_step_and_worker_give_the_same_blocks() -> None:
    pictures = [np.random.default_rng(i).integers(0, 256, (50, 70, 3), dtype=np.uint8) for i in range(3)]
    settings = Settings(piece=8, block=4, blocks=3)
    one, two = Sampler(pictures, settings), Sampler(pictures, settings)
    for step in (0, 7, 1_000_000):
        for a, b in zip(one.blocks(one.rng(step)), two.blocks(two.rng(step)), strict=True):
            np.testing.assert_array_equal(a.pieces, b.pieces)
    other = Sampler(pictures, settings, worker=1)
    assert not np.array_equal(other.block(other.rng(7)).pieces, one.block(one.rng(7)).pieces)


def test_a_reduced_crop_has_whole_pieces_and_the_pictures_colours() -> None:
    settings = Settings(piece=8, block=3, unreduced=0.0)
    picture = np.full((60, 60, 3), (10, 200, 90), dtype=np.uint8)
    crop = random_crop(picture, settings.piece, settings, np.random.default_rng(0))
    assert crop.shape == (24, 24, 3)
    np.testing.assert_array_equal(crop, np.broadcast_to((10, 200, 90), crop.shape))


def test_an_enlarged_crop_shows_less_of_the_picture() -> None:
    settings = Settings(piece=8, block=3, unreduced=0.0, smallest_reduction=1.0, largest_enlargement=2.0)
    ramp = np.broadcast_to(np.arange(0, 240, 4, dtype=np.uint8)[None, :, None], (60, 60, 3))
    steps = []
    for seed in range(40):
        crop = random_crop(ramp, settings.piece, settings, np.random.default_rng(seed))
        assert crop.shape == (24, 24, 3)
        steps.append(np.diff(crop[12, 2:-2, 0].astype(int)).mean())
    assert all(2 - 0.2 <= step <= 4 + 0.2 for step in steps)
    assert min(steps) < 2.5
    assert max(steps) > 3.3


def test_an_enlargement_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="largest_enlargement"):
        Settings(largest_enlargement=0.9)


@pytest.mark.parametrize(("height", "width"), [(8, 16), (17, 9), (24, 100), (16, 16)])
def test_a_picture_smaller_than_a_block_gives_what_it_holds(height: int, width: int) -> None:
    settings = Settings(piece=8, block=4)
    for seed in range(5):
        crop = random_crop(numbered_picture(height, width), settings.piece, settings, np.random.default_rng(seed))
        assert crop.shape[:2] == (min(4, height // 8) * 8, min(4, width // 8) * 8)


def test_disguises_keep_the_pixels() -> None:
    picture = numbered_picture(16, 24)
    for seed in range(20):
        settings = Settings(piece=8, grey=0.0)
        changed = disguise(picture, settings, np.random.default_rng(seed))
        np.testing.assert_array_equal(np.sort(changed, axis=None), np.sort(picture, axis=None))


def test_grey_has_no_colour() -> None:
    crop = disguise(numbered_picture(16, 16), Settings(grey=1.0), np.random.default_rng(0))
    assert (crop == crop[:, :, :1]).all()


@pytest.mark.parametrize("network", ["ten-red", "ten-green", "ten-blue"])
def test_a_network_of_one_channel_always_sees_that_channel(network: str) -> None:
    settings = Settings(network=network, symmetries=False, grey=0.0)
    picture = numbered_picture(16, 24)
    for seed in range(5):
        np.testing.assert_array_equal(disguise(picture, settings, np.random.default_rng(seed)), picture)


def test_varied_blocks_have_pieces_of_other_sizes_and_wears() -> None:
    sampler = Sampler([numbered_picture(300, 320)], Settings(piece=28, worn=1, block=4, varied=0.5))
    drawn = [sampler.block(sampler.rng(step)) for step in range(120)]
    usual = [block for block in drawn if block.pieces.shape[1] == 28 and block.worn == 1]
    assert 45 <= len(usual) <= 80
    assert {block.pieces.shape[1] for block in drawn} == set(PIECES)
    assert {block.worn for block in drawn} == {0, 1, 2, 3, 4}


def test_a_picture_too_small_for_most_pieces_is_cut_into_those_it_holds() -> None:
    sampler = Sampler([numbered_picture(30, 40)], Settings(piece=16, worn=1, block=4, varied=1.0))
    assert {sampler.block(sampler.rng(step)).pieces.shape[1] for step in range(20)} == {16, 20}


def test_processing_keeps_shape_and_kind_and_changes_pixels() -> None:
    picture = np.random.default_rng(0).integers(0, 256, (40, 50, 3), dtype=np.uint8)
    found = [process(picture, np.random.default_rng(seed)) for seed in range(5)]
    assert all(one.shape == picture.shape and one.dtype == np.uint8 for one in found)
    assert all((one != picture).any() for one in found)
    assert (found[0] != found[1]).any()


def test_tones_keep_grey_grey_and_the_order_of_levels() -> None:
    ramp = np.repeat(np.arange(0, 256, 5, dtype=np.uint8)[None, :, None], 3, axis=2)
    for seed in range(10):
        toned = _toned(ramp, np.random.default_rng(seed))
        np.testing.assert_allclose(toned, np.broadcast_to(toned[:, :, :1], toned.shape), atol=1e-3)
        assert (np.diff(toned[0, :, 0]) > 0).all()


def test_tones_change_gamma_and_saturation() -> None:
    crop = np.array([[[0, 0, 0], [128, 128, 128], [255, 255, 255], [200, 100, 100]]], dtype=np.uint8)
    bends, spreads = [], []
    for seed in range(20):
        black, middle, white, red = _toned(crop, np.random.default_rng(seed))[0]
        bends.append((middle[0] - black[0]) / (white[0] - black[0]))
        spreads.append((red[0] - red[1]) / (white[0] - black[0]))
    assert min(bends) < 0.45
    assert max(bends) > 0.55
    assert max(spreads) > 2 * min(spreads) > 0


def test_compressing_keeps_the_place_of_everything() -> None:
    rows, columns = np.mgrid[:60, :70] * 2
    picture = np.stack([rows, columns, (rows + columns) // 2], axis=2).astype(np.uint8)
    for seed in range(10):
        found = compress(picture, np.random.default_rng(seed)).astype(int)
        assert found.shape == picture.shape
        assert 0 < np.abs(found - picture).mean() < 4


def test_only_the_asked_share_of_blocks_is_processed() -> None:
    picture = numbered_picture(200, 220)
    settings = Settings(piece=28, block=3, unreduced=1.0, grey=0.0, symmetries=False, permute_channels=False)
    plain = Sampler([picture], settings)
    half = Sampler([picture], replace(settings, processed=0.5))
    known = {row.tobytes() for row in picture.reshape(-1, 3)}
    untouched = [
        all(pixel.tobytes() in known for pixel in half.block(half.rng(step)).pieces.reshape(-1, 3)[:200])
        for step in range(40)
    ]
    assert 8 < sum(untouched) < 32
    assert (plain.block(plain.rng(0)).pieces[..., 2] == 0).all()
