"""shariff_sheffet_2018: what Appendix D says of its settings and can be computed: rewards, their variance, expected gaps.

For d = 5 the mean of a random arm has a polynomial as its distribution function, so the expected gap is the integral of a polynomial.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import exp
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import experiments

_FRACTIONS = tuple(Fraction(place, 16) for place in range(2, 15))  # probability of the reward 1: means from -3/4 to 3/4


def moment_generating(theorem: Theorem) -> Iterator[At]:
    """The largest mean of exp(lambda (y - E y)) over the means of the setting and both signs of lambda."""
    for size in ("1/10", "1", "3", "10"):
        found = []
        for proportion in _FRACTIONS:
            for slope in (Fraction(size), -Fraction(size)):
                mean = 2 * proportion - 1
                found.append(proportion * exp(slope * (1 - mean)) + (1 - proportion) * exp(slope * (-1 - mean)))
        yield At({"lambda": size}, max(found), theorem.at(threshold=size).ball)


def variances(theorem: Theorem) -> Iterator[At]:
    for proportion in _FRACTIONS:
        mean = 2 * proportion - 1
        value = proportion * (1 - mean) ** 2 + (1 - proportion) * (-1 - mean) ** 2
        yield At({"mean": mean}, value, theorem.at(success=proportion).ball)


Polynomial = list[Fraction]  # coefficients, the constant first


def times(one: Polynomial, other: Polynomial) -> Polynomial:
    found = [Fraction(0)] * (len(one) + len(other) - 1)
    for place, left in enumerate(one):
        for shift, right in enumerate(other):
            found[place + shift] += left * right
    return found


def integral(polynomial: Polynomial, low: Fraction, high: Fraction) -> Fraction:
    return sum((part * (high ** (power + 1) - low ** (power + 1)) / (power + 1) for power, part in enumerate(polynomial)), Fraction(0))


def expected_gap(arms: int) -> Fraction:
    """The mean of 3/4 less the best of K - 1 arms, whose density on [-3/4, 3/4] is proportional to 1 - z^2 (d = 5)."""
    end = Fraction(3, 4)
    whole = integral([Fraction(1), Fraction(0), Fraction(-1)], -end, end)
    below: Polynomial = [(end - end**3 / 3) / whole, 1 / whole, Fraction(0), -1 / (3 * whole)]
    power = [Fraction(1)]
    for _ in range(arms - 1):
        power = times(power, below)
    return integral(power, -end, end)


def gaps(theorem: Theorem) -> Iterator[At]:
    for arms in (2, 3, 10, 25, 60):
        yield At({"K": arms}, expected_gap(arms), theorem.at(arms=arms).ball)


_MEANS = "means -3/4 to 3/4 in steps of 1/8"
SETTING = (
    Audit(
        experiments.SIGN_REWARDS.id,
        "points.both_signs",
        "the mean of exp(lambda (y - E y))",
        Pointwise(partial(moment_generating, experiments.SIGN_REWARDS), f"lambda 1/10 to 10, {_MEANS}", "moment generating function"),
    ),
    Audit(
        experiments.REWARD_VARIANCE.id,
        "points.two_rewards",
        "the variance of two values",
        Pointwise(partial(variances, experiments.REWARD_VARIANCE), _MEANS, "variance", Sense.EQUALS),
    ),
    *(
        Audit(
            theorem.id,
            "points.five_features",
            "the expected gap, an integral of a polynomial",
            Pointwise(partial(gaps, theorem), "d 5, K 2 to 60", "expected gap", theorem.stated().sense),
        )
        for theorem in (experiments.GAP_UPPER, experiments.GAP_LOWER)
    ),
)
