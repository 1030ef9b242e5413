"""Gaussian noise on a query's answer, calibrated in the classic way or exactly.

Classic: Dwork and Roth 2014, Theorem A.1 (c^2 > 2 ln(1.25 / delta), sigma >= c * sensitivity / epsilon, epsilon in (0, 1)); taken at
equality. Exact: Balle and Wang 2018, Theorem 8 (the profile) and Algorithm 1 (the calibration), in log space throughout.
"""

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from banditproof import glossary
from banditproof.guarantees import ApproximateDP, GaussianDP, NeighbouringRelation, require
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.typical import Values, whole_numbers


def classic_sigma(epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    """sqrt(2 ln(1.25 / delta)) * sensitivity / epsilon. Raises ValueError unless 0 < epsilon < 1: the theorem ends there."""
    if not 0.0 < epsilon < 1.0:
        raise ValueError(f"epsilon = {epsilon}: must be > 0 and < 1 (classic calibration; use exact_sigma)")
    glossary.DELTA.require(delta)
    return math.sqrt(2.0 * math.log(1.25 / delta)) * glossary.SENSITIVITY.require(sensitivity) / epsilon


def log_profile(epsilon: float, mu: float) -> float:
    """Natural logarithm of `profile`, finite where the profile itself is 0 in floating point."""
    glossary.EPSILON.require(epsilon)
    glossary.MU.require(mu)
    return _log_gap(epsilon / mu - mu / 2.0, mu)


def profile(epsilon: float, mu: float) -> float:
    """Least delta at which N(0, 1) and N(mu, 1) are (epsilon, delta)-close, with mu = sensitivity / sigma (Theorem 8).

    Phi(mu / 2 - epsilon / mu) - exp(epsilon) Phi(-mu / 2 - epsilon / mu).
    """
    return math.exp(log_profile(epsilon, mu))


def _log_gap(near: float, width: float) -> float:
    """ln(Phi(-near) - exp((far^2 - near^2) / 2) Phi(-far)), far = near + width, for width > 0.

    The two terms share the density at `near`: with Mills' ratio m(x) = Phi(-x) / phi(x) they are phi(near) (m(near) - m(far)), so
    nothing overflows. Left of -1, where Phi(-near) tends to 1, the difference is taken from 1. The width is its own argument: far - near
    would lose its digits.
    """
    from scipy.special import erfcx, log_ndtr

    far = near + width
    if near < -1.0:
        return math.log1p(-math.exp(log_ndtr(near)) - math.exp(-near * near / 2.0) / 2.0 * float(erfcx(far / math.sqrt(2.0))))
    if width * (1.0 + abs(near)) < 0.1:
        gap = _short_gap(near, width)
    else:
        gap = math.sqrt(math.pi / 2.0) * (float(erfcx(near / math.sqrt(2.0))) - float(erfcx(far / math.sqrt(2.0))))
    return -near * near / 2.0 - math.log(math.sqrt(2.0 * math.pi)) + math.log(gap)


@functools.cache
def _gauss(order: int) -> tuple[Floats, Floats]:
    """Points and weights of the Gauss rule on [-1, 1]."""
    points, weights = np.polynomial.legendre.leggauss(order)
    return points, weights


def _short_gap(near: float, width: float) -> float:
    """m(near) - m(near + width) as the integral of -m'(x) = 1 - x m(x), where the difference itself would lose its digits."""
    from scipy.special import erfcx

    points, weights = _gauss(8)
    x = near + width / 2.0 * (points + 1.0)
    if near < 100.0:
        slope = 1.0 - x * math.sqrt(math.pi / 2.0) * erfcx(x / math.sqrt(2.0))
    else:  # there 1 - x m(x) cancels too; its asymptotic series does not
        slope = (1.0 - 3.0 / x**2 * (1.0 - 5.0 / x**2 * (1.0 - 7.0 / x**2 * (1.0 - 9.0 / x**2)))) / x**2
    return float(np.sum(weights * slope)) * width / 2.0


@functools.lru_cache(maxsize=1 << 10, typed=True)  # typed: True is refused, whatever is known of 1
def exact_sigma(epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    """Least standard deviation that gives (epsilon, delta), rounded to the safe side: Balle and Wang 2018, Algorithm 1.

    Raises ValueError unless 1e-300 <= epsilon <= 1e150, beyond which doubles have no digits left, 0 < delta < 1 and sensitivity > 0.
    """
    from scipy.optimize import brentq

    glossary.EPSILON.require(epsilon)
    require(1e-300 <= epsilon <= 1e150, f"epsilon = {epsilon}: must be from 1e-300 to 1e150 (the exact calibration)")
    glossary.DELTA.require(delta)
    glossary.SENSITIVITY.require(sensitivity)
    target = math.log(delta)
    many = target >= _log_gap(0.0, math.sqrt(2.0 * epsilon))  # delta >= delta_0: less noise than sensitivity / sqrt(2 epsilon)

    def excess(root: float) -> float:  # ln B(v) - ln delta at v = root^2: B+ for v, B- for u; the root makes the slope at 0 finite
        near, far = math.sqrt(epsilon) * root, math.sqrt(epsilon * (root * root + 2.0))
        return (_log_gap(-near, near + far) if many else _log_gap(near, 2.0 * epsilon / (near + far))) - target

    high = 1.0
    while (excess(high) < 0.0) if many else (excess(high) > 0.0):
        high *= 2.0
    low = 0.0 if high == 1.0 else high / 2.0
    same = excess(low) == 0.0
    root = low if same else brentq(excess, low, high, xtol=1e-300, rtol=4 * np.finfo(float).eps, maxiter=500)
    factor = math.sqrt(1.0 + root * root / 2.0) + root / math.sqrt(2.0)
    sigma = sensitivity / math.sqrt(2.0 * epsilon) * (1.0 / factor if many else factor)  # 1 / (a + b) = a - b, without cancellation
    step = 2.0**-52
    while log_profile(epsilon, sensitivity / sigma) > target:
        sigma *= 1.0 + step
        step *= 2.0
    return sigma


@dataclass(frozen=True)
class Gaussian:
    """Releases a query's answer, `width` numbers, each with noise N(0, sigma^2); neighbouring answers lie within `sensitivity` in L2.

    It claims what it is, Gaussian privacy of level sensitivity / sigma, unless a `claim` is given (`classic`, `exact`).
    """

    sigma: float
    sensitivity: float = 1.0
    width: int = 1
    claim: ApproximateDP | None = None
    theorems: tuple[str, ...] = ("balle_wang_2018.gaussian_profile",)

    typical: ClassVar[Mapping[str, Values]] = {"width": whole_numbers(1, 4), "claim": (None,)}  # `classic` and `exact` make claims

    def __post_init__(self) -> None:
        glossary.SIGMA.require(self.sigma)
        glossary.SENSITIVITY.require(self.sensitivity)
        if self.width < 1:
            raise ValueError(f"width = {self.width}: must be an integer >= 1 (numbers in the answer)")

    def guarantee(self) -> ApproximateDP | GaussianDP:
        return self.claim or GaussianDP(self.sensitivity / self.sigma, NeighbouringRelation.QUERY_SENSITIVITY)

    def neighbours(self) -> Neighbours:
        """The worst pair moves one coordinate by the whole sensitivity; any direction of that length loses as much."""
        moved = (self.sensitivity,) + (0.0,) * (self.width - 1)
        return Neighbours(
            NeighbouringRelation.QUERY_SENSITIVITY,
            low=-2.0 * self.sensitivity,
            high=2.0 * self.sensitivity,
            lengths=(self.width, self.width),
            sensitivity=self.sensitivity,
            norm=2,
            worst=(((0.0,) * self.width, moved),),
        )

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases, shape (runs, width). Raises ValueError unless `data` has shape (width,)."""
        answer = np.asarray(data, dtype=float)
        if answer.shape != (self.width,):
            raise ValueError(f"data of shape {answer.shape}: must be ({self.width},) (the query's answer)")
        return answer + rng.normal(0.0, self.sigma, (runs, self.width))


def classic(epsilon: float, delta: float, *, sensitivity: float = 1.0, width: int = 1) -> Gaussian:
    """Gaussian noise by the classic calibration, claiming (epsilon, delta). Raises ValueError unless 0 < epsilon < 1."""
    claim = ApproximateDP(epsilon, delta, NeighbouringRelation.QUERY_SENSITIVITY)
    return Gaussian(classic_sigma(epsilon, delta, sensitivity), sensitivity, width, claim, ("dwork_roth_2014.gaussian_classic",))


def exact(epsilon: float, delta: float, *, sensitivity: float = 1.0, width: int = 1) -> Gaussian:
    """Gaussian noise by the exact calibration, claiming (epsilon, delta)."""
    claim = ApproximateDP(epsilon, delta, NeighbouringRelation.QUERY_SENSITIVITY)
    theorems = ("balle_wang_2018.gaussian_calibration", "balle_wang_2018.gaussian_profile")
    return Gaussian(exact_sigma(epsilon, delta, sensitivity), sensitivity, width, claim, theorems)
