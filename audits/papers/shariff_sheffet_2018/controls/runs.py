"""Whole runs of linear UCB with one mistake each: less noise, rows that are not clipped, an arm that is shown."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from banditproof.algorithms.policies.lin_ucb.kernels import State
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedPolicy, control
from banditproof.audits.papers.shariff_sheffet_2018.cases import adaptive
from banditproof.audits.papers.shariff_sheffet_2018.cases import mechanisms as cases
from banditproof.audits.running.audit import Control
from banditproof.guarantees import ApproximateDP, Guarantee, NeighbouringRelation, Replacement, View
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.theory.papers.shariff_sheffet_2018 import setting


def changed(noise: float = 1.0, clipped: bool = True, shifted: bool = True) -> Callable[[State], State]:
    """A change of the policy's settings: less noise, no bound on the length of its rows, or no shift."""

    def change(state: State) -> State:
        settings = state.settings
        settings = settings._replace(
            noise=settings.noise._replace(sigma=settings.noise.sigma * noise),
            shift=settings.shift if shifted else 0.0,
            row_norm=settings.row_norm if clipped else math.inf,
        )
        return state._replace(settings=settings)

    return change


_SEEN, _JOINT = replace(cases.EXACTLY, view=View.WHITE_BOX), cases.EXACTLY
_LARGE = tuple(Replacement(0, (reward,) * 2, ((1.0, 0.0),) * 2) for reward in (10.0, -10.0))


def _run(name: str, mistake: str, policy: MutatedPolicy[LinUCB], horizon: int, pair: tuple[Replacement, Replacement]) -> Control:
    mechanism = cases.whole_runs(policy, cases.white_box(policy.base, horizon, policy.base.view), horizon, pair)
    return control(name, mistake, setting.LEARNER_PRIVACY, PrivacyLoss(mechanism, 40_000))


RUNS = (
    _run("run_with_half_the_noise", "half the noise in a whole run", MutatedPolicy(_SEEN, changed(0.5)), 8, cases.BOTH),
    _run("arms_of_half_the_noise", "half the noise, seen from the later arms alone", MutatedPolicy(_JOINT, changed(0.5)), 2, cases.SIGN),
    _run(
        "run_not_clipped",
        "a whole run whose rows are not clipped",
        MutatedPolicy(_JOINT, changed(clipped=False)),
        4,
        (_LARGE[0], _LARGE[1]),
    ),
)


def _watched(
    name: str, mistake: str, policy: MutatedPolicy[LinUCB], horizon: int, pair: tuple[Replacement, Replacement], slug: str = ""
) -> Control:
    honest = adaptive.watched(policy.base, horizon, pair)
    return control(name, mistake, setting.LEARNER_PRIVACY, PrivacyLoss(replace(honest, policy=policy), 30_000), slug)


WATCHED = (
    _watched(
        "watched_half_the_noise",
        "half the noise, decision sets that depend on the past",
        MutatedPolicy(_SEEN, changed(0.5)),
        8,
        adaptive.BOTH,
    ),
    _watched(
        "watched_arms_of_half_the_noise",
        "half the noise, seen from the later arms alone, decision sets that depend on the past",
        MutatedPolicy(_JOINT, changed(0.5)),
        3,
        adaptive.SIGN,
        slug="watched_arms_half_the_noise",
    ),
)


@dataclass(frozen=True)
class WithOwnArm:
    """A run in which the arm of the first round is shown as well: it tells the decision set of its own round (Remark 1)."""

    claim: Guarantee
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee:
        return self.claim

    def neighbours(self) -> Neighbours:
        return Neighbours(NeighbouringRelation.REPLACE_ROUND, lengths=(4, 4), row=(2,), worst=(cases.OWN_ARM,))

    def release(self, data: Replacement, runs: int, rng: np.random.Generator) -> Floats:
        """Draws one key."""
        central = replace(cases.whole_runs(_JOINT, self.claim, 4, cases.OWN_ARM), stated_guarantee=replace(self.claim, view=View.CENTRAL))
        return central.release(data, runs, rng)


_PROMISED = ApproximateDP(2.0, 0.1, NeighbouringRelation.REPLACE_ROUND, View.CENTRAL)
OWN_ARM = control("own_arm_shown", "the round's own arm shown", setting.LEARNER_PRIVACY, PrivacyLoss(WithOwnArm(_PROMISED), 40_000))
