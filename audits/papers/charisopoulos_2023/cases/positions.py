"""charisopoulos_2023: how many reports stay uncorrupted, by exact binomial sums, and what that does to means and covariances.

Lemma A.3 is compared as printed: (29) and (30) have no constant that is left open. Lemma A.4 prints no condition on y; with all of y on one
report no constant serves, and the published form is compared with 100 for its constant.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Any

import numpy as np

from banditproof.algorithms.estimators.linear.robust_least_squares import whiten
from banditproof.algorithms.estimators.spectral_filter.literal import summary
from banditproof.audits.methods.coverage import Bools, Coverage, Enumeration, Point
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.stated import Stated
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import fraction
from banditproof.interaction import Floats, Ints
from banditproof.randomness import generator, key_of
from banditproof.theory.language import HypothesisFails, Theorem
from banditproof.theory.papers.charisopoulos_2023 import filter

GRID = tuple(
    (samples, corruption, failure) for samples in (1000, 10_000) for corruption in ("1/20", "1/10", "1/5") for failure in ("1/20", "1/100")
)


def between(samples: int, probability: Fraction, least: int, most: int) -> Fraction:
    """P(least <= Bin(n, p) <= most), exactly: weights over a common denominator, each from the one before."""
    hit, whole = probability.numerator, probability.denominator
    weight, total = (whole - hit) ** samples, 0
    for count in range(min(most, samples) + 1):
        if count >= least:
            total += weight
        weight = weight * (samples - count) * hit // ((count + 1) * (whole - hit))
    return Fraction(total, whole**samples)


def lemma_a3(theorem: Theorem) -> Iterator[Point]:
    """`deviations` with 1 for the constant of the condition on n."""
    return deviations(theorem, chernoff_constant=1)


def deviations(theorem: Theorem, **constants: int) -> Iterator[Point]:
    """P(| |G_0|/n - (1 - alpha) | > the bound) at the points that the theorem speaks of."""
    for samples, corruption, failure in GRID:
        known: dict[str, Any] = {"samples": samples, "corruption": corruption, "failure": failure, **constants}
        try:
            radius = fraction(theorem.at(**known).ball) * samples
        except HypothesisFails:
            continue
        mean = samples * Fraction(corruption)
        inside = between(samples, Fraction(corruption), ceil(mean - radius), floor(mean + radius))
        yield Point(known, 1 - inside, Fraction(failure))


def too_few(theorem: Theorem) -> Iterator[Point]:
    """P(|G_0| < the bound), at the least n that the condition allows and at others."""
    for corruption, failure in (("1/20", "1/20"), ("1/5", "1/2"), ("6/25", "1/100"), ("0", "1/10")):
        for factor in (1, 3):
            few = -np.log(float(Fraction(failure)))
            samples = ceil(factor * 18.0 * few / (1.0 - float(Fraction(corruption))) ** 2)
            known: dict[str, Any] = {"samples": samples, "corruption": corruption, "failure": failure}
            least = fraction(theorem.at(**known).ball)
            outliers = floor(samples - least)  # |G_0| >= least: at most this many corrupted
            yield Point(known, 1 - between(samples, Fraction(corruption), 0, outliers), Fraction(failure))


def one_heavy_report(theorem: Theorem) -> Iterator[Point]:
    """d = 1, all actions 1, y = (Y, 0, .., 0): where the first report is corrupted, the shift is sqrt(1 - alpha) Y/(|G_0| sqrt(n)) and more
    than the bound, which is exact arithmetic; it is with probability alpha > delta. n alpha is 6.9 log(1/delta), for Assumption A.1."""
    samples, alpha = 10**8, Fraction(1, 10**6)
    inliers = samples - 1
    known: dict[str, Any] = {"corruption": "1/1000000", "failure": "1/2000000", "inliers": inliers, "vector_constant": 100}
    bound = fraction(theorem.at(leverage=Fraction(1, samples), report_norm=1, **known).ball)
    shift_squared = (1 - alpha) ** 2 / (samples * Fraction(inliers) ** 2)
    yield Point({"n": samples, **known}, alpha if bound**2 < shift_squared else Fraction(0), Fraction(known["failure"]))


FRACTIONS = (
    Audit(
        filter.INLIER_FRACTION.id,
        "exact.binomial_as_printed",
        "the fraction of uncorrupted reports by exact binomial sums, as printed",
        Enumeration(partial(lemma_a3, filter.INLIER_FRACTION), "n = 1000, 10^4, alpha = .05, .1, .2, delta = .05, .01"),
        Verdict.REFUTED,
    ),
    Audit(
        filter.INLIER_FRACTION_EXPLICIT.id,
        "exact.binomial",
        "the fraction of uncorrupted reports by exact binomial sums, with Chernoff's constants",
        Enumeration(partial(deviations, filter.INLIER_FRACTION_EXPLICIT), "n = 1000, 10^4, alpha = .05, .1, .2, delta = .05, .01"),
    ),
    Audit(
        filter.ENOUGH_INLIERS.id,
        "exact.binomial",
        "uncorrupted reports by exact binomial sums",
        Enumeration(partial(too_few, filter.ENOUGH_INLIERS), "four alpha and delta, n at 1 and 3 times its least value"),
    ),
    Audit(
        filter.MEAN_SHIFT_BOUND.id,
        "exact.one_heavy_report_as_printed",
        "all of y on one report, with 100 for the constant of Lemma A.4",
        Enumeration(partial(one_heavy_report, filter.MEAN_SHIFT_BOUND), "n = 10^8, alpha = 1e-6, delta = 5e-7"),
        Verdict.REFUTED,
    ),
)

# --- means and covariances of the points that stay ---------------------------------------------------------------------------------------

SAMPLES, CORRUPTION, FAILURE = 2000, 0.2, 0.05
Centre = Callable[[Floats, Ints], Floats]


def batch() -> tuple[Floats, Ints, Floats, float]:
    """Whitened directions (k, d) of drawn arms, the arm of each report, bounded reports of both signs, and mu; the same for every run."""
    rng = generator(key_of(2, "charisopoulos_2023", "positions"))
    arms = rng.standard_normal((8, 3))
    index = np.arange(SAMPLES) % 8
    reports = np.where(rng.random(SAMPLES) < 0.7, 1.0, -1.0) * (1.0 + rng.random(SAMPLES))
    found = whiten(arms, index)
    return found.directions, index, reports, found.leverage


def shifted(theorem: Theorem, constant: float, runs: int, rng: np.random.Generator) -> Bools:
    """Whether the mean of the good points is farther from n (1 - alpha)/|G_0| times that of all than the bound says."""
    directions, index, reports, leverage = batch()
    points = directions[index] * reports[:, np.newaxis]
    good = rng.random((runs, SAMPLES)) >= CORRUPTION
    inliers = good.sum(axis=1)
    shift = np.linalg.norm(good @ points - (1.0 - CORRUPTION) * points.sum(axis=0), axis=1) / inliers
    known = {"leverage": leverage, "report_norm": float(np.linalg.norm(reports)), "corruption": CORRUPTION, "failure": FAILURE}
    once = (
        theorem.at(**known, largest_report=float(np.abs(reports).max()), inliers=SAMPLES).bound * SAMPLES
    )  # the bound is 1/|G_0| times it
    return np.asarray(shift > constant * once / inliers)


def covariances(scale: float) -> Iterator[At]:
    """The largest eigenvalue of good points by the shipped summary, beside (33)."""
    for seed in range(20):
        rng = generator(key_of(seed, "charisopoulos_2023", "covariances"))
        dimension = int(rng.integers(1, 6))
        arms = rng.standard_normal((dimension + 3, dimension))
        index = np.concatenate([np.arange(dimension + 3), rng.integers(dimension + 3, size=int(rng.integers(1, 60)))])
        reports = rng.standard_cauchy(index.size)
        good = rng.random(index.size) >= 0.2
        found = whiten(arms, index)
        points = (found.directions[index] * reports[:, np.newaxis])[good]
        largest = float(summary(points)[1][-1])
        known = {"leverage": found.leverage, "good_report_norm": float(np.linalg.norm(reports[good])), "inliers": int(good.sum())}
        yield At(known, Fraction(largest) * Fraction(1 - 1e-9), fraction(filter.GOOD_COVARIANCE_BOUND.at(**known).ball) * Fraction(scale))


def above_substituted(scale: float, runs: int, rng: np.random.Generator) -> Bools:
    """Whether the largest eigenvalue of the good points exceeds the proof's lambda."""
    directions, index, reports, leverage = batch()
    known = {"leverage": leverage, "report_norm": float(np.linalg.norm(reports)), "samples": SAMPLES}
    bound = filter.COVARIANCE_SUBSTITUTED.at(**known, corruption=CORRUPTION, failure=FAILURE).bound * scale
    points = directions[index] * reports[:, np.newaxis]
    found = np.array([summary(points[rng.random(SAMPLES) >= CORRUPTION])[1][-1] for _ in range(runs)])
    return np.asarray(found > bound)


def _stated(theorem: Theorem) -> Stated:
    return Stated(theorem, {"corruption": CORRUPTION, "failure": FAILURE})


_SHOWN = {"n": SAMPLES, "alpha": CORRUPTION, "delta": FAILURE}


def mean_shift(constant: float) -> Coverage:
    """The mean of the good points against the bound times a constant."""
    event = partial(shifted, filter.MEAN_SHIFT_EXPLICIT, constant)
    return Coverage(event, _stated(filter.MEAN_SHIFT_EXPLICIT), "a shift above the bound", 3.0, runs=2000, cell=200, parameters=_SHOWN)


def substituted(scale: float) -> Coverage:
    """The covariance of the good points against the proof's lambda times a factor."""
    event = partial(above_substituted, scale)
    return Coverage(event, _stated(filter.COVARIANCE_SUBSTITUTED), "an eigenvalue above lambda", 3.0, runs=400, parameters=_SHOWN)


def covariance_points(scale: float) -> Pointwise:
    """(33) at drawn batches with Cauchy reports, times a factor."""
    return Pointwise(partial(covariances, scale), "20 drawn batches with Cauchy reports", "largest eigenvalue")


POINTS = (
    Audit(filter.MEAN_SHIFT_EXPLICIT.id, "coverage.drawn_positions", "the mean of the good points, drawn positions", mean_shift(1.0)),
    Audit(filter.COVARIANCE_SUBSTITUTED.id, "coverage.drawn_positions", "the covariance of the good points", substituted(1.0)),
    Audit(filter.GOOD_COVARIANCE_BOUND.id, "points.drawn_batches", "the covariance of the good points", covariance_points(1.0)),
)
