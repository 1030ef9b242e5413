"""charisopoulos_2023: plays of Algorithm 1's loop with the shipped sizes and counts, beside the budget and the sums of the proofs.

The worst design for the second model has one arm of nearly all the weight and k - 1 arms below nu: there every batch costs as much as its
bound allows, up to ceilings.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

import numpy as np

from banditproof.algorithms.designs.coreset import coreset_counts
from banditproof.algorithms.policies.robust_arm_elimination.constants import batch_size_parameter
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import fraction
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import budget

SUPPORT, LIGHT = 12, 1e-9
HORIZONS = (10**4, 10**5, 10**6)
PRODUCTS = (0, 1, 6)  # nu k
ROUNDING = Fraction(1, 10**9)  # of the shipped sizes, which are floats
Size = Callable[[int, int, int], float]


def batches_of(horizon: int) -> tuple[int, ...]:
    """The sheet's numbers of batches."""
    return 3, 5, math.ceil(math.log(horizon)), math.ceil(2.0 * math.log(horizon))


def played(horizon: int, batches: int, product: int, size: Size) -> list[int]:
    """Plays of the batches 1 to B - 1, for nu k = product; 0 is the first model."""
    weights = np.append(1.0 - (SUPPORT - 1) * LIGHT, np.full(SUPPORT - 1, LIGHT))
    least = product / SUPPORT if product > 0 else None
    return [int(coreset_counts(weights, max(size(horizon, batches, i), 1.0), least).sum()) for i in range(1, batches)]


def _cells() -> Iterator[tuple[int, int, int]]:
    for horizon in HORIZONS:
        for batches in batches_of(horizon):
            for product in PRODUCTS:
                yield horizon, batches, product


def _known(horizon: int, batches: int, product: int) -> dict[str, object]:
    return {"T": horizon, "B": batches, "nu k": product, "k": SUPPORT}


def explored(size: Size, sense: Sense) -> Iterator[At]:
    """The loop's plays beside sum q^i: at least it; at most it times 1 + nu k, and a play more per arm and batch."""
    for horizon, batches, product in _cells():
        sums = fraction(budget.SUM_OF_EXPLORATION.at(horizon=horizon, batches=batches).ball)
        plays = sum(played(horizon, batches, product, size))
        most = sums * (1 + product) + (batches - 1) * SUPPORT
        claimed = most if sense is Sense.AT_MOST else sums * (1 - ROUNDING)
        yield At({**_known(horizon, batches, product), "plays/T": plays / horizon}, plays, claimed)


def fitting(size: Size) -> Iterator[At]:
    """How many batches fit one after the other, beside how many certainly do."""
    for horizon, batches, product in _cells():
        plays = np.cumsum(played(horizon, batches, product, size))
        claimed = budget.BATCHES_THAT_FIT.at(
            horizon=horizon, batches=batches, support=SUPPORT, truncation_parameter=Fraction(max(product, LIGHT)) / SUPPORT
        ).ball
        yield At(_known(horizon, batches, product), int((plays <= horizon).sum()), claimed)


def within_horizon(size: Size, chosen: Callable[[int], tuple[int, ...]]) -> Iterator[At]:
    """The first model's plays beside T."""
    for horizon in HORIZONS:
        for batches in chosen(horizon):
            yield At(_known(horizon, batches, 0), sum(played(horizon, batches, 0, size)), horizon)


def few(horizon: int) -> tuple[int, ...]:
    """Numbers of batches with q >= 2 and a little more for the ceilings: B <= log T."""
    return 3, 5, math.floor(math.log(horizon))


def summed(size: Size) -> Iterator[At]:
    """Sum q^i over i = 1..B beside T, which (58) says it is at most, at nu k = 0 as the weakest case."""
    for horizon in HORIZONS:
        for batches in batches_of(horizon):
            total = sum(size(horizon, batches, i) for i in range(1, batches + 1))
            yield At(_known(horizon, batches, 0), Fraction(total), Fraction(horizon))


CELLS = "T = 1e4, 1e5, 1e6, B = 3, 5, ceil(log T), ceil(2 log T), nu k = 0, 1, 6"
BUDGET = (
    Audit(
        budget.SUM_OF_EXPLORATION.id,
        "points.plays_at_least",
        "plays of the loop are at least the sum of its sizes",
        Pointwise(partial(explored, batch_size_parameter, Sense.AT_LEAST), CELLS, "plays", Sense.AT_LEAST),
    ),
    Audit(
        budget.SUM_OF_EXPLORATION.id,
        "points.plays_at_most",
        "plays of the loop are at most 1 + nu k times the sum of its sizes, and a play per arm and batch",
        Pointwise(partial(explored, batch_size_parameter, Sense.AT_MOST), CELLS, "plays"),
    ),
    Audit(
        budget.BATCHES_THAT_FIT.id,
        "points.batches",
        "batches that fit, one after the other",
        Pointwise(partial(fitting, batch_size_parameter), CELLS, "batches", Sense.AT_LEAST),
    ),
    Audit(
        budget.BATCHES_OF_THE_LOOP.id,
        "points.few_batches",
        "plays of the loop within the horizon, for at most log T batches",
        Pointwise(partial(within_horizon, batch_size_parameter, few), "the same T, B = 3, 5, floor(log T)", "plays"),
    ),
    Audit(
        budget.BATCHES_OF_THE_LOOP.id,
        "points.within_horizon_as_printed",
        "plays of the loop within the horizon, for every B",
        Pointwise(partial(within_horizon, batch_size_parameter, batches_of), CELLS, "plays"),
        Verdict.REFUTED,
    ),
    Audit(
        budget.SIZES_IN_HORIZON.id,
        "points.sum_of_sizes_as_printed",
        "the sum of all sizes against T, where (58) has T over 1 + nu k",
        Pointwise(partial(summed, batch_size_parameter), CELLS, "sum of sizes"),
        Verdict.REFUTED,
    ),
)
