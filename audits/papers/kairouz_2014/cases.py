"""Audits of kairouz_2014: randomised response, as a release and as a client randomiser."""

import math
from collections.abc import Iterator
from functools import partial

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.mechanisms import randomised_response
from banditproof.algorithms.mechanisms.randomised_response import LocalResponse, RandomisedResponse
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.common import reports
from banditproof.audits.common.neighbours import FAR, MessagePairs
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.frozen_releases import FrozenRuns
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.privacy.frozen_pipeline import Reports
from banditproof.audits.running.audit import Audit, swept
from banditproof.interaction import ClientRandomiser, Pipeline
from banditproof.mechanism import PolicyMechanism
from banditproof.randomness import CLIENT, uniform
from banditproof.theory.papers import kairouz_2014

_LOW, _HIGH = ((0.0, 0.0),) * 4, ((1.0, 1.0), *((0.0, 0.0),) * 3)
_USER = PolicyMechanism(
    Pipeline(UCB1(), Bernoulli((0.5, 0.5)), randomiser=LocalResponse(1.0)),
    LocalResponse(1.0).guarantee(),
    differing=0,
    horizon=4,
    theorems=LocalResponse(1.0).theorems,
    worst=((_LOW, _HIGH),),
)

FROZEN = tuple(
    Audit(
        "kairouz_2014.randomised_response_privacy",
        f"frozen.report_{swept(eps=epsilon, w=width)}",
        f"LocalResponse(epsilon={epsilon}), one user's {width} numbers replaced",
        FrozenRuns(
            Reports(LocalResponse(epsilon)),
            MessagePairs(((0.0,) * width, (1.0,) * width, (1.0, *(0.0,) * (width - 1)), (0.25,) * width, *((far,) * width for far in FAR))),
            LocalResponse(epsilon).guarantee(),
        ),
    )
    for epsilon, width in ((1.0, 1), (0.5, 3))
)
RELEASES = tuple(
    Audit(
        "kairouz_2014.randomised_response_privacy",
        f"privacy.{swept(eps=epsilon, categories=categories)}",
        f"RandomisedResponse(epsilon={epsilon}, categories={categories})",
        PrivacyLoss(RandomisedResponse(epsilon, categories), exact=epsilon),
    )
    for epsilon, categories in ((0.5, 2), (1.0, 2), (1.0, 4), (3.0, 16))
)
REPORT = Audit(
    "kairouz_2014.randomised_response_privacy",
    "privacy.user_report",
    "LocalResponse(epsilon=1.0), a user's report under UCB1",
    PrivacyLoss(_USER, exact=1.0),
)
KEEP = Audit(
    "kairouz_2014.randomised_response_keep",
    "privacy.eps2_categories3",
    "RandomisedResponse(epsilon=2.0, categories=3)",
    PrivacyLoss(RandomisedResponse(2.0, 3), exact=2.0),
)


def reports_replayed(epsilon: float, debias: bool, randomiser: ClientRandomiser | None = None) -> Iterator[At]:
    """Each number that LocalResponse sends: a coin that falls on 1 with the probability by which its mean is the clipped number."""

    def expected(number: float, width: int, place: int) -> float:
        if math.isnan(number):
            return number
        kept = 1.0 / (1.0 + math.exp(-epsilon / width))
        one = kept * reports.clipped(number) + (1.0 - kept) * (1.0 - reports.clipped(number))
        answer = float(uniform(reports.KEY, CLIENT, place) < one)
        return (answer + kept - 1.0) / (2.0 * kept - 1.0) if debias else answer

    return reports.replayed(randomiser or LocalResponse(epsilon, debias), expected)


REPLAYED = tuple(
    Audit(
        "kairouz_2014.randomised_response_privacy",
        f"points.replayed_{swept(eps=epsilon)}{'' if debias else '_answers'}",
        f"LocalResponse(epsilon={epsilon}, debias={debias}), numbers inside and outside [0, 1], replayed",
        Pointwise(partial(reports_replayed, epsilon, debias), "13 users, messages of 1, 2 and 5 numbers", "distance"),
    )
    for epsilon, debias in ((1.0, True), (0.5, False))
)
AGREEMENT = (
    agreement("randomised_response.keep", Agreement(kairouz_2014.RANDOMISED_RESPONSE_KEEP, randomised_response.keep)),
    agreement("randomised_response.epsilon", Agreement(kairouz_2014.RANDOMISED_RESPONSE_PRIVACY, randomised_response.epsilon)),
)
