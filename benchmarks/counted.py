"""How counted work grows: the exponents of `growth` that do not need a clock, for which a few rounds suffice. A test runs it too."""

from collections.abc import Callable, Sequence

import numpy as np

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.environments.unit_features import UnitFeatures
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.algorithms.policies.locally_private_lin_ucb.combiner import Combiner
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime, PrivateOnlineLinUCB
from banditproof.algorithms.policies.median_ucb import MedianUCB
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Method, NoisyGramUCB
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.interaction import Pipeline, Policy
from banditproof.randomness import key_of
from banditproof.simulation import play
from benchmarks.lin_ucb import fixed
from benchmarks.runner.cases import Case, Scale, Work
from benchmarks.runner.counting import Counted, growths

LONG = False
KEY, PLANNED_HORIZON = key_of(17, "benchmark"), 50_000_000


def cases(scale: Scale) -> Sequence[Case]:
    return growths("benchmarks.counted", WORKS)


def played(pipeline: Pipeline, rounds: int, stepwise: bool = True) -> Work:
    """A run step by step, or in the loops that play it where nothing is recorded."""
    return lambda: play(pipeline, horizon=rounds, key=KEY, record=(), stepwise=stepwise)


def coins(arms: int) -> Bernoulli:
    """Means from 0.2 to 0.8."""
    return Bernoulli(tuple(np.linspace(0.2, 0.8, arms).tolist()))


def _rounds(pipeline: Pipeline, sizes: tuple[int, ...] = (64, 128, 256)) -> Counted:
    return Counted("T", sizes, lambda rounds: played(pipeline, rounds), 1.0, "a constant cost per round")


def _direct_rounds(pipeline: Pipeline, sizes: tuple[int, ...] = (128, 512, 2048)) -> Counted:
    return Counted("T", sizes, lambda rounds: played(pipeline, rounds, stepwise=False), 1.0, "a constant cost per round")


def _arms(policy: Policy, rounds: int) -> Counted:
    """Of the loops that play it where nothing is recorded."""
    return Counted("K", (8, 16, 32), lambda arms: played(Pipeline(policy, coins(arms)), rounds, stepwise=False), 1.0, "O(K) per round")


def _dimensions(policy: LinUCB) -> Callable[[int], Work]:
    return lambda dimension: played(Pipeline(policy, fixed(4, dimension)), 12)


def _local(policy: PrivateOnlineLinUCB | Anytime | Combiner) -> Counted:
    return _rounds(Pipeline(policy, UnitFeatures(2, 4), LOCAL.randomiser()))


LOCAL = PrivateOnlineLinUCB(10.0)
RIDGE, WISHART = LinUCB(Noise.NONE), LinUCB(Noise.WISHART, planned_horizon=PLANNED_HORIZON)
WORKS = {
    "lin_ucb_rounds": _rounds(Pipeline(RIDGE, fixed(4, 3))),
    "lin_ucb_fresh_rounds": _rounds(Pipeline(RIDGE, Sphere(3, 4))),
    "lin_ucb_wishart_rounds": _rounds(Pipeline(WISHART, fixed(4, 2)), (32, 64, 128)),
    "ucb1_rounds": _rounds(Pipeline(UCB1(), coins(3))),
    "tree_ucb_rounds": _rounds(Pipeline(TreeUCB(1.0), coins(3))),
    "elimination_rounds": _rounds(Pipeline(RobustElimination(1.0), coins(3))),
    "lin_ucb_direct_rounds": _direct_rounds(Pipeline(RIDGE, fixed(4, 3))),
    "lin_ucb_direct_fresh_rounds": _direct_rounds(Pipeline(RIDGE, Sphere(3, 4))),
    "lin_ucb_direct_wishart_rounds": _direct_rounds(Pipeline(WISHART, fixed(4, 2))),
    "ucb1_direct_rounds": _direct_rounds(Pipeline(UCB1(), coins(3))),
    "tree_ucb_direct_rounds": _direct_rounds(Pipeline(TreeUCB(1.0), coins(3))),
    "elimination_direct_rounds": _direct_rounds(Pipeline(RobustElimination(1.0), coins(3))),
    "successive_direct_rounds": _direct_rounds(Pipeline(SuccessiveElimination(1.0), coins(3))),
    "central_direct_rounds": _direct_rounds(Pipeline(CentralElimination(1.0, 20.0), coins(3))),
    "median_rounds": _rounds(Pipeline(MedianUCB(0.25), coins(3))),
    "noisy_gram_rounds": _rounds(NoisyGramUCB(Method.LDP).pipeline(UnitFeatures(2, 4))),
    "locally_private_rounds": _local(LOCAL),
    "anytime_rounds": _local(Anytime(LOCAL)),
    "combiner_rounds": _local(Combiner(LOCAL)),
    "ucb1_direct_arms": _arms(UCB1(), 128),
    "tree_ucb_direct_arms": _arms(TreeUCB(1.0), 128),
    "lin_ucb_arms": Counted("K", (8, 16, 32), lambda arms: played(Pipeline(RIDGE, fixed(arms, 4)), 8), 1.0, "O(K d^2) per round"),
    "lin_ucb_dimension": Counted("d", (12, 20, 32), _dimensions(RIDGE), 2.0, "O(K d^2) per round"),
    "lin_ucb_wishart_dimension": Counted("d", (4, 8, 12), _dimensions(WISHART), 3.0, "O(K d^2 + d^3) per round: noise in every entry"),
}
