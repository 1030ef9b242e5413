"""Controls of dwork_2010: tree sums with one mistake each, in their noise, their error and its rate."""

import math
from collections.abc import Callable

import numpy as np

from banditproof.algorithms.mechanisms.tree_sum import levels
from banditproof.audits.common import trees
from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.methods.coverage import Bools, Coverage, uniformly
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.methods.stated import Stated
from banditproof.audits.mutations import MutatedMechanism, control
from banditproof.glossary import HORIZON
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats
from banditproof.theory.papers import dwork_2010


def _levels_rounded_up(horizon: int) -> float:
    """One short at powers of two, right everywhere else."""
    return float(max(1, math.ceil(math.log2(horizon)))) if horizon > 1 else 1.0


def _levels(horizon: int) -> object:
    return dwork_2010.TREE_SCALE.at(horizon=horizon, sensitivity=1, epsilon=1).ball


LEVELS_ROUNDED_UP = control(
    "levels_rounded_up",
    "one level short at powers of two",
    dwork_2010.TREE_SCALE,
    Agreement(dwork_2010.TREE_SCALE, _levels_rounded_up, (HORIZON,), _levels),
)
_TREE_ERROR = Stated(dwork_2010.TREE_ERROR, {"horizon": 64, "epsilon": 1, "failure": "0.05"})


def _levels_counted_twice(runs: int, rng: np.random.Generator) -> Bools:
    """Noise of scale levels^2 / epsilon."""
    horizon = _TREE_ERROR["horizon"]
    return uniformly(np.abs(trees.prefix_noise(runs, horizon, levels(horizon) ** 2.0, rng)) > _TREE_ERROR.bound())


def _radius_of_one_node(runs: int, rng: np.random.Generator) -> Bools:
    horizon, failure = _TREE_ERROR["horizon"], _TREE_ERROR.number("failure")
    scale = float(levels(horizon))
    return uniformly(np.abs(trees.prefix_noise(runs, horizon, scale, rng)) > scale * math.log(1.0 / failure))


LEVELS_TWICE = control(
    "tree_levels_counted_twice",
    "a tree whose nodes have the noise for levels twice over",
    _TREE_ERROR.theorem,
    Coverage(
        _levels_counted_twice, _TREE_ERROR, "in some round |noise of the prefix sum| > the theorem's radius", 1.25, cell=4096, runs=10_000
    ),
)
ONE_NODE_RADIUS = control(
    "tree_radius_of_one_node",
    "the radius of one node's noise, claimed for all prefix sums",
    _TREE_ERROR.theorem,
    Coverage(_radius_of_one_node, _TREE_ERROR, "in some round |noise of the prefix sum| > scale * log(1 / failure)", 1.25, cell=4096),
)


def _noise_for_every_prefix(horizon: int) -> Callable[[int, np.random.Generator], Floats]:
    """No tree: each of the T prefix sums gets its own noise, so its scale is T / epsilon."""
    return lambda runs, rng: np.abs(rng.laplace(0.0, horizon, (runs, horizon))).max(axis=1)


NO_TREE = control(
    "no_tree",
    "fresh noise for every prefix sum, at the budget of all",
    dwork_2010.COUNTER_ERROR,
    GrowthRate(_noise_for_every_prefix, dwork_2010.COUNTER_ERROR.growth_in(HORIZON), 16, 1024),
)


def _one_level_short(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise for log2 T levels; a round enters log2 T + 1 nodes."""
    return trees.prefixes(data, rng.laplace(0.0, levels(len(data)) - 1.0, (runs, len(data))))


ONE_LEVEL_SHORT = control(
    "one_level_short",
    "a tree one level short",
    "dwork_2010.tree_privacy",
    PrivacyLoss(MutatedMechanism(PureDP(1.0, NeighbouringRelation.REPLACE_RECORD), trees.first_changes(2), _one_level_short)),
)
SCALE_ONE_LEVEL_SHORT = control(
    "scale_one_level_short",
    "node noise for one level too few",
    "dwork_2010.tree_scale",
    PrivacyLoss(MutatedMechanism(PureDP(1.0, NeighbouringRelation.REPLACE_RECORD), trees.first_changes(2), _one_level_short)),
)
