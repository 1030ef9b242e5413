"""ldp_linucb_2024: Algorithm 2 beside its base learners, and beside a second form of itself in plain Python.

RATIO      the combiner's regret over that of its best base learner, of two of which one never learns. Runs differ much (the median is
           about 3 after 1000 rounds and between 3 and 20 after 16000), so that only a growth like the horizon's would show.
TARGETS    with the constants of Theorem 4.1 the differences of R_i / T decide: in every round of these runs the learner of the least R_i
           plays, whichever learner is the best (finding targets_exceed_the_horizon).
AS_PLAIN   the compiled combiner and the plain one play the same arms, by the same base learners, removals included.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from banditproof.algorithms.environments.unit_features import UnitFeatures
from banditproof.algorithms.playing.combined import Beliefs, play_combined
from banditproof.algorithms.policies.locally_private_lin_ucb.combiner import BaseLearner, Combiner
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Putative
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.ldp_linucb_2024.cases import played
from banditproof.audits.papers.ldp_linucb_2024.cases.sets import APART, FAILURE
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Environment, Floats, Pipeline, Wire, Words
from banditproof.randomness import key_from, key_of
from banditproof.simulation import play, play_many
from banditproof.theory.growth import Growth
from banditproof.theory.language import Sense
from banditproof.theory.papers.ldp_linucb_2024 import combiner

ALONE = 40  # runs
CONSTANT = Growth(Fraction(0), Fraction(0), "horizon")


def regrets_of(player: BaseLearner | Combiner, environment: Environment, horizon: int, key: Words, runs: int) -> Floats:
    """The regret of runs of a key, shape (runs,)."""
    pipeline = Pipeline(player, environment, player.randomiser())
    return np.asarray(play_many(pipeline, horizon=horizon, key=key, runs=runs).regret[:, -1], dtype=float)


def ratios(player: Combiner, environment: Environment, horizon: int) -> played.Draw:
    """The combiner's regret over the mean regret of its best base learner, which plays alone in runs that are the same for all draws."""
    key = key_of(0, "ldp_linucb_2024", "alone")
    best = min(regrets_of(each, environment, horizon, key, ALONE).mean() for each in player.learners(horizon))
    return lambda runs, rng: regrets_of(player, environment, horizon, key_from(rng), runs) / best


def ratio_grows(player: Combiner, last: int = 16_000) -> GrowthRate:
    """Of which 'O(R_T^J) regret, where R_T^J is the regret of the best base learner' allows a constant."""
    return GrowthRate(lambda horizon: ratios(player, APART, horizon), CONSTANT, 1000, last, quantile=0.5, runs=40)


RATIO = Audit(
    combiner.GENERAL_RATE.id,
    "growth.ratio_two_learners",
    "regret over that of the best base learner: one that never learns and a good one, epsilon = 10, p = 0.3, 1000 to 16000 rounds",
    ratio_grows(played.combination()),
)

# --- the paper's grid ---------------------------------------------------------------------------------------------------------------------

RUNS = 4


def least_target(player: Combiner, horizons: tuple[int, ...]) -> Iterator[At]:
    """The combiner's regret beside that of the base learner with the least target, which plays the same run alone."""
    key = key_of(0, "ldp_linucb_2024", "least target")
    for horizon in horizons:
        targets = [each.target for each in player.believed(APART.dimension, horizon)]
        alone = [regrets_of(each, APART, horizon, key, RUNS) for each in player.learners(horizon)]
        found, best = regrets_of(player, APART, horizon, key, RUNS), np.min(alone, axis=0)
        for run, expected in enumerate(alone[int(np.argmin(targets))]):
            known = {"T": horizon, "run": run, "times_the_best": round(float(found[run] / best[run]), 1)}
            yield At(known, Fraction(float(found[run])), Fraction(float(expected)))


TARGETS = Audit(
    combiner.TARGET.id,
    "points.least_target_plays_eps10",
    "the combiner over the paper's grid, P = P' = 1, constant width 10, epsilon = 10, four arms apart: the learner of the "
    "least R_i plays every round",
    Pointwise(
        partial(least_target, Combiner(played.TEN), (1000, 4000, 16_000)),
        f"{RUNS} runs each of 1000, 4000 and 16000 rounds, four arms apart",
        "regret",
        Sense.EQUALS,
    ),
)

# --- two forms ----------------------------------------------------------------------------------------------------------------------------

THREE = UnitFeatures(3, 6)
_EASY = replace(played.TEN, epsilon=50.0, scale=0.5)
BASES: tuple[BaseLearner, ...] = (Anytime(_EASY), *(replace(_EASY, curvature=each) for each in (0.5, 0.3)))
PUTATIVES = tuple(Putative(0.3 * (place + 1), exponent, 0.1 * place) for place, exponent in enumerate((0.75, 0.5, 0.5)))


def differences(removes: bool) -> Iterator[At]:
    """Rounds in which the two forms play another arm, or by another base learner: 0 in every run. In some runs a learner is removed."""
    compiled = Combiner(bases=BASES, putatives=PUTATIVES, factor=0.05, failure=FAILURE)
    randomiser = compiled.randomiser()
    beliefs = Beliefs(PUTATIVES, randomiser.sigma(), FAILURE, compiled.factor, removes)
    for run in range(6):
        key = key_of(run, "ldp_linucb_2024", "two forms")
        one = play(Pipeline(compiled, THREE, randomiser), horizon=200, key=key, record=(Wire.ARMS, Wire.STATISTIC))
        other = play_combined(BASES, beliefs, THREE, horizon=200, key=key, randomiser=randomiser)
        by = np.asarray(one.wire(Wire.STATISTIC))[:-1, -1]
        unlike = (np.asarray(one.wire(Wire.ARMS)) != other.arms) | np.concatenate([[False], by != other.learners[1:]])
        yield At({"run": run, "T": 200}, int(np.count_nonzero(unlike)), 0)


def two_forms(removes: bool) -> Pointwise:
    """The compiled form beside the plain one."""
    return Pointwise(partial(differences, removes), "6 runs of 200 rounds, three base learners", "rounds that differ")


AS_PLAIN = Audit(
    combiner.INDEX.id,
    "points.as_in_plain_python",
    "Algorithm 2 over three base learners, compiled and in plain Python: the same arms by the same learners",
    two_forms(True),
)
