"""The exact log likelihood ratio as what is seen of one user's message, or of a part of it.

It is a post-processing of the message, so what an audit of it refutes is refuted; and no event distinguishes two users better than a
threshold of it. The gradient is computed from the noisy pair (x~, y~) and from what the server sent, so that the ratio of the pair is that
of the whole message. The densities are written here, apart from the algorithm.
"""

import math
from dataclasses import dataclass
from enum import Enum
from typing import Any, assert_never

import numpy as np

from banditproof.algorithms.mechanisms.local_row import RowMessage, noise_scale
from banditproof.audits.privacy.statistic import statistic_of
from banditproof.guarantees import ApproximateDP, GaussianDP, NeighbouringRelation, View, require
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours

Row = tuple[float, ...]


class Part(Enum):
    """What of a message is seen."""

    WHOLE = "whole"
    FEATURES = "features"
    RESPONSE = "response"
    GRADIENT = "gradient"


def columns(part: Part, features: int) -> slice:
    """Where the part stands in a message (x~, y~, g)."""
    match part:
        case Part.WHOLE:
            return slice(None)
        case Part.FEATURES:
            return slice(0, features)
        case Part.RESPONSE:
            return slice(features, features + 1)
        case Part.GRADIENT:
            return slice(features + 1, None)
        case _:
            assert_never(part)


def neighbours(pair: tuple[Row, Row]) -> Neighbours:
    """Two users (x, y)."""
    width = len(pair[0])
    return Neighbours(NeighbouringRelation.ANY_PAIR, low=-1.0, high=1.0, lengths=(width, width), worst=(pair,))


@dataclass(frozen=True)
class PartOfMessage:
    """The numbers of one part, as they are sent."""

    message: RowMessage
    part: Part
    pair: tuple[Row, Row]
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> ApproximateDP:
        return self.message.guarantee()

    def neighbours(self) -> Neighbours:
        return neighbours(self.pair)

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Draws whole messages. Shape (runs, numbers of the part)."""
        sent: Floats = self.message.release(data, runs, rng)[:, columns(self.part, len(self.message.point))]
        return sent


def held(row: Row) -> Floats:
    """(x, y) as the message's mean has it: x in the unit ball, y in [-1, 1]."""
    user = np.array(row)
    user[:-1] /= max(1.0, float(np.linalg.norm(user[:-1])))
    user[-1] = min(max(user[-1], -1.0), 1.0)
    return user


@dataclass(frozen=True)
class MessageRatio:
    """Log likelihood ratio of the second user over the first, of the noisy pair or of one of its two parts, for data inside the domain or
    where the message clips."""

    message: RowMessage
    pair: tuple[Row, Row]
    part: Part = Part.WHOLE
    theorems: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require(self.part is not Part.GRADIENT, "part = gradient: must be features, response or whole (the gradient has no density here)")

    def guarantee(self) -> ApproximateDP:
        return self.message.guarantee()

    def neighbours(self) -> Neighbours:
        return neighbours(self.pair)

    def weights(self) -> tuple[Floats, float]:
        """The ratio is weights . (x~, y~) + constant: a linear function, since both densities have the same variances."""
        features = len(self.message.point)
        sent = self.message
        variance = np.full(features + 1, noise_scale(sent.calibration, sent.epsilon, sent.delta) ** 2)
        variance[:features] += self.message.injection**2
        seen = np.zeros(features + 1)
        seen[columns(self.part, features)] = 1.0
        first, second = held(self.pair[0]), held(self.pair[1])
        return seen * (second - first) / variance, float((seen * (first**2 - second**2) / (2.0 * variance)).sum())

    def level(self) -> float:
        """The exact Gaussian level of what is seen: the distance of the means in units of the noise."""
        weights, _ = self.weights()
        return float(np.sqrt((weights * (held(self.pair[1]) - held(self.pair[0]))).sum()))

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Draws whole messages. Shape (runs, 1)."""
        weights, constant = self.weights()
        sent = self.message.release(data, runs, rng)[:, : len(weights)]
        return (sent @ weights + constant)[:, None]


def epsilon_at(level: float, delta: float) -> float:
    """Exact least epsilon of a Gaussian release of this level at delta: the root of Balle and Wang's profile; 0 where delta is above it."""
    from scipy.optimize import brentq
    from scipy.special import log_ndtr, ndtr

    def excess(epsilon: float) -> float:
        below = math.exp(epsilon + float(log_ndtr(-level / 2.0 - epsilon / level)))
        return float(ndtr(level / 2.0 - epsilon / level)) - below - delta

    return float(brentq(excess, 0.0, level**2 + 40.0 * level, xtol=1e-12)) if excess(0.0) > 0.0 else 0.0


def guessed(claim: ApproximateDP) -> GaussianDP:
    """What a claim of (epsilon, delta) allows guesses that are made on every output, as a Gaussian level.

    Right with probability at most delta + (1 - delta) e^epsilon / (1 + e^epsilon) (Kairouz, Oh and Viswanath 2015, Theorem 3.4).
    """
    right = claim.delta + (1.0 - claim.delta) * statistic_of(claim).right_rate
    return GaussianDP(statistic_of(GaussianDP(1.0, claim.relation)).loss_of_rate(right), claim.relation, View.LOCAL)
