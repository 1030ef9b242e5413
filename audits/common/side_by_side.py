"""Points that set what the shipped code computes beside what a transcription does: numbers in the bits, distances, refusals.

A mistake may raise an exception on the way; then there is one point that no claim allows, so that it refutes like a wrong number.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from banditproof.audits.common.beside import unbroken
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.theory.language import Sense

FAR = 10**9
Points = Callable[[], Iterator[At]]
Refusal = tuple[str, Callable[[Any], Any], tuple[Any, ...], tuple[Any, ...]]  # a name, a call, what it refuses, what it takes


def number(value: float) -> Fraction:
    """The value, or a large one in place of NaN and infinities."""
    return Fraction(value) if isfinite(value) else Fraction(FAR)


def unequal(shipped: Any, expected: Any) -> int:
    """How many numbers of two arrays differ, NaN being equal to NaN; a large number where the shapes do."""
    one, other = np.asarray(shipped, dtype=float), np.asarray(expected, dtype=float)
    return FAR if one.shape != other.shape else int(np.count_nonzero(~((one == other) | (np.isnan(one) & np.isnan(other)))))


def distance(shipped: Any, expected: Any) -> Fraction:
    """The largest distance of two numbers of arrays, relative to the one expected, or to 1; a large number where one is none."""
    one, other = np.asarray(shipped, dtype=float), np.asarray(expected, dtype=float)
    if one.shape != other.shape:
        return Fraction(FAR)
    return number(float((np.abs(one - other) / np.maximum(1.0, np.abs(other))).max(initial=0.0)))


def beside(points: Points, domain: str, quantity: str) -> Pointwise:
    """That no value is above what is claimed at its point, and that nothing is raised."""
    return Pointwise(unbroken(points), domain, quantity, Sense.AT_MOST)


def refusals(rows: Iterable[Refusal]) -> Iterator[At]:
    """Of each call how many values it takes that it must refuse with a ValueError, and how many it refuses that it must take."""
    for name, call, wrong, right in rows:
        for value in (*wrong, *right):
            try:
                call(value)
                refused = False
            except ValueError:
                refused = True
            yield At({"of": name, "value": str(value)}, int(refused != (value in wrong)), 0)
