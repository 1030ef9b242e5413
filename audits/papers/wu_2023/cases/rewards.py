"""wu_2023: the means and the rewards of every environment of the paper, number by number beside their definitions.

CALLED   means, and the rewards of every arm in each of some rounds, from the kernels in plain Python
PLAYED   rewards and regret of compiled runs that play all arms in turn
ENDS     Student's rewards at the least and the largest words of a block, which no run of this length draws
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from banditproof import randomness
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.environments.student import Student
from banditproof.algorithms.environments.two_point import TwoPoint
from banditproof.audits.common.drawn_rewards import Paying, called, near, played
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.privacy.followed import Rebuilt
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Floats, Ints, Words
from banditproof.kernels import plain
from banditproof.theory.papers.wu_2023 import experiments, lower_bound, setting

ROUNDS, HORIZON = 80, 96  # more than a window of normals
Pays = Callable[[Floats, Ints], Floats]


def bernoulli(means: tuple[float, ...]) -> Paying:
    """1 where the round's number lies below the mean, else 0."""
    return Paying(Bernoulli(means), means, lambda drawn, arms: np.where(drawn[:, 0] < np.array(means)[arms], 1.0, 0.0))


def gaussian(centres: tuple[float, ...], deviations: tuple[float, ...]) -> Paying:
    """The centre and the deviation times a standard normal number."""

    def pays(drawn: Floats, arms: Ints) -> Floats:
        return np.asarray(np.array(centres)[arms] + np.array(deviations)[arms] * drawn[:, 4])

    return Paying(Gaussian(centres, deviations), centres, pays)


def pareto(shapes: tuple[float, ...], scales: tuple[float, ...], shifts: tuple[float, ...]) -> Paying:
    """The shift and x with P(X > x) = (scale/x)^shape = 1 - u; by the tail integral the mean of X is scale + scale/(shape - 1)."""

    def pays(drawn: Floats, arms: Ints) -> Floats:
        shape, scale, shift = (np.array(each)[arms] for each in (shapes, scales, shifts))
        return np.asarray(shift + scale * np.exp(-np.log(1.0 - drawn[:, 0]) / shape))

    means = tuple(x + s + s / (a - 1.0) for a, s, x in zip(shapes, scales, shifts, strict=True))
    return Paying(Pareto(shapes, scales, shifts), means, pays)


def student(centres: tuple[float, ...], scales: tuple[float, ...], degrees: tuple[float, ...]) -> Paying:
    """Bailey's formula: sqrt(nu (u^(-2/nu) - 1)) cos(2 pi v), with u moved away from 0 by 2^-53."""

    def pays(drawn: Floats, arms: Ints) -> Floats:
        centre, scale, nu = (np.array(each)[arms] for each in (centres, scales, degrees))
        size = np.sqrt(nu * ((drawn[:, 0] + 2.0**-53) ** (-2.0 / nu) - 1.0))
        return np.asarray(centre + scale * size * np.cos(2.0 * math.pi * drawn[:, 1]))

    return Paying(Student(centres, scales, degrees), centres, pays)


def two_point(weights: tuple[Fraction, ...], gamma: Fraction, moment: int) -> Paying:
    """1/gamma with probability c gamma^k, else 0; the mean is c gamma^(k - 1)."""

    def pays(drawn: Floats, arms: Ints) -> Floats:
        return np.where(drawn[:, 0] < np.array([float(each * gamma**moment) for each in weights])[arms], float(1 / gamma), 0.0)

    return Paying(TwoPoint(weights, gamma, moment), tuple(float(each * gamma ** (moment - 1)) for each in weights), pays)


def _student_paid(environment: Student, first: int, second: int) -> list[float]:
    """The rewards of all arms in a round whose block has these two words, from the kernel in plain Python."""

    def block(_key: Words, _purpose: int, _index: int) -> tuple[np.uint64, ...]:
        return np.uint64(first), np.uint64(second), np.uint64(0), np.uint64(0)

    pay = Rebuilt({plain(randomness.block): block}).function(environment.reward)
    setup, words, contexts = environment.setup(), np.zeros(3, dtype=np.uint64), np.zeros((environment.arms, 0))
    return [pay(setup, np.zeros(0), 0, words, arm, contexts) for arm in range(environment.arms)]


def _student_ends() -> Iterator[At]:
    """T at u = 2^-53, 2^-52 and 1, and at cos(2 pi v) = 1, -1/sqrt(2) and -1."""
    centres, scales, degrees = (0.5, -1.0, 2.0), (2.0, 0.4, 1.0), (2.0, 3.0, 106.0)
    own = Student(centres, scales, degrees)
    for first, exponent in ((0, 53), (2048, 52), (2**64 - 1, 0)):
        for second, cosine in ((0, 1.0), (3 * 2**61, -math.sqrt(0.5)), (2**63, -1.0)):
            stated = [
                centre + scale * cosine * math.sqrt(nu * (2.0 ** (2.0 * exponent / nu) - 1.0))
                for centre, scale, nu in zip(centres, scales, degrees, strict=True)
            ]
            yield near({"first": first, "second": second}, stated, _student_paid, own, first, second)


_HALF, _THIRD = Fraction(1, 2), Fraction(1, 3)
CASES: dict[str, tuple[str, tuple[Paying, ...]]] = {
    "bernoulli": (setting.RAW_MOMENT_CLASS.id, (bernoulli((0.3, 0.7)), bernoulli((0.25, 0.0, 1.0, 0.5, 0.9)))),
    "gaussian": (
        lower_bound.GAUSSIAN_DEVIATION.id,
        (gaussian((0.4, -0.3), (0.5, 2.0)), gaussian((0.1, 0.7, -3.0, 0.2), (1.0, 0.3, 10.0, 0.7))),
    ),
    "pareto": (
        experiments.PARETO_MEAN.id,
        (pareto((3.0, 1.5), (40.0, 0.5), (7.5, -2.0)), pareto((2.5, 4.0, 1.1, 9.0), (1.0, 0.3, 2.0, 5.0), (-1.0, 2.0, 0.5, -3.0))),
    ),
    "student": (
        experiments.STUDENT_VARIANCE.id,
        (
            student((0.5, -1.0), (2.0, 0.4), (2.0017, 3.0)),
            student((1.5, 0.2, -2.0, 0.7), (0.6, 3.0, 1.0, 10.0), (1.1, 4.0, 9.0, 100.0)),
        ),
    ),
    "two_point": (
        lower_bound.TWO_POINT_PROBLEMS.id,
        (
            two_point((_HALF, Fraction(9, 10)), Fraction(4, 5), 2),
            two_point((_HALF, Fraction(1), Fraction(0), Fraction(3, 10)), Fraction(9, 10), 3),
            two_point((_THIRD, _HALF, Fraction(7, 10)), Fraction(1), 2),
        ),
    ),
}
CALLED = tuple(
    Audit(
        theorem,
        f"points.{name}_rewards_called",
        f"means and rewards of every arm, {name}",
        Pointwise(called(cases, ROUNDS), f"{len(cases)} environments, {ROUNDS} rounds", "distance"),
    )
    for name, (theorem, cases) in CASES.items()
)
PLAYED = tuple(
    Audit(
        theorem,
        f"points.{name}_rewards_played",
        f"rewards and regret of runs, {name}",
        Pointwise(played(cases, HORIZON), f"{len(cases)} environments, {HORIZON} rounds", "distance"),
    )
    for name, (theorem, cases) in CASES.items()
)
ENDS = Audit(
    experiments.STUDENT_VARIANCE.id,
    "points.student_ends",
    "Student's rewards at the ends of the words",
    Pointwise(_student_ends, "nine pairs of words", "distance"),
)
