"""Parameters in a key: what differs is described differently, and the same way in every process."""

import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pytest

from banditproof.algorithms.policies import tree_ucb, ucb1
from banditproof.audits.running.parameters import described
from banditproof.kernels import compiled


class Plain:
    def __init__(self, number: int) -> None:
        self.number = number

    def method(self) -> int:
        return self.number


def by_default(number: int) -> Callable[..., Any]:
    def function(x: int = number, *, y: int = number) -> int:
        return x + y

    return function


def inside(number: int) -> Any:
    def _inner(x):
        return x + number

    inner = compiled(_inner)

    def _outer(x):
        return inner(x)

    return compiled(_outer)


def objects(number: int) -> Any:
    found = np.empty(2, dtype=object)
    found[:] = ["a", Plain(number)]
    return found


def closed(number: int) -> Callable[[], int]:
    return lambda: number


MAKERS: list[Callable[[int], Any]] = [
    np.int64,
    np.float32,
    lambda number: np.bool_(number > 1),
    complex,
    lambda number: bytes([number]),
    Decimal,
    range,
    by_default,
    Plain,
    lambda number: Plain(number).method,
    objects,
    inside,
    closed,
    lambda number: partial(max, number),
    lambda number: {"a": (number, [number])},
    lambda number: np.arange(number),
]


@pytest.mark.parametrize("made", MAKERS)
def test_values_that_differ_are_described_differently(made: Callable[[int], Any]) -> None:
    """Would catch a kept result, or a kept run, of other parameters."""
    assert described(made(1)) == described(made(1)) != described(made(2))


def test_kernels_are_told_apart() -> None:
    assert described(tree_ucb.KERNELS.choose) != described(ucb1.KERNELS.choose)


def test_descriptions_are_those_of_another_process() -> None:
    """Would catch an address, or an order of a set, in a key."""
    code = "from tests.audits.running.test_parameters import *; print([described(made(3)) for made in MAKERS])"
    printed = {subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout for _ in range(2)}
    assert printed == {f"{[described(made(3)) for made in MAKERS]}\n"}
