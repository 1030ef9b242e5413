"""Audits of post-processing along the pipeline: what happens to a private report downstream keeps its level.

A locally private report that is shuffled, and one that is corrupted on its way, seen by the adversary of that wire.
"""

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.mechanisms.randomised_response import LocalResponse
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Pipeline, Wire
from banditproof.mechanism import PolicyMechanism

_ARMS, _ROUNDS = Bernoulli((0.5, 0.5)), 8
_PAIR = ((0.0, 0.0),) * _ROUNDS, ((1.0, 1.0), *((0.0, 0.0),) * (_ROUNDS - 1))


def _seen(pipeline: Pipeline, epsilon: float, relation: NeighbouringRelation, view: View) -> PrivacyLoss:
    claim = PureDP(epsilon, relation, view)
    return PrivacyLoss(PolicyMechanism(pipeline, claim, 0, _ROUNDS, ("inequalities.post_processing",), (_PAIR,)), 60_000)


SHUFFLED = Audit(
    "inequalities.post_processing",
    "privacy.report_shuffled",
    "LocalResponse(epsilon=2.0), shuffled in batches of 4, under UCB1",
    _seen(
        Pipeline(UCB1(), _ARMS, randomiser=LocalResponse(2.0), shuffler=UniformShuffler(4)),
        2.0,
        NeighbouringRelation.REPLACE_REWARD,
        View.SHUFFLED,
    ),
)
CORRUPTED = Audit(
    "inequalities.post_processing",
    "privacy.report_corrupted",
    "LocalResponse(epsilon=2.0), a tenth of the reports replaced, arms of UCB1",
    _seen(
        Pipeline(UCB1(), _ARMS, randomiser=LocalResponse(2.0), corruption=Huber(0.1, wire=Wire.REPORT)),
        2.0,
        NeighbouringRelation.REPLACE_REWARD,
        View.CENTRAL,
    ),
)
