"""wu_2023: moments, rescaling and scales of the reward distributions, beside integrals and closed forms of their own.

GAUSSIAN, PARETO, STUDENT   moments by integrals over the density; second moments and the map of rewards, number by number
SCALES                      the scale into the unit class, where rounding would leave it, and the regret that comes back
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from banditproof.algorithms.environments import gaussian, pareto, student
from banditproof.algorithms.environments.common import scaling
from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.environments.student import Student
from banditproof.audits.common.drawn_rewards import near
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import power
from banditproof.interaction import Floats
from banditproof.theory.language import Theorem
from banditproof.theory.papers.wu_2023 import experiments, lower_bound, setting

OFFSET, SCALE = 2.0, 4.0
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(400)


def integral(function: Callable[[Floats], Floats], low: float, high: float) -> float:
    """By 400 nodes of Gauss and Legendre."""
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    return float(half * (_WEIGHTS @ function(middle + half * _NODES)))


def gaussian_moment(order: float) -> float:
    """E|X|^k of N(0, 1): with x = y^2 the integrand is 4 y^(2 k + 1) exp(-y^4/2)/sqrt(2 pi)."""
    return integral(lambda y: 4.0 * y ** (2.0 * order + 1.0) * np.exp(-(y**4) / 2.0), 0.0, 3.5) / math.sqrt(2.0 * math.pi)


def student_moment(order: float, degrees: float) -> float:
    """E|T|^k: with t = sqrt(nu) tan(a) the density becomes cos(a)^(nu - 1) over its own integral."""
    over = integral(lambda a: np.sin(a) ** order * np.cos(a) ** (degrees - 1.0 - order), 0.0, math.pi / 2.0)
    return float(degrees ** (order / 2.0) * over / integral(lambda a: np.cos(a) ** (degrees - 1.0), 0.0, math.pi / 2.0))


def pareto_moment(order: float, shape: float) -> float:
    """E X^k at scale 1: with x = 1/v^2 it is the integral of 2 s v^(2 (s - k) - 1) over (0, 1)."""
    return integral(lambda v: 2.0 * shape * v ** (2.0 * (shape - order) - 1.0), 0.0, 1.0)


def _gaussian() -> Iterator[At]:
    for order in (0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 4.0):
        stated = gaussian_moment(order)
        yield near({"k": order}, stated, gaussian.absolute_moment, order)
        yield near({"k": order, "s": 1.7}, stated * 1.7**order, gaussian.absolute_moment, order, 1.7)
    for moment in (2.0, 2.5, 3.0, 4.0):
        yield near({"unit": moment}, gaussian_moment(moment) ** (-1.0 / moment), gaussian.unit_standard_deviation, moment)
    own = Gaussian((3.0, -1.0, 0.5), (0.5, 2.0, 1.0))
    yield near({"of": "second moments"}, [9.25, 5.0, 1.25], own.second_moments)
    yield near({"of": "rescaled"}, [[0.25, -0.75, -0.375], [0.125, 0.5, 0.25]], _moved_gaussian, own)


def _moved_gaussian(own: Gaussian) -> list[tuple[float, ...]]:
    moved = own.rescaled(OFFSET, SCALE)
    return [moved.centres, moved.standard_deviations]


def _pareto() -> Iterator[At]:
    for shape, scale in ((3.0, 40.0), (2.5, 0.5), (6.0, 2.0)):
        first, second = (pareto_moment(order, shape) * scale**order for order in (1.0, 2.0))
        yield near({"mean": shape}, first, pareto.mean, shape, scale)
        yield near({"mean": shape, "shift": -2.5}, first - 2.5, pareto.mean, shape, scale, -2.5)
        yield near({"variance": shape}, second - first**2, pareto.variance, shape, scale)
        for order in (0.0, 1.5, 2.0):
            yield near({"shape": shape, "k": order}, pareto_moment(order, shape) * scale**order, pareto.raw_moment, order, shape, scale)
    own = Pareto((3.0, 5.0, 4.0), (2.0, 4.0, 3.0), (7.0, -6.0, 1.0))
    yield near({"of": "means"}, [10.0, -1.0, 5.0], own.means)
    yield near({"of": "second moments"}, [103.0, 1.0 + 5.0 / 3.0, 27.0], own.second_moments)  # variances 3, 5/3, 2
    yield near({"of": "rescaled"}, [[3.0, 5.0, 4.0], [0.5, 1.0, 0.75], [1.25, -2.0, -0.25]], _moved_pareto, own)


def _moved_pareto(own: Pareto) -> list[tuple[float, ...]]:
    moved = own.rescaled(OFFSET, SCALE)
    return [moved.shapes, moved.scales, moved.shifts]


def _student() -> Iterator[At]:
    for order, degrees in ((0.0, 3.0), (1.0, 2.0), (1.0, 3.0), (2.0, 3.0), (2.0, 7.0), (3.0, 9.0), (2.5, 12.5), (4.0, 9.0)):
        stated = student_moment(order, degrees)
        yield near({"k": order, "nu": degrees}, stated, student.absolute_moment, order, degrees)
        yield near({"k": order, "nu": degrees, "scale": 0.6}, stated * 0.6**order, student.absolute_moment, order, degrees, 0.6)
    for degrees in (3.0, 4.0, 9.0):
        stated = student_moment(2.0, degrees)
        yield near({"variance": degrees}, stated, student.variance, degrees)
        yield near({"variance": degrees, "scale": 2.5}, 6.25 * stated, student.variance, degrees, 2.5)
    own = Student((3.0, -1.0, 0.5), (2.0, 0.5, 1.0), (4.0, 3.0, 6.0))
    yield near({"of": "second moments"}, [17.0, 1.75, 1.75], own.second_moments)
    yield near({"of": "rescaled"}, [[0.25, -0.75, -0.375], [0.5, 0.125, 0.25], [4.0, 3.0, 6.0]], _moved_student, own)


def _moved_student(own: Student) -> list[tuple[float, ...]]:
    moved = own.rescaled(OFFSET, SCALE)
    return [moved.centres, moved.noise_scales, moved.degrees]


# In each the root of the largest moment, rounded, leaves the class by an ulp.
_ROUNDED = (((0.2,), 2.0), ((1.2, 3.0, 1.1), 2.0), ((0.1, 0.7), 3.0), ((5.0, 1.0, 0.0), 3.0), ((0.3, 0.2), 2.5), ((2.0, 0.25), 4.0))


def _leaves(moments: tuple[float, ...], order: float) -> float:
    """1 where a moment of the rescaled rewards is above 1."""
    scale = scaling.unit_scale(moments, order)
    return float(any(each / scale**order > 1.0 for each in moments))


def _off(moments: tuple[float, ...], order: float) -> float:
    """How far the scale is from the root of the largest moment, relative to it, in units of 2^-50."""
    root = float(power(Fraction(max(moments)), 1 / Fraction(order)))
    return math.floor(abs(scaling.unit_scale(moments, order) / root - 1.0) * 2.0**50)


def _scales() -> Iterator[At]:
    for moments, order in _ROUNDED:
        if max(moments) / (max(moments) ** (1.0 / order)) ** order <= 1.0:
            raise ValueError(f"moments = {moments}: must be some whose root leaves the class")
        yield near({"moments": moments, "k": order, "of": "those that leave the class"}, 0.0, _leaves, moments, order)
        yield near({"moments": moments, "k": order}, 0.0, _off, moments, order)
    yield near({"of": "k = 2 by default"}, math.sqrt(3.0), scaling.unit_scale, (3.0, 0.2))
    yield near({"of": "regret"}, 7.5, scaling.rescaled_regret, 3.0, 2.5)


def _audit(theorem: Theorem, name: str, points: Callable[[], Iterator[At]]) -> Audit:
    return Audit(theorem.id, f"points.{name}", f"{name.replace('_', ' ')}", Pointwise(points, "the listed parameters", "distance"))


AUDITS = (
    _audit(lower_bound.GAUSSIAN_DEVIATION, "gaussian_moments", _gaussian),
    _audit(experiments.PARETO_VARIANCE, "pareto_moments", _pareto),
    _audit(experiments.STUDENT_VARIANCE, "student_moments", _student),
    _audit(setting.RAW_MOMENT_CLASS, "unit_scales", _scales),
)
