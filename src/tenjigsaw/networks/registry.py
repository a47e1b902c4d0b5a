"""Networks by name. A new network is one file and one line here; the training loop stays as it is."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from torch import Tensor, nn

from tenjigsaw.errors import InputError
from tenjigsaw.networks.distances import Distance
from tenjigsaw.networks.ten import BLUE, E2E, GREEN, RED, Ten, TenLarge
from tenjigsaw.networks.unified import Unified


@runtime_checkable
class EdgeNetwork(Protocol):
    """Anything that scores all pairs of a set of edges."""

    def costs(self, views: Tensor) -> Tensor:
        """(4N, C, P, P) edge views -> (4N, 4N), lower for a better join; undefined within one piece."""
        ...


@runtime_checkable
class TwinNetwork(Protocol):
    """A network that embeds the two partners of a join one by one: what the triplet loss asks for."""

    distance: Distance

    def embed_left(self, views: Tensor) -> Tensor:
        """(M, C, P, P) -> (M, d)."""
        ...

    def embed_right(self, views: Tensor) -> Tensor:
        """(M, C, P, P) -> (M, d)."""
        ...


@runtime_checkable
class PairNetwork(Protocol):
    """A network that sees both partners at once: what the binary loss asks for."""

    def pair_logits(self, left: Tensor, right: Tensor) -> Tensor:
        """(M, C, P, P) twice -> (M,), the logit of "strangers"."""
        ...


@runtime_checkable
class StagedNetwork(Protocol):
    """A network that scores all pairs, and then again with a closer look at the best."""

    def stages(self, views: Tensor) -> tuple[Tensor, Tensor]:
        """The costs of each stage, both as ``EdgeNetwork.costs`` gives them."""
        ...


@runtime_checkable
class MirroredNetwork(Protocol):
    """A network whose two halves can learn as mirror images of each other."""

    def mirror_gradients(self) -> None:
        """Replace the gradients by their mean over the two halves."""
        ...


UNIFIED = "unified"

# piece size, embedding dimension, distance -> network
Builder = Callable[[int, int, str], nn.Module]

NETWORKS: dict[str, Builder] = {
    "ten": Ten,
    "ten-red": lambda piece, dimension, distance: Ten(piece, dimension, distance, (RED,)),
    "ten-green": lambda piece, dimension, distance: Ten(piece, dimension, distance, (GREEN,)),
    "ten-blue": lambda piece, dimension, distance: Ten(piece, dimension, distance, (BLUE,)),
    "ten-large": TenLarge,
    "e2e": lambda piece, dimension, distance: E2E(piece),
    UNIFIED: lambda piece, dimension, distance: Unified(dimension),
}


def list_networks() -> list[str]:
    """The names ``create_network`` knows."""
    return list(NETWORKS)


def create_network(
    name: str, piece: int = 28, dimension: int = 40, distance: str = "l2", without: str = ""
) -> nn.Module:
    """A freshly initialised network; its weights come from torch's global generator.

    ``without`` leaves out an ingredient of the unified model.
    """
    if name not in NETWORKS:
        raise InputError(f"There is no network {name!r}; choose one of {', '.join(NETWORKS)}.")
    if without:
        if name != UNIFIED:
            raise InputError(f"Only {UNIFIED} has ingredients to leave out, not {name}.")
        return Unified(dimension, without=without)
    return NETWORKS[name](piece, dimension, distance)
