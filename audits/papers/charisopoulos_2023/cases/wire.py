"""charisopoulos_2023: what reports are on the wire: the distribution of the clients' noise, and which reports are corrupted.

Exact tests on events of known probability, one per report, each at significance level 1e-5: the noise is the report less the mean of the
rewards that the log shows, clipped; its scale is the statement's, at the number of plays that is counted from the arms. Corruption must
strike each report with probability alpha, independently of the others and of what it says.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from banditproof.algorithms.environments.fixed_linear import FixedLinear
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.environments.linear_adversary import LinearAdversary
from banditproof.algorithms.estimators.linear.baselines import LeastSquares
from banditproof.algorithms.mechanisms.client_reports import Level, NoisyMean, NoisyReward
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.methods.coverage import Coverage
from banditproof.audits.methods.stated import Derived
from banditproof.audits.papers.charisopoulos_2023.wire_reports import sent_by
from banditproof.audits.running.audit import Audit
from banditproof.interaction import ClientRandomiser, Corruption, Floats, Ints, NoCorruption, Pipeline, Wire
from banditproof.randomness import key_from
from banditproof.simulation import play_many
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import filter as filter_theory
from banditproof.theory.papers.charisopoulos_2023 import first_model, second_model

Bools = NDArray[np.bool_]
RECORD = (Wire.ARMS, Wire.STATISTIC, Wire.REPORT, Wire.REWARDS, Wire.RECEIVED)
ALPHA = 0.2
NOTHING = NoCorruption()


@dataclass(frozen=True, eq=False)
class Heard:
    """The reports (n,) of one run, in their order: the plays and the clipped mean of the rewards behind each, what was sent, what came."""

    plays: Ints
    arms: Ints
    means: Floats
    sent: Floats
    received: Floats


@dataclass(frozen=True)
class Sender:
    """A policy in an environment, whose reports a run of `horizon` rounds shows. `randomiser` replaces the policy's own."""

    policy: RobustArmElimination
    environment: FixedLinear
    horizon: int
    corruption: Corruption = NOTHING
    randomiser: ClientRandomiser | None = None

    def heard(self, rng: np.random.Generator) -> Heard:
        """The reports of one run. Draws a key."""
        randomiser = self.policy.randomiser() if self.randomiser is None else self.randomiser
        pipeline = Pipeline(self.policy, self.environment, randomiser, self.corruption)
        run = play_many(pipeline, horizon=self.horizon, key=key_from(rng), runs=1, record=RECORD)
        arms, statistic, reports, rewards, received = (np.asarray(run.wire(wire)[0]) for wire in RECORD)
        found = sent_by(self.policy, arms, statistic, reports)
        totals = np.concatenate([[0.0], np.cumsum(np.clip(rewards, -1.0, 1.0) if self.policy.epsilon < math.inf else rewards)])
        plays = found.last - found.first + 1
        means = (totals[found.last + 1] - totals[found.first]) / plays
        return Heard(plays, arms[found.last], means, found.values, received[found.last, 0])


Event = Callable[[Heard], Bools]


def events(sender: Sender, event: Event, count: int, rng: np.random.Generator) -> Bools:
    """`count` reports or pairs of them, from as many runs as they need: whether the event holds."""
    found, missing = [], count
    while missing > 0:
        mine = event(sender.heard(rng))[:missing]
        found.append(mine)
        missing -= len(mine)
    return np.concatenate(found)


def counted(sender: Sender, event: Event, probability: float, rule: str, runs: int, ratio: float = 1.25) -> Coverage:
    """The event must have this probability exactly."""
    stated = Derived(lambda: probability, "the distribution of what is sent", Sense.EQUALS)
    return Coverage(partial(events, sender, event), stated, rule, ratio, runs=runs, parameters={"horizon": sender.horizon})


# --- noise --------------------------------------------------------------------------------------------------------------------------------

UNIT = np.eye(20)
LONG = 20_000


def first(epsilon: float, corruption: Corruption = NOTHING) -> Sender:
    """The first model: rewards of standard deviation 2, most of them outside [-1, 1]."""
    policy = RobustArmElimination(epsilon, 0.0, batches=6, estimator=LeastSquares())
    return Sender(policy, FixedLinear.of(UNIT[:4, :4], np.zeros(4), standard_deviation=2.0), LONG, corruption)


def second(epsilon: float, corruption: Corruption = NOTHING) -> Sender:
    """The second model, blocks of 2 to 5 plays; a threshold at which no arm leaves."""
    policy = RobustArmElimination(
        epsilon, 0.0, ClientModel.SECOND, batches=300, truncation_parameter=1.0, noise_constant=10.0, estimator=LeastSquares()
    )
    return Sender(policy, FixedLinear.of(UNIT, np.zeros(20), standard_deviation=2.0), 3000, corruption)


def scaled(level: Level, epsilon: float, heard: Heard) -> Floats:
    """The noise over the stated scale. An owner's calibration has the scale of one reward's."""
    if level is Level.USER or int(heard.plays.max()) == 1:
        return np.asarray((heard.sent - heard.means) / first_model.REPORT_SCALE_FIRST.at(epsilon=epsilon).bound)
    lengths = range(int(heard.plays.max()) + 1)
    scales = [second_model.REPORT_SCALE_SECOND.at(epsilon=epsilon, arm_plays=plays).bound if plays else 1.0 for plays in lengths]
    return np.asarray((heard.sent - heard.means) / np.asarray(scales)[heard.plays])


def beyond(level: Level, epsilon: float, factor: float, heard: Heard) -> Bools:
    """Laplace noise of scale s exceeds s log(factor) with probability 1 / factor."""
    return np.abs(scaled(level, epsilon, heard)) > math.log(factor)


def signs_differ(level: Level, epsilon: float, heard: Heard) -> Bools:
    """Neighbouring reports have noise of opposite signs, or one's noise opposes its mean, by turns: of independent fair signs every such
    comparison is an independent fair coin."""
    up, mean = scaled(level, epsilon, heard) > 0.0, heard.means > 0.0
    return np.asarray(np.where(np.arange(up.size - 1) % 2 == 0, up[:-1] != up[1:], up[:-1] != mean[:-1]))


def noise_audits(slug: str, sender: Sender, level: Level, runs: int) -> tuple[Audit, ...]:
    """Size, tail and signs of the noise of one sender."""
    epsilon, statement = sender.policy.epsilon, first_model.REPORT_SCALE_FIRST
    if sender.policy.model is ClientModel.SECOND and level is Level.EVENT:
        statement = second_model.REPORT_SCALE_SECOND
    tests = (
        ("half", partial(beyond, level, epsilon, 2.0), 0.5, "the noise is above s log 2 in size, s the stated scale"),
        ("tail", partial(beyond, level, epsilon, 20.0), 0.05, "the noise is above s log 20 in size, s the stated scale"),
        ("signs", partial(signs_differ, level, epsilon), 0.5, "neighbouring noise, or a report's noise and its mean, differ in sign"),
    )
    return tuple(
        Audit(statement.id, f"coverage.wire_{slug}_{name}", f"{slug}: {rule}", counted(sender, event, chance, rule, runs, 1.5))
        for name, event, chance, rule in tests
    )


NOISE = (
    *noise_audits("first", replace(first(0.5), randomiser=NoisyReward(0.5)), Level.EVENT, LONG),
    *noise_audits("second", second(2.0), Level.EVENT, 6_000),
    *noise_audits("owner", replace(second(2.0), randomiser=NoisyMean(2.0, Level.USER)), Level.USER, 6_000),
)

# --- corruption ---------------------------------------------------------------------------------------------------------------------------


def struck(heard: Heard) -> Bools:
    """A report came otherwise than it was sent."""
    return np.asarray(heard.sent != heard.received)


def struck_of_arm(arm: int, heard: Heard) -> Bools:
    """The same of the reports of one arm."""
    return np.asarray(struck(heard)[heard.arms == arm])


def struck_above(heard: Heard) -> Bools:
    """A report above 0 is corrupted; reports are symmetric about 0 here."""
    return struck(heard) & (heard.sent > 0.0)


def both_struck(heard: Heard) -> Bools:
    """Two neighbouring reports are corrupted, pairs not overlapping."""
    found = struck(heard)[: heard.sent.size // 2 * 2].reshape(-1, 2)
    return np.asarray(found.all(axis=1))


def reward_struck(heard: Heard) -> Bools:
    """A reward was corrupted before its client reported it, without noise: the report is not the reward."""
    return np.abs(heard.sent - heard.means) > 1e-6


def pair_struck(heard: Heard) -> Bools:
    """The same of an owner's two rewards: their mean is not that of the clean ones."""
    return np.asarray(np.abs(heard.sent - heard.means)[heard.plays == 2] > 1e-6)


HUBER = Huber(ALPHA, high=50.0, wire=Wire.REPORT)
PUSH = LinearAdversary(ALPHA, (1.0, 0.5, -1.0, 0.25), 50.0)
CORRUPTIONS: tuple[tuple[str, Sender, Event, float, str, int], ...] = (
    ("first_huber", first(1.0, HUBER), struck, ALPHA, "a report is corrupted", LONG),
    ("first_huber_one_arm", first(1.0, HUBER), partial(struck_of_arm, 0), ALPHA, "a report of the first arm is corrupted", 5_000),
    ("first_huber_above", first(1.0, HUBER), struck_above, ALPHA / 2.0, "a report above 0 is corrupted", LONG),
    ("first_huber_pairs", first(1.0, HUBER), both_struck, ALPHA**2, "both of two neighbouring reports are corrupted", LONG),
    ("first_adversary", first(1.0, PUSH), struck, ALPHA, "a report is corrupted by the adversary", LONG),
    ("first_adversary_above", first(1.0, PUSH), struck_above, ALPHA / 2.0, "a report above 0 is corrupted by the adversary", LONG),
    ("first_rewards", first(math.inf, Huber(ALPHA, high=50.0)), reward_struck, ALPHA, "a reward is corrupted", LONG),
    ("second_huber", second(1.0, HUBER), struck, ALPHA, "an owner's report is corrupted", 5_000),
    ("second_adversary", second(1.0, LinearAdversary(ALPHA, (1.0,) * 20, 50.0)), struck, ALPHA, "an owner's report is corrupted", 5_000),
    (
        "second_rewards",
        second(math.inf, Huber(ALPHA, high=50.0)),
        pair_struck,
        1.0 - (1.0 - ALPHA) ** 2,
        "one of an owner's two rewards is corrupted",
        4_000,
    ),
)
POSITIONS = tuple(
    Audit(
        filter_theory.INLIER_FRACTION_EXPLICIT.id,
        f"coverage.wire_{slug}",
        f"positions of corruption, {slug.replace('_', ' ')}: {rule}",
        counted(sender, event, chance, rule, runs),
    )
    for slug, sender, event, chance, rule, runs in CORRUPTIONS
)
