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
from banditproof.audits.common.drawn_rewards import NEARLY, apart
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
        yield At({"k": order}, apart(lambda k=order: gaussian.absolute_moment(k), stated), NEARLY)  # type: ignore[misc]
        found = apart(lambda k=order: gaussian.absolute_moment(k, 1.7), stated * 1.7**order)  # type: ignore[misc]
        yield At({"k": order, "s": 1.7}, found, NEARLY)
    for moment in (2.0, 2.5, 3.0, 4.0):
        found = apart(lambda k=moment: gaussian.unit_standard_deviation(k) ** k * gaussian_moment(k), 1.0)  # type: ignore[misc]
        yield At({"unit": moment}, found, NEARLY)
    own = Gaussian((3.0, -1.0, 0.5), (0.5, 2.0, 1.0))
    yield At({"of": "second moments"}, apart(own.second_moments, [9.25, 5.0, 1.25]), NEARLY)
    mapped = own.rescaled(OFFSET, SCALE)
    yield At({"of": "centres"}, apart(lambda: mapped.centres, [0.25, -0.75, -0.375]), NEARLY)
    yield At({"of": "deviations"}, apart(lambda: mapped.standard_deviations, [0.125, 0.5, 0.25]), NEARLY)


def _pareto() -> Iterator[At]:
    for shape, scale in ((3.0, 40.0), (2.5, 0.5), (6.0, 2.0)):
        first, second = (pareto_moment(order, shape) * scale**order for order in (1.0, 2.0))
        yield At({"mean": shape}, apart(lambda s=shape, x=scale: pareto.mean(s, x), first), NEARLY)  # type: ignore[misc]
        moved = apart(lambda s=shape, x=scale: pareto.mean(s, x, -2.5), first - 2.5)  # type: ignore[misc]
        yield At({"mean": shape, "shift": -2.5}, moved, NEARLY)
        spread = apart(lambda s=shape, x=scale: pareto.variance(s, x), second - first**2)  # type: ignore[misc]
        yield At({"variance": shape}, spread, NEARLY)
        for order in (0.0, 1.5, 2.0):
            stated = pareto_moment(order, shape) * scale**order
            found = apart(lambda k=order, s=shape, x=scale: pareto.raw_moment(k, s, x), stated)  # type: ignore[misc]
            yield At({"shape": shape, "k": order}, found, NEARLY)
    own = Pareto((3.0, 5.0, 4.0), (2.0, 4.0, 3.0), (7.0, -6.0, 1.0))
    means, seconds = [10.0, -1.0, 5.0], [103.0, 1.0 + 5.0 / 3.0, 27.0]  # variances 3, 5/3, 2
    yield At({"of": "means"}, apart(own.means, means), NEARLY)
    yield At({"of": "second moments"}, apart(own.second_moments, seconds), NEARLY)
    mapped = own.rescaled(OFFSET, SCALE)
    yield At({"of": "shapes"}, apart(lambda: mapped.shapes, [3.0, 5.0, 4.0]), NEARLY)
    yield At({"of": "scales"}, apart(lambda: mapped.scales, [0.5, 1.0, 0.75]), NEARLY)
    yield At({"of": "shifts"}, apart(lambda: mapped.shifts, [1.25, -2.0, -0.25]), NEARLY)


def _student() -> Iterator[At]:
    for order, degrees in ((0.0, 3.0), (1.0, 2.0), (1.0, 3.0), (2.0, 3.0), (2.0, 7.0), (3.0, 9.0), (2.5, 12.5), (4.0, 9.0)):
        stated = student_moment(order, degrees)
        found = apart(lambda k=order, nu=degrees: student.absolute_moment(k, nu), stated)  # type: ignore[misc]
        yield At({"k": order, "nu": degrees}, found, NEARLY)
        found = apart(lambda k=order, nu=degrees: student.absolute_moment(k, nu, 0.6), stated * 0.6**order)  # type: ignore[misc]
        yield At({"k": order, "nu": degrees, "scale": 0.6}, found, NEARLY)
    for degrees in (3.0, 4.0, 9.0):
        stated = student_moment(2.0, degrees)
        yield At({"variance": degrees}, apart(lambda nu=degrees: student.variance(nu), stated), NEARLY)  # type: ignore[misc]
        found = apart(lambda nu=degrees: student.variance(nu, 2.5), 6.25 * stated)  # type: ignore[misc]
        yield At({"variance": degrees, "scale": 2.5}, found, NEARLY)
    own = Student((3.0, -1.0, 0.5), (2.0, 0.5, 1.0), (4.0, 3.0, 6.0))
    yield At({"of": "second moments"}, apart(own.second_moments, [17.0, 1.75, 1.75]), NEARLY)
    mapped = own.rescaled(OFFSET, SCALE)
    yield At({"of": "centres"}, apart(lambda: mapped.centres, [0.25, -0.75, -0.375]), NEARLY)
    yield At({"of": "noise scales"}, apart(lambda: mapped.noise_scales, [0.5, 0.125, 0.25]), NEARLY)
    yield At({"of": "degrees"}, apart(lambda: mapped.degrees, [4.0, 3.0, 6.0]), NEARLY)


# In each the root of the largest moment, rounded, leaves the class by an ulp.
_ROUNDED = (((0.2,), 2.0), ((1.2, 3.0, 1.1), 2.0), ((0.1, 0.7), 3.0), ((5.0, 1.0, 0.0), 3.0), ((0.3, 0.2), 2.5), ((2.0, 0.25), 4.0))


def _scales() -> Iterator[At]:
    for moments, order in _ROUNDED:
        root = float(power(Fraction(max(moments)), 1 / Fraction(order)))
        if max(moments) / (max(moments) ** (1.0 / order)) ** order <= 1.0:
            raise ValueError(f"moments = {moments}: must be some whose root leaves the class")

        def leaves(moments: tuple[float, ...] = moments, order: float = order) -> float:
            scale = scaling.unit_scale(moments, order)
            return float(any(each / scale**order > 1.0 for each in moments))

        yield At({"moments": moments, "k": order, "of": "those that leave the class"}, apart(leaves, 0.0), NEARLY)
        found = apart(lambda m=moments, k=order: scaling.unit_scale(m, k), root)  # type: ignore[misc]
        yield At({"moments": moments, "k": order}, found, Fraction(1, 2**50))
    found = apart(lambda: scaling.unit_scale((3.0, 0.2)), math.sqrt(3.0))
    yield At({"of": "k = 2 by default"}, found, NEARLY)
    yield At({"of": "regret"}, apart(lambda: scaling.rescaled_regret(3.0, 2.5), 7.5), NEARLY)


def _audit(theorem: Theorem, name: str, points: Callable[[], Iterator[At]]) -> Audit:
    return Audit(theorem.id, f"points.{name}", f"{name.replace('_', ' ')}", Pointwise(points, "the listed parameters", "distance"))


AUDITS = (
    _audit(lower_bound.GAUSSIAN_DEVIATION, "gaussian_moments", _gaussian),
    _audit(experiments.PARETO_VARIANCE, "pareto_moments", _pareto),
    _audit(experiments.STUDENT_VARIANCE, "student_moments", _student),
    _audit(setting.RAW_MOMENT_CLASS, "unit_scales", _scales),
)
