"""ldp_linucb_2024: the curvature lambda_min that runs have, beside the 1/d that lengths of at most 1 allow.

The second moment of actions is averaged over the second half of the rounds of 20 runs. Where the arms are fixed E_t x x^T has rank one, so
that lambda_min is 0 whatever the average shows; the average is that of the reading without the condition on the past.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import PrivateOnlineLinUCB
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Environment, Floats, Pipeline, Wire
from banditproof.randomness import key_of
from banditproof.simulation import play_many
from banditproof.theory.language import Theorem
from banditproof.theory.papers.ldp_linucb_2024 import setting

RUNS, ROUNDS = 20, 2000
GREEDY = PrivateOnlineLinUCB(100.0, 0.1, curvature=0.1, threshold=0.01, width=Width.CONST, scale=1.0)
OPTIMISTIC = replace(GREEDY, width=Width.LITERAL)
ENVIRONMENTS: dict[str, Environment] = {
    "the experiment, arms redrawn": UnitFeatures(5, 100, ArmSet.REDRAWN),
    "the experiment, arms fixed": UnitFeatures(5, 100, ArmSet.FIXED),
    "two unit vectors for each of 5 features": Sphere(5, 10),
    "four unit vectors of the plane": Sphere(2, 4),
}


def least_eigenvalue(told: PrivateOnlineLinUCB | None, environment: Environment) -> float:
    """Of the averaged second moment; without a policy that of the first arm, which is uniform play of arms that come in random order."""
    policy = GREEDY if told is None else told
    record, key = (Wire.CONTEXTS, Wire.ARMS), key_of(0, "ldp_linucb_2024", "curvature")
    played = play_many(Pipeline(policy, environment, policy.randomiser()), horizon=ROUNDS, key=key, runs=RUNS, record=record)
    contexts: Floats = np.asarray(played.wire(Wire.CONTEXTS))[:, ROUNDS // 2 :]
    arms = np.asarray(played.wire(Wire.ARMS))[:, ROUNDS // 2 :]
    if told is None:
        return float(np.linalg.eigvalsh(np.einsum("rtki,rtkj->ij", contexts, contexts) / contexts[..., 0].size)[0])
    actions = np.take_along_axis(contexts, arms[..., None, None], axis=2)[:, :, 0]
    return float(np.linalg.eigvalsh(np.einsum("rti,rtj->ij", actions, actions) / arms.size)[0])


PLAYS = {"uniform": None, "greedy": GREEDY, "optimistic": OPTIMISTIC}


def measured(play: str, theorem: Theorem) -> Iterator[At]:
    """The least eigenvalue of one way to play in each environment."""
    for name, environment in ENVIRONMENTS.items():
        value = max(Fraction(0), Fraction(least_eigenvalue(PLAYS[play], environment)))
        yield At({"play": play, "arms": name, "d": environment.dimension}, value, theorem.at(dimension=environment.dimension).ball)


CURVATURE = tuple(
    Audit(
        setting.CURVATURE_CEILING.id,
        f"points.played_{play}",
        f"the second moment of {play} play",
        Pointwise(partial(measured, play, setting.CURVATURE_CEILING), f"{RUNS} runs of {ROUNDS} rounds, four sets of arms", "lambda_min"),
    )
    for play in PLAYS
)
