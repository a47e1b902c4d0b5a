"""The unified model: symmetric, blind to mirrors, aware of wear, and MGC inside it is MGC."""

import numpy as np
import pytest
import torch

from reference import puzzle_of
from tenjigsaw.errors import InputError
from tenjigsaw.measures import create_measure
from tenjigsaw.measures.edge_views import edge_views
from tenjigsaw.measures.rerank import FARTHEST, SECOND_LOOKS
from tenjigsaw.networks.mgc import root_mgc
from tenjigsaw.networks.mirror import MirrorConv
from tenjigsaw.networks.precision import rough
from tenjigsaw.networks.registry import create_network
from tenjigsaw.networks.unified import (
    INGREDIENTS,
    Expectation,
    Unified,
    candidate_pairs,
    squared_misfit,
    stem_inputs,
    surviving,
)
from tenjigsaw.training.tensors import to_tensor


def views_of(size: int = 28, worn: int = 1, rows: int = 3, cols: int = 4, seed: int = 0) -> torch.Tensor:
    pieces = np.random.default_rng(seed).integers(0, 256, (rows * cols, size, size, 3), dtype=np.uint8)
    return to_tensor(edge_views(pieces, worn))


def network(**options: object) -> Unified:
    torch.manual_seed(1)
    built = Unified(8, **options)  # type: ignore[arg-type]  # whatever the test asks for
    # Weights that begin at 0 would hide a mistake in what they multiply.
    torch.nn.init.normal_(built.wear.weight)
    return built


@pytest.mark.parametrize(("size", "worn"), [(28, 1), (28, 0), (16, 4), (64, 3)])
@torch.no_grad()
def test_costs_are_exactly_symmetric_and_finite(size: int, worn: int) -> None:
    costs = network().costs(views_of(size, worn))
    assert costs.shape == (48, 48)
    assert torch.isfinite(costs).all()
    assert torch.equal(costs, costs.T)


@torch.no_grad()
def test_a_mirrored_puzzle_has_the_same_costs() -> None:
    views = views_of()
    ours, mirrored = network().costs(views), network().costs(views.flip(2))
    torch.testing.assert_close(ours, mirrored, rtol=1e-4, atol=1e-4)


@torch.no_grad()
def test_without_tied_weights_a_mirror_is_noticed() -> None:
    views = views_of()
    untied = network(without="mirror")
    assert (untied.costs(views) - untied.costs(views.flip(2))).abs().max() > 0.01


@torch.no_grad()
def test_mirrored_tokens_are_the_tokens_with_halves_swapped() -> None:
    inside, worn = surviving(views_of())
    built = network()
    ours, mirrored = built.trunk(inside, worn), built.trunk(inside.flip(2), worn)
    swapped = torch.cat(mirrored.chunk(2, dim=1)[::-1], dim=1).flip(2)
    torch.testing.assert_close(ours, swapped, rtol=1e-4, atol=1e-4)


def test_a_mirror_convolution_holds_half_the_weights_of_a_plain_one() -> None:
    assert sum(weight.numel() for weight in MirrorConv(3, 5, 3).parameters()) == 5 * 6 * 3
    assert MirrorConv(3, 5, 3).kernel().shape == (10, 6, 3)


@pytest.mark.parametrize("worn", range(5))
def test_the_wear_is_read_off_the_blank_frame(worn: int) -> None:
    inside, found = surviving(views_of(16, worn))
    assert found == worn
    assert inside.shape[2:] == (16 - 2 * worn, 16 - 2 * worn)


@torch.no_grad()
def test_wear_changes_what_is_expected() -> None:
    inside, _ = surviving(views_of())
    built = network()
    assert not torch.allclose(built.trunk(inside, 1), built.trunk(inside, 2))
    assert torch.equal(built.trunk(inside, 4), built.trunk(inside, 9))


@torch.no_grad()
def test_the_mgc_inside_is_the_classical_one() -> None:
    puzzle = puzzle_of(0, rows=3, cols=4, size=28)
    inside, _ = surviving(to_tensor(edge_views(puzzle.pieces, 1)))
    one_way = root_mgc(inside, inside) * inside.shape[2]
    ours = (one_way + one_way.T).numpy()
    classical = create_measure("mgc").scores(puzzle).values
    legal = np.isfinite(classical)
    np.testing.assert_allclose(ours[legal], classical[legal], rtol=2e-3)


def test_the_misfit_as_a_product_is_the_misfit_written_out() -> None:
    torch.manual_seed(0)
    mean, shown, weight = torch.randn(5, 3, 4), torch.randn(5, 3, 4), torch.ones(5, 4)
    precision = torch.rand(5, 3, 4)
    edges = Expectation(mean, precision, shown, weight)
    found = squared_misfit(edges, edges)
    for a, b, q in np.ndindex(5, 5, 4):
        expected = (precision[a, :, q] * (shown[b, :, q] - mean[a, :, q]) ** 2).sum()
        assert found[q, a, b].item() == pytest.approx(expected.item(), abs=1e-5)


def test_small_steps_are_heard_beside_large_ones() -> None:
    """A step of one level is compressed to more than a hundredth of a step of 255 levels."""
    inside = torch.zeros(1, 3, 4, 16)
    inside[..., -1] = 4 / 255
    small = stem_inputs(inside)[0].abs().max()
    inside[..., -1] = 4.0
    assert small > stem_inputs(inside)[0, 36:].abs().max() / 20


@pytest.mark.parametrize("ingredient", INGREDIENTS)
def test_each_ingredient_can_be_left_out_and_matters(ingredient: str) -> None:
    views = views_of()
    lacking = network(without=ingredient)
    costs = lacking.costs(views)
    costs.mean().backward()  # type: ignore[no-untyped-call]  # torch's own
    assert torch.isfinite(costs).all()
    assert not torch.allclose(costs.detach(), network().costs(views).detach())


def test_only_the_unified_model_has_ingredients() -> None:
    lacking = create_network("unified", dimension=8, without="mgc")
    assert isinstance(lacking, Unified)
    assert lacking.without == "mgc"
    with pytest.raises(InputError, match="Only unified has ingredients"):
        create_network("ten", without="mgc")


def test_an_unknown_ingredient_is_refused() -> None:
    with pytest.raises(InputError, match="no ingredient 'salt'"):
        Unified(8, without="salt")


@torch.no_grad()
def test_a_second_look_corrects_the_best_candidates_only_and_both_ways_alike() -> None:
    built = network()
    torch.nn.init.normal_(built.second_look.verdict.weight)
    costs, corrected = built.stages(views_of(rows=4, cols=5))
    changed = corrected != costs
    assert torch.equal(corrected, corrected.T)
    one, other, _, _ = candidate_pairs(costs, SECOND_LOOKS, FARTHEST)
    # Each of 80 edges has 8 candidates, and may be one of others'; those far behind the best are left out.
    assert 80 <= int(changed.sum()) <= 2 * len(one) <= 2 * 80 * 8
    changed[one, other] = changed[other, one] = False
    assert not changed.any()


def test_candidates_far_behind_the_best_are_left_out() -> None:
    costs = torch.full((12, 12), 20.0)
    for one, other, cost in ((0, 4, 1.0), (0, 8, 3.0), (4, 8, 9.0)):
        costs[one, other] = costs[other, one] = cost
    kept = set(zip(*(edges.tolist() for edges in candidate_pairs(costs, 2, 2.0)[:2]), strict=True))
    assert {(0, 4), (0, 8)} <= kept
    assert (4, 8) not in kept
    assert (4, 8) in set(zip(*(edges.tolist() for edges in candidate_pairs(costs, 2)[:2]), strict=True))


def test_rough_products_stay_close_and_symmetric() -> None:
    built, views = network(), views_of(32)
    with torch.no_grad():
        costs = built.costs(views)
        with rough():
            roughly = built.costs(views)
    assert roughly.dtype == torch.float32
    torch.testing.assert_close(roughly, roughly.T)
    assert 0 < (roughly - costs).abs().mean() < 0.05 * costs.abs().mean()


@torch.no_grad()
def test_a_second_look_does_not_care_which_edge_comes_first() -> None:
    built = network()
    torch.nn.init.normal_(built.second_look.verdict.weight)
    described = built.describe(views_of())
    one, other = torch.tensor([0, 5, 9]), torch.tensor([7, 20, 33])
    torch.testing.assert_close(built.correct(described, one, other), built.correct(described, other, one))


def test_every_weight_learns() -> None:
    built = network()
    torch.nn.init.normal_(built.second_look.verdict.weight)
    torch.stack(built.stages(views_of(32))).square().mean().backward()  # type: ignore[no-untyped-call]  # torch's own
    still = [
        name for name, weight in built.named_parameters() if weight.grad is None or not weight.grad.abs().sum() > 0
    ]
    assert still == []
