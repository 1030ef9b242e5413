"""Audits of chan_2011: privacy of the tree sum as a release and inside a policy, seen from three places; its error at one round, the sum of
noises that the error is made of, and the rate of the error; whole runs of the policy, replayed round by round.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.environments.rotting import Rotting
from banditproof.algorithms.mechanisms import tree_sum
from banditproof.algorithms.mechanisms.laplace import Laplace
from banditproof.algorithms.mechanisms.tree_sum import TreeSum
from banditproof.algorithms.policies import tree_ucb
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.audits.common import trees
from banditproof.audits.common.beside import beside, compared, refused
from banditproof.audits.common.index_runs import Heard, as_compiled, refuses_nan, replayed, runs
from banditproof.audits.common.neighbours import RewardPairs
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.coverage import Bools, Coverage, Fails
from banditproof.audits.methods.frozen_releases import FrozenRuns
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.orders import audits_of
from banditproof.audits.methods.pointwise import At
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.methods.stated import Stated
from banditproof.audits.privacy.frozen_pipeline import PolicyRun
from banditproof.audits.running.audit import Audit, swept
from banditproof.glossary import EPSILON, FAILURE, HORIZON, ROUND, SCALE, TERMS
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Floats, Pipeline, Replacement
from banditproof.mechanism import PolicyMechanism
from banditproof.randomness import NOISE, laplace
from banditproof.theory.language import symbol
from banditproof.theory.limits import End
from banditproof.theory.orders import Fixed, Pair, Path
from banditproof.theory.papers import chan_2011

_EPSILON, _HORIZON = 2.0, 8
_NOTHING, _FIRST_PAYS = ((0.0, 0.0),) * _HORIZON, ((1.0, 1.0), *((0.0, 0.0),) * (_HORIZON - 1))


def _seen(view: View) -> PolicyMechanism:
    policy = TreeUCB(_EPSILON, view)
    pipeline = Pipeline(policy, Bernoulli((0.5, 0.5)))
    return PolicyMechanism(pipeline, policy.guarantee(), 0, _HORIZON, policy.theorems, ((_NOTHING, _FIRST_PAYS),))


def _adaptive() -> PolicyMechanism:
    policy = TreeUCB(_EPSILON, View.WHITE_BOX)
    return PolicyMechanism(Pipeline(policy, Rotting((0.9, 0.8))), policy.guarantee(), 0, _HORIZON, policy.theorems)


def _contaminated() -> PolicyMechanism:
    claim = PureDP(_EPSILON, NeighbouringRelation.REPLACE_REWARD, View.WHITE_BOX)
    pipeline = Pipeline(TreeUCB(_EPSILON, View.WHITE_BOX), Bernoulli((0.5, 0.5)), corruption=Huber(0.1))
    return PolicyMechanism(pipeline, claim, 0, _HORIZON, ("inequalities.post_processing",), ((_NOTHING, _FIRST_PAYS),))


FROZEN = tuple(
    Audit(
        "chan_2011.tree_privacy",
        f"frozen.tree_ucb_{name}",
        f"TreeUCB({_EPSILON:g}), one reward replaced{note}, T = 16",
        FrozenRuns(
            PolicyRun(TreeUCB(_EPSILON)), RewardPairs(16, 2, (0, 1, 7, 14), (0.0, 1.0, 0.3), others=others), TreeUCB(_EPSILON).guarantee()
        ),
    )
    for name, others, note in (("run", None, ""), ("run_among_far", -1e6, ", every third of the others far below"))
)
RELEASE = Audit(
    "chan_2011.tree_privacy",
    f"privacy.{swept(eps=1.0, n=5)}",
    "TreeSum(epsilon=1.0, horizon=5)",
    PrivacyLoss(TreeSum(1.0, 5), exact=1.0),
)
POLICIES = tuple(
    Audit(
        "chan_2011.tree_privacy",
        f"privacy.tree_ucb_{view.value}",
        f"TreeUCB(epsilon={_EPSILON}, view={view.value}), {_HORIZON} rounds",
        PrivacyLoss(_seen(view)),
    )
    for view in (View.CENTRAL, View.JOINT, View.WHITE_BOX)
)
ADAPTIVE = Audit(
    "chan_2011.tree_privacy",
    "privacy.tree_ucb_rotting",
    f"TreeUCB(epsilon={_EPSILON}, view=white_box) on rotting arms, {_HORIZON} rounds",
    PrivacyLoss(_adaptive(), pair=(Replacement(0, (0.0, 0.0)), Replacement(0, (1.0, 1.0)))),
)
CONTAMINATED = Audit(
    "chan_2011.tree_privacy",
    "privacy.tree_ucb_contaminated",
    "TreeUCB(epsilon=2.0, view=white_box), a tenth of the rewards replaced",
    PrivacyLoss(_contaminated()),
)


def _one_round(epsilon: float, horizon: int, round: int, failure: str) -> Audit:
    """That the prefix sum at one round lies no farther from the true one than the theorem's radius."""
    stated = Stated(chan_2011.TREE_ERROR, {"epsilon": epsilon, "horizon": horizon, "round": round, "failure": failure})
    return Audit(
        stated.theorem.id,
        f"coverage.{swept(eps=epsilon, n=horizon, round=round, alpha=failure)}",
        f"TreeSum(epsilon={epsilon}, horizon={horizon}) at round {round}, failure {failure}",
        Coverage(
            trees.at_round(stated),
            stated,
            rule="|released prefix sum - true one| at this round > the theorem's radius",
            must_detect_ratio=trees.MUST_DETECT_RATIO,
            runs=12_000,
            cell=512,
            parameters=stated.values,
        ),
    )


ONE_ROUND = (_one_round(1.0, 256, 255, "0.05"), _one_round(1.0, 100, 64, "0.1"), _one_round(2.0, 8, 7, "0.5"))


def _noises(stated: Stated) -> Fails:
    """Whether the sum of this many Laplace noises lies farther from 0 than the theorem's radius. Draws."""
    terms = stated["terms"]
    mechanism = Laplace(1.0 / stated["scale"], width=terms)

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        return np.asarray(np.abs(mechanism.release((0.0,) * terms, runs, rng).sum(axis=1)) > stated.bound())

    return fails


def _sum(terms: int, scale: float, failure: str) -> Audit:
    stated = Stated(chan_2011.LAPLACE_SUM, {"terms": terms, "scale": scale, "failure": failure})
    return Audit(
        stated.theorem.id,
        f"coverage.{swept(terms=terms, scale=scale, alpha=failure)}",
        f"sum of {terms} numbers of Laplace(epsilon={1.0 / scale:g}), failure {failure}",
        Coverage(
            _noises(stated),
            stated,
            rule="|sum of the noises| > the theorem's radius",
            must_detect_ratio=trees.MUST_DETECT_RATIO,
            runs=20_000,
            cell=4096,
            parameters=stated.values,
        ),
    )


SUMS = (_sum(1, 1.0, "0.05"), _sum(10, 2.0, "0.05"), _sum(30, 0.5, "0.5"))


def error_at_round_seven(horizon: int) -> Callable[[int, np.random.Generator], Floats]:
    """The error at round 7, which sums three nodes at every horizon."""
    mechanism, silent = TreeSum(1.0, horizon), (0.0,) * horizon
    return lambda runs, rng: np.abs(mechanism.release(silent, runs, rng)[:, 6])


RATE_AT_ONE_ROUND = Audit(
    chan_2011.COUNTER_ERROR.id,
    "growth.horizon_at_round7",
    "TreeSum(epsilon=1.0), error at round 7, horizon 16 to 1024",
    GrowthRate(error_at_round_seven, chan_2011.COUNTER_ERROR.growth_in(HORIZON), 16, 1024),
)

ORDER = Pair(
    chan_2011.COUNTER_ERROR,
    chan_2011.TREE_ERROR,
    ((HORIZON, 1000), (ROUND, 8)),
    (Fixed(FAILURE, "an order in log(1/failure) is for failures bounded away from 1, where it vanishes", End.HIGH),),
    paths=(Path("round_and_horizon_high", HORIZON, End.HIGH, ((ROUND, symbol(HORIZON)),)),),
)
ORDERS = audits_of(ORDER)


def _laplace_sums(epsilon: float, horizon: int, failure: float) -> Any:
    """All prefixes at once: each with the most nodes that one has, and a share failure / T."""
    scale, proportion = tree_sum.node_scale(epsilon, horizon), Fraction(failure) / horizon
    return chan_2011.LAPLACE_SUM.at(terms=tree_sum.terms(horizon), scale=scale, failure=proportion).ball


def _noise_width(round: int, scale: float, terms: int) -> float:
    return tree_ucb.noise_width(round, scale, terms)


def _laplace_sum_at_power_four(round: int, scale: float, terms: int) -> Any:
    return chan_2011.LAPLACE_SUM.at(terms=terms, scale=scale, failure=Fraction(1, round**4)).ball


AGREEMENT = (
    agreement("tree_sum.node_scale", Agreement(chan_2011.TREE_PRIVACY, tree_sum.node_scale, inverse="scale")),
    agreement("tree_sum.error_bound", Agreement(chan_2011.LAPLACE_SUM, tree_sum.error_bound, (EPSILON, HORIZON, FAILURE), _laplace_sums)),
    agreement("tree_ucb.noise_width", Agreement(chan_2011.LAPLACE_SUM, _noise_width, (ROUND, SCALE, TERMS), _laplace_sum_at_power_four)),
)


def _noisy_sum(epsilon: float, heard: Heard, arm: int) -> float:
    """Rewards clipped to [0, 1], and the noise of the nodes of the count's binary digits: node t of arm a has draw t K + a."""
    node, total = len(heard.rewards[arm]), math.fsum(min(1.0, max(0.0, each)) for each in heard.rewards[arm])
    while node:
        total += heard.horizon.bit_length() / epsilon * float(laplace(heard.key, NOISE, node * len(heard.rewards) + arm))
        node &= node - 1
    return total


def _tree_index(epsilon: float, heard: Heard, released: Sequence[float], arm: int, played: int) -> float:
    """Private sum / n + sqrt(2 ln t / n) + noise width / n."""
    pulls, scale, terms = len(heard.rewards[arm]), heard.horizon.bit_length() / epsilon, (heard.horizon + 1).bit_length() - 1
    exponent = math.log(2.0 * played**4)
    width = scale * math.sqrt(8.0 * exponent * max(terms, exponent))
    return released[arm] / pulls + math.sqrt(2.0 * math.log(played) / pulls) + width / pulls


def _tree_replays() -> Iterator[At]:
    """Runs at three levels; 127 and 128 rounds, 2, and what is refused."""
    for epsilon, arms, horizon in ((0.5, (4,), 64), (40.0, (3,), 63), (1e4, (2, 5), 80), (3.0, (2,), 20)):
        policy = TreeUCB(epsilon)
        for found in (*runs(arms, horizon), *as_compiled(runs(arms, horizon))):
            yield from replayed(policy, found, partial(_noisy_sum, epsilon), partial(_tree_index, epsilon))
        yield from compared(
            {"epsilon": epsilon}, told=(policy.guarantee() == PureDP(epsilon, NeighbouringRelation.REPLACE_REWARD, policy.view), True)
        )
    for played in (2, 1000, 10**17):  # the exponent below the number of terms, and above
        exponent = math.log(2.0) + 4.0 * math.log(played)
        for terms in (3.0, 30.0):
            expected = 0.7 * math.sqrt(8.0 * exponent * max(terms, exponent))
            yield from compared({"t": played}, width=(tree_ucb.noise_width(played, 0.7, terms), expected))
    yield from compared({}, widths=((TreeUCB(1.0).message_width(0), TreeUCB(1.0).statistic_width(4, 0)), (1, 4)))
    yield from refuses_nan(TreeUCB(1.0))
    yield from refused({}, TreeUCB, {"epsilon": (0.0, -1.0, math.inf), "view": (View.LOCAL, View.SHUFFLED)}, epsilon=1.0)


REPLAYED = beside(
    chan_2011.TREE_PRIVACY.id,
    "tree_ucb_replayed",
    "TreeUCB's arms and noisy sums, round by round",
    _tree_replays,
    "23 runs of up to 80 rounds",
)
