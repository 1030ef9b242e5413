"""Controls of dwork_roth_2014: the classic calibration of Gaussian noise outside its range, and with another constant."""

import math

import numpy as np

from banditproof.audits.common import answers
from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedMechanism, control
from banditproof.guarantees import ApproximateDP, NeighbouringRelation
from banditproof.interaction import Floats
from banditproof.theory.papers import dwork_roth_2014


def _classic_at_six(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """sqrt(2 ln(1.25 / delta)) / epsilon at epsilon 6 and delta 0.3, where the theorem asks for epsilon < 1; delta is 0.43 in truth."""
    return data + rng.normal(0.0, math.sqrt(2.0 * math.log(1.25 / 0.3)) / 6.0, (runs, 1))


CLASSIC_OUTSIDE = control(
    "classic_outside_its_range",
    "classic Gaussian calibration at epsilon 6",
    "dwork_roth_2014.gaussian_classic",
    PrivacyLoss(
        MutatedMechanism(ApproximateDP(6.0, 0.3, NeighbouringRelation.QUERY_SENSITIVITY), answers.one_apart(), _classic_at_six), 1_000_000
    ),
)
CLASSIC_DELTA_OUTSIDE = control(
    "classic_delta_outside_its_range",
    "delta of the classic calibration read off at epsilon 6",
    "dwork_roth_2014.gaussian_classic_delta",
    PrivacyLoss(
        MutatedMechanism(ApproximateDP(6.0, 0.3, NeighbouringRelation.QUERY_SENSITIVITY), answers.one_apart(), _classic_at_six), 1_000_000
    ),
    "delta_outside_its_range",
)


def _another_constant(epsilon: float, delta: float, sensitivity: float) -> float:
    return math.sqrt(2.0 * math.log(1.2501 / delta)) * sensitivity / epsilon


def _sigma_without_its_root(delta: float, epsilon: float, sensitivity: float) -> float:
    return 2.0 * math.log(1.25 / delta) * sensitivity / epsilon


ANOTHER_CONSTANT = control(
    "another_constant", "1.2501 for 1.25", dwork_roth_2014.GAUSSIAN_CLASSIC, Agreement(dwork_roth_2014.GAUSSIAN_CLASSIC, _another_constant)
)
NO_ROOT = control(
    "no_root",
    "a root forgotten",
    dwork_roth_2014.GAUSSIAN_CLASSIC_DELTA,
    Agreement(dwork_roth_2014.GAUSSIAN_CLASSIC_DELTA, _sigma_without_its_root, inverse="sigma"),
)
