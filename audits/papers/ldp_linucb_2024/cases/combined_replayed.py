"""ldp_linucb_2024: Algorithm 2 over any base learners, round by round beside a plain one that asks the same policies.

Policies are asked as they are; which of them plays, under which key, with which contexts, what is sent and what each hears is written a
second time: with noise and without, over rows of two widths, on sets that stay, change or answer to the arms, and without features.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from banditproof.algorithms.environments.adaptive_contexts import LeastExploredAdversary
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.mechanisms.gram.local import LocalGram
from banditproof.algorithms.mechanisms.laplace import LocalLaplace
from banditproof.algorithms.playing.combined import Beliefs, play_combined
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Putative, Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import PrivateOnlineLinUCB
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Method, NoisyGramUCB
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.common.side_by_side import Refusal, beside, distance, refusals, unequal
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.ldp_linucb_2024.plain.combiner import Belief, PlainAccounts
from banditproof.audits.running.audit import Audit
from banditproof.guarantees import Guarantee
from banditproof.interaction import ClientRandomiser, Environment, Floats, Ints, Kernel, NoRandomiser, Policy, Words, no_noise
from banditproof.randomness import key_of
from banditproof.theory.papers.ldp_linucb_2024 import combiner

KEY = key_of(5, "ldp_linucb_2024", "combined replayed")
RUN, ROUNDS = 2, 90
FAILURE = 0.1


class Case(NamedTuple):
    """Who plays where, behind what, and what the combiner believes."""

    name: str
    policies: tuple[Policy, ...]
    environment: Environment
    randomiser: ClientRandomiser
    beliefs: Beliefs


UNIFORM, PLAIN = NoisyGramUCB(Method.LIN_UCB, uniform=True), NoisyGramUCB(Method.LIN_UCB)
PRIVATE = PrivateOnlineLinUCB(50.0, curvature=0.5, width=Width.CONST, scale=0.5)
SETS = UnitFeatures(3, 4, ArmSet.REDRAWN)
LEFT = tuple(Putative(0.3 * (place + 1), exponent, 0.3 * place) for place, exponent in enumerate((0.75, 0.5, 0.6)))
EVEN = (Putative(0.05, 0.5, 0.0),) * 3
CAPPED = Putative(5.0, 0.5, 108.0), Putative(0.05, 0.5, 0.0)  # rewards are below 0: a bonus above 1 would keep the first one
SIGMA = PRIVATE.sigma()
CASES = (
    Case("two widths", (UNIFORM, PRIVATE, PLAIN), SETS, PRIVATE.randomiser(), Beliefs(LEFT, SIGMA, FAILURE, 0.05)),
    Case("nobody removed", (PLAIN, UNIFORM, PRIVATE), SETS, PRIVATE.randomiser(), Beliefs(EVEN, SIGMA, FAILURE, 0.01, False)),
    Case("sets that stay", (UNIFORM, PLAIN, UNIFORM), replace(SETS, arm_set=ArmSet.FIXED), NoRandomiser(), Beliefs(LEFT, 0.0, 0.3, 0.2)),
    Case("watched", (UNIFORM, UNIFORM, PLAIN), LeastExploredAdversary(3, 4), NoRandomiser(), Beliefs(EVEN, 0.0, FAILURE, 0.02)),
    Case("no features", (UNIFORM, UCB1(), UNIFORM), Bernoulli((0.9, 0.1, 0.6)), LocalLaplace(3.0), Beliefs(EVEN, 2.0 / 3.0, FAILURE, 0.02)),
    Case(
        "a bonus of 1",
        (UNIFORM, PLAIN),
        LeastExploredAdversary(3, 4, -0.1, 0.8),
        NoRandomiser(),
        Beliefs(CAPPED, 0.0, FAILURE, 0.01, False),
    ),
    Case("alone", (PLAIN,), SETS, NoRandomiser(), Beliefs(LEFT[:1], 0.0, FAILURE)),
)


@dataclass
class Overheard:
    """A randomiser that keeps what users hand to it."""

    own: ClientRandomiser
    heard: list[Floats] = field(default_factory=list)

    def kernel(self, setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
        self.heard.append(message.copy())
        self.own.kernel(setup, key, round, message, report)

    def guarantee(self) -> Guarantee | None:
        return self.own.guarantee()

    def messages(self, width: int) -> tuple[int, int]:
        return self.own.messages(width)

    def setup(self) -> Floats:
        return self.own.setup()


def expected(case: Case) -> tuple[Ints, Ints, Floats, Floats]:
    """Arms, base learners, regret and raw messages of each round."""
    world, beliefs, d = case.environment, case.beliefs, case.environment.dimension
    own, memory, setup, noise = np.append(KEY, np.uint64(RUN)), world.memory(), world.setup(), case.randomiser.setup()
    widths = [each.message_width(d) for each in case.policies]
    sent = case.randomiser.messages(max(widths))[1]
    states = [each.state(world.arms, d, ROUNDS) for each in case.policies]
    keys: list[Words] = [own + np.array([0, 0, (place + 1) << 32], dtype=np.uint64) for place in range(len(states))]
    for policy, state, key in zip(case.policies, states, keys, strict=True):
        policy.kernels.start(state, key)
    accounts = PlainAccounts([Belief(*each) for each in beliefs.putatives], beliefs.sigma, ROUNDS, beliefs.failure, beliefs.factor)
    contexts, means, messages = np.zeros((world.arms, d), order="F"), np.zeros(world.arms), np.zeros((ROUNDS, max(widths)))
    arms, learners, regret = np.zeros(ROUNDS, dtype=np.int64), np.zeros(ROUNDS, dtype=np.int64), np.zeros(ROUNDS)
    for round in range(ROUNDS):
        world.present(setup, memory, own, round, contexts, means)
        base = accounts.chosen()
        policy, state, key = case.policies[base], states[base], keys[base]
        arm = int(policy.kernels.choose(state, key, round, contexts))
        reward = float(world.reward(setup, memory, round, own, arm, contexts))
        raw, report = np.zeros(widths[base]), np.zeros((1, sent))
        policy.kernels.report(state, round, arm, contexts, reward, raw)
        messages[round, : len(raw)] = raw  # and zeros behind it
        case.randomiser.kernel(noise, own, round, messages[round], report)
        heard = report if widths[base] == max(widths) else report[:, : widths[base]].copy()
        policy.kernels.learn(state, key, round, np.array([arm]), heard, np.zeros(policy.statistic_width(world.arms, d)))
        accounts.count(base, float(report[0, d]))
        if not beliefs.removes:
            accounts.active = [True] * len(accounts.active)
        arms[round], learners[round], regret[round] = arm, base, means.max() - means[arm]
    return arms, learners, np.cumsum(regret), messages


def errors() -> Iterator[At]:
    """Rounds with another arm or another base learner, and the distance of the regret."""
    yield At(
        {"of": "the factor p, unless it is given"}, distance(Beliefs((), 0.0, FAILURE).factor, 6.0 * math.sqrt(2.0)), Fraction(1, 10**12)
    )
    for case in CASES:
        arms, learners, regret, messages = expected(case)
        overheard = Overheard(case.randomiser)
        found = play_combined(case.policies, case.beliefs, case.environment, horizon=ROUNDS, key=KEY, run=RUN, randomiser=overheard)
        where: dict[str, Any] = {"case": case.name, "learners": len(set(learners.tolist()))}
        yield At({**where, "of": "arms"}, unequal(found.arms, arms), 0)
        yield At({**where, "of": "base learners"}, unequal(found.learners, learners), 0)
        yield At({**where, "of": "messages"}, unequal(overheard.heard, messages), 0)
        yield At({**where, "of": "regret"}, distance(found.regret, regret), Fraction(1, 10**12))


INF, NAN = math.inf, math.nan
FREE = Putative(1.0, 0.5, 0.0)


def _played(policies: tuple[Policy, ...], beliefs: Beliefs, randomiser: ClientRandomiser, environment: Environment = SETS) -> None:
    play_combined(policies, beliefs, environment, horizon=2, key=KEY, randomiser=randomiser)


NOBODY = NoRandomiser()


@dataclass(frozen=True)
class Sends:
    """Messages of any number and width, which hold nothing of the raw message."""

    count: int
    width: int
    kernel: Kernel = field(default=no_noise, init=False, repr=False)

    def guarantee(self) -> None:
        return None

    def messages(self, width: int) -> tuple[int, int]:
        return self.count, self.width

    def setup(self) -> Floats:
        return np.zeros(0)


REFUSED: tuple[Refusal, ...] = (
    ("putatives", lambda value: Beliefs((FREE,) * value, 0.0, 0.1).check(2), (0, 1, 3), (2,)),
    ("policies", lambda value: Beliefs((FREE,) * value, 0.0, 0.1).check(value), (0,), (1, 2)),
    ("sigma", lambda value: Beliefs((FREE,), value, 0.1).check(1), (-0.1, INF, NAN), (0.0, 0.1)),
    ("factor", lambda value: Beliefs((FREE,), 0.0, 0.1, value).check(1), (0.0, -1.0, INF, NAN), (1e-9, 2.0)),
    ("failure", lambda value: Beliefs((FREE,), 0.0, value).check(1), (0.0, 1.0, NAN), (0.01, 0.99)),
    (
        "randomiser",
        lambda value: _played((PLAIN,), Beliefs((FREE,), 0.0, 0.1), value),
        (LocalGram(1.0, 0.1), Sends(2, 4), Sends(1, 3)),
        (NOBODY, Sends(1, 4)),
    ),
    ("widths", lambda value: _played((PRIVATE, value), Beliefs((FREE,) * 2, 0.0, 0.1), PRIVATE.randomiser()), (UCB1(),), (PLAIN, PRIVATE)),
)

AUDITS = (
    Audit(
        combiner.INDEX.id,
        "points.combined_replayed",
        "Algorithm 2 over any base learners, in plain Python, beside a second form of its rounds",
        beside(errors, f"{len(CASES)} runs of {ROUNDS} rounds", "rounds, or distance"),
    ),
    Audit(
        combiner.INDEX.id,
        "points.combined_refused",
        "beliefs and policies that do not fit",
        beside(lambda: refusals(REFUSED), "listed values, and those at the ends", "values taken or refused by mistake"),
    ),
)
