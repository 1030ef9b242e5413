"""wu_2023: the statements on central moments: the private histogram and the two-fold radius by draws, moments exactly, rates of the rest.

No algorithm of these exists yet; the estimate drawn here is written from Algorithm 3 alone.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from banditproof.audits.cases.wu_2023_regret import at_two
from banditproof.audits.methods.coverage import Bools, Coverage, Fails
from banditproof.audits.methods.pointwise import At, Pointwise, power
from banditproof.audits.methods.rates import Rates
from banditproof.audits.registry import Audit
from banditproof.glossary import FAILURE, FOLD_SAMPLES, RANGE, TRUNCATION
from banditproof.theory.language import Theorem, always, symbol
from banditproof.theory.papers.wu_2023 import central

# --- the histogram ----------------------------------------------------------------------------------------------------------------------


def bins_outside(samples: int, epsilon: float, bins: int, radius: Callable[[], float]) -> Fails:
    """Whether a private frequency of equally likely bins lies farther than the radius from its probability. Draws."""

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        counts = rng.multinomial(samples, np.full(bins, 1.0 / bins), size=runs)
        noisy = counts / samples + rng.laplace(0.0, 2.0 / (samples * epsilon), (runs, bins))
        return np.asarray((np.abs(noisy - 1.0 / bins) > radius()).any(axis=1))

    return fails


def _bin_error(samples: int, epsilon: float, failure: str) -> Callable[[], float]:
    return lambda: central.BIN_ERROR.at(fold_samples=samples, epsilon=Fraction(epsilon), range=8, failure=failure).bound


HISTOGRAM = tuple(
    Audit(
        central.BIN_ERROR.id,
        f"{samples} rewards in 8 bins of width 2, epsilon {epsilon}, failure {failure}",
        Coverage(
            bins_outside(samples, epsilon, 8, _bin_error(samples, epsilon, failure)),
            float(Fraction(failure)),
            rule="in some bin |private frequency - probability| > the theorem's C_1",
            must_detect_ratio=1.5,
            parameters={"samples": samples, "epsilon": epsilon, "failure": failure},
        ),
    )
    for samples, epsilon, failure in ((1000, 1.0, "1/10"), (50, 0.2, "1/10"))
)


def _outside() -> Iterator[At]:
    """Inliers at the mean, or r away on either side with a moment of 1; all outliers farther."""
    for alpha, width, moment in product(("0", "1/20", "2/5"), (Fraction(1), Fraction(16, 5), Fraction(10)), (2, 3)):
        beyond = Fraction(alpha) + (1 - Fraction(alpha)) * power(width, -moment)
        claimed = central.OUTSIDE_MASS.at(true_contamination=alpha, bin_width=width, moment=moment).ball
        yield At({"alpha": alpha, "r": width, "k": moment}, beyond, claimed)


def _raw_moments() -> Iterator[At]:
    """Two values one apart from the mean D or -D on either side: E|X|^k is largest where the mean is."""
    for bound, moment in product((1, 4, 100), (Fraction(2), Fraction(5, 2), Fraction(6))):
        value = (power(bound + 1, moment) + power(bound - 1, moment)) / 2
        yield At({"D": bound, "k": moment}, value, central.RAW_MOMENT_OF_CENTRAL.at(range=bound, moment=moment).ball)


EXACT = (
    Audit(central.OUTSIDE_MASS.id, "the law for which it is attained", Pointwise(_outside, "alpha 0 to 2/5, r 1 to 10, k 2, 3", "mass")),
    Audit(central.RAW_MOMENT_OF_CENTRAL.id, "two values around D", Pointwise(_raw_moments, "D 1, 4, 100, k 2, 5/2, 6", "k-th raw moment")),
)

# --- the two-fold radius ----------------------------------------------------------------------------------------------------------------


def two_fold_outside(samples: int, epsilon: float, alpha: float, width: float, truncation: float, radius: Callable[[], float]) -> Fails:
    """Whether the second fold's estimate misses the mean 0, the bin being 2 r away; inliers 3 away with probability 1/9, outliers at the
    farther end of what is kept. Draws."""

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        start = 2.0 * width
        signs = np.where(rng.random((runs, samples)) < 0.5, 1.0, -1.0)
        rewards = np.where(rng.random((runs, samples)) < 1.0 / 9.0, 3.0 * signs, 0.0)
        rewards = np.where(rng.random((runs, samples)) < alpha, start + truncation, rewards)
        offsets = rewards - start
        mean = start + np.where(np.abs(offsets) <= truncation, offsets, 0.0).mean(axis=1)
        return np.asarray(np.abs(mean + rng.laplace(0.0, 2.0 * truncation / (samples * epsilon), runs)) > radius())

    return fails


_WIDTH, _FOLD = "2", 200
_KNOWN: dict[str, Any] = {"fold_samples": _FOLD, "epsilon": 1, "moment": 2, "truncation": 8, "bin_width": _WIDTH, "failure": "1/10"}


def central_radius(alpha: str) -> Callable[[], float]:
    if Fraction(alpha):
        return lambda: central.CENTRAL_RADIUS_ASSEMBLED.at(contamination=alpha, **_KNOWN).bound
    return lambda: central.CENTRAL_RADIUS_CLEAN_ASSEMBLED.at(**_KNOWN).bound


RADII = tuple(
    Audit(
        theorem.id,
        f"the second fold of {_FOLD} rewards, r 2, M 8, contamination {alpha}",
        Coverage(
            two_fold_outside(_FOLD, 1.0, float(Fraction(alpha)), 2.0, 8.0, central_radius(alpha)),
            0.1,
            rule="|estimate - mean| > the theorem's radius, the first fold's bin 2 r away",
            must_detect_ratio=1.5,
            runs=4_000,
            cell=1_024,
            parameters={"contamination": alpha, **{name: str(value) for name, value in _KNOWN.items()}},
        ),
    )
    for theorem, alpha in ((central.CENTRAL_RADIUS_ASSEMBLED, "1/20"), (central.CENTRAL_RADIUS_CLEAN_ASSEMBLED, "0"))
)

# --- rates ------------------------------------------------------------------------------------------------------------------------------


def with_truncation(theorem: Theorem, truncation: Theorem) -> Callable[[], Theorem]:
    """The radius for the tuned truncation of large folds, at k = 2 and a fixed bin width."""

    def tuned() -> Theorem:
        own, other = at_two(theorem)(), at_two(truncation)()
        if own.bound is None or other.bound is None:
            raise ValueError(f"{theorem.id}, {truncation.id}: must have bounds")
        instead = {symbol(TRUNCATION): other.bound.cases[-1].expression}
        given = tuple(quantity for quantity in own.bound.given if quantity is not TRUNCATION)
        cases = always(own.bound.cases[0].expression.xreplace(instead))
        return replace(own, hypotheses=(), bound=replace(own.bound, cases=cases, given=given))

    return tuned


RATES = (
    Audit(
        central.CENTRAL_CONCENTRATION.id,
        "rate against the assembled radius",
        Rates(at_two(central.CENTRAL_CONCENTRATION), at_two(central.CENTRAL_RADIUS_ASSEMBLED), (FOLD_SAMPLES, FAILURE)),
    ),
    Audit(
        central.CENTRAL_CONCENTRATION_CLEAN.id,
        "rate against the assembled radius at its truncation",
        Rates(
            at_two(central.CENTRAL_CONCENTRATION_CLEAN),
            with_truncation(central.CENTRAL_RADIUS_CLEAN_ASSEMBLED, central.CENTRAL_TRUNCATION_CLEAN),
            (FOLD_SAMPLES,),
        ),
    ),
    Audit(
        central.CENTRAL_CONCENTRATION_CONTAMINATED.id,
        "rate against the assembled radius at its truncation",
        Rates(
            at_two(central.CENTRAL_CONCENTRATION_CONTAMINATED),
            with_truncation(central.CENTRAL_RADIUS_ASSEMBLED, central.CENTRAL_TRUNCATION),
            (FOLD_SAMPLES,),
        ),
    ),
    Audit(
        central.CENTRAL_SAMPLE_COMPLEXITY.id,
        "rate against the samples that the histogram needs",
        Rates(at_two(central.CENTRAL_SAMPLE_COMPLEXITY), at_two(central.CENTRAL_SAMPLES_CLEAN), (RANGE, FAILURE)),
    ),
)
