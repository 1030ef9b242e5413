"""The exact log likelihood ratio as what is seen of a tree of Gram matrices: no event distinguishes two rows better than a threshold of it.

It is a post-processing of the release, so what an audit of it refutes is refuted. The densities are those of `gram_likelihood`, written
apart from the distributions of `wishart_loss`, which say what the audit may reach.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms.gram import likelihood as gram_likelihood
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.gaussian import GaussianGram
from banditproof.algorithms.mechanisms.gram.likelihood import log_ratios, node_noise
from banditproof.algorithms.mechanisms.gram.wishart import Padding, WishartGram
from banditproof.audits.privacy.statistic import statistic_of
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, NeighbouringRelation, require
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.randomness import key_from

BLOCK = 512  # runs whose matrices are held at once: they fit into the cache

Row = tuple[float, ...]


@dataclass(frozen=True)
class NodeRatio:
    """Of the nodes 1, 2, 4, ... of a tree, drawn by the policy's kernels; data are the first row. Without padding this is all that the
    white-box view of a run tells of it, whatever the horizon."""

    gram: GaussianGram | WishartGram
    pair: tuple[Row, Row]
    nodes: int
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee:
        return self.gram.guarantee()

    def neighbours(self) -> Neighbours:
        width = self.gram.dimension + 1
        return Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(1, 1), row=(width,), worst=(((self.pair[0],), (self.pair[1],)),))

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Draws a key for each block of runs. Shape (runs, 1). Raises ValueError on a row that is not of the pair."""
        rows, row = np.array(self.pair), np.array(data, dtype=float).ravel()
        sides = [side for side in (0, 1) if np.array_equal(rows[side], row)]
        require(len(sides) == 1, f"row {row.tolist()}: must be one of {self.pair}")
        found = np.zeros((runs, 1))
        for start in range(0, runs, BLOCK):
            many = min(BLOCK, runs - start)
            releases = gram_likelihood.held_nodes(self.gram, rows, sides[0], self.nodes, many, key_from(rng))
            found[start : start + many, 0] = log_ratios(releases, rows, node_noise(self.gram))
        return found


@dataclass(frozen=True)
class ReleaseRatio:
    """Of a mechanism's own release, for datasets whose first rows are the pair and whose other rows are 0.

    With padding in two rounds alone: there the only release is the node and a padding matrix, one Wishart matrix of 2 k degrees.
    """

    gram: GaussianGram | WishartGram
    pair: tuple[Row, Row]
    theorems: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known = not self._padded() or self.gram.horizon == 2
        require(known, f"horizon = {self.gram.horizon}: must be 2 with padding (no density is known beyond)")

    def _padded(self) -> bool:
        return isinstance(self.gram, WishartGram) and self.gram.padding is Padding.FULL

    def guarantee(self) -> Guarantee:
        return self.gram.guarantee()

    def data(self) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        """The two datasets."""
        rest = ((0.0,) * (self.gram.dimension + 1),) * (self.gram.horizon - 1)
        return (self.pair[0], *rest), (self.pair[1], *rest)

    def neighbours(self) -> Neighbours:
        width, horizon = self.gram.dimension + 1, self.gram.horizon
        return Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(horizon, horizon), row=(width,), worst=(self.data(),))

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Draws as the mechanism does. Shape (runs, 1)."""
        prefixes = self.gram.release(np.asarray(data, dtype=float), runs, rng).reshape(runs, self.gram.horizon - 1, -1)
        held = [(1 << level) - 1 for level in range(gram_noise.released_nodes(self.gram.horizon))]  # a prefix of 2^j rows is a node
        noise = node_noise(self.gram)
        if self._padded():
            noise = noise._replace(degrees=2.0 * noise.degrees)
        return log_ratios(prefixes[:, held], np.array(self.pair), noise)[:, None]


def level_of_guesses(right: float) -> float:
    """The Gaussian level mu at which balanced guesses are right as often as `right` at best: 2 Phi^-1(right)."""
    return statistic_of(GaussianDP(1.0, NeighbouringRelation.REPLACE_RECORD)).loss_of_rate(right)


def guessed(claim: ApproximateDP) -> GaussianDP:
    """What a claim of (epsilon, delta) allows guesses that are made on every output, as a Gaussian level.

    Right with probability at most delta + (1 - delta) e^epsilon / (1 + e^epsilon) (Kairouz, Oh and Viswanath 2015, Theorem 3.4).
    """
    return GaussianDP(level_of_guesses(claim.delta + (1.0 - claim.delta) * statistic_of(claim).right_rate), claim.relation, claim.view)
