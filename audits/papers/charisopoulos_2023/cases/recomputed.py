"""charisopoulos_2023: formulas that no algorithm computes, beside the same in exact arithmetic, written from the sheet a second time.

Horizons are powers of whole numbers, so that q = T^(1/B) and its root are exact. The regret is in recomputed_regret.py.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import log, sqrt
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.charisopoulos_2023 import (
    budget,
    comparisons,
    confidence,
    designs,
    elimination,
    filter,
    regret,
    setting,
)

F = Fraction
Formula = Callable[..., Any]
Values = Mapping[str, Any]
Row = tuple[Theorem, Formula, tuple[Values, ...]]


def computed(theorem: Theorem, formula: Formula, points: tuple[Values, ...]) -> Iterator[At]:
    """The formula at the points beside the statement."""
    for known in points:
        exact = {name: F(value) for name, value in known.items()}
        yield At(known, formula(**exact), theorem.at(**known).ball)


def root_of(number: F, degree: F) -> F:
    """A whole root, as that of T is in the points here. Raises ValueError where there is none."""
    found = next((value for value in range(1, 100) if F(value) ** int(degree) == number), None)
    if found is None:
        raise ValueError(f"number = {number}: must be a power {degree} of a whole number below 100")
    return F(found)


K, NU = {"support": 7}, {"truncation_parameter": "1/10"}

# --- sums, gaps and gains ---------------------------------------------------------------------------------------------------------------


def _sizes(horizon: F, batches: F) -> F:
    growth = root_of(horizon, batches)
    return sum((growth**i for i in range(1, int(batches) + 1)), F(0))


def _roots(horizon: F, batches: F) -> F:
    growth = root_of(horizon, batches)
    return sum((growth**i / sqrt(growth ** (i - 1)) for i in range(1, int(batches) + 1)), F(0))


def _fitting(horizon: F, batches: F, support: F, truncation_parameter: F) -> F:
    """Batches that fit one after the other."""
    growth, played, fitting = root_of(horizon, batches), F(0), 0
    while True:
        played += growth ** (fitting + 1) * (1 + truncation_parameter * support) + support
        if played > horizon:
            return F(fitting)
        fitting += 1


def _gain(dimension: F, corruption: F) -> F:
    return corruption * dimension * sqrt(dimension) / max(sqrt(corruption * dimension), corruption * dimension)


_ROUNDS = ({"horizon": 4**5, "batches": 5}, {"horizon": 9**6, "batches": 6}, {"horizon": 2**9, "batches": 9})
_FIT = ({"horizon": 4**5, "batches": 5, "support": 3, "truncation_parameter": "1/4"}, {**_ROUNDS[2], **K, **NU})
_GAINS = ({"dimension": 5, "corruption": "1/1000"}, {"dimension": 50, "corruption": "1/10"})
SUMS: tuple[Row, ...] = (
    (budget.SUM_OF_SIZES, _sizes, _ROUNDS),
    (budget.SUM_OF_EXPLORATION, lambda horizon, batches: _sizes(horizon, batches) - horizon, _ROUNDS),
    (regret.ROOT_SUM_OF, _roots, _ROUNDS),
    (budget.BATCHES_THAT_FIT, _fitting, _FIT),
    (comparisons.GAIN_OVER_BUDGET, _gain, _GAINS),
    (comparisons.GAIN_OF_THE_INTERVAL, lambda dimension, corruption: sqrt(corruption * dimension), _GAINS),
    (setting.REGRET_CEILING, lambda horizon: horizon * (1 - F(-1)), ({"horizon": 10},)),
    (designs.AWAY_LIMIT, lambda active_weight: active_weight / (active_weight - 1), ({"active_weight": "1/10"}, {"active_weight": "1/2"})),
    (
        elimination.BATCH_REGRET_BOUND,
        lambda batch_plays, elimination_threshold: batch_plays * min(F(2), 4 * elimination_threshold),
        ({"batch_plays": 100, "elimination_threshold": "1/10"}, {"batch_plays": 100, "elimination_threshold": 3}),
    ),
)

# --- intervals up to the constants of Theorem A.2 ---------------------------------------------------------------------------------------


def _confidence(
    leverage: F,
    report_norm: F,
    samples: F,
    corruption: F,
    failure: F,
    noise_sum: F,
    filter_scale: F,
    good_covariance: F,
    assumption_constant: F,
    confidence_constant: F,
) -> F:
    few = log(2 / failure)
    roots = sqrt(samples * (corruption + sqrt(corruption * few / samples))) + sqrt(corruption * few)
    return confidence_constant * (leverage * report_norm * roots + noise_sum + corruption)


def _confidence_explicit(
    leverage: F,
    report_norm: F,
    largest_report: F,
    samples: F,
    corruption: F,
    failure: F,
    noise_sum: F,
    filter_scale: F,
    good_covariance: F,
    filter_limit: F,
    filter_constant: F,
) -> F:
    """The three terms of the decomposition, one after the other: delta/3 to each of its events."""
    third = log(3 / failure)
    outliers = corruption + sqrt(3 * corruption * log(6 / failure) / samples)
    filtered = filter_constant * sqrt(filter_scale) * sqrt(outliers + third / samples)
    first = samples * sqrt(leverage) * filtered + outliers * samples * sqrt(leverage) * report_norm / (samples * (1 - outliers))
    shift = report_norm * sqrt(leverage * corruption * (1 - corruption)) * (1 + 2 * sqrt(third))
    second = sqrt(leverage) * shift + corruption * (1 + noise_sum)
    return first + second + noise_sum


def _close(leverage: F, report_norm: F, samples: F, corruption: F, failure: F, filter_limit: F, filter_constant: F) -> F:
    outliers = corruption + sqrt(3 * corruption * log(4 / failure) / samples)
    scale = 2 * leverage * report_norm**2 / (samples * (1 - corruption))
    return filter_constant * sqrt(scale) * sqrt(outliers + log(2 / failure) / samples)


def _quoted(samples: F, outliers: F, failure: F, filter_scale: F, good_covariance: F, filter_limit: F, filter_constant: F) -> F:
    return filter_constant * sqrt(filter_scale * (outliers + log(1 / failure)) / samples)


_REPORTS = {"leverage": "1/100", "report_norm": 100, "samples": 10_000, "corruption": "1/20", "failure": "1/20"}
_SCALE = {"filter_scale": "1/10", "good_covariance": "1/20"}
_FILTER = {"filter_limit": 1, "filter_constant": 5}
INTERVALS: tuple[Row, ...] = (
    (
        confidence.CONFIDENCE,
        _confidence,
        ({**_REPORTS, **_SCALE, "noise_sum": "1/7", "assumption_constant": 1, "confidence_constant": 3},),
    ),
    (
        confidence.CONFIDENCE_EXPLICIT,
        _confidence_explicit,
        ({**_REPORTS, **_SCALE, **_FILTER, "noise_sum": "1/7", "largest_report": 4},),
    ),
    (filter.FILTER_CLOSE_EXPLICIT, _close, ({**_REPORTS, **_FILTER},)),
    (
        filter.FILTER_QUOTED,
        _quoted,
        ({"samples": 1000, "outliers": 50, "failure": "1/100", **_SCALE, **_FILTER},),
    ),
)
ROWS: tuple[Row, ...] = (*SUMS, *INTERVALS)


def audit_of(theorem: Theorem, formula: Formula, points: tuple[Values, ...]) -> Pointwise:
    """The statement beside the formula at the points."""
    return Pointwise(partial(computed, theorem, formula, points), f"{len(points)} listed points", "value", Sense.EQUALS)


RECOMPUTED = tuple(
    Audit(theorem.id, "points.recomputed", "its formula, written a second time", audit_of(theorem, formula, points))
    for theorem, formula, points in ROWS
)
