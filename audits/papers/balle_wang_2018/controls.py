"""Controls of balle_wang_2018: Gaussian noise with one mistake, and its profile without a term."""

import math

import numpy as np

from banditproof.algorithms.mechanisms.gaussian import exact_sigma
from banditproof.audits.common import answers
from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedMechanism, control
from banditproof.guarantees import ApproximateDP, GaussianDP, NeighbouringRelation
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.theory.papers import balle_wang_2018


def _variance_for_deviation(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The calibrated variance passed where the standard deviation is meant."""
    return data + rng.normal(0.0, exact_sigma(2.0, 0.1) ** 2, (runs, 1))


def _largest_change_only(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Three numbers may all move by 1; the noise is for the largest move instead of the Euclidean length of all."""
    return data + rng.normal(0.0, 1.0, (runs, 3))


_ALL_MOVE = Neighbours(
    NeighbouringRelation.QUERY_SENSITIVITY, lengths=(3, 3), sensitivity=math.sqrt(3.0), norm=2, worst=(((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),)
)
VARIANCE_FOR_DEVIATION = control(
    "variance_for_deviation",
    "a variance where a standard deviation is meant",
    "balle_wang_2018.gaussian_calibration",
    PrivacyLoss(
        MutatedMechanism(ApproximateDP(2.0, 0.1, NeighbouringRelation.QUERY_SENSITIVITY), answers.one_apart(), _variance_for_deviation)
    ),
)
WRONG_NORM = control(
    "wrong_norm",
    "sensitivity in the maximum norm where the Euclidean is meant",
    "balle_wang_2018.gaussian_profile",
    PrivacyLoss(MutatedMechanism(GaussianDP(1.0, NeighbouringRelation.QUERY_SENSITIVITY), _ALL_MOVE, _largest_change_only)),
)


def _profile_without_its_second_term(epsilon: float, sigma: float, sensitivity: float) -> float:
    mu = sensitivity / sigma
    return 0.5 * math.erfc((epsilon / mu - mu / 2.0) / math.sqrt(2.0))


SECOND_TERM = control(
    "second_term_forgotten",
    "the profile's first term alone",
    balle_wang_2018.GAUSSIAN_PROFILE,
    Agreement(balle_wang_2018.GAUSSIAN_PROFILE, _profile_without_its_second_term),
)
