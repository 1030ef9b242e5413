r"""lambda of the spectral filter: every rule (Charisopoulos et al. 2023, (13), the proof of (33), Lemmas 3.3 and 3.8).

With mu = `leverage` = max over the active arms of |a|^2 in the norm of M_n^-1, reports r_j and clean reports y_j, j = 1, ..., n:

    OBSERVED   mu sum of r_j^2 / n                    line 7 of Algorithm 1
    CLEAN      mu sum of y_j^2 / n                    what the appendix works with; y is known to an experiment alone
    PROOF      2 mu sum of y_j^2 / (n (1 - alpha))    the proof's bound on the norm of Sigma of the clean points
    RANGE      mu R^2                                 R = a bound on the size of each clean report (`single_report_bound` and others)
    GIVEN      a number of the user's

OBSERVED removes nothing, whatever the reports. The top eigenvalue u of the covariance of S is at most that of its second moment, so
u <= max_j |M_n^-1/2 a_j|^2 sum of r_j^2 / n <= lambda: already the first pass stops at u <= 4 lambda. The estimate is least squares.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, assert_never

import numpy as np

from banditproof import glossary
from banditproof.interaction import Floats
from banditproof.typical import Values, between


class BoundRule(Enum):
    """How lambda is chosen; CLEAN and PROOF are oracles, which see the reports before their corruption."""

    OBSERVED = "observed"
    CLEAN = "clean"
    PROOF = "proof"
    RANGE = "range"
    GIVEN = "given"


ORACLES = (BoundRule.CLEAN, BoundRule.PROOF)


def second_moment_bound(leverage: float, reports: Sequence[float] | Floats) -> float:
    """lambda = mu sum of r_j^2 / n, (13): of the reports OBSERVED, of the clean reports CLEAN."""
    values = np.asarray(reports, dtype=float)
    return _leverage(leverage) * float(values @ values) / _count(values)


def proof_bound(leverage: float, clean_reports: Sequence[float] | Floats, corruption: float) -> float:
    """lambda = 2 mu sum of y_j^2 / (n (1 - alpha)), alpha = `corruption` in [0, 1/4)."""
    return 2.0 * second_moment_bound(leverage, clean_reports) / (1.0 - _corruption(corruption))


def range_bound(leverage: float, report_bound: float) -> float:
    """lambda = mu R^2, R = `report_bound`."""
    return _leverage(leverage) * _report_bound(report_bound) ** 2


def single_report_bound(samples: int, epsilon: float, *, failure: float, maximum_constant: float = 1.0) -> float:
    """R = 1 + c_max sqrt(log(n / delta)) + 4 log(n / delta) / epsilon of Lemma 3.3 (M1), in reward units; epsilon may be infinite."""
    term = _logarithm(samples, failure)
    return 1.0 + _constant(maximum_constant) * math.sqrt(term) + 4.0 * term / _epsilon(epsilon)


def explicit_single_report_bound(samples: int, epsilon: float, *, failure: float) -> float:
    """R = 1 + sqrt(2 log(4 n / delta)) + 2 log(2 n / delta) / epsilon: no clean report of M1 is larger, except for probability delta."""
    private = 2.0 * _logarithm(2.0 * samples, failure) / _epsilon(epsilon)
    return 1.0 + math.sqrt(2.0 * _logarithm(4.0 * samples, failure)) + private


def mean_report_bound(support: int, epsilon: float, *, failure: float, least_count: float, maximum_constant: float = 1.0) -> float:
    """R = 1 + c_max sqrt(log(k / delta) / N) + 4 log(k / delta) / (N epsilon) of Lemma 3.8 (M2), k = `support` arms, each with at least
    N = `least_count` = nu m rewards. In reward units; epsilon may be infinite."""
    if not 0.0 < least_count < math.inf:
        raise ValueError(f"least_count = {least_count}: must be > 0 and finite (nu m, the least number of rewards per arm)")
    term = _logarithm(support, failure) / least_count
    return 1.0 + _constant(maximum_constant) * math.sqrt(term) + 4.0 * term / _epsilon(epsilon)


@dataclass(frozen=True)
class VarianceBound:
    """A rule for lambda with what it has to know: `corruption` (alpha) for PROOF, `report_bound` for RANGE, `value` for GIVEN.

    What a rule does not use is None. Raises ValueError where one is missing or has no use.
    """

    rule: BoundRule = BoundRule.OBSERVED
    corruption: float | None = None
    report_bound: float | None = None
    value: float | None = None

    typical: ClassVar[Mapping[str, Values]] = {
        "corruption": (None, between(0.0, 0.24)),
        "report_bound": (None, between(0.5, 20.0)),
        "value": (None, between(0.0, 10.0)),
    }

    def __post_init__(self) -> None:
        needs = {BoundRule.PROOF: "corruption", BoundRule.RANGE: "report_bound", BoundRule.GIVEN: "value"}.get(self.rule)
        for name, value in (("corruption", self.corruption), ("report_bound", self.report_bound), ("value", self.value)):
            if (value is not None) != (name == needs):
                raise ValueError(f"{name} = {value}: must be {'given' if name == needs else 'None'} (rule {self.rule.value})")
        if self.corruption is not None:
            _corruption(self.corruption)
        if self.report_bound is not None:
            _report_bound(self.report_bound)
        if self.value is not None and not self.value >= 0.0:
            raise ValueError(f"value = {self.value}: must be >= 0 (lambda; infinite removes nothing)")

    def of(self, leverage: float, reports: Sequence[float] | Floats, clean_reports: Sequence[float] | Floats | None = None) -> float:
        """lambda for reports (n,) of arms with this leverage. Raises ValueError where an oracle is not given the clean reports (n,)."""
        clean = np.zeros(0) if clean_reports is None else np.asarray(clean_reports, dtype=float)
        if self.rule in ORACLES and clean.shape != np.shape(reports):
            raise ValueError(f"clean_reports of shape {clean.shape}: must be {np.shape(reports)} (rule {self.rule.value} is an oracle)")
        match self.rule:
            case BoundRule.OBSERVED:
                return second_moment_bound(leverage, reports)
            case BoundRule.CLEAN:
                return second_moment_bound(leverage, clean)
            case BoundRule.PROOF:
                return proof_bound(leverage, clean, self.corruption or 0.0)
            case BoundRule.RANGE:
                return range_bound(leverage, self.report_bound or 0.0)
            case BoundRule.GIVEN:
                return float(self.value or 0.0)
            case _:
                assert_never(self.rule)


def _leverage(leverage: float) -> float:
    if not 0.0 <= leverage < math.inf:
        raise ValueError(f"leverage = {leverage}: must be >= 0 and finite (largest |a|^2 in the norm of the inverse Gram matrix)")
    return leverage


def _corruption(corruption: float) -> float:
    if not 0.0 <= corruption < 0.25:
        raise ValueError(f"corruption = {corruption}: must be >= 0 and < 0.25 (alpha, section 1 of Charisopoulos et al. 2023)")
    return corruption


def _report_bound(report_bound: float) -> float:
    if not 0.0 < report_bound < math.inf:
        raise ValueError(f"report_bound = {report_bound}: must be > 0 and finite (size of clean reports)")
    return report_bound


def _epsilon(epsilon: float) -> float:
    if not epsilon > 0.0:
        raise ValueError(f"epsilon = {epsilon}: must be > 0 (infinite where clients add no noise)")
    return epsilon


def _constant(maximum_constant: float) -> float:
    if not 0.0 < maximum_constant < math.inf:
        raise ValueError(f"maximum_constant = {maximum_constant}: must be > 0 and finite (c_max, which the paper does not name)")
    return maximum_constant


def _logarithm(number: float, failure: float) -> float:
    if not 1 <= number < math.inf:
        raise ValueError(f"number of reports = {number}: must be >= 1 and finite")
    return math.log(number) - math.log(glossary.FAILURE.require(failure))


def _count(values: Floats) -> int:
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all():
        raise ValueError(f"reports of shape {values.shape}: must be (n,), n >= 1, and finite")
    return int(values.size)
