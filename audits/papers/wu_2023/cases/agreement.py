"""wu_2023: every public parameter function of the raw-moment algorithms and of the environments beside the statement that it transcribes.

The clean radius and its truncation are compared as printed, and as repaired (at min(epsilon, 3/2)): the theorem's form with what the policy
plays at the drawn epsilon, which is below and above 3/2. With contamination nothing is repaired, and that is compared too.
"""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from banditproof.algorithms.environments import gaussian, two_point
from banditproof.algorithms.estimators import truncated_mean
from banditproof.algorithms.mechanisms import laplace
from banditproof.algorithms.policies.elimination import robust as robust_elimination
from banditproof.audits.methods.agreement import Agreement, Point, agreement, side_of
from banditproof.glossary import (
    ACTIVE,
    CONTAMINATION,
    EPOCH,
    EPSILON,
    FAILURE,
    MOMENT,
    RAW_MOMENT,
    SAMPLES,
    SIGMA,
    TRUNCATION,
    UNIT_RATIO,
    Domain,
)
from banditproof.glossary.wu_2023 import RARITY
from banditproof.theory.language import Bound, OutsideDomain, Sense, Theorem, always, symbol
from banditproof.theory.papers.wu_2023 import elimination, lower_bound, privacy, raw, setting

# --- one release ------------------------------------------------------------------------------------------------------------------------


ORDERS = replace(MOMENT, domain=Domain(2.0, 20.0, low_open=False))  # beyond, M^(1 - k) and sigma^k leave the doubles
_ANY_TRUNCATION = (SAMPLES, EPSILON, CONTAMINATION, ORDERS, TRUNCATION, FAILURE)
_CLEAN_TRUNCATION = (SAMPLES, EPSILON, ORDERS, TRUNCATION, FAILURE)


def _at_clean_epsilon(point: Point) -> Point:
    return {**point, "epsilon": truncated_mean.clean_epsilon(point["epsilon"])}


RELEASE = (
    agreement("laplace.scale", Agreement(setting.LAPLACE_MECHANISM, lambda sensitivity, epsilon: laplace.scale(epsilon, sensitivity))),
    agreement("truncated_mean.noise_scale", Agreement(privacy.TRUNCATED_MEAN_SCALE, truncated_mean.noise_scale)),
    agreement("truncated_mean.sample_requirement", Agreement(raw.RAW_SAMPLES, truncated_mean.sample_requirement)),
    agreement("truncated_mean.truncation", Agreement(raw.RAW_TRUNCATION, truncated_mean.truncation)),
    agreement("truncated_mean.radius", Agreement(raw.RAW_RADIUS, truncated_mean.radius)),
    agreement("truncated_mean.unmerged_radius", Agreement(raw.RAW_RADIUS_BEFORE_MERGE, truncated_mean.unmerged_radius, _ANY_TRUNCATION)),
    agreement("truncated_mean.assembled_radius", Agreement(raw.RAW_RADIUS_ASSEMBLED, truncated_mean.assembled_radius, _ANY_TRUNCATION)),
    agreement("truncated_mean.clean_truncation", Agreement(raw.CLEAN_TRUNCATION, truncated_mean.clean_truncation)),
    agreement(
        "truncated_mean.clean_radius",
        Agreement(raw.CLEAN_RADIUS.as_printed(), truncated_mean.clean_radius),
        "as_printed",
        ", as printed",
    ),
    agreement(
        "truncated_mean.clean_radius",
        Agreement(raw.CLEAN_RADIUS, truncated_mean.clean_radius, arguments=_at_clean_epsilon),
        "repaired",
        ", at clean_epsilon",
    ),
    agreement(
        "truncated_mean.clean_truncation",
        Agreement(raw.CLEAN_TRUNCATION_REPAIRED, truncated_mean.clean_truncation, arguments=_at_clean_epsilon),
        "repaired",
        ", at clean_epsilon",
    ),
    agreement(
        "truncated_mean.clean_assembled_radius",
        Agreement(raw.CLEAN_RADIUS_BEFORE_MERGE, truncated_mean.clean_assembled_radius, _CLEAN_TRUNCATION),
    ),
)


LINES = (
    agreement(
        "truncated_mean.outlier_fraction",
        Agreement(side_of(raw.RAW_RADIUS, "outliers_as_printed", UNIT_RATIO), truncated_mean.outlier_fraction),
        short="truncated_mean.outlier_share",  # an id seeds the draws, and keeps its name
    ),
)

# --- an epoch ---------------------------------------------------------------------------------------------------------------------------

EPOCHS = replace(EPOCH, domain=Domain(1, 50, low_open=False, high_open=False, integer=True))  # no run reaches more
_GIVEN = (ACTIVE, EPOCHS, EPSILON, CONTAMINATION, MOMENT, FAILURE)
_CLEAN = (ACTIVE, EPOCHS, EPSILON, MOMENT, FAILURE)
_WEAK = replace(EPSILON, typical=(0.01, 1.0, 1.5, 2.0, 1e5))  # below and above the level of the repair
_GIVEN_WEAK, _CLEAN_WEAK = (tuple(_WEAK if one is EPSILON else one for one in given) for given in (_GIVEN, _CLEAN))


def _as_played(point: Point) -> Point:
    """At the epsilon at which the policy evaluates the formulas."""
    policy = robust_elimination.RobustElimination(point["epsilon"], contamination=point.get("contamination", 0.0))
    return {**point, "epsilon": policy.formula_epsilon()}


def _first_case(theorem: Theorem) -> Theorem:
    """What the first case says, at every epsilon: the formula of Theorem 6.1, without the repair for large epsilon."""
    bound = theorem.stated()
    return replace(theorem, bound=replace(bound, cases=always(bound.cases[0].expression)))


_RADIUS, _TRUNCATION = robust_elimination.epoch_radius, robust_elimination.epoch_truncation
CLEAN_RADIUS, CLEAN_TRUNCATION = partial(_RADIUS, contamination=0.0), partial(_TRUNCATION, contamination=0.0)
EPOCH_PARAMETERS = (
    agreement("elimination.robust.call_failure", Agreement(elimination.EPOCH_FAILURE, robust_elimination.call_failure)),
    agreement("elimination.robust.threshold", Agreement(elimination.FORCED_THRESHOLD, robust_elimination.threshold)),
    agreement("elimination.robust.epoch_truncation", Agreement(elimination.EPOCH_TRUNCATION, _TRUNCATION, _GIVEN)),
    agreement(
        "elimination.robust.epoch_truncation",
        Agreement(elimination.EPOCH_TRUNCATION_LITERAL, partial(_TRUNCATION, literal=True), _GIVEN),
        note=", literal",
    ),
    agreement("elimination.robust.epoch_radius", Agreement(elimination.EPOCH_RADIUS, _RADIUS, _GIVEN)),
    agreement(
        "elimination.robust.epoch_radius",
        Agreement(elimination.EPOCH_RADIUS_LITERAL, partial(_RADIUS, literal=True), _GIVEN),
        note=", literal",
    ),
    agreement(
        "elimination.robust.epoch_truncation",
        Agreement(elimination.CLEAN_EPOCH_TRUNCATION, CLEAN_TRUNCATION, _CLEAN),
        note=", clean",
    ),
    agreement(
        "elimination.robust.epoch_radius",
        Agreement(_first_case(elimination.CLEAN_EPOCH_RADIUS), CLEAN_RADIUS, _CLEAN),
        "as_printed",
        ", clean, the formula of Theorem 6.1 at every epsilon",
    ),
    *(
        agreement(
            f"elimination.robust.{name}",
            Agreement(theorem, function, given, arguments=_as_played),
            "as_played",
            f"{note}, as RobustElimination plays it",
            f"robust.{name}",
        )
        for name, theorem, function, given, note in (
            ("epoch_radius", elimination.CLEAN_EPOCH_RADIUS, CLEAN_RADIUS, _CLEAN_WEAK, ", clean"),
            ("epoch_truncation", elimination.CLEAN_EPOCH_TRUNCATION_REPAIRED, CLEAN_TRUNCATION, _CLEAN_WEAK, ", clean"),
            ("epoch_radius", elimination.EPOCH_RADIUS, _RADIUS, _GIVEN_WEAK, ""),
            ("epoch_truncation", elimination.EPOCH_TRUNCATION, _TRUNCATION, _GIVEN_WEAK, ""),
        )
    ),
)

# --- the environments of the lower bound ------------------------------------------------------------------------------------------------


def _absolute_moment(moment: float, sigma: float) -> float:
    return gaussian.absolute_moment(moment, sigma)


_ANY_RARITY = side_of(lower_bound.LOWER_BOUND_PRIVATE, "rarity_with_enough_rounds", RARITY)


def _private_gamma(arms: int, horizon: int, epsilon: float, moment: float) -> float:
    return two_point.private_gamma(arms, horizon, epsilon=epsilon, moment=moment)


def _with_enough_rounds(arms: int, horizon: int, epsilon: float, moment: float) -> Any:
    if horizon * Fraction(epsilon) < arms - 1:
        raise OutsideDomain(f"horizon = {horizon}: must be >= (arms - 1)/epsilon")
    return _ANY_RARITY.at(arms=arms, horizon=horizon, epsilon=epsilon, moment=moment).ball


def _centred_gaussian() -> Theorem:
    """E|X|^k = (sigma/sigma_k)^k for the centred distribution, sigma_k being the deviation at which it is 1."""
    moment = (symbol(SIGMA) / lower_bound.GAUSSIAN_DEVIATION.stated().cases[0].expression) ** symbol(MOMENT)
    bound = Bound(of=RAW_MOMENT, sense=Sense.EQUALS, cases=always(moment), given=(MOMENT, SIGMA))
    return replace(lower_bound.GAUSSIAN_DEVIATION, bound=bound)


CENTRED_GAUSSIAN = _centred_gaussian()
ENVIRONMENTS = (
    agreement("gaussian.unit_spread", Agreement(lower_bound.GAUSSIAN_DEVIATION, gaussian.unit_standard_deviation, (ORDERS,))),
    agreement("gaussian.absolute_moment", Agreement(CENTRED_GAUSSIAN, _absolute_moment, (ORDERS, SIGMA))),
    agreement(
        "two_point.private_gamma",
        Agreement(_ANY_RARITY, _private_gamma, theory=_with_enough_rounds),
    ),
)
