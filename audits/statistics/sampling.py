"""Runs in cells that share one generator each, so that what is drawn depends on its address and not on who draws it."""

from collections.abc import Iterator

import numpy as np

from banditproof.interaction import Words
from banditproof.randomness import RELEASE, generator

CELL = 65_536  # runs that share one generator: part of what addresses a draw


def cells(key: Words, runs: int, cell: int = CELL) -> Iterator[tuple[int, np.random.Generator]]:
    """Runs in cells of one size, the last one shorter: how many, and their generator. A draw's address holds the size."""
    for number, start in enumerate(range(0, runs, cell)):
        yield min(cell, runs - start), generator(key, RELEASE, number)
