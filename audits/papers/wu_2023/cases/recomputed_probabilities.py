"""Probabilities of one elimination and of a noisy maximum (`policies.elimination.probabilities`), beside numerical integrals of products of
distribution functions: Gauss rules between all kinks, with nothing in closed form but the Laplace distribution function itself."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from banditproof.algorithms.policies.elimination import probabilities
from banditproof.audits.common.beside import beside, refused
from banditproof.audits.methods.pointwise import At
from banditproof.interaction import Floats
from banditproof.theory.papers.wu_2023 import privacy

_NEAR = Fraction(1, 10**11)
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(40)
CENTRES: tuple[tuple[float, ...], ...] = (
    (0.0, 0.0),
    (0.3, -0.4),
    (1.0, 0.2, 0.2),
    (0.0, 2.5, -1.0, 0.7),
    (0.1, 0.1, 0.1, 0.1, 0.3),
    (-3.0, 0.5, 0.4, 2.0, 0.0, 0.9),
)


def below(values: Floats) -> Floats:
    """P(noise of scale 1 <= value)."""
    return np.asarray(np.where(values < 0.0, 0.5 * np.exp(-np.abs(values)), 1.0 - 0.5 * np.exp(-np.abs(values))))


def integral(function: Callable[[Floats], Floats], kinks: Sequence[float]) -> float:
    """Of the function times the density of the noise, which has kinks at 0 and at `kinks`; beyond 60 nothing counts."""
    ends = sorted({-60.0, 60.0, 0.0, *(kink for kink in kinks if abs(kink) < 60.0)})
    fine = [60.0]
    for left, right in itertools.pairwise(ends):
        parts = math.ceil((right - left) / 10.0)
        fine += [left + (right - left) * part / parts for part in range(parts)]
    fine.sort()
    total = 0.0
    for left, right in itertools.pairwise(fine):
        y = (left + right) / 2.0 + (right - left) / 2.0 * _POINTS
        total += float(np.sum(function(y) * 0.5 * np.exp(-np.abs(y)) * _WEIGHTS)) * (right - left) / 2.0
    return total


def survival(places: Sequence[float], arm: int, gap: float) -> float:
    """P(no other arm lies more than the gap above this one)."""
    shifts = [places[arm] + gap - place for other, place in enumerate(places) if other != arm]
    return integral(lambda y: np.prod([below(y + shift) for shift in shifts], axis=0), [-shift for shift in shifts])


def left_over(places: Sequence[float], survivors: Sequence[int], gap: float) -> float:
    """P(exactly these arms lie within the gap of the largest), by which of them is the largest."""
    total = 0.0
    for best in survivors:
        others = [(places[best] - place, other in survivors) for other, place in enumerate(places) if other != best]

        def together(y: Floats, others: list[tuple[float, bool]] = others) -> Floats:
            parts = [below(y + shift) - below(y + shift - gap) if kept else below(y + shift - gap) for shift, kept in others]
            return np.asarray(np.prod(parts, axis=0))

        total += integral(together, [end for shift, _ in others for end in (-shift, gap - shift)])
    return total


def _at(where: dict[str, object], found: float, expected: float) -> At:
    return At(where, Fraction(abs(found - expected) if math.isfinite(found) else 1e9), _NEAR)


def points() -> Iterator[At]:
    for centres, scale, radius in itertools.product(CENTRES, (0.2, 1.7), (0.0, 0.15, 1.1)):
        where: dict[str, object] = {"centres": str(centres), "scale": scale, "radius": radius}
        places, gap = [centre / scale for centre in centres], 2.0 * radius / scale
        for arm in range(len(centres)):
            found = probabilities.elimination_probability(centres, arm, scale=scale, radius=radius)
            yield _at({**where, "eliminated": arm}, found, 1.0 - survival(places, arm, gap))
            if radius == 0.0:
                found = probabilities.largest_probability(centres, arm, scale=scale)
                yield _at({**where, "largest": arm}, found, survival(places, arm, 0.0))
        for size in range(1, min(len(centres), 4) + 1):
            survivors = tuple(range(len(centres)))[-size:]
            found = probabilities.outcome_probability(centres, survivors, scale=scale, radius=radius)
            yield _at({**where, "left": str(survivors)}, found, left_over(places, survivors, gap))
    for far, scale in itertools.product((0.0, 0.3, -0.3, 4.0, -9.0), (0.5, 2.0)):
        expected = survival((-far / scale, 0.0), 0, 0.0)
        yield _at({"distance": far, "scale": scale}, probabilities.difference_tail(far, scale=scale), expected)


def refusals() -> Iterator[At]:
    two = (0.0, 1.0)
    told = {"centres": ((0.0,), (0.0, math.inf), (math.nan, 1.0)), "scale": (0.0, -1.0), "radius": (-1.0,)}
    wrong: dict[str, tuple[object, ...]] = {**told, "arm": (-1, 2)}
    yield from refused({}, probabilities.elimination_probability, wrong, centres=two, arm=1, scale=1.0, radius=1.0)
    wrong = {**told, "survivors": ((0, 0), (2,), (-1,))}
    yield from refused({}, probabilities.outcome_probability, wrong, centres=two, survivors=(0, 1), scale=1.0, radius=1.0)
    yield from refused({}, probabilities.largest_probability, {"place": (-1, 2)}, centres=two, place=1, scale=1.0)


_ID = privacy.TRUNCATED_MEAN_SCALE.id
AUDITS = (
    beside(_ID, "probabilities_recomputed", "probabilities of an elimination beside numerical integrals", points, "six lists of means"),
    beside(_ID, "probabilities_refuse", "what the probabilities refuse", refusals, "listed values"),
)
