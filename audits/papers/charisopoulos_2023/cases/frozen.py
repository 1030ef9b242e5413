"""Reports and whole runs of robust arm elimination, replayed with frozen releases: a reward changes one report, within its noise.

Both client models, at user and event level; rewards at the ends of [-1, 1], far outside and infinite. Exact.
"""

from banditproof.algorithms.environments.fixed_linear import FixedLinear
from banditproof.algorithms.environments.fixed_linear import Noise as EnvironmentNoise
from banditproof.algorithms.environments.linear_adversary import LinearAdversary
from banditproof.algorithms.mechanisms.client_reports import Level, NoisyMean, NoisyReward
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.common.neighbours import FAR, MessagePairs, RewardPairs
from banditproof.audits.methods.draws_apart import DrawsApart
from banditproof.audits.methods.frozen_releases import FrozenRuns
from banditproof.audits.privacy.frozen_pipeline import PolicyRun, Reports
from banditproof.audits.running.audit import Audit
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Pipeline
from banditproof.theory.language import Theorem
from banditproof.theory.papers.charisopoulos_2023.first_model import FIRST_PRIVACY
from banditproof.theory.papers.charisopoulos_2023.second_model import SECOND_PRIVACY

_EPSILON = 2.0
_CLAIM = PureDP(_EPSILON, NeighbouringRelation.REPLACE_REWARD, View.LOCAL)


def _reports(slug: str, theorem: Theorem, randomiser: NoisyReward | NoisyMean, messages: tuple[tuple[float, ...], ...]) -> Audit:
    run = FrozenRuns(Reports(randomiser), MessagePairs(messages), randomiser.guarantee())
    return Audit(theorem.id, f"frozen.{slug}", f"{randomiser}, one message replaced", run)


def _run(slug: str, theorem: Theorem, model: ClientModel, arms: int) -> Audit:
    policy = RobustArmElimination(_EPSILON, model=model, batches=3, failure=0.5)
    pairs = RewardPairs(60, arms, (0, 5, 31, 59), (1.0, -1.0, 0.3), FAR, -1.0, 1.0)
    run = FrozenRuns(PolicyRun(policy, policy.randomiser()), pairs, _CLAIM)
    return Audit(
        theorem.id, f"frozen.run_{slug}", f"RobustArmElimination, {model.value} client model, {arms} arms, one reward replaced", run
    )


_ONE = tuple((value,) for value in (1.0, -1.0, 0.2, *FAR))
_TWO = ((1.0, 1.0, 1.0), (-1.0, -1.0, -1.0), (1.0, -1.0, 0.5), (5.0, 5.0, -5.0))
_MEANS = tuple((value, 4.0) for value in (1.0, -1.0, 0.2, *FAR))
_NEAR = tuple((value, 4.0) for value in (1.0, 0.5))  # means of four rewards of which one differs

AUDITS = (
    _reports("reward", FIRST_PRIVACY, NoisyReward(_EPSILON), _ONE),
    _reports("rewards_of_three_numbers", FIRST_PRIVACY, NoisyReward(_EPSILON), _TWO),
    _reports("mean_of_a_user", SECOND_PRIVACY, NoisyMean(_EPSILON, Level.USER), _MEANS),
    _reports("mean", SECOND_PRIVACY, NoisyMean(_EPSILON), _NEAR),
    _run("first", FIRST_PRIVACY, ClientModel.FIRST, 3),
    _run("second", SECOND_PRIVACY, ClientModel.SECOND, 3),
)
_VECTORS, _THETA = ((1.0, 0.0), (0.0, 1.0), (0.6, 0.6)), (0.5, 0.2)
DRAWS = tuple(
    Audit(
        theorem.id,
        f"draws.{model.value}_{noise.value}",
        f"RobustArmElimination, {model.value} client model, attacked",
        DrawsApart(pipeline, 60),
    )
    for theorem, model in ((FIRST_PRIVACY, ClientModel.FIRST), (SECOND_PRIVACY, ClientModel.SECOND))
    for noise in EnvironmentNoise
    for policy in (RobustArmElimination(_EPSILON, model=model, batches=3, failure=0.5),)
    for pipeline in (Pipeline(policy, FixedLinear(_VECTORS, _THETA, noise, 0.1), policy.randomiser(), LinearAdversary(0.2, (1.0, 0.0))),)
)
