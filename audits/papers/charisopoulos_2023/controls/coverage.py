"""Reports, estimates and binomial sums of charisopoulos_2023 with one mistake each."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from banditproof.algorithms.mechanisms.client_reports import Clipping, OwnerReport, report_scale
from banditproof.audits.methods.coverage import Enumeration, Point
from banditproof.audits.methods.stated import Stated
from banditproof.audits.mutations import control, times
from banditproof.audits.papers.charisopoulos_2023.cases import coverage as cases
from banditproof.audits.papers.charisopoulos_2023.cases import experiments, maxima, positions
from banditproof.audits.papers.charisopoulos_2023.cases.coverage import NONE, Batch
from banditproof.audits.running.audit import Control
from banditproof.interaction import Floats
from banditproof.theory.language import Theorem
from banditproof.theory.papers.charisopoulos_2023 import filter, first_model, regret, second_model, setting


def twice_the_noise(epsilon: float, plays: int, rewards: Floats, rng: np.random.Generator) -> Floats:
    """Laplace noise for rewards in [-2, 2]."""
    return cases.released(epsilon / 2.0, plays, rewards, rng)


def noise_before_averaging(epsilon: float, plays: int, rewards: Floats, rng: np.random.Generator) -> Floats:
    """Each reward of an owner with noise for one reward, then the mean: less noise than 2/epsilon, more than 2/(n epsilon)."""
    single = OwnerReport(epsilon, 1, clipping=Clipping.PUBLISHED)
    noise = single.release([0.0], rewards.size, rng).reshape(rewards.shape)
    return np.asarray((rewards + noise).mean(axis=1))


def clipped(epsilon: float, plays: int, rewards: Floats, rng: np.random.Generator) -> Floats:
    """Rewards clipped to [-1, 1] before their mean."""
    return cases.released(epsilon, plays, np.clip(rewards, -1.0, 1.0), rng)


def correlated(epsilon: float, plays: int, rewards: Floats, rng: np.random.Generator) -> Floats:
    """One noise for all rewards of a batch."""
    return np.asarray(
        rewards.mean(axis=1) + OwnerReport(epsilon, plays, clipping=Clipping.PUBLISHED).release(np.zeros(plays), 1, rng)[0, 0]
    )


def _event(name: str, mistake: str, theorem: Theorem, batch: Batch, changed: Batch, event: object = cases.outside) -> Control:
    return control(name, mistake, theorem, cases.exact(event, changed, batch))  # type: ignore[arg-type]


_PRIVATE, _OWNED = Batch(100.0, 0.5), Batch(100.0, 0.5, True)
EXACT = (
    _event(
        "wrong_range",
        "Laplace noise for rewards in [-2, 2]",
        first_model.LAPLACE_PART,
        _PRIVATE,
        replace(_PRIVATE, release=twice_the_noise),
    ),
    _event("one_noise", "one noise for all reports", first_model.LAPLACE_PART, _PRIVATE, replace(_PRIVATE, release=correlated)),
    _event(
        "clipped", "rewards clipped before the estimate", first_model.REWARD_PART, Batch(100.0, NONE), Batch(100.0, NONE, release=clipped)
    ),
    _event(
        "noise_before_averaging",
        "noise before averaging in the second model counted as after it",
        second_model.NOISE_SUM_SECOND,
        _OWNED,
        replace(_OWNED, release=noise_before_averaging),
    ),
)


def smaller(utilised: cases.Utilised, stated: Stated, batch: Batch, divisor: int) -> Control:
    """A bound divided by a number."""
    method = replace(cases.utilisation(utilised, stated, batch, cases.RUNS), limit=1.0 / divisor)
    return control("bound_divided", f"the bound divided by {divisor}", stated.theorem, method)


_FREE, _OWNED_FREE = Batch(100.0, NONE), Batch(100.0, NONE, True)
BOUNDS = (
    *(smaller(cases.fraction_of_sum, cases.stated_sum(theorem, _FREE), _FREE, 10) for theorem in cases.SUMS),
    *(smaller(utilised, cases.stated_reports(theorem, _FREE), _FREE, 10) for theorem, utilised in cases.REPORTS),
    *(smaller(cases.fraction_of_sum, cases.stated_sum(theorem, _OWNED_FREE), _OWNED_FREE, 10) for theorem in cases.OWNED_SUMS),
    *(smaller(utilised, cases.stated_reports(theorem, _OWNED_FREE), _OWNED_FREE, 10) for theorem, utilised in cases.OWNED_REPORTS),
)

# --- maxima and positions ---------------------------------------------------------------------------------------------------------------


def _wide_scale(epsilon: float, arm_plays: int = 1) -> float:
    """Noise for rewards in [-5, 5]."""
    return 5.0 * report_scale(epsilon, arm_plays)


def _not_averaged(epsilon: float, arm_plays: int = 1) -> float:
    """Noise of one reward on a mean."""
    return report_scale(epsilon)


MAXIMA = (
    control(
        "wider_range",
        "Laplace noise for rewards in [-5, 5]",
        first_model.LARGEST_LAPLACE,
        Enumeration(partial(maxima.laplace_maxima, first_model.LARGEST_LAPLACE, _wide_scale), maxima.DOMAIN),
    ),
    control(
        "not_averaged",
        "the noise of one reward on the mean of n_a",
        second_model.LARGEST_LAPLACE_SECOND,
        Enumeration(partial(maxima.laplace_maxima, second_model.LARGEST_LAPLACE_SECOND, _not_averaged), maxima.DOMAIN),
    ),
    *(
        control(
            "wider_noise",
            "rewards of deviation 3",
            theorem,
            Enumeration(partial(maxima.gaussian_maxima, theorem, 3.0 * maxima.DEVIATION[theorem.id]), maxima.DOMAIN),
        )
        for theorem in (first_model.LARGEST_REWARD_NOISE, second_model.LARGEST_MEAN_NOISE)
    ),
)
_HALF = Fraction(1, 2)


def _positions(name: str, mistake: str, theorem: Theorem, points: Callable[[Theorem], Iterator[Point]], factor: Fraction) -> Control:
    return control(name, mistake, theorem, Enumeration(partial(points, times(theorem, factor)), "the points of its audit"))


POSITIONS = (
    _positions(
        "third_of_the_deviation", "a third of Chernoff's deviation", filter.INLIER_FRACTION_EXPLICIT, positions.deviations, Fraction(1, 3)
    ),
    _positions("half_of_lemma_a3", "half of Lemma A.3's deviation", filter.INLIER_FRACTION, positions.lemma_a3, _HALF),
    _positions("all_inliers", "almost no corrupted report", filter.ENOUGH_INLIERS, positions.too_few, Fraction(199, 100)),
    _positions(
        "tenth_of_lemma_a4", "10 for the constant of Lemma A.4", filter.MEAN_SHIFT_BOUND, positions.one_heavy_report, Fraction(1, 10)
    ),
    control("shift_divided", "the shift's bound divided by 5", filter.MEAN_SHIFT_EXPLICIT, positions.mean_shift(0.2)),
    control("covariance_divided", "the proof's lambda divided by 50", filter.COVARIANCE_SUBSTITUTED, positions.substituted(0.02)),
    control("third_of_33", "a third of (33)", filter.GOOD_COVARIANCE_BOUND, positions.covariance_points(1.0 / 3.0)),
)

# --- the filter, its growth and its bias ------------------------------------------------------------------------------------------------

EXPERIMENTS = (
    control(
        "never_stops",
        "a filter that goes on at a tenth of lambda",
        filter.FILTER_REMOVALS,
        experiments.of_the_filter(experiments.removals, experiments.Rule.COVARIANCE, 500, 300, factor=0.1),
    ),
    control(
        "removes_nothing",
        "a filter that stops at once",
        filter.FILTER_QUOTED,
        experiments.of_the_filter(experiments.errors, experiments.Rule.COVARIANCE, 500, 300, factor=1e9),
    ),
    control("width_constant", "a width that does not grow with d", first_model.INTERVAL_FIRST, experiments.growth(Fraction(0), 1.5)),
    control("width_fourth_root", "a width that grows like d^(1/4)", regret.REGRET_M1, experiments.growth(Fraction(1, 4), 1.5)),
    control(
        "factor_left_out",
        "the estimate without the factor n over the reports that stay",
        setting.LEAST_SQUARES,
        experiments.bias(experiments.without_factor, 0.2, 1.0),
    ),
)
