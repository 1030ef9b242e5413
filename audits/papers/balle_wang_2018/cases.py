"""Audits of balle_wang_2018: the exact profile of Gaussian noise, and the calibration that uses it.

The profile is equivalent to Gaussian privacy of level sensitivity / sigma, so mu is audited for it; the calibration at its own level.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms import gaussian
from banditproof.algorithms.mechanisms.gaussian import Gaussian, exact
from banditproof.audits.common.beside import beside
from banditproof.audits.common.releases import answers, described, distance, equal, guaranteed, one_moved, refusals, replayed
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.frozen_releases import FrozenReleases
from banditproof.audits.methods.pointwise import At
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import ApproximateDP, GaussianDP, NeighbouringRelation
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
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


_QUERY = NeighbouringRelation.QUERY_SENSITIVITY


def releases_replayed() -> Iterator[At]:
    """Releases are the answer and independent normal noise; neighbours lie within the sensitivity in L2."""
    for sigma, sensitivity, width in ((1.0, 1.0, 1), (0.3, 1.0, 2), (4.0, 2.5, 4)):

        def expected(rng: np.random.Generator, runs: int, sigma: float = sigma, width: int = width) -> Floats:
            return answers(width) + sigma * rng.normal(size=(runs, width))

        claims = ApproximateDP(0.7, 0.01, _QUERY), GaussianDP(sensitivity / sigma, _QUERY)
        pair = one_moved(width, sensitivity)
        near = Neighbours(_QUERY, -2.0 * sensitivity, 2.0 * sensitivity, (width, width), sensitivity=sensitivity, norm=2, worst=pair)
        for mechanism, claim in (
            (Gaussian(sigma, sensitivity, width, claims[0]), claims[0]),
            (Gaussian(sigma, sensitivity, width), claims[1]),
        ):
            yield from replayed(mechanism, answers(width), expected)
            yield guaranteed(mechanism, claim)
            yield from described(mechanism, near)
            other = partial(mechanism.release, answers(width + 1), 1, np.random.default_rng(0))
            yield from refusals({f"{width + 1} numbers": other})
    for epsilon, delta, sensitivity, width in ((1.0, 0.05, 1.0, 1), (3.0, 1e-6, 2.5, 3)):
        made = exact(epsilon, delta, sensitivity=sensitivity, width=width)
        yield guaranteed(made, ApproximateDP(epsilon, delta, _QUERY))
        found = (made.sigma, made.sensitivity, made.width)
        yield equal({"made": "exact", "epsilon": epsilon}, found, (sensitivity / largest_mu(epsilon, delta), sensitivity, width))


def _integral(x: float, mu: float = math.inf) -> float:
    """Of exp(-x t - t^2 / 2) (1 - exp(-mu t)) over t > 0, for x >= -0.5: Gauss and Legendre on intervals that double."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    left, step, total = 0.0, 1e-3 / (1.0 + abs(x) + (mu if mu < math.inf else 0.0)), 0.0
    while x * left + left * left / 2.0 < 50.0:
        t = left + step * (nodes + 1.0) / 2.0
        total += step / 2.0 * float(weights @ (np.exp(-x * t - t * t / 2.0) * -np.expm1(-mu * t)))
        left, step = left + step, min(2.0 * step, 0.5)
    return total


def log_delta(epsilon: float, mu: float) -> float:
    """ln of the expected positive part of 1 - exp(epsilon - loss), loss ~ N(mu^2 / 2, mu^2), as an integral of positive numbers."""
    near, root = epsilon / mu - mu / 2.0, math.sqrt(2.0 * math.pi)
    if near < -0.5:  # from its complement
        beyond = math.exp(-near * near / 2.0) / root * _integral(near + mu)
        return math.log1p(-(math.erfc(-near / math.sqrt(2.0)) / 2.0 + beyond))
    return -near * near / 2.0 - math.log(root) + math.log(_integral(near, mu))


def largest_mu(epsilon: float, delta: float) -> float:
    """At which the integral is delta."""
    from scipy.optimize import brentq

    low, high = 0.0, 1.0
    while log_delta(epsilon, high) < math.log(delta):
        low, high = high, 2.0 * high
    low = max(low, 1e-3 * high)
    while log_delta(epsilon, low) > math.log(delta):
        low /= 2.0
    return float(brentq(lambda mu: log_delta(epsilon, mu) - math.log(delta), low, high, xtol=1e-300, rtol=1e-15))


# epsilon and mu, of every form that the code has: far from 0, a short gap, one of an arm's length, and far out.
PROFILES = (
    *((0.5, 5.0), (2.0, 3.5), (1.0, 60.0), (0.01, 2.2), (30.0, 40.0)),
    *(
        (1.0, 1.0),
        (0.1, 1.0),
        (3.0, 2.0),
        (8.0, 4.0),
        (0.2, 0.3),
        (5.0, 0.5),
        (20.0, 0.1),
        (20.0, 4.0),
        (60.0, 6.0),
        (0.5, 0.09),
        (0.001, 0.2),
    ),
    *((0.01, 0.05), (1e-4, 0.01), (0.02, 1e-3), (0.08, 1e-3), (0.0495, 5e-4), (0.06, 1e-3), (0.0021, 2e-5), (0.002, 1e-5), (0.05, 1e-5)),
)


def profiles_integrated() -> Iterator[At]:
    """The profile and its logarithm, beside the integral; a logarithm of size s is known to s roundings."""
    for epsilon, mu in PROFILES:
        expected, where = log_delta(epsilon, mu), {"epsilon": epsilon, "mu": mu}
        found = gaussian.log_profile(epsilon, mu)
        near = max(1.0, epsilon / mu) ** 2
        value = Fraction(math.expm1(found - expected)) if abs(found - expected) < 1.0 else Fraction(9)
        whole = distance(found, expected) if expected > -0.1 else Fraction(0)  # near 1 its complement counts
        yield At({**where, "compared": "logarithm"}, max(abs(value), whole), Fraction(1e-12 + 3e-16 * near))
        if expected > -700.0:
            yield At({**where, "compared": "profile"}, distance(gaussian.profile(epsilon, mu), math.exp(expected)), Fraction(1, 10**9))


CALIBRATED = (
    *((0.5, 0.5), (0.01, 0.2), (2.0, 0.3), (0.1, 0.9), (5.0, 0.99), (1.0, 0.999999), (0.2, 0.31), (2.0, 0.37), (0.1, 0.1)),
    *((1.0, 0.05), (0.5, 1e-3), (3.0, 1e-6), (10.0, 1e-12), (0.01, 1e-9), (0.001, 1e-4), (40.0, 1e-5), (1.0, 1e-100)),
)


def sigmas_least() -> Iterator[At]:
    """The least sigma, by bisection over the integral; not below the least one of the theorem, and above it by roundings alone."""
    for number, (epsilon, delta) in enumerate(CALIBRATED):
        sensitivity = (1.0, 0.3, 25.0)[number % 3]
        sigma, where = gaussian.exact_sigma(epsilon, delta, sensitivity), {"epsilon": epsilon, "delta": delta}
        yield equal({**where, "compared": "integral"}, sigma * largest_mu(epsilon, delta), sensitivity)
        yield equal({**where, "compared": "sensitivity 1"}, gaussian.exact_sigma(epsilon, delta) * sensitivity, sigma)
        for length in (1.0, 0.3, 25.0):  # on the safe side by the shipped profile too
            above = gaussian.log_profile(epsilon, length / gaussian.exact_sigma(epsilon, delta, length)) > math.log(delta)
            yield At({**where, "sensitivity": length, "compared": "side"}, int(above), 0)


SHIPPED = tuple(
    beside(theorem, slug, words, points, domain)
    for theorem, slug, words, points, domain in (
        (
            "balle_wang_2018.gaussian_profile",
            "releases_replayed",
            "Gaussian, releases, neighbours, claims",
            releases_replayed,
            "3 settings",
        ),
        ("balle_wang_2018.gaussian_profile", "profiles_integrated", "gaussian.profile and log_profile", profiles_integrated, "listed"),
        ("balle_wang_2018.gaussian_calibration", "sigmas_least", "gaussian.exact_sigma", sigmas_least, "listed"),
    )
)
AGREEMENT = (
    agreement("gaussian.profile", Agreement(balle_wang_2018.GAUSSIAN_PROFILE, _profile)),
    agreement(
        "gaussian.log_profile", Agreement(balle_wang_2018.GAUSSIAN_PROFILE, _log_profile, theory=_log_of_the_theorem, least_size=1.0)
    ),
    agreement("gaussian.exact_sigma", Agreement(balle_wang_2018.GAUSSIAN_CALIBRATION, gaussian.exact_sigma, points=20)),
)
