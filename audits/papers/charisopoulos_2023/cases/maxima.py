"""charisopoulos_2023: largest noise of a batch, exactly: n independent tails of the shipped scale, beside the stated failure probability.

P(max > t) = 1 - (1 - p)^n with p the tail of one. The rewards' noise is Gaussian, which is one of those that the lemmas allow.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from banditproof.algorithms.mechanisms.client_reports import report_scale
from banditproof.audits.methods.coverage import Enumeration, Point
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import exp, fraction, log
from banditproof.theory.language import Theorem
from banditproof.theory.papers.charisopoulos_2023 import first_model, second_model

Scale = Callable[[float, int], float]
FAILURES, EPSILONS = ("1/2", "1/20", "1/100"), ("1/2", "1", "4")
MAXIMUM = 2  # c_max, which is not printed: with sqrt(2) in its place the union bound over two tails has no room
SIZE, LEAST, OWNED = 300, "1/10", 30  # of the second model: nu m = 30 rewards of an owner at least


def any_of(tail: Fraction, count: int) -> Fraction:
    """P(one of `count` independent events of probability `tail`), to 40 digits."""
    return 1 - ((1 - tail) ** count if count <= 100 else exp(count * log(1 - tail)))


def gaussian_tail(radius: Fraction) -> Fraction:
    """P(|N(0, 1)| > radius), to the digits of a float."""
    return Fraction(math.erfc(float(radius) / math.sqrt(2.0)))


def laplace_maxima(theorem: Theorem, scale: Scale) -> Iterator[Point]:
    """The largest Laplace noise of a batch of the first model (n reports) or the second (k owners of nu m rewards each)."""
    owners = theorem is second_model.LARGEST_LAPLACE_SECOND
    for count in (1, 100, 10**4):
        for epsilon in EPSILONS:
            for failure in FAILURES:
                known: dict[str, Any] = {"epsilon": epsilon, "failure": failure}
                known |= {"support": count, "size": SIZE, "truncation_parameter": LEAST} if owners else {"samples": count}
                radius = fraction(theorem.at(**known).ball)
                tail = exp(-radius / Fraction(scale(float(Fraction(epsilon)), OWNED if owners else 1)))
                yield Point(known, any_of(tail, count), Fraction(failure))


def gaussian_maxima(theorem: Theorem, deviation: float) -> Iterator[Point]:
    """The largest noise of n rewards, or of k means of nu m of them."""
    owners = theorem is second_model.LARGEST_MEAN_NOISE
    for count in (1, 100, 10**4):
        for failure in FAILURES:
            known: dict[str, Any] = {"failure": failure, "maximum_constant": MAXIMUM}
            known |= {"support": count, "size": SIZE, "truncation_parameter": LEAST} if owners else {"samples": count}
            radius = fraction(theorem.at(**known).ball)
            yield Point(known, any_of(gaussian_tail(radius / Fraction(deviation)), count), Fraction(failure))


DOMAIN = "1, 100 and 10^4 reports, delta = 1/2, 1/20, 1/100"
DEVIATION = {first_model.LARGEST_REWARD_NOISE.id: 1.0, second_model.LARGEST_MEAN_NOISE.id: 1.0 / math.sqrt(OWNED)}
MAXIMA = (
    *(
        Audit(
            theorem.id,
            "exact.maximum",
            "the largest Laplace noise of the shipped scale, exactly",
            Enumeration(partial(laplace_maxima, theorem, report_scale), f"{DOMAIN}, epsilon = 1/2, 1, 4"),
        )
        for theorem in (first_model.LARGEST_LAPLACE, second_model.LARGEST_LAPLACE_SECOND)
    ),
    *(
        Audit(
            theorem.id,
            "exact.maximum",
            f"the largest Gaussian noise with c_max = {MAXIMUM}, exactly",
            Enumeration(partial(gaussian_maxima, theorem, DEVIATION[theorem.id]), DOMAIN),
        )
        for theorem in (first_model.LARGEST_REWARD_NOISE, second_model.LARGEST_MEAN_NOISE)
    ),
)
