"""PRAE-C: private and robust arm elimination for bounded central moments (Wu, Zhou, Tao and Wang 2023, Algorithm 1 with Algorithm 3).

Epoch tau = 1, 2, ... has batches of B = 2^tau pulls, of which each of the two folds of Algorithm 3 gets n = B / 2; |S| arms are active when
it starts, and delta_tau = delta / (2 |S| tau^2).

    n < threshold           forced exploration: one arm, drawn uniformly from all K, is played B times; nothing is learned
    otherwise               each active arm is played B times in turn; at the end of its batch the private mean around the winning bin is
                            released; after the last arm's batch every arm whose release lies more than 2 radius below the largest one is
                            eliminated

Privacy, and how a run ends: `kernels`, which play the schedule. A batch costs one draw of noise per bin: a constant per round
where the bins are not more than the pulls of a fold, as the threshold's log D makes sure of where D is not astronomical.

Readings (the paper leaves them open).
- n is one fold in every formula. `batch_is_fold`: B = 2^tau is one fold, so that a batch has 2 B pulls, in the forced phase too.
- Corollaries 6.6 and 6.8 are evaluated at delta_tau, so the clean threshold has log(32 D |S| tau^2 / delta); `literal`: the printed 16.
- iota at alpha_1 = `contamination`; at `true_contamination` where it is given, as printed, for studies in which it is known.
- `reading`: the theorem's epsilon is at most 1. Printed: the formulas at epsilon, which must be at most 1. Repaired, the default: the
  formulas at min(epsilon, 1), the noise at epsilon, so that the radius holds beyond 1 too. `accuracy_is_stated` says whether the paper
  speaks.
- `pad`, the default: bins beyond -D and D, and the threshold's logarithm for the number of bins (`central_mean`). Without it, as printed,
  the promise fails for means near an end of the range.
- `exploration`, `arm_order`: as in `robust`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, assert_never

from banditproof import glossary
from banditproof.algorithms.estimators import central_mean, truncated_mean
from banditproof.algorithms.policies.elimination.kernels import (
    FORCED_EXPLORATION,
    KERNELS,
    ArmOrder,
    Bins,
    Exploration,
    State,
    empty_state,
    require_options,
)
from banditproof.algorithms.policies.elimination.robust import Reading, batch_size, call_failure, last_epoch
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Kernels
from banditproof.typical import Values, between


def fold_size(epoch: int, *, batch_is_fold: bool = False) -> int:
    """Pulls of an arm in one fold of an epoch: 2^(tau - 1), or 2^tau if the batch of the paper is one fold."""
    return batch_size(epoch) if batch_is_fold else batch_size(epoch) // 2


def threshold(
    epsilon: float,
    *,
    range: float,
    contamination: float,
    failure: float,
    active: int,
    epoch: int,
    bin_constant: float,
    true_contamination: float | None = None,
) -> float:
    """Folds smaller than this are forced exploration: the sample requirement of Corollary 6.8 at delta_tau. In pulls of one fold."""
    return central_mean.sample_requirement(
        epsilon,
        range=range,
        contamination=contamination,
        failure=call_failure(failure, active, epoch=epoch),
        bin_constant=bin_constant,
        true_contamination=true_contamination,
    )


def clean_threshold(epsilon: float, *, range: float, failure: float, active: int, epoch: int, literal: bool = False) -> float:
    """The same for clean rewards: 200 log(32 D |S| tau^2 / delta) / epsilon, with the printed 16 if `literal`. In pulls of one fold."""
    budget = call_failure(failure, active, epoch=epoch) * (2.0 if literal else 1.0)
    return central_mean.clean_sample_requirement(epsilon, range=range, failure=budget)


def epoch_truncation(
    epsilon: float, moment: float, *, contamination: float, failure: float, active: int, epoch: int, batch_is_fold: bool = False
) -> float:
    """Truncation M_tau of an epoch, in reward units; the clean one at contamination = 0."""
    samples, budget = fold_size(epoch, batch_is_fold=batch_is_fold), call_failure(failure, active, epoch=epoch)
    if contamination == 0.0:
        return central_mean.clean_truncation(samples, epsilon, moment=moment, failure=budget)
    return central_mean.truncation(samples, epsilon, moment=moment, failure=budget, contamination=contamination)


def epoch_radius(
    epsilon: float,
    moment: float,
    *,
    contamination: float,
    failure: float,
    active: int,
    epoch: int,
    batch_is_fold: bool = False,
    true_contamination: float | None = None,
) -> float:
    """Radius beta_tau of an epoch, assembled, in reward units; the clean one at contamination = 0. For folds of at least the threshold."""
    samples, budget = fold_size(epoch, batch_is_fold=batch_is_fold), call_failure(failure, active, epoch=epoch)
    size = epoch_truncation(
        epsilon, moment, contamination=contamination, failure=failure, active=active, epoch=epoch, batch_is_fold=batch_is_fold
    )
    width = policy_bin_width(contamination, moment, true_contamination=true_contamination)
    if contamination == 0.0:
        return central_mean.clean_assembled_radius(samples, epsilon, moment=moment, failure=budget, truncation=size, bin_width=width)
    return central_mean.assembled_radius(
        samples, epsilon, moment=moment, failure=budget, contamination=contamination, truncation=size, bin_width=width
    )


def policy_bin_width(contamination: float, moment: float, *, true_contamination: float | None = None) -> float:
    """r of the policy, in reward units: 10^(1/k) for clean rewards, else iota^(1/k) at the true contamination if given, or at alpha_1."""
    if contamination == 0.0:
        return central_mean.clean_bin_width(moment)
    return central_mean.bin_width(contamination if true_contamination is None else true_contamination, moment)


@dataclass(frozen=True)
class CentralElimination:
    """Doubling batches, a private mean around the most frequent bin of each, elimination by a known radius. The statistic is the last
    release: its arm, its noisy mean and the left end of its bin (3,); -1, 0 and 0 before the first.

    Reward distributions have a central moment of order `moment` of at most 1 and means in [-range, range], except for a fraction of at most
    `contamination` of the rewards (0: clean, with the formulas of clean rewards). `failure` is 1 / horizon by default. `radius_factor` and
    `threshold_factor` multiply radius and threshold; the regret that is promised is that of 1. Neither touches the noise. `mixing` is for
    Exploration.PROBABILISTIC. The releases are as private as the arms, so `view` may be CENTRAL, JOINT or WHITE_BOX. Raises ValueError on
    other values: unless contamination <= 0.133 (Corollary 6.8 has < 0.133; no accuracy is stated at 0.133 itself) and range >= 2 r (Theorem
    6.5; `central_mean.admissible_range`), and, as printed, epsilon <= 1.
    """

    epsilon: float
    range: float
    moment: float = 2.0
    contamination: float = 0.0
    failure: float | None = None
    true_contamination: float | None = None
    pad: bool = True
    batch_is_fold: bool = False
    literal: bool = False
    reading: Reading = Reading.REPAIRED
    exploration: Exploration = Exploration.BATCH
    mixing: float = 0.1
    arm_order: ArmOrder = ArmOrder.FIXED
    radius_factor: float = 1.0
    threshold_factor: float = 1.0
    view: View = View.CENTRAL
    theorems: tuple[str, ...] = field(
        default=("wu_2023.privacy_central", "wu_2023.regret_central", "wu_2023.regret_central_clean"), init=False, repr=False
    )
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        **FORCED_EXPLORATION,
        "range": between(7.0, 40.0),
        "contamination": (0.0, glossary.CONTAMINATION),
        "failure": (None, 1.0, glossary.FAILURE),
        "true_contamination": (None,),  # a known one goes with a contamination above 0
    }

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        if self.contamination == 0.0 and self.true_contamination is not None:
            raise ValueError(f"true_contamination = {self.true_contamination}: must be None at contamination = 0 (iota does not occur)")
        if self.contamination != 0.0 and self.literal:
            raise ValueError("literal = True: must be False at contamination > 0 (the paper prints an epoch's logarithm for clean rewards)")
        require_options(mixing=self.mixing, radius_factor=self.radius_factor, threshold_factor=self.threshold_factor, view=self.view)
        self.histogram_bins()
        self.epoch_threshold(1.0 if self.failure is None else self.failure, active=2, epoch=1)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.REPLACE_REWARD, self.view)

    def accuracy_is_stated(self) -> bool:
        """Whether the paper's theorems speak of these parameters; the privacy holds at all. They print alpha_1 < 0.133; at 0.133 the
        policy runs, and its guarantee needs no more than is shown there (`central_mean`)."""
        stated = self.epsilon <= central_mean.STATED_EPSILON and self.contamination < central_mean.LARGEST_CONTAMINATION
        return stated and self.radius_factor == self.threshold_factor == 1.0

    def formula_epsilon(self) -> float:
        """The level at which threshold, truncation and radius are evaluated."""
        match self.reading:
            case Reading.PUBLISHED:
                return self.epsilon
            case Reading.REPAIRED:
                return min(self.epsilon, central_mean.STATED_EPSILON)
            case _:
                assert_never(self.reading)

    def width_of_bins(self) -> float:
        """r, in reward units."""
        return policy_bin_width(self.contamination, self.moment, true_contamination=self.true_contamination)

    def histogram_bins(self) -> Bins:
        """The bins of every histogram."""
        width = self.width_of_bins()
        number = central_mean.require_histogram(self.range, width, pad=self.pad)
        return Bins(number, central_mean.first_bin(self.range, width, pad=self.pad), width)

    def epoch_threshold(self, failure: float, *, active: int, epoch: int) -> float:
        """The threshold of an epoch under all readings, before its factor. In pulls of one fold."""
        level, number = self.formula_epsilon(), central_mean.bins(self.range, self.width_of_bins(), pad=True)
        if self.contamination == 0.0 and not self.pad:
            return clean_threshold(level, range=self.range, failure=failure, active=active, epoch=epoch, literal=self.literal)
        budget = call_failure(failure, active, epoch=epoch) * (2.0 if self.literal else 1.0)
        if self.contamination == 0.0:
            return central_mean.clean_padded_sample_requirement(level, bins=number, failure=budget)
        constant, fraction, known = central_mean.bin_constant(central_mean.CONTAMINATED_MASS), self.contamination, self.true_contamination
        if self.pad:
            return central_mean.padded_sample_requirement(
                level, bins=number, contamination=fraction, failure=budget, bin_constant=constant, true_contamination=known
            )
        return threshold(
            level,
            range=self.range,
            contamination=fraction,
            failure=failure,
            active=active,
            epoch=epoch,
            bin_constant=constant,
            true_contamination=known,
        )

    def epoch_release(self, failure: float, *, active: int, epoch: int) -> tuple[float, float]:
        """Truncation and radius of an epoch under all readings, before the radius' factor. In reward units."""
        level, order, fraction, whole = self.formula_epsilon(), self.moment, self.contamination, self.batch_is_fold
        return (
            epoch_truncation(level, order, contamination=fraction, failure=failure, active=active, epoch=epoch, batch_is_fold=whole),
            epoch_radius(
                level,
                order,
                contamination=fraction,
                failure=failure,
                active=active,
                epoch=epoch,
                batch_is_fold=whole,
                true_contamination=self.true_contamination,
            ),
        )

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        """Fresh arrays; the schedule of every epoch and number of active arms comes from the public formulas of this module."""
        last = last_epoch(horizon)
        failure = 1.0 / horizon if self.failure is None else self.failure
        state = empty_state(
            arms,
            horizon,
            last,
            exploration=self.exploration,
            mixing=self.mixing,
            arm_order=self.arm_order,
            bins=self.histogram_bins(),
        )
        for epoch in range(1, last + 1):
            samples = fold_size(epoch, batch_is_fold=self.batch_is_fold)
            state.pulls[epoch] = 2 * samples
            state.bin_scales[epoch] = central_mean.bin_noise_scale(samples, self.epsilon)
            for active in range(2, arms + 1):
                place = epoch, active
                size, radius = self.epoch_release(failure, active=active, epoch=epoch)
                state.truncations[place], state.twice_radii[place] = size, 2.0 * (self.radius_factor * radius)
                state.scales[place] = truncated_mean.noise_scale(samples, self.epsilon, truncation=size)
                state.forced[place] = samples < self.threshold_factor * self.epoch_threshold(failure, active=active, epoch=epoch)
        return state

    def message_width(self, dimension: int) -> int:
        return 1

    def statistic_width(self, arms: int, dimension: int) -> int:
        return 3
