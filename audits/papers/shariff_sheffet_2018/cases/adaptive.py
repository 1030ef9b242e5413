"""shariff_sheffet_2018: privacy of whole runs whose decision sets depend on the past.

Definition 1 lets every decision set depend on earlier actions. Here an adversary that watches the pulls makes them
(`environments.adaptive_contexts`). The first round's features and reward are replaced together; JOINT sees every later decision set and the
vector that is played from it, and nothing of the first round. What is seen of the sets is made from the arms and from coins of their own,
so that it hides nothing and adds nothing. Rewards are drawn, so that less than the exact level of the releases shows.
"""

from dataclasses import dataclass

import numpy as np

from banditproof.algorithms.environments.adaptive_contexts import LeastExploredAdversary
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.papers.shariff_sheffet_2018.cases.mechanisms import EXACTLY, white_box
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import Guarantee, NeighbouringRelation, Replacement, View
from banditproof.interaction import Floats, Pipeline, Policy, Wire
from banditproof.mechanism import Neighbours
from banditproof.randomness import key_from
from banditproof.simulation import play_many
from banditproof.theory.papers.shariff_sheffet_2018 import setting

SETS = LeastExploredAdversary(dimension=3, arms=4, top=0.95, gap=1.9)  # one arm along e_1, the others nearly against it: arms tell a sign


def _first(reward: float, features: tuple[float, float, float]) -> Replacement:
    return Replacement(0, (reward,) * SETS.arms, (features,) * SETS.arms)


SIGN = (_first(1.0, (1.0, 0.0, 0.0)), _first(-1.0, (1.0, 0.0, 0.0)))
BOTH = (_first(1.0, (1.0, 0.0, 0.0)), _first(-1.0, (0.0, 1.0, 0.0)))


@dataclass(frozen=True)
class Watched:
    """Runs against the adversary: the releases (WHITE_BOX), or of every round but the first the decision set and the vector played."""

    policy: Policy
    claim: Guarantee
    horizon: int
    pair: tuple[Replacement, Replacement]
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee:
        return self.claim

    def neighbours(self) -> Neighbours:
        return Neighbours(NeighbouringRelation.REPLACE_ROUND, lengths=(self.horizon, self.horizon), row=(SETS.arms,), worst=(self.pair,))

    def release(self, data: Replacement, runs: int, rng: np.random.Generator) -> Floats:
        """Draws one key."""
        pipeline, seen = Pipeline(self.policy, SETS).with_environment(SETS, data), self.claim.view
        wires = (Wire.STATISTIC,) if seen is View.WHITE_BOX else (Wire.CONTEXTS, Wire.ARMS)
        played = play_many(pipeline, horizon=self.horizon, key=key_from(rng), runs=runs, record=wires)
        if seen is View.WHITE_BOX:
            return np.asarray(played.wire(Wire.STATISTIC), dtype=float).reshape(runs, -1)
        sets, arms = np.asarray(played.wire(Wire.CONTEXTS))[:, 1:], np.asarray(played.wire(Wire.ARMS))[:, 1:]
        vectors = np.take_along_axis(sets, arms[:, :, None, None], axis=2)
        return np.concatenate([vectors.reshape(runs, -1), sets.reshape(runs, -1)], axis=1)


def _claimed(policy: LinUCB, horizon: int, calibrated_exactly: bool) -> Guarantee:
    """The exact level where the noise is calibrated for it, else what the policy guarantees."""
    if calibrated_exactly:
        return white_box(policy, horizon, policy.view)
    claim = policy.guarantee()
    if claim is None:
        raise ValueError(f"{policy}: guarantees no privacy")
    return claim


def watched(policy: LinUCB, horizon: int, pair: tuple[Replacement, Replacement]) -> Watched:
    return Watched(policy, _claimed(policy, horizon, policy.calibration is Calibration.EXACT), horizon, pair, policy.theorems)


_PUBLISHED = LinUCB(Noise.WISHART, 1.0, 0.1, calibration=Calibration.PUBLISHED)
_SEEN = LinUCB(Noise.GAUSSIAN, 2.0, 0.1, calibration=Calibration.EXACT, view=View.WHITE_BOX)
RUNS = tuple(
    Audit(
        setting.LEARNER_PRIVACY.id,
        f"privacy.watched_{policy.noise.value}_{swept(eps=policy.epsilon)}_{policy.view.value}_{swept(n=horizon)}",
        f"LinUCB({policy.noise.value}, epsilon={policy.epsilon:g}, {policy.calibration.value}, view={policy.view.value}), {horizon} rounds "
        f"whose sets depend on the past, {name}",
        PrivacyLoss(watched(policy, horizon, pair), 30_000, must_detect=must),
    )
    for policy, horizon, name, pair, must in (
        (_SEEN, 8, "features and reward replaced", BOTH, None),
        (EXACTLY, 3, "reward replaced", SIGN, None),
        (EXACTLY, 8, "features and reward replaced", BOTH, None),
        (_PUBLISHED, 4, "features and reward replaced", BOTH, 2.0),
    )
)
