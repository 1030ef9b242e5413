"""Formulas of ldp_linucb_2024 with one mistake each, which the comparisons at listed points must refute."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.mutations import control, stating, times
from banditproof.audits.papers.ldp_linucb_2024.cases import combiner as combiner_cases
from banditproof.audits.papers.ldp_linucb_2024.cases import curvature, floors, recomputed, recomputed_baselines
from banditproof.audits.papers.ldp_linucb_2024.cases import privacy as privacy_cases
from banditproof.audits.running.audit import Control
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.ldp_linucb_2024 import combiner, comparisons, experiments, loss, privacy, setting
from banditproof.theory.papers.ldp_linucb_2024 import floors as bounds_below

DOUBLED = tuple(
    control("doubled", "twice the value", theorem, recomputed.audit_of(times(theorem, 2), formula, points))
    for theorem, formula, points in (*recomputed.ROWS, *recomputed_baselines.ROWS)
)

_HALF = Fraction(1, 2)
_Points = Callable[[], Iterator[At]]


def _points(name: str, mistake: str, theorem: Theorem, points: _Points, sense: Sense = Sense.AT_MOST) -> Control:
    return control(name, mistake, theorem, Pointwise(points, "the points of its audit", "value", sense))


_EPSILONS = privacy_cases.EPSILONS
POINTS = (
    _points(
        "each_part_the_whole_budget",
        "features and reward each given the whole budget",
        privacy.PRIVACY,
        partial(privacy_cases.calibrated, privacy.PART_PRIVACY, privacy.MESSAGE_CALIBRATION, ("1/2", "99/100")),
    ),
    _points(
        "sensitivity_one",
        "half of the noise of one part",
        privacy.PART_PRIVACY,
        partial(privacy_cases.calibrated, times(privacy.PART_PRIVACY, _HALF), privacy.PART_CALIBRATION, _EPSILONS),
    ),
    _points(
        "half_the_level",
        "half of a message's level",
        privacy.MESSAGE_LEVEL,
        partial(privacy_cases.levels, times(privacy.MESSAGE_LEVEL, _HALF), privacy_cases.ANY),
    ),
    _points(
        "half_the_level",
        "half of a message's level on the experiment's data",
        privacy.EXPERIMENT_LEVEL,
        partial(privacy_cases.levels, times(privacy.EXPERIMENT_LEVEL, _HALF), privacy_cases.EXPERIMENT),
    ),
    _points(
        "panel_c",
        "the printed noise keeps its delta at epsilon = 10 too",
        privacy.EXPERIMENT_PROFILE,
        partial(privacy_cases.profiled, privacy.EXPERIMENT_PROFILE, ("0",), ("10",)),
    ),
    _points(
        "doubled",
        "twice the delta of one part",
        privacy.PART_PROFILE,
        partial(privacy_cases.parts, times(privacy.PART_PROFILE, 2)),
        Sense.EQUALS,
    ),
    _points(
        "half_the_ceiling",
        "lambda_min at most 1/(2 d)",
        setting.CURVATURE_CEILING,
        partial(curvature.ceilings, times(setting.CURVATURE_CEILING, _HALF)),
    ),
    _points(
        "unbiased",
        "the parameter itself",
        loss.MINIMISER_COMPONENT,
        partial(curvature.minimisers, stating(loss.MINIMISER_COMPONENT, 1)),
        Sense.EQUALS,
    ),
    _points(
        "twelve_times",
        "twelve times the bound of Remark 3.1",
        comparisons.LEAST_SQUARE,
        partial(curvature.least_squares, times(comparisons.LEAST_SQUARE, 12)),
        Sense.AT_LEAST,
    ),
    _points("eight_features", "Gaussian actions of eight features", comparisons.GAUSSIAN_EXAMPLE, partial(curvature.long_actions, (8,))),
    _points(
        "any_constant",
        "a conditional second moment of at least 1/10 for one set of arms",
        experiments.FAVOURABLE_SETTING,
        partial(curvature.fixed, Fraction(1, 10)),
        Sense.AT_LEAST,
    ),
    _points(
        "curved",
        "a curvature of 1/5 for one set of arms",
        experiments.PLAYED_CURVATURE,
        partial(curvature.rank_one, stating(experiments.PLAYED_CURVATURE, Fraction(1, 5))),
        Sense.EQUALS,
    ),
    _points(
        "doubled",
        "twice the curvature of uniform play",
        loss.EXPERIMENT_MOMENT,
        partial(curvature.uniform_moments, times(loss.EXPERIMENT_MOMENT, 2)),
        Sense.EQUALS,
    ),
    _points(
        "minimised_at_half",
        "half of the parameter minimises the expected loss whatever is injected",
        loss.MINIMISER,
        partial(curvature.minimisers, stating(loss.MINIMISER_COMPONENT, _HALF)),
        Sense.EQUALS,
    ),
    _points(
        "all_rounds",
        "the regret of twice the rounds",
        bounds_below.WEAK_DIRECTION,
        partial(floors.weak, times(bounds_below.WEAK_DIRECTION, 2)),
        Sense.AT_LEAST,
    ),
    _points(
        "twice_the_gram",
        "the same regret up to twice the noisy Gram matrix",
        bounds_below.EXPLORING_ROUNDS,
        partial(floors.exploring, bounds_below.EXPLORING_ROUNDS, Fraction(2)),
        Sense.AT_LEAST,
    ),
    _points(
        "nothing_learned",
        "a path of T/2, as if nothing were learned",
        bounds_below.PATH_OF_ANY_LEARNER,
        partial(floors.learned, times(bounds_below.PATH_OF_ANY_LEARNER, Fraction(5, 4))),
        Sense.AT_LEAST,
    ),
    _points(
        "small_delta",
        "the cut index is never low at delta = 1/100000",
        combiner.INDEX,
        partial(combiner_cases.misses, combiner.INDEX_MISSES, "1/100000"),
    ),
)
