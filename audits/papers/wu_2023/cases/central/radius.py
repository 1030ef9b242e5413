"""wu_2023: coverage of the two-fold radius: for means over all of [-D, D] by draws, for one fold of few rewards by exact sums, over all
epochs of a run at once; its rate, and what is left of the printed one for a mean at an end of a large range.

Distributions and folds are those of `wu_2023_central_histogram`.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.estimators import central_mean
from banditproof.algorithms.estimators.central_mean import PrivateCentralMean
from banditproof.algorithms.policies.elimination import central as central_elimination
from banditproof.audits.methods.coverage import Bools, Coverage, Fails
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.stated import Stated
from banditproof.audits.papers.wu_2023.cases.central.histogram import (
    CHOICES,
    CLEAN_WIDTH,
    FAILURE,
    Setup,
    Values,
    all_distributions,
    any_of,
    constant,
    mixed_distributions,
    named,
    rare,
    setup,
    width_at,
)
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import beyond, binomial_weights
from banditproof.glossary import FOLD_SAMPLES
from banditproof.interaction import Floats
from banditproof.theory.growth import Growth
from banditproof.theory.language import Theorem
from banditproof.theory.papers.wu_2023 import central, elimination
from banditproof.theory.papers.wu_2023.setting import at_moment

# --- the radius -------------------------------------------------------------------------------------------------------------------------


def outside(of: Setup, times: float = 1.0) -> Callable[[Values, int, np.random.Generator], Bools]:
    """Whether the estimate is farther from the mean than a multiple of the radius. Draws."""

    def fails(distribution: Values, runs: int, rng: np.random.Generator) -> Bools:
        _, means = distribution.releases(of.mechanism, of.fold, runs, rng)
        return np.asarray(np.abs(means - distribution.mean) > times * of.radius)

    return fails


def assembled(of: Setup, alpha: float = 0.0) -> Stated:
    """The theorem about the estimate's radius, at the parameters that the estimate has."""
    known = {"fold_samples": of.fold, "moment": 2, "failure": of.failure}
    if alpha:
        return Stated.of(central.CENTRAL_RADIUS_ASSEMBLED, of.mechanism, **known, contamination=alpha)
    return Stated.of(central.CENTRAL_RADIUS_CLEAN_ASSEMBLED, of.mechanism, **known)


def _drawn_radius(shown: str, times: float, pad: bool, alpha: float) -> Audit:
    of = setup(times * width_at(alpha), pad, alpha)
    stated = assembled(of, alpha)
    where = "means over all of [-D, D]" if pad else "means r inside [-D, D]"
    return Audit(
        stated.theorem.id,
        f"coverage.{named(times, pad, alpha)}",
        f"PrivateCentralMean(epsilon=1.0, pad={pad}), D = {shown}, {where}, contamination {alpha}",
        Coverage(
            any_of(all_distributions(of, alpha), outside(of)),
            stated,
            rule="|release - mean of the inliers| > radius of the algorithm, at the fold that it requires",
            must_detect_ratio=1.25,
            runs=60_000,
            parameters={
                "range": shown,
                "pad": pad,
                "contamination": alpha,
                "fold": of.fold,
                "radius": of.radius,
                "failure": stated["failure"],
            },
        ),
    )


RADII = tuple(_drawn_radius(*choice) for choice in CHOICES)


@dataclass(frozen=True)
class SecondFold:
    """A second fold of n rewards around J, the mean 0: `value` with probability `proportion`, else what makes the mean 0; outliers."""

    fold: int
    value: Fraction
    proportion: Fraction
    centre: Fraction
    truncation: Fraction
    scale: Fraction
    alpha: Fraction = Fraction(0)
    outlier: Fraction = Fraction(0)

    def failure(self, radius: Fraction) -> Fraction:
        """P(|release| > radius)."""
        other = -self.value * self.proportion / (1 - self.proportion)
        values = [value - self.centre if abs(value - self.centre) <= self.truncation else Fraction(0) for value in (self.value, other)]
        outlier = self.outlier - self.centre if abs(self.outlier - self.centre) <= self.truncation else Fraction(0)
        total = Fraction(0)
        for outliers, weight in enumerate(binomial_weights(self.fold, self.alpha)) if self.alpha else [(0, Fraction(1))]:
            inliers = self.fold - outliers
            for hits, hit_weight in enumerate(binomial_weights(inliers, self.proportion)):
                mean = self.centre + (hits * values[0] + (inliers - hits) * values[1] + outliers * outlier) / self.fold
                total += weight * hit_weight * beyond(mean, self.scale, radius)
        return total


def second_folds(clean: bool, times: Fraction = Fraction(1)) -> Callable[[], Iterator[At]]:
    """The second fold given J at 2 r from the mean, or at it; at a multiple of the radius. It may fail with probability failure/2."""
    theorem = central.CENTRAL_RADIUS_CLEAN_ASSEMBLED if clean else central.CENTRAL_RADIUS_ASSEMBLED
    alpha = Fraction(0) if clean else Fraction(1, 10)
    folds = (1, 4, 30) if clean else (1, 9)

    def points() -> Iterator[At]:
        for fold, epsilon, failure, multiple in itertools.product(folds, (Fraction(1), Fraction(50)), ("1/10", "1/2"), (4, 8)):
            width, size = Fraction(2), 2 * Fraction(multiple)
            known: dict[str, Any] = {"fold_samples": fold, "epsilon": epsilon, "moment": 2, "truncation": size, "bin_width": width}
            radius = times * Fraction(theorem.at(failure=failure, **known, **({} if clean else {"contamination": alpha})).low)
            for value, side in itertools.product((Fraction(1, 2), Fraction(2), size - 4, size + 4), (-2, 0, 2)):
                centre = side * width
                for outlier in (Fraction(0),) if clean else (centre + size, centre - size):
                    distribution = SecondFold(fold, value, 1 / (1 + value**2), centre, size, 2 * size / (fold * epsilon), alpha, outlier)
                    where = {"n": fold, "epsilon": epsilon, "failure": failure, "M": size, "value": value, "J": centre}
                    yield At({**where, "outliers at": outlier}, distribution.failure(radius), Fraction(failure) / 2)

    return points


EXACT_RADII = tuple(
    Audit(
        theorem.id,
        "points.second_fold",
        "a second fold of few rewards on distributions of two values, exactly",
        Pointwise(second_folds(clean), "r 2, M 8, 16, J at 0, 4, -4, epsilon 1, 50, failure 1/10, 1/2, k = 2", "failure"),
    )
    for theorem, clean in ((central.CENTRAL_RADIUS_CLEAN_ASSEMBLED, True), (central.CENTRAL_RADIUS_ASSEMBLED, False))
)

# --- uniform over epochs ----------------------------------------------------------------------------------------------------------------

_EPOCHS_FAILURE, _LAST = 0.9, 26


def last_forced(policy: central_elimination.CentralElimination, failure: float) -> int:
    """Of two arms."""
    return sum(central_elimination.fold_size(epoch) < policy.epoch_threshold(failure, active=2, epoch=epoch) for epoch in range(1, 60))


def some_epoch(policy: central_elimination.CentralElimination, stated: Stated, last: int, times: float = 1.0) -> Fails:
    """Whether, in some epoch after the forced ones, an estimate of one of two arms misses a multiple of the epoch's radius. Draws."""
    failure, width = stated.number("failure"), policy.width_of_bins()
    distributions = tuple(rare(mean, width, side) for mean, side in ((policy.range, -1.0), (0.3 * width, 1.0)))

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        failed = np.zeros(runs, dtype=np.bool_)
        for epoch in range(stated["last_forced"] + 1, last + 1):
            size, radius = policy.epoch_release(failure, active=2, epoch=epoch)
            mechanism = PrivateCentralMean(policy.epsilon, policy.range, width, size, policy.pad)
            for distribution in distributions:  # the arms
                _, means = distribution.releases(mechanism, central_elimination.fold_size(epoch), runs, rng)
                failed |= np.abs(means - distribution.mean) > times * radius
        return failed

    return fails


EPOCHS_POLICY = central_elimination.CentralElimination(1.0, range=20.0, failure=_EPOCHS_FAILURE, pad=True)


def all_epochs(times: float = 1.0) -> Coverage:
    stated = Stated.of(elimination.GOOD_EVENT, EPOCHS_POLICY, last_forced=last_forced(EPOCHS_POLICY, _EPOCHS_FAILURE))
    return Coverage(
        some_epoch(EPOCHS_POLICY, stated, _LAST, times),
        stated,
        rule=f"in some epoch to {_LAST} |release - mean| > {times:g} times the epoch's radius of the algorithm, for one of two arms",
        must_detect_ratio=1.5,
        runs=8_000,
        parameters={"failure": stated["failure"], "range": EPOCHS_POLICY.range},
    )


UNIFORM = Audit(
    elimination.GOOD_EVENT.id,
    f"coverage.central_radii_{swept(epochs=_LAST)}",
    f"CentralElimination(epsilon=1.0, pad=True)'s radii, epochs after the forced ones to {_LAST}",
    all_epochs(),
)

# --- rates of the printed concentration -------------------------------------------------------------------------------------------------


def errors(contamination: float, truncation: Callable[[int], float]) -> Callable[[int], Callable[[int, np.random.Generator], Floats]]:
    """|release - mean| of folds of n rewards, epsilon 1, D = 10 r; outliers at the end of what is kept."""
    width = width_at(contamination)
    distribution = rare(0.4 * width, width, 1.0)

    def at(fold: int) -> Callable[[int, np.random.Generator], Floats]:
        of = Setup(PrivateCentralMean(1.0, 10.0 * width, width, truncation(fold)), fold, 0.0)
        mixed = mixed_distributions(distribution, of, contamination)[0] if contamination else distribution
        return lambda runs, rng: np.abs(mixed.releases(of.mechanism, fold, runs, rng)[1] - distribution.mean)

    return at


def own_truncation(contamination: float) -> Callable[[int], float]:
    if contamination:
        return lambda fold: central_mean.truncation(fold, 1.0, moment=2.0, failure=FAILURE, contamination=contamination)
    return lambda fold: central_mean.clean_truncation(fold, 1.0, moment=2.0, failure=FAILURE)


def growing(theorem: Theorem, measure: Callable[[int], Callable[[int, np.random.Generator], Floats]]) -> GrowthRate:
    """The claimed rate in n, from the least fold that the clean corollary asks for at D = 10 r to 64 times it."""
    return GrowthRate(measure, at_moment(theorem, 2).growth_in(FOLD_SAMPLES), 2_048, 131_072, runs=1_500)


GROWTH = (
    Audit(
        central.CENTRAL_CONCENTRATION_CLEAN.id,
        "growth.fold_samples",
        "PrivateCentralMean(epsilon=1.0), folds of 2048 to 131072 rewards",
        growing(central.CENTRAL_CONCENTRATION_CLEAN, errors(0.0, own_truncation(0.0))),
    ),
    Audit(
        central.CENTRAL_CONCENTRATION_CONTAMINATED.id,
        "growth.fold_samples_alpha0.1",
        "PrivateCentralMean(epsilon=1.0), folds of 2048 to 131072 rewards, a tenth outliers",
        growing(central.CENTRAL_CONCENTRATION_CONTAMINATED, errors(0.1, own_truncation(0.1))),
    ),
)

# --- the printed concentration at an end of a large range -------------------------------------------------------------------------------


def errors_at_the_end(pad: bool) -> Callable[[int], Callable[[int, np.random.Generator], Floats]]:
    """|release - D| for rewards that are all D, at D a multiple of r and the fold that the corollary asks for there."""

    def at(times: int) -> Callable[[int, np.random.Generator], Floats]:
        of = setup(times * CLEAN_WIDTH, pad)
        distribution = constant(of.mechanism.range)
        return lambda runs, rng: np.abs(distribution.releases(of.mechanism, of.fold, runs, rng)[1] - distribution.mean)

    return at


def bounded_in_range(pad: bool) -> GrowthRate:
    """The corollary's radius does not depend on D, beside which n grows with log D."""
    return GrowthRate(errors_at_the_end(pad), Growth(Fraction(0), Fraction(0), "range/bin_width"), 316, 31_600, quantile=0.5, runs=100)


LARGE_RANGES = (
    Audit(
        central.CENTRAL_CONCENTRATION_CLEAN.id,
        "growth.range_unpadded",
        "as printed, PrivateCentralMean(pad=False) on rewards that are all D, D from 316 r to 31600 r",
        bounded_in_range(False),
        expected=Verdict.REFUTED,
    ),
    Audit(
        central.CENTRAL_CONCENTRATION_CLEAN.id,
        "growth.range_padded",
        "PrivateCentralMean(pad=True) on rewards that are all D, D from 316 r to 31600 r",
        bounded_in_range(True),
    ),
)
