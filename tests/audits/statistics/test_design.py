"""Experiment design for failures, means and medians: the two directions undo each other, and no registered case is too small."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.methods.coverage import Claim, Coverage, judge
from banditproof.audits.methods.regret import Regret
from banditproof.audits.methods.stated import Stated
from banditproof.audits.running.registry import audits, every
from banditproof.audits.statistics import design
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.tails import BETS, binomial_quantile, binomial_tail, mean_evidence
from banditproof.theory.language import Sense

RATES = st.sampled_from([0.05, 0.01, 1e-4, 1e-6])
MISSES = st.sampled_from([0.5, 0.1, 1e-3])
SMALLEST_FRACTION = 0.01 / 300  # a total of 1 % over as many audits


@given(claimed=st.floats(1e-3, 0.9), times=st.floats(1.05, 8.0), false_alarm=RATES, miss_rate=MISSES)
def test_runs_and_detectable_failures_undo_each_other(claimed: float, times: float, false_alarm: float, miss_rate: float) -> None:
    """Would catch two formulas that drifted apart: the runs suffice, and a tenth less would not (a sawtooth aside)."""
    for target in (min(claimed * times, (1.0 + claimed) / 2.0), claimed / times):
        runs = design.runs_for_failure(claimed, must_detect=target, false_alarm=false_alarm, miss_rate=miss_rate)

        def reached(runs: int, target: float = target) -> bool:
            if target > claimed:
                return design.detectable_failure(claimed, runs=runs, false_alarm=false_alarm, miss_rate=miss_rate) <= target
            return design.detectable_failure_below(claimed, runs=runs, false_alarm=false_alarm, miss_rate=miss_rate) >= target

        assert reached(runs)
        assert runs < 20 or not reached(runs // 2)


@given(claimed=st.floats(1e-3, 0.99), runs=st.integers(1, 20_000), false_alarm=RATES, miss_rate=MISSES)
def test_detectable_failures_by_the_binomial_itself(claimed: float, runs: int, false_alarm: float, miss_rate: float) -> None:
    """Would catch an off-by-one in the rejection region: found again by a search over counts."""
    found = design.detectable_failure(claimed, runs=runs, false_alarm=false_alarm, miss_rate=miss_rate)
    low, high = 0, runs + 1
    while low < high:  # the least count that refutes
        middle = (low + high) // 2
        low, high = (low, middle) if binomial_tail(middle, runs, claimed) <= false_alarm else (middle + 1, high)
    if low > runs:
        assert found == 1.0
    else:
        assert found > claimed
        assert math.isclose(binomial_tail(low, runs, found), 1.0 - miss_rate, abs_tol=1e-6)


def test_what_nothing_shows_is_not_detected() -> None:
    """Would catch an end of the range, which says that no violation is detectable, taken for a violation that is. By hand: 2^-n."""
    for must in (0.0, 1.0):
        assert design.runs_for_failure(0.5, must_detect=must, false_alarm=1e-3) == 10
    assert design.samples_for_median_shift(0.5, false_alarm=1e-3) == 11
    found = judge(Claim(0.5, Sense.AT_MOST, 2.0), 3, 3, false_alarm=1e-3, rule="none")
    assert found.verdict is Verdict.INCONCLUSIVE
    assert not design.shows(math.inf, math.inf) and design.shows(2.0, math.inf)


def test_levels_that_doubles_can_hold_are_kept() -> None:
    """Would catch SciPy's inverse, which gives up below 1e-16."""
    found = [design.detectable_failure(0.1, runs=100_000, false_alarm=level) for level in (1e-15, 1e-16, 1e-17, 1e-20)]
    assert found == sorted(found) and found[-1] < 0.112
    assert binomial_tail(binomial_quantile(10**6, 0.1, 1e-20) + 1, 10**6, 0.1) <= 1e-20
    rare = design.counted(120, 1.2e-308)  # SciPy's probabilities of single counts overflow here
    assert isinstance(rare, design.Numbers) and rare.numbers.tolist() == [0]


@given(ratio=st.floats(1.05, 6.0), relative_deviation=st.floats(0.0, 2.0), false_alarm=RATES, miss_rate=MISSES)
def test_runs_and_detectable_means_undo_each_other(ratio: float, relative_deviation: float, false_alarm: float, miss_rate: float) -> None:
    bound = 12.0
    runs = design.runs_for_mean(
        bound, must_detect=ratio * bound, false_alarm=false_alarm, miss_rate=miss_rate, relative_deviation=relative_deviation
    )

    def found(runs: int) -> float:
        return design.detectable_mean(bound, runs=runs, false_alarm=false_alarm, miss_rate=miss_rate, relative_deviation=relative_deviation)

    assert found(runs) <= ratio * bound
    assert runs < 20 or found(runs // 2) > ratio * bound


@given(bound=st.floats(1e-3, 1e6), runs=st.integers(30, 5_000), relative_deviation=st.floats(0.0, 2.0))
def test_detectable_means_scale_with_the_bound_and_grow_with_the_spread(bound: float, runs: int, relative_deviation: float) -> None:
    found = design.detectable_mean(bound, runs=runs, false_alarm=0.01, relative_deviation=relative_deviation)
    assert found > bound
    assert math.isclose(
        found, bound * design.detectable_mean(1.0, runs=runs, false_alarm=0.01, relative_deviation=relative_deviation), rel_tol=1e-9
    )


@given(ratio=st.floats(1.001, 8.0), runs=st.integers(1, 2_000), relative_deviation=st.floats(0.0, 2.0))
def test_no_mean_beyond_what_a_run_can_reach_is_detectable(ratio: float, runs: int, relative_deviation: float) -> None:
    """Would catch a bound on regret that is called not refuted where no policy could have refuted it: a mean is detectable if and only if
    runs that all lose the most are refuted. Less spread near the most never makes less detectable."""
    bound = 7.0
    found, free = (
        design.detectable_mean(bound, runs=runs, false_alarm=0.01, relative_deviation=relative_deviation, largest=largest)
        for largest in (ratio * bound, math.inf)
    )
    evidence = mean_evidence(np.full(runs, ratio * bound), bound) - math.log(1.0 / 0.01)
    if abs(evidence) > math.log(len(BETS)):  # the design counts on the best of these bets alone
        assert (found < math.inf) == (evidence > 0.0)
    assert found == math.inf or bound < found <= min(free, ratio * bound) * (1.0 + 1e-9)


@given(shift=st.floats(0.002, 0.49), false_alarm=RATES, missed=MISSES)
def test_draws_and_detectable_medians_undo_each_other(shift: float, false_alarm: float, missed: float) -> None:
    samples = design.samples_for_median_shift(shift, false_alarm=false_alarm, missed=missed)
    assert design.detectable_median_shift(samples, false_alarm=false_alarm, missed=missed) <= shift
    assert samples < 20 or design.detectable_median_shift(samples // 2, false_alarm=false_alarm, missed=missed) > shift


def test_a_known_number() -> None:
    """Normal approximation by hand: 200 000 draws show a shift of (4.89 + 4.75) / (2 sqrt(200 000)) = 0.01078."""
    assert design.detectable_median_shift(200_000, false_alarm=1e-6, missed=1e-6) == pytest.approx(0.01078, rel=2e-3)


@pytest.mark.parametrize(
    ("ask", "rule"),
    [
        (lambda: design.runs_for_failure(0.1, must_detect=0.1, false_alarm=0.05), "must_detect = 0.1"),
        (lambda: design.runs_for_failure(0.1, must_detect=1.1, false_alarm=0.05), "must_detect = 1.1"),
        (lambda: design.runs_for_mean(2.0, must_detect=2.0, false_alarm=0.05), "must_detect = 2.0"),
        (lambda: design.detectable_mean(0.0, runs=10, false_alarm=0.05), "bound = 0.0"),
        (lambda: design.detectable_mean(1.0, runs=10, false_alarm=0.05, relative_deviation=-1.0), "relative_deviation = -1.0"),
        (lambda: design.detectable_mean(2.0, runs=10, false_alarm=0.05, largest=2.0), "largest = 2.0"),
        (lambda: design.samples_for_median_shift(0.0, false_alarm=0.05), "shift = 0.0"),
        (lambda: design.runs_for_failure(0.1, must_detect=0.1 + 1e-9, false_alarm=0.05), "no number of runs"),
    ],
)
def test_what_no_number_of_draws_can_do_is_said(ask, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        ask()


COUNTED = {id: audit.method for id, audit in every(audits).items() if isinstance(audit.method, Coverage)}
PLAYED = {id: audit.method for id, audit in every(audits).items() if isinstance(audit.method, Regret)}


@pytest.mark.parametrize("id", COUNTED)
def test_every_coverage_case_detects_what_it_must_at_the_quick_level(id: str) -> None:
    """Would catch a case that is inconclusive by design."""
    method = COUNTED[id]
    claim = method.claim()
    rate = claim.fraction(SMALLEST_FRACTION)
    assert design.detectable_failure(claim.failure, runs=method.runs, false_alarm=rate) <= claim.ratio * claim.failure
    if claim.sense is Sense.EQUALS:
        assert design.detectable_failure_below(claim.failure, runs=method.runs, false_alarm=rate) >= claim.failure / claim.ratio


@pytest.mark.parametrize("id", PLAYED)
def test_every_regret_case_detects_what_it_must_at_the_quick_level(id: str) -> None:
    method, claim = PLAYED[id], PLAYED[id].claim()
    found = design.detectable_mean(
        claim.bound,
        runs=method.runs,
        false_alarm=SMALLEST_FRACTION,
        relative_deviation=method.relative_deviation,
        largest=claim.largest,
    )
    assert found <= min(method.must_detect_ratio * claim.bound, claim.largest)


def test_regret_is_audited_where_its_bound_says_something() -> None:
    """Would catch cases of which all are vacuous."""
    for of in ("auer_2002.ucb1_regret", "auer_2002.ucb1_pulls"):
        methods = [method for id, method in PLAYED.items() if id.startswith(of)]
        bounds = [(m, m.bound.beside(m.pipeline, m.horizon) if isinstance(m.bound, Stated) else m.bound()) for m in methods]
        below = [m for m, bound in bounds if bound < m.horizon * (m.largest_gap if m.arm is None else 1.0)]
        assert len(below) >= 3
