"""Private eliminations, replayed with frozen releases: nothing but the released means depends on a reward, and each moves within its noise.

All ways of exploring and all orders of the arms; rewards at the truncation, outside of it and infinite, among others that are inside and
that are outside of it. Exact, step by step. And the blocks of random numbers that whole runs ask for: no two draws share one.
"""

from fractions import Fraction
from typing import Any

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.environments.huber import ArmHuber, Huber, Normal
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.environments.student import Student
from banditproof.algorithms.environments.two_point import TwoPoint
from banditproof.algorithms.mechanisms.laplace import LocalLaplace
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.kernels import ArmOrder, Exploration
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.algorithms.policies.median_ucb import MedianUCB
from banditproof.audits.common.neighbours import BEYOND, RewardPairs, at_truncations
from banditproof.audits.methods.draws_apart import DrawsApart
from banditproof.audits.methods.frozen_releases import FrozenRuns
from banditproof.audits.privacy.frozen_pipeline import PolicyRun
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Pipeline
from banditproof.theory.papers.wu_2023 import privacy

_HORIZON, _ARMS = 61, 3
_ROUNDS = (0, 7, 13, 40)

Elimination = RobustElimination | CentralElimination | SuccessiveElimination


def _audit(theorem: str, name: str, policy: Elimination, others: float | None = None) -> Audit:
    sizes = at_truncations(policy.state(_ARMS, 0, _HORIZON))
    pairs = RewardPairs(_HORIZON, _ARMS, _ROUNDS, sizes, (*BEYOND, 1.9 * max(sizes)), 0.02, 0.2, others)
    run = FrozenRuns(PolicyRun(policy), pairs, policy.guarantee())
    among = "" if others is None else f", every third of the others {others:g}"
    return Audit(theorem, f"frozen.{name}", f"{policy}, one reward replaced{among}", run)


_WAYS: dict[str, dict[str, Any]] = {
    "batch": {"exploration": Exploration.BATCH},
    "round": {"exploration": Exploration.ROUND, "arm_order": ArmOrder.PERMUTED},
    "greedy": {"exploration": Exploration.GREEDY},
    "mixed": {"exploration": Exploration.PROBABILISTIC, "mixing": 0.5, "arm_order": ArmOrder.PERMUTED},
}
_RAW, _CENTRAL = privacy.PRIVACY_RAW.id, privacy.PRIVACY_CENTRAL.id
_FORCED = {name: RobustElimination(20.0, contamination=0.3, failure=1.0, threshold_factor=0.3, **way) for name, way in _WAYS.items()}
_FORCED_CENTRAL = {
    name: CentralElimination(20.0, 7.0, contamination=0.1, failure=1.0, threshold_factor=1e-3, **way) for name, way in _WAYS.items()
}
AUDITS = (
    _audit(_RAW, "run", RobustElimination(20.0, failure=1.0)),
    _audit(_RAW, "run_of_heavy_tails", RobustElimination(8.0, moment=4.0, failure=1.0), 1e6),
    *(_audit(_RAW, f"run_{name}", policy) for name, policy in _FORCED.items()),
    _audit(_CENTRAL, "run", CentralElimination(20.0, 7.0, failure=1.0, threshold_factor=0.0)),
    _audit(_CENTRAL, "run_among_far", CentralElimination(20.0, 7.0, failure=1.0, threshold_factor=0.0), -1e6),
    *(_audit(_CENTRAL, f"run_{name}", policy) for name, policy in _FORCED_CENTRAL.items()),
    _audit("wu_2023.truncated_mean_scale", "run_successive", SuccessiveElimination(20.0, failure=0.4, batch_constant=0.5)),
)
_PIPELINES = {
    **{f"raw_{name}": Pipeline(policy, Bernoulli((0.5, 0.4, 0.3)), corruption=Huber(0.3)) for name, policy in _FORCED.items()},
    **{f"central_{name}": Pipeline(policy, Gaussian((0.5, 0.4, 0.3), (1.0, 0.5, 1.0))) for name, policy in _FORCED_CENTRAL.items()},
    "pareto": Pipeline(RobustElimination(20.0, failure=1.0), Pareto((3.0, 4.0), (0.1, 0.1), (0.0, 0.1))),
    "student": Pipeline(
        MedianUCB(1.0, 0.1),
        Student((0.1, 0.2), (1.0, 0.5), (3.0, 4.0)),
        LocalLaplace(1.0),
        ArmHuber(0.2, (Normal(3.0), Normal(-3.0))),
    ),
    "two_point": Pipeline(SuccessiveElimination(20.0, failure=0.4), TwoPoint((Fraction(1, 2), Fraction(1, 4)), Fraction(1, 10), 2)),
}
DRAWS = tuple(
    Audit(
        _CENTRAL if name.startswith("central") else _RAW,
        f"draws.{name}",
        f"{type(pipeline.policy).__name__} on {pipeline.environment}",
        DrawsApart(pipeline, 61),
    )
    for name, pipeline in _PIPELINES.items()
)
