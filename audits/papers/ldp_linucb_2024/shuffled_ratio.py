"""The exact log likelihood ratio as what is seen of a shuffled batch in which one user differs and all others hold zeros.

It is a post-processing of what the shuffler hands on. Of n messages in random order, of which one is the differing user's, the likelihood
over that of n messages of zeros is the mean over messages of p_user(message)/p_zero(message). The probabilities are written here, apart
from the algorithms.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms.gram.local import GramContributions, Scale
from banditproof.algorithms.mechanisms.vector_sum import Encoding, ShuffledSum
from banditproof.guarantees import ApproximateDP
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours

Row = tuple[float, ...]
SMALLEST, LARGEST = 1e-300, 1e4  # in place of 0, and of an infinite logarithm


def numbers_of(row: Row) -> Floats:
    """The lower triangle of x x', by rows, and y x, of a user (x, y) inside the domain."""
    x, y = np.array(row[:-1]), row[-1]
    lower, other = np.tril_indices(len(x))
    return np.concatenate([np.outer(x, x)[lower, other], y * x])


def users_of(mechanism: GramContributions | ShuffledSum) -> tuple[Floats, Floats]:
    """What the differing user contributes, in the first dataset and in the second."""
    first, second = mechanism.neighbours().worst[0]
    return numbers_of(tuple(first[0])), numbers_of(tuple(second[0]))


@dataclass(frozen=True)
class ContributionRatio:
    """Of noisy contributions, on the mechanism's own worst pair."""

    mechanism: GramContributions
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> ApproximateDP:
        return self.mechanism.guarantee()

    def neighbours(self) -> Neighbours:
        return self.mechanism.neighbours()

    def variances(self) -> Floats:
        """Of the noise of one user: with the script's (Z + Z')/2 half as much beside the diagonal."""
        features = self.mechanism.features
        lower, other = np.tril_indices(features)
        halved = (lower != other) & (self.mechanism.scale is Scale.SCRIPT)
        noise = self.mechanism.randomiser().noise_scale() ** 2
        variances: Floats = np.concatenate([np.where(halved, noise / 2.0, noise), np.full(features, noise)])
        return variances

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Draws as the mechanism does. Shape (runs, 1)."""
        sent = self.mechanism.release(data, runs, rng).reshape(runs, self.mechanism.users, -1)
        variances = self.variances()
        first, second = ((sent @ (user / variances)) - (user**2 / (2.0 * variances)).sum() for user in users_of(self.mechanism))
        found: Floats = np.logaddexp.reduce(second, axis=1) - np.logaddexp.reduce(first, axis=1)
        return found[:, None]


def counts_of(number: float, mechanism: ShuffledSum) -> Floats:
    """Probabilities of 0, 1, ... ones of a user for one coordinate."""
    from scipy.stats import binom

    trials = mechanism.randomiser().trials()
    scaled = (number + mechanism.bound) * mechanism.randomiser().resolution() / mechanism.bound
    whole = math.floor(scaled)
    noise = binom.pmf(np.arange(trials + 1), trials, 0.25)
    ones = np.zeros(trials + whole + 2)
    ones[whole:-1] += (1.0 - scaled + whole) * noise
    ones[whole + 1 :] += (scaled - whole) * noise
    return ones


def logs_of(mechanism: ShuffledSum, others: int) -> tuple[Floats, Floats]:
    """For the two users: log probability of each number of ones, his and those of so many users of zeros, (p, counts)."""
    zero, still = counts_of(0.0, mechanism), np.ones(1)
    for _ in range(others):
        still = np.convolve(still, zero)
    rows = [[np.convolve(counts_of(number, mechanism), still) for number in user.tolist()] for user in users_of(mechanism)]
    longest = max(len(ones) for found in rows for ones in found)
    with np.errstate(divide="ignore"):
        logs = np.log(np.array([[np.pad(ones, (0, longest - len(ones))) for ones in found] for found in rows]))
    return np.maximum(logs[0], -LARGEST), np.maximum(logs[1], -LARGEST)


@functools.cache
def tables_of(mechanism: ShuffledSum) -> tuple[Floats, Floats]:
    """For the two users: log probability of each count of ones, (p, counts). BITS: of the sum; COUNTS: over that of a zero."""
    if mechanism.encoding is Encoding.BITS:
        return logs_of(mechanism, mechanism.batch - 1)
    first, second = logs_of(mechanism, 0)
    zero = counts_of(0.0, mechanism)[: first.shape[1]]
    zero = np.log(np.maximum(np.pad(zero, (0, first.shape[1] - len(zero))), SMALLEST))
    return np.maximum(first - zero, -LARGEST), np.maximum(second - zero, -LARGEST)


@dataclass(frozen=True)
class CountRatio:
    """Of counts of ones, on the mechanism's own worst pair: of each coordinate their sum (BITS), or all users' (COUNTS).

    Coordinates are independent, so their ratios multiply; a count that only one of the two users can have decides.
    """

    mechanism: ShuffledSum
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> ApproximateDP:
        return self.mechanism.guarantee()

    def neighbours(self) -> Neighbours:
        return self.mechanism.neighbours()

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Draws as the mechanism does. Shape (runs, 1)."""
        first, second = tables_of(self.mechanism)
        seen = self.mechanism.release(data, runs, rng).astype(np.int64).reshape(runs, -1, len(first))
        seen = np.minimum(seen, first.shape[1] - 1)  # a count that no user has is seen as the largest
        coordinates = np.arange(len(first))
        if self.mechanism.encoding is Encoding.BITS:  # one sum a coordinate
            return np.asarray((second - first)[coordinates, seen[:, 0]].sum(axis=1))[:, None]
        one, other = (np.logaddexp.reduce(table[coordinates, seen], axis=1).sum(axis=1) for table in (first, second))
        return np.asarray(other - one)[:, None]
