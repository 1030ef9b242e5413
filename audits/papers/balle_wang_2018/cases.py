"""Audits of balle_wang_2018: the exact profile of Gaussian noise, and the calibration that uses it.

The profile is equivalent to Gaussian privacy of level sensitivity / sigma, so mu is audited for it; the calibration at its own level.
"""

from banditproof.algorithms.mechanisms.gaussian import Gaussian, exact
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, swept

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
