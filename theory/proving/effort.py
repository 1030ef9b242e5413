"""Counts the work of the search and of the checker, so that a budget holds for rewriting as well as for boxes.

Main definitions
    charge     counts units of work: a node of a tape on a box, a product of two terms, a node of a normal form
    cached     a cache whose hits cost what the first computation cost
    limited    a block that may cost so much: raises Exhausted beyond that
    total      units since the process began

The units depend on the claim alone: not on the machine, its load, or on what has been computed before. So a verdict is the same on every
run. A unit takes some microseconds; the largest step that is charged as one is far below a fifth of the smallest budget.
"""

import contextlib
import functools
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Generic, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

LOOK = 4096  # units between two looks at a clock


class Exhausted(Exception):
    """More work than the block was allowed."""


@dataclass
class _Count:
    """Units so far, and where the innermost block has to stop."""

    units: int = 0
    end: int | None = None
    in_time: Callable[[], bool] | None = None
    looked: int = 0


_COUNT = _Count()


@dataclass
class _Entry(Generic[Result]):
    """A result, and what it cost."""

    result: Result
    units: int
    counted: bool = False


def total() -> int:
    """Units since the process began."""
    return _COUNT.units


def charge(units: int) -> None:
    """Counts work that is about to be done, or was just done. Raises Exhausted."""
    _COUNT.units += units
    if _COUNT.end is not None and _COUNT.units > _COUNT.end:
        raise Exhausted
    if _COUNT.in_time is not None and _COUNT.units - _COUNT.looked > LOOK:
        _COUNT.looked = _COUNT.units
        if not _COUNT.in_time():
            raise Exhausted


@contextlib.contextmanager
def limited(units: int, in_time: Callable[[], bool] | None = None) -> Iterator[None]:
    """A block that may cost so many units, and last as long as `in_time` says; within another block, no more than that one has left."""
    before = (_COUNT.end, _COUNT.in_time)
    own = _COUNT.units + units
    _COUNT.end = own if before[0] is None else min(own, before[0])
    _COUNT.in_time = in_time or before[1]
    try:
        yield
    finally:
        _COUNT.end, _COUNT.in_time = before


def cached(size: int) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """A cache of so many results. A hit is charged what the computation was, so that the count does not depend on what was asked before."""

    def decorate(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        untyped: Callable[..., Result] = function

        @functools.lru_cache(maxsize=size)
        def kept(*arguments: Hashable) -> _Entry[Result]:
            begun = _COUNT.units
            result = untyped(*arguments)
            return _Entry(result, _COUNT.units - begun)

        @functools.wraps(function)
        def counted(*arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
            if named:
                raise TypeError("arguments by position only")
            entry = kept(*arguments)
            if entry.counted:
                charge(entry.units)
            entry.counted = True  # what was computed just now was counted on the way
            return entry.result

        return counted

    return decorate
