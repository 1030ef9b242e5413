"""The rules of an environment: what it presents, what it pays, and that the two are of one distribution."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from banditproof.audits.conformance_rules.mechanisms import pickled
from banditproof.audits.conformance_rules.picture import difference, key_of_run, table_of
from banditproof.audits.conformance_rules.probe import Probe
from banditproof.audits.conformance_rules.trial import SEEDS, Rule, Trial, demand, has_members, shown
from banditproof.interaction import Environment, Floats, Pipeline, Wire
from banditproof.kernels import plain
from banditproof.randomness import key_of
from banditproof.simulation import play

ROUNDS, FALSE_ALARM = 3000, 1e-9  # of the rules about means
FEW = 100  # rewards of each of two values, from which the interval of all rewards is taken


@dataclass(frozen=True)
class Within(Trial):
    """A trial of an environment, with the interval of its rewards; None: unknown."""

    within: tuple[float, float] | None = None


@dataclass
class _Player:
    """One run of an environment through its plain kernels, arm by arm."""

    environment: Any
    seed: int

    def __post_init__(self) -> None:
        self.setup, self.memory, self.key = self.environment.setup(), self.environment.memory(), key_of_run(self.seed)
        self.contexts = np.full((self.environment.arms, self.environment.dimension), np.nan)
        self.means = np.full(self.environment.arms, np.nan)
        self.changes = 0

    def present(self, round: int) -> None:
        """Presents the round, into arrays of NaN, if it may need others than the round before."""
        if round >= self.changes:
            self.contexts[:], self.means[:] = np.nan, np.nan
            self.changes = plain(self.environment.present)(self.setup, self.memory, self.key, round, self.contexts, self.means)

    def pay(self, round: int, arm: int) -> float:
        """The reward of the pulled arm."""
        return float(plain(self.environment.reward)(self.setup, self.memory, round, self.key, arm, self.contexts))


def has_the_members(trial: Trial) -> None:
    """Would catch an environment that the loop cannot take, and one that no other process can be given."""

    @trial.over(fraction=0.25)
    def hold(environment: Any) -> None:
        has_members(environment, Environment)
        demand(environment.arms >= 2, environment, f"arms = {environment.arms}", "must be an integer >= 2")
        demand(environment.dimension >= 0, environment, f"dimension = {environment.dimension}", "must be an integer >= 0 (of a context)")
        flat(environment, "setup", environment.setup)
        flat(environment, "memory", environment.memory)
        fresh = environment.memory()
        fresh += 1.0
        same = np.array_equal(environment.memory() + 1.0, fresh)
        demand(same, environment, "memory() of a second run", "must be a fresh array (no state is shared between runs)")
        pickled(environment)


def flat(subject: Any, name: str, made: Callable[[], Any]) -> None:
    """Raises ConformanceError unless what a part hands to its kernel is a flat array of float64."""
    array = made()
    fits = isinstance(array, np.ndarray) and array.dtype == np.float64 and array.ndim == 1 and array.flags.c_contiguous
    demand(fits, subject, f"{name}() = {shown(array)}", "must be a contiguous array (n,) of float64")


def presents_and_pays(trial: Trial) -> None:
    """Would catch a mean left over from the round before, an infinite reward, and a draw that is not addressed by its round."""

    @trial.over(SEEDS, st.integers(1, 40), st.data())
    def hold(environment: Any, seed: int, horizon: int, data: st.DataObject) -> None:
        player, setup = _Player(environment, seed), environment.setup()
        rule = "must be the same when it is asked for again from the same memory"
        for round in range(horizon):
            memory = player.memory.copy()
            player.present(round)
            demand(player.changes > round, environment, f"round {round}: presented until round {player.changes}", f"must be > {round}")
            filled = np.isfinite(player.contexts).all() and np.isfinite(player.means).all()
            told = f"round {round}: contexts {shown(player.contexts.tolist())} and means {shown(player.means.tolist())}"
            demand(filled, environment, told, "must all be filled, with finite numbers")
            again, other = np.full_like(player.contexts, np.nan), np.full_like(player.means, np.nan)
            plain(environment.present)(setup, memory, player.key, round, again, other)
            same = np.array_equal(again, player.contexts) and np.array_equal(other, player.means)
            demand(same, environment, f"{told}, then {shown(again.tolist())} and {shown(other.tolist())}", rule)
            arm = data.draw(st.integers(0, environment.arms - 1))
            memory = player.memory.copy()
            twice = float(plain(environment.reward)(setup, memory, round, player.key, arm, player.contexts.copy()))
            reward = player.pay(round, arm)
            demand(math.isfinite(reward), environment, f"round {round}, arm {arm}: reward {reward}", "must be finite")
            demand(reward == twice, environment, f"round {round}, arm {arm}: rewards {reward} and {twice}", rule)


def compiled_and_step_by_step_agree(trial: Trial) -> None:
    """Would catch a kernel whose compiled form differs, and contexts that stay too long where a block ends."""

    @trial.over(SEEDS, st.integers(1, 120), st.integers(1, 150))
    def hold(environment: Any, seed: int, horizon: int, block: int) -> None:
        compiled_alike(environment, Pipeline(Probe(), environment), seed, horizon, block)


def compiled_alike(part: Any, pipeline: Pipeline, seed: int, horizon: int, block: int) -> None:
    """Raises ConformanceError unless a run has the same wires compiled, in plain Python, and in blocks."""
    stepwise = play(pipeline, horizon=horizon, key=key_of(seed), record=tuple(Wire), stepwise=True)
    for told, size in (("compiled", horizon), (f"compiled in blocks of {block} rounds", block)):
        other = play(pipeline, horizon=horizon, key=key_of(seed), record=tuple(Wire), block=size)
        found = difference(stepwise, other)
        demand(not found, part, f"a run in plain Python and one {told} differ in {found}", "must be the same")


def asked_arms_change_nothing(trial: Trial) -> None:
    """Would catch a reward that depends on which arms were asked before, where the environment says that it keeps no memory."""

    @trial.over(SEEDS, st.integers(1, 40))
    def hold(environment: Any, seed: int, horizon: int) -> None:
        if environment.memory().size > 0:
            return
        table, player = table_of(environment, horizon, seed, 0), _Player(environment, seed)
        for round in range(horizon):
            player.present(round)
            arm = (round * round) % environment.arms
            reward, alone = float(table.rewards[round, arm]), player.pay(round, arm)
            told = f"round {round}, arm {arm}: {reward} where all arms are asked, {alone} where it alone is"
            demand(reward == alone, environment, told, "must be the same: one outcome per round, of which each arm pays a function")
            same = np.array_equal(table.contexts[round], player.contexts) if table.contexts is not None else True
            told = f"round {round}: contexts {shown(player.contexts.tolist())}, presented before this round"
            demand(same, environment, told, "must stay until the round that `present` returns")


def rewards_have_their_means(trial: Trial) -> None:
    """Would catch an arm that pays by another arm's mean, a mean that is not paid, and rewards and contexts from one stream."""

    @trial.over(SEEDS, fraction=0.05)
    def hold(environment: Any, seed: int) -> None:
        player = _Player(environment, seed)
        rewards, means, pulled = np.zeros(ROUNDS), np.zeros(ROUNDS), np.arange(ROUNDS) % environment.arms
        contexts = np.zeros((ROUNDS, environment.dimension))
        for round, arm in enumerate(pulled.tolist()):
            player.present(round)
            before = player.memory.copy()
            means[round], contexts[round] = player.means[arm], player.contexts[arm]
            rewards[round] = player.pay(round, arm)
            player.memory[:] = before  # a first pull, again and again: means that fall to 0 would tell little
        interval = _interval(environment, rewards, means, trial.within if isinstance(trial, Within) else None)
        if interval is not None:
            _compare(environment, rewards, means, pulled, contexts, interval)


def _interval(environment: Any, rewards: Floats, means: Floats, within: tuple[float, float] | None) -> tuple[float, float] | None:
    """What holds every reward: as given, or from two frequent values; None if nothing is known."""
    if within is not None:
        for each, told in ((rewards, "reward"), (means, "mean")):
            outside = each[(each < within[0]) | (each > within[1])]
            demand(outside.size == 0, environment, f"{told} {outside[:1]}", f"must be >= {within[0]} and <= {within[1]} (`within`)")
        return within
    found, counts = np.unique(rewards, return_counts=True)
    if len(found) != 2 or counts.min() < FEW:
        return None
    return min(float(found[0]), float(means.min())), max(float(found[1]), float(means.max()))


def _compare(environment: Any, rewards: Floats, means: Floats, pulled: Any, contexts: Floats, interval: tuple[float, float]) -> None:
    """Hoeffding's inequality for sums of reward - mean: of each arm, and of all with signs that the contexts give.

    Given the context a reward has the mean that is presented, so with any sign that depends on the context the sum is a martingale.
    """
    signs = [("of all arms", np.ones(ROUNDS))]
    signs += [(f"of arm {arm}", (pulled == arm).astype(float)) for arm in range(environment.arms)]
    for column in range(environment.dimension):
        above = contexts[:, column] > np.median(contexts[:, column])
        signs.append((f"in rounds whose context {column} is above its median less those below", np.where(above, 1.0, -1.0)))
    for told, sign in signs:
        rounds = int(np.sum(np.abs(sign)))
        off = float(np.sum(sign * (rewards - means))) / rounds
        allowed = (interval[1] - interval[0]) * math.sqrt(math.log(2.0 * len(signs) / FALSE_ALARM) / (2.0 * rounds))
        rule = "must be those of the presented means, given the context (rewards and contexts have streams of their own)"
        demand(abs(off) <= allowed, environment, f"rewards {told} are off their means by {off:.4g} over {rounds} rounds", rule)


RULES: tuple[Rule, ...] = (
    has_the_members,
    presents_and_pays,
    asked_arms_change_nothing,
    compiled_and_step_by_step_agree,
    rewards_have_their_means,
)
