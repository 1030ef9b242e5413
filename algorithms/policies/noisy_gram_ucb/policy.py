"""Linear UCB on noisy sums: the baselines of the figure of `ldp_linucb_2024` (sheet, section 8), with the constants of either column.

    arm: largest <x, theta^> + w |x| in the norm of G^-1,  G = sum x x' + shift I + noise,  theta^ = G^-1 (sum y x + noise)

    LIN_UCB   no noise                                                       Abbasi-Yadkori et al. 2011
    LDP       every user's contribution carries noise (`gram.local`)         Zheng et al. 2020
    JDP       the server adds the noise of a few nodes                       Shariff and Sheffet 2018
    SDP_AMP   less noise per user, shuffled in batches                       Chowdhury and Zhou 2022
    SDP_VEC   labelled messages, several a user, shuffled in batches         Chowdhury and Zhou 2022

`Column.SCRIPT` has the constants of the public script of Chowdhury and Zhou 2022: shift 2 Gamma, and one width for all rounds.
`Column.PAPER` has those of the methods' own papers; for LIN_UCB and JDP that is `lin_ucb.policy.LinUCB`, which `paper_lin_ucb` and
`paper_jdp` make.

The users' noise and the shuffler are parts of the pipeline: `randomiser()` and `shuffler()` give those that fit, `pipeline(environment)`
puts them together. `claim()` is what the method's paper claims, and of which view.

Readings. Without a randomiser the raw messages are added, and nothing is private. The script's JDP draws Z for each node, and symmetrises
it. With one feature the shape of a message does not say what it is: the method does. SDP in the paper's column has the width of Shariff and
Sheffet's Proposition 4 for the noise of all rounds (rebuilt). `width_scale` multiplies every width; with `fixed_width` it is the width.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, assert_never

import numpy as np

from banditproof import glossary
from banditproof.algorithms.mechanisms import vector_sum
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.local import LocalGram, Scale, report_width
from banditproof.algorithms.mechanisms.gram.noise import packed
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.mechanisms.vector_sum import Encoding, Logarithm, VectorSum
from banditproof.algorithms.policies.common import row_size
from banditproof.algorithms.policies.lin_ucb.policy import Bounds, LinUCB, Noise
from banditproof.algorithms.policies.noisy_gram_ucb import constants
from banditproof.algorithms.policies.noisy_gram_ucb.constants import Schedule
from banditproof.algorithms.policies.noisy_gram_ucb.kernels import CLASSIFICATION, KERNELS, ROWS, SUMS, Settings, State
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, View, require
from banditproof.interaction import ClientRandomiser, Environment, Kernels, NoRandomiser, NoShuffling, Pipeline, Shuffler
from banditproof.lanes import WIDE
from banditproof.typical import Values, between, declares, whole_numbers


class Method(Enum):
    """Who adds noise, and who is trusted."""

    LIN_UCB = "lin_ucb"
    LDP = "ldp"
    JDP = "jdp"
    SDP_AMP = "sdp_amp"
    SDP_VEC = "sdp_vec"


class Column(Enum):
    """Whose constants are used: those of the public script, or of the paper."""

    SCRIPT = "script"
    PAPER = "paper"


@dataclass(frozen=True)
class NoisyGramUCB:
    """A baseline. It releases G (packed) and the noisy response sums after each batch.

    `failure` is alpha, 1 / planned_horizon by default. `calibrated` replaces the noise of LDP by the least that is enough for its claim.
    `trials_factor` multiplies b of the vector sum, by default as in the script (1 up to epsilon = 0.2, 10 above). Raises ValueError on a
    column that the method does not have here.
    """

    method: Method = Method.LDP
    column: Column = Column.SCRIPT
    epsilon: float = 1.0
    delta: float = 0.1
    batch: int = 20
    feature_norm: float = 1.0
    parameter_norm: float = 1.0
    reward_sigma: float = 0.5
    failure: float | None = None
    planned_horizon: int | None = None
    calibrated: bool = False
    encoding: Encoding = Encoding.COUNTS
    trials_factor: float | None = None
    width_scale: float = 1.0
    fixed_width: bool = False
    uniform: bool = False
    theorems: tuple[str, ...] = field(default=(), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "batch": whole_numbers(2, 9),
        "feature_norm": between(0.5, 1.5),
        "parameter_norm": between(0.5, 2.0),
        "reward_sigma": between(0.1, 2.0),
        "planned_horizon": (None, whole_numbers(2, 10**6)),
        "calibrated": (False,),
        "trials_factor": between(0.1, 10.0),
        "width_scale": between(0.0, 2.0),
    }

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        glossary.DELTA.require(self.delta)
        require(self.batch >= 1, f"batch = {self.batch}: must be an integer >= 1 (users)")
        for name in ("feature_norm", "parameter_norm", "reward_sigma", "trials_factor"):
            value = getattr(self, name)
            require(value is None or 0.0 < value < math.inf, f"{name} = {value}: must be > 0 and finite")
        require(0.0 <= self.width_scale < math.inf, f"width_scale = {self.width_scale}: must be >= 0 and finite")
        if self.failure is not None:
            glossary.FAILURE.require(self.failure)
        if self.planned_horizon is not None:
            glossary.HORIZON.require(self.planned_horizon)
        here = self.column is Column.SCRIPT or self.method not in (Method.LIN_UCB, Method.JDP)
        require(here, f"column = paper: method {self.method.value} must be made by paper_lin_ucb or paper_jdp")
        require(not self.calibrated or self.method is Method.LDP, "calibrated: must go with method = ldp (a user's own message)")

    def guarantee(self) -> None:
        return None

    def claim(self) -> ApproximateDP | None:
        """What the method's paper claims of the whole pipeline; None without noise.

        That of a shuffled method is about whole batches: fewer users in the last one of a run have less noise between them.
        """
        match self.method:
            case Method.LIN_UCB:
                return None
            case Method.LDP:
                return ApproximateDP(self.epsilon, self.delta, NeighbouringRelation.ANY_PAIR, View.LOCAL)
            case Method.JDP:
                return ApproximateDP(self.epsilon, self.delta, NeighbouringRelation.REPLACE_ROUND, View.JOINT)
            case Method.SDP_AMP | Method.SDP_VEC:
                return ApproximateDP(self.epsilon, self.delta, NeighbouringRelation.REPLACE_ROUND, View.SHUFFLED)
            case _:
                assert_never(self.method)

    def randomiser(self, features: int = 5) -> ClientRandomiser:
        """The users' part; `features` sets g and b of the vector sum. The script does not clip."""
        clips = self.column is Column.PAPER or self.calibrated
        match self.method:
            case Method.LIN_UCB | Method.JDP:
                return NoRandomiser()
            case Method.LDP | Method.SDP_AMP:
                return LocalGram(self.epsilon, self.delta, self._scale(), self._users(), self.feature_norm, clips)
            case Method.SDP_VEC:
                return self._vector_sum(features)
            case _:
                assert_never(self.method)

    def _vector_sum(self, features: int) -> VectorSum:
        paper, bits = self.column is Column.PAPER, self.encoding is Encoding.BITS
        return VectorSum(
            self.epsilon,
            self.delta,
            self.batch,
            self.feature_norm,
            self.trials_factor,
            self.encoding,
            Logarithm.PAPER if paper else Logarithm.SCRIPT,
            paper or bits,
            features,
        )

    def trials(self, features: int) -> int:
        """b of a message of the vector sum; 0 where the method has none."""
        return self._vector_sum(features).trials() if self.method is Method.SDP_VEC else 0

    def shuffler(self) -> Shuffler:
        """The shuffler of `batch` users, or none."""
        return UniformShuffler(self.batch) if self.method in (Method.SDP_AMP, Method.SDP_VEC) else NoShuffling()

    def pipeline(self, environment: Environment) -> Pipeline:
        """All parts on an environment."""
        return Pipeline(self, environment, self.randomiser(environment.dimension), shuffler=self.shuffler())

    def _scale(self) -> Scale:
        if self.calibrated:
            return Scale.EXACT
        return Scale.SCRIPT if self.column is Column.SCRIPT else Scale.PAPER

    def _users(self) -> int:
        """Users over whom the noise is shared."""
        return self.batch if self.method is Method.SDP_AMP else 1

    def user_scale(self, features: int) -> float:
        """Standard deviation of the noise that one user adds to a number of the sums; 0 where users add none."""
        randomiser = self.randomiser(features)
        if isinstance(randomiser, LocalGram):
            return randomiser.noise_scale(features=features > 0)
        if isinstance(randomiser, VectorSum):
            return math.sqrt(vector_sum.noise_variance(randomiser.resolution(), float(randomiser.trials()), self.feature_norm))
        return 0.0

    def schedule(self, dimension: int, horizon: int, features: int) -> Schedule:
        """Shift and width of a run in R^d."""
        planned_horizon = max(horizon if self.planned_horizon is None else self.planned_horizon, 2)
        failure = 1.0 / planned_horizon if self.failure is None else self.failure
        scale = self.user_scale(features)
        if self.column is Column.SCRIPT:
            gamma, shift = self._gamma(dimension, planned_horizon, scale), 1e-4 if self.method is Method.LIN_UCB else 2.0
            found = constants.constant(
                gamma, shift, dimension=dimension, horizon=planned_horizon, feature_norm=self.feature_norm, reward_sigma=self.reward_sigma
            )
        elif self.method is Method.LDP:
            found = constants.growing(scale, dimension=dimension, horizon=planned_horizon, failure=failure)
        else:
            found = constants.determinant(
                scale,
                dimension=dimension,
                horizon=planned_horizon,
                failure=failure,
                parameter_norm=self.parameter_norm,
                reward_sigma=self.reward_sigma,
            )
        return found

    def _gamma(self, dimension: int, planned_horizon: int, scale: float) -> float:
        """Gamma of the script."""
        match self.method:
            case Method.LIN_UCB:
                return 1.0
            case Method.LDP | Method.SDP_AMP:
                return constants.script_gamma(scale, dimension=dimension, horizon=planned_horizon)
            case Method.JDP:
                joint = constants.script_joint_scale(self.epsilon, self.delta, planned_horizon)
                return constants.script_joint_gamma(joint, dimension=dimension, horizon=planned_horizon)
            case Method.SDP_VEC:
                size = {"batch": self.batch, "dimension": dimension, "horizon": planned_horizon}
                return constants.script_vector_gamma(self.epsilon, self.delta, **size)
            case _:
                assert_never(self.method)

    def _settings(self, dimension: int, horizon: int, features: int) -> Settings:
        """What the kernels are told; each number of the one type that they are compiled for."""
        planned_horizon = max(horizon if self.planned_horizon is None else self.planned_horizon, 2)
        randomiser, joint = self.randomiser(features), self.method is Method.JDP
        each, unit, offset = 1, 0.0, 0.0
        if isinstance(randomiser, VectorSum):
            each, unit = randomiser.per_coordinate(), self.feature_norm / randomiser.resolution()
            # The script rounds b down where it draws, and not where it subtracts the mean.
            mean = randomiser.exact_trials() if self.column is Column.SCRIPT else float(randomiser.trials())
            offset = unit * mean / 4.0 + self.feature_norm
        schedule = self.schedule(dimension, horizon, features)
        schedule = Schedule(schedule.kind, *(float(number) for number in schedule[1:]))
        return Settings(
            schedule=schedule,
            form=_form(self.method),
            nodes=int(joint),
            node_scale=float(constants.script_joint_scale(self.epsilon, self.delta, planned_horizon)) if joint else 0.0,
            per_user=report_width(features) * each,
            per_coordinate=each,
            unit=float(unit),
            offset=float(offset),
            width_scale=float(self.width_scale),
            fixed_width=self.fixed_width,
            features=features,
            uniform=self.uniform,
        )

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        """The arrays of a run that has not begun."""
        size = row_size(arms, dimension)
        block = packed(size)
        numbers = block + size
        return State(
            settings=self._settings(size, horizon, dimension),
            users=np.zeros(1, dtype=np.int64),
            messages=np.zeros(1, dtype=np.int64),
            drawn=np.zeros(1, dtype=np.int64),
            definite=np.zeros(1, dtype=np.int64),
            radius=np.zeros(1),
            sums=np.zeros(numbers),
            noise=np.zeros(numbers),
            release=np.zeros(numbers),
            inverse=np.zeros(block),
            factor=np.zeros(block),
            centre=np.zeros(size),
            features=np.zeros((size, WIDE)),
        )

    def message_width(self, dimension: int) -> int:
        return dimension + 1

    def statistic_width(self, arms: int, dimension: int) -> int:
        dimension = row_size(arms, dimension)
        return packed(dimension) + dimension


def _form(method: Method) -> int:
    """The kernels' code of what messages are where their shape does not say it."""
    match method:
        case Method.LIN_UCB | Method.JDP:
            return ROWS
        case Method.LDP | Method.SDP_AMP:
            return SUMS
        case Method.SDP_VEC:
            return CLASSIFICATION
        case _:
            assert_never(method)


_SIZE = between(0.1, 10.0)


@declares(failure=(None, between(1e-6, 0.4)), parameter_norm=_SIZE, feature_norm=_SIZE, reward_sigma=_SIZE)
def paper_lin_ucb(
    *, failure: float | None = None, parameter_norm: float = 1.0, feature_norm: float = 1.0, reward_sigma: float = 0.5
) -> LinUCB:
    """LinUCB with the constants of Abbasi-Yadkori et al. 2011: shift 1 and w = R sqrt(2 ln(1 / beta) + ln det G) + D, beta = `failure`.

    By default beta = 1 / 2T, since the package's radius has ln(2 / alpha) with alpha = 1 / T. Raises ValueError unless failure < 1/2.
    """
    require(failure is None or 0.0 < failure < 0.5, f"failure = {failure}: must be > 0 and < 0.5")
    bounds = Bounds(parameter_norm, feature_norm, reward_sigma, math.hypot(feature_norm, 1.0))
    return LinUCB(Noise.NONE, bounds=bounds, failure=None if failure is None else 2.0 * failure, rho_min=1.0)


@declares(parameter_norm=_SIZE, feature_norm=_SIZE, reward_sigma=_SIZE)
def paper_jdp(
    epsilon: float,
    delta: float,
    *,
    failure: float | None = None,
    parameter_norm: float = 1.0,
    feature_norm: float = 1.0,
    reward_sigma: float = 0.5,
    calibration: gram_noise.Calibration = gram_noise.Calibration.PUBLISHED,
) -> LinUCB:
    """The jointly private method with the tree and the Gaussian noise of Shariff and Sheffet 2018, rewards in [-1, 1]."""
    bounds = Bounds(parameter_norm, feature_norm, reward_sigma, math.hypot(feature_norm, 1.0))
    return LinUCB(Noise.GAUSSIAN, epsilon, delta, bounds, failure, calibration=calibration)
