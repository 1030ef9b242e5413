"""The parameter sheet of Private Online LinUCB and of the Private Bandits Combiner (sheet `ldp_linucb_2024`, sections 4 and 6).

Letters: D = parameter_norm, R = reward_sigma, beta = failure, T = horizon, sigma = noise scale, Delta = injection (a standard deviation),
lambda_min = curvature, mu = 2 (lambda_min + Delta^2), G = gradient_bound, l = ln(T / beta). `Hidden` holds the constants that the paper
does not print, each 1 by default.
"""

import math
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from banditproof import glossary
from banditproof.guarantees import require


class Width(Enum):
    """What the radius w_t of the confidence set is."""

    LITERAL = "literal"  # sqrt(M_t + K_t), all hidden constants as in `Hidden`
    SCALED = "scaled"  # `scale` times the literal one
    CONST = "const"  # `scale`
    ORACLE = "oracle"  # literal, with the true S_t: for audits


class Hidden(NamedTuple):
    """Constants that the paper suppresses: C in G, c_M in M_T, c_S in the path bound, gamma in K_N."""

    clipping: float = 1.0
    learner: float = 1.0
    path: float = 1.0
    gamma: float = 1.0


def default_threshold(horizon: int, power: float = 0.25) -> float:
    """The threshold lambda_bar = T^-power: power 1/4 in Corollary 3.6, 1/8 in the combiner. Raises ValueError unless power > 0."""
    require(0.0 < power < math.inf, f"power = {power}: must be > 0 and finite (of the horizon)")
    return math.pow(glossary.HORIZON.require(horizon), -power)


def require_curvature(curvature: float) -> float:
    """lambda_min itself. Raises ValueError unless it is at least 0 and finite."""
    require(0.0 <= curvature < math.inf, f"curvature = {curvature}: must be >= 0 and finite (least eigenvalue of E x x')")
    return curvature


def injection(curvature: float, threshold: float) -> float:
    """Delta: Delta^2 is the threshold if lambda_min is at most the threshold, else 0."""
    require(0.0 < threshold < math.inf, f"threshold = {threshold}: must be > 0 and finite (of the curvature)")
    return math.sqrt(threshold) if require_curvature(curvature) <= threshold else 0.0


def gradient_bound(sigma: float, injection: float, *, parameter_norm: float, horizon: int, failure: float, clipping: float = 1.0) -> float:
    """The clipping constant G, with L = ln(2 T / beta) and C = `clipping`:

    2 sqrt(2 L) (2 D sigma + 2 sigma + D Delta + Delta)
    + 2 L (2 D Delta^2 + 4 D Delta sigma + 2 Delta sigma + 2 D sigma^2 + 2 sigma^2 + D C sigma^2) + 2 D + 2.
    """
    D, s, delta = glossary.PARAMETER_NORM.require(parameter_norm), glossary.SIGMA.require(sigma), injection
    logarithm = math.log(2.0 * glossary.HORIZON.require(horizon) / glossary.FAILURE.require(failure))
    linear = 2.0 * D * s + 2.0 * s + D * delta + delta
    square = 2.0 * D * delta**2 + 4.0 * D * delta * s + 2.0 * delta * s + 2.0 * D * s**2 + 2.0 * s**2 + D * clipping * s**2
    return 2.0 * math.sqrt(2.0 * logarithm) * linear + 2.0 * logarithm * square + 2.0 * D + 2.0


def mean_curvature(curvature: float, injection: float) -> float:
    """mu = 2 (lambda_min + Delta^2). Raises ValueError unless it is positive."""
    mu = 2.0 * (require_curvature(curvature) + injection**2)
    require(mu > 0.0, f"curvature = {curvature}, injection = {injection}: must not both be 0 (the bounds divide by their sum)")
    return mu


def learner_bound(
    gradient_bound: float, curvature: float, injection: float, *, parameter_norm: float, horizon: int, constant: float = 1.0
) -> float:
    """M_T = c_M (G^2 / (lambda_min + Delta^2) + G D) ln T."""
    half = mean_curvature(curvature, injection) / 2.0
    return constant * (gradient_bound**2 / half + gradient_bound * parameter_norm) * math.log(glossary.HORIZON.require(horizon))


def path_bound(
    gradient_bound: float,
    curvature: float,
    injection: float,
    *,
    parameter_norm: float,
    horizon: int,
    failure: float,
    constant: float = 1.0,
) -> float:
    """Bound on S_T = sum |theta_t - theta*|^2: c_S ((G^2 / mu^2 + G D / mu) ln T + G^2 / mu^2 ln(1 / beta))."""
    mu, logarithm = mean_curvature(curvature, injection), math.log(glossary.HORIZON.require(horizon))
    ratio = (gradient_bound / mu) ** 2
    rest = ratio * math.log(1.0 / glossary.FAILURE.require(failure))
    return constant * ((ratio + gradient_bound * parameter_norm / mu) * logarithm + rest)


def strength(gradient_bound: float, curvature: float, injection: float, *, parameter_norm: float) -> float:
    """H = G^2 / (lambda_min + Delta^2)^2 + G D / (lambda_min + Delta^2)."""
    half = mean_curvature(curvature, injection) / 2.0
    return (gradient_bound / half) ** 2 + gradient_bound * parameter_norm / half


class Radius(NamedTuple):
    """The squared radius M_T + K_N as a function of N and of S_N: base + root sqrt(N S_N) + slope S_N."""

    base: float
    root: float
    slope: float

    def squared(self, round: int, path: float) -> float:
        """At N = `round`, from 1, and S_N = `path`."""
        return self.base + self.root * math.sqrt(round * path) + self.slope * path


def confidence_terms(
    epsilon: float,
    delta: float,
    injection: float,
    *,
    parameter_norm: float,
    reward_sigma: float,
    horizon: int,
    failure: float,
    gamma: float = 1.0,
) -> Radius:
    """K_N of Lemma 3.3: gamma times
    D Delta^2 l sqrt(N S_N) + (R + D sqrt(ln(1 / delta)) / epsilon + D Delta)^2 l + (ln(1 / delta) / epsilon^2 + Delta^2) l S_N.
    """
    logarithm = math.log(glossary.HORIZON.require(horizon) / glossary.FAILURE.require(failure))
    privacy = math.log(1.0 / glossary.DELTA.require(delta)) / glossary.EPSILON.require(epsilon) ** 2
    square = (reward_sigma + parameter_norm * math.sqrt(privacy) + parameter_norm * injection) ** 2
    return Radius(
        base=gamma * square * logarithm,
        root=gamma * parameter_norm * injection**2 * logarithm,
        slope=gamma * (privacy + injection**2) * logarithm,
    )


def inserted_terms(
    epsilon: float,
    delta: float,
    strength: float,
    injection: float,
    *,
    parameter_norm: float,
    reward_sigma: float,
    horizon: int,
    failure: float,
) -> float:
    """K_T with Lemma 3.5 inserted, as printed before it is simplified, all constants 1 and H = `strength`."""
    logarithm, rounds = math.log(glossary.HORIZON.require(horizon) / glossary.FAILURE.require(failure)), math.log(horizon)
    privacy = math.log(1.0 / glossary.DELTA.require(delta)) / glossary.EPSILON.require(epsilon) ** 2
    first = parameter_norm * injection**2 * logarithm * math.sqrt(horizon * strength * rounds)
    second = (reward_sigma + parameter_norm * math.sqrt(privacy) + parameter_norm * injection) ** 2 * logarithm
    return first + second + (privacy + injection**2) * strength * rounds**2


# The anytime variant (Algorithm 7, rebuilt on the sheet).


def epochs(horizon: int) -> int:
    """Epochs that a run of T rounds starts, of 1, 2, 4, ... rounds."""
    return int(glossary.HORIZON.require(horizon)).bit_length()


def epoch_failure(failure: float, horizon: int) -> float:
    """beta_m = beta / ceil(log2(2 T))."""
    return glossary.FAILURE.require(failure) / (1 + (int(glossary.HORIZON.require(horizon)) - 1).bit_length())


# The combiner (Algorithm 2, Theorem 4.1).


def base_learners(horizon: int) -> int:
    """M = 1 + ceil(log2(T^(1/8))): the grid of guesses reaches 1. In whole numbers: 1 plus the least k with 2^(8 k) >= T."""
    return 1 + -(-(int(glossary.HORIZON.require(horizon)) - 1).bit_length() // 8)


def guess(index: int, horizon: int) -> float:
    """lambda_i = 2^(i - 1) T^(-1/8) of base learner i = `index`, from 1."""
    require(index >= 1, f"index = {index}: must be an integer >= 1 (a base learner)")
    return 2.0 ** (index - 1) * default_threshold(horizon, 0.125)


def combiner_radius(
    pulls: int, sigma: float, *, horizon: int, learners: int, failure: float, factor: float = 3.0 * math.sqrt(8.0)
) -> float:
    """rad(n) = p sqrt(n (1 + sigma^2) ln(T^3 M ln(max(n, e)) (1 + sigma^2) / beta)), p = `factor`; 0 where n = 0."""
    if pulls == 0:
        return 0.0
    logarithm = combiner_logarithm(sigma, horizon=horizon, learners=learners, failure=failure)
    return factor * math.sqrt(pulls * (1.0 + sigma**2) * (logarithm + math.log(max(math.log(pulls), 1.0))))


def combiner_logarithm(sigma: float, *, horizon: int, learners: int, failure: float) -> float:
    """ln(T^3 M (1 + sigma^2) / beta); sigma = 0 for rewards without noise."""
    require(0.0 <= sigma < math.inf, f"sigma = {sigma}: must be >= 0 and finite (of the noise on a reward)")
    size = learners * (1.0 + sigma**2) / glossary.FAILURE.require(failure)
    return 3.0 * math.log(glossary.HORIZON.require(horizon)) + math.log(size)


class Putative(NamedTuple):
    """What the combiner believes of a base learner: regret C n^alpha after n own rounds, and the target R."""

    coefficient: float
    exponent: float
    target: float


def require_putatives(putatives: Sequence[Putative]) -> None:
    """Raises ValueError, naming them, unless all are finite and >= 0, and exponents are at most 1."""
    for each in putatives:
        fits = 0.0 <= each.coefficient < math.inf and 0.0 <= each.exponent <= 1.0 and 0.0 <= each.target < math.inf
        require(fits, f"{each}: must be finite, >= 0, and its exponent <= 1 (regret C n^alpha)")


class Putatives(NamedTuple):
    """C_i and alpha_i, and eta_i, before the targets are known."""

    coefficient: float
    exponent: float
    rate: float


def anytime_putative(epsilon: float, *, dimension: int, horizon: int, factor: float = 1.0) -> Putatives:
    """C_1, alpha_1 = 3/4 and eta_1 of Theorem 4.1, P = `factor`."""
    glossary.EPSILON.require(epsilon)
    size, root = epsilon * math.pow(glossary.HORIZON.require(horizon), 0.125), math.sqrt(dimension)
    logarithm = factor * math.pow(math.log(horizon), 1.5)
    return Putatives(
        coefficient=logarithm * root * (size + 1.0) / size,
        exponent=0.75,
        rate=size / (root * math.sqrt(horizon) * (logarithm * size + 1.0)),
    )


def guessing_putative(epsilon: float, curvature: float, *, dimension: int, horizon: int, factor: float = 1.0) -> Putatives:
    """C_i, alpha_i = 1/2 and eta_i of Theorem 4.1 for i >= 2, with lambda_i = `curvature` > 0 and P' = `factor`. Raises where T = 1."""
    glossary.EPSILON.require(epsilon)
    require(curvature > 0.0, f"curvature = {curvature}: must be > 0 (a guess that the regret is divided by)")
    logarithm, root = factor * math.pow(math.log(glossary.HORIZON.require(horizon)), 1.5), math.sqrt(dimension)
    require(logarithm > 0.0, f"horizon = {horizon}: must be >= 2 (eta_i divides by ln T)")
    return Putatives(logarithm * root / (epsilon * curvature), 0.5, epsilon / (logarithm * root * math.sqrt(horizon)))


def shape_constant(exponent: float) -> float:
    """(1 - a)^((1 - a) / a) (1 + a)^(1 / a) / a^((1 - a) / a): 9/4 at a = 1/2. Raises ValueError unless 0 < a < 1."""
    require(0.0 < exponent < 1.0, f"exponent = {exponent}: must be > 0 and < 1")
    rest = (1.0 - exponent) / exponent
    return math.pow((1.0 - exponent) / exponent, rest) * math.pow(1.0 + exponent, 1.0 / exponent)


def targets(putatives: tuple[Putatives, ...], *, horizon: int, failure: float) -> tuple[Putative, ...]:
    """R_i of Theorem 4.1 for each base learner, N = M."""
    glossary.FAILURE.require(failure)
    logarithm = math.log(glossary.HORIZON.require(horizon)) * 3.0 + math.log(len(putatives) / failure)
    found = []
    for place, (coefficient, exponent, rate) in enumerate(putatives):
        others = sum(1.0 / other.rate for index, other in enumerate(putatives) if index != place)
        middle = shape_constant(exponent) * math.pow(coefficient, 1.0 / exponent) * horizon * math.pow(rate, (1.0 - exponent) / exponent)
        target = coefficient * math.pow(horizon, exponent) + middle + 288.0 * logarithm * horizon * rate + others
        found.append(Putative(coefficient, exponent, target))
    return tuple(found)
