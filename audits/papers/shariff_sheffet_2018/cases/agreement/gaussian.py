"""shariff_sheffet_2018: Gaussian noise of the algorithms beside the statements that it transcribes.

The two repairs differ beyond the printed range, and are compared as what they are: the theory goes over to the concentrated bound from
epsilon = 8 ln(4/delta)^2 on, the algorithm to the least noise where that is more than the printed one.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from banditproof.algorithms.mechanisms.gram import gaussian as gaussian_gram
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.policies.lin_ucb import constants as lin_ucb_constants
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.glossary import DELTA, DIMENSION, EPSILON, FAILURE, HORIZON, RHO_MIN, ROW_NORM
from banditproof.theory.evaluate import to_ball
from banditproof.theory.language import OutsideDomain, Sense
from banditproof.theory.papers.shariff_sheffet_2018 import gaussian, privacy


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
        return float(lin_ucb_constants.gaussian(sigma, dimension=dimension, horizon=horizon, failure=failure)._asdict()[field])

    return bound


def _moved_gaussian(field: str) -> Callable[..., float]:
    def bound(rho_min: float, horizon: int, dimension: int, epsilon: float, delta: float, row_norm: float, failure: float) -> float:
        sigma = gaussian_gram.node_sigma(epsilon, delta, horizon=horizon, row_norm=row_norm)
        moved = lin_ucb_constants.moved_gaussian(rho_min, sigma, dimension=dimension, horizon=horizon, failure=failure)
        return float(moved._asdict()[field])

    return bound


def _closed(horizon: int, dimension: int, epsilon: float, delta: float, row_norm: float, failure: float) -> float:
    """The printed closed form does not hold delta."""
    return lin_ucb_constants.gaussian_perturbation_bound(epsilon, dimension=dimension, horizon=horizon, failure=failure, row_norm=row_norm)


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
    agreement("gram.gaussian.node_sigma", Agreement(privacy.GAUSSIAN_CALIBRATION, gaussian_gram.node_sigma, _TREE, printed_sigma)),
    agreement("gram.gaussian.exact_node_sigma", Agreement(privacy.EXACT_CALIBRATION, gaussian_gram.exact_node_sigma)),
    agreement(
        "gram.gaussian.calibrated",
        Agreement(privacy.GAUSSIAN_CALIBRATION, _calibrated(Calibration.PUBLISHED), _TREE, printed_sigma),
        note=", printed",
        short="gram.gaussian.calibrated_printed",
    ),
    agreement(
        "gram.gaussian.calibrated",
        Agreement(privacy.GAUSSIAN_CALIBRATION, _calibrated(Calibration.REPAIRED), _TREE, in_the_printed_range),
        note=", repaired, in the printed range",
        short="gram.gaussian.repaired_in_range",
    ),
    agreement(
        "gram.gaussian.calibrated",
        Agreement(privacy.EXACT_CALIBRATION, _calibrated(Calibration.REPAIRED), sense=Sense.AT_LEAST),
        note=", repaired, never below the least",
        short="gram.gaussian.repaired_at_least",
    ),
    agreement(
        "gram.gaussian.calibrated",
        Agreement(privacy.GAUSSIAN_CALIBRATION, _calibrated(Calibration.EXACT), sense=Sense.AT_MOST),
        note=", exact, never above what is enough",
        short="gram.gaussian.calibrated_exact",
    ),
    agreement("gram.gaussian.upsilon", Agreement(gaussian.UPSILON_OF_NOISE, _upsilon)),
    *(
        agreement("lin_ucb.gaussian", Agreement(theorem, _gaussian(name)), note=f", {name}")
        for name, theorem in (
            ("rho_min", gaussian.GAUSSIAN_RHO_MIN),
            ("rho_max", gaussian.GAUSSIAN_RHO_MAX),
            ("perturbation", gaussian.GAUSSIAN_PERTURBATION),
        )
    ),
    *(
        agreement("lin_ucb.moved_gaussian", Agreement(theorem, _moved_gaussian(name), (RHO_MIN, *_GAUSSIAN), ball), note=f", {name}")
        for name, theorem, ball in (
            ("rho_max", gaussian.GAUSSIAN_RHO_MAX, _moved_largest),
            ("perturbation", gaussian.GAUSSIAN_PERTURBATION, _moved_perturbation),
        )
    ),
    agreement(
        "lin_ucb.gaussian_perturbation_bound",
        Agreement(gaussian.GAUSSIAN_PERTURBATION_CLOSED.as_printed(), _closed),
        short="lin_ucb.perturbation",
    ),
)
