"""Estimates and reports of charisopoulos_2023 with one mistake each, against Proposition 2.1 and the rate in 1/epsilon."""

from dataclasses import replace
from typing import Any

import numpy as np

from banditproof.algorithms.estimators.linear.robust_least_squares import Estimate, robust_least_squares
from banditproof.algorithms.estimators.linear.variance_bound import VarianceBound
from banditproof.audits.mutations import control
from banditproof.audits.papers.charisopoulos_2023.cases import coverage, proposition
from banditproof.interaction import Floats, Words
from banditproof.theory.papers.charisopoulos_2023 import confidence, first_model, second_model


def _unfiltered(arms: Floats, index: Any, reports: Floats, bound: VarianceBound, key: Words, *, clean_reports: Floats) -> Estimate:
    return robust_least_squares(arms, index, reports, VarianceBound(), key)


def _squared(epsilon: float, plays: int, rewards: Floats, rng: np.random.Generator) -> Floats:
    return coverage.released(epsilon**2, plays, rewards, rng)


PROPOSITION = control(
    "nothing_removed", "the printed lambda, which removes nothing", confidence.CONFIDENCE_EXPLICIT, proposition.covered(_unfiltered)
)
GROWTH = tuple(
    control(
        "noise_squared",
        "noise of scale 2/epsilon^2 for 2/epsilon",
        theorem,
        proposition.growing(replace(batch, release=_squared)),
    )
    for theorem, batch in ((first_model.LAPLACE_PART, proposition.CLIENTS), (second_model.NOISE_SUM_SECOND, proposition.OWNERS))
)
