"""UCB on private sums: one Laplace tree per arm (Mishra and Thakurta 2015; Tossou and Dimitrakakis 2016).

Index of an arm pulled n times, when t rounds have been played:   private sum / n + sqrt(2 ln t / n) + noise width / n.

Privacy. A round's reward enters the tree of the pulled arm alone, there at most levels = floor(log2 T) + 1 nodes, with a change of at
most 1 each; which arm it is follows from what was released before. So noise of scale levels / epsilon on the nodes makes all noisy sums
of all rounds epsilon-private together, and the arms are computed from them (post-processing).

Reading. The horizon T is known. A tree's rounds are the arm's pulls, so each of the K trees has T leaves: an arm may be pulled in every
round. The noise width is Chan et al. 2011, Lemma 2.8, at failure t^-4, the power of t that the sampling radius has too:
x = b sqrt(8 E max(m, E)) with E = ln(2 t^4), scale b and m nodes. The papers have the same index with other constants: Mishra and
Thakurta with K log^2 T log(K T / failure) / (epsilon n), where K is there because they spend the budget K times.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from banditproof import glossary, randomness
from banditproof.algorithms.draws.laplaces import TOGETHER, laplaces
from banditproof.algorithms.mechanisms import tree_sum
from banditproof.algorithms.mechanisms.tree_sum import prefix_noise
from banditproof.algorithms.policies.common import SERVER_VIEWS, report_reward, require_server_view
from banditproof.direct import interact_directly
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled, copy
from banditproof.randomness import short_key
from banditproof.simulation import Plan, interact
from banditproof.typical import Values

_TABULATED = 4096  # numbers of rounds for which `Kept` holds what depends on nothing else


class Settings(NamedTuple):
    """Scale of a node's noise, and nodes of a sum."""

    scale: float
    terms: float


class Kept(NamedTuple):
    """What rounds played directly compute once for all runs: by number of rounds 1 / n and sqrt(1 / n), and the two widths' factors, NaN
    until they are used."""

    inverses: Floats
    roots: Floats
    explorations: Floats
    widths: Floats


class Run(NamedTuple):
    """What a run changes: pulls, true and released sums of each arm (K,); the trees' noise (K, levels); noise of the next pulls
    (K, TOGETHER), from a stream (4,). Played directly also the arms without pulls (1,), and 1 / n and sqrt(1 / n) of each arm's pulls."""

    pulls: Ints
    sums: Floats
    released: Floats
    partial: Floats
    ahead: Floats
    stream: Words
    untried: Ints
    inverses: Floats
    roots: Floats


class State(NamedTuple):
    """Parameters; a run, and one with a key (3,) of its own that is played in turn with it."""

    settings: Settings
    kept: Kept
    run: Run
    beside: Run
    key: Words


def _exploration(played: int) -> float:
    """sqrt(2 ln t)."""
    return math.sqrt(2.0 * math.log(played))


exploration = compiled(_exploration)


def _radius(pulls: int, played: int) -> float:
    """Half-width that covers the sampling of the rewards, in reward units: sqrt(2 ln t / n), as in UCB1."""
    return exploration(played) * math.sqrt(1.0 / pulls)


def _noise_width(played: int, scale: float, terms: float) -> float:
    """A sum of `terms` Laplace draws is larger in size with probability at most t^-4. In units of summed reward."""
    exponent = math.log(2.0) + 4.0 * math.log(played)
    return scale * math.sqrt(8.0 * exponent * max(terms, exponent))


radius, noise_width = compiled(_radius), compiled(_noise_width)


def _start(state: State, key: Words) -> None:
    run = state.run
    run.pulls[:] = 0
    run.sums[:] = 0.0
    run.released[:] = 0.0
    run.partial[:] = 0.0
    short_key(key, randomness.NOISE, run.stream)
    run.untried[0] = run.pulls.shape[0]


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    run = state.run
    arms: int = run.pulls.shape[0]
    for arm in range(arms):
        if run.pulls[arm] == 0:  # no message of this arm has arrived: in turn, whatever the rewards
            return round % arms
    width = noise_width(round, state.settings.scale, state.settings.terms)
    chosen, best = 0, -math.inf
    for arm in range(arms):
        index = (run.released[arm] + width) * (1.0 / run.pulls[arm]) + radius(run.pulls[arm], round)
        if index > best:
            chosen, best = arm, index
    return chosen


def _publish(state: State, statistic: Floats) -> None:
    copy(state.run.released, statistic)


publish = compiled(_publish, inline=True)


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    run = state.run
    for position in range(arms.shape[0]):
        arm, reward = arms[position], batch[position, 0]
        if reward != reward:
            raise ValueError("a reward is NaN: must be >= 0 and <= 1")
        place = run.pulls[arm] % TOGETHER
        if place == 0:  # numbered by (pull, arm): no two nodes share a draw, and prefix sums of an arm share those of common nodes
            laplaces(run.stream, run.pulls[arm] // TOGETHER * run.pulls.shape[0] + arm, run.ahead[arm])
        fresh = state.settings.scale * run.ahead[arm, place]
        run.pulls[arm] += 1
        run.sums[arm] += min(max(reward, 0.0), 1.0)  # the noise covers a change of 1
        run.released[arm] = run.sums[arm] + prefix_noise(run.partial[arm], run.pulls[arm], fresh)
    publish(state, statistic)


start, choose, learn = compiled(_start), compiled(_choose), compiled(_learn)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report_reward, learn, state, plan)


def _choose_directly(state: State, key: Words, round: int, contexts: Floats) -> int:
    """The arm of `choose`, by the same operations on numbers that are kept."""
    kept, run, arms = state.kept, state.run, int(state.run.pulls.shape[0])
    if run.untried[0] > 0:
        return round % arms
    if round < kept.widths.shape[0]:
        if math.isnan(kept.widths[round]):
            kept.widths[round] = noise_width(round, state.settings.scale, state.settings.terms)
            kept.explorations[round] = exploration(round)
        width, factor = kept.widths[round], kept.explorations[round]
    else:
        width, factor = noise_width(round, state.settings.scale, state.settings.terms), exploration(round)
    chosen, best = 0, -math.inf
    for arm in range(arms):
        index = (run.released[arm] + width) * run.inverses[arm] + factor * run.roots[arm]
        if index > best:
            chosen, best = arm, index
    return chosen


def _learn_directly(state: State, key: Words, round: int, arm: int, reward: float) -> None:
    """What `learn` does with one message."""
    if reward != reward:
        raise ValueError("a reward is NaN: must be >= 0 and <= 1")
    kept, run, pulls = state.kept, state.run, state.run.pulls[arm]
    place = pulls % TOGETHER
    if place == 0:
        laplaces(run.stream, pulls // TOGETHER * run.pulls.shape[0] + arm, run.ahead[arm])
        if pulls == 0:
            run.untried[0] -= 1
    pulls += 1
    run.pulls[arm] = pulls
    if pulls < kept.roots.shape[0]:
        run.inverses[arm], run.roots[arm] = kept.inverses[pulls], kept.roots[pulls]
    else:
        run.inverses[arm], run.roots[arm] = 1.0 / pulls, math.sqrt(1.0 / pulls)
    run.sums[arm] += min(max(reward, 0.0), 1.0)
    fresh = state.settings.scale * run.ahead[arm, place]
    run.released[arm] = run.sums[arm] + prefix_noise(run.partial[arm], pulls, fresh)


choose_directly, learn_directly = compiled(_choose_directly, inline=True), compiled(_learn_directly, inline=True)


def _another(state: State) -> State:
    """The state of a run that is played beside."""
    return State(state.settings, state.kept, state.beside, state.run, state.key)


another = compiled(_another, inline=True)


def _in_pairs(
    state: State,
    beside: State,
    key: Words,
    other_key: Words,
    runs: int,
    horizon: int,
    table: Floats,
    replaced_round: int,
    replaced_rewards: Floats,
    contexts: Floats,
    out_arms: Ints,
    out_statistic: Floats,
) -> None:
    """Plays the run of each key and all that follow by twos, `runs` in all, an even number: two runs in turn, round by round. A round waits
    for the one before it in its own run alone, so the processor computes on both at once."""
    for run in range(0, runs, 2):
        start(state, key)
        start(beside, other_key)
        for round in range(horizon):
            arm, other = choose_directly(state, key, round, contexts), choose_directly(beside, other_key, round, contexts)
            if arm < 0 or other < 0:  # never: it tells the compiler that no index counts from the end (2.5 to 2.2 us a run)
                return
            reward, paid = table[round, arm], table[round, other]
            if round == replaced_round:
                reward, paid = replaced_rewards[arm], replaced_rewards[other]
            if out_arms.shape[0] > 0:
                out_arms[run, round], out_arms[run + 1, round] = arm, other
            learn_directly(state, key, round, arm, reward)
            learn_directly(beside, other_key, round, other, paid)
            if out_statistic.shape[0] > 0:
                publish(state, out_statistic[run, round])
                publish(beside, out_statistic[run + 1, round])
        key[2] += 2
        other_key[2] += 2


in_pairs = compiled(_in_pairs)  # a call: references to members of a tuple that is made here would be counted in each round


def _direct(state: State, plan: Plan) -> None:
    played, other_key = 0, state.key
    if plan.begins and plan.table.shape[0] > 0 and plan.checkpoints.shape[0] == 0 and not plan.corrupts_reward:
        played = (plan.runs[1] - plan.runs[0]) // 2 * 2
        copy(plan.key, other_key)
        plan.key[2], other_key[2] = plan.runs[0], plan.runs[0] + 1
        in_pairs(
            state, another(state), plan.key, other_key, played, plan.rounds[1], plan.table, plan.replaced_round, plan.replaced_rewards,
            plan.features.T, plan.out_arms, plan.out_statistic,
        )  # fmt: skip
    interact_directly(start, choose_directly, learn_directly, publish, state, plan, played)


def _empty_run(arms: int, horizon: int) -> Run:
    return Run(
        pulls=np.zeros(arms, dtype=np.int64),
        sums=np.zeros(arms),
        released=np.zeros(arms),
        partial=np.zeros((arms, tree_sum.levels(horizon))),
        ahead=np.zeros((arms, TOGETHER)),
        stream=np.zeros(4, dtype=np.uint64),
        untried=np.zeros(1, dtype=np.int64),
        inverses=np.zeros(arms),
        roots=np.zeros(arms),
    )


KERNELS = Kernels(start, choose, report_reward, learn, compiled(_run), direct=compiled(_direct))


@dataclass(frozen=True)
class TreeUCB:
    """Each arm once, then the arm with the largest index; the lowest of equal ones. It releases the noisy sums (K,) after each batch.

    Rewards are clipped to [0, 1]. The noisy sums are as private as the arms, so `view` may be CENTRAL, JOINT or WHITE_BOX; the users'
    own messages are not private, so LOCAL and SHUFFLED raise ValueError. So does a reward that is NaN, when played.
    """

    epsilon: float
    view: View = View.CENTRAL
    theorems: tuple[str, ...] = field(default=("chan_2011.tree_privacy", "inequalities.post_processing"), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"view": SERVER_VIEWS}

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        require_server_view(self.view)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.REPLACE_REWARD, self.view)

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        settings = Settings(float(tree_sum.node_scale(self.epsilon, horizon)), float(tree_sum.terms(horizon)))
        pulls = np.arange(1, min(horizon, _TABULATED) + 1)
        inverses = np.concatenate([[np.inf], 1.0 / pulls])
        kept = Kept(
            inverses=inverses, roots=np.sqrt(inverses), explorations=np.full(pulls.size, np.nan), widths=np.full(pulls.size, np.nan)
        )
        return State(settings, kept, _empty_run(arms, horizon), _empty_run(arms, horizon), key=np.zeros(3, dtype=np.uint64))

    def message_width(self, dimension: int) -> int:
        return 1

    def statistic_width(self, arms: int, dimension: int) -> int:
        return arms
