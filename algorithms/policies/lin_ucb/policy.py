"""Linear UCB with changing perturbations, private and not (Shariff and Sheffet 2018, Algorithm 1 with sections 4.1 and 4.2).

Round t: the arm with the largest <theta~_t, x> + beta_t |x| in the norm of V_t^-1, where V_t = G_t + H_t, u~_t = u_t + h_t, theta~_t =
V_t^-1 u~_t, G_t and u_t are the sums of x x' and y x over the rounds before, and H_t and h_t are the noise of a tree (`gram.noise`), the
same for all decision sets, plus a multiple of the identity (the shift).

Privacy. A round's row (x_t, y_t), projected on the ball of radius row_norm, enters the tree alone; from its releases and later decision
sets everything else follows (Claim 7). So arms other than the round's own are private: jointly, and not in the view of all arms.

Readings (the paper leaves them open).
- Without contexts the arms are the unit vectors of R^K.
- Constants are those of `planned_horizon`; a run that stops earlier changes none. A release after row `planned_horizon`, which no action
  needs, is not made: the last one stays.
- Where V_t is not positive definite the first arm is played, and counted; `strict` raises instead. A negative radicand counts as 0.
- Rows that are not private are not projected. A row that is not finite raises ValueError.
- Where messages come in batches, a release follows each batch; the rows of a batch complete their nodes one after the other.

How the numbers are kept, and what drift is: `kernels`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, NamedTuple, TypedDict, assert_never

import numpy as np

from banditproof import glossary
from banditproof.algorithms.mechanisms.gram import gaussian as gaussian_gram
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram import wishart as wishart_gram
from banditproof.algorithms.mechanisms.gram.noise import Calibration, NodeNoise, packed
from banditproof.algorithms.mechanisms.gram.wishart import Padding
from banditproof.algorithms.policies.lin_ucb import constants as lin_ucb_constants
from banditproof.algorithms.policies.lin_ucb import kernels
from banditproof.algorithms.policies.lin_ucb.constants import Accuracy
from banditproof.algorithms.policies.lin_ucb.kept import kept
from banditproof.algorithms.policies.lin_ucb.kernels import DIAGNOSTICS, KERNELS, Counters, Flags, Measures, Settings, State
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, View, require
from banditproof.interaction import Kernels
from banditproof.lanes import WIDE, zeros
from banditproof.typical import Instance, Values, between, whole_numbers


class Noise(Enum):
    """What perturbs the sums."""

    NONE = "none"  # H_t = rho I, h_t = 0: not private
    GAUSSIAN = "gaussian"
    WISHART = "wishart"
    WISHART_UNSHIFTED = "wishart_unshifted"
    FIXED = "fixed"  # perturbations from outside


class Form(Enum):
    """Which form of Proposition 4's radius."""

    DETERMINANT = "determinant"
    UPPER = "upper"


class Rule(Enum):
    """How the arm is chosen."""

    OPTIMISTIC = "optimistic"
    GREEDY = "greedy"  # the radius counts as 0
    UNIFORM = "uniform"  # every arm alike, whatever was learned


class Bounds(NamedTuple):
    """What the radius takes from the problem: S, L, the sub-Gaussian scale of a reward, and L~."""

    parameter_norm: float = 1.0
    context_norm: float = 1.0
    reward_sigma: float = 1.0
    row_norm: float = math.sqrt(2.0)


UNIT_BOUNDS = Bounds()  # unit vectors and rewards in [-1, 1]
_ROWS_WAITING = 64
_NODES_AT_ONCE, _NUMBERS_AT_ONCE = 16, 320  # drawn at a time, so that vector instructions are full and nothing leaves the first cache


class FixedNoise(NamedTuple):
    """Perturbations from outside: those of rounds 1, 2, ... as packed rows (H_t, then h_t), the last one for all later rounds."""

    rows: tuple[tuple[float, ...], ...]  # (n, q)
    accuracy: Accuracy


class _Plan(TypedDict):
    dimension: int
    horizon: int
    failure: float


class Constants(NamedTuple):
    """What a policy fixes before the first round."""

    accuracy: Accuracy
    failure: float
    planned_horizon: int
    shift: float = 0.0  # what is added to the diagonal
    node_sigma: float = 0.0  # sigma_noise, where the noise is Gaussian
    degrees: int = 0  # of freedom of a node's noise, where it is Wishart's


@dataclass(frozen=True)
class LinUCB:
    """The arm with the largest index; the lowest of equal ones. It releases V (packed) and u~, (d (d + 1) / 2 + d,), after each batch.

    `planned_horizon` is the run's horizon by default, `failure` 1 / planned_horizon. Without noise `rho_min` is rho, 1 by default; with
    noise it moves the shift (experiment D.3), which otherwise is the published one. `fixed_noise` goes with Noise.FIXED and nothing else.

    `true_parameter` is theta*, for diagnosis: then five numbers follow the statistic, the rounds so far in which V was not positive
    definite, in which the radicand was negative, and in which theta* lay outside the ellipsoid; the drift; and the radius. The policy does
    not read them, but the last release is no longer private, so such a policy has no white-box view.

    Views are JOINT and WHITE_BOX: a round's own arm shows its decision set. Raises ValueError on other values.
    """

    noise: Noise = Noise.GAUSSIAN
    epsilon: float = 1.0
    delta: float = 0.1
    bounds: Bounds = UNIT_BOUNDS
    failure: float | None = None
    planned_horizon: int | None = None
    calibration: Calibration = Calibration.REPAIRED
    padding: Padding = Padding.FULL
    rho_min: float | None = None
    form: Form = Form.DETERMINANT
    rule: Rule = Rule.OPTIMISTIC
    strict: bool = False
    true_parameter: tuple[float, ...] | None = None
    fixed_noise: FixedNoise | None = None
    view: View = View.JOINT
    theorems: tuple[str, ...] = field(
        default=("shariff_sheffet_2018.learner_privacy", "shariff_sheffet_2018.radius", "shariff_sheffet_2018.regret"),
        init=False,
        repr=False,
    )
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "noise": (Noise.NONE, Noise.GAUSSIAN, Noise.WISHART, Noise.WISHART_UNSHIFTED),
        "bounds": Instance(Bounds, dict.fromkeys(Bounds._fields, between(0.1, 10.0))),
        "planned_horizon": whole_numbers(200, 10**9),  # shorter ones may have too few degrees of freedom for Claim 19
        "calibration": (Calibration.PUBLISHED, Calibration.REPAIRED),  # the exact one may have too few as well
        "rho_min": (None, between(0.1, 1e4)),
        "strict": (False,),  # a run may stop otherwise
        "true_parameter": (None,),  # its size, and that of the rows of `fixed_noise`, is that of one environment
        "fixed_noise": (None,),
        "view": (View.JOINT, View.WHITE_BOX),
    }

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        glossary.DELTA.require(self.delta)
        for name, bound in self.bounds._asdict().items():
            require(0.0 < bound < math.inf, f"{name} = {bound}: must be > 0 and finite")
        if self.failure is not None:
            glossary.FAILURE.require(self.failure)
        if self.planned_horizon is not None:
            glossary.HORIZON.require(self.planned_horizon)
        if self.rho_min is not None:
            lin_ucb_constants.ridge(self.rho_min)
        if self.fixed_noise is not None:
            lin_ucb_constants.require_accuracy(self.fixed_noise.accuracy)
        require(
            (self.fixed_noise is not None) == (self.noise is Noise.FIXED), "fixed_noise: must be there with noise = fixed, and only then"
        )
        fits = self.view is View.JOINT or (self.view is View.WHITE_BOX and self.true_parameter is None)
        require(fits, f"view = {self.view.value}: must be joint, or white_box without truth (a round's own arm is not private)")

    def guarantee(self) -> ApproximateDP | None:
        """None without noise of its own. With Wishart noise of the exact calibration it depends on a search: see `gram.loss`."""
        if self.noise in (Noise.NONE, Noise.FIXED):
            return None
        return ApproximateDP(self.epsilon, self.delta, NeighbouringRelation.REPLACE_ROUND, self.view)

    def constants(self, dimension: int, horizon: int) -> Constants:
        """All constants of a run in R^d; `horizon` is the run's. Raises ValueError where the paper's conditions exclude them."""
        planned_horizon = horizon if self.planned_horizon is None else self.planned_horizon
        failure = 1.0 / max(planned_horizon, 2) if self.failure is None else self.failure
        plan: _Plan = {"dimension": dimension, "horizon": planned_horizon, "failure": failure}
        row_norm, rho = self.bounds.row_norm, self.rho_min
        match self.noise:
            case Noise.NONE:
                accuracy = lin_ucb_constants.ridge(1.0 if rho is None else rho)
                return Constants(accuracy, failure, planned_horizon, shift=accuracy.rho_min)
            case Noise.FIXED if self.fixed_noise is not None:
                return Constants(self.fixed_noise.accuracy, failure, planned_horizon)
            case Noise.GAUSSIAN:
                sigma = gaussian_gram.calibrated(self.calibration, self.epsilon, self.delta, horizon=planned_horizon, row_norm=row_norm)
                upsilon = gaussian_gram.upsilon(sigma, **plan)
                if rho is None:
                    return Constants(lin_ucb_constants.gaussian(sigma, **plan), failure, planned_horizon, 2.0 * upsilon, node_sigma=sigma)
                return Constants(
                    lin_ucb_constants.moved_gaussian(rho, sigma, **plan), failure, planned_horizon, upsilon + rho, node_sigma=sigma
                )
            case Noise.WISHART | Noise.WISHART_UNSHIFTED:
                degrees = wishart_gram.calibrated(self.calibration, self.epsilon, self.delta, dimension=dimension, horizon=planned_horizon)
                unshifted = lin_ucb_constants.unshifted_wishart(degrees, row_norm=row_norm, **plan)
                if rho is not None:
                    accuracy, shift = lin_ucb_constants.moved_wishart(rho, degrees, row_norm=row_norm, **plan), unshifted.rho_min - rho
                elif self.noise is Noise.WISHART:
                    accuracy = lin_ucb_constants.shifted_wishart(degrees, row_norm=row_norm, **plan)
                    shift = wishart_gram.shift(degrees, row_norm=row_norm, **plan)
                else:
                    accuracy, shift = unshifted, 0.0
                return Constants(accuracy, failure, planned_horizon, -shift, degrees=degrees)
            case _:
                raise ValueError(f"noise = {self.noise.value}: must go with `fixed_noise`")

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        """Fresh arrays. Raises ValueError where `true_parameter` or `fixed_noise` have another dimension than the environment."""
        dimension = dimension if dimension > 0 else arms
        constants, block = self.constants(dimension, horizon), packed(dimension)
        numbers, fixed_noise = (
            block + dimension,
            np.array(self.fixed_noise.rows if self.fixed_noise else [[0.0] * (block + dimension)], dtype=float),
        )
        require(
            fixed_noise.ndim == 2 and fixed_noise.shape[1] == numbers,
            f"fixed_noise rows of shape {fixed_noise.shape}: must be (n, {numbers})",
        )
        require(bool(np.isfinite(fixed_noise).all()), "fixed_noise rows: must be finite numbers")
        true_parameter = np.zeros(dimension) if self.true_parameter is None else np.array(self.true_parameter, dtype=float)
        require(true_parameter.shape == (dimension,), f"true_parameter of {true_parameter.size} numbers: must have {dimension} (features)")
        require(bool(np.isfinite(true_parameter).all()), f"true_parameter = {self.true_parameter}: must be finite numbers")
        settings = self._settings(constants, dimension)
        noisy = settings.noise != gram_noise.NO_NOISE
        levels = gram_noise.nodes(constants.planned_horizon) if noisy else 1
        at_once = max(1, min(_NODES_AT_ONCE, _NUMBERS_AT_ONCE // numbers, constants.planned_horizon)) if noisy else 1
        return State(
            settings=settings,
            counters=Counters(*(np.zeros(1, dtype=np.int64) for _ in Counters._fields)),
            flags=Flags(*(np.zeros(1, dtype=np.int64) for _ in Flags._fields)),
            measures=Measures(*(np.zeros(1) for _ in Measures._fields)),
            sums=zeros(numbers),
            errors=zeros(numbers),
            terms=np.zeros(numbers),
            waiting=zeros(_ROWS_WAITING if dimension == 5 else 0, 8),
            release=zeros(numbers),
            suffix_sums=np.zeros((levels + 1, numbers)),
            padding_noise=np.zeros((levels, numbers)),
            fixed_noise=fixed_noise,
            nodes=np.zeros((at_once, numbers)),
            cached_from=np.zeros(1, dtype=np.int64),
            cached_key=np.zeros(3, dtype=np.uint64),
            scratch=gram_noise.scratch(dimension, at_once),
            gammas=gram_noise.gammas_of(settings.noise, dimension),
            inverse=np.zeros(block),
            factor=np.zeros(block),
            former_inverse=np.zeros(block),
            centre=np.zeros(dimension),
            row=np.zeros(dimension),
            image=np.zeros(dimension),
            true_parameter=true_parameter,
            features=zeros(dimension, WIDE),
            kept=kept(arms if settings.mode == kernels.RIDGE else 1, dimension),
        )

    def _settings(self, constants: Constants, dimension: int) -> Settings:
        """What the kernels are told; each number of the one type that they are compiled for."""
        accuracy, bounds = constants.accuracy, self.bounds
        noise = NodeNoise(float(constants.node_sigma), float(constants.degrees), bounds.row_norm**2 if constants.degrees else 0.0)
        padded = constants.degrees > 0 and self.padding is Padding.FULL
        return Settings(
            mode=_mode(self.noise),
            rule=_rule(self.rule),
            upper_form=self.form is Form.UPPER,
            strict=self.strict,
            diagnose=self.true_parameter is not None,
            planned_horizon=int(constants.planned_horizon),
            padded_levels=gram_noise.nodes(constants.planned_horizon) if padded else 0,
            noise=noise,
            shift=float(constants.shift),
            row_norm=float(bounds.row_norm) if noise != gram_noise.NO_NOISE else math.inf,
            reward_sigma=float(bounds.reward_sigma),
            radicand_base=float(lin_ucb_constants.radicand_base(accuracy, dimension=dimension, failure=constants.failure)),
            radius_tail=float(lin_ucb_constants.radius_tail(accuracy, bounds.parameter_norm)),
            rho_max=float(accuracy.rho_max),
            growth=float(bounds.context_norm) ** 2 / dimension,
        )

    def message_width(self, dimension: int) -> int:
        return dimension + 1

    def statistic_width(self, arms: int, dimension: int) -> int:
        dimension = dimension if dimension > 0 else arms
        return packed(dimension) + dimension + (DIAGNOSTICS if self.true_parameter is not None else 0)


def states_together(policies: Sequence[LinUCB], arms: int, dimension: int, horizon: int, rounds: int) -> list[State]:
    """Fresh states of policies that play the same rounds with the same key, up to `rounds` of them in turn: where the distribution of their
    nodes is the same, so that their noise is, it is drawn once."""
    states = [policy.state(arms, dimension, horizon) for policy in policies]
    first: dict[NodeNoise, State] = {}
    for place, state in enumerate(states):
        noise = state.settings.noise
        if noise == gram_noise.NO_NOISE:
            continue
        if noise not in first:
            first[noise] = state._replace(nodes=np.zeros((min(rounds, horizon), state.nodes.shape[1])))
        states[place] = state._replace(nodes=first[noise].nodes, cached_from=first[noise].cached_from, cached_key=first[noise].cached_key)
    return states


def _mode(noise: Noise) -> int:
    """The kernels' code."""
    match noise:
        case Noise.NONE:
            return kernels.RIDGE
        case Noise.GAUSSIAN:
            return kernels.GAUSSIAN
        case Noise.WISHART | Noise.WISHART_UNSHIFTED:
            return kernels.WISHART
        case Noise.FIXED:
            return kernels.LISTED
        case _:
            assert_never(noise)


def _rule(rule: Rule) -> int:
    """The kernels' code."""
    match rule:
        case Rule.OPTIMISTIC:
            return kernels.OPTIMISTIC
        case Rule.GREEDY:
            return kernels.GREEDY
        case Rule.UNIFORM:
            return kernels.UNIFORM
        case _:
            assert_never(rule)
