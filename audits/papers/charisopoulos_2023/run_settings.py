"""The runs of charisopoulos_2023 that are replayed: every option of robust arm elimination in one of them at least."""

import math
from dataclasses import dataclass, replace

import numpy as np

from banditproof.algorithms.environments.fixed_linear import FixedLinear, Noise
from banditproof.algorithms.environments.linear_adversary import Attack, LinearAdversary, Positions
from banditproof.algorithms.estimators.linear.baselines import ClippedLeastSquares, LeastSquares, TrimmedLeastSquares
from banditproof.algorithms.mechanisms.client_reports import Clipping, Level
from banditproof.algorithms.policies.robust_arm_elimination.constants import FirstThreshold
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel, DesignArms, FilterBound
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.interaction import Corruption, Environment, Floats, NoCorruption, Table, Words
from banditproof.randomness import key_of

_ANGLES = np.array([0.1, 0.9, 1.7, 2.6, 3.3, 4.4])
PLANE = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)]) * np.array([1.0, 0.8, 0.9, 1.0, 0.7, 0.95])[:, None]
SPACE = np.random.default_rng(5).uniform(-0.57, 0.57, size=(7, 3))
FLAT = PLANE @ np.array([[0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])
NEARLY_FLAT = FixedLinear.of(FLAT + 1e-10 * SPACE[:6], np.array([0.5, 0.5, -0.6]), standard_deviation=0.3)
IN_PLANE = FixedLinear.of(PLANE, np.array([0.7, 0.5]), standard_deviation=1.5, bound=1.2)
IN_SPACE = FixedLinear.of(SPACE, np.array([0.8, -0.5, 0.2]))
QUIET = FixedLinear.of(SPACE, np.array([0.8, -0.5, 0.2]), standard_deviation=0.1)
SIGNS = FixedLinear.of(SPACE, np.array([0.8, -0.5, 0.2]), noise=Noise.SIGNS)
COINS = FixedLinear.of(FLAT, np.array([0.5, 0.5, -0.6]), noise=Noise.RADEMACHER, standard_deviation=0.5)


def odd_rewards(horizon: int, arms: int) -> Table:
    """Rewards without contexts, some of them NaN or infinite."""
    rewards = np.random.default_rng(3).normal(size=(horizon, arms)) + 0.1 * np.arange(arms)
    rewards[5::17], rewards[7::23], rewards[11::31] = math.nan, math.inf, -math.inf
    return Table(rewards, np.tile(np.arange(arms) / arms, (horizon, 1)))


NOTHING = NoCorruption()


@dataclass(frozen=True, eq=False)
class Played:
    """A run by a name. Of a control, `player` plays in the policy's place, and `payer` pays in the environment's."""

    name: str
    policy: RobustArmElimination
    environment: Environment = IN_PLANE
    horizon: int = 700
    corruption: Corruption = NOTHING
    level: Level = Level.EVENT
    player: RobustArmElimination | None = None
    payer: Environment | None = None

    @property
    def vectors(self) -> Floats:
        """The arms; unit vectors in an environment without contexts."""
        return self.environment.table() if isinstance(self.environment, FixedLinear) else np.eye(self.environment.arms)

    @property
    def key(self) -> Words:
        return key_of(2, "replayed", self.name)


_PUSH = LinearAdversary(0.1, (1.0, -0.4), 30.0)
_WORST = LinearAdversary(0.2, (1.0, 0.5, 2.0), 40.0, Positions.WORST, Attack.IMITATE)
_OWNED = LinearAdversary(0.4, (1.0, 0.5, 2.0), 60.0, Positions.WORST)  # of three owners one
_ONE = RobustArmElimination(2.0, 0.05, batches=4, corruption_constant=0.003, noise_constant=0.1)
_TWO = replace(_ONE, model=ClientModel.SECOND, truncation_parameter=0.25)
SETTINGS = (
    Played("line_9", _ONE, corruption=_PUSH),
    Played("display_50", replace(_ONE, variant=FirstThreshold.DISPLAY_50, failure=0.1), IN_SPACE, corruption=_WORST),
    Played("display_48", replace(_ONE, variant=FirstThreshold.DISPLAY_48, design_factor=1.1, batches=5), IN_SPACE),
    Played("all_arms", replace(_ONE, design_arms=DesignArms.ALL, variant=FirstThreshold.DISPLAY_48, noise_constant=0.01), QUIET),
    Played("given", replace(_ONE, filter_bound=FilterBound.GIVEN, filter_value=0.004, epsilon=1.0), corruption=_PUSH),
    Played("observed", replace(_ONE, filter_bound=FilterBound.OBSERVED, clipping=Clipping.PUBLISHED), corruption=_PUSH),
    Played("coreset", replace(_ONE, epsilon=math.inf, corruption=0.0, restrict_to_coreset=True, noise_constant=0.1), SIGNS),
    Played("coreset_of_all", replace(_TWO, restrict_to_coreset=True, design_arms=DesignArms.ALL, noise_constant=0.003), QUIET),
    Played("defaults", RobustArmElimination(4.0), COINS, corruption=LinearAdversary(0.05, (1.0, 0.0, 1.0), 1e4)),
    Played("trimmed", replace(_ONE, estimator=TrimmedLeastSquares(0.15)), IN_SPACE, corruption=_WORST),
    Played("clipped", replace(_ONE, estimator=ClippedLeastSquares(2.5)), corruption=_PUSH),
    Played("second", replace(_TWO, design_factor=1.01), IN_SPACE, corruption=_OWNED),
    Played("second_many", replace(_TWO, batches=60, noise_constant=0.02, truncation_parameter=1.0), QUIET, 900, _OWNED),
    Played("second_defaults", RobustArmElimination(8.0, 0.1, ClientModel.SECOND, corruption_constant=0.001, noise_constant=0.01), QUIET),
    *(
        Played(
            f"second_weighted_{size:g}",
            replace(_TWO, weighted=True, leading_one=False, epsilon=4.0, design_factor=1.01),
            IN_SPACE,
            corruption=replace(_OWNED, size=size),
        )
        for size in (90.0, 1e4)
    ),
    Played(
        "second_given",
        replace(_TWO, weighted=True, filter_bound=FilterBound.GIVEN, filter_value=0.03, truncation_parameter=0.1, design_factor=1.01),
        IN_SPACE,
        corruption=replace(_OWNED, values=Attack.IMITATE),
    ),
    Played("second_flat", replace(_TWO, estimator=LeastSquares(), weighted=True, batches=6), COINS),
    Played("second_owner", replace(_TWO, noise_constant=0.1), QUIET, level=Level.USER),
    Played("no_numbers", _ONE, odd_rewards(300, 3), 300, LinearAdversary(0.1, (1.0,), 20.0)),
    Played("no_numbers_as_printed", replace(_ONE, clipping=Clipping.PUBLISHED), odd_rewards(300, 3), 300),
    Played("no_numbers_owned", _TWO, odd_rewards(300, 3), 300),
    Played("no_numbers_not_private", replace(_TWO, epsilon=math.inf, weighted=True), odd_rewards(300, 3), 300, _OWNED),
    Played("enormous", _ONE, corruption=LinearAdversary(0.1, (1.0, -0.4), 1e65)),
    Played("nearly_flat", replace(_ONE, noise_constant=0.02), NEARLY_FLAT),
    Played("nearly_flat_owned", replace(_TWO, noise_constant=0.01), NEARLY_FLAT),
    Played("no_direction", _ONE, FixedLinear.of(np.zeros((3, 2)), np.array([1.0, 0.0]))),
    Played("no_batch_fits", replace(_ONE, batches=2), IN_SPACE, 2),
    Played("one_batch_fits", replace(_ONE, batches=2), IN_SPACE, 3),
    Played("all_but_one", replace(_ONE, batches=2), IN_PLANE, 4),
)
