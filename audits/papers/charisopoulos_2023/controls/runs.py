"""Runs of robust arm elimination with one mistake each: plays, leverage, thresholds, decisions, the budget, regret.

Most mistakes are other options of the shipped algorithm, which plays while the statement is told of the right ones.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np

from banditproof.algorithms.environments.fixed_linear import FixedLinear
from banditproof.algorithms.estimators.linear.protocol import Matrix, least_squares
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel, FilterBound
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.mutations import control, points_control, stating, times
from banditproof.audits.papers.charisopoulos_2023.cases import regret as regret_cases
from banditproof.audits.papers.charisopoulos_2023.cases import rounds, survivors
from banditproof.audits.papers.charisopoulos_2023.cases.rounds import Setting
from banditproof.glossary.charisopoulos_2023 import ARM_GAP, ELIMINATION_THRESHOLD
from banditproof.interaction import Floats, Ints, Words
from banditproof.theory.language import Sense, symbol
from banditproof.theory.papers.charisopoulos_2023 import (
    budget,
    confidence,
    designs,
    elimination,
    first_model,
    regret,
    regret_m2,
    second_model,
)

_FIRST, _SECOND, _PRIVATE, _PRIVATE_MEANS = rounds.FIRST[0], rounds.SECOND[0], rounds.FIRST[4], rounds.SECOND[3]
_SMALL_NU = rounds.SECOND[1]


def played_as(setting: Setting, player: RobustArmElimination) -> tuple[Setting, ...]:
    """The setting, of which a policy with other options plays the run."""
    return (replace(setting, player=player),)


# --- plays, leverage, thresholds ----------------------------------------------------------------------------------------------------------

_SHALLOW = FixedLinear.of(rounds.VECTORS * np.array([1.0, 1.0, 0.0]), rounds.THETA, standard_deviation=0.1)
PLAYS = (
    points_control(
        "one_batch_more",
        "q of one batch more than B",
        designs.COUNT_FIRST,
        partial(rounds.counts, played_as(_FIRST, replace(_FIRST.policy, batches=7))),
        Sense.EQUALS,
    ),
    points_control(
        "no_least_weight",
        "plays by the weights alone, without nu",
        designs.COUNT_SECOND,
        partial(rounds.counts, played_as(rounds.SECOND[2], replace(rounds.SECOND[2].policy, truncation_parameter=0.001))),
        Sense.EQUALS,
    ),
    points_control(
        "small_batches",
        "batches that grow too slowly",
        designs.PLAYS_FLOOR,
        partial(rounds.totals, designs.PLAYS_FLOOR, played_as(_FIRST, replace(_FIRST.policy, batches=7))),
        Sense.AT_LEAST,
    ),
    points_control(
        "counts_of_other_model",
        "plays of the second model in the first",
        designs.PLAYS_FIRST,
        partial(
            rounds.totals,
            designs.PLAYS_FIRST,
            played_as(_FIRST, replace(_FIRST.policy, model=ClientModel.SECOND, truncation_parameter=0.9)),
        ),
    ),
    points_control(
        "larger_nu",
        "a least weight of 3/4 for one of 1/50",
        designs.PLAYS_SECOND,
        partial(rounds.totals, designs.PLAYS_SECOND, played_as(_SMALL_NU, replace(_SMALL_NU.policy, truncation_parameter=0.75))),
    ),
    points_control(
        "stops_early",
        "three batches of six",
        budget.BATCHES_THAT_FIT,
        partial(rounds.fitting, played_as(_FIRST, replace(_FIRST.policy, batches=3))),
        Sense.AT_LEAST,
    ),
    *(
        points_control(
            "direction_missed",
            "a design that misses a direction: arms without their third feature",
            theorem,
            partial(rounds.leverages, theorem, (replace(setting, environment=_SHALLOW),)),
        )
        for theorem, setting in ((first_model.LEVERAGE_FIRST, _FIRST), (second_model.LEVERAGE_SECOND, _SECOND))
    ),
)
THRESHOLDS = (
    points_control(
        "no_private_term",
        "a threshold without the term of the privacy noise",
        first_model.THRESHOLD_FIRST,
        partial(rounds.thresholds, first_model.THRESHOLD_FIRST, played_as(_PRIVATE, replace(_PRIVATE.policy, epsilon=math.inf))),
    ),
    points_control(
        "no_private_term",
        "a threshold of M2 without the term of the privacy noise",
        second_model.THRESHOLD_SECOND,
        partial(
            rounds.thresholds, second_model.THRESHOLD_SECOND, played_as(_PRIVATE_MEANS, replace(_PRIVATE_MEANS.policy, epsilon=math.inf))
        ),
    ),
    points_control(
        "failure_doubled",
        "a threshold for twice the failure probability",
        first_model.THRESHOLD_FIRST_INTERVAL,
        partial(
            rounds.thresholds,
            first_model.THRESHOLD_FIRST_INTERVAL,
            played_as(rounds.INTERVAL[0], replace(rounds.INTERVAL[0].policy, failure=0.5)),
        ),
    ),
    points_control(
        "leading_one_kept",
        "the leading 1 of (55) in line 9",
        second_model.THRESHOLD_SECOND_LINE,
        partial(
            rounds.thresholds,
            second_model.THRESHOLD_SECOND_LINE,
            played_as(rounds.LINE[1], replace(rounds.LINE[1].policy, leading_one=True)),
        ),
    ),
    points_control(
        "line_9_for_48",
        "the threshold of line 9 where (48) is asked for",
        first_model.INTERVAL_FIRST_LEVERAGE,
        partial(rounds.displayed, _PRIVATE),
    ),
)

# --- decisions ----------------------------------------------------------------------------------------------------------------------------

_UNPLAYED = FixedLinear.of(rounds.VECTORS, rounds.VECTORS[0], standard_deviation=0.0)  # the design does not play its best arm
_gap, _gamma = symbol(ARM_GAP), symbol(ELIMINATION_THRESHOLD)
DECISIONS = (
    points_control(
        "best_arm_dropped",
        "elimination that drops the best arm without noise: it compares the coreset's arms alone",
        elimination.BEST_IS_KEPT,
        partial(
            survivors.best_kept,
            played_as(replace(survivors.QUIET[0], environment=_UNPLAYED), replace(survivors.QUIET[0].policy, restrict_to_coreset=True)),
        ),
    ),
    points_control(
        "half_the_threshold",
        "arms that are kept up to gaps of 2 gamma taken for those up to gamma",
        elimination.SURVIVING_GAP,
        partial(survivors.surviving, survivors.QUIET, times(elimination.SURVIVING_GAP, Fraction(1, 4))),
    ),
    points_control(
        "dropped_over_the_coreset",
        "the best arm that stays where line 10 compares the coreset's arms alone, at 2 gamma",
        elimination.RESTRICTED_TO_CORESET,
        partial(survivors.least_gaps, True, times(elimination.RESTRICTED_TO_CORESET, Fraction(1, 2))),
    ),
    points_control(
        "added_threshold",
        "2 gamma added to the gap, not subtracted",
        elimination.WORSE_IS_REMOVED,
        partial(survivors.worse_removed, survivors.QUIET, stating(elimination.WORSE_IS_REMOVED, _gap + 2 * _gamma)),
        Sense.AT_LEAST,
    ),
    points_control(
        "design_of_all_arms",
        "a design of all arms, those that have left too",
        elimination.BATCH_REGRET_BOUND,
        partial(survivors.batch_regrets, (rounds.FIRST[3],)),
    ),
    points_control(
        "lambda_of_the_range",
        "lambda by the range of clean reports where the printed one is said to be used",
        confidence.SCALE_OBSERVED,
        partial(survivors.printed_scale, FilterBound.RANGE),
    ),
    *(
        points_control(
            "lambda_of_the_reports",
            f"lambda by the corrupted reports of the {model.value} model where their range is said to be used",
            theorem,
            partial(survivors.range_scale, theorem, model, FilterBound.OBSERVED),
        )
        for theorem, model in ((first_model.REPORT_NORM_FIRST, ClientModel.FIRST), (second_model.REPORT_NORM_SECOND, ClientModel.SECOND))
    ),
)

# --- regret -------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Opposite:
    """Least squares with the wrong sign."""

    def estimate(self, arms: Matrix, index: Sequence[int] | Ints, reports: Sequence[float] | Floats, key: Words) -> Floats:
        return -least_squares(arms, index, reports)


REGRET = (
    control(
        "wrong_sign", "arms chosen by the estimate with the wrong sign", regret.CHAIN_M1, regret_cases.calm(ClientModel.FIRST, Opposite())
    ),
    control(
        "wrong_sign",
        "arms of M2 chosen by the estimate with the wrong sign",
        regret_m2.CHAIN_M2,
        regret_cases.calm(ClientModel.SECOND, Opposite()),
    ),
    control(
        "wrong_sign_grows",
        "regret of arms chosen by the estimate with the wrong sign",
        regret.REGRET_M1,
        regret_cases.grown(False, Opposite()),
    ),
    control(
        "horizon_of_100",
        "the unit form of Theorem 3.9 said to be below 2 T from 100 rounds on",
        regret_m2.REGRET_M2_BY_SUPPORT,
        Vacuity(partial(regret_cases.unit_bound, RobustArmElimination(1.0, 0.0, ClientModel.SECOND)), 2.0, claimed=100),
    ),
)
