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
    """What a round played directly does not compute anew: 1 / n and sqrt(1 / n) of each arm's pulls (K,), the arms without pulls (1,); by
    number of rounds, and from run to run, 1 / n and sqrt(1 / n), and the two widths' factors, NaN until they are used."""

    inverses: Floats
    roots: Floats
    untried: Ints
    all_inverses: Floats
    all_roots: Floats
    explorations: Floats
    widths: Floats


class Beside(NamedTuple):
    """Arrays and key (3,) of a run that is played in turn with another one: see `State`."""

    pulls: Ints
    sums: Floats
    released: Floats
    partial: Floats
    ahead: Floats
    stream: Words
    kept: Kept
    key: Words


class State(NamedTuple):
    """Parameters; pulls, true and released sums of each arm (K,); the trees' noise (K, levels); noise of the next pulls
    (K, TOGETHER), from a stream (4,)."""

    settings: Settings
    pulls: Ints
    sums: Floats
    released: Floats
    partial: Floats
    ahead: Floats
    stream: Words
    kept: Kept
    beside: Beside


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
    state.pulls[:] = 0
    state.sums[:] = 0.0
    state.released[:] = 0.0
    state.partial[:] = 0.0
    short_key(key, randomness.NOISE, state.stream)
    state.kept.untried[0] = state.pulls.shape[0]


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    arms: int = state.pulls.shape[0]
    for arm in range(arms):
        if state.pulls[arm] == 0:  # no message of this arm has arrived: in turn, whatever the rewards
            return round % arms
    width = noise_width(round, state.settings.scale, state.settings.terms)
    chosen, best = 0, -math.inf
    for arm in range(arms):
        index = (state.released[arm] + width) * (1.0 / state.pulls[arm]) + radius(state.pulls[arm], round)
        if index > best:
            chosen, best = arm, index
    return chosen


def _publish(state: State, statistic: Floats) -> None:
    copy(state.released, statistic)


publish = compiled(_publish, inline=True)


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    for position in range(arms.shape[0]):
        arm, reward = arms[position], batch[position, 0]
        if reward != reward:
            raise ValueError("a reward is NaN: must be >= 0 and <= 1")
        place = state.pulls[arm] % TOGETHER
        if place == 0:  # numbered by (pull, arm): no two nodes share a draw, and prefix sums of an arm share those of common nodes
            laplaces(state.stream, state.pulls[arm] // TOGETHER * state.pulls.shape[0] + arm, state.ahead[arm])
        fresh = state.settings.scale * state.ahead[arm, place]
        state.pulls[arm] += 1
        state.sums[arm] += min(max(reward, 0.0), 1.0)  # the noise covers a change of 1
        state.released[arm] = state.sums[arm] + prefix_noise(state.partial[arm], state.pulls[arm], fresh)
    publish(state, statistic)


start, choose, learn = compiled(_start), compiled(_choose), compiled(_learn)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report_reward, learn, state, plan)


def _choose_directly(state: State, key: Words, round: int, contexts: Floats) -> int:
    """The arm of `choose`, by the same operations on numbers that are kept."""
    kept, arms = state.kept, int(state.pulls.shape[0])
    if kept.untried[0] > 0:
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
        index = (state.released[arm] + width) * kept.inverses[arm] + factor * kept.roots[arm]
        if index > best:
            chosen, best = arm, index
    return chosen


def _learn_directly(state: State, key: Words, round: int, arm: int, reward: float) -> None:
    """What `learn` does with one message."""
    kept, pulls = state.kept, state.pulls[arm]
    place = pulls % TOGETHER
    if place == 0:
        laplaces(state.stream, pulls // TOGETHER * state.pulls.shape[0] + arm, state.ahead[arm])
        if pulls == 0:
            kept.untried[0] -= 1
    pulls += 1
    state.pulls[arm] = pulls
    if pulls < kept.all_roots.shape[0]:
        kept.inverses[arm], kept.roots[arm] = kept.all_inverses[pulls], kept.all_roots[pulls]
    else:
        kept.inverses[arm], kept.roots[arm] = 1.0 / pulls, math.sqrt(1.0 / pulls)
    state.sums[arm] += min(max(reward, 0.0), 1.0)
    fresh = state.settings.scale * state.ahead[arm, place]
    state.released[arm] = state.sums[arm] + prefix_noise(state.partial[arm], pulls, fresh)


choose_directly, learn_directly = compiled(_choose_directly, inline=True), compiled(_learn_directly, inline=True)


def _another(state: State) -> State:
    """The state of a run that is played beside."""
    own = state.beside
    return State(state.settings, own.pulls, own.sums, own.released, own.partial, own.ahead, own.stream, own.kept, own)


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
    played, other_key = 0, state.beside.key
    if plan.begins and plan.table.shape[0] > 0 and plan.checkpoints.shape[0] == 0 and not plan.corrupts_reward:
        played = (plan.runs[1] - plan.runs[0]) // 2 * 2
        copy(plan.key, other_key)
        plan.key[2], other_key[2] = plan.runs[0], plan.runs[0] + 1
        in_pairs(
            state, another(state), plan.key, other_key, played, plan.rounds[1], plan.table, plan.replaced_round, plan.replaced_rewards,
            plan.features.T, plan.out_arms, plan.out_statistic,
        )  # fmt: skip
    interact_directly(start, choose_directly, learn_directly, publish, state, plan, played)


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
            inverses=np.zeros(arms),
            roots=np.zeros(arms),
            untried=np.zeros(1, dtype=np.int64),
            all_inverses=inverses,
            all_roots=np.sqrt(inverses),
            explorations=np.full(pulls.size, np.nan),
            widths=np.full(pulls.size, np.nan),
        )
        one = Beside(
            pulls=np.zeros(arms, dtype=np.int64),
            sums=np.zeros(arms),
            released=np.zeros(arms),
            partial=np.zeros((arms, tree_sum.levels(horizon))),
            ahead=np.zeros((arms, TOGETHER)),
            stream=np.zeros(4, dtype=np.uint64),
            kept=kept,
            key=np.zeros(3, dtype=np.uint64),
        )
        # What depends on the number of rounds or pulls alone serves both runs.
        own = kept._replace(inverses=kept.inverses.copy(), roots=kept.roots.copy(), untried=kept.untried.copy())
        arrays = {name: np.array(getattr(one, name)) for name in one._fields if name not in ("kept", "key")}
        return State(settings=settings, **arrays, kept=own, beside=one)

    def message_width(self, dimension: int) -> int:
        return 1

    def statistic_width(self, arms: int, dimension: int) -> int:
        return arms
