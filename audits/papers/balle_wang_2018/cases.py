"""Audits of balle_wang_2018: the exact profile of Gaussian noise, and the calibration that uses it.

The profile is equivalent to Gaussian privacy of level sensitivity / sigma, so mu is audited for it; the calibration at its own level.
"""

from typing import Any

from banditproof.algorithms.mechanisms import gaussian
from banditproof.algorithms.mechanisms.gaussian import Gaussian, exact
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.frozen_releases import FrozenReleases
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, swept
from banditproof.theory.papers import balle_wang_2018

PROFILE = tuple(
    Audit(
        "balle_wang_2018.gaussian_profile",
        f"privacy.{swept(sigma=sigma, sensitivity=sensitivity, w=width)}",
        f"Gaussian(sigma={sigma}, sensitivity={sensitivity}, width={width})",
        PrivacyLoss(Gaussian(sigma, sensitivity, width), exact=sensitivity / sigma),
    )
    for sigma, sensitivity, width in ((1.0, 1.0, 1), (0.5, 1.0, 1), (4.0, 2.0, 3))
)
CALIBRATION = tuple(
    Audit(
        "balle_wang_2018.gaussian_calibration",
        f"privacy.{swept(eps=epsilon, delta=delta)}",
        f"gaussian.exact({epsilon}, {delta})",
        PrivacyLoss(exact(epsilon, delta), exact=epsilon),
    )
    for epsilon, delta in ((1.0, 0.05), (0.5, 0.1), (3.0, 0.02))
)
FROZEN = (
    Audit(
        "balle_wang_2018.gaussian_profile",
        "frozen.sigma4_sensitivity2_w3",
        "Gaussian(sigma=4.0, sensitivity=2.0, width=3), replayed",
        FrozenReleases(Gaussian(4.0, 2.0, 3)),
    ),
    Audit(
        "balle_wang_2018.gaussian_calibration",
        "frozen.eps0.5_delta0.1",
        "gaussian.exact(0.5, 0.1), replayed",
        FrozenReleases(exact(0.5, 0.1)),
    ),
)


def _profile(epsilon: float, sigma: float, sensitivity: float) -> float:
    return gaussian.profile(epsilon, sensitivity / sigma)


def _log_profile(epsilon: float, sigma: float, sensitivity: float) -> float:
    return gaussian.log_profile(epsilon, sensitivity / sigma)


def _log_of_the_theorem(**point: float) -> Any:
    return balle_wang_2018.GAUSSIAN_PROFILE.at(**point).ball.log()


AGREEMENT = (
    agreement("gaussian.profile", Agreement(balle_wang_2018.GAUSSIAN_PROFILE, _profile)),
    agreement(
        "gaussian.log_profile", Agreement(balle_wang_2018.GAUSSIAN_PROFILE, _log_profile, theory=_log_of_the_theorem, least_size=1.0)
    ),
    agreement("gaussian.exact_sigma", Agreement(balle_wang_2018.GAUSSIAN_CALIBRATION, gaussian.exact_sigma, points=20)),
)
