"""wu_2023: the truncated mean as it is shipped, beside the sheet's formulas and plain loops: releases, neighbours, every parameter.

Releases are replayed from an equal generator, with rewards beyond the truncation, at its ends, and infinite.
"""

import math
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.estimators import truncated_mean
from banditproof.algorithms.estimators.truncated_mean import PrivateTruncatedMean
from banditproof.audits.common.beside import beside
from banditproof.audits.common.releases import described, equal, guaranteed, refusals, replayed
from banditproof.audits.methods.pointwise import At
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours

RECORDS = NeighbouringRelation.REPLACE_RECORD
Numbers = tuple[float, ...]


def kept_mean(rewards: Numbers, centre: float, size: float) -> float:
    """Of the rewards, each of which counts as the centre where it is farther than `size` from it."""
    distances = [reward - centre for reward in rewards]
    return centre + sum(distance if -size <= distance <= size else 0.0 for distance in distances) / len(rewards)


def rewards_around(size: float) -> Iterator[Numbers]:
    """Lists of 1 to 7 rewards on either side of the truncation."""
    above = math.nextafter(size, math.inf)
    for each in (0.0, size, -size, above, -above, 0.9 * size, -1.9 * size, math.inf, -1e300):
        yield (each,)
    yield (0.3 * size, -size, above, 0.7 * size, 40.0, -math.inf, -0.2 * size)


def truncated_releases() -> Iterator[At]:
    """The truncated mean and noise of scale 2 M / (n epsilon); the worst pairs flip a reward of size M, alone and among zeros."""
    for epsilon, size in ((1.0, 1.0), (0.3, 2.5), (7.0, 0.4)):
        mechanism, above = PrivateTruncatedMean(epsilon, size), math.nextafter(size, math.inf)
        for rewards in rewards_around(size):
            mean = kept_mean(rewards, 0.0, size)
            scale = 2.0 * size / (len(rewards) * epsilon)
            yield equal({"rewards": rewards, "M": size}, truncated_mean.truncated_mean(rewards, size), mean)
            yield from replayed(mechanism, rewards, partial(_with_noise, mean, scale))
        yield guaranteed(mechanism, PureDP(epsilon, RECORDS))
        moved = ((size, -size), (above, size), (above, -size))
        pairs = tuple(((one, *rest), (other, *rest)) for rest in ((), (0.0, 0.0, 0.0)) for one, other in moved)
        yield from described(mechanism, Neighbours(RECORDS, low=-1.25 * size, high=1.25 * size, lengths=(1, 4), worst=pairs))
        bad: dict[str, Any] = {"nan": [math.nan], "none": [], "a matrix": [[1.0]]}
        yield from refusals({name: partial(mechanism.release, data, 1, np.random.default_rng(0)) for name, data in bad.items()})


def _with_noise(mean: float, scale: float, rng: np.random.Generator, runs: int) -> Floats:
    return mean + scale * rng.laplace(size=(runs, 1))


# n, epsilon, k, delta, alpha_1, M
SETTINGS = tuple(product((1, 30, 10**5), (0.2, 1.2, 4.0), (2.0, 3.5), (0.01, 0.6), (0.003, 0.1), (0.7, 9.0)))


def truncated_parameters() -> Iterator[At]:
    """The formulas of Theorem 6.1 and of its proof, with l_c = ln c - ln delta."""
    for n, epsilon, k, delta, alpha, size in SETTINGS:
        l2, l4, l8, l16 = (math.log(c) - math.log(delta) for c in (2, 4, 8, 16))
        where = {"n": n, "epsilon": epsilon, "k": k, "delta": delta, "alpha_1": alpha, "M": size}
        told: dict[str, Any] = {"moment": k, "failure": delta}
        fraction = alpha + (2.0 * alpha * l8 / n) ** 0.5 + 2.0 * l8 / (3.0 * n)
        noise = 2.0 * size * l2 / (n * epsilon)
        clean = (2.0 * l4 / n) ** 0.5 + 4.0 * size * l4 / (3.0 * n) + noise + size ** (1.0 - k)
        mixed = (2.0 * l16 / n) ** 0.5 + 4.0 * size * l16 / (3.0 * n) + noise + size ** (1.0 - k)
        merged = (2.0 * l16 / n) ** 0.5 + 2.0 * (4.0 * l16 / (n * epsilon)) ** (1.0 - 1.0 / k)
        pairs = {
            "scale": (truncated_mean.noise_scale(n, epsilon, truncation=size), 2.0 * size / (n * epsilon)),
            "samples": (truncated_mean.sample_requirement(delta, alpha), l8 / alpha),
            "M": (
                truncated_mean.truncation(n, epsilon, contamination=alpha, **told),
                min(n * epsilon / (4.0 * l16), 1.0 / (8.0 * alpha)) ** (1.0 / k),
            ),
            "clean M": (truncated_mean.clean_truncation(n, epsilon, **told), (n * epsilon / (4.0 * l4)) ** (1.0 / k)),
            "radius": (
                truncated_mean.radius(n, epsilon, contamination=alpha, **told),
                merged + 2.0 * (8.0 * alpha) ** ((k - 1.0) / k),
            ),
            "clean radius": (
                truncated_mean.clean_radius(n, epsilon, **told),
                (2.0 * l4 / n) ** 0.5 + 2.0 * (4.0 * l4 / (n * epsilon)) ** ((k - 1.0) / k),
            ),
            "clean epsilon": (truncated_mean.clean_epsilon(epsilon), epsilon if epsilon < 1.5 else 1.5),
            "outliers": (truncated_mean.outlier_fraction(n, delta, contamination=alpha), fraction),
            "unmerged": (
                truncated_mean.unmerged_radius(n, epsilon, contamination=alpha, truncation=size, **told),
                mixed + 8.0 * alpha * size,
            ),
            "assembled": (
                truncated_mean.assembled_radius(n, epsilon, contamination=alpha, truncation=size, **told),
                mixed + 2.0 * size * fraction,
            ),
            "clean assembled": (truncated_mean.clean_assembled_radius(n, epsilon, truncation=size, **told), clean),
        }
        for name, (value, expected) in pairs.items():
            yield equal({**where, "compared": name}, value, expected)


REPLAYED = tuple(
    beside(f"wu_2023.{theorem}", slug, words, points, domain)
    for theorem, slug, words, points, domain in (
        ("truncated_mean_scale", "releases_replayed", "PrivateTruncatedMean, releases and neighbours", truncated_releases, "3 settings"),
        ("raw_radius_assembled", "parameters_computed", "truncated_mean, every parameter", truncated_parameters, "144 settings"),
    )
)
