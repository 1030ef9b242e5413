"""Audits of dwork_2006: the Laplace mechanism, as a release and as a client randomiser, and its parameter functions."""

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.mechanisms import laplace
from banditproof.algorithms.mechanisms.laplace import Laplace, LocalLaplace
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.frozen_releases import FrozenReleases
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, swept
from banditproof.interaction import Pipeline
from banditproof.mechanism import PolicyMechanism
from banditproof.theory.papers import dwork_2006

_THEOREM = "dwork_2006.laplace_privacy"

_LOW, _HIGH = ((0.0, 0.0),) * 4, ((1.0, 1.0), *((0.0, 0.0),) * 3)
_USER = PolicyMechanism(
    Pipeline(UCB1(), Bernoulli((0.5, 0.5)), randomiser=LocalLaplace(1.0)),
    LocalLaplace(1.0).guarantee(),
    differing=0,
    horizon=4,
    theorems=LocalLaplace(1.0).theorems,
    worst=((_LOW, _HIGH),),
)

RELEASES = tuple(
    Audit(
        _THEOREM,
        f"privacy.{swept(eps=epsilon, sensitivity=sensitivity, w=width)}",
        f"Laplace(epsilon={epsilon}, sensitivity={sensitivity}, width={width})",
        PrivacyLoss(mechanism, exact=epsilon),
    )
    for epsilon, sensitivity, width in ((0.5, 1.0, 1), (1.0, 1.0, 1), (2.0, 5.0, 1), (1.0, 1.0, 3))
    for mechanism in (Laplace(epsilon, sensitivity, width),)
)
FROZEN = tuple(
    Audit(
        _THEOREM,
        f"frozen.{swept(eps=epsilon, sensitivity=sensitivity, w=width)}",
        f"Laplace(epsilon={epsilon}, sensitivity={sensitivity}, width={width}), replayed",
        FrozenReleases(Laplace(epsilon, sensitivity, width)),
    )
    for epsilon, sensitivity, width in ((1.0, 1.0, 1), (2.0, 5.0, 3))
)
REPORT = Audit(_THEOREM, "privacy.user_report", "LocalLaplace(epsilon=1.0), a user's report under UCB1", PrivacyLoss(_USER, exact=1.0))
AGREEMENT = (
    agreement("laplace.epsilon", Agreement(dwork_2006.LAPLACE_PRIVACY, laplace.epsilon)),
    agreement("laplace.scale", Agreement(dwork_2006.LAPLACE_PRIVACY, laplace.scale, inverse="scale")),
)
