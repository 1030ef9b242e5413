"""Controls of chan_2011: tree sums and a private policy with one mistake each, in their noise, their error and its rate."""

from collections.abc import Callable

import numpy as np

from banditproof.algorithms.mechanisms.tree_sum import levels, nodes_summed
from banditproof.audits.common import shared_noise, trees
from banditproof.audits.methods.coverage import Bools, Coverage
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.methods.stated import Stated
from banditproof.audits.mutations import MutatedMechanism, control
from banditproof.glossary import HORIZON
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Floats
from banditproof.theory.papers import chan_2011

_THIRTY = Stated(chan_2011.LAPLACE_SUM, {"terms": 30, "scale": 1, "failure": "0.05"})


def _one_noise_counted_often(runs: int, rng: np.random.Generator) -> Bools:
    return np.asarray(np.abs(_THIRTY["terms"] * rng.laplace(0.0, _THIRTY["scale"], runs)) > _THIRTY.bound())


ONE_NOISE = control(
    "one_noise_counted_often",
    "a sum of 30 noises that are one noise",
    _THIRTY.theorem,
    Coverage(_one_noise_counted_often, _THIRTY, "|sum of the noises| > the theorem's radius for independent ones", 1.25),
)
_ONE_ROUND = Stated(chan_2011.TREE_ERROR, {"horizon": 64, "round": 40, "epsilon": 8, "failure": "0.05"})


def _top_node_forgotten(runs: int, rng: np.random.Generator) -> Bools:
    """The tree has one level too few: the node over the first half of the horizon is missing from the sums that need it. Rewards are 1."""
    horizon, round = _ONE_ROUND["horizon"], _ONE_ROUND["round"]
    noise = trees.prefix_noise(runs, horizon, levels(horizon) / _ONE_ROUND["epsilon"], rng)[:, round - 1]
    missing = sum(last - first + 1 for first, last in nodes_summed(round) if last - first + 1 >= horizon // 2)
    return np.asarray(np.abs(noise - missing) > _ONE_ROUND.bound())


TOP_NODE_FORGOTTEN = control(
    "tree_one_level_short",
    "a tree one level short, whose sums miss the top node",
    _ONE_ROUND.theorem,
    Coverage(_top_node_forgotten, _ONE_ROUND, "|released prefix sum - true one| > the theorem's radius", 1.25, cell=4096, runs=10_000),
)


def _noise_for_every_number(horizon: int) -> Callable[[int, np.random.Generator], Floats]:
    """Noise on each number of the stream, read where the noisy sum of all of them is meant: the error grows like the root of T."""
    return lambda runs, rng: np.abs(rng.laplace(0.0, 1.0, (runs, horizon)).sum(axis=1))


NOISE_PER_NUMBER = control(
    "noise_per_number",
    "noise on each number of the stream instead of on partial sums",
    chan_2011.COUNTER_ERROR,
    GrowthRate(_noise_for_every_number, chan_2011.COUNTER_ERROR.growth_in(HORIZON), 16, 1024),
)


def _one_node_for_a_level(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """All nodes of a level share one draw, so differences of prefix sums lose it."""
    drawn = rng.laplace(0.0, levels(len(data)), (runs, levels(len(data))))
    level = [(round & -round).bit_length() - 1 for round in range(1, len(data) + 1)]
    return trees.prefixes(data, drawn[:, level])


def _drawn_anew(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Every prefix sum draws its nodes anew, as if a node were released once; the mean over releases uncovers the first round."""
    noise = [sum(rng.laplace(0.0, 4.0, runs) for _ in nodes_summed(round)) for round in range(1, len(data) + 1)]
    return np.asarray(np.cumsum(data) + np.stack(noise, axis=1))


ONE_NODE_FOR_A_LEVEL = control(
    "one_node_for_a_level",
    "noise of one node used for its whole level",
    "chan_2011.tree_privacy",
    PrivacyLoss(MutatedMechanism(PureDP(1.0, NeighbouringRelation.REPLACE_RECORD), trees.first_changes(4), _one_node_for_a_level)),
)
DRAWN_ANEW = control(
    "drawn_anew",
    "a node's noise drawn anew for every prefix sum",
    "chan_2011.tree_privacy",
    PrivacyLoss(MutatedMechanism(PureDP(1.0, NeighbouringRelation.REPLACE_RECORD), trees.first_changes(16), _drawn_anew)),
)
SHARED_BY_ARMS = control(
    "noise_shared_by_arms",
    "one draw for all arms",
    "chan_2011.tree_privacy",
    PrivacyLoss(shared_noise.four_rounds(shared_noise.IN_TURN, View.WHITE_BOX)),
)
