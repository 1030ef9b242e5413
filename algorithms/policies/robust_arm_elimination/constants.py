"""The parameter sheet of robust arm elimination (Charisopoulos, Esfandiari and Mirrokni 2023, Algorithm 1; sections 3.1 and 3.2).

Letters: T = horizon, B = batches, q = T^(1/B), m = q^i = size, delta = failure (of one statement about one arm), alpha = corruption, nu =
truncation_parameter, k = support, mu = leverage, n = batch_plays, L = log(1 / delta), L_m = log(m / delta). C_g1 = corruption_constant and
C_g2 = noise_constant are not printed, and 1 by default. epsilon may be infinite: then the reports carry no noise.
"""

import math
from enum import Enum
from typing import assert_never

from banditproof import glossary
from banditproof.guarantees import require


class FirstThreshold(Enum):
    """Which printed threshold of the first client model."""

    LINE_9 = "line_9"  # Algorithm 1 and the end of the proof
    DISPLAY_50 = "display_50"  # the confidence interval of the proof
    DISPLAY_48 = "display_48"  # the step before it, at the leverage and the plays of the batch itself


def require_epsilon(epsilon: float) -> float:
    """epsilon itself. Raises ValueError unless it is > 0; infinity is allowed."""
    return epsilon if epsilon == math.inf else glossary.EPSILON.require(epsilon)


def require_corruption(corruption: float) -> float:
    """alpha itself. Raises ValueError unless 0 <= alpha < 1/4."""
    require(0.0 <= corruption < 0.25, f"corruption = {corruption}: must be >= 0 and < 0.25 (probability that a report is replaced)")
    return corruption


def require_positive(name: str, value: float) -> float:
    """The value itself. Raises ValueError unless it is > 0 and finite."""
    require(0.0 < value < math.inf, f"{name} = {value}: must be > 0 and finite")
    return value


def require_truncation_parameter(truncation_parameter: float) -> float:
    """nu itself. Raises ValueError unless 0 < nu <= 1."""
    inside = 0.0 < truncation_parameter <= 1.0
    require(inside, f"truncation_parameter = {truncation_parameter}: must be > 0 and <= 1 (least weight of an arm of the support)")
    return truncation_parameter


def require_batches(batches: int) -> int:
    """B itself. Raises ValueError unless it is an integer >= 2."""
    require(batches == int(batches) and batches >= 2, f"batches = {batches}: must be an integer >= 2 (one to learn in, one to exploit in)")
    return batches


def default_batches(horizon: int) -> int:
    """max(2, ceil(log T)): the paper's B is of order log T."""
    return max(2, math.ceil(math.log(glossary.HORIZON.require(horizon))))


def growth(horizon: int, batches: int) -> float:
    """q = T^(1/B)."""
    return math.pow(glossary.HORIZON.require(horizon), 1.0 / require_batches(batches))


def batch_size_parameter(horizon: int, batches: int, batch_index: int) -> float:
    """m = q^i of batch i = `batch_index`; q^0 = 1."""
    return math.pow(glossary.HORIZON.require(horizon), batch_index / require_batches(batches))


def default_truncation_parameter(support: int) -> float:
    """nu = 1 / k: at most twice the plays of the first model, up to rounding."""
    require(support >= 1, f"support = {support}: must be an integer >= 1 (arms of a design)")
    return 1.0 / support


def statement_failure(failure: float, *, arms: int, horizon: int) -> float:
    """delta = delta' / (K T^2), delta' = `failure` that of a run: the proof's union bound over arms and rounds, as an equality."""
    require(0.0 < failure <= 1.0, f"failure = {failure}: must be > 0 and <= 1 ({glossary.FAILURE.meaning})")
    found = failure / (arms * float(glossary.HORIZON.require(horizon)) ** 2)
    require(found > 0.0, f"failure = {failure}: must be larger for {arms} arms and {horizon} rounds (the part of each is 0 in doubles)")
    return found


def least_corruption(failure: float, *, batch_plays: float, assumption_constant: float = 1.0) -> float:
    """The least alpha that Assumption A.1 allows in a batch of n reports: C_A log(1 / delta) / n."""
    require_positive("assumption_constant", assumption_constant)
    return assumption_constant * math.log(1.0 / glossary.FAILURE.require(failure)) / require_positive("batch_plays", batch_plays)


def _noise_bracket(epsilon: float, logarithm: float) -> float:
    """1 + sqrt(log) + log / epsilon."""
    return 1.0 + math.sqrt(logarithm) + logarithm / require_epsilon(epsilon)


def gamma_first_model(
    dimension: int,
    epsilon: float,
    *,
    corruption: float,
    failure: float,
    size: float,
    variant: FirstThreshold = FirstThreshold.LINE_9,
    corruption_constant: float = 1.0,
    noise_constant: float = 1.0,
) -> float:
    """The threshold of a batch of size m in the first model, in reward units. With N = sqrt(d L / m) (1 + sqrt(L) / epsilon):

    LINE_9      C_g1 sqrt(d) (sqrt(L_m) + L_m / epsilon) (sqrt(alpha) + alpha sqrt(d)) + alpha + C_g2 N
    DISPLAY_50  C_g1 d (sqrt(alpha) + sqrt(alpha L / m)) (1 + sqrt(L_m) + L_m / epsilon) + C_g2 N + alpha

    DISPLAY_48 here is its value at the design's bound, mu = 2 d / m and n = m. Raises ValueError on values outside their domains.
    """
    d, alpha = glossary.DIMENSION.require(dimension), require_corruption(corruption)
    if variant is FirstThreshold.DISPLAY_48:
        return measured_gamma(
            2.0 * d / require_positive("size", size),
            epsilon,
            corruption=alpha,
            failure=failure,
            batch_plays=size,
            corruption_constant=corruption_constant,
            noise_constant=noise_constant,
        )
    logarithm = math.log(1.0 / glossary.FAILURE.require(failure))
    larger = max(math.log(require_positive("size", size) / failure), 0.0)
    noise = math.sqrt(d * logarithm / size) * (1.0 + math.sqrt(logarithm) / require_epsilon(epsilon))
    first, second = require_positive("corruption_constant", corruption_constant), require_positive("noise_constant", noise_constant)
    match variant:
        case FirstThreshold.LINE_9:
            reports = math.sqrt(d) * (math.sqrt(larger) + larger / epsilon)
            return first * reports * (math.sqrt(alpha) + alpha * math.sqrt(d)) + alpha + second * noise
        case FirstThreshold.DISPLAY_50:
            replaced = d * (math.sqrt(alpha) + math.sqrt(alpha * logarithm / size))
            return first * replaced * _noise_bracket(epsilon, larger) + second * noise + alpha
        case _:
            assert_never(variant)


def measured_gamma(
    leverage: float,
    epsilon: float,
    *,
    corruption: float,
    failure: float,
    batch_plays: float,
    corruption_constant: float = 1.0,
    noise_constant: float = 1.0,
) -> float:
    """(48), for mu and n of the batch itself, in reward units:

    C_g1 mu (n sqrt(alpha) + sqrt(n alpha L)) (1 + sqrt(L_n) + L_n / epsilon) + C_g2 sqrt(mu L) (1 + sqrt(L) / epsilon) + alpha.
    """
    alpha, plays = require_corruption(corruption), require_positive("batch_plays", batch_plays)
    first, second = require_positive("corruption_constant", corruption_constant), require_positive("noise_constant", noise_constant)
    logarithm = math.log(1.0 / glossary.FAILURE.require(failure))
    replaced = require_positive("leverage", leverage) * (plays * math.sqrt(alpha) + math.sqrt(plays * alpha * logarithm))
    noise = math.sqrt(leverage * logarithm) * (1.0 + math.sqrt(logarithm) / require_epsilon(epsilon))
    return first * replaced * _noise_bracket(epsilon, max(math.log(plays / failure), 0.0)) + second * noise + alpha


def gamma_second_model(
    dimension: int,
    epsilon: float,
    *,
    corruption: float,
    failure: float,
    size: float,
    truncation_parameter: float,
    support: int,
    leading_one: bool = True,
    corruption_constant: float = 1.0,
    noise_constant: float = 1.0,
) -> float:
    """The threshold (55) of a batch of size m in the second model, in reward units, with L_k = log(k / delta):

    C_g2 sqrt(d L / (nu m)) (1 + sqrt(L / (nu m)) / epsilon)
    + 2 C_g1 d (1 + sqrt(L_k / (nu m)) + L_k / (nu m epsilon)) (sqrt(k alpha) + sqrt(alpha L)) + alpha.

    Without `leading_one` the second bracket starts at its square root, as line 9 may be read. Raises ValueError on values outside their
    domains.
    """
    d, alpha = glossary.DIMENSION.require(dimension), require_corruption(corruption)
    first, second = require_positive("corruption_constant", corruption_constant), require_positive("noise_constant", noise_constant)
    require(support >= 1, f"support = {support}: must be an integer >= 1 (arms of a design)")
    least = require_truncation_parameter(truncation_parameter) * require_positive("size", size)
    logarithm, several = math.log(1.0 / glossary.FAILURE.require(failure)), math.log(support / failure)
    noise = math.sqrt(d * logarithm / least) * (1.0 + math.sqrt(logarithm / least) / require_epsilon(epsilon))
    bracket = float(leading_one) + math.sqrt(several / least) + several / (least * epsilon)
    return second * noise + 2.0 * first * d * bracket * (math.sqrt(support * alpha) + math.sqrt(alpha * logarithm)) + alpha
