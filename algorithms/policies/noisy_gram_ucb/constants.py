"""Shifts and widths of linear UCB on noisy sums, in the columns of section 8 of the sheet `ldp_linucb_2024`.

Letters: d = dimension, T = horizon, L = feature_norm, R = reward_sigma, D = parameter_norm, alpha = failure, s = the scale of the noise
that each round adds, n = users so far, t = n + 1.
"""

import math
from typing import NamedTuple

from banditproof import glossary
from banditproof.guarantees import require


class Schedule(NamedTuple):
    """Shift and width of a round as numbers of a formula: see `kernels`."""

    kind: int
    shift: float
    width: float
    scale: float = 0.0  # s
    level: float = 0.0  # 4 sqrt(d) + 2 ln(2 T / alpha)
    logarithm: float = 0.0  # ln T
    base: float = 0.0  # 2 ln(2 / alpha) - d ln Upsilon
    reward_sigma: float = 0.0


CONSTANT, GROWING, DETERMINANT = 0, 1, 2


def script_width(gamma: float, *, dimension: int, horizon: int, feature_norm: float, reward_sigma: float) -> float:
    """w = sqrt(Gamma) sqrt(d) + R sqrt(d ln((1 + T L^2 / Gamma) T)): the failure probability is 1 / T."""
    require(gamma > 0.0, f"gamma = {gamma}: must be > 0 (a regulariser)")
    logarithm = math.log(glossary.HORIZON.require(horizon)) + math.log1p(horizon * feature_norm**2 / gamma)
    return math.sqrt(gamma * glossary.DIMENSION.require(dimension)) + reward_sigma * math.sqrt(dimension * logarithm)


def script_gamma(scale: float, *, dimension: int, horizon: int) -> float:
    """Gamma = s sqrt(T d) of the local and of the amplified method."""
    return scale * math.sqrt(glossary.HORIZON.require(horizon) * glossary.DIMENSION.require(dimension))


def script_joint_scale(epsilon: float, delta: float, horizon: int) -> float:
    """s = sqrt(ln T) ln(2.5 / delta) / epsilon of the jointly private method."""
    logarithm = math.log(glossary.HORIZON.require(horizon))
    return math.sqrt(logarithm) * math.log(2.5 / glossary.DELTA.require(delta)) / glossary.EPSILON.require(epsilon)


def script_joint_gamma(scale: float, *, dimension: int, horizon: int) -> float:
    """Gamma = s sqrt(d ln T) of the jointly private method."""
    return scale * math.sqrt(glossary.DIMENSION.require(dimension) * math.log(glossary.HORIZON.require(horizon)))


def script_vector_gamma(epsilon: float, delta: float, *, batch: int, dimension: int, horizon: int) -> float:
    """Gamma = ln(d / delta) / (4 epsilon sqrt(B)) sqrt(T d) of the vector sum."""
    size = math.log(glossary.DIMENSION.require(dimension) / glossary.DELTA.require(delta)) / (4.0 * glossary.EPSILON.require(epsilon))
    return size / math.sqrt(batch) * math.sqrt(glossary.HORIZON.require(horizon) * dimension)


def joint_nodes(rounds: int) -> int:
    """Nodes whose noise is in the sums of so many rounds: floor(ln(1 + t)) + 1, t = `rounds` from 0."""
    return math.floor(math.log(1.0 + rounds)) + 1


def noise_level(dimension: int, horizon: int, failure: float) -> float:
    """4 sqrt(d) + 2 ln(2 T / alpha): times s sqrt(n) it bounds the norm of the noise, Upsilon."""
    return 4.0 * math.sqrt(glossary.DIMENSION.require(dimension)) + 2.0 * math.log(2.0 * horizon / glossary.FAILURE.require(failure))


def local_width(round: int, scale: float, *, dimension: int, horizon: int, failure: float) -> float:
    """w_t = 2 s sqrt(d ln T) + (sqrt(3 Upsilon_t) + s sqrt(d t / Upsilon_t)) d ln T (Zheng et al. 2020), t = `round` from 1."""
    upsilon = scale * math.sqrt(glossary.ROUND.require(round)) * noise_level(dimension, horizon, failure)
    logarithm = math.log(horizon)
    inner = math.sqrt(3.0 * upsilon) + scale * math.sqrt(dimension * round / upsilon)
    return 2.0 * scale * math.sqrt(dimension * logarithm) + inner * dimension * logarithm


def constant(gamma: float, shift: float, *, dimension: int, horizon: int, feature_norm: float, reward_sigma: float) -> Schedule:
    """The script's: shift times Gamma on the diagonal, and one width for all rounds."""
    width = script_width(gamma, dimension=dimension, horizon=horizon, feature_norm=feature_norm, reward_sigma=reward_sigma)
    return Schedule(CONSTANT, shift * gamma, width)


def growing(scale: float, *, dimension: int, horizon: int, failure: float) -> Schedule:
    """`local_width`, and a shift of 2 Upsilon_t."""
    return Schedule(GROWING, 0.0, 0.0, scale, noise_level(dimension, horizon, failure), math.log(horizon))


def determinant(scale: float, *, dimension: int, horizon: int, failure: float, parameter_norm: float, reward_sigma: float) -> Schedule:
    """Rebuilt, after Shariff and Sheffet's Proposition 4, for noise of scale s sqrt(T) on the sums of all rounds: a shift of 2 Upsilon, and

    w = R sqrt(2 ln(2 / alpha) + ln det G - d ln Upsilon) + D sqrt(3 Upsilon) + s sqrt(T / Upsilon) (sqrt(d) + sqrt(2 ln(2 T / alpha))).
    """
    total = scale * math.sqrt(glossary.HORIZON.require(horizon))
    upsilon = total * noise_level(dimension, horizon, failure)
    spread = math.sqrt(dimension) + math.sqrt(2.0 * math.log(2.0 * horizon / failure))
    width = parameter_norm * math.sqrt(3.0 * upsilon) + total / math.sqrt(upsilon) * spread
    base = 2.0 * math.log(2.0 / failure) - dimension * math.log(upsilon)
    return Schedule(DETERMINANT, 2.0 * upsilon, width, base=base, reward_sigma=reward_sigma)
