"""ldp_linucb_2024: the confidence sets in all rounds at once, as in `sets`, for five features, as many as Figure 1 has."""

from dataclasses import replace
from functools import partial

from banditproof.algorithms.environments.sphere import Sphere
from banditproof.audits.papers.ldp_linucb_2024.cases.sets import ENOUGH, FARTHER, FAVOURABLE, ROOM, covers, within_literal, within_realised
from banditproof.audits.running.audit import Audit, swept
from banditproof.theory.papers.ldp_linucb_2024 import confidence

ROUNDS, FEATURES = 1000, 5
TOLD = replace(FAVOURABLE(10.0), curvature=0.9 / FEATURES, truth=(1.0, 0.0, 0.0, 0.0, 0.0))
ARMS = Sphere(dimension=FEATURES, arms=2 * FEATURES)
COVERED = tuple(
    Audit(
        theorem.id,
        f"tightness.five_features_eps10_{swept(n=ROUNDS)}",
        f"{shown}, ten arms of five features, epsilon = 10, {ROUNDS} rounds",
        method,
    )
    for theorem, shown, method in (
        (
            confidence.LITERAL_WIDTH,
            "literal width, all hidden constants 1",
            covers(partial(within_literal, TOLD, ARMS, ROUNDS), FARTHER, ROUNDS, dimension=FEATURES),
        ),
        (
            confidence.CONFIDENCE_SET,
            "D^2 + 4 (M_N + K_N) with the learner's own regret and path",
            covers(partial(within_realised, TOLD, ARMS, ROUNDS, 1.0, ENOUGH), ROOM, ROUNDS, dimension=FEATURES),
        ),
    )
)
