"""Hoeffding's and Laplace tails with one mistake each: what each radius claims to cover, and does not."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from banditproof.audits.methods.coverage import Bools, Coverage, Enumeration, Point, uniformly
from banditproof.audits.methods.stated import Stated
from banditproof.audits.mutations import control
from banditproof.audits.statistics.exact import binomial_weights
from banditproof.interaction import Floats
from banditproof.theory.inequalities import HOEFFDING, HOEFFDING_TAIL, LAPLACE_TAIL


def _running_means(runs: int, most: int, rng: np.random.Generator) -> Floats:
    """Means of the first 1 .. most fair coins, shape (runs, most). Draws."""
    return np.asarray(np.cumsum(rng.random((runs, most)) < 0.5, axis=1) / np.arange(1, most + 1))


def _radii(stated: Stated, most: int) -> Floats:
    """Hoeffding's radius for each fixed number of samples 1 .. most."""
    return np.asarray(np.sqrt(math.log(2.0 / stated["failure"]) / (2.0 * np.arange(1, most + 1))))


# --- Hoeffding ------------------------------------------------------------------------------------------------------------------------


_AT_EACH = Stated(HOEFFDING, {"failure": 0.1})
_HUNDRED = Stated(HOEFFDING, {"samples": 100, "failure": 0.05})
_STOPPED = Stated(HOEFFDING, {"failure": 0.01})


def _no_union_bound(runs: int, rng: np.random.Generator) -> Bools:
    return uniformly(np.abs(_running_means(runs, 1000, rng) - 0.5) > _radii(_AT_EACH, 1000))


def _constant_of_a_quarter(runs: int, rng: np.random.Generator) -> Bools:
    samples, failure = _HUNDRED["samples"], _HUNDRED["failure"]
    means = rng.binomial(samples, 0.5, runs) / samples
    return np.asarray(np.abs(means - 0.5) > math.sqrt(math.log(2.0 / failure) / (8.0 * samples)))


def _stopped_when_it_looks_good(runs: int, rng: np.random.Generator) -> Bools:
    """Flips a fair coin until it looks biased, or 2000 times; then reports the mean with the radius for the number of flips."""
    means, radii = _running_means(runs, 2000, rng), _radii(_STOPPED, 2000)
    good = np.abs(means - 0.5) > radii
    last = np.where(good.any(axis=1), np.argmax(good, axis=1), good.shape[1] - 1)
    return np.asarray(np.abs(means[np.arange(runs), last] - 0.5) > radii[last])


NO_UNION_BOUND = control(
    "no_union_bound",
    "a radius without union bound, claimed for all rounds at once",
    HOEFFDING.id,
    Coverage(_no_union_bound, _AT_EACH, "in some round |mean - 1/2| > Hoeffding's radius for that round alone", 1.25, cell=512, runs=4_000),
)
WRONG_CONSTANT = control(
    "wrong_constant",
    "Hoeffding with 8 for 2, as if the values lay within 1/2",
    HOEFFDING.id,
    Coverage(_constant_of_a_quarter, _HUNDRED, "|mean - 1/2| > sqrt(log(2 / failure) / (8 n))", 1.25, runs=20_000),
)
STOPPED_WHEN_IT_LOOKS_GOOD = control(
    "stopped_when_it_looks_good",
    "a data-dependent stopping rule, with the radius for a fixed number of samples",
    HOEFFDING.id,
    Coverage(_stopped_when_it_looks_good, _STOPPED, "|mean - 1/2| > Hoeffding's radius for the final number", 1.5, cell=256, runs=10_000),
)


def _exponent_of_four() -> Iterator[Point]:
    for samples in (10, 20, 30):
        for deviation in (Fraction(1, 4), Fraction(1, 2)):
            weights = binomial_weights(samples, Fraction(1, 2))
            tail = sum(weights[math.ceil(samples * (Fraction(1, 2) + deviation)) :], Fraction(0))
            claimed = Fraction(math.exp(-4.0 * samples * float(deviation) ** 2))
            yield Point({"samples": samples, "mean": "1/2", "deviation": deviation}, tail, claimed)


WRONG_EXPONENT = control(
    "wrong_exponent", "Hoeffding's tail with 4 for 2", HOEFFDING_TAIL.id, Enumeration(_exponent_of_four, "Bernoulli with mean 1/2")
)


# --- Laplace noise --------------------------------------------------------------------------------------------------------------------


def _beyond_two(scale: float, claimed_scale: Fraction) -> Coverage:
    """Noise of one scale, with the tail of another."""
    stated = Stated(LAPLACE_TAIL, {"threshold": 2, "scale": claimed_scale})

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        return np.asarray(np.abs(rng.laplace(0.0, scale, runs)) > stated["threshold"])

    return Coverage(fails, stated, f"|noise| > {stated['threshold']}; its probability is claimed for scale {claimed_scale}", 1.25)


NOISE_HALVED = control(
    "laplace_noise_halved",
    "noise of half the scale that it claims",
    LAPLACE_TAIL.id,
    _beyond_two(0.5, Fraction(1)),
)
TAIL_HALVED = control(
    "laplace_tail_halved",
    "a tail computed for half the scale",
    LAPLACE_TAIL.id,
    _beyond_two(1.0, Fraction(1, 2)),
)
