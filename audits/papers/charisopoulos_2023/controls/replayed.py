"""Replays of charisopoulos_2023 with one mistake each: runs played with another option, reports of another client, repeated numbers."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from banditproof.algorithms.estimators.linear.baselines import TrimmedLeastSquares
from banditproof.algorithms.mechanisms.client_reports import Clipping, Level
from banditproof.algorithms.policies.robust_arm_elimination.options import DesignArms
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.mutations import MutatedRandomiser, points_control
from banditproof.audits.papers.charisopoulos_2023.cases import attacks, neighbours, refusals, replayed_runs
from banditproof.audits.papers.charisopoulos_2023.run_settings import IN_PLANE, SETTINGS, Played
from banditproof.interaction import ClientRandomiser, Floats, Words
from banditproof.kernels import RANDOMISE, compiled
from banditproof.randomness import CLIENT, key_of, laplace
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import elimination, first_model, second_model, setting

_BY_NAME = {each.name: each for each in SETTINGS}


def option(name: str, change: Callable[[RobustArmElimination], RobustArmElimination]) -> tuple[Played, ...]:
    """The setting, played by a policy with another option."""
    known = _BY_NAME[name]
    return (replace(known, player=change(known.policy)),)


def published(policy: RobustArmElimination) -> RobustArmElimination:
    """Nothing is clipped."""
    return replace(policy, clipping=Clipping.PUBLISHED)


RUNS = (
    *(
        points_control(slug, mistake, elimination.SURVIVING_GAP, partial(replayed_runs.releases, settings))
        for slug, mistake, settings in (
            (
                "noise_constant",
                "a threshold that is 1 percent larger",
                option("display_48", lambda each: replace(each, noise_constant=0.101)),
            ),
            (
                "design_of_all",
                "a design of all arms for one of the active ones",
                option("all_arms", lambda each: replace(each, design_arms=DesignArms.ACTIVE)),
            ),
            (
                "unweighted",
                "means that count once for means that count by their plays",
                option("second_weighted_10000", lambda each: replace(each, weighted=False)),
            ),
            (
                "trimmed_more",
                "a fifth that is trimmed for 15 percent",
                option("trimmed", lambda each: replace(each, estimator=TrimmedLeastSquares(0.2))),
            ),
        )
    ),
    points_control(
        "sixth_batch",
        "batches of another growth",
        elimination.BATCH_REGRET_BOUND,
        partial(replayed_runs.arms, option("display_48", lambda each: replace(each, batches=6))),
    ),
    points_control(
        "not_clipped",
        "rewards that are sent as they are, where they should be clipped",
        first_model.REPORT_SCALE_FIRST,
        partial(replayed_runs.reports, option("line_9", published)),
    ),
    points_control(
        "owner_not_clipped",
        "an owner's rewards that are averaged as they are, where they should be clipped",
        second_model.REPORT_SCALE_SECOND,
        partial(replayed_runs.reports, option("second", published)),
    ),
)

REWARDS = points_control(
    "noise_of_half",
    "rewards with half of the noise",
    setting.REWARD,
    partial(replayed_runs.rewards, (replace(_BY_NAME["line_9"], payer=replace(IN_PLANE, standard_deviation=0.75)),)),
)
ATTACKS = points_control(
    "drawn_otherwise",
    "an adversary whose positions are those of another run",
    setting.CORRUPTED,
    partial(attacks.attacks, np.append(key_of(5, "charisopoulos_2023", "attacks"), np.uint64(2))),
)

# --- reports ------------------------------------------------------------------------------------------------------------------------------


def not_clipped(case: neighbours.Case) -> ClientRandomiser:
    """The client of the published form, under the claim of the repaired one."""
    return replace(case.randomiser, clipping=Clipping.PUBLISHED)


def owner_for_one(epsilon: float, level: Level) -> tuple[RobustArmElimination, ClientRandomiser]:
    """Noise for one reward, where all of an owner's change."""
    return neighbours.owner(epsilon, Level.EVENT)


def owner_not_clipped(epsilon: float, level: Level) -> tuple[RobustArmElimination, ClientRandomiser]:
    """Rewards of 3 and -3 go into the mean as they are."""
    policy, client = neighbours.owner(epsilon, level)
    return replace(policy, clipping=Clipping.PUBLISHED), client


def _shared(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    for column in range(report.shape[1]):
        report[0, column] = message[column] + setup[0] * laplace(key, CLIENT, round)


def _overlapping(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    for column in range(report.shape[1]):
        report[0, column] = message[column] + setup[0] * laplace(key, CLIENT, round + column)


shared, overlapping = compiled(_shared, RANDOMISE), compiled(_overlapping, RANDOMISE)
REPORTS = (
    points_control(
        "not_clipped",
        "rewards outside [-1, 1] under the claim for clipped ones",
        first_model.FIRST_PRIVACY,
        partial(neighbours.losses, not_clipped),
    ),
    points_control(
        "owner_not_clipped",
        "an owner who averages rewards outside [-1, 1] as they are, the same randomness",
        second_model.SECOND_PRIVACY,
        partial(neighbours.owner_losses, Level.EVENT, owner_not_clipped),
    ),
    points_control(
        "noise_for_one",
        "an owner's noise for one reward where all of them differ, the same randomness",
        second_model.OWNER_LOSS,
        partial(neighbours.owner_losses, Level.USER, owner_for_one),
    ),
    *(
        points_control(name, mistake, first_model.LAPLACE_PART, partial(neighbours.repeated, partial(MutatedRandomiser, kernel=kernel)))
        for name, mistake, kernel in (
            ("noise_of_the_message", "one number of noise for all numbers of a message", shared),
            ("noise_of_the_next_user", "noise reused by the next user, one column on", overlapping),
        )
    ),
)
REFUSED = points_control(
    "nothing_refused",
    "an epsilon of 0 that is taken",
    setting.CLIENTS,
    partial(refusals.outcomes, (("epsilon", float, (0.0,), ()),)),
    Sense.EQUALS,
)
