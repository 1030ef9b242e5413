"""Designs, coresets and budgets of charisopoulos_2023 with one mistake each."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from banditproof.algorithms.designs.coreset import coreset_counts
from banditproof.algorithms.policies.robust_arm_elimination.constants import batch_size_parameter
from banditproof.audits.methods.pointwise import Pointwise
from banditproof.audits.mutations import control, points_control
from banditproof.audits.papers.charisopoulos_2023.cases import budget as budget_cases
from banditproof.audits.papers.charisopoulos_2023.cases import coresets
from banditproof.audits.papers.charisopoulos_2023.cases import designs as cases
from banditproof.audits.papers.charisopoulos_2023.cases.designs import Arms
from banditproof.interaction import Floats, Ints
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import budget, confidence, designs, first_model, second_model


def uniform(arms: Arms) -> Floats:
    """All arms alike."""
    return np.full(arms.count, 1.0 / arms.count)


def misses_a_direction(arms: Arms) -> Floats:
    """The approximate design without its arm of largest weight, if it has another."""
    weights = cases.shipped(arms).copy()
    if np.count_nonzero(weights) > 1:
        weights[np.argmax(weights)] = 0.0
    return np.asarray(weights / weights.sum())


def misses_its_smallest(arms: Arms) -> Floats:
    """The support of d - 1 arms."""
    weights = cases.shipped(arms).copy()
    order = np.argsort(weights)[::-1]
    weights[order[max(1, arms.span - 1) :]] = 0.0
    return np.asarray(weights / weights.sum())


def rounded(weights: Floats, size: float, truncation: float | None) -> Ints:
    """Counts to the nearest integer, at least 1."""
    plays = size * np.maximum(weights, truncation or 0.0)
    return np.where(weights > 0.0, np.maximum(np.rint(plays), 1.0), 0.0).astype(np.int64)


def rounded_down(weights: Floats, size: float, truncation: float | None) -> Ints:
    """Counts rounded down."""
    return np.floor(np.where(weights > 0.0, size * np.maximum(weights, truncation or 0.0), 0.0)).astype(np.int64)


def one_more(weights: Floats, size: float, truncation: float | None) -> Ints:
    """A play more per arm than the ceiling, and one of each arm off the support."""
    return coreset_counts(weights, size, truncation) + 1


def added(weights: Floats, size: float, truncation: float | None) -> Ints:
    """The truncation once per arm of the set, and the ceiling of both: pi + nu for max(pi, nu), off the support too."""
    return np.ceil(size * (weights + 2.0 * (truncation or 0.0))).astype(np.int64)


def halved(weights: Floats, size: float, truncation: float | None) -> Ints:
    """Counts of half the size."""
    return coreset_counts(weights, size / 2.0, truncation)


DESIGNS = (
    control(
        "approximate_for_optimal",
        "the approximate design for the optimal one",
        designs.G_OPTIMAL,
        cases.certificate(cases.shipped, Sense.AT_MOST, 1.01),
    ),
    control(
        "misses_a_direction",
        "a design that misses a direction",
        designs.APPROXIMATE_LEVERAGE,
        cases.variance_audit(misses_a_direction),
    ),
    control(
        "uniform", "all arms in the support", designs.SUPPORT_FOR_CODE, cases.support_audit(uniform, cases.support_for_code, Sense.AT_MOST)
    ),
    control(
        "too_few_arms",
        "a support of d - 1 arms",
        designs.SPANNING_SUPPORT,
        cases.support_audit(misses_its_smallest, cases.spanning, Sense.AT_LEAST, 2),
    ),
)
CORESETS = (
    points_control(
        "rounded_down",
        "counts rounded down",
        designs.PLAYS_FLOOR,
        partial(coresets.plays, rounded_down, None, coresets.plays_floor),
        Sense.AT_LEAST,
    ),
    points_control("one_more", "a play more per arm", designs.PLAYS_FIRST, partial(coresets.plays, one_more, True, coresets.most_first)),
    points_control(
        "truncation_added", "nu added for every arm", designs.PLAYS_SECOND, partial(coresets.plays, added, False, coresets.most_second)
    ),
    points_control("half_the_size", "half of the plays", first_model.LEVERAGE_FIRST, partial(coresets.leverages, halved, True)),
    points_control(
        "rounded_in_57", "counts to the nearest integer, against (57)", budget.PLAYS_M2_PRINTED, partial(coresets.equal_weights, rounded)
    ),
)


@dataclass(frozen=True)
class Growing:
    """Sizes of batches with another exponent."""

    extra: int

    def __call__(self, horizon: int, batches: int, batch_index: int) -> float:
        return batch_size_parameter(horizon, batches, batch_index + self.extra)


BUDGET = (
    points_control(
        "batch_too_many",
        "sizes q^(i+1)",
        budget.SUM_OF_EXPLORATION,
        partial(budget_cases.explored, Growing(1), Sense.AT_MOST),
    ),
    points_control("larger_batches", "sizes q^(i+1)", budget.BATCHES_THAT_FIT, partial(budget_cases.fitting, Growing(1)), Sense.AT_LEAST),
    points_control(
        "one_batch_more",
        "the loop plays batch B too",
        budget.BATCHES_OF_THE_LOOP,
        partial(budget_cases.within_horizon, Growing(1), budget_cases.few),
    ),
    points_control("one_size_more", "the sum of q^2 to q^(B+1)", budget.SIZES_IN_HORIZON, partial(budget_cases.summed, Growing(1))),
)
SPANNED = (
    control(
        "spans_less",
        "a support that misses a direction",
        second_model.LEVERAGE_SECOND,
        Pointwise(partial(coresets.leverages, coreset_counts, False, misses_a_direction), "the points of its audit", "leverage"),
    ),
    points_control(
        "counts_twice",
        "each report counted twice in n",
        confidence.LEVERAGE_FLOOR,
        partial(coresets.floors, coreset_counts, 2),
        Sense.AT_LEAST,
    ),
)
