"""What an adversary who knows everything puts in place of reports: families with free parameters, as plain data."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, assert_never

import numpy as np

from banditproof.audits.estimation.problem import Draw, Problem
from banditproof.audits.estimation.setting import Positions
from banditproof.guarantees import require
from banditproof.interaction import Floats, Ints


class Family(Enum):
    """What a corrupted report of the arm a' becomes: g = <a, M_n^-1 a'> is its influence on the target arm a, s the sign, V the size."""

    CONSTANT = "constant"  # s V for every arm
    PUSH = "push"  # s V sign(g): nothing of this size moves least squares further
    IMITATE = "imitate"  # s V g / max |g|: what another parameter than theta* would pay, so that arms agree with each other
    SHIFT = "shift"  # the clean report plus s V sign(g): its noise looks like that of clean reports


@dataclass(frozen=True)
class Corruption:
    """A corruption of an alpha-fraction of the reports.

    `size` is V, in reward units. `target` is the arm whose error it is made for. `attacked`: the fraction of the played arms that are
    corrupted, those of the largest influence. `used`: the fraction of the allowed reports that are replaced; the others stay clean.
    """

    family: Family
    size: float
    target: int = 0
    sign: int = 1
    attacked: float = 1.0
    used: float = 1.0

    def __post_init__(self) -> None:
        require(0.0 <= self.size < math.inf, f"size = {self.size}: must be >= 0 and finite (V, in reward units)")
        require(self.sign in (-1, 1), f"sign = {self.sign}: must be 1 or -1")
        require(self.target >= 0, f"target = {self.target}: must be an integer >= 0 (an arm)")
        for name, value in (("attacked", self.attacked), ("used", self.used)):
            require(0.0 < value <= 1.0, f"{name} = {value}: must be > 0 and <= 1 (a fraction)")

    def describe(self) -> str:
        """The corruption in a few words: "push -12.5 at arm 3, 2/5 of the arms, 80 % used"."""
        value = f"{self.family.value} {self.sign * self.size:.3g} at arm {self.target}"
        arms = "" if self.attacked == 1.0 else f", {self.attacked:.0%} of the arms"
        used = "" if self.used == 1.0 else f", {self.used:.0%} used"
        return value + arms + used

    def to_json(self) -> dict[str, Any]:
        """The fields, the family by its word."""
        return {**asdict(self), "family": self.family.value}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Corruption":
        """The inverse of `to_json`. Raises ValueError, naming it, on an unknown family, and on fields that are missing or unknown."""
        names = {"family", "size", "target", "sign", "attacked", "used"}
        wrong = sorted(names ^ set(record))
        require(not wrong, f"corruption: field {wrong[0] if wrong else ''!r} is missing, or is not one of its fields")
        return cls(**{**record, "family": Family(record["family"])})


def corrupted(problem: Problem, draw: Draw, corruption: Corruption) -> Floats:
    """The reports (n,) after their corruption. Raises ValueError where the target is no arm of the problem."""
    known = len(problem.arms)
    require(corruption.target < known, f"target = {corruption.target}: must be < {known} (the number of arms)")
    influence = problem.influence(corruption.target)
    side = corruption.sign * np.where(influence >= 0.0, 1.0, -1.0)
    places = _positions(problem, draw, corruption, influence, side)
    arms = problem.index[places]
    reports = draw.reports.copy()
    match corruption.family:
        case Family.CONSTANT:
            reports[places] = corruption.sign * corruption.size
        case Family.PUSH:
            reports[places] = corruption.size * side[arms]
        case Family.IMITATE:
            reports[places] = corruption.sign * corruption.size * influence[arms] / np.abs(influence).max()
        case Family.SHIFT:
            reports[places] += corruption.size * side[arms]
        case _:
            assert_never(corruption.family)
    return reports


def _positions(problem: Problem, draw: Draw, corruption: Corruption, influence: Floats, side: Floats) -> Ints:
    """Places of the reports that are replaced, in the arms under attack."""
    number = math.ceil(corruption.attacked * influence.size - 1e-9)
    attacked = np.argsort(-np.abs(influence), kind="stable")[:number]
    fraction = problem.setting.corruption * corruption.used
    match problem.setting.positions:
        case Positions.RANDOM:
            hit = np.zeros(influence.size, dtype=bool)
            hit[attacked] = True
            return np.flatnonzero((draw.coins < fraction) & hit[problem.index])
        case Positions.CHOSEN:
            budget = int(fraction * draw.reports.size + 1e-9)  # 0.29 of 100 is 29, though the product of the doubles is a little less
            return _chosen(problem, draw, attacked, budget, side)
        case _:
            assert_never(problem.setting.positions)


def _chosen(problem: Problem, draw: Draw, attacked: Ints, budget: int, side: Floats) -> Ints:
    """`budget` reports, over the arms in proportion to their counts, and of an arm those that lie furthest on the other side: removing
    them moves its mean most. What rounding leaves goes to the arms of the largest influence."""
    counts = problem.counts[attacked]
    quota = np.minimum(np.floor(budget * counts / counts.sum()).astype(np.int64), counts)
    for place in range(attacked.size):
        quota[place] += min(budget - int(quota.sum()), int(counts[place] - quota[place]))
    starts = np.concatenate([[0], np.cumsum(problem.counts)])
    taken = [
        starts[arm] + np.argsort(side[arm] * draw.reports[starts[arm] : starts[arm + 1]], kind="stable")[:number]
        for arm, number in zip(attacked, quota, strict=True)
    ]
    return np.concatenate(taken)
