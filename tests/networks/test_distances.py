"""The four distances against their formulas, pair by pair and all pairs at once."""

import math

import pytest

torch = pytest.importorskip("torch")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from tenjigsaw.networks.distances import DISTANCES, create_distance  # noqa: E402


def formula(name: str, left: list[float], right: list[float]) -> float:
    if name == "cosine":
        dot = sum(a * b for a, b in zip(left, right, strict=True))
        return 1 - dot / (math.hypot(*left) * math.hypot(*right))
    p = int(name[1:])
    return sum(abs(a - b) ** p for a, b in zip(left, right, strict=True)) ** (1 / p)


@pytest.mark.parametrize("name", DISTANCES)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**31), rows=st.integers(1, 5), columns=st.integers(1, 5), d=st.integers(2, 9))
def test_all_pairs_agree_with_the_formula(name: str, seed: int, rows: int, columns: int, d: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    left = torch.randn(rows, d, generator=generator)
    right = torch.randn(columns, d, generator=generator)
    found = create_distance(name).all_pairs(left, right)
    assert found.shape == (rows, columns)
    for a in range(rows):
        for b in range(columns):
            expected = formula(name, left[a].tolist(), right[b].tolist())
            assert found[a, b].item() == pytest.approx(expected, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("name", DISTANCES)
def test_pairs_are_the_diagonal_of_all_pairs(name: str) -> None:
    left, right = torch.randn(2, 6, 5, generator=torch.Generator().manual_seed(1))
    distance = create_distance(name)
    torch.testing.assert_close(distance.pairs(left, right), distance.all_pairs(left, right).diagonal())


@pytest.mark.parametrize("name", DISTANCES)
def test_equal_embeddings_have_finite_gradients(name: str) -> None:
    left = torch.ones(3, 4, requires_grad=True)
    create_distance(name).all_pairs(left, torch.ones(3, 4)).sum().backward()
    assert torch.isfinite(left.grad).all()
