"""shariff_sheffet_2018: the radii of LinUCB's ellipsoids beside the statements that they transcribe."""

from fractions import Fraction
from typing import Any

from banditproof.algorithms.policies.lin_ucb import constants as lin_ucb_constants
from banditproof.algorithms.policies.lin_ucb.constants import Accuracy
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.glossary import DIMENSION, FAILURE, PARAMETER_NORM, PERTURBATION, RHO_MAX, RHO_MIN
from banditproof.theory.papers.shariff_sheffet_2018 import confidence


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
    return lin_ucb_constants.radius(
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
    return lin_ucb_constants.upper_radius(
        round,
        Accuracy(rho_min, rho_max, perturbation),
        dimension=dimension,
        failure=failure,
        parameter_norm=parameter_norm,
        reward_sigma=reward_sigma,
        context_norm=context_norm,
    )


def _base(rho_min: float, dimension: int, failure: float) -> float:
    return lin_ucb_constants.radicand_base(Accuracy(rho_min, rho_min, 0.0), dimension=dimension, failure=failure)


def _base_of_the_theorem(rho_min: float, dimension: int, failure: float) -> Any:
    """The square of the martingale's bound for sigma = 1 and a determinant of 1, which is allowed for rho_min <= 1."""
    known = {"rho_min": rho_min, "dimension": dimension, "failure": failure}
    return confidence.MARTINGALE_NOISE.at(reward_sigma=1, log_determinant=0, **known).ball ** 2


def _tail(rho_max: float, perturbation: float, parameter_norm: float) -> float:
    return lin_ucb_constants.radius_tail(Accuracy(rho_max, rho_max, perturbation), parameter_norm)


def _tail_of_the_theorem(**point: float) -> Any:
    """The radius less the martingale's part, at rho_min = rho_max."""
    low = Fraction(point["rho_max"])
    known: dict[str, Any] = {"reward_sigma": Fraction(1), "log_determinant": Fraction(10**9), "dimension": 1, "failure": Fraction(1, 2)}
    whole = confidence.RADIUS.at(rho_min=low, **known, **point).ball
    return whole - confidence.MARTINGALE_NOISE.at(rho_min=low, **known).ball


RADIUS = (
    agreement("lin_ucb.radius", Agreement(confidence.RADIUS, _radius)),
    agreement("lin_ucb.upper_radius", Agreement(confidence.RADIUS_UPPER, _upper_radius)),
    agreement("lin_ucb.radicand_base", Agreement(confidence.MARTINGALE_NOISE, _base, (RHO_MIN, DIMENSION, FAILURE), _base_of_the_theorem)),
    agreement("lin_ucb.radius_tail", Agreement(confidence.RADIUS, _tail, (RHO_MAX, PERTURBATION, PARAMETER_NORM), _tail_of_the_theorem)),
)
