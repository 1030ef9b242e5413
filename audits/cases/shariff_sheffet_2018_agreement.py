"""shariff_sheffet_2018: every public parameter function of the algorithms beside the statement that it transcribes.

The two repairs differ beyond the printed range, and are compared as what they are. Gaussian noise: the theory goes over to the concentrated
bound from epsilon = 8 ln(4/delta)^2 on, the algorithm to the least noise where that is more than the printed one. Wishart noise: the theory
stops at epsilon = 1, the algorithm where the node's budget no longer adds up, which is later.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypedDict

from banditproof.algorithms.mechanisms.gram import gaussian as gaussian_gram
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram import wishart as wishart_gram
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.policies.lin_ucb import constants as lin_ucb_law
from banditproof.algorithms.policies.lin_ucb.constants import Accuracy
from banditproof.audits.methods.agreement import Agreement, Point, side_of
from banditproof.audits.registry import Audit
from banditproof.glossary import (
    DELTA,
    DIMENSION,
    EPSILON,
    FAILURE,
    HORIZON,
    NODES,
    PARAMETER_NORM,
    PERTURBATION,
    RHO_MAX,
    RHO_MIN,
    ROW_NORM,
    WISHART_DEGREES,
    Domain,
)
from banditproof.theory.evaluate import to_ball
from banditproof.theory.language import OutsideDomain, Sense, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, gaussian, privacy, wishart

Ball = Callable[..., Any]


def _audit(function: str, method: Agreement) -> Audit:
    return Audit(method.theorem.id, f"agreement of {function}", method)


# --- the tree ---------------------------------------------------------------------------------------------------------------------------

_FEW_NODES = replace(NODES, domain=Domain(1, 60, low_open=False, high_open=False, integer=True))
_NODE_EPSILON = side_of(privacy.WISHART_CALIBRATION, "level_of_a_node", EPSILON)
_NODE_DELTA = side_of(privacy.WISHART_CALIBRATION, "delta_of_a_node", DELTA)


def _at_a_horizon(point: Point) -> Point:
    """At the largest horizon with this many nodes."""
    return {**{name: value for name, value in point.items() if name != "nodes"}, "horizon": 2 ** (int(point["nodes"]) - 1)}


TREE = (
    _audit("gram_noise.nodes", Agreement(privacy.NODES_CHANGED, gram_noise.nodes)),
    _audit("gram_noise.released_nodes", Agreement(privacy.NODES_RELEASED, gram_noise.released_nodes)),
    _audit(
        "wishart_gram.node_epsilon",
        Agreement(_NODE_EPSILON, wishart_gram.node_epsilon, (EPSILON, DELTA, _FEW_NODES), arguments=_at_a_horizon),
    ),
    _audit("wishart_gram.node_delta", Agreement(_NODE_DELTA, wishart_gram.node_delta, (DELTA, _FEW_NODES), arguments=_at_a_horizon)),
)

# --- Gaussian noise ---------------------------------------------------------------------------------------------------------------------


def _calibrated(calibration: Calibration) -> Callable[..., float]:
    def sigma(horizon: int, epsilon: float, delta: float, row_norm: float) -> float:
        return gaussian_gram.calibrated(calibration, epsilon, delta, horizon=horizon, row_norm=row_norm)

    return sigma


def in_the_printed_range(horizon: int, epsilon: float, delta: float, row_norm: float) -> Any:
    """The statement up to epsilon = 8 log(4/delta)^2, which both sides take for the printed noise."""
    if epsilon > 8.0 * math.log(4.0 / delta) ** 2:
        raise OutsideDomain(f"epsilon = {epsilon}: must be <= 8 log(4/delta)^2 here")
    return privacy.GAUSSIAN_CALIBRATION.at(horizon=horizon, epsilon=epsilon, delta=delta, row_norm=row_norm).ball


def printed_sigma(horizon: int, epsilon: float, delta: float, row_norm: float) -> Any:
    """The printed noise at every epsilon, from the statement at epsilon = 1, where it is printed too: it falls like 1/epsilon."""
    return privacy.GAUSSIAN_CALIBRATION.at(horizon=horizon, epsilon=1, delta=delta, row_norm=row_norm).ball / to_ball(Fraction(epsilon))


def _upsilon(horizon: int, dimension: int, epsilon: float, delta: float, row_norm: float, failure: float) -> float:
    sigma = gaussian_gram.node_sigma(epsilon, delta, horizon=horizon, row_norm=row_norm)
    return gaussian_gram.upsilon(sigma, dimension=dimension, horizon=horizon, failure=failure)


def _gaussian(field: str) -> Callable[..., float]:
    """One of rho_min, rho_max and gamma of the policy, at the printed noise."""

    def bound(horizon: int, dimension: int, epsilon: float, delta: float, row_norm: float, failure: float) -> float:
        sigma = gaussian_gram.node_sigma(epsilon, delta, horizon=horizon, row_norm=row_norm)
        return float(lin_ucb_law.gaussian(sigma, dimension=dimension, horizon=horizon, failure=failure)._asdict()[field])

    return bound


def _moved_gaussian(field: str) -> Callable[..., float]:
    def bound(rho_min: float, horizon: int, dimension: int, epsilon: float, delta: float, row_norm: float, failure: float) -> float:
        sigma = gaussian_gram.node_sigma(epsilon, delta, horizon=horizon, row_norm=row_norm)
        moved = lin_ucb_law.moved_gaussian(rho_min, sigma, dimension=dimension, horizon=horizon, failure=failure)
        return float(moved._asdict()[field])

    return bound


def _closed(horizon: int, dimension: int, epsilon: float, delta: float, row_norm: float, failure: float) -> float:
    """The printed closed form does not hold delta."""
    return lin_ucb_law.gaussian_perturbation_bound(epsilon, dimension=dimension, horizon=horizon, failure=failure, row_norm=row_norm)


def _moved_largest(rho_min: float, **point: float) -> Any:
    """rho_max moves with rho_min: both bounds lie 2 Upsilon apart."""
    return to_ball(Fraction(rho_min)) + gaussian.GAUSSIAN_RHO_MAX.at(**point).ball - gaussian.GAUSSIAN_RHO_MIN.at(**point).ball


def _moved_perturbation(rho_min: float, **point: float) -> Any:
    """|h| over the root of the smallest eigenvalue."""
    ratio = gaussian.GAUSSIAN_RHO_MIN.at(**point).ball / to_ball(Fraction(rho_min))
    return gaussian.GAUSSIAN_PERTURBATION.at(**point).ball * ratio.sqrt()


_TREE = (HORIZON, EPSILON, DELTA, ROW_NORM)
_GAUSSIAN = (HORIZON, DIMENSION, EPSILON, DELTA, ROW_NORM, FAILURE)
GAUSSIAN = (
    _audit("gaussian_gram.node_sigma", Agreement(privacy.GAUSSIAN_CALIBRATION, gaussian_gram.node_sigma, _TREE, printed_sigma)),
    _audit("gaussian_gram.exact_node_sigma", Agreement(privacy.EXACT_CALIBRATION, gaussian_gram.exact_node_sigma, points=20)),
    _audit(
        "gaussian_gram.calibrated, printed", Agreement(privacy.GAUSSIAN_CALIBRATION, _calibrated(Calibration.PRINTED), _TREE, printed_sigma)
    ),
    _audit(
        "gaussian_gram.calibrated, repaired, in the printed range",
        Agreement(privacy.GAUSSIAN_CALIBRATION, _calibrated(Calibration.REPAIRED), _TREE, in_the_printed_range),
    ),
    _audit(
        "gaussian_gram.calibrated, repaired, never below the least",
        Agreement(privacy.EXACT_CALIBRATION, _calibrated(Calibration.REPAIRED), sense=Sense.AT_LEAST, points=20),
    ),
    _audit(
        "gaussian_gram.calibrated, exact, never above what is enough",
        Agreement(privacy.GAUSSIAN_CALIBRATION, _calibrated(Calibration.EXACT), sense=Sense.AT_MOST),
    ),
    _audit("gaussian_gram.upsilon", Agreement(gaussian.UPSILON_OF_NOISE, _upsilon)),
    *(
        _audit(f"lin_ucb_law.gaussian, {name}", Agreement(theorem, _gaussian(name)))
        for name, theorem in (
            ("rho_min", gaussian.GAUSSIAN_RHO_MIN),
            ("rho_max", gaussian.GAUSSIAN_RHO_MAX),
            ("perturbation", gaussian.GAUSSIAN_PERTURBATION),
        )
    ),
    *(
        _audit(f"lin_ucb_law.moved_gaussian, {name}", Agreement(theorem, _moved_gaussian(name), (RHO_MIN, *_GAUSSIAN), ball))
        for name, theorem, ball in (
            ("rho_max", gaussian.GAUSSIAN_RHO_MAX, _moved_largest),
            ("perturbation", gaussian.GAUSSIAN_PERTURBATION, _moved_perturbation),
        )
    ),
    _audit(
        "lin_ucb_law.gaussian_perturbation_bound",
        Agreement(gaussian.GAUSSIAN_PERTURBATION_CLOSED.as_printed(), _closed),
    ),
)

# --- Wishart noise ----------------------------------------------------------------------------------------------------------------------


def next_integer(**point: float) -> Any:
    """The statement, rounded up: degrees of freedom."""
    return privacy.WISHART_CALIBRATION.at(**point).ball.ceil()


def printed_degrees(horizon: int, dimension: int, epsilon: float, delta: float) -> Any:
    """The printed k at every epsilon, from the statement at epsilon = 1, where it is printed too: k - d - 1 falls like 1/epsilon^2."""
    least = dimension + 1
    above = privacy.WISHART_CALIBRATION.at(horizon=horizon, dimension=dimension, epsilon=1, delta=delta).ball - least
    return (above / to_ball(Fraction(epsilon)) ** 2 + least).ceil()


def _degrees(calibration: Calibration) -> Callable[..., float]:
    def degrees(horizon: int, dimension: int, epsilon: float, delta: float) -> float:
        return float(wishart_gram.calibrated(calibration, epsilon, delta, dimension=dimension, horizon=horizon))

    return degrees


def _up_to_one(horizon: int, dimension: int, epsilon: float, delta: float) -> Any:
    if epsilon > 1.0:
        raise OutsideDomain(f"epsilon = {epsilon}: must be <= 1 here")
    return next_integer(horizon=horizon, dimension=dimension, epsilon=epsilon, delta=delta)


_AT_ONE = {"row_norm": 1}


def spread_of(factor: int) -> Callable[..., float]:
    def spread(horizon: int, dimension: int, failure: float, **rest: float) -> float:
        return wishart_gram.spread(float(factor), dimension=dimension, horizon=horizon, failure=failure)

    return spread


def _ends(point: Point) -> tuple[Any, Any]:
    """|s - a_8| and s + a_8: the roots of both bounds for rows of length 1, where s > a_8."""
    low, high = (theorem.at(**point, **_AT_ONE).ball.sqrt() for theorem in (wishart.WISHART_RHO_MIN, wishart.WISHART_RHO_MAX))
    if not low > 0:
        raise OutsideDomain("wishart_degrees: must be enough for s > a_8 here")
    return low, high


def _half_sum(**point: float) -> Any:
    low, high = _ends(point)
    return (low + high) / 2


def _half_difference(**point: float) -> Any:
    low, high = _ends(point)
    return (high - low) / 2


def _root(horizon: int, wishart_degrees: int, **rest: float) -> float:
    return wishart_gram.root_degrees(wishart_degrees, horizon=horizon)


class _Known(TypedDict):
    dimension: int
    horizon: int
    failure: float
    row_norm: float


def _wishart(accuracy: Callable[..., Accuracy], field: str) -> Callable[..., float]:
    """One of rho_min, rho_max and gamma."""

    def bound(horizon: int, dimension: int, wishart_degrees: int, row_norm: float, failure: float) -> float:
        found = accuracy(wishart_degrees, dimension=dimension, horizon=horizon, failure=failure, row_norm=row_norm)
        return float(found._asdict()[field])

    return bound


def _shift(horizon: int, dimension: int, wishart_degrees: int, row_norm: float, failure: float) -> float:
    return wishart_gram.shift(wishart_degrees, dimension=dimension, horizon=horizon, failure=failure, row_norm=row_norm)


def enough(theorem: Theorem) -> Ball:
    """The statement where s > a_8, as Claim 19 asks and the algorithm insists."""

    def ball(**point: float) -> Any:
        _ends({name: value for name, value in point.items() if name != "row_norm"})
        return theorem.at(**point).ball

    return ball


def _moved_wishart(degrees: int, *, dimension: int, horizon: int, failure: float, row_norm: float) -> Accuracy:
    """At the shift of the paper: rho_min' is then the printed one."""
    known: _Known = {"dimension": dimension, "horizon": horizon, "failure": failure, "row_norm": row_norm}
    return lin_ucb_law.moved_wishart(lin_ucb_law.shifted_wishart(degrees, **known).rho_min, degrees, **known)


_CLAIM_20 = side_of(wishart.SHIFTED_PERTURBATION, "chain_as_printed", PERTURBATION)


def _by_claim_20(row_norm: float, horizon: int, wishart_degrees: int, **point: float) -> Any:
    """gamma sqrt(rho_min/rho_min'), where the shift takes something off; the line has m k for k."""
    known = {"horizon": horizon, "wishart_degrees": wishart_degrees, **point}
    _ends(known)
    if not wishart.SHIFT_OF_WISHART.at(**known, **_AT_ONE).ball >= 0:
        raise OutsideDomain("wishart_degrees: must be enough for a shift c >= 0 here")
    degrees = gram_noise.nodes(horizon) * wishart_degrees
    return to_ball(Fraction(row_norm)) * _CLAIM_20.at(**{**known, "wishart_degrees": degrees}).ball


_CALIBRATED = (HORIZON, DIMENSION, EPSILON, DELTA)
_DEGREES = (HORIZON, DIMENSION, WISHART_DEGREES, ROW_NORM, FAILURE)
_UNIT = (HORIZON, DIMENSION, WISHART_DEGREES, FAILURE)
WISHART = (
    _audit(
        "wishart_gram.wishart_degrees",
        Agreement(privacy.WISHART_CALIBRATION, wishart_gram.wishart_degrees, _CALIBRATED, printed_degrees),
    ),
    _audit(
        "wishart_gram.calibrated, repaired, up to epsilon 1",
        Agreement(privacy.WISHART_CALIBRATION, _degrees(Calibration.REPAIRED), _CALIBRATED, _up_to_one),
    ),
    _audit(
        "wishart_gram.calibrated, repaired, at most what is enough",
        Agreement(
            privacy.WISHART_CALIBRATION,
            _degrees(Calibration.REPAIRED),
            _CALIBRATED,
            next_integer,
            sense=Sense.AT_MOST,
        ),
    ),
    _audit("wishart_gram.shift", Agreement(wishart.SHIFT_OF_WISHART, _shift)),
    _audit(
        "wishart_gram.spread, 2",
        Agreement(
            wishart.WISHART_PERTURBATION,
            spread_of(2),
            _UNIT,
            lambda **point: wishart.WISHART_PERTURBATION.at(**point, **_AT_ONE).ball,
        ),
    ),
    _audit("wishart_gram.spread, 8", Agreement(wishart.WISHART_RHO_MIN, spread_of(8), _UNIT, _half_difference)),
    _audit("wishart_gram.root_degrees", Agreement(wishart.WISHART_RHO_MIN, _root, _UNIT, _half_sum)),
    *(
        _audit(
            f"lin_ucb_law.{function.__name__}, {name}",
            Agreement(theorem, _wishart(function, name), _DEGREES, enough(theorem)),
        )
        for function, name, theorem in (
            (lin_ucb_law.unshifted_wishart, "rho_min", wishart.WISHART_RHO_MIN),
            (lin_ucb_law.unshifted_wishart, "rho_max", wishart.WISHART_RHO_MAX),
            (lin_ucb_law.unshifted_wishart, "perturbation", wishart.WISHART_PERTURBATION),
            (lin_ucb_law.shifted_wishart, "rho_min", wishart.SHIFTED_RHO_MIN),
            (lin_ucb_law.shifted_wishart, "rho_max", wishart.SHIFTED_RHO_MAX),
            (lin_ucb_law.shifted_wishart, "perturbation", wishart.SHIFTED_PERTURBATION),
        )
    ),
    _audit(
        "lin_ucb_law.moved_wishart, rho_max, at the paper's shift",
        Agreement(wishart.SHIFTED_RHO_MAX, _wishart(_moved_wishart, "rho_max"), _DEGREES, enough(wishart.SHIFTED_RHO_MAX)),
    ),
    _audit(
        "lin_ucb_law.moved_wishart, perturbation, at the paper's shift",
        Agreement(wishart.SHIFTED_PERTURBATION, _wishart(_moved_wishart, "perturbation"), _DEGREES, _by_claim_20),
    ),
)

# --- the radius -------------------------------------------------------------------------------------------------------------------------


def _radius(
    rho_min: float,
    rho_max: float,
    perturbation: float,
    log_determinant: float,
    dimension: int,
    failure: float,
    parameter_norm: float,
    reward_sigma: float,
) -> float:
    accuracy = Accuracy(rho_min, rho_max, perturbation)
    return lin_ucb_law.radius(
        log_determinant, accuracy, dimension=dimension, failure=failure, parameter_norm=parameter_norm, reward_sigma=reward_sigma
    )


def _upper_radius(
    rho_min: float,
    rho_max: float,
    perturbation: float,
    round: int,
    dimension: int,
    failure: float,
    parameter_norm: float,
    reward_sigma: float,
    context_norm: float,
) -> float:
    return lin_ucb_law.upper_radius(
        round,
        Accuracy(rho_min, rho_max, perturbation),
        dimension=dimension,
        failure=failure,
        parameter_norm=parameter_norm,
        reward_sigma=reward_sigma,
        context_norm=context_norm,
    )


def _base(rho_min: float, dimension: int, failure: float) -> float:
    return lin_ucb_law.radicand_base(Accuracy(rho_min, rho_min, 0.0), dimension=dimension, failure=failure)


def _base_of_the_theorem(rho_min: float, dimension: int, failure: float) -> Any:
    """The square of the martingale's bound for sigma = 1 and a determinant of 1, which is allowed for rho_min <= 1."""
    known = {"rho_min": rho_min, "dimension": dimension, "failure": failure}
    return confidence.MARTINGALE_NOISE.at(reward_sigma=1, log_determinant=0, **known).ball ** 2


def _tail(rho_max: float, perturbation: float, parameter_norm: float) -> float:
    return lin_ucb_law.radius_tail(Accuracy(rho_max, rho_max, perturbation), parameter_norm)


def _tail_of_the_theorem(**point: float) -> Any:
    """The radius less the martingale's part, at rho_min = rho_max."""
    low = Fraction(point["rho_max"])
    known: dict[str, Any] = {"reward_sigma": Fraction(1), "log_determinant": Fraction(10**9), "dimension": 1, "failure": Fraction(1, 2)}
    whole = confidence.RADIUS.at(rho_min=low, **known, **point).ball
    return whole - confidence.MARTINGALE_NOISE.at(rho_min=low, **known).ball


RADIUS = (
    _audit("lin_ucb_law.radius", Agreement(confidence.RADIUS, _radius)),
    _audit("lin_ucb_law.upper_radius", Agreement(confidence.RADIUS_UPPER, _upper_radius)),
    _audit(
        "lin_ucb_law.radicand_base",
        Agreement(confidence.MARTINGALE_NOISE, _base, (RHO_MIN, DIMENSION, FAILURE), _base_of_the_theorem),
    ),
    _audit(
        "lin_ucb_law.radius_tail",
        Agreement(confidence.RADIUS, _tail, (RHO_MAX, PERTURBATION, PARAMETER_NORM), _tail_of_the_theorem),
    ),
)
