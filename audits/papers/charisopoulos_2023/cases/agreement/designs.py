"""charisopoulos_2023: supports, plays and steps of a design beside the statements that they transcribe."""

import math
from dataclasses import replace

import numpy as np

from banditproof.algorithms.designs import approximate, coreset
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.glossary import DIMENSION, Domain
from banditproof.glossary.charisopoulos_2023 import ACTIVE_WEIGHT, DESIGN_CONSTANT, DESIGN_LEVERAGE, SIZE, SUPPORT, TRUNCATION_PARAMETER
from banditproof.theory.papers.charisopoulos_2023 import budget, designs

TWO = replace(DIMENSION, domain=Domain(2, low_open=False, integer=True))
SEVERAL = replace(DIMENSION, domain=Domain(2, 31, low_open=False, integer=True))
COUNTABLE = replace(SIZE, domain=Domain(1.0, 1e9, low_open=False))
POINTS = 60  # where an implicit integer is sought, or a matrix is inverted


def taken(dimension: float, design_leverage: float) -> tuple[float, float]:
    """The step that `advance` takes to an arm of this variance, from d unit vectors of weight 1/d; what it multiplies det M by."""
    size = int(dimension)
    arms = np.vstack([np.eye(size), math.sqrt(design_leverage / size) * np.eye(size)[:1]])
    weights = np.append(np.full(size, 1.0 / size), 0.0)
    approximate.advance(arms, weights, size * np.eye(size), float(size), 1)
    moment = (arms * weights[:, None]).T @ arms
    return float(weights[-1]), float(np.prod(size * np.diagonal(moment)))


def _step(dimension: float, design_leverage: float) -> float:
    return taken(dimension, design_leverage)[0]


def _gain(dimension: float, design_leverage: float) -> float:
    return taken(dimension, design_leverage)[1]


def _plays_first(size: float, support: float) -> float:
    return coreset.most_plays(size, int(support))


def _plays_second(size: float, support: float, truncation_parameter: float) -> float:
    return coreset.most_plays(size, int(support), truncation_parameter)


def _count_first(size: float, active_weight: float) -> float:
    return float(coreset.coreset_counts(np.array([active_weight, 1.0 - active_weight]), size)[0])


def _count_second(size: float, active_weight: float, truncation_parameter: float) -> float:
    return float(coreset.coreset_counts(np.array([active_weight, 1.0 - active_weight]), size, truncation_parameter)[0])


def _printed(dimension: float, design_constant: float) -> float:
    return approximate.printed_support_bound(int(dimension), design_constant)


# Up to 1e6: beyond it the number of the paper's own logarithm has fewer digits than the comparison asks for.
_ABOVE = replace(DESIGN_LEVERAGE, domain=Domain(1.01, 1e6))
SUPPORTS = (
    agreement("support_bound", Agreement(designs.SUPPORT_FOR_CODE, lambda dimension: approximate.support_bound(int(dimension)))),
    agreement("printed_support_bound", Agreement(designs.SUPPORT_BOUND, _printed, (TWO, DESIGN_CONSTANT))),
    agreement(
        "default_target",
        Agreement(designs.APPROXIMATE_LEVERAGE, lambda dimension: approximate.default_target(int(dimension))),
    ),
)
STEPS = (
    agreement("advance", Agreement(designs.FRANK_WOLFE, _step, (SEVERAL, _ABOVE), points=POINTS)),
    agreement("advance", Agreement(designs.DETERMINANT_GAIN, _gain, (SEVERAL, _ABOVE), points=POINTS)),
)
PLAYS = (
    agreement("most_plays", Agreement(designs.PLAYS_FIRST, _plays_first, (COUNTABLE, SUPPORT))),
    agreement("most_plays", Agreement(designs.PLAYS_SECOND, _plays_second, (COUNTABLE, SUPPORT, TRUNCATION_PARAMETER))),
    agreement("most_plays", Agreement(budget.PLAYS_M1, _plays_first, (COUNTABLE, SUPPORT))),
    agreement("most_plays", Agreement(budget.PLAYS_M2, _plays_second, (COUNTABLE, SUPPORT, TRUNCATION_PARAMETER))),
    agreement("coreset_counts", Agreement(designs.COUNT_FIRST, _count_first, (COUNTABLE, ACTIVE_WEIGHT), points=POINTS)),
    agreement(
        "coreset_counts",
        Agreement(designs.COUNT_SECOND, _count_second, (COUNTABLE, ACTIVE_WEIGHT, TRUNCATION_PARAMETER), points=POINTS),
    ),
)
