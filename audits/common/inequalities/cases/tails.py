"""Audits of the shared tails: coverage of Laplace noise and of Hoeffding's interval, sampled and, on Bernoulli distributions, by exact
sums.

Hoeffding's radius is tightest for rewards at the ends of [0, 1]: those are the distributions that are summed exactly, on a grid of means.
Sampled are distributions that no sum can list.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from banditproof.algorithms.mechanisms.laplace import Laplace
from banditproof.audits.methods.coverage import Coverage, Enumeration, Fails, Point
from banditproof.audits.methods.stated import Stated
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.exact import binomial_weights
from banditproof.interaction import Floats
from banditproof.theory.inequalities import HOEFFDING, HOEFFDING_TAIL, LAPLACE_TAIL

# --- Laplace noise --------------------------------------------------------------------------------------------------------------------


def _beyond(mechanism: Laplace, threshold: float) -> Fails:
    """Whether the release lies farther than the threshold from the answer, which is 0. Draws."""
    return lambda runs, rng: np.abs(mechanism.release((0.0,), runs, rng)[:, 0]) > threshold


def _tail(epsilon: str, sensitivity: str, threshold: str, runs: int) -> Audit:
    """That the noise goes beyond the threshold with the theorem's probability at scale sensitivity / epsilon."""
    parameters = {"epsilon": epsilon, "sensitivity": sensitivity, "threshold": threshold}
    stated = Stated(LAPLACE_TAIL, {"threshold": threshold, "scale": Fraction(sensitivity) / Fraction(epsilon)})
    mechanism = Laplace(float(epsilon), float(sensitivity))
    return Audit(
        stated.theorem.id,
        f"coverage.{swept(eps=epsilon, sensitivity=sensitivity, threshold=threshold)}",
        f"Laplace(epsilon={epsilon}, sensitivity={sensitivity}) beyond {threshold}",
        Coverage(
            _beyond(mechanism, stated.number("threshold")),
            stated,
            rule="|release - answer| > threshold; its probability is the theorem's at scale sensitivity / epsilon",
            must_detect_ratio=1.1,
            runs=runs,
            parameters=parameters,
        ),
    )


LAPLACE = (
    _tail("1", "1", "0.5", 50_000),
    _tail("0.5", "2", "4", 50_000),
    _tail("3", "1", "0.25", 50_000),
    _tail("1", "1", "5", 1_000_000),
)

# --- Hoeffding: sampled ---------------------------------------------------------------------------------------------------------------

_Means = Callable[[int, int, np.random.Generator], Floats]  # (runs, samples, rng) -> (runs,): means of independent values in [0, 1]


def _uniform(runs: int, samples: int, rng: np.random.Generator) -> Floats:
    return np.asarray(rng.random((runs, samples)).mean(axis=1))


def _arcsine(runs: int, samples: int, rng: np.random.Generator) -> Floats:
    """Mass at both ends, and everywhere between."""
    return np.asarray(rng.beta(0.5, 0.5, (runs, samples)).mean(axis=1))


def _rare(runs: int, samples: int, rng: np.random.Generator) -> Floats:
    """1 with probability 1/50."""
    return rng.binomial(samples, 0.02, runs) / samples


def _outside(means: _Means, centre: float, stated: Stated) -> Fails:
    """Whether the mean lies outside the theorem's radius. Draws."""
    return lambda runs, rng: np.abs(means(runs, stated["samples"], rng) - centre) > stated.bound()


def _sampled(slug: str, name: str, means: _Means, centre: float, samples: int, failure: str) -> Audit:
    stated = Stated(HOEFFDING, {"samples": samples, "failure": failure})
    return Audit(
        stated.theorem.id,
        f"coverage.{slug}_{swept(n=samples, alpha=failure)}",
        f"{name}, {samples} samples, failure {failure}",
        Coverage(
            _outside(means, centre, stated),
            stated,
            rule="|mean - expectation| > the theorem's radius",
            must_detect_ratio=1.25,
            runs=20_000,
            cell=4096,
            parameters={**stated.values, "expectation": centre},
        ),
    )


SAMPLED = (
    _sampled("uniform", "uniform rewards", _uniform, 0.5, 20, "0.1"),
    _sampled("arcsine", "arcsine rewards", _arcsine, 0.5, 10, "0.2"),
    _sampled("bernoulli", "Bernoulli(0.02)", _rare, 0.02, 50, "0.05"),
)

# --- Hoeffding: exact -----------------------------------------------------------------------------------------------------------------

_MEANS = tuple(Fraction(k, 20) for k in range(1, 20))
_SAMPLES = (*range(1, 31), 50, 100)
_FAILURES = ("1/100", "1/20", "1/10", "1/2")
_DEVIATIONS = ("1/20", "1/10", "1/4", "1/2")


def _two_sided() -> Iterator[Point]:
    """P(|mean - p| > radius) on Bernoulli(p) for each n, p and failure."""
    for samples in _SAMPLES:
        radii = [(failure, Fraction(HOEFFDING.at(samples=samples, failure=failure).low)) for failure in _FAILURES]
        for mean in _MEANS:
            weights = binomial_weights(samples, mean)
            for failure, radius in radii:  # the radius rounded down, so that no outcome outside is missed
                outside = sum((w for k, w in enumerate(weights) if abs(Fraction(k, samples) - mean) > radius), Fraction(0))
                yield Point({"samples": samples, "mean": mean, "failure": failure}, outside, Fraction(failure))


def _one_sided() -> Iterator[Point]:
    """P(mean - p >= deviation) on Bernoulli(p) for each n, p and deviation."""
    for samples in _SAMPLES:
        for deviation in _DEVIATIONS:
            claimed = HOEFFDING_TAIL.at(samples=samples, deviation=deviation)
            for mean in _MEANS:
                weights, first = binomial_weights(samples, mean), math.ceil(samples * (mean + Fraction(deviation)))
                tail = sum(weights[first:], Fraction(0))
                yield Point({"samples": samples, "mean": mean, "deviation": deviation}, tail, Fraction(claimed.low), Fraction(claimed.high))


EXACT = (
    Audit(
        HOEFFDING.id,
        "exact.bernoulli",
        "Bernoulli rewards, exactly",
        Enumeration(_two_sided, "Bernoulli with mean k/20, n = 1 .. 30, 50, 100, failure 1/100, 1/20, 1/10, 1/2"),
    ),
    Audit(
        HOEFFDING_TAIL.id,
        "exact.bernoulli",
        "Bernoulli rewards, exactly",
        Enumeration(_one_sided, "Bernoulli with mean k/20, n = 1 .. 30, 50, 100, deviation 1/20, 1/10, 1/4, 1/2"),
    ),
)
