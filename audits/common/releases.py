"""What a mechanism releases, beside what its documentation says, number by number: the noise is drawn again from an equal generator.

`replayed` compares the numbers of `release`, `described` those of `neighbours()`, and `equal` any pair of numbers or arrays.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from banditproof.audits.methods.pointwise import At
from banditproof.guarantees import Guarantee
from banditproof.interaction import Floats
from banditproof.mechanism import Mechanism, Neighbours

CLOSE, FAR = Fraction(1, 10**11), Fraction(10**9)
RUNS = 3
Points = Callable[[], Iterator[At]]


def distance(value: Any, expected: Any) -> Fraction:
    """The largest distance of two arrays, relative to each number expected; far for other shapes, and where one alone is not finite."""
    mine, their = np.asarray(value, dtype=float), np.asarray(expected, dtype=float)
    if mine.shape != their.shape:
        return FAR
    finite = np.isfinite(their)
    if not np.array_equal(mine[~finite], their[~finite], equal_nan=True) or not np.isfinite(mine[finite]).all():
        return FAR
    sizes = np.where(their[finite] == 0.0, 1.0, np.abs(their[finite]))
    return Fraction(float((np.abs(mine[finite] - their[finite]) / sizes).max(initial=0.0)))


def equal(where: Mapping[str, Any], value: Any, expected: Any) -> At:
    """One number, or an array, beside what it must be."""
    return At(where, distance(value, expected), CLOSE)


def replayed(
    mechanism: Mechanism, data: Any, expected: Callable[[np.random.Generator, int], Any], *, seed: int = 7, runs: int = RUNS
) -> Iterator[At]:
    """A release beside `expected(rng, runs)`, which draws from a generator of the same state; both leave it in the same state."""
    mine, their = np.random.default_rng(seed), np.random.default_rng(seed)
    where = {"mechanism": str(mechanism), "data": str(data)[:60]}
    yield equal(where, mechanism.release(data, runs, mine), expected(their, runs))
    yield equal({**where, "compared": "the generator afterwards"}, mine.random(), their.random())


def described(mechanism: Mechanism, expected: Neighbours) -> Iterator[At]:
    """Each field of the neighbours beside what it must be: numbers of pairs exactly, ends of the range and sensitivity up to rounding."""
    found = mechanism.neighbours()
    for each in fields(expected):
        value, wanted = getattr(found, each.name), getattr(expected, each.name)
        where = {"mechanism": str(mechanism), "field": each.name}
        if each.name in ("low", "high", "sensitivity"):
            yield equal(where, value, wanted)
        else:
            yield At(where, int(value != wanted), 0)


class _Guaranteeing(Protocol):
    def guarantee(self) -> Guarantee | None: ...


def guaranteed(mechanism: _Guaranteeing, expected: Guarantee) -> At:
    """Whether the guarantee is this one."""
    return At({"mechanism": str(mechanism), "guarantee": str(expected)}, int(mechanism.guarantee() != expected), 0)


def one_moved(width: int, by: float) -> tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]:
    """The pair of answers of so many numbers that are 0 but for the first one of the second."""
    return (((0.0,) * width, (by, *(0.0,) * (width - 1))),)


def answers(width: int) -> Floats:
    """Numbers of an answer, all different, of either sign and size."""
    return np.array([(-1.0) ** place * (0.75 + 3.0 * place) for place in range(width)])


def refusals(attempts: Mapping[str, Callable[[], Any]]) -> Iterator[At]:
    """Whether each attempt raises ValueError, with a message that names a number or a shape."""
    for name, attempt in attempts.items():
        try:
            attempt()
        except ValueError as error:
            yield At({"refused": name}, int("must be" not in str(error)), 0)
        else:
            yield At({"refused": name}, 1, 0)
