"""Audits of kairouz_2014: randomised response, as a release and as a client randomiser."""

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.mechanisms import randomised_response
from banditproof.algorithms.mechanisms.randomised_response import LocalResponse, RandomisedResponse
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, swept
from banditproof.interaction import Pipeline
from banditproof.mechanism import PolicyMechanism
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
AGREEMENT = (
    agreement("randomised_response.keep", Agreement(kairouz_2014.RANDOMISED_RESPONSE_KEEP, randomised_response.keep)),
    agreement("randomised_response.epsilon", Agreement(kairouz_2014.RANDOMISED_RESPONSE_PRIVACY, randomised_response.epsilon)),
)
