"""ldp_linucb_2024: the parameters of Private Online LinUCB, its restarts and the combiner beside the statements that they transcribe."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from banditproof.algorithms.policies.locally_private_lin_ucb import constants
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Putatives
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.running.audit import Audit
from banditproof.glossary import DIMENSION, EPSILON, FAILURE, HORIZON, SIGMA, Domain
from banditproof.glossary.ldp_linucb_2024 import (
    COMBINER_RATE,
    LEARNER,
    LEARNERS,
    OTHER_RATES,
    OWN_ROUNDS,
    POSITIVE_CURVATURE,
    PUTATIVE_CONSTANT,
    RADIUS_CONSTANT,
    RATE_EXPONENT,
)
from banditproof.theory.language import Constants, Theorem
from banditproof.theory.papers.ldp_linucb_2024 import combiner, confidence, loss, regret

FEW = replace(LEARNER, domain=Domain(2, 40, low_open=False, high_open=False, integer=True))  # 2^(i - 1) times a power of T
OTHERS = replace(OTHER_RATES, domain=Domain(0.0))  # of two learners at least
COUNTED = replace(LEARNERS, domain=Domain(2, 40, low_open=False, high_open=False, integer=True))
EXPONENT = replace(RATE_EXPONENT, domain=Domain(0.1, 1.0, low_open=False))  # below, C^(1 / alpha) leaves the doubles


def _of_constant_one(theorem: Theorem) -> Theorem:
    """What is stated up to a constant, at the constant 1."""
    return replace(theorem, bound=replace(theorem.stated(), constants=Constants.EXPLICIT))


def _of(name: str, theorem: Theorem, function: Callable[..., float], variant: str = "", draws: Any = ()) -> Audit:
    return agreement(f"private_linucb.{name}", Agreement(theorem, function, draws), variant)


# --- Algorithm 1 --------------------------------------------------------------------------------------------------------------------------


def _gradient_bound(
    horizon: int, failure: float, sigma: float, injected_sigma: float, parameter_norm: float, clipping_constant: float
) -> float:
    shape = {"parameter_norm": parameter_norm, "failure": failure, "clipping": clipping_constant}
    return constants.gradient_bound(sigma, injected_sigma, horizon=horizon, **shape)


def _learner_bound(
    horizon: int, clipping: float, parameter_norm: float, curvature: float, injected_sigma: float, learner_constant: float = 1.0
) -> float:
    shape = {"parameter_norm": parameter_norm, "constant": learner_constant}
    return constants.learner_bound(clipping, curvature, injected_sigma, horizon=horizon, **shape)


def _path_bound(
    horizon: int,
    failure: float,
    clipping: float,
    parameter_norm: float,
    curvature: float,
    injected_sigma: float,
    path_constant: float = 1.0,
) -> float:
    shape = {"parameter_norm": parameter_norm, "failure": failure, "constant": path_constant}
    return constants.path_bound(clipping, curvature, injected_sigma, horizon=horizon, **shape)


def _strength(clipping: float, parameter_norm: float, curvature: float, injected_sigma: float) -> float:
    return constants.strength(clipping, curvature, injected_sigma, parameter_norm=parameter_norm)


def _extra_width(
    round: int,
    horizon: int,
    failure: float,
    epsilon: float,
    delta: float,
    parameter_norm: float,
    reward_sigma: float,
    injected_sigma: float,
    path: float,
    width_constant: float,
) -> float:
    shape = {"parameter_norm": parameter_norm, "reward_sigma": reward_sigma, "failure": failure, "gamma": width_constant}
    return constants.confidence_terms(epsilon, delta, injected_sigma, horizon=horizon, **shape).squared(round, path)


def _confidence_set(**point: Any) -> float:
    rest = {name: value for name, value in point.items() if name != "learner_regret"}
    return float(point["learner_regret"]) + _extra_width(**rest)


_OF_LEARNER = ("horizon", "clipping", "parameter_norm", "curvature", "injected_sigma")


def _literal_width(learner_constant: float, path_constant: float, **point: Any) -> float:
    """As the policy adds it up: base and slope of K_N, with the learner's bound and the path's."""
    own = {name: point[name] for name in _OF_LEARNER}
    path = _path_bound(**own, failure=point["failure"], path_constant=path_constant)
    rest = {name: value for name, value in point.items() if name not in ("clipping", "curvature")}
    return _learner_bound(**own, learner_constant=learner_constant) + _extra_width(**rest, path=path)


def _inserted(
    horizon: int,
    failure: float,
    epsilon: float,
    delta: float,
    parameter_norm: float,
    reward_sigma: float,
    injected_sigma: float,
    curvature_term: float,
) -> float:
    shape = {"parameter_norm": parameter_norm, "reward_sigma": reward_sigma, "failure": failure}
    return constants.inserted_terms(epsilon, delta, curvature_term, injected_sigma, horizon=horizon, **shape)


ALGORITHM = (
    _of("injection", loss.INJECTED_VARIANCE, lambda curvature, curvature_threshold: constants.injection(curvature, curvature_threshold)),
    _of("gradient_bound", loss.CLIPPING_LENGTH, _gradient_bound),
    _of(
        "mean_curvature",
        loss.STRONG_CONVEXITY_OF,
        lambda curvature, injected_sigma: constants.mean_curvature(curvature, injected_sigma),
    ),
    _of("learner_bound", regret.LEARNER_BOUND, _learner_bound),
    _of("path_bound", _of_constant_one(regret.PATH_ORDER), _path_bound),
    _of("strength", regret.CURVATURE_TERM_OF, _strength),
    _of("confidence_terms", confidence.EXTRA_WIDTH_OF, _extra_width),
    _of("squared_radius", confidence.CONFIDENCE_SET, _confidence_set),
    _of("literal_width", confidence.LITERAL_WIDTH, _literal_width),
    _of("inserted_terms", _of_constant_one(regret.EXTRA_WIDTH_INSERTED), _inserted),
)

# --- restarts and the combiner ------------------------------------------------------------------------------------------------------------


def _radius(own_rounds: int, sigma: float, horizon: int, learners: int, failure: float, radius_constant: float) -> float:
    return constants.combiner_radius(own_rounds, sigma, horizon=horizon, learners=learners, failure=failure, factor=radius_constant)


def _first(field: str, horizon: int, dimension: int, epsilon: float, first_constant: float) -> float:
    found = constants.anytime_putative(epsilon, dimension=dimension, horizon=horizon, factor=first_constant)
    return float(getattr(found, field))


def _other(field: str, horizon: int, dimension: int, epsilon: float, other_constant: float, guess: float = 0.5) -> float:
    found = constants.guessing_putative(epsilon, guess, dimension=dimension, horizon=horizon, factor=other_constant)
    return float(getattr(found, field))


def _target(
    horizon: int,
    failure: float,
    learners: int,
    putative_constant: float,
    rate_exponent: float,
    combiner_rate: float,
    other_rates: float,
) -> float:
    """Of the first of M learners, whose others have equal rates that make up the sum."""
    own = Putatives(putative_constant, rate_exponent, combiner_rate)
    others = (Putatives(1.0, 0.5, (learners - 1) / other_rates),) * (int(learners) - 1)
    return constants.targets((own, *others), horizon=horizon, failure=failure)[0].target


def _grid_target(
    place: int, horizon: int, dimension: int, epsilon: float, failure: float, learners: int, positive_curvature: float = 0.5
) -> float:
    """R of the first learner, or of the second, whose guess is right, with all constants of Theorem 4.1 inserted."""
    shape = {"dimension": dimension, "horizon": horizon}
    first = constants.anytime_putative(epsilon, **shape)
    others = (constants.guessing_putative(epsilon, positive_curvature, **shape),) * (int(learners) - 1)
    return constants.targets((first, *others), horizon=horizon, failure=failure)[place].target


_TARGET = (HORIZON, FAILURE, COUNTED, PUTATIVE_CONSTANT, EXPONENT, COMBINER_RATE, OTHERS)
_GRID = (HORIZON, DIMENSION, EPSILON, FAILURE, COUNTED)
COMBINED = (
    _of("default_threshold", combiner.EPOCH_THRESHOLD, partial(constants.default_threshold, power=0.125)),
    _of("epoch_failure", combiner.EPOCH_FAILURE_OF, constants.epoch_failure),
    _of("base_learners", combiner.LEARNERS_OF, constants.base_learners),
    _of("guess", combiner.GUESS_OF, lambda horizon, learner: constants.guess(int(learner), horizon), draws=(HORIZON, FEW)),
    _of("combiner_radius", combiner.NOISY_RADIUS_OF, _radius, draws=(OWN_ROUNDS, SIGMA, HORIZON, LEARNERS, FAILURE, RADIUS_CONSTANT)),
    _of("anytime_rate", combiner.FIRST_RATE, partial(_first, "rate")),
    _of("anytime_putative", combiner.FIRST_PUTATIVE, partial(_first, "coefficient")),
    _of("guessing_rate", combiner.OTHER_RATE, partial(_other, "rate")),
    _of("guessing_putative", combiner.OTHER_PUTATIVE, partial(_other, "coefficient")),
    _of("shape_constant", combiner.COEFFICIENT_OF, lambda rate_exponent: constants.shape_constant(rate_exponent), draws=(EXPONENT,)),
    _of("targets", combiner.TARGET, _target, draws=_TARGET),
    _of("targets", combiner.FIRST_TARGET, partial(_grid_target, 0), "first", _GRID),
    _of("targets", combiner.OTHER_TARGET, partial(_grid_target, 1), "other", (*_GRID, POSITIVE_CURVATURE)),
)
