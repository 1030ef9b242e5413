"""wu_2023's histogram, winning bin and two-fold radius broken on purpose: a bin missing, a term dropped, contamination ignored."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from banditproof.algorithms.estimators import central_mean
from banditproof.audits.methods.coverage import Bools, Coverage, Fails
from banditproof.audits.methods.pointwise import Pointwise
from banditproof.audits.methods.stated import Stated
from banditproof.audits.mutations import control
from banditproof.audits.papers.wu_2023.cases.central import histogram as cases
from banditproof.audits.papers.wu_2023.cases.central import radius as radii
from banditproof.interaction import Floats
from banditproof.theory.papers.wu_2023 import central, central_radii, elimination


def _coverage(fails: Fails, stated: Stated, rule: str, runs: int = 2_000) -> Coverage:
    return Coverage(fails, stated, rule, must_detect_ratio=1.5, runs=runs)


# --- the histogram ----------------------------------------------------------------------------------------------------------------------

_FEW, _FEW_PADDED = (cases.histogram_error(50, 0.2, 0.1, pad, 8) for pad in (False, True))
_COUNTS_ALONE = math.sqrt(2.0 * math.log(16.0 * _FEW["range"] / _FEW["failure"]) / _FEW["fold_samples"])
HISTOGRAM = (
    control(
        "histogram_without_noise",
        "the larger of two errors replaced by that of sampling",
        _FEW.theorem,
        _coverage(cases.bins_outside(_FEW, (0.125,) * 8, _COUNTS_ALONE), _FEW, "in some bin |private frequency - probability| > C_1"),
    ),
    control(
        "histogram_of_a_batch",
        "a batch's length where a fold's is meant: the error of twice as many rewards, without its logarithm",
        _FEW_PADDED.theorem,
        _coverage(
            cases.bins_outside(_FEW_PADDED, (0.125,) * 8, 4.0 / (2 * _FEW_PADDED["fold_samples"] * _FEW_PADDED["epsilon"])),
            _FEW_PADDED,
            "in some bin |private frequency - probability| > 4/(2 n epsilon)",
        ),
    ),
)

# --- the winning bin --------------------------------------------------------------------------------------------------------------------


def floored(of: cases.Setup) -> Fails:
    """2 D/r rounded down: whether the winning bin is far from a mean in the part of the range that no bin covers. Draws."""
    mechanism = of.mechanism
    number = math.floor(2.0 * mechanism.range / mechanism.bin_width)
    low = central_mean.first_bin(mechanism.range, mechanism.bin_width)
    mean = 0.5 * (low + number * mechanism.bin_width + mechanism.range)

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        centres, _ = cases.released(cases.constant(mean), mechanism, of.fold, runs, rng, number=number, low=low)
        return np.asarray(np.abs(centres - mean) > of.two_bins)

    return fails


_FLOORED = cases.setup(10.3 * cases.CLEAN_WIDTH, False)
WINNER = (
    control(
        "missing_bin",
        "no bin at D for a mean at D",
        central_radii.INITIAL_DISTANCE,
        _coverage(cases.outside_at_the_end(False), cases.PRINTED_AT_THE_END, "the winning bin begins farther than 2 r from the mean", 500),
    ),
    control(
        "bins_rounded_down",
        "2 D/r rounded down: an interval below D lies in no bin",
        central_radii.INITIAL_DISTANCE,
        _coverage(floored(_FLOORED), cases.winning_bin(_FLOORED), "the winning bin begins farther than 2 r from the mean"),
    ),
    control(
        "few_rewards",
        "a fold of 3 rewards for the required one, in closed form",
        central_radii.INITIAL_DISTANCE,
        Pointwise(cases.exact_winners(lambda of: 3, (True,)), "the means of the audit", "failure"),
    ),
)

# --- the radius -------------------------------------------------------------------------------------------------------------------------

_WIDE = 316.0 * cases.CLEAN_WIDTH  # 632 bins exactly: D is the end of the last


def outside_at_the_end(of: cases.Setup) -> Fails:
    """Whether the estimate misses the radius for rewards that are all D. Draws."""
    miss = radii.outside(of)
    return lambda runs, rng: miss(cases.constant(of.mechanism.range), runs, rng)


def of_clean(of: cases.Setup) -> cases.Setup:
    """The same with the radius of clean rewards."""
    mechanism = of.mechanism
    radius = central_mean.clean_assembled_radius(
        of.fold, mechanism.epsilon, moment=2.0, failure=of.failure, truncation=mechanism.truncation, bin_width=mechanism.bin_width
    )
    return replace(of, radius=radius)


def of_large_epsilon(of: cases.Setup) -> cases.Setup:
    """The noise of a hundredth of the epsilon that the radius is for."""
    return replace(of, mechanism=replace(of.mechanism, epsilon=0.01))


_CLEAN, _MIXED = cases.setup(10.3 * cases.CLEAN_WIDTH, True), cases.setup(10.3 * cases.width_at(0.13), True, 0.13)
_AT_THE_END = cases.setup(_WIDE, False)
_MIXED_DISTRIBUTIONS, _CLEAN_DISTRIBUTIONS = cases.all_distributions(_MIXED, 0.13), cases.all_distributions(_CLEAN, 0.0)
RADII = (
    control(
        "missing_bin_in_the_radius",
        "no bin at D for a mean at D, the range wider than the truncation",
        central.CENTRAL_RADIUS_CLEAN_ASSEMBLED,
        _coverage(outside_at_the_end(_AT_THE_END), radii.assembled(_AT_THE_END), "|release - mean| > radius, all rewards D"),
        short="missing_bin",
    ),
    control(
        "eighth_of_the_clean_radius",
        "an eighth of the two-fold radius",
        central.CENTRAL_RADIUS_CLEAN_ASSEMBLED,
        _coverage(
            cases.any_of(_CLEAN_DISTRIBUTIONS, radii.outside(_CLEAN, 0.125)),
            radii.assembled(_CLEAN),
            "|release - mean| > an eighth of the radius",
        ),
        short="eighth_of_the_radius",
    ),
    control(
        "noise_of_another_epsilon",
        "the radius for a hundred times the epsilon of the noise",
        central.CENTRAL_RADIUS_CLEAN_ASSEMBLED,
        _coverage(
            cases.any_of(_CLEAN_DISTRIBUTIONS, radii.outside(of_large_epsilon(_CLEAN))),
            radii.assembled(_CLEAN),
            "|release - mean| > the radius",
        ),
    ),
    control(
        "contamination_ignored",
        "contamination ignored in the two-fold radius",
        central.CENTRAL_RADIUS_ASSEMBLED,
        _coverage(
            cases.any_of(_MIXED_DISTRIBUTIONS, radii.outside(of_clean(_MIXED))),
            radii.assembled(_MIXED, 0.13),
            "|release - mean| > the clean radius",
        ),
    ),
    control(
        "a_thousandth_by_exact_sums",
        "a thousandth of the two-fold radius, by exact sums",
        central.CENTRAL_RADIUS_ASSEMBLED,
        Pointwise(radii.second_folds(False, Fraction(1, 1000)), "the distributions of the audit", "failure"),
    ),
    control(
        "tenth_in_all_epochs",
        "a tenth of the radius in every epoch",
        elimination.GOOD_EVENT,
        radii.all_epochs(0.1),
    ),
)

# --- rates ------------------------------------------------------------------------------------------------------------------------------


def fixed_bias(fold: int) -> Callable[[int, np.random.Generator], Floats]:
    """A truncation that stays at r/2 while rewards go to r beyond the mean: the error does not fall with n."""
    return radii.errors(0.0, lambda _: 0.5 * cases.CLEAN_WIDTH)(fold)


def noise_of_the_sum(fold: int) -> Callable[[int, np.random.Generator], Floats]:
    """The noise of the sum on the mean."""
    return lambda runs, rng: np.abs(rng.laplace(0.0, 2.0 * radii.own_truncation(0.1)(fold) * math.sqrt(fold), runs))


RATES = (
    control(
        "bias_that_stays",
        "a truncation that does not grow with n",
        central.CENTRAL_CONCENTRATION_CLEAN,
        radii.growing(central.CENTRAL_CONCENTRATION_CLEAN, fixed_bias),
    ),
    control(
        "noise_of_the_sum",
        "noise that grows with n",
        central.CENTRAL_CONCENTRATION_CONTAMINATED,
        radii.growing(central.CENTRAL_CONCENTRATION_CONTAMINATED, noise_of_the_sum),
    ),
)
