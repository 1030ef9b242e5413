"""Audits of adaptive parallel composition on a policy: DPRSE plays in batches, and each reward enters one release.

Whole runs on reward lists: the releases, and the arms alone.
"""

import math

from banditproof.algorithms.policies.elimination import probabilities as probabilities
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.audits.common.reward_lists import Pair, Thinned, reward_list, whole_runs
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import PureDP, View
from banditproof.interaction import Policy

COMPOSITION = "inequalities.adaptive_parallel_composition"


def worst(policy: SuccessiveElimination, horizon: int) -> Pair:
    """The first reward, from B to -B; all others are 0."""
    size = float(policy.state(2, 0, horizon).truncations[1, 2])
    return reward_list(horizon, (size,)), reward_list(horizon, (-size,))


def telling(policy: SuccessiveElimination, horizon: int) -> Pair:
    """Arm 0's first batch is -B or B, then B and B, then 0; arm 1's is all 0."""
    size = float(policy.state(2, 0, horizon).truncations[1, 2])
    return reward_list(horizon, (-size, size, size)), reward_list(horizon, (size, size, size))


def loss_of_arms(policy: SuccessiveElimination, horizon: int) -> float:
    """The loss of "arm 0 is eliminated in the first epoch", by the closed form."""
    state = policy.state(2, 0, horizon)
    size, batch = float(state.truncations[1, 2]), int(state.pulls[1, 2])
    scale, radius = float(state.scales[1, 2]), float(state.twice_radii[1, 2]) / 2.0
    one, other = (probabilities.elimination_probability((large * size / batch, 0.0), 0, scale=scale, radius=radius) for large in (1.0, 3.0))
    return math.log(one / other)


def runs_of(policy: Policy, claim: PureDP, horizon: int, pair: Pair) -> Thinned:
    batch = int(policy.state(2, 0, horizon).pulls[1, 2])
    rounds = {round for round in (batch - 1, batch, 2 * batch - 1, 2 * batch, 2 * batch + 1, horizon - 1) if round < horizon}
    return whole_runs(policy, claim, tuple(sorted(rounds)), horizon, pair)


def _audit(seen: str, policy: SuccessiveElimination, horizon: int, name: str, pair: Pair, samples: int, exact: float) -> Audit:
    constants = f"{policy.batch_constant:g}, {policy.cut_constant:g}, {policy.log_constant:g}"
    return Audit(
        COMPOSITION,
        f"privacy.dprse_{seen}_{swept(eps=policy.epsilon, rounds=horizon)}",
        f"SuccessiveElimination(epsilon={policy.epsilon}, view={policy.view.value}), constants {constants}, {horizon} rounds, {name}",
        PrivacyLoss(runs_of(policy, policy.guarantee(), horizon, pair), samples, exact=exact, must_detect=1.5 * policy.epsilon),
    )


WHITE = SuccessiveElimination(1.0, failure=0.5, batch_constant=0.5, view=View.WHITE_BOX)
ARMS = SuccessiveElimination(2.0, failure=0.5, batch_constant=1.0, cut_constant=1e-9)
_PUBLISHED = SuccessiveElimination(2.0, failure=0.5, view=View.WHITE_BOX)
RUNS = (
    _audit("run", WHITE, 64, "B to -B", worst(WHITE, 64), 20_000, 1.0),
    _audit("run", _PUBLISHED, 3_300, "B to -B", worst(_PUBLISHED, 3_300), 12_000, 2.0),
    _audit("arms", ARMS, 64, "arm 0 falls or not", telling(ARMS, 64), 60_000, loss_of_arms(ARMS, 64)),
)
