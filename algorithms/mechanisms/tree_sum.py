"""Private prefix sums by a binary tree of partial sums (Dwork, Naor, Pitassi and Rothblum 2010; Chan, Shi and Song 2011).

Rounds count from 1 here. Node t is the partial sum of the rounds t - lowest_bit(t) + 1 .. t; prefix t is the sum of the nodes t, t with
its lowest bit cleared, and so on: one node for each 1 in t's binary digits. Those are the only nodes of the dyadic tree that a prefix
ever needs. Each node has one Laplace draw, made once and used in every prefix that contains the node.

Reading. A horizon that is no power of two is not padded: round r enters the nodes r, r + lowest_bit(r), ... up to the horizon, so that
the first round enters most of them, floor(log2 T) + 1, and the noise has scale (floor(log2 T) + 1) * sensitivity / epsilon. Both papers
write log T; at a horizon of a power of two the first round enters log2 T + 1 nodes, and log2 T would be one short.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from banditproof import glossary
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats
from banditproof.kernels import compiled
from banditproof.mechanism import Neighbours


def levels(horizon: int) -> int:
    """Nodes that one round enters, at most: floor(log2 horizon) + 1."""
    return int(glossary.HORIZON.require(horizon)).bit_length()


def terms(horizon: int) -> int:
    """Nodes that one prefix sums, at most: the most 1s in the binary digits of a number up to the horizon, floor(log2(horizon + 1))."""
    return (int(glossary.HORIZON.require(horizon)) + 1).bit_length() - 1


def node_scale(epsilon: float, horizon: int, sensitivity: float = 1.0) -> float:
    """Scale of a node's noise: levels * sensitivity / epsilon, since a record that changes by `sensitivity` changes `levels` nodes."""
    return levels(horizon) * glossary.SENSITIVITY.require(sensitivity) / glossary.EPSILON.require(epsilon)


def nodes_summed(round: int) -> tuple[tuple[int, int], ...]:
    """The nodes of prefix `round`, each as (first, last) round; the latest first."""
    last, nodes = int(glossary.ROUND.require(round)), []
    while last:
        rest = last & (last - 1)
        nodes.append((rest + 1, last))
        last = rest
    return tuple(nodes)


def error_bound(epsilon: float, horizon: int, failure: float, sensitivity: float = 1.0) -> float:
    """With probability 1 - failure all prefix sums up to the horizon at once are this close to the true ones.

    Chan et al. 2011, Lemma 2.8: a sum of m Laplace draws of scale b exceeds x in size with probability at most 2 exp(-x^2 / (8 v^2)), if
    v >= b sqrt(m) and x <= 2 sqrt(2) v^2 / b. With v = b max(sqrt(m), sqrt(ln(2 T / failure))) and a union bound over the T rounds,
    x = v sqrt(8 ln(2 T / failure)).
    """
    glossary.FAILURE.require(failure)
    exponent = math.log(2.0 * horizon / failure)
    return node_scale(epsilon, horizon, sensitivity) * math.sqrt(8.0 * exponent * max(terms(horizon), exponent))


def _prefix_noise(partial: Floats, count: int, fresh: float) -> float:
    """Noise of prefix `count` from the draw of node `count`, once all earlier prefixes have been through here; `partial` is (levels,).

    partial[j] is the noise of the prefix that remains of `count` without its bits 0 .. j. Constant work a round, averaged over rounds.
    """
    level = 0
    while (count >> level) & 1 == 0:
        level += 1
    noise: float = partial[level] + fresh
    for lower in range(level):
        partial[lower] = noise
    return noise


prefix_noise = compiled(_prefix_noise)


@dataclass(frozen=True)
class TreeSum:
    """Releases all prefix sums of a stream of `horizon` numbers in [0, sensitivity]; neighbours differ in one number."""

    epsilon: float
    horizon: int
    sensitivity: float = 1.0
    theorems: tuple[str, ...] = field(
        default=("dwork_2010.tree_privacy", "chan_2011.tree_privacy", "dwork_2010.tree_error", "chan_2011.tree_error"),
        init=False,
        repr=False,
    )

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        glossary.HORIZON.require(self.horizon)
        glossary.SENSITIVITY.require(self.sensitivity)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.REPLACE_RECORD)

    def neighbours(self) -> Neighbours:
        """The worst pair moves the first number, which enters most nodes, from one end to the other."""
        still = (0.0,) * self.horizon
        worst = ((still, (self.sensitivity, *still[1:])),)
        return Neighbours(NeighbouringRelation.REPLACE_RECORD, high=self.sensitivity, lengths=(self.horizon, self.horizon), worst=worst)

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases of all prefix sums, shape (runs, T). Raises ValueError unless `data` are T numbers in [0, sensitivity]."""
        stream = np.asarray(data, dtype=float)
        if stream.shape != (self.horizon,):
            raise ValueError(f"data of shape {stream.shape}: must be ({self.horizon},) (one number per round)")
        outside = stream[~((stream >= 0.0) & (stream <= self.sensitivity))]
        if outside.size:
            raise ValueError(f"number = {outside[0]}: must be >= 0 and <= {self.sensitivity} (the sensitivity)")
        noise = rng.laplace(0.0, node_scale(self.epsilon, self.horizon, self.sensitivity), (runs, self.horizon))
        for level in reversed(range(levels(self.horizon))):  # column t - 1 turns from the draw of node t into the noise of prefix t
            size = 1 << level
            last = np.arange(3 * size, self.horizon + 1, 2 * size)  # the rounds with lowest bit `size` and a longer prefix before
            noise[:, last - 1] += noise[:, last - size - 1]
        return np.cumsum(stream) + noise
