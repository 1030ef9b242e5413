"""Robust arm elimination for linear bandits with private and corrupted reports (Charisopoulos, Esfandiari, Mirrokni 2023, Algorithm 1).

    batch i = 1 .. B - 1    q = T^(1/B), m = q^i; a design pi of the active arms, of which each arm of the support is played n_a times
                            first model: n_a = ceil(m pi(a)), one report per reward
                            second model: n_a = ceil(m max{pi(a), nu}), one report per arm: the owner's mean
                            theta = robust least squares of the reports; an active arm a stays if <a, theta> >= max <a', theta> - 2 gamma_i
    last batch              the active arm of the largest <a, theta>, to the end of the run

The arms are the contexts of round 0, for the whole run; unit vectors without contexts. Blocks are played one arm after the other, so the
reports of the second model need their order: no shuffler. One is refused where the arms of a batch show it; where a batch has one arm they
do not, and the owner's number is taken for a silence.

Readings (the paper leaves them open, or does not go through as printed).
- `restrict_to_coreset`: as printed, both ranges of the elimination are the support of the design. Then the best arm is lost as soon as it
  is not in the support, without noise too: the argument needs a range with the best arm in it. The default, False, has the active arms,
  for which the argument holds.
- `filter_bound`: the printed lambda (OBSERVED) never removes a report (`estimators.linear.variance_bound`), so that the estimate is plain
  least squares. The default is RANGE: the square of the bracket of Lemma 3.3 or 3.8 in place of the mean square of the reports.
- `clipping`: `mechanisms.client_reports`; nothing is clipped where epsilon is infinite. The owner clips each reward, also one that was
  corrupted on its way to him. Where rewards exceed [-1, 1], the means of clipped ones are not linear in the arms, and no threshold here
  counts that bias; the noise `Noise.SIGNS` of the fixed linear problem has none.
- A batch that would exceed T is not started. The last batch begins at once. lambda is over the active arms and the support.
- `failure` is that of the whole run, 1 / T by default, and delta = failure / (K T^2); nu is 1 / k by default.
- Arms that span fewer dimensions have these as their d. What the server cannot read, NaN or infinite, counts as 0.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, assert_never

import numpy as np

from banditproof.algorithms.designs.coreset import coreset_counts
from banditproof.algorithms.estimators.linear.protocol import LinearEstimator
from banditproof.algorithms.estimators.linear.robust_least_squares import robust_least_squares, whiten
from banditproof.algorithms.estimators.linear.variance_bound import BoundRule, VarianceBound, mean_report_bound, single_report_bound
from banditproof.algorithms.mechanisms.client_reports import Clipping, Level, NoisyMean, NoisyReward
from banditproof.algorithms.policies.robust_arm_elimination import constants
from banditproof.algorithms.policies.robust_arm_elimination.arms import basis_of, design_weights
from banditproof.algorithms.policies.robust_arm_elimination.constants import FirstThreshold
from banditproof.algorithms.policies.robust_arm_elimination.kernels import (
    BLOCKS,
    CLIPS,
    EXPLOITS,
    FIRST,
    HORIZON,
    INDEX,
    MEAN_AND_PLAYS,
    PLACE,
    SPAN,
    State,
    choose,
    learn,
    report,
    run,
    start,
)
from banditproof.algorithms.policies.robust_arm_elimination.options import (
    LARGEST_REPORT,
    ClientModel,
    DesignArms,
    FilterBound,
    Reports,
    accepts,
)
from banditproof.guarantees import require
from banditproof.interaction import ClientRandomiser, Floats, Ints, Kernels, NoRandomiser, Words
from banditproof.typical import Values, between, whole_numbers

_STREAM = 40  # the bit of the run's word at which the batches' numbers begin


@dataclass(frozen=True)
class RobustArmElimination:
    """Algorithm 1 for both client models. The statistic (d + 2 + K): theta, gamma, removed reports, and 1 for each arm that stays active.

    `epsilon` enters the thresholds, and the noise of `randomiser()`, which belongs into the pipeline; infinite: no noise. `corruption` is
    the alpha that the learner is told. `estimator` replaces the filter. `design_factor` is max g / d of the design. Of the second model:
    `truncation_parameter`, `leading_one`, `weighted` (M = sum of n_a a a^T in place of the printed sum of a a^T); of the first: `variant`.
    Raises ValueError on values outside their domains, and unless `filter_value` is given exactly for FilterBound.GIVEN.
    """

    epsilon: float
    corruption: float = 0.05
    model: ClientModel = ClientModel.FIRST
    batches: int | None = None
    failure: float | None = None
    truncation_parameter: float | None = None
    design_arms: DesignArms = DesignArms.ACTIVE
    design_factor: float = 2.0
    variant: FirstThreshold = FirstThreshold.LINE_9
    leading_one: bool = True
    corruption_constant: float = 1.0
    noise_constant: float = 1.0
    restrict_to_coreset: bool = False
    weighted: bool = False
    filter_bound: FilterBound = FilterBound.RANGE
    filter_value: float | None = None
    estimator: LinearEstimator | None = None
    clipping: Clipping = Clipping.REPAIRED
    theorems: tuple[str, ...] = field(default=("charisopoulos_2023.chain_m1", "charisopoulos_2023.chain_m2"), init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "corruption": between(0.0, 0.24),
        "batches": (None, whole_numbers(2, 6)),
        "truncation_parameter": (None, between(0.02, 1.0)),
        "design_factor": between(1.05, 3.0),
        "corruption_constant": (1.0, 0.01),
        "noise_constant": (1.0, 0.01),
        "filter_bound": (FilterBound.RANGE, FilterBound.OBSERVED),
        "filter_value": (None,),
        "estimator": (None,),
    }

    def __post_init__(self) -> None:
        constants.require_epsilon(self.epsilon)
        constants.require_corruption(self.corruption)
        for name, value in (("corruption_constant", self.corruption_constant), ("noise_constant", self.noise_constant)):
            constants.require_positive(name, value)
        if self.batches is not None:
            constants.require_batches(self.batches)
        if self.failure is not None:
            constants.statement_failure(self.failure, arms=2, horizon=1)
        if self.truncation_parameter is not None:
            constants.require_truncation_parameter(self.truncation_parameter)
        require(1.001 <= self.design_factor < math.inf, f"design_factor = {self.design_factor}: must be >= 1.001 and finite (max g / d)")
        given = self.filter_bound is FilterBound.GIVEN
        told = f"filter_value = {self.filter_value}: must be {'>= 0' if given else 'None'} (filter_bound {self.filter_bound.value})"
        require(self.filter_value is None if not given else self.filter_value is not None and self.filter_value >= 0.0, told)

    @property
    def kernels(self) -> Kernels:
        return Kernels(start, choose, report, learn, run, self._at_batch_end, accepts)

    def guarantee(self) -> None:
        """None: the reports are private, by the randomiser alone."""

    def randomiser(self, *, level: Level = Level.EVENT) -> ClientRandomiser:
        """The part of the pipeline that makes the reports private; `level` is of the second model. The thresholds are those of the paper,
        for noise at Level.EVENT: at Level.USER it is n times as large, they do not count it, and the best arm may be lost."""
        if self.epsilon == math.inf:
            return NoRandomiser()
        match self.model:
            case ClientModel.FIRST:
                return NoisyReward(self.epsilon, self.clipping)
            case ClientModel.SECOND:
                return NoisyMean(self.epsilon, level, self.clipping)
            case _:
                assert_never(self.model)

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        width = dimension if dimension > 0 else arms
        self._failure(arms, horizon)
        numbers = np.zeros(HORIZON + 2, dtype=np.int64)
        numbers[HORIZON], numbers[CLIPS] = horizon, self.clipping is Clipping.REPAIRED and self.epsilon < math.inf
        return State(
            vectors=np.zeros((arms, width)),
            active=np.zeros(arms, dtype=np.int64),
            order=np.zeros(arms, dtype=np.int64),
            ends=np.zeros(arms, dtype=np.int64),
            numbers=numbers,
            total=np.zeros(1),
            released=np.zeros(self.statistic_width(arms, dimension)),
        )

    def message_width(self, dimension: int) -> int:
        return 1 if self.model is ClientModel.FIRST else MEAN_AND_PLAYS

    def statistic_width(self, arms: int, dimension: int) -> int:
        return (dimension if dimension > 0 else arms) + 2 + arms

    def threshold(self, dimension: int, *, arms: int, horizon: int, batch_index: int, support: int, leverage: float, plays: int) -> float:
        """gamma_i of a batch with this support, in reward units; leverage and number of reports (`plays`) are for (48) alone."""
        delta = self._failure(arms, horizon)
        size = self._size(horizon, batch_index)
        factors = {"corruption_constant": self.corruption_constant, "noise_constant": self.noise_constant}
        if self.model is ClientModel.SECOND:
            nu = self._least_weight(support)
            return constants.gamma_second_model(
                dimension,
                self.epsilon,
                corruption=self.corruption,
                failure=delta,
                size=size,
                truncation_parameter=nu,
                support=support,
                leading_one=self.leading_one,
                **factors,
            )
        if self.variant is FirstThreshold.DISPLAY_48:
            return constants.measured_gamma(leverage, self.epsilon, corruption=self.corruption, failure=delta, batch_plays=plays, **factors)
        return constants.gamma_first_model(
            dimension, self.epsilon, corruption=self.corruption, failure=delta, size=size, variant=self.variant, **factors
        )

    def _failure(self, arms: int, horizon: int) -> float:
        """delta of a statement, for a run."""
        return constants.statement_failure(1.0 / horizon if self.failure is None else self.failure, arms=arms, horizon=horizon)

    def _size(self, horizon: int, batch_index: int) -> float:
        return constants.batch_size_parameter(horizon, self._batches(horizon), batch_index)

    def _batches(self, horizon: int) -> int:
        return constants.default_batches(horizon) if self.batches is None else self.batches

    def _least_weight(self, support: int) -> float:
        return constants.default_truncation_parameter(support) if self.truncation_parameter is None else self.truncation_parameter

    def _at_batch_end(self, state: State, key: Words, round: int, contexts: Floats, arms: Ints, batch: Floats, statistic: Floats) -> int:
        numbers, width = state.numbers, state.vectors.shape[1]
        if round < 0:
            state.vectors[:] = contexts if contexts.shape[1] > 0 else np.eye(len(contexts))
            state.released[width], state.released[width + 2 :] = math.inf, 1.0
        elif numbers[EXPLOITS] == 0:
            self._eliminate(state, key, arms, batch)
        statistic[:] = state.released
        return self._next_batch(state, round + 1)

    def _next_batch(self, state: State, played: int) -> int:
        """Sets the blocks of the batch that begins in round `played`, from 0; how many rounds it has."""
        numbers, horizon = state.numbers, int(state.numbers[HORIZON])
        numbers[FIRST], numbers[PLACE], numbers[INDEX] = played, 0, numbers[INDEX] + 1
        candidates = self._candidates(state)
        vectors = state.vectors[candidates]
        basis = basis_of(vectors)
        if numbers[EXPLOITS] == 0 and numbers[INDEX] < self._batches(horizon) and basis.size > 0:
            weights = design_weights(vectors, self.design_factor)
            support = np.flatnonzero(weights)
            least = self._least_weight(support.size) if self.model is ClientModel.SECOND else None
            plays = coreset_counts(weights, self._size(horizon, int(numbers[INDEX])), least)[support]
            if played + plays.sum() <= horizon:
                numbers[BLOCKS], numbers[SPAN] = support.size, basis.shape[1]
                state.order[: support.size], state.ends[: support.size] = candidates[support], np.cumsum(plays)
                return int(plays.sum())
        active = np.flatnonzero(state.active)
        best = active[np.argmax(state.vectors[active] @ state.released[: vectors.shape[1]])]
        numbers[EXPLOITS], numbers[BLOCKS] = 1, 1
        state.order[0], state.ends[0] = best, horizon - played
        return max(1, horizon - played)

    def _eliminate(self, state: State, key: Words, arms: Ints, batch: Floats) -> None:
        numbers, width = state.numbers, state.vectors.shape[1]
        blocks, horizon = int(numbers[BLOCKS]), int(numbers[HORIZON])
        basis = basis_of(state.vectors[self._candidates(state)])
        heard = self._heard(state, state.vectors @ basis, arms, batch)
        coordinates, removed = self._estimate(heard, key, state)
        theta = basis @ coordinates
        gamma = self.threshold(
            int(numbers[SPAN]),
            arms=len(state.active),
            horizon=horizon,
            batch_index=int(numbers[INDEX]),
            support=blocks,
            leverage=whiten(heard.rows, heard.places).leverage if self.variant is FirstThreshold.DISPLAY_48 else math.nan,
            plays=heard.values.size,
        )
        ranges = np.zeros_like(state.active)
        ranges[state.order[:blocks] if self.restrict_to_coreset else slice(None)] = 1
        candidates = np.flatnonzero(state.active * ranges)
        if candidates.size > 0:  # a coreset of a design for all arms may hold no active one
            values = state.vectors[candidates] @ theta
            state.active[:] = 0
            state.active[candidates[values >= values.max() - 2.0 * gamma]] = 1
        state.released[:width], state.released[width : width + 2], state.released[width + 2 :] = theta, (gamma, removed), state.active

    def _candidates(self, state: State) -> Ints:
        """The arms of the design."""
        return np.flatnonzero(state.active) if self.design_arms is DesignArms.ACTIVE else np.arange(len(state.active))

    def _heard(self, state: State, vectors: Floats, arms: Ints, batch: Floats) -> Reports:
        """The reports of a batch, each with the row of its arm among the active arms and those of the support."""
        blocks = int(state.numbers[BLOCKS])
        support, ends = state.order[:blocks], state.ends[:blocks]
        plays = np.diff(ends, prepend=0)
        values = np.where(np.isfinite(batch[:, 0]), np.clip(batch[:, 0], -LARGEST_REPORT, LARGEST_REPORT), 0.0)
        members = np.union1d(np.flatnonzero(state.active), support)
        if self.model is ClientModel.FIRST:
            return Reports(vectors[members], np.searchsorted(members, arms), values)
        in_order = np.array_equal(arms, np.repeat(support, plays))
        require(in_order, "reports in another order than their rounds: must be in order (owners report once; no shuffler)")
        if not self.weighted:
            return Reports(vectors[members], np.searchsorted(members, support), values[ends - 1])
        roots = np.sqrt(plays)
        return Reports(vectors[support] * roots[:, None], np.arange(blocks), values[ends - 1] * roots)

    def _estimate(self, heard: Reports, key: Words, state: State) -> tuple[Floats, int]:
        """theta in coordinates of the rows, and how many reports the filter removed."""
        own = key.copy()  # a stream per batch, so that no two removals share a number
        own[2] += np.uint64(int(state.numbers[INDEX]) << _STREAM)
        if self.estimator is not None:
            return self.estimator.estimate(*heard, own), 0
        found = robust_least_squares(*heard, self._variance_bound(heard, state), own)
        return found.theta, found.filtered.removed.size

    def _variance_bound(self, heard: Reports, state: State) -> VarianceBound:
        match self.filter_bound:
            case FilterBound.OBSERVED:
                return VarianceBound(BoundRule.OBSERVED)
            case FilterBound.GIVEN:
                return VarianceBound(BoundRule.GIVEN, value=self.filter_value)
            case FilterBound.RANGE:
                return VarianceBound(BoundRule.RANGE, report_bound=self._report_bound(heard, state))
            case _:
                assert_never(self.filter_bound)

    def _report_bound(self, heard: Reports, state: State) -> float:
        """The bracket of Lemma 3.3 or 3.8; where reports are weighted, times the largest weight's root."""
        horizon, arms = int(state.numbers[HORIZON]), len(state.active)
        delta = self._failure(arms, horizon)
        if self.model is ClientModel.FIRST:
            return single_report_bound(heard.values.size, self.epsilon, failure=delta)
        blocks = int(state.numbers[BLOCKS])
        least = self._least_weight(blocks) * self._size(horizon, int(state.numbers[INDEX]))
        largest = math.sqrt(float(np.diff(state.ends[:blocks], prepend=0).max())) if self.weighted else 1.0
        return largest * mean_report_bound(blocks, self.epsilon, failure=delta, least_count=least)
