"""Comparisons of estimators: the ranking, who is distinguished, and that workers change nothing."""

import json
from dataclasses import dataclass

import numpy as np
import pytest

from banditproof.algorithms.estimators.linear.baselines import ClippedLeastSquares, TrimmedLeastSquares
from banditproof.audits.estimation.adversary import Contender, Effort, errors
from banditproof.audits.estimation.comparison import FALSE_ALARM, QUANTILE, compare
from banditproof.audits.estimation.contenders import contenders
from banditproof.audits.estimation.problem import drawn, problem_of
from banditproof.audits.estimation.setting import Purpose, Setting
from banditproof.audits.statistics.tails import binomial_tail

SETTING = Setting(6, 3, 600, 0.05, 2.0)
CONTENDERS = (
    Contender("trims-nothing", TrimmedLeastSquares(0.0), "nothing"),
    Contender("trimmed", TrimmedLeastSquares(0.15), "at most 0.15 per arm"),
    Contender("trimmed-twin", TrimmedLeastSquares(0.15), "at most 0.15 per arm"),
    Contender("clipped", ClippedLeastSquares(40.0), "a bound of 40"),
)
FEW = Effort(8, 6, 2)


@pytest.fixture(scope="module")
def found():  # type: ignore[no-untyped-def]
    return compare(SETTING, CONTENDERS, effort=FEW, runs=80)


def test_an_estimator_that_trims_nothing_is_last_and_grows(found) -> None:  # type: ignore[no-untyped-def]
    """Would catch a ranking upside down, or by the errors without corruption."""
    assert [each.name for each in found.performances[2:]] == ["clipped", "trims-nothing"]
    assert [each.grows for each in found.performances] == [False, False, False, True]
    assert found.performances[-1].clean.quantile < 3.0 * found.best.clean.quantile


def test_equal_estimators_are_not_distinguished(found) -> None:  # type: ignore[no-untyped-def]
    """Would catch a winner where there is none: both are the same estimator, and meet the same corruptions."""
    (other,) = found.level_with_best()
    assert {found.best.name, other.name} == {"trimmed", "trimmed-twin"}
    assert other.worst == found.best.worst
    assert f"not distinguished from {other.name}" in found.conclusion()
    rows = found.to_json()["estimators"]
    assert [each["distinguished"] for each in rows] == [False, False, True, True]


def test_errors_are_measured_on_fresh_draws_and_the_intervals_hold_at_once(found) -> None:  # type: ignore[no-untyped-def]
    """Worked out again. Would catch errors counted on the draws of the search, and intervals that hold one by one alone: by the binomial
    tail, all of them miss with probability FALSE_ALARM at most."""
    number, problem = len(CONTENDERS), problem_of(SETTING)
    draws = [drawn(problem, Purpose.MEASURE, run) for run in range(80)]
    for each in found.performances:
        (estimator,) = (one.estimator for one in CONTENDERS if one.name == each.name)
        for summary, corruption in ((each.clean, None), (each.worst, each.witness.corruption)):
            values = np.sort(errors(problem, estimator, corruption, draws))
            assert summary.mean == pytest.approx(values.mean()) and summary.largest == values[-1]
            low, high = int(np.searchsorted(values, summary.low)), int(np.searchsorted(values, summary.high))
            # The quantile is below `low` with at most so many values under it, and above `high` with at least so many.
            missed = 1.0 - binomial_tail(low + 1, 80, QUANTILE) + binomial_tail(high + 1, 80, QUANTILE)
            assert 0.0 < 2 * number * missed <= FALSE_ALARM


def test_of_estimators_that_differ_by_rounding_the_simplest_is_taken() -> None:
    """Would catch advice to take the filter where, with hardly any corruption, it is least squares but for the last digits."""
    found = compare(Setting(6, 3, 200, 1e-6, 2.0), effort=Effort(1, 1, 1), runs=90)
    assert [each.name for each in found.performances] == [each.name for each in contenders(problem_of(found.setting))]
    assert found.best.name == "least-squares" and len(found.level_with_best()) == 6
    assert not any(each.grows for each in found.performances)


@dataclass(frozen=True)
class SometimesNothing:
    """Clipped least squares that now and then gives no number."""

    def estimate(self, rows, index, reports, key):  # type: ignore[no-untyped-def]
        estimate = ClippedLeastSquares(10.0).estimate(rows, index, reports, key)
        return np.full_like(estimate, np.nan) if key[-1] % 4 == 1 else estimate


def test_an_estimator_that_gives_no_number_errs_by_any_amount() -> None:
    """Would catch NaN that passes for a small error, and a search that ends in an error of another library."""
    contenders = (Contender("sometimes", SometimesNothing(), "nothing"), Contender("clipped", ClippedLeastSquares(12.0), "nothing"))
    found = compare(SETTING, contenders, effort=FEW, runs=80)
    sometimes = next(each for each in found.performances if each.name == "sometimes")
    assert sometimes.worst.high == np.inf and sometimes.grows
    assert found.best.name == "clipped"
    json.dumps(found.to_json(), allow_nan=False)


def test_workers_change_nothing_and_the_record_is_plain(found) -> None:  # type: ignore[no-untyped-def]
    """Would catch results in the order in which workers end, and numbers that depend on what a process did before."""
    record = json.dumps(found.to_json(), allow_nan=False)
    assert json.dumps(compare(SETTING, CONTENDERS, effort=FEW, runs=80, jobs=2).to_json()) == record


def test_an_answer_that_helps_nobody_is_said_to() -> None:
    """Would catch advice to take an estimator that is worse than no data at all."""
    setting = Setting(6, 3, 60, 0.3, 0.2)
    poor = compare(setting, CONTENDERS[3:], effort=Effort(1, 1, 1), runs=80)
    assert poor.best.worst.low > poor.zero
    assert "The answer 0 is as good" in poor.conclusion()


def test_bad_comparisons_are_refused_before_the_search() -> None:
    assert problem_of(SETTING).counts.sum() == 600
    with pytest.raises(ValueError, match=r"runs = 10: must be >= \d+"):
        compare(SETTING, CONTENDERS, runs=10)
    with pytest.raises(ValueError, match="must have different names"):
        compare(SETTING, CONTENDERS[:1] * 2)
