"""ldp_linucb_2024: whole runs of the shipped Algorithm 1, of its restarts and of the combiner beside `plain`, number by number.

From what the users send, `plain.server` computes again, in plain NumPy, whatever users are told and the server releases; each run has
several of the options that no other audit plays. Compared are, relative to their size,

    CHOICES    the index of each arm that is played with the largest one
    MESSAGES   raw messages with what users hold and are told; gradients with those of the noisy pair
    RELEASES   V~, u~ and theta, and the base learner of the next round
    MEASURES   the width, the distance of theta* and the rest of `kernels.Diagnostics`
    REGRET     the pseudo-regret, by the true parameter
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD, Step
from banditproof.algorithms.mechanisms.local_row import Calibration
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.policies.locally_private_lin_ucb.combiner import BaseLearner, Combiner
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Hidden, Putative, Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime, PrivateOnlineLinUCB, Problem
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.ldp_linucb_2024.plain.combiner import PlainAccounts, beliefs_of, learners_of
from banditproof.audits.papers.ldp_linucb_2024.plain.server import PlainBase, Policy, epochs_of, plan_of
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Environment, Floats, NoRandomiser, NoShuffling, Pipeline, Run, Table, Wire, Words
from banditproof.randomness import generator, key_of
from banditproof.simulation import play_many
from banditproof.theory.papers.ldp_linucb_2024 import combiner, regret

RECORD = (Wire.CONTEXTS, Wire.ARMS, Wire.REWARDS, Wire.REPORT, Wire.BATCH, Wire.STATISTIC)
NEARLY = Fraction(1, 10**7)
KINDS = ("choices", "messages", "releases", "measures", "regret")


class Case(NamedTuple):
    """A run: who plays, where, for how many rounds, with noise or not, in batches of how many users."""

    name: str
    policy: Policy
    environment: Environment
    horizon: int
    noisy: bool = True
    batch: int = 1


def played(case: Case) -> Run:
    """The second of two runs of one state, which begins with what the first one has left."""
    randomiser = case.policy.randomiser() if case.noisy else NoRandomiser()
    shuffler = UniformShuffler(case.batch) if case.batch > 1 else NoShuffling()
    pipeline = Pipeline(case.policy, case.environment, randomiser, shuffler=shuffler)
    return second(pipeline, case.horizon, key_of(0, "ldp_linucb_2024", "transcribed", case.name), RECORD)


def second(pipeline: Pipeline, horizon: int, key: Words, record: tuple[Wire, ...]) -> Run:
    """Run 1 of a key, after run 0."""
    both = play_many(pipeline, horizon=horizon, key=key, runs=2, record=record)
    return Run(horizon, both.checkpoints, both.regret[1], {wire: both.wire(wire)[1] for wire in record})


def far(found: Any, expected: Any) -> float:
    """The largest distance of two numbers, relative to the one expected, or to 1."""
    one, other = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    return float((np.abs(one - other) / np.maximum(1.0, np.abs(other))).max())


def behind(scores: Floats, arm: int, arms: Floats) -> float:
    """How far the index of the arm is below the largest, relative to it; infinite where an earlier arm is the same, or, of unit vectors,
    has the same index."""
    units = len(arms) == arms.shape[1] and bool((arms == np.eye(len(arms))).all())
    if bool((arms[:arm] == arms[arm]).all(axis=1).any()) or (units and bool((scores[:arm] == scores[arm]).any())):
        return math.inf
    return float((scores.max() - scores[arm]) / (1.0 + abs(scores.max())))


class Replay:
    """The bases and the accounts of one run, and the largest error of each kind so far."""

    def __init__(self, case: Case, used: Policy) -> None:
        self.worst, dimension = dict.fromkeys(KINDS, 0.0), case.environment.dimension or case.environment.arms
        policies = learners_of(used, case.horizon) if isinstance(used, Combiner) else [used]
        own = [each.base if isinstance(each, Anytime) else each for each in policies]
        self.bases = [PlainBase(one, epochs_of(each, case.horizon), dimension) for one, each in zip(own, policies, strict=True)]
        self.accounts, self.case, self.current = None, case, 0
        if isinstance(used, Combiner):
            rounds, beta = plan_of(used.base if used.bases is None else own[0], case.horizon)
            beta = beta if used.failure is None else used.failure
            beliefs = beliefs_of(used, dimension, case.horizon)
            if isinstance(case.policy, Combiner):
                self.note("measures", far(case.policy.believed(dimension, case.horizon), beliefs))
            self.accounts = PlainAccounts(beliefs, self.bases[0].sigma, rounds, beta, used.factor)
            self.current = self.accounts.chosen()

    def note(self, kind: str, error: float) -> None:
        """NaN counts as the largest error."""
        self.worst[kind] = max(self.worst[kind], error) if error == error else math.inf

    def act(self, arms: Floats, arm: int, reward: float, sent: Floats) -> None:
        """A user's side of a round."""
        base, size = self.bases[self.current], self.case.environment.dimension
        self.note("choices", behind(base.scores(arms), arm, arms))
        base.overwrite(arms[arm])
        if size == 0:
            return
        if self.case.noisy:
            again = base.gradient(sent[:size], float(sent[size]), base.sigma**2)
            self.note("messages", far(sent[size + 1 :], again))
        else:
            now = base.now
            self.note("messages", far(sent, [*arms[arm], reward, *base.learner.point, now.injected, now.bound]))

    def hear(self, arm: int, message: Floats, covered: bool) -> None:
        """One message at the server."""
        base, size = self.bases[self.current], self.case.environment.dimension
        if size == 0:
            x, y, variance = np.eye(base.dimension)[arm], float(message[0]), 0.0
            g = base.gradient(x, y, 0.0)
        elif self.case.noisy:
            x, y, g, variance = message[:size], float(message[size]), message[size + 1 :], base.sigma**2
        else:
            x, y, variance = message[:size], float(message[size]), 0.0
            g = base.gradient(x, y, 0.0)
        base.learn(x, y, g, variance, covered)
        if self.accounts is not None:
            self.accounts.count(self.current, y)

    def release(self, statistic: Floats) -> None:
        """The end of a batch."""
        self.bases[self.current].end()
        if self.accounts is not None:
            self.current = self.accounts.chosen()
        base = self.bases[self.current]
        published = base.published()
        place = len(published)
        self.note("releases", far(statistic[:place], published))
        if self.accounts is not None:
            self.note("releases", abs(float(statistic[place]) - self.current))
            place += 1
        if base.truth is not None:
            for found, expected in zip(statistic[place:], base.diagnosed(), strict=True):
                self.note("measures", far(found, expected))


def errors(case: Case, used: Policy) -> Mapping[str, float]:
    """The largest error of each kind, in a run of the case beside the plain form of `used`."""
    run, replay = played(case), Replay(case, used)
    contexts, arms, rewards, reports, batches, statistics = (np.asarray(run.wire(wire)) for wire in RECORD)
    still = np.eye(case.environment.arms)
    lost = 0.0
    for first in range(0, case.horizon, case.batch):
        rounds = range(first, min(first + case.batch, case.horizon))
        base = replay.bases[replay.current]
        covered = base.truth is None or base.distance() <= base.width()
        for round in rounds:
            sets = contexts[round] if case.environment.dimension else still
            replay.act(sets, int(arms[round]), float(rewards[round]), reports[round])
            if base.truth is not None:
                means = sets @ base.truth
                lost += float(means.max() - means[int(arms[round])])
        for round in rounds:
            replay.hear(int(batches[round, 0]), batches[round, 1:], covered)
        replay.release(statistics[rounds[-1]])
    if replay.bases[0].truth is not None:
        replay.note("regret", far(run.regret[-1], lost))
    return replay.worst


def points(cases: tuple[Case, ...], used: Mapping[str, Policy]) -> Iterator[At]:
    """All errors; `used` names policies to put in place of those that are played."""
    for case in cases:
        for kind, error in errors(case, used.get(case.name, case.policy)).items():
            yield At({"run": case.name, "of": kind}, Fraction(min(error, 1e300)), NEARLY)


def transcribes(cases: tuple[Case, ...], used: Mapping[str, Policy] | None = None) -> Pointwise:
    """That runs are those of the plain form."""
    return Pointwise(partial(points, cases, used or {}), f"{len(cases)} runs", "relative error")


# --- runs ---------------------------------------------------------------------------------------------------------------------------------

THREE = tuple(each / math.sqrt(2.0) for each in (0.6, -0.8, 1.0))
TWO = (0.9, -0.4)
FIVE = tuple(each / math.sqrt(2.0) for each in (0.1, 0.7, -0.5, -0.5, 1.0))
WIDER = UnitFeatures(5, 9, ArmSet.REDRAWN, direction=(0.1, 0.7, -0.5, -0.5))
UNIT = UnitFeatures(3, 6, ArmSet.REDRAWN, direction=(0.6, -0.8))


def table(truth: tuple[float, ...], rounds: int, arms: int, size: int) -> Table:
    """Arms and rewards inside the domain and outside it, the last arm equal to the first; without features (`size` 0) unit vectors."""
    rng = generator(key_of(arms, "ldp_linucb_2024", "table"))
    rewards = rng.uniform(-2.0, 2.0, (rounds, arms))
    if size == 0:
        return Table(rewards, means=np.tile(truth, (rounds, 1)))
    contexts = rng.normal(size=(rounds, arms, size)) * 0.7
    contexts[:, -1] = contexts[:, 0]
    return Table(rewards, means=contexts @ np.array(truth), contexts=contexts)


ONE = (0.8,)
PLAIN, SINGLE = table(TWO, 40, 4, 2), table(ONE, 40, 4, 1)
SLOW = PrivateOnlineLinUCB(
    0.7,
    0.05,
    Calibration.PUBLISHED,
    curvature=0.1,
    problem=Problem(2.0, 0.3),
    failure=0.02,
    planned_horizon=100,
    hidden=Hidden(0.5, 2.0, 3.0, 0.7),
    truth=THREE,
)
FAST = PrivateOnlineLinUCB(1000.0, width=Width.CONST, scale=0.5, truth=THREE)
TOLD = replace(FAST, truth=TWO, threshold=0.3)
ALONE = (
    Case("published", SLOW, UNIT, 40),
    Case("split_oracle", replace(TOLD, epsilon=5.0, calibration=Calibration.SPLIT, width=Width.ORACLE, curvature=0.5), PLAIN, 40),
    Case("exact_oracle", replace(SLOW, epsilon=30.0, calibration=Calibration.EXACT, width=Width.ORACLE), UNIT, 40),
    Case("scaled_strong", replace(SLOW, epsilon=9.0, width=Width.SCALED, scale=1e-3, learner=OGD(Step.STRONGLY_CONVEX, 0.7)), UNIT, 40),
    Case("descent", replace(TOLD, learner=OGD(), width=Width.ORACLE, scale=3.0, hidden=Hidden(2.0, 0.1, 0.2, 0.3)), PLAIN, 40),
    Case("classic_root", replace(TOLD, epsilon=0.9, calibration=Calibration.CLASSIC, learner=OGD(Step.ROOT, 0.3)), PLAIN, 40),
    Case("harmonic_open", replace(TOLD, learner=OGD(Step.HARMONIC, 0.02), curvature=0.3), table(TWO, 40, 5, 2), 40, noisy=False),
    Case("maler_open", replace(SLOW, epsilon=500.0, truth=TWO, scale=7.0), PLAIN, 40, noisy=False),
    Case("many_clipped", replace(TOLD, epsilon=1e5, curvature=0.5, problem=Problem(0.05, 0.5), scale=2.0), PLAIN, 40, noisy=False),
    Case("clash", replace(FAST, theta_clash=True, scale=4.0), UNIT, 40),
    Case("clash_descent", replace(TOLD, theta_clash=True, learner=OGD(), width=Width.LITERAL), PLAIN, 40),
    Case("without_features", replace(FAST, width=Width.ORACLE), table(THREE, 40, 3, 0), 40),
    Case("without_features_clash", replace(FAST, theta_clash=True), table(THREE, 40, 3, 0), 40),
    Case("batches", replace(SLOW, epsilon=30.0), UNIT, 30, batch=4),
    Case("batches_descent", replace(TOLD, learner=OGD(), width=Width.ORACLE), PLAIN, 30, batch=4),
    Case("batches_without_features", replace(FAST, width=Width.ORACLE), table(THREE, 40, 3, 0), 30, batch=4),
    Case("five_features", replace(SLOW, epsilon=30.0, truth=FIVE), WIDER, 40),
    Case("one_feature", replace(SLOW, epsilon=30.0, truth=ONE), SINGLE, 40),
    Case("one_feature_open", replace(TOLD, truth=ONE), SINGLE, 40, noisy=False),
    Case("other_factors", replace(TOLD, learner=Maler(2.0, 0.5), truth=TWO), PLAIN, 40),
    Case("many_arms", replace(FAST, scale=0.2), UnitFeatures(3, 1500, ArmSet.REDRAWN, direction=(0.6, -0.8)), 12),
    Case("long", replace(TOLD, width=Width.LITERAL, planned_horizon=30), table(TWO, 520, 3, 2), 520),
)
ORACLE = replace(FAST, width=Width.ORACLE)
RESTARTED = (
    Case("restarts", Anytime(replace(SLOW, epsilon=20.0), power=0.25), UNIT, 40),
    Case("restarts_oracle", Anytime(ORACLE), UNIT, 40),
    Case("restarts_other_factors", Anytime(replace(TOLD, learner=Maler(2.0, 0.5))), PLAIN, 40),
    Case("restarts_descent", Anytime(replace(TOLD, learner=OGD(), width=Width.ORACLE)), PLAIN, 40, batch=3),
    Case("restarts_without_features", Anytime(replace(FAST, failure=0.1)), table(THREE, 40, 3, 0), 40),
)
GRID = replace(FAST, epsilon=20.0, planned_horizon=20_000)
BASES: tuple[BaseLearner, ...] = (
    Anytime(ORACLE),
    *(replace(ORACLE, curvature=each) for each in (0.5, 0.3)),
)
BELIEVED = (Putative(0.3, 0.75, 0.0), Putative(0.6, 0.5, 4.0), Putative(0.9, 0.5, 9.0))
LOUD = tuple(replace(TOLD, epsilon=2.0, learner=OGD(), scale=each) for each in (0.1, 0.3, 1.0, 3.0))  # noise counts, but is not added
REMOVING = Combiner(bases=BASES, putatives=BELIEVED, factor=0.02, failure=0.2)
PLANNED_FURTHER = Combiner(  # targets that are far apart in the run's rounds, and beside each other in the planned ones
    replace(ORACLE, planned_horizon=100_000),
    bases=tuple(replace(each, planned_horizon=100_000) for each in (ORACLE, replace(ORACLE, curvature=0.5))),
    putatives=(Putative(0.5, 0.5, 900.0), Putative(0.5, 0.5, 100.0)),
    factor=0.1,
)
APART = tuple(Putative(0.3 * (place + 1), 0.5, 30.0 * place) for place in range(4))


def waves(amplitude: float, rounds: float) -> Table:
    """Rewards that go up and down in so many rounds."""
    still = table(TWO, 300, 3, 2)
    rewards = amplitude * np.sin(np.arange(300) * 2.0 * math.pi / rounds)[:, None] + np.array([0.0, 0.1, 0.2])
    return Table(rewards, means=still.means, contexts=still.contexts)


NARROW = tuple(Putative(0.02 * (place + 1), 0.5, 0.4 * place) for place in range(4))
COMBINED = (
    Case("bases_waves", Combiner(bases=LOUD, putatives=NARROW, factor=0.1, failure=0.2), waves(1.0, 56.0), 300, noisy=False),
    Case("bases_in_turn", Combiner(bases=LOUD, putatives=APART, factor=0.1, failure=0.2), waves(0.2, 3.7), 300, noisy=False),
    Case("bases_all_short", Combiner(bases=LOUD, putatives=NARROW, factor=0.02), waves(-1.0, 800.0), 200, noisy=False),
    Case("bases_alike", Combiner(bases=LOUD, putatives=(APART[0],) * 4, factor=0.1, failure=0.2), waves(0.2, 3.7), 40, noisy=False),
    Case("grid", Combiner(GRID, factor=0.7, anytime_factor=1.5, guess_factor=0.5), UNIT, 60),
    Case("grid_failure", Combiner(replace(GRID, epsilon=2.0), factor=0.01, failure=0.3, guess_factor=0.01), UNIT, 60),
    Case("bases_removed", REMOVING, UNIT, 80),
    Case("bases_planned", PLANNED_FURTHER, UNIT, 80),
    Case("bases_open", Combiner(bases=BASES, putatives=BELIEVED, factor=0.05), UNIT, 80, noisy=False),
    Case("bases_by_theorem", Combiner(bases=BASES, failure=0.1), UNIT, 60, batch=2),
    Case("bases_without_features", Combiner(bases=BASES, putatives=BELIEVED, factor=0.05), table(THREE, 80, 3, 0), 80),
)

AUDITS = tuple(
    Audit(theorem.id, f"points.runs_transcribed{slug}", f"{words}: whole runs beside plain NumPy", transcribes(cases))
    for theorem, slug, words, cases in (
        (regret.REGRET_BY_WIDTH, "", "Algorithm 1", ALONE),
        (combiner.EPOCHS_ADD_UP, "", "the anytime variant", RESTARTED),
        (combiner.INDEX, "", "the combiner", COMBINED),
    )
)
