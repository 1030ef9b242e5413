"""The loss of a pair of runs in closed form, from how far the neighbour moves each variate, and whether a claim allows it."""

import math
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from banditproof.audits.privacy.noisy import Noise
from banditproof.audits.privacy.shifts import ROUNDING, Shift
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP


@dataclass(frozen=True)
class Level:
    """The loss of a pair: `pure` (nats) of Laplace and logistic noise, `mu` of normal noise.

    `single`: one variate moves, of Laplace noise, so that delta is known at every epsilon. `bound`: only upper bounds, since several noises
    are in one value and not all of them are normal. `unknown`: some noise has no closed form."""

    pure: float
    mu: float
    single: bool = False
    bound: bool = False
    unknown: bool = False

    def within(self, claim: Guarantee, chance: float = 1.0) -> bool | None:
        """Whether the claim holds on this pair; None where that takes more than these numbers. `chance`: the loss is that of a path, which
        is taken with at least this probability."""
        if self.unknown:
            return None
        truth = self._within(claim, chance)
        return None if self.bound and truth is False else truth

    def _within(self, claim: Guarantee, chance: float) -> bool | None:
        slack = 1.0 + ROUNDING
        match claim:
            case PureDP():
                return bool(self.mu == 0.0 and self.pure <= claim.epsilon * slack)
            case ApproximateDP() if self.mu == 0.0:
                if self.pure <= claim.epsilon * slack or self.single:
                    return bool(chance * -math.expm1((claim.epsilon - self.pure) / 2.0) <= claim.delta * slack)
                return None
            case ApproximateDP():
                return None if self.pure > 0.0 else bool(chance * gaussian_delta(self.mu, claim.epsilon) <= claim.delta * slack)
            case GaussianDP():
                return None if self.pure > 0.0 else bool(self.mu <= claim.mu * slack)
            case ZeroConcentratedDP():
                return None if self.pure > 0.0 else bool(self.mu**2 / 2.0 <= claim.rho * slack)
            case RenyiDP():
                return None if self.pure > 0.0 else bool(_renyi(self.mu, claim.order, chance) <= claim.epsilon * slack)
            case _:
                assert_never(claim)

    def __str__(self) -> str:
        parts = [f"{self.pure:.6g} by Laplace or logistic noise or coins"] if self.pure > 0.0 else []
        parts += [f"mu = {self.mu:.6g} by normal noise"] if self.mu > 0.0 else []
        parts += ["more, by noise without a closed form"] if self.unknown else []
        return ("at most " if self.bound else "") + (" and ".join(parts) or "0")


def level(shifts: tuple[Shift, ...], *, realised: bool = False) -> Level:
    """The loss that the shifts make together; `realised`: at the released values, else the largest there is, in the worse direction. Each
    variate counts once: the noises of different variates are independent."""
    pure = [(shift.realised, shift.realised) if realised else shift.losses for shift in shifts if shift.noise in _PURE]
    unknown = any(shift.noise is Noise.OTHER for shift in shifts)
    normal = [shift.units for shift in shifts if shift.noise is Noise.NORMAL]
    bound = bool(pure) and not all(shift.alone for shift in shifts)
    single = len(shifts) == 1 and shifts[0].noise is Noise.LAPLACE
    return Level(max(map(math.fsum, zip(*pure, strict=True)), default=0.0), math.hypot(*normal), single, bound, unknown)


_PURE = (Noise.LAPLACE, Noise.LOGISTIC, Noise.COIN)


def _renyi(mu: float, order: float, chance: float) -> float:
    """At least the divergence of this order where normal means are `mu` standard deviations apart with this probability, or all one."""
    exponent = order * (order - 1.0) * mu**2 / 2.0  # of the moment of the likelihood ratio, which is at least 1 on every path
    return float(np.logaddexp(math.log(chance) + exponent, math.log1p(-chance) if chance < 1.0 else -math.inf)) / (order - 1.0)


def gaussian_delta(mu: float, epsilon: float) -> float:
    """The least delta at epsilon of a Gaussian release whose means are `mu` standard deviations apart (Balle and Wang 2018, Theorem 8)."""
    from scipy.special import log_ndtr

    if mu == 0.0 or math.isinf(mu):
        return 1.0 if mu else 0.0
    return float(np.exp(log_ndtr(mu / 2.0 - epsilon / mu)) - np.exp(epsilon + log_ndtr(-mu / 2.0 - epsilon / mu)))
