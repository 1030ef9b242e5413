"""wu_2023's radii and concentration statements broken on purpose: a wrong logarithm, contamination ignored, a term dropped."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.estimators import truncated_mean
from banditproof.algorithms.estimators.truncated_mean import PrivateTruncatedMean
from banditproof.algorithms.policies.elimination import robust as robust_elimination
from banditproof.audits.methods.coverage import Coverage, Fails
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.orders import OrderLimits
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.stated import Stated
from banditproof.audits.mutations import control
from banditproof.audits.papers.wu_2023.cases import coverage as cases
from banditproof.audits.papers.wu_2023.cases import orders
from banditproof.audits.statistics.exact import power
from banditproof.glossary import FAILURE, FOLD_SAMPLES, RANGE, SAMPLES, Quantity
from banditproof.interaction import Floats
from banditproof.theory.language import Theorem, always, symbol
from banditproof.theory.papers.wu_2023 import central, elimination, raw
from banditproof.theory.papers.wu_2023.setting import at_moment

# --- radii ------------------------------------------------------------------------------------------------------------------------------


def _missing(samples: int, epsilon: float, size: float, value: float, alpha: float, outlier: float, radius: float) -> Fails:
    """Whether a release misses the mean of the two-point distribution with this value by more than the radius. Draws."""
    draw = cases.estimates(samples, cases.two_points(value, 2.0), PrivateTruncatedMean(epsilon, size), alpha, outlier)
    return lambda runs, rng: np.abs(draw(runs, rng) - 1.0 / value) > radius


def _coverage(theorem: Theorem, fails: Fails, rule: str) -> Coverage:
    return Coverage(fails, Stated(theorem, {"failure": _FAILURE}), rule, must_detect_ratio=1.5, runs=3_000, cell=1_024)


_FAILURE = 0.01
_ALPHA, _LARGE = 0.2, 4_096
_PRIVATE_SIZE = truncated_mean.clean_truncation(_LARGE, 0.05, moment=2.0, failure=_FAILURE)
_NO_LOGARITHM = math.sqrt(2.0 / _LARGE) + 2.0 * math.sqrt(4.0 / (_LARGE * 0.05))
_LARGE_SIZE = truncated_mean.clean_truncation(_LARGE, 1.0, moment=2.0, failure=_FAILURE)
_IGNORED = truncated_mean.clean_radius(_LARGE, 1.0, moment=2.0, failure=_FAILURE)


def _ignored(theorem: Theorem, radius: float) -> Coverage:
    """A fifth of the rewards are outliers at M, of which the radius knows nothing."""
    fails = _missing(_LARGE, 1.0, _LARGE_SIZE, 2.0, _ALPHA, _LARGE_SIZE, radius)
    return replace(_coverage(theorem, fails, "|release - mean of the inliers| > a radius for clean rewards"), runs=1_000, cell=256)


def _clean_unmerged(samples: int, size: float) -> float:
    return truncated_mean.clean_assembled_radius(samples, 1.0, moment=2.0, failure=_FAILURE, truncation=size)


RADII = (
    control(
        "no_logarithm",
        "a radius without its logarithm",
        raw.CLEAN_RADIUS,
        replace(
            _coverage(
                raw.CLEAN_RADIUS,
                _missing(_LARGE, 0.05, _PRIVATE_SIZE, 1.001 * _PRIVATE_SIZE, 0.0, 0.0, _NO_LOGARITHM),
                "|release - mean| > the printed radius with 1 for log(4/failure), the value just above the truncation",
            ),
            runs=1_000,
            cell=256,
        ),
    ),
    control(
        "no_bias",
        "the radius without the bias of the truncation",
        raw.CLEAN_RADIUS_BEFORE_MERGE,
        _coverage(
            raw.CLEAN_RADIUS_BEFORE_MERGE,
            _missing(_LARGE, 1.0, 1.5, 1.6, 0.0, 0.0, _clean_unmerged(_LARGE, 1.5) - 1.0 / 1.5),
            "|release - mean| > the sum of the other terms, the value just above the truncation",
        ),
    ),
    control("contamination_ignored", "contamination ignored in the radius", raw.RAW_RADIUS, _ignored(raw.RAW_RADIUS, _IGNORED)),
    control(
        "contamination_ignored_before_merge",
        "contamination ignored in the radius before it is merged",
        raw.RAW_RADIUS_BEFORE_MERGE,
        _ignored(raw.RAW_RADIUS_BEFORE_MERGE, _clean_unmerged(_LARGE, _LARGE_SIZE)),
        short="contamination_ignored",
    ),
    control(
        "outliers_counted_at_their_mean",
        "half of the expected outliers, and no deviation of their number",
        raw.RAW_RADIUS_ASSEMBLED,
        _ignored(raw.RAW_RADIUS_ASSEMBLED, _clean_unmerged(_LARGE, _LARGE_SIZE) + 0.25 * _ALPHA * _LARGE_SIZE),
    ),
    control(
        "clean_radius_in_an_epoch",
        "an epoch's clean radius under contamination",
        elimination.CLEAN_EPOCH_RADIUS,
        _ignored(raw.CLEAN_RADIUS, robust_elimination.epoch_radius(1.0, 2.0, contamination=0.0, failure=0.1, active=2, epoch=12)),
    ),
)


def _clean_epoch_radius(epsilon: float, *, moment: float, contamination: float, failure: float, active: int, epoch: int) -> float:
    return robust_elimination.epoch_radius(epsilon, moment, contamination=0.0, failure=failure, active=active, epoch=epoch)


_EPOCHS = Stated(elimination.GOOD_EVENT, {"failure": 0.5, "last_forced": 6})
EPOCHS = control(
    "clean_radius_in_all_epochs",
    "contamination ignored in the radius of every epoch",
    elimination.GOOD_EVENT,
    Coverage(
        cases.some_epoch(_clean_epoch_radius, robust_elimination.epoch_truncation, 1.0, 0.1, _EPOCHS, 16),
        _EPOCHS,
        "in some epoch |release - mean of the inliers| > the epoch's clean radius",
        must_detect_ratio=1.5,
        runs=3_000,
    ),
)

# --- central ------------------------------------------------------------------------------------------------------------------------------


CENTRAL = (
    control(
        "outliers_left_out",
        "the mass outside the bins without the outliers",
        central.OUTSIDE_MASS,
        Pointwise(
            lambda: iter((At({"alpha": "1/20", "r": 3}, Fraction(1, 20) + Fraction(19, 180), Fraction(19, 180)),)), "one example", "mass"
        ),
    ),
    control(
        "raw_moment_of_the_mean",
        "D^k for (1 + D)^k",
        central.RAW_MOMENT_OF_CENTRAL,
        Pointwise(lambda: iter((At({"D": 1, "k": 2}, (power(2, 2) + power(0, 2)) / 2, Fraction(1)),)), "one example", "k-th raw moment"),
    ),
)

# --- rates ------------------------------------------------------------------------------------------------------------------------------


def _lasting_bias(samples: int) -> Callable[[int, np.random.Generator], Floats]:
    """A truncation that stays at 1 while the rewards go to 2: the error does not fall with n."""
    return cases.errors_at(samples, 1.0, 0.0, 0.0)


def _noise_of_the_sum(samples: int) -> Callable[[int, np.random.Generator], Floats]:
    """The noise of the sum on the mean: it does not fall with n; and M grows."""
    return lambda runs, rng: np.abs(rng.laplace(0.0, samples / 2.0, runs))


def _growing(theorem: Theorem, measure: Callable[[int], Callable[[int, np.random.Generator], Floats]]) -> GrowthRate:
    return GrowthRate(measure, at_moment(theorem, 2).growth_in(SAMPLES), 64, 1024, runs=1_000)


def _order(theorem: Theorem, change: Callable[[Any], Any], row: str) -> OrderLimits:
    """The order after the change, at one end, beside the explicit bound of its pair."""
    pair, bound = next(pair for pair in orders.CONCENTRATION if pair.order is theorem), theorem.stated()
    order = replace(theorem, bound=replace(bound, cases=always(change(bound.cases[0].expression))))
    return OrderLimits(replace(pair, order=order, fails=()), (row,))


def _over(quantity: Quantity) -> Callable[[Any], Any]:
    return lambda expression: expression / symbol(quantity)


def _at_half(quantity: Quantity) -> Callable[[Any], Any]:
    return lambda expression: expression.subs(symbol(quantity), Fraction(1, 2))


RATES = (
    control(
        "bias_that_stays",
        "a truncation that does not grow with n",
        raw.CLEAN_CONCENTRATION_TUNED,
        _growing(raw.CLEAN_CONCENTRATION_TUNED, _lasting_bias),
    ),
    *(
        control(name, "noise for the sum, n times over", theorem, _growing(theorem, _noise_of_the_sum))
        for name, theorem in (
            ("noise_of_the_sum", raw.CLEAN_CONCENTRATION),
            ("noise_of_the_sum_contaminated", raw.RAW_CONCENTRATION),
            ("noise_of_the_sum_tuned", raw.RAW_CONCENTRATION_TUNED),
        )
    ),
    *(
        control(name, "a further factor 1/n", theorem, _order(theorem, _over(FOLD_SAMPLES), "fold_samples_high"), short)
        for name, short, theorem in (
            ("central_rate", "", central.CENTRAL_CONCENTRATION),
            ("central_clean_rate", "", central.CENTRAL_CONCENTRATION_CLEAN),
            ("central_contaminated_rate", "contaminated_rate", central.CENTRAL_CONCENTRATION_CONTAMINATED),
        )
    ),
    control(
        "samples_without_range",
        "samples that do not grow with D",
        central.CENTRAL_SAMPLE_COMPLEXITY,
        _order(central.CENTRAL_SAMPLE_COMPLEXITY, _over(RANGE), "range_high"),
    ),
    control(
        "samples_without_failure",
        "samples that do not grow as the failure falls",
        raw.CLEAN_SAMPLE_COMPLEXITY,
        _order(raw.CLEAN_SAMPLE_COMPLEXITY, _at_half(FAILURE), "failure_low"),
    ),
)


def _eighth() -> Any:
    """The clean radius at an eighth of the stated samples."""
    known: dict[str, Any] = {"epsilon": "1", "moment": 2, "failure": "1/10"}
    samples = int(raw.CLEAN_SAMPLE_COMPLEXITY_EXPLICIT.at(accuracy="1/10", **known).bound / 8.0)
    return iter((At({"accuracy": "1/10", **known, "n": samples}, raw.CLEAN_RADIUS.at(samples=samples, **known).ball, Fraction(1, 10)),))


ENOUGH = control(
    "eighth_of_the_samples", "64 for 8 under the accuracy", raw.CLEAN_SAMPLE_COMPLEXITY_EXPLICIT, Pointwise(_eighth, "one point", "radius")
)
