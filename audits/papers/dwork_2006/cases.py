"""Audits of dwork_2006: the Laplace mechanism, as a release and as a client randomiser, and its parameter functions."""

from collections.abc import Iterator
from functools import partial

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.mechanisms import laplace
from banditproof.algorithms.mechanisms.laplace import Laplace, LocalLaplace
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.common import reports
from banditproof.audits.common.neighbours import FAR, MessagePairs
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.frozen_releases import FrozenReleases, FrozenRuns
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.privacy.frozen_pipeline import Reports
from banditproof.audits.running.audit import Audit, swept
from banditproof.interaction import ClientRandomiser, Pipeline
from banditproof.mechanism import PolicyMechanism
from banditproof.randomness import CLIENT
from banditproof.randomness import laplace as laplace_noise
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
FROZEN_REPORTS = tuple(
    Audit(
        _THEOREM,
        f"frozen.report_{swept(eps=epsilon, w=width)}",
        f"LocalLaplace(epsilon={epsilon}), one user's {width} numbers replaced",
        FrozenRuns(
            Reports(LocalLaplace(epsilon)),
            MessagePairs(((0.0,) * width, (1.0,) * width, (1.0, *(0.0,) * (width - 1)), (0.25,) * width, *((far,) * width for far in FAR))),
            LocalLaplace(epsilon).guarantee(),
        ),
    )
    for epsilon, width in ((1.0, 1), (0.5, 3))
)
REPORT = Audit(_THEOREM, "privacy.user_report", "LocalLaplace(epsilon=1.0), a user's report under UCB1", PrivacyLoss(_USER, exact=1.0))


def reports_replayed(epsilon: float, randomiser: ClientRandomiser | None = None) -> Iterator[At]:
    """Each number that LocalLaplace sends: clipped, and Laplace noise of scale width / epsilon of its own."""

    def expected(number: float, width: int, place: int) -> float:
        return reports.clipped(number) + width / epsilon * laplace_noise(reports.KEY, CLIENT, place)

    return reports.replayed(randomiser or LocalLaplace(epsilon), expected)


REPLAYED = tuple(
    Audit(
        _THEOREM,
        f"points.replayed_{swept(eps=epsilon)}",
        f"LocalLaplace(epsilon={epsilon}), numbers inside and outside [0, 1], replayed",
        Pointwise(partial(reports_replayed, epsilon), "13 users, messages of 1, 2 and 5 numbers", "distance"),
    )
    for epsilon in (0.5, 2.0)
)
AGREEMENT = (
    agreement("laplace.epsilon", Agreement(dwork_2006.LAPLACE_PRIVACY, laplace.epsilon)),
    agreement("laplace.scale", Agreement(dwork_2006.LAPLACE_PRIVACY, laplace.scale, inverse="scale")),
)
