"""Private Online LinUCB, locally private, d = 5 and 25 fresh arms: what a round costs, with each learner, beside a NumPy loop.

The learner of the paper is Maler, 19 experts at 20,000 rounds. "vector_sum": an output of the shuffled sum of 20 users, five numbers each.
"""

from collections.abc import Callable, Sequence

import numpy as np

from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD
from banditproof.algorithms.mechanisms.vector_sum import ShuffledSum
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import PrivateOnlineLinUCB
from banditproof.interaction import Pipeline
from banditproof.randomness import key_of
from banditproof.simulation import play
from benchmarks.plain import local_lin_ucb as plain
from benchmarks.runner.cases import Case, Scale, TimedCall, Work

LONG = False
KEY, SEED, PLANNED = key_of(17, "benchmark"), 17, 20_000
SIGMA, BOUND, WIDTH = 1.0, 30.0, 10.0  # of the NumPy loop: no cost depends on them


def cases(scale: Scale) -> Sequence[Case]:
    rounds, few, outputs = scale.of(PLANNED, 4_000), scale.of(2_000, 500), scale.of(20_000, 4_000)
    return [
        TimedCall("maler", _run(Maler(), rounds), rounds, against={"numpy_maler": None, "descent": None}),
        TimedCall("descent", _run(OGD(), rounds), rounds, note="one expert"),
        TimedCall("numpy_maler", lambda: lambda: plain.run(25, 5, few, SIGMA, BOUND, WIDTH, np.random.default_rng(SEED)), few, slow=True),
        TimedCall("vector_sum", lambda: lambda: _released(outputs), outputs, unit="output"),
    ]


def _run(learner: Maler | OGD, rounds: int) -> Callable[[], Work]:
    policy = PrivateOnlineLinUCB(1.0, 0.1, learner=learner, planned_horizon=PLANNED, width=Width.CONST, scale=WIDTH)
    pipeline = Pipeline(policy, Sphere(), policy.randomiser())
    return lambda: lambda: play(pipeline, horizon=rounds, key=KEY, record=())


def _released(outputs: int) -> object:
    mechanism = ShuffledSum(1.0, 0.1, 20, factor=10.0)
    return mechanism.release(mechanism.neighbours().worst[0][0], outputs, np.random.default_rng(SEED))
