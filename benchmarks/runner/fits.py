r"""How cost grows with a size: the exponent of a power, with a confidence bound from the scatter of repeated fits.

In repeat r the costs c_{r,i} at sizes s_i are fitted by log c = a_r + b_r log s (least squares). The slopes b_1, ..., b_R are treated as
i.i.d. Gaussian, so that mean(b) - t_{R-1, 1-alpha} sd(b) / sqrt(R) is a lower confidence bound on the exponent at level 1 - alpha. A method
grows too fast where that bound exceeds what is allowed: noise alone causes that with probability at most alpha = 0.001 per fit.
Costs that are counted exactly have one fit and no scatter: the exponent itself must not exceed what is allowed by more than 0.02.

A fixed part of the cost lowers the exponent over a finite range (a + b s), so the sizes are such that the part that grows dominates.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.runner.cases import Growth, Scale

LEVEL, REPEATS, CALLS = 1e-3, {Scale.FULL: 6, Scale.QUICK: 4}, {Scale.FULL: 2, Scale.QUICK: 1}
TOLERANCE = 0.02  # of a counted cost, which has no scatter; it is all that objects of the interpreter add


@dataclass(frozen=True)
class Exponent:
    """The mean slope, its lower confidence bound, and what is allowed."""

    name: str
    variable: str
    sizes: tuple[int, ...]
    measured: float
    low: float
    allowed: float
    model: str
    counted: bool = False

    def exceeds(self) -> bool:
        return self.low > self.allowed + (TOLERANCE if self.counted else 0.0)

    def complaint(self) -> str:
        """One line for a cost that grows too fast."""
        return (
            f"{self.name}: cost grows as {self.variable}^{self.measured:.2f} (at least {self.low:.2f} at level {1 - LEVEL:g})"
            f" for {self.variable} = {self.sizes[0]:,} .. {self.sizes[-1]:,}: must be <= {self.allowed:g} ({self.model})"
        )


def slope(sizes: Sequence[int], costs: Sequence[float]) -> float:
    """Least squares in logarithms. Raises ValueError unless there are two sizes, and costs are positive."""
    if len(sizes) < 2 or len(sizes) != len(costs) or min(costs) <= 0.0:
        raise ValueError(f"sizes {tuple(sizes)}, costs {tuple(costs)}: must be at least two of each, as many, and costs > 0")
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def power_of(cost: Callable[[int], float], sizes: Sequence[int]) -> float:
    """The exponent that a cost like n log n has at these sizes."""
    return slope(sizes, [cost(size) for size in sizes])


def lower_bound(slopes: Sequence[float]) -> float:
    """On the mean of the slopes, at level 1 - LEVEL; the slope itself where there is one."""
    if len(slopes) == 1:
        return slopes[0]
    from scipy.special import stdtrit

    quantile = float(stdtrit(len(slopes) - 1, 1.0 - LEVEL))
    return float(np.mean(slopes)) - quantile * float(np.std(slopes, ddof=1)) / math.sqrt(len(slopes))


def fitted(growth: Growth, scale: Scale) -> Exponent:
    """Measures and fits. Sizes are visited in turn within a repeat; the cost of a size is the least of several calls."""
    works = [growth.prepare(size) for size in growth.sizes]
    if growth.counts:
        slopes = [slope(growth.sizes, [_counted(work) for work in works])]
    else:
        for work in works:
            work()
        slopes = [slope(growth.sizes, _least(works, CALLS[scale])) for _ in range(REPEATS[scale])]
    sizes = tuple(growth.sizes)
    mean = float(np.mean(slopes))
    return Exponent(growth.name, growth.variable, sizes, mean, lower_bound(slopes), growth.allowed, growth.model, growth.counts)


def _counted(work: Callable[[], object]) -> float:
    cost = work()
    if not isinstance(cost, int | float):
        raise TypeError(f"cost = {cost!r}: must be a number, as the growth counts")
    return float(cost)


def _least(works: Sequence[Callable[[], object]], calls: int) -> list[float]:
    least = [math.inf] * len(works)
    for _ in range(calls):
        for place, work in enumerate(works):
            start = time.process_time()
            work()
            least[place] = min(least[place], time.process_time() - start)
    return least
