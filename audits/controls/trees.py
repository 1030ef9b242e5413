"""Tree sums and private policies broken on purpose."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from banditproof import randomness
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.mechanisms.tree_sum import levels, nodes_summed
from banditproof.audits.controls.releases import Broken
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, Control
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import Guarantee, PureDP, Relation, View
from banditproof.interaction import Floats, Ints, Kernels, Pipeline, Words
from banditproof.kernels import compiled
from banditproof.mechanism import Mechanism, Neighbours, PolicyMechanism
from banditproof.play import Plan, interact
from banditproof.randomness import laplace


def _control(name: str, mistake: str, theorem: str, mechanism: Mechanism) -> Control:
    return Control(mistake, Audit(theorem, f"privacy.control.{name}", f"control {name}", PrivacyLoss(mechanism), expected=Verdict.REFUTED))


def _first_of(horizon: int) -> Neighbours:
    still = (0.0,) * horizon
    return Neighbours(Relation.REPLACE_RECORD, lengths=(horizon, horizon), worst=((still, (1.0, *still[1:])),))


def _prefixes(data: Floats, noise: Floats) -> Floats:
    """Prefix sums with the noise of node t in column t - 1 of `noise` (runs, T)."""
    sums = np.empty_like(noise)
    for round in range(1, noise.shape[1] + 1):
        sums[:, round - 1] = data[:round].sum() + sum(noise[:, last - 1] for _, last in nodes_summed(round))
    return sums


def _one_level_short(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise for log2 T levels; a round enters log2 T + 1 nodes."""
    return _prefixes(data, rng.laplace(0.0, levels(len(data)) - 1.0, (runs, len(data))))


def _one_node_for_a_level(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """All nodes of a level share one draw, so differences of prefix sums lose it."""
    drawn = rng.laplace(0.0, levels(len(data)), (runs, levels(len(data))))
    level = [(round & -round).bit_length() - 1 for round in range(1, len(data) + 1)]
    return _prefixes(data, drawn[:, level])


def _drawn_anew(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Every prefix sum draws its nodes anew, as if a node were released once; the mean over releases uncovers the first round."""
    noise = [sum(rng.laplace(0.0, 4.0, runs) for _ in nodes_summed(round)) for round in range(1, len(data) + 1)]
    return np.asarray(np.cumsum(data) + np.stack(noise, axis=1))


ONE_LEVEL_SHORT = _control(
    "one_level_short",
    "a tree one level short",
    "dwork_2010.tree_privacy",
    Broken(PureDP(1.0, Relation.REPLACE_RECORD), _first_of(2), _one_level_short),
)
SCALE_ONE_LEVEL_SHORT = _control(
    "scale_one_level_short",
    "node noise for one level too few",
    "dwork_2010.tree_scale",
    Broken(PureDP(1.0, Relation.REPLACE_RECORD), _first_of(2), _one_level_short),
)
ONE_NODE_FOR_A_LEVEL = _control(
    "one_node_for_a_level",
    "noise of one node used for its whole level",
    "chan_2011.tree_privacy",
    Broken(PureDP(1.0, Relation.REPLACE_RECORD), _first_of(4), _one_node_for_a_level),
)
DRAWN_ANEW = _control(
    "drawn_anew",
    "a node's noise drawn anew for every prefix sum",
    "chan_2011.tree_privacy",
    Broken(PureDP(1.0, Relation.REPLACE_RECORD), _first_of(16), _drawn_anew),
)


class State(NamedTuple):
    """Pulls (K,), true sums (K,), released sums (K,), and the scale of the noise (1,)."""

    pulls: Ints
    sums: Floats
    released: Floats
    scale: Floats


def _start(state: State, key: Words) -> None:
    state.pulls[:] = 0
    state.sums[:] = 0.0
    state.released[:] = 0.0


def _choose_by_truth(state: State, key: Words, round: int, contexts: Floats) -> int:
    """The arm with the best true mean so far: the noise is added to the sums after the decision."""
    arms = state.pulls.shape[0]
    if round < arms:
        return round
    chosen, best = 0, -math.inf
    for arm in range(arms):
        mean = state.sums[arm] / state.pulls[arm]
        if mean > best:
            chosen, best = arm, mean
    return chosen


def _in_turn(state: State, key: Words, round: int, contexts: Floats) -> int:
    return round % int(state.pulls.shape[0])


def _report(state: State, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    message[0] = reward


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    """Releases every arm's sum with one and the same draw of the round."""
    shared = state.scale[0] * laplace(key, randomness.NOISE, round)
    for position in range(arms.shape[0]):
        state.pulls[arms[position]] += 1
        state.sums[arms[position]] += batch[position, 0]
    for arm in range(state.pulls.shape[0]):
        state.released[arm] = state.sums[arm] + shared
        statistic[arm] = state.released[arm]


start, choose_by_truth, in_turn, report, learn = (compiled(kernel) for kernel in (_start, _choose_by_truth, _in_turn, _report, _learn))


def _run_by_truth(state: State, plan: Plan) -> None:
    interact(start, choose_by_truth, report, learn, state, plan)


def _run_in_turn(state: State, plan: Plan) -> None:
    interact(start, in_turn, report, learn, state, plan)


BY_TRUTH = Kernels(start, choose_by_truth, report, learn, compiled(_run_by_truth))
IN_TURN = Kernels(start, in_turn, report, learn, compiled(_run_in_turn))


@dataclass(frozen=True)
class BrokenPolicy:
    """A policy that believes its released sums to be private in the given view."""

    kernels: Kernels
    view: View
    promises: tuple[str, ...] = field(default=(), init=False, repr=False)

    def guarantee(self) -> Guarantee:
        return PureDP(1.0, Relation.REPLACE_REWARD, self.view)

    def state(self, arms: int, width: int, horizon: int) -> State:
        return State(np.zeros(arms, dtype=np.int64), np.zeros(arms), np.zeros(arms), np.full(1, 4.0))

    def message_width(self, width: int) -> int:
        return 1

    def statistic_width(self, arms: int, width: int) -> int:
        return arms


def _policy(kernels: Kernels, view: View) -> PolicyMechanism:
    low, high = ((0.0, 0.5),) * 4, ((1.0, 0.5), *((0.0, 0.5),) * 3)
    policy = BrokenPolicy(kernels, view)
    return PolicyMechanism(Pipeline(policy, Bernoulli((0.5, 0.5))), policy.guarantee(), 0, 4, worst=((low, high),))


AFTER_THE_DECISION = _control(
    "noise_after_the_decision", "noise after the decision", "inequalities.post_processing", _policy(BY_TRUTH, View.CENTRAL)
)
SHARED_BY_ARMS = _control("noise_shared_by_arms", "one draw for all arms", "chan_2011.tree_privacy", _policy(IN_TURN, View.WHITE_BOX))
