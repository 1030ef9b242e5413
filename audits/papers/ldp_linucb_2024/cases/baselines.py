"""ldp_linucb_2024: the privacy of the baselines of Figure 1, measured: one user's contribution, what a shuffler hands on, the arms that the
central method plays.

By thresholds of the exact likelihood ratio (`shuffled_ratio`), where one user differs and all others hold zeros: of a claim for all
datasets this can refute, not confirm. With the script's constants (epsilon, delta) = (1, 0.1) is refuted of the local and of the amplified
method; the vector sum is not refuted at the script's factors, 1 at epsilon 0.2 and 10 at epsilon 1, in either encoding, and is at epsilon
10, where b = 3 trials are left.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from banditproof.algorithms.mechanisms.gram.local import GramContributions, Scale, sensitivity
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.mechanisms.vector_sum import Encoding, ShuffledSum
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB, paper_jdp
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.papers.ldp_linucb_2024.message_ratio import epsilon_at
from banditproof.audits.papers.ldp_linucb_2024.shuffled_exact import largest
from banditproof.audits.papers.ldp_linucb_2024.shuffled_ratio import ContributionRatio, CountRatio
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import ApproximateDP, Guarantee, NeighbouringRelation, Replacement, View
from banditproof.interaction import Pipeline, Table
from banditproof.mechanism import PolicyMechanism
from banditproof.theory.language import Theorem
from banditproof.theory.papers.ldp_linucb_2024 import baselines

DELTA, BATCH = 0.1, 20  # of the public script


# --- users' contributions -----------------------------------------------------------------------------------------------------------------


def _contribution(theorem: Theorem, scale: Scale, epsilon: float, users: int, samples: int, expected: Verdict | None = None) -> Audit:
    mechanism = GramContributions(epsilon, DELTA, scale, users)
    return Audit(
        theorem.id,
        f"privacy.{scale.value}_{swept(eps=epsilon, users=users)}",
        f"GramContributions(epsilon={epsilon:g}, delta={DELTA}, {scale.value}, users={users})",
        PrivacyLoss(
            ContributionRatio(mechanism),
            samples,
            must_detect=2.0 * epsilon,
            exact=epsilon_at(sensitivity() / mechanism.randomiser().noise_scale(), DELTA) if users == 1 else None,
            ratio=True,
        ),
        expected,
    )


_REFUTED = Verdict.REFUTED
CONTRIBUTIONS = (
    _contribution(baselines.LOCAL_SCRIPT_SIGMA, Scale.SCRIPT, 1.0, 1, 200_000, _REFUTED),
    _contribution(baselines.LOCAL_SIGMA, Scale.PAPER, 1.0, 1, 200_000),
    _contribution(baselines.LOCAL_SIGMA, Scale.EXACT, 1.0, 1, 400_000),
    _contribution(baselines.AMPLIFIED_SIGMA, Scale.SCRIPT, 1.0, BATCH, 50_000, _REFUTED),
    _contribution(baselines.AMPLIFIED_SIGMA, Scale.SCRIPT, 0.2, BATCH, 50_000),
    _contribution(baselines.AMPLIFIED_SIGMA, Scale.PAPER, 1.0, BATCH, 50_000),
)

# --- the vector sum -----------------------------------------------------------------------------------------------------------------------


def _sum(encoding: Encoding, epsilon: float, factor: float, samples: int = 40_000, expected: Verdict | None = None) -> Audit:
    mechanism = ShuffledSum(epsilon, DELTA, BATCH, factor=factor, encoding=encoding)
    return Audit(
        baselines.VECTOR_TRIALS.id,
        f"privacy.{encoding.value}_{swept(eps=epsilon, factor=factor)}",
        f"ShuffledSum(epsilon={epsilon:g}, delta={DELTA}, batch={BATCH}, factor={factor:g}, {encoding.value})",
        PrivacyLoss(
            CountRatio(mechanism),
            samples,
            must_detect=2.0 * epsilon,
            exact=partial(largest, mechanism, DELTA) if encoding is Encoding.BITS else None,
            ratio=True,
        ),
        expected,
    )


SUMS = (
    *(_sum(encoding, epsilon, factor) for encoding in Encoding for epsilon, factor in ((0.2, 1.0), (1.0, 10.0))),
    _sum(Encoding.BITS, 10.0, 10.0, 1_200_000, _REFUTED),
)

# --- whole runs ---------------------------------------------------------------------------------------------------------------------------

SIGN = (Replacement(0, (1.0, 1.0), ((1.0, 0.0),) * 2), Replacement(0, (-1.0, -1.0), ((1.0, 0.0),) * 2))
_BOTH = (Replacement(0, (1.0, 1.0), ((1.0, 0.0),) * 2), Replacement(0, (-1.0, -1.0), ((0.0, 1.0),) * 2))


def _table(rounds: int) -> Table:
    """Two arms, a feature and its negative, the first feature in turn with the second: the arm tells the sign of an estimate."""
    contexts = np.zeros((rounds, 2, 2))
    for round in range(rounds):
        contexts[round, :, (round + 1) % 2] = (1.0, -1.0)
    return Table(np.tile([0.5, -0.25], (rounds, 1)), contexts=contexts)


def central(policy: NoisyGramUCB | LinUCB, claim: Guarantee, rounds: int, pair: tuple[Replacement, Replacement]) -> PolicyMechanism:
    """All arms but that of the first round, which is replaced."""
    return PolicyMechanism(Pipeline(policy, _table(rounds)), claim, 0, rounds, policy.theorems, (pair,))


JOINT = ApproximateDP(1.0, DELTA, NeighbouringRelation.REPLACE_ROUND, View.JOINT)
_SCRIPT = NoisyGramUCB(Method.JDP, Column.SCRIPT, planned_horizon=64)
_PAPER = paper_jdp(1.0, DELTA)
RUNS = (
    *(
        Audit(
            theorem.id,
            f"privacy.joint_{slug}_{name}",
            f"{words}, 8 rounds, {name.replace('_', ' ')} replaced, all arms but the first",
            PrivacyLoss(central(policy, JOINT, 8, pair), 60_000, must_detect=2.0),
        )
        for theorem, slug, words, policy in (
            (baselines.JOINT_SCRIPT_SIGMA, "script", "NoisyGramUCB(jdp, script, epsilon=1, delta=0.1)", _SCRIPT),
            (baselines.JOINT_SIGMA, "paper", "paper_jdp(epsilon=1, delta=0.1)", _PAPER),
            (baselines.JOINT_SIGMA, "exact", "paper_jdp(epsilon=1, delta=0.1, exact)", replace(_PAPER, calibration=Calibration.EXACT)),
        )
        for name, pair in (("reward", SIGN), ("features_and_reward", _BOTH))
    ),
)


def shuffled(policy: NoisyGramUCB) -> PolicyMechanism:
    """One batch of users, of whom the first differs: what leaves the shuffler of the pipeline."""
    claim = policy.claim()
    if claim is None or claim.view is not View.SHUFFLED:
        raise ValueError(f"{policy.method.value}: claims nothing of a shuffled batch")
    zeros = Table(np.zeros((policy.batch, 2)), contexts=np.zeros((policy.batch, 2, 2)))
    return PolicyMechanism(policy.pipeline(zeros), claim, 0, policy.batch, policy.theorems, (_BOTH,))


PIPELINES = tuple(
    Audit(
        theorem.id,
        f"privacy.pipeline_{policy.method.value}_{policy.column.value}",
        f"NoisyGramUCB({policy.method.value}, {policy.column.value}, epsilon=1, batch={policy.batch}), one batch as it leaves the shuffler",
        PrivacyLoss(shuffled(policy), 200_000 if policy.method is Method.SDP_AMP else 60_000, must_detect=2.0),
        expected,
    )
    for theorem, policy, expected in (
        (baselines.AMPLIFIED_SIGMA, NoisyGramUCB(Method.SDP_AMP, Column.SCRIPT, batch=2), _REFUTED),
        (baselines.AMPLIFIED_SIGMA, NoisyGramUCB(Method.SDP_AMP, Column.PAPER, batch=4), None),
        (baselines.VECTOR_TRIALS, NoisyGramUCB(Method.SDP_VEC, Column.SCRIPT, batch=4, trials_factor=10.0), None),
    )
)
