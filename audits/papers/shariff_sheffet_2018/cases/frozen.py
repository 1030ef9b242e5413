"""Private LinUCB and the tree's releases, replayed with frozen releases: nothing but the noisy sums depends on a round, and the sums move
within their noise.

With features and without, for Gaussian and Wishart noise; rows at the ends of the ball, and far outside of it. The exact calibration, so
that the loss of the worst pair is the claimed one. A Wishart matrix's loss has no closed form, so there the flow alone is judged.
"""

import math

from banditproof.algorithms.environments.adaptive_contexts import LeastExploredAdversary
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.sphere import Rewards, Sphere
from banditproof.algorithms.mechanisms.gram.gaussian import GaussianGram
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise, Rule
from banditproof.audits.common.neighbours import BEYOND, RewardPairs, RoundPairs, outcomes
from banditproof.audits.methods.draws_apart import DrawsApart
from banditproof.audits.methods.frozen_releases import FrozenReleases, FrozenRuns
from banditproof.audits.papers.shariff_sheffet_2018.cases.mechanisms import claimed
from banditproof.audits.privacy.frozen_pipeline import PolicyRun
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Pipeline

_HORIZON, _ROUNDS = 8, (0, 2, 6)
_LENGTH = math.sqrt(2.0)
_GAUSSIAN = LinUCB(Noise.GAUSSIAN, 1.0, 1e-2, calibration=Calibration.EXACT)
_WISHART = LinUCB(Noise.WISHART, 1.0, 1e-2)


def _audit(name: str, policy: LinUCB, features: int, label: str) -> Audit:
    pairs: RoundPairs | RewardPairs = RewardPairs(_HORIZON, 3, _ROUNDS, (1.0, -1.0, 0.0), BEYOND, -1.0, 1.0)
    if features > 0:
        pairs = RoundPairs(_HORIZON, 3, features, _ROUNDS, outcomes(features, _LENGTH))
    run = FrozenRuns(PolicyRun(policy), pairs, claimed(policy), flow=policy.noise is not Noise.GAUSSIAN)
    return Audit("shariff_sheffet_2018.learner_privacy", f"frozen.{name}", f"LinUCB, {label}, one round replaced, T = {_HORIZON}", run)


AUDITS = (
    _audit("gaussian_d2", _GAUSSIAN, 2, "Gaussian noise, d = 2"),
    _audit("gaussian_d3", _GAUSSIAN, 3, "Gaussian noise, d = 3"),
    _audit("gaussian_without_features", _GAUSSIAN, 0, "Gaussian noise, three arms without features"),
    _audit("gaussian_greedy", LinUCB(Noise.GAUSSIAN, 1.0, 1e-2, calibration=Calibration.EXACT, rule=Rule.GREEDY), 2, "greedy, d = 2"),
    _audit("wishart_d2", _WISHART, 2, "Wishart noise, d = 2"),
    _audit("wishart_without_features", _WISHART, 0, "Wishart noise, three arms without features"),
    Audit(
        "shariff_sheffet_2018.gaussian_calibration",
        "frozen.gaussian_gram",
        "GaussianGram, replayed",
        FrozenReleases(GaussianGram(1.0, 1e-2, 6, 2, calibration=Calibration.EXACT)),
    ),
)
DRAWS = tuple(
    Audit("shariff_sheffet_2018.learner_privacy", f"draws.{name}", f"LinUCB with {policy.noise.value} noise on {environment}", method)
    for name, policy, environment in (
        ("gaussian", _GAUSSIAN, Sphere(5, 6)),
        ("gaussian_adaptive", _GAUSSIAN, LeastExploredAdversary()),
        ("wishart", _WISHART, Sphere(3, 4, rewards=Rewards.GAUSSIAN)),
        ("wishart_without_features", _WISHART, Bernoulli((0.5, 0.4))),
        ("uniform", LinUCB(Noise.GAUSSIAN, 1.0, 1e-2, rule=Rule.UNIFORM), Sphere(2, 3)),
    )
    for method in (DrawsApart(Pipeline(policy, environment), 40),)
)
