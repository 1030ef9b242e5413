"""Audits of dwork_roth_2014: the classic calibration of Gaussian noise. The accountant says how much of the noise is wasted."""

import math
from collections.abc import Iterator
from functools import partial

from banditproof.algorithms.mechanisms import gaussian
from banditproof.algorithms.mechanisms.gaussian import classic
from banditproof.audits.common.beside import unbroken
from banditproof.audits.common.releases import answers, equal, guaranteed, refusals, replayed
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.frozen_releases import FrozenReleases
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.privacy.accounting import gaussian_epsilon
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import ApproximateDP, NeighbouringRelation
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


def releases_replayed() -> Iterator[At]:
    """The noise of the classic calibration is 2 ln(1.25 / delta) times (sensitivity / epsilon)^2 in variance, and epsilon is below 1."""
    for epsilon, delta, sensitivity, width in ((0.5, 0.05, 1.0, 1), (0.99, 1e-6, 2.5, 3), (0.01, 0.3, 0.4, 2)):
        made = classic(epsilon, delta, sensitivity=sensitivity, width=width)
        sigma = math.sqrt(2.0) * math.sqrt(math.log(1.25) - math.log(delta)) * sensitivity / epsilon
        where = {"epsilon": epsilon, "delta": delta, "sensitivity": sensitivity, "width": width}
        yield equal(where, (made.sigma, made.sensitivity, made.width), (sigma, sensitivity, width))
        yield guaranteed(made, ApproximateDP(epsilon, delta, NeighbouringRelation.QUERY_SENSITIVITY))
        yield equal({**where, "compared": "sensitivity 1"}, gaussian.classic_sigma(epsilon, delta), sigma / sensitivity)
        yield from replayed(made, answers(width), lambda rng, runs, s=sigma, w=width: answers(w) + s * rng.normal(size=(runs, w)))  # type: ignore[misc]
    yield from refusals({f"epsilon {each}": partial(classic, each, 0.1) for each in (0.0, -1.0, 1.0, 2.0, math.nan)})


SHIPPED = (
    Audit(
        "dwork_roth_2014.gaussian_classic",
        "points.releases_replayed",
        "gaussian.classic, releases, claims, what it refuses",
        Pointwise(unbroken(releases_replayed), "3 settings", "distance"),
    ),
)
AGREEMENT = (
    agreement("gaussian.classic_sigma", Agreement(dwork_roth_2014.GAUSSIAN_CLASSIC, gaussian.classic_sigma)),
    agreement("gaussian.classic_sigma", Agreement(dwork_roth_2014.GAUSSIAN_CLASSIC_DELTA, gaussian.classic_sigma, inverse="sigma")),
)
