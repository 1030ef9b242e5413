"""The Private Bandits Combiner over any base learners, round by round in plain Python (Algorithm 2 of `ldp_linucb_2024`).

`policies.locally_private_lin_ucb.combiner` is the compiled form, for base learners that share its kernels. Here the base learners are any
policies, each with kernels and constants of its own; where both apply they play the same arms. A round costs a millisecond, not a
microsecond.

What the base learners must share is the report: one message, which begins with the features (d numbers, possibly noisy) and the response;
the combiner reads the response alone. A base learner whose raw message is (x, y) fills those numbers and leaves the rest 0, and reads
those numbers of a report. So Private Online LinUCB, its anytime variant and linear UCB on rows can be combined behind `LocalRow`, and any
policies whose message is the reward behind any randomiser of one number. Contributions to sums (`gram.local`, `vector_sum`) hold no
response, and are refused.

Readings are those of the compiled form. Base learners that draw numbers of their own do so under different keys.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from banditproof import glossary
from banditproof.algorithms.mechanisms.gram.local import LocalGram
from banditproof.algorithms.mechanisms.vector_sum import VectorSum
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Putative, combiner_radius, require_putatives
from banditproof.guarantees import require
from banditproof.interaction import ClientRandomiser, Environment, Floats, Ints, NoRandomiser, Policy, Words
from banditproof.simulation import require_rounds

_NO_RANDOMISER = NoRandomiser()


class Played(NamedTuple):
    """Of each round the arm, the base learner that chose it, and the pseudo-regret so far: arrays (T,)."""

    arms: Ints
    learners: Ints
    regret: Floats


@dataclass
class _Account:
    """What the combiner knows of a base learner."""

    putative: Putative
    rounds: int = 0
    mean: float = 0.0
    shortfall: float = 0.0
    active: bool = True


class _Seat(NamedTuple):
    """A base learner of one run: its state, how much of a message is its own, and room for its raw message and its statistic."""

    policy: Policy
    state: Any
    key: Words
    heard: int
    message: Floats
    statistic: Floats


class Beliefs(NamedTuple):
    """What the combiner is told: C, alpha and R of each base learner, the standard deviation `sigma` of the noise on the response, beta =
    `failure`, and p = `factor` of the radius. `removes` = False leaves the removal test out, for audits."""

    putatives: tuple[Putative, ...]
    sigma: float
    failure: float
    factor: float = 3.0 * math.sqrt(8.0)
    removes: bool = True

    def check(self, policies: int) -> None:
        """Raises ValueError, naming the value and the rule, unless the values fit so many policies."""
        require(policies >= 1, "policies: must be at least one")
        require(len(self.putatives) == policies, f"{len(self.putatives)} putatives: must be {policies} (one per policy)")
        require_putatives(self.putatives)
        require(0.0 <= self.sigma < math.inf, f"sigma = {self.sigma}: must be >= 0 and finite (of the noise on the response)")
        require(0.0 < self.factor < math.inf, f"factor = {self.factor}: must be > 0 and finite")
        glossary.FAILURE.require(self.failure)


def play_combined(
    policies: Sequence[Policy],
    beliefs: Beliefs,
    environment: Environment,
    *,
    horizon: int,
    key: Words,
    run: int = 0,
    randomiser: ClientRandomiser = _NO_RANDOMISER,
) -> Played:
    """One run of Algorithm 2 over `policies`, behind one randomiser; `key` and `run` address all random numbers, as in `simulation.play`.

    Raises ValueError, naming the value and the rule, on beliefs that do not fit, and on policies whose messages do not.
    """
    beliefs.check(len(policies))
    require_rounds(environment, horizon)
    own, memory, setup = np.array([*key, run], dtype=np.uint64), environment.memory(), environment.setup()
    seats, width, sent = _seats(policies, randomiser, environment, horizon, own)
    accounts = [_Account(each) for each in beliefs.putatives]
    contexts, means = np.zeros((environment.arms, environment.dimension), order="F"), np.zeros(environment.arms)
    message, report, noise = np.zeros(width), np.zeros((1, sent)), randomiser.setup()
    played, lost, changes = Played(*(np.zeros(horizon, dtype=kind) for kind in (np.int64, np.int64, float))), 0.0, 0
    for round in range(horizon):
        if round >= changes:
            changes = environment.present(setup, memory, own, round, contexts, means)
        chosen = _largest(beliefs, accounts, horizon)
        seat = seats[chosen]
        arm = int(seat.policy.kernels.choose(seat.state, seat.key, round, contexts))
        reward = environment.reward(setup, memory, round, own, arm, contexts)
        seat.policy.kernels.report(seat.state, round, arm, contexts, reward, seat.message)
        message[:] = 0.0
        message[: seat.message.size] = seat.message
        randomiser.kernel(noise, own, round, message, report)
        heard = np.ascontiguousarray(report[:, : seat.heard])
        seat.policy.kernels.learn(seat.state, seat.key, round, np.array([arm]), heard, seat.statistic)
        _count(beliefs, accounts, chosen, float(report[0, environment.dimension]), horizon)
        lost += float(means.max() - means[arm])
        played.arms[round], played.learners[round], played.regret[round] = arm, chosen, lost
    return played


def _seats(
    policies: Sequence[Policy], randomiser: ClientRandomiser, environment: Environment, horizon: int, key: Words
) -> tuple[list[_Seat], int, int]:
    """The base learners, ready for a run; the numbers of a raw message, and of a report."""
    features = environment.dimension
    raw = [policy.message_width(features) for policy in policies]
    holds = not isinstance(randomiser, (LocalGram, VectorSum))
    require(holds, f"randomiser = {type(randomiser).__name__}: must send the response, which contributions to sums do not hold")
    messages, sent = randomiser.messages(max(raw))
    require(messages == 1 and sent > features, f"reports of {messages} messages of width {sent}: must be one that holds the response")
    seats = []
    for place, (policy, width) in enumerate(zip(policies, raw, strict=True)):
        heard = sent if width == max(raw) else width
        name = f"policy {place} ({type(policy).__name__})"
        require(width in (max(raw), features + 1), f"{name}, messages of width {width}: must be {features + 1} or {max(raw)}")
        require(policy.kernels.at_batch_end is None, f"{name}: must not choose its batches")
        require(policy.kernels.accepts(width, 1, heard), f"{name}, reports of width {heard}: must be what it accepts")
        state = policy.state(environment.arms, features, horizon)
        own = np.array([key[0], key[1], key[2] + np.uint64((place + 1) << 32)], dtype=np.uint64)
        policy.kernels.start(state, own)
        seats.append(_Seat(policy, state, own, heard, np.zeros(width), np.zeros(policy.statistic_width(environment.arms, features))))
    return seats, max(raw), sent


def _believed(beliefs: Beliefs, account: _Account, horizon: int) -> float:
    """C n^alpha + rad(n)."""
    if account.rounds == 0:
        return 0.0
    size = {"horizon": horizon, "learners": len(beliefs.putatives)}
    radius = combiner_radius(account.rounds, beliefs.sigma, failure=beliefs.failure, factor=beliefs.factor, **size)
    return account.putative.coefficient * math.pow(account.rounds, account.putative.exponent) + radius


def _largest(beliefs: Beliefs, accounts: Sequence[_Account], horizon: int) -> int:
    """The base learner with the largest U among those that were not removed, the first of equal ones."""
    indices = []
    for account in accounts:
        bonus = min(1.0, _believed(beliefs, account, horizon) / account.rounds) if account.rounds > 0 else 1.0
        index = account.mean + bonus - account.putative.target / horizon
        indices.append(index if account.active else -math.inf)
    return indices.index(max(indices))


def _count(beliefs: Beliefs, accounts: Sequence[_Account], chosen: int, response: float, horizon: int) -> None:
    """A noisy reward to the account of the base learner that played, and the removal test; the last one stays."""
    account = accounts[chosen]
    account.rounds += 1
    account.shortfall += account.mean - response
    account.mean += (response - account.mean) / account.rounds
    short = account.shortfall >= _believed(beliefs, account, horizon)
    if beliefs.removes and short and sum(each.active for each in accounts) > 1:
        account.active = False
