"""ldp_linucb_2024: regrets and paths from below, beside exact sums over rounds of the instances that their derivations name.

What is left to the derivations in theory/papers/ldp_linucb_2024/floors.py: that the learner and its centre are at their limits in the first
of the three, and the entropy bound of the third. Runs that look at them are in tests/papers/ldp_linucb_2024/test_floors.py.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import exp, sqrt
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.ldp_linucb_2024 import floors

HALF = Fraction(1, 2)


def weak(theorem: Theorem) -> Iterator[At]:
    """Rounds T/2 to T at the limit, for the play of s e_2 that shows most of it before: the larger index is played, and its gap added."""
    for power in (2, 4, 6):
        horizon = 2 ** (8 * power)
        length, injected = Fraction(1, 2 ** (power + 1)), Fraction(1, 4**power)
        moments = (HALF, length**2 / 2)  # of e_1 and of s e_2, if s e_2 is always played
        first, second = (moment / (moment + injected) * sqrt(HALF) for moment in moments)
        best = length * sqrt(HALF)
        played = best / 2 if length / 2 * first >= length * second else best
        yield At({"T": horizon, "s": length}, Fraction(horizon, 4) * (best - played), theorem.at(horizon=horizon).ball)


def exploring(theorem: Theorem, reserve: Fraction) -> Iterator[At]:
    """Rounds that play x = 1 with the centre as low as it can be, 1/V - 1, at V between 1 and reserve * w^2, in T equal steps."""
    sigma = Fraction(9, 2)
    for horizon in (1, 10, 1000):
        square = 2 * (1 + horizon * (1 + sigma**2))
        cost = Fraction(0)
        for number in range(horizon):
            gram = 1 + (reserve * square - 1) * Fraction(number, horizon)
            cost += HALF if 1 / gram - 1 + sqrt(square / gram) > 0 else 0
        yield At({"T": horizon, "sigma": sigma}, cost, theorem.at(horizon=horizon).ball)


def learned(theorem: Theorem) -> Iterator[At]:
    """The sum of exp(-t/(8 d^3 sigma^4))/2 over t < T, at T = d^3 sigma^4, which is one of a geometric sequence."""
    for dimension, fourth in ((2, 1), (5, 1), (5, 16), (20, 81)):
        horizon = dimension**3 * fourth
        ratio = exp(-Fraction(1, 8 * horizon))
        value = (1 - exp(-Fraction(1, 8))) / (1 - ratio) / 2
        yield At({"d": dimension, "sigma^4": fourth, "T": horizon}, value, theorem.at(horizon=horizon).ball)


FLOORS = (
    Audit(
        floors.WEAK_DIRECTION.id,
        "points.limits_of_the_indices",
        "the second half of the rounds with the learner at its minimiser",
        Pointwise(partial(weak, floors.WEAK_DIRECTION), "T 2^16, 2^32, 2^48", "regret", Sense.AT_LEAST),
    ),
    Audit(
        floors.EXPLORING_ROUNDS.id,
        "points.lowest_centre",
        "rounds with the lowest centre, up to the largest noisy Gram matrix",
        Pointwise(partial(exploring, floors.EXPLORING_ROUNDS, Fraction(1)), "T 1, 10, 1000, sigma 9/2", "regret", Sense.AT_LEAST),
    ),
    Audit(
        floors.PATH_OF_ANY_LEARNER.id,
        "points.entropy_of_the_messages",
        "the sum of the least mean square errors",
        Pointwise(partial(learned, floors.PATH_OF_ANY_LEARNER), "d 2, 5, 20, sigma^4 1, 16, 81", "mean path", Sense.AT_LEAST),
    ),
)
