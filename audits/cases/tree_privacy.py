"""Audits of dwork_2010 and chan_2011: privacy of the tree sum, as a release and inside a policy, seen from three places."""

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.rotting import Rotting
from banditproof.algorithms.mechanisms.tree_sum import TreeSum
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import View
from banditproof.interaction import Pipeline, Replacement
from banditproof.mechanism import PolicyMechanism

_EPSILON, _HORIZON = 2.0, 8
_NOTHING, _FIRST_PAYS = ((0.0, 0.0),) * _HORIZON, ((1.0, 1.0), *((0.0, 0.0),) * (_HORIZON - 1))


def _seen(view: View) -> PolicyMechanism:
    policy = TreeUCB(_EPSILON, view)
    pipeline = Pipeline(policy, Bernoulli((0.5, 0.5)))
    return PolicyMechanism(pipeline, policy.guarantee(), 0, _HORIZON, policy.promises, ((_NOTHING, _FIRST_PAYS),))


def _adaptive() -> PolicyMechanism:
    policy = TreeUCB(_EPSILON, View.WHITE_BOX)
    return PolicyMechanism(Pipeline(policy, Rotting((0.9, 0.8))), policy.guarantee(), 0, _HORIZON, policy.promises)


RELEASES = tuple(
    Audit(
        theorem,
        f"privacy.{swept(eps=epsilon, n=horizon)}",
        f"TreeSum(epsilon={epsilon}, horizon={horizon})",
        PrivacyLoss(TreeSum(epsilon, horizon), exact=epsilon),
    )
    for theorem, epsilon, horizon in (
        ("dwork_2010.tree_privacy", 1.0, 4),
        ("dwork_2010.tree_scale", 2.0, 8),
        ("chan_2011.tree_privacy", 1.0, 5),
    )
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
