"""DPRSE: private successive elimination for bounded raw moments of order 1 + v (Tao, Wu, Zhao and Wang 2022, arXiv 2106.02575).

While more than one arm is active, epoch e = 1, 2, ... has gap 2^-e and L = log(4 |S| e^2 / beta_0); it plays each active arm R fresh times:

    R = ceil(u^(1/v) 24^((1+v)/v) L / (epsilon gap^((1+v)/v)) + 1)      B = (u R epsilon / L)^(1 / (1+v))
    err = u^(1 / (1+v)) (L / (R epsilon))^(v / (1+v))

Of each batch the mean of the rewards of size at most B is released, with Laplace noise of scale 2 B / (R epsilon); arms whose release lies
more than 12 err below the largest are eliminated. Reward distributions have E|X|^(1+v) <= u. It knows nothing of contaminated rewards.

Reading. The structure is certain; the constants 24, 12 and 4 are as recalled, since the paper's text could not be retrieved (its abstract
alone), so they are parameters: `batch_constant`, `cut_constant` and `log_constant`. Whatever they are, the privacy holds.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from banditproof import glossary
from banditproof.algorithms.estimators import truncated_mean
from banditproof.algorithms.policies.common import SERVER_VIEWS, require_server_view
from banditproof.algorithms.policies.elimination.kernels import KERNELS, ArmOrder, State, empty_state
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Kernels
from banditproof.typical import Values

MOST_PULLS = 2**62


def logarithm(failure: float, active: int, *, epoch: int, log_constant: float = 4.0) -> float:
    """L = log(4 |S| e^2 / beta_0), with `log_constant` for the 4. Raises ValueError unless it is > 0."""
    inside = log_constant * glossary.ACTIVE.require(active) * glossary.EPOCH.require(epoch) ** 2 / glossary.FAILURE.require(failure)
    if not 1.0 < inside < math.inf:
        raise ValueError(f"log_constant = {log_constant}: must be finite, with log_constant |S| e^2 / failure > 1")
    return math.log(inside)


def batch_pulls(epsilon: float, tail: float, *, raw_moment: float, term: float, epoch: int, batch_constant: float = 24.0) -> int:
    """R: pulls of each active arm in epoch e, at v = `tail`, u = `raw_moment` and L = `term`; at most 2^62, which no run reaches."""
    power = (1.0 + _tail(tail)) / tail
    log_pulls = math.log(glossary.RAW_MOMENT.require(raw_moment)) / tail + power * math.log(_positive("batch_constant", batch_constant))
    log_pulls += math.log(_positive("term", term) / glossary.EPSILON.require(epsilon)) + power * epoch * math.log(2.0)
    return MOST_PULLS if log_pulls > 62.0 * math.log(2.0) else math.ceil(math.exp(log_pulls) + 1.0)


def batch_truncation(pulls: int, epsilon: float, tail: float, *, raw_moment: float, term: float) -> float:
    """B = (u R epsilon / L)^(1 / (1+v)), in reward units, for R = `pulls`."""
    inside = glossary.RAW_MOMENT.require(raw_moment) * pulls * glossary.EPSILON.require(epsilon) / _positive("term", term)
    return math.pow(inside, 1.0 / (1.0 + _tail(tail)))


def batch_error(pulls: int, epsilon: float, tail: float, *, raw_moment: float, term: float) -> float:
    """err = u^(1 / (1+v)) (L / (R epsilon))^(v / (1+v)), in reward units, for R = `pulls`."""
    power = 1.0 / (1.0 + _tail(tail))
    fraction = _positive("term", term) / (pulls * glossary.EPSILON.require(epsilon))
    return math.pow(glossary.RAW_MOMENT.require(raw_moment), power) * math.pow(fraction, tail * power)


def _tail(tail: float) -> float:
    if not 0.0 < tail <= 1.0:
        raise ValueError(f"tail = {tail}: must be > 0 and <= 1 (moments of order 1 + v are bounded)")
    return tail


def _positive(name: str, value: float) -> float:
    if not 0.0 < value < math.inf:
        raise ValueError(f"{name} = {value}: must be > 0 and finite")
    return value


@dataclass(frozen=True)
class SuccessiveElimination:
    """DPRSE. The statistic is the last release: its arm and its noisy mean (2,); -1 and 0 before the first.

    Reward distributions have an absolute moment of order 1 + `tail` of at most `raw_moment`. `failure` is 1 / horizon by default (at most
    1/2). The constants do not touch the noise. The releases are as private as the arms, so `view` may be CENTRAL, JOINT or WHITE_BOX.
    Raises ValueError on other values.
    """

    epsilon: float
    tail: float = 1.0
    raw_moment: float = 1.0
    failure: float | None = None
    batch_constant: float = 24.0
    cut_constant: float = 12.0
    log_constant: float = 4.0
    arm_order: ArmOrder = ArmOrder.FIXED
    view: View = View.CENTRAL
    theorems: tuple[str, ...] = field(
        default=("wu_2023.truncated_mean_scale", "inequalities.adaptive_parallel_composition"), init=False, repr=False
    )
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "tail": (1.0, 0.5),
        "raw_moment": (1.0, 0.1),
        "batch_constant": (24.0, 0.5, 0.1),
        "cut_constant": (12.0, 0.5),
        "log_constant": (4.0, 1.5),
        "view": SERVER_VIEWS,
    }

    def __post_init__(self) -> None:
        _positive("cut_constant", self.cut_constant)
        require_server_view(self.view)
        if self.failure is not None:
            glossary.FAILURE.require(self.failure)
        self.schedule(0.5 if self.failure is None else self.failure, 2, 1)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.REPLACE_REWARD, self.view)

    def schedule(self, failure: float, active: int, epoch: int) -> tuple[int, float, float]:
        """Pulls of a batch, truncation and error of an epoch."""
        term = logarithm(failure, active, epoch=epoch, log_constant=self.log_constant)
        distribution = {"raw_moment": self.raw_moment, "term": term}
        pulls = batch_pulls(self.epsilon, self.tail, epoch=epoch, batch_constant=self.batch_constant, **distribution)
        return (
            pulls,
            batch_truncation(pulls, self.epsilon, self.tail, **distribution),
            batch_error(pulls, self.epsilon, self.tail, **distribution),
        )

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        """Fresh arrays; the schedule of every epoch and number of active arms comes from the public formulas of this module."""
        failure = self.failure if self.failure is not None else min(0.5, 1.0 / horizon)
        rows: list[list[tuple[int, float, float]]] = []
        played = 0
        while played < horizon:  # two active arms play least
            epoch = len(rows) + 1
            rows.append([self.schedule(failure, active, epoch) for active in range(2, arms + 1)])
            played += 2 * min((pulls for pulls, _, _ in rows[-1]), default=horizon)
        state = empty_state(arms, horizon, len(rows), arm_order=self.arm_order)
        state.pulls[:] = 1  # of the one arm that is left
        for row, distributions in enumerate(rows):
            for column, (pulls, size, error) in enumerate(distributions):
                place = row + 1, column + 2
                state.pulls[place], state.truncations[place], state.twice_radii[place] = pulls, size, self.cut_constant * error
                state.scales[place] = truncated_mean.noise_scale(pulls, self.epsilon, truncation=size)
        return state

    def message_width(self, dimension: int) -> int:
        return 1

    def statistic_width(self, arms: int, dimension: int) -> int:
        return 2
