"""ldp_linucb_2024: where the mean of the gradient that a user sends vanishes, measured on whole messages.

theta* = e_1, and half of the users have x = a e_1, the others x = -a e_1, so that the second moment is lambda = a^2 along e_1. The mean of
<g, e_1> over a group of users is 0 at the minimiser of the expected loss, and by Chebyshev's inequality it is 10 standard errors away from
0 with probability at most 1/100. Its variance is exact:

    Var <g, e_1> = 4 (s^2 x^2 (2 u - 1)^2 + 2 s^4 u^2 + sigma^2 x^2 + s^2 sigma^2),   s^2 = sigma^2 + Delta^2, at the point u e_1.
"""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from banditproof.algorithms.mechanisms.local_row import RowMessage, noise_scale
from banditproof.audits.methods.coverage import Bools, Coverage
from banditproof.audits.methods.stated import Derived
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.interaction import Floats
from banditproof.theory.papers.ldp_linucb_2024 import loss

GROUP, GROUPS, ERRORS, LONGEST = 20_000, 100, 10.0, 1e12
Release = Callable[[RowMessage, tuple[float, ...], int, np.random.Generator], Floats]


def sent(mechanism: RowMessage, data: tuple[float, ...], runs: int, rng: np.random.Generator) -> Floats:
    """Gradients (runs, d) of the messages as they are sent."""
    return mechanism.release(data, runs, rng)[:, len(data) :]


def vanishes(release: Release, epsilon: float, injection: float, component: float, runs: int, rng: np.random.Generator) -> Bools:
    """For each of so many groups: whether the mean gradient at `component` theta* is more than 10 standard errors from 0."""
    length, half = 0.8, GROUP // 2
    mechanism = RowMessage(epsilon, 0.1, (component, 0.0), injection, LONGEST)
    sigma = noise_scale(mechanism.calibration, epsilon, 0.1)
    noise = sigma**2 + injection**2
    variance = 4.0 * (noise * length**2 * (2.0 * component - 1.0) ** 2 + 2.0 * noise**2 * component**2 + sigma**2 * (length**2 + noise))
    totals = np.zeros(runs)
    for sign in (1.0, -1.0):
        gradients = release(mechanism, (sign * length, 0.0, sign * length), runs * half, rng)[:, 0]
        totals += gradients.reshape(runs, half).sum(axis=1)
    return np.asarray(np.abs(totals / GROUP) > ERRORS * math.sqrt(variance / GROUP))


def chebyshev() -> float:
    """The claimed probability of a mean so far from 0."""
    return 1.0 / ERRORS**2


def component_of(injection: float) -> float:
    """The stated minimiser's component, for lambda = 0.64."""
    return loss.MINIMISER_COMPONENT.at(curvature="0.64", injected_sigma=injection).bound


def unbiased(release: Release, epsilon: float, injection: float, component: float) -> Coverage:
    """That the mean gradient vanishes at this component of theta*."""
    return Coverage(
        partial(vanishes, release, epsilon, injection, component),
        Derived(chebyshev, "Chebyshev's inequality: the gradient's mean has no probability in the paper"),
        f"the mean gradient of {GROUP} users at {component:.3g} theta* more than {ERRORS:g} standard errors from 0",
        20.0,
        runs=GROUPS,
        cell=10,
        parameters={"epsilon": epsilon, "delta": 0.1, "lambda": 0.64, "Delta": injection},
    )


SENT = tuple(
    Audit(
        loss.MINIMISER_COMPONENT.id,
        f"coverage.mean_gradient_{swept(eps=epsilon, injected=injection)}",
        f"the mean gradient at the stated minimiser, epsilon = {epsilon:g}, Delta = {injection:g}",
        unbiased(sent, epsilon, injection, component_of(injection)),
    )
    for epsilon in (1.0, 10.0)
    for injection in (0.0, 0.5)
)
AT_THE_PARAMETER = (
    Audit(
        loss.MINIMISER.id,
        "coverage.mean_gradient_eps1",
        "the mean gradient at theta*, without injected noise, epsilon = 1",
        unbiased(sent, 1.0, 0.0, 1.0),
    ),
    Audit(
        loss.MINIMISER.id,
        "coverage.mean_gradient_injected_as_printed",
        "the mean gradient at theta*, Delta = 1/2, epsilon = 10",
        unbiased(sent, 10.0, 0.5, 1.0),
        Verdict.REFUTED,
    ),
)
