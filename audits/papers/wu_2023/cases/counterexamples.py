"""wu_2023: printed orders at values where they fail, the truth by other means than the statement: rare values, and few rounds.

An order is false if no constant serves. Each audit lists points for several constants, each of which fails at its point; the finding that
names the audit says why the points go on without end.

The rare value: rewards are v with probability p, else one other value, of second moment 1 at most. Truncation and noise are those of the
printed parameters. A failure is bounded from below by that of one occurrence of v among n rewards, times the probability that the noise
stays small: closed forms, nothing is summed or drawn.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import fraction, laplace_tail, log, power, sqrt
from banditproof.theory.language import Constants, Sense, Theorem, always
from banditproof.theory.papers.wu_2023 import elimination, lower_bound, raw


def with_constant(theorem: Theorem, constant: Fraction | int) -> Theorem:
    """A printed order with this constant."""
    bound = theorem.stated()
    cases = always(constant * bound.cases[0].expression)
    return replace(theorem, bound=replace(bound, cases=cases, constants=Constants.EXPLICIT), findings=())


def one_of(samples: int, probability: Fraction) -> Fraction:
    """P(exactly one of n independent rewards is the rare one)."""
    return samples * probability * power(1 - probability, samples - 1)


def small_noise(scale: Fraction, size: Fraction) -> Fraction:
    """P(|Laplace noise| <= size)."""
    return 1 - 2 * laplace_tail(size, scale)


# --- Theorem 6.1 without contamination, k = 2 ---------------------------------------------------------------------------------------------

CONSTANTS = ((10, 6), (100, 8), (1000, 12))  # constant, and the failure 10^-m


def _missed(samples: int, value: Fraction, failure: Fraction, epsilon: Fraction, allowed: Fraction) -> Fraction:
    """At least this probability that the estimate is further than `allowed` from the mean: v with probability 1/v^2, else 0. Raises
    ValueError where the printed truncation does not let v through."""
    size = sqrt(samples * epsilon / (4 * log(4 / failure)))
    if size < value:
        raise ValueError(f"epsilon = {float(epsilon):.6g}: the truncation {float(size):.6g} cuts {float(value):.6g}")
    margin = value / samples - 1 / value - allowed
    return one_of(samples, 1 / value**2) * small_noise(2 * size / (samples * epsilon), margin) if margin > 0 else Fraction(0)


def _lets_through(samples: int, value: Fraction, failure: Fraction) -> Fraction:
    """An epsilon at which the printed truncation is above ten times v."""
    return Fraction(ceil(400 * log(4 / failure) * value**2 / samples))


def _concentration() -> Iterator[At]:
    samples = 64
    for constant, digits in CONSTANTS:
        failure = Fraction(1, 10**digits)
        value = Fraction(ceil(sqrt(Fraction(samples) / (2 * failure))))
        epsilon = _lets_through(samples, value, failure)
        given: dict[str, Any] = {"samples": samples, "epsilon": epsilon, "moment": 2, "failure": failure}
        allowed = fraction(with_constant(raw.CLEAN_CONCENTRATION_TUNED, constant).at(**given).ball)
        yield At({**given, "constant": constant, "v": value}, _missed(samples, value, failure, epsilon, allowed), failure)


def _samples_enough() -> Iterator[At]:
    accuracy = Fraction(1, 2)
    for constant, digits in CONSTANTS:
        failure = Fraction(1, 10**digits)
        variance_part = constant * log(1 / failure) / accuracy**2
        samples = ceil(variance_part) + 1  # the part with epsilon is below 1
        value = 2 * accuracy * samples
        epsilon = _lets_through(samples, value, failure)
        given: dict[str, Any] = {"accuracy": accuracy, "epsilon": epsilon, "moment": 2, "failure": failure}
        if fraction(with_constant(raw.CLEAN_SAMPLE_COMPLEXITY, constant).at(**given).ball) > samples:
            raise ValueError(f"constant = {constant}: {samples} samples are fewer than the claim asks for")
        yield At({**given, "constant": constant, "n": samples, "v": value}, _missed(samples, value, failure, epsilon, accuracy), failure)


# --- Remark 6.3, two arms, k = 2 ----------------------------------------------------------------------------------------------------------


def regret_at_least(horizon: int) -> tuple[Fraction, Fraction]:
    """A regret that the printed policy has at least, and the epsilon. Raises ValueError where the construction does not close.

    Arm 1 pays -v with probability p, else 1/2, of second moment 1; arm 2 always pays the mean of arm 1 less the gap. In epoch `last`, of n
    rounds, one -v removes arm 1, if there was none before and all noise is below a margin; the rest of the rounds cost the gap each.
    """
    arms, half, margin, early = 2, Fraction(1, 2), Fraction(1, 1000), Fraction(1, 100)  # margins of the noise, in epoch `last` and before
    levels = {epoch: log(8 * arms * epoch**2 * horizon) for epoch in range(1, 30)}  # log(4/delta_tau) at delta = 1/T
    last = next(epoch for epoch, level in levels.items() if 2**epoch >= 128 * level)
    size = 2**last
    epsilon = Fraction(ceil(5 * levels[last] * power(Fraction(451, 100), 2) * 2 * levels[last]))  # so that M is above v

    def radius(epoch: int) -> Fraction:
        return sqrt(2 * levels[epoch] / 2**epoch) + 2 * sqrt(4 * levels[epoch] / (2**epoch * epsilon))

    def truncation(epoch: int) -> Fraction:
        return sqrt(2**epoch * epsilon / (4 * levels[epoch]))

    gap = 2 * radius(last) * Fraction(49, 50)
    value = Fraction(ceil(size * (2 * radius(last) + gap + 3 * margin)))
    rare = Fraction(3, 4) / (value**2 - Fraction(1, 4))  # p v^2 + (1 - p)/4 = 1
    mean = half - rare * (value + half)
    quiet = all(abs(half - (mean - gap)) + 2 * early <= 2 * radius(epoch) for epoch in range(1, last))
    loud = (mean - gap) - (half - (value + half) / size) - 2 * margin > 2 * radius(last)
    if not (quiet and loud and half <= truncation(1) and value <= truncation(last) and 2 * 2 * size < horizon):
        raise ValueError(f"horizon = {horizon}: the construction does not close")
    removed = power(1 - rare, size - 2) * one_of(size, rare)
    for epoch in range(1, last + 1):
        removed *= power(small_noise(2 * truncation(epoch) / (2**epoch * epsilon), early if epoch < last else margin), arms)
    return removed * gap * (horizon - arms * (2 * size - 2)), epsilon


def _regret() -> Iterator[At]:
    for constant, digits in ((10, 12), (1000, 16), (10**5, 20), (10**9, 30)):
        horizon = 10**digits
        least, epsilon = regret_at_least(horizon)
        given: dict[str, Any] = {"horizon": horizon, "arms": 2, "epsilon": epsilon, "moment": 2}
        claimed = with_constant(elimination.REGRET_CLEAN, constant).at(**given).ball
        yield At({**given, "constant": constant}, least, claimed)


# --- Theorem 4.1, few rounds --------------------------------------------------------------------------------------------------------------


def _few_rounds() -> Iterator[At]:
    """2 T, which no policy's regret exceeds where all means lie in [-1, 1]."""
    for constant, arms, epsilon in (
        (Fraction(1), 2, Fraction(1, 10**8)),
        (Fraction(1, 10**4), 2, Fraction(1, 10**16)),
        (Fraction(1, 10**8), 2, Fraction(1, 10**24)),
        (Fraction(1), 10**6, Fraction(10**6)),
        (Fraction(1, 10**4), 10**12, Fraction(10**12)),
    ):
        given: dict[str, Any] = {"horizon": 1, "arms": arms, "epsilon": epsilon, "true_contamination": 0, "moment": 2}
        claimed = with_constant(lower_bound.LOWER_BOUND, constant).at(**given).ball
        yield At({**given, "constant": constant}, Fraction(2), claimed)


_RARE = "v with probability 1/v^2, else 0, k = 2"
COUNTEREXAMPLES = (
    Audit(
        raw.CLEAN_CONCENTRATION_TUNED.id,
        "points.rare_value_constants_to_1000",
        "with the constants 10, 100 and 1000, a value rarer than the failure allows for, weak privacy",
        Pointwise(_concentration, f"{_RARE}, n = 64, failure 10^-6, 10^-8, 10^-12", "failure"),
        expected=Verdict.REFUTED,
    ),
    Audit(
        raw.CLEAN_SAMPLE_COMPLEXITY.id,
        "points.rare_value_constants_to_1000",
        "with the constants 10, 100 and 1000, a value rarer than the failure allows for, weak privacy",
        Pointwise(_samples_enough, f"{_RARE}, accuracy 1/2, failure 10^-6, 10^-8, 10^-12", "failure"),
        expected=Verdict.REFUTED,
    ),
    Audit(
        elimination.REGRET_CLEAN.id,
        "points.rare_value_constants_to_10e9",
        "with the constants 10 to 10^9, one rare value that eliminates the best arm, weak privacy",
        Pointwise(_regret, "two arms, k = 2, T 10^12 to 10^30, epsilon of the order of log^2 T", "regret"),
        expected=Verdict.REFUTED,
    ),
    Audit(
        lower_bound.LOWER_BOUND.id,
        "points.few_rounds",
        "with the constants 1 to 10^-8, beside 2 T, at T = 1",
        Pointwise(_few_rounds, "T = 1, k = 2, alpha = 0; epsilon to 0, or K to infinity", "regret", Sense.AT_LEAST),
        expected=Verdict.REFUTED,
    ),
)
