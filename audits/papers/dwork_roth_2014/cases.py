"""Audits of dwork_roth_2014: the classic calibration of Gaussian noise. The accountant says how much of the noise is wasted."""

from functools import partial

from banditproof.algorithms.mechanisms import gaussian
from banditproof.algorithms.mechanisms.gaussian import classic
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.frozen_releases import FrozenReleases
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.privacy.accounting import gaussian_epsilon
from banditproof.audits.running.audit import Audit, swept
from banditproof.theory.papers import dwork_roth_2014

_LEVELS = (
    ("dwork_roth_2014.gaussian_classic", 0.5, 0.05),
    ("dwork_roth_2014.gaussian_classic", 0.9, 0.01),
    ("dwork_roth_2014.gaussian_classic_delta", 0.7, 0.02),
)

RELEASES = tuple(
    Audit(
        theorem,
        f"privacy.{swept(eps=epsilon, delta=delta)}",
        f"gaussian.classic({epsilon}, {delta})",
        PrivacyLoss(mechanism, exact=partial(gaussian_epsilon, 1.0 / mechanism.sigma, delta)),
    )
    for theorem, epsilon, delta in _LEVELS
    for mechanism in (classic(epsilon, delta),)
)
FROZEN = tuple(
    Audit(
        theorem, f"frozen.{swept(eps=epsilon, delta=delta)}", f"gaussian.classic({epsilon}, {delta}), replayed", FrozenReleases(mechanism)
    )
    for theorem, epsilon, delta in _LEVELS
    for mechanism in (classic(epsilon, delta),)
)
AGREEMENT = (
    agreement("gaussian.classic_sigma", Agreement(dwork_roth_2014.GAUSSIAN_CLASSIC, gaussian.classic_sigma)),
    agreement("gaussian.classic_sigma", Agreement(dwork_roth_2014.GAUSSIAN_CLASSIC_DELTA, gaussian.classic_sigma, inverse="sigma")),
)
