"""The design of a privacy audit: how outputs are split, which violation a number of outputs detects, and the reverse."""

import math
from dataclasses import dataclass

from banditproof.audits.privacy.statistic import statistic_of
from banditproof.audits.statistics.design import MISS_RATE, SIGNIFICANCE_LEVEL, counted, fewest
from banditproof.guarantees import Guarantee

TRAIN_FRACTION, SELECT_FRACTION, SPLIT_MOST = 0.25, 0.15, 100_000  # of all outputs, and at most so many; the rest confirms


@dataclass(frozen=True)
class Splits:
    """Outputs of both sides together: to fit scores, to select the event, to count it."""

    train: int
    select: int
    confirm: int

    @property
    def samples(self) -> int:
        return self.train + self.select + self.confirm


def splits(samples: int, *, fitted: bool = True, cuts: bool = True) -> Splits:
    """How many outputs do what. Where no score is fitted a fifth selects, however many there are, unless there are no `cuts` to choose
    from. Raises ValueError below 200 in all."""
    if samples < 200:
        raise ValueError(f"samples = {samples}: must be an integer >= 200 (outputs in all: to fit, to select and to count)")
    if not fitted:
        select = samples // 5 if cuts else min(samples // 5, SPLIT_MOST)
        return Splits(0, select, samples - select)
    train, select = min(int(samples * TRAIN_FRACTION), SPLIT_MOST), min(int(samples * SELECT_FRACTION), SPLIT_MOST)
    return Splits(train, select, samples - train - select)


def samples_for_loss(
    claim: Guarantee, *, violation: float, mass: float, false_alarm: float, miss_rate: float, both_ways: bool = True
) -> int:
    """Outputs in all (fitting and selecting included) at which a true loss of `violation`, on an event that guesses a share `mass` of the
    outputs, is refuted with probability at least 1 - miss_rate. Raises ValueError unless violation exceeds the claim and 0 < mass <= 1."""
    statistic = statistic_of(claim)
    if not violation > statistic.claimed:
        raise ValueError(f"violation = {violation}: must be > the claimed {statistic.claimed}")
    if violation == math.inf:
        raise ValueError("violation = inf: must be finite (no number of outputs shows that a loss is infinite)")
    if not 0.0 < mass <= 1.0:
        raise ValueError(f"mass = {mass}: must be > 0 and <= 1 (share of outputs that the event decides)")

    def detects(samples: int) -> bool:
        trials = splits(samples).confirm
        return statistic.detects(
            violation, guesses=counted(trials, mass), trials=trials, false_alarm=false_alarm, miss_rate=miss_rate, both_ways=both_ways
        )

    return fewest(detects, f"violation = {violation}: no number of outputs below 2 ** 40 shows it on an event of mass {mass}", 200)


@dataclass(frozen=True)
class PlanRow:
    """One line of a plan: an event that decides a share `mass` of the outputs."""

    mass: float
    samples: int
    detectable: float


def plan(
    claim: Guarantee,
    *,
    samples: int | None = None,
    violation: float | None = None,
    false_alarm: float = SIGNIFICANCE_LEVEL,
    miss_rate: float = MISS_RATE,
    masses: tuple[float, ...] = (1.0, 0.5, 0.1, 0.01),
) -> list[PlanRow]:
    """How many draws detect which violation, for events of several masses. Give `samples` or `violation`, not both.

    An event's mass is not known before the audit: Laplace noise at epsilon 1 has one of mass 0.68, a rare leak one of 0.01 or less.
    """
    if (samples is None) == (violation is None):
        raise ValueError("samples, violation: give one of them, and the plan gives the other")
    statistic, rows = statistic_of(claim), []
    for mass in masses:
        if violation is not None:
            needed = samples_for_loss(claim, violation=violation, mass=mass, false_alarm=false_alarm, miss_rate=miss_rate)
            rows.append(PlanRow(mass, needed, violation))
        elif samples is not None:
            trials = splits(samples).confirm
            found = statistic.detectable_loss(guesses=counted(trials, mass), trials=trials, false_alarm=false_alarm, miss_rate=miss_rate)
            rows.append(PlanRow(mass, samples, found))
    return rows
