"""shariff_sheffet_2018: Wishart noise of the algorithms beside the statements that it transcribes.

The two repairs differ beyond the printed range, and are compared as what they are: the theory stops at epsilon = 1, the algorithm where the
node's budget no longer adds up, which is later.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypedDict

from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram import wishart as wishart_gram
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.policies.lin_ucb import constants as lin_ucb_constants
from banditproof.algorithms.policies.lin_ucb.constants import Accuracy
from banditproof.audits.methods.agreement import Agreement, Point, agreement, side_of
from banditproof.glossary import DELTA, DIMENSION, EPSILON, FAILURE, HORIZON, PERTURBATION, ROW_NORM
from banditproof.glossary.shariff_sheffet_2018 import WISHART_DEGREES
from banditproof.theory.evaluate import to_ball
from banditproof.theory.language import OutsideDomain, Sense, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import privacy, wishart

Ball = Callable[..., Any]


def next_integer(**point: float) -> Any:
    """The statement, rounded up: degrees of freedom."""
    return privacy.WISHART_CALIBRATION.at(**point).ball.ceil()


def printed_degrees(horizon: int, dimension: int, epsilon: float, delta: float) -> Any:
    """The printed k at every epsilon, from the statement at epsilon = 1, where it is printed too: k - d - 1 falls like 1/epsilon^2."""
    least = dimension + 1
    above = privacy.WISHART_CALIBRATION.at(horizon=horizon, dimension=dimension, epsilon=1, delta=delta).ball - least
    return (above / to_ball(Fraction(epsilon)) ** 2).ceil() + least  # not of the sum: its rounding hides a small share in many dimensions


def _degrees(calibration: Calibration) -> Callable[..., float]:
    def degrees(horizon: int, dimension: int, epsilon: float, delta: float) -> float:
        return float(wishart_gram.calibrated(calibration, epsilon, delta, dimension=dimension, horizon=horizon))

    return degrees


def _up_to_one(horizon: int, dimension: int, epsilon: float, delta: float) -> Any:
    if epsilon > 1.0:
        raise OutsideDomain(f"epsilon = {epsilon}: must be <= 1 here")
    return next_integer(horizon=horizon, dimension=dimension, epsilon=epsilon, delta=delta)


_AT_ONE = {"row_norm": 1}


def noise_deviation_of(factor: int) -> Callable[..., float]:
    def noise_deviation(horizon: int, dimension: int, failure: float, **rest: float) -> float:
        return wishart_gram.noise_deviation(float(factor), dimension=dimension, horizon=horizon, failure=failure)

    return noise_deviation


def _ends(point: Point) -> tuple[Any, Any]:
    """(s - a_8)^2 and (s + a_8)^2: both bounds for rows of length 1, where s > a_8."""
    low, high = (theorem.at(**point, **_AT_ONE).ball for theorem in (wishart.WISHART_RHO_MIN, wishart.WISHART_RHO_MAX))
    if not low > 0:
        raise OutsideDomain("wishart_degrees: must be enough for s > a_8 here")
    return low, high


def _s(**point: float) -> Any:
    low, high = _ends(point)
    return (low.sqrt() + high.sqrt()) / 2


def _a_8(**point: float) -> Any:
    low, high = _ends(point)
    found = (high - low) / (2 * (low.sqrt() + high.sqrt()))  # of the roots' difference few digits would be left
    if found.rel_accuracy_bits() < 44:
        raise OutsideDomain("wishart_degrees: must be so few that both bounds differ in their first 30 digits")
    return found


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
    return lin_ucb_constants.moved_wishart(lin_ucb_constants.shifted_wishart(degrees, **known).rho_min, degrees, **known)


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
    agreement(
        "gram.wishart.wishart_degrees", Agreement(privacy.WISHART_CALIBRATION, wishart_gram.wishart_degrees, _CALIBRATED, printed_degrees)
    ),
    agreement(
        "gram.wishart.calibrated",
        Agreement(privacy.WISHART_CALIBRATION, _degrees(Calibration.REPAIRED), _CALIBRATED, _up_to_one),
        note=", repaired, up to epsilon 1",
        short="gram.wishart.repaired_to_eps1",
    ),
    agreement(
        "gram.wishart.calibrated",
        Agreement(
            privacy.WISHART_CALIBRATION,
            _degrees(Calibration.REPAIRED),
            _CALIBRATED,
            next_integer,
            sense=Sense.AT_MOST,
        ),
        note=", repaired, at most what is enough",
        short="gram.wishart.repaired_at_most",
    ),
    agreement("gram.wishart.shift", Agreement(wishart.SHIFT_OF_WISHART, _shift)),
    agreement(
        "gram.wishart.spread",
        Agreement(
            wishart.WISHART_PERTURBATION,
            noise_deviation_of(2),
            _UNIT,
            lambda **point: wishart.WISHART_PERTURBATION.at(**point, **_AT_ONE).ball,
        ),
        note=", 2",
        short="gram.wishart.spread_a2",
    ),
    agreement(
        "gram.wishart.spread",
        Agreement(wishart.WISHART_RHO_MIN, noise_deviation_of(8), _UNIT, _a_8),
        note=", 8",
        short="gram.wishart.spread_a8",
    ),
    agreement("gram.wishart.root_degrees", Agreement(wishart.WISHART_RHO_MIN, _root, _UNIT, _s)),
    *(
        agreement(f"lin_ucb.{function.__name__}", Agreement(theorem, _wishart(function, name), _DEGREES, enough(theorem)), note=f", {name}")
        for function, name, theorem in (
            (lin_ucb_constants.unshifted_wishart, "rho_min", wishart.WISHART_RHO_MIN),
            (lin_ucb_constants.unshifted_wishart, "rho_max", wishart.WISHART_RHO_MAX),
            (lin_ucb_constants.unshifted_wishart, "perturbation", wishart.WISHART_PERTURBATION),
            (lin_ucb_constants.shifted_wishart, "rho_min", wishart.SHIFTED_RHO_MIN),
            (lin_ucb_constants.shifted_wishart, "rho_max", wishart.SHIFTED_RHO_MAX),
            (lin_ucb_constants.shifted_wishart, "perturbation", wishart.SHIFTED_PERTURBATION),
        )
    ),
    agreement(
        "lin_ucb.moved_wishart",
        Agreement(wishart.SHIFTED_RHO_MAX, _wishart(_moved_wishart, "rho_max"), _DEGREES, enough(wishart.SHIFTED_RHO_MAX)),
        note=", rho_max, at the paper's shift",
    ),
    agreement(
        "lin_ucb.moved_wishart",
        Agreement(wishart.SHIFTED_PERTURBATION, _wishart(_moved_wishart, "perturbation"), _DEGREES, _by_claim_20),
        note=", perturbation, at the paper's shift",
    ),
)
