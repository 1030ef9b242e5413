"""charisopoulos_2023: thresholds of elimination, sizes of batches and failure probabilities beside the statements that they transcribe.

(48), (50) and (55) suppress their constants: they are compared with every constant 1.
"""

from dataclasses import replace
from functools import partial

from banditproof.algorithms.policies.robust_arm_elimination import constants
from banditproof.algorithms.policies.robust_arm_elimination.constants import FirstThreshold
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.methods.agreement import Agreement, Point, agreement
from banditproof.glossary import ARMS, DIMENSION, EPSILON, FAILURE, HORIZON, SAMPLES, Domain, Quantity
from banditproof.glossary.charisopoulos_2023 import (
    ASSUMPTION_CONSTANT,
    BATCH_INDEX,
    BATCHES,
    CORRUPTION,
    LEVERAGE,
    SUPPORT,
    TRUNCATION_PARAMETER,
)
from banditproof.theory.language import Constants, Theorem
from banditproof.theory.papers.charisopoulos_2023 import budget, elimination, filter, first_model, second_model


def numbered(theorem: Theorem) -> Theorem:
    """An order with every suppressed constant 1, and without hypotheses."""
    return replace(theorem, bound=replace(theorem.stated(), constants=Constants.EXPLICIT), hypotheses=())


# --- sizes and failure probabilities --------------------------------------------------------------------------------------------------


def _growth(horizon: float, batches: float) -> float:
    return constants.growth(int(horizon), int(batches))


def _size(horizon: float, batches: float, batch_index: float) -> float:
    return constants.batch_size_parameter(int(horizon), int(batches), int(batch_index))


def _failure(failure: float, arms: float, horizon: float) -> float:
    return constants.statement_failure(failure, arms=int(arms), horizon=int(horizon))


def _least_first(horizon: float, batches: float, support: float, failure: float, assumption_constant: float) -> float:
    plays = _growth(horizon, batches) + support
    return constants.least_corruption(failure, batch_plays=plays, assumption_constant=assumption_constant)


_INSIDE = replace(BATCH_INDEX, domain=Domain(1, 1000, low_open=False, integer=True))
# Two roundings of log(1/delta) one after the other: near delta = 1 it has lost the digits that are compared.
_NOT_SURE = replace(FAILURE, domain=Domain(0.0, 0.9))
SIZES = (
    agreement("growth", Agreement(elimination.GROWTH_OF, _growth)),
    agreement("batch_size_parameter", Agreement(elimination.SIZE_OF, _size, (HORIZON, BATCHES, _INSIDE))),
    agreement("statement_failure", Agreement(elimination.ROUND_FAILURE_OF, _failure)),
    agreement(
        "least_corruption",
        Agreement(
            filter.LEAST_CORRUPTION,
            lambda samples, failure, assumption_constant: constants.least_corruption(
                failure, batch_plays=samples, assumption_constant=assumption_constant
            ),
        ),
    ),
    agreement("least_corruption", Agreement(budget.LEAST_CORRUPTION_M1, _least_first)),
    agreement(
        "least_corruption",
        Agreement(
            budget.LEAST_CORRUPTION_M2,
            lambda support, failure, assumption_constant: constants.least_corruption(
                failure, batch_plays=support, assumption_constant=assumption_constant
            ),
        ),
    ),
    agreement(
        "least_corruption",
        Agreement(
            filter.LEAST_REPORTS,
            lambda failure, samples, assumption_constant: samples,
            (SAMPLES, _NOT_SURE, ASSUMPTION_CONSTANT),
            theory=lambda samples, failure, assumption_constant: (
                filter.LEAST_REPORTS.at(
                    corruption=constants.least_corruption(failure, batch_plays=samples, assumption_constant=assumption_constant),
                    failure=failure,
                    assumption_constant=assumption_constant,
                ).ball
            ),
        ),
    ),
)

# --- thresholds -------------------------------------------------------------------------------------------------------------------------


def first(
    variant: FirstThreshold,
    dimension: float,
    epsilon: float,
    corruption: float,
    failure: float,
    size: float,
    corruption_constant: float = 1.0,
    noise_constant: float = 1.0,
) -> float:
    """The first model's threshold, of the numbers that a comparison draws."""
    return constants.gamma_first_model(
        int(dimension),
        epsilon,
        corruption=corruption,
        failure=failure,
        size=size,
        variant=variant,
        corruption_constant=corruption_constant,
        noise_constant=noise_constant,
    )


def second(
    leading_one: bool,
    dimension: float,
    epsilon: float,
    corruption: float,
    failure: float,
    size: float,
    truncation_parameter: float,
    support: float,
    corruption_constant: float = 1.0,
    noise_constant: float = 1.0,
) -> float:
    """The second model's threshold, of the numbers that a comparison draws."""
    return constants.gamma_second_model(
        int(dimension),
        epsilon,
        corruption=corruption,
        failure=failure,
        size=size,
        truncation_parameter=truncation_parameter,
        support=int(support),
        leading_one=leading_one,
        corruption_constant=corruption_constant,
        noise_constant=noise_constant,
    )


def _measured(leverage: float, samples: float, corruption: float, epsilon: float, failure: float) -> float:
    return constants.measured_gamma(leverage, epsilon, corruption=corruption, failure=failure, batch_plays=samples)


def _at_the_design(dimension: float, samples: float, corruption: float, epsilon: float, failure: float) -> float:
    return constants.gamma_first_model(
        int(dimension), epsilon, corruption=corruption, failure=failure, size=samples, variant=FirstThreshold.DISPLAY_48
    )


def _leverage_of_the_design(dimension: float, samples: float, **point: float) -> object:
    """(48) at mu = 2 d/n, rounded once, as the function has it."""
    return numbered(first_model.INTERVAL_FIRST_LEVERAGE).at(leverage=2.0 * dimension / samples, samples=samples, **point).ball


_UNIT = {"corruption_constant": 1, "noise_constant": 1}
_OF_THE_DESIGN = (DIMENSION, SAMPLES, CORRUPTION, EPSILON, FAILURE)
FIRST = (
    agreement(
        "gamma_first_model",
        Agreement(first_model.THRESHOLD_FIRST, partial(first, FirstThreshold.LINE_9)),
        "line_9",
    ),
    agreement(
        "gamma_first_model",
        Agreement(first_model.THRESHOLD_FIRST_INTERVAL, partial(first, FirstThreshold.DISPLAY_50)),
        "display_50",
    ),
    agreement(
        "gamma_first_model",
        Agreement(first_model.INTERVAL_FIRST_LEVERAGE, _at_the_design, _OF_THE_DESIGN, theory=_leverage_of_the_design),
        "display_48",
    ),
    agreement(
        "measured_gamma",
        Agreement(
            first_model.INTERVAL_FIRST_LEVERAGE,
            _measured,
            (LEVERAGE, SAMPLES, CORRUPTION, EPSILON, FAILURE),
            theory=lambda **point: numbered(first_model.INTERVAL_FIRST_LEVERAGE).at(**point).ball,
        ),
    ),
)
SECOND = (
    agreement("gamma_second_model", Agreement(second_model.THRESHOLD_SECOND, partial(second, True)), "leading_one"),
    agreement("gamma_second_model", Agreement(second_model.THRESHOLD_SECOND_LINE, partial(second, False)), "line_9"),
    agreement(
        "gamma_second_model",
        Agreement(
            second_model.INTERVAL_SECOND,
            partial(second, True),
            theory=lambda **point: numbered(second_model.INTERVAL_SECOND).at(**point).ball,
        ),
        "display_55",
    ),
)

# --- the policy's own: what it gives the functions above -------------------------------------------------------------------------------


def _played(policy: RobustArmElimination, point: Point) -> float:
    """The threshold that a policy with these settings has in batch i of a run."""
    own = replace(policy, epsilon=point["epsilon"], corruption=point["corruption"], failure=point["failure"], batches=int(point["batches"]))
    if policy.model is ClientModel.SECOND:
        own = replace(own, truncation_parameter=point["truncation_parameter"])
    return own.threshold(
        int(point["dimension"]),
        arms=int(point["arms"]),
        horizon=int(point["horizon"]),
        batch_index=int(point["batch_index"]),
        support=int(point.get("support", 1)),
        leverage=point.get("leverage", 1.0),
        plays=int(point.get("samples", 1)),
    )


def _stated(theorem: Theorem, point: Point) -> object:
    """The threshold at the size and the failure probability that the theory names for the batch."""
    shared = {name: point[name] for name in point if name in {quantity.name for quantity in theorem.stated().given}}
    failure = elimination.ROUND_FAILURE_OF.at(failure=point["failure"], arms=point["arms"], horizon=point["horizon"]).bound
    size = elimination.SIZE_OF.at(horizon=point["horizon"], batches=point["batches"], batch_index=point["batch_index"]).bound
    given = {quantity.name for quantity in theorem.stated().given}
    fixed = {name: value for name, value in {"size": max(size, 1.0), **_UNIT}.items() if name in given}
    return theorem.at(**{**shared, "failure": failure, **fixed}).ball


_BATCHES = replace(BATCHES, domain=Domain(2, 30, low_open=False, integer=True))
_RUN = (ARMS, replace(HORIZON, domain=Domain(2, 1e6, low_open=False, integer=True)), _BATCHES, _INSIDE, EPSILON, FAILURE, CORRUPTION)
_FIRST_RUN, _LEVERAGE_RUN = (*_RUN, DIMENSION), (*_RUN, DIMENSION, LEVERAGE, SAMPLES)
_SECOND_RUN = (*_RUN, DIMENSION, SUPPORT, TRUNCATION_PARAMETER)


def _policy(theorem: Theorem, policy: RobustArmElimination, draws: tuple[Quantity, ...]) -> Agreement:
    return Agreement(
        theorem,
        lambda **point: _played(policy, point),
        draws,
        theory=lambda **point: _stated(theorem, point),
        points=100,
    )


_M1, _M2 = RobustArmElimination(1.0), RobustArmElimination(1.0, model=ClientModel.SECOND)
POLICY = tuple(
    agreement("policy.threshold", _policy(theorem, policy, draws), name)
    for name, theorem, policy, draws in (
        ("line_9", first_model.THRESHOLD_FIRST, _M1, _FIRST_RUN),
        ("display_50", first_model.THRESHOLD_FIRST_INTERVAL, replace(_M1, variant=FirstThreshold.DISPLAY_50), _FIRST_RUN),
        (
            "display_48",
            numbered(first_model.INTERVAL_FIRST_LEVERAGE),
            replace(_M1, variant=FirstThreshold.DISPLAY_48),
            _LEVERAGE_RUN,
        ),
        ("leading_one", second_model.THRESHOLD_SECOND, _M2, _SECOND_RUN),
        ("line_9", second_model.THRESHOLD_SECOND_LINE, replace(_M2, leading_one=False), _SECOND_RUN),
    )
)
