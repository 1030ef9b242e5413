"""The coverage method: what it refutes, how often it errs, when it says that it cannot tell."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.common.inequalities.controls import tails
from banditproof.audits.methods.coverage import Claim, Coverage, CoverageWitness, Enumeration, EnumerationWitness, Point, judge, uniformly
from banditproof.audits.methods.stated import Derived
from banditproof.audits.papers.chan_2011 import controls as chan_2011
from banditproof.audits.papers.dwork_2010 import controls as dwork_2010
from banditproof.audits.running.audit import Control, Level, Recheck, Request
from banditproof.audits.running.registry import find
from banditproof.audits.running.replay import replay
from banditproof.audits.running.report import AuditResult
from banditproof.audits.running.run import identified
from banditproof.audits.statistics import design
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import binomial_weights
from banditproof.audits.statistics.tails import binomial_quantile
from banditproof.theory.language import Sense

UNIT_RATIO = 1e-4  # of a total false-alarm rate of 1 % over a hundred audits
SURELY = 1e-6  # false-alarm rate of each calibration below
CONTROLS = {
    value.id: value
    for module in (tails, chan_2011, dwork_2010)
    for value in vars(module).values()
    if isinstance(value, Control) and isinstance(value.audit.method, Coverage | Enumeration)
}


def coin(failure: float):
    """An event of exactly this probability."""
    return lambda runs, rng: rng.random(runs) < failure


def audit(true: float, claimed: float = 0.1, sense: Sense = Sense.AT_MOST, runs: int = 2_000) -> Coverage:
    return Coverage(coin(true), Derived(lambda: claimed, "a test", sense), "a coin", 1.5, runs)


def verdict(method: Coverage, seed: int, false_alarm: float) -> Verdict:
    return method.measure(Request(false_alarm, seed, ("test",))).verdict


@pytest.mark.parametrize("name", CONTROLS)
def test_controls_are_refuted(name: str, seeds: range) -> None:
    """Would catch a test too weak for a radius without union bound, a wrong constant, a stopping rule, a tree one level short."""
    control = CONTROLS[name]
    found = [control.audit.method.measure(Request(UNIT_RATIO, seed, control.audit.seed_path)).verdict for seed in seeds]
    assert found == [Verdict.REFUTED] * len(found)


@pytest.mark.parametrize("sense", list(Sense))
@pytest.mark.parametrize("claimed", [0.1, 0.5, 0.9])
def test_the_error_rate_summed_over_all_counts(sense: Sense, claimed: float) -> None:
    """Exactly, without a draw: would catch an equality that tests both sides at the whole rate, or a tail that is off by one."""
    runs, false_alarm = 150, 0.05
    results = [judge(Claim(claimed, sense, 1.5), count, runs, false_alarm=false_alarm, rule="") for count in range(runs + 1)]
    refuted = [result.verdict is Verdict.REFUTED for result in results]
    weights = binomial_weights(runs, Fraction(str(claimed)))
    rate = sum(weight for weight, count in zip(weights, refuted, strict=True) if count)
    assert rate <= false_alarm
    assert rate > false_alarm / 4  # it spends what the steps of a binomial distribution allow
    for result, gone in zip(results, refuted, strict=True):  # the interval and the verdict are one test
        assert result.low is not None and result.high is not None
        above, below = result.low > claimed and sense is not Sense.AT_LEAST, result.high < claimed and sense is not Sense.AT_MOST
        assert gone == (above or below)


@pytest.mark.parametrize("sense", list(Sense))
def test_error_rate_under_an_exact_null(sense: Sense, repetitions: int, seed: int) -> None:
    """The same with draws: would catch cells that repeat each other. Fails with probability 1e-6.

    Would have caught a true rate of 0.13 in 400 repetitions, of 0.39 in 40, with probability at least 90 %.
    """
    refuted = sum(verdict(audit(0.1, sense=sense), seed + number, 0.05) is Verdict.REFUTED for number in range(repetitions))
    assert refuted <= binomial_quantile(repetitions, 0.05, SURELY)


@pytest.mark.deep
def test_the_null_is_refuted_now_and_then(seed: int) -> None:
    """Would catch a method that never refutes: the test is exact, so it spends most of its 5 %. Fails with probability 1e-6."""
    refuted = sum(verdict(audit(0.1), seed + number, 0.05) is Verdict.REFUTED for number in range(400))
    assert refuted >= 400 - binomial_quantile(400, 0.97, SURELY)


@pytest.mark.parametrize("side", [1, -1])
def test_what_is_called_detectable_is_detected(side: int, repetitions: int, seed: int) -> None:
    """Would catch a detectable violation that is promised and missed: at most 10 % misses, up to a binomial bound at 1e-6."""
    promised = audit(0.1, sense=Sense.EQUALS).measure(Request(0.01, seed, ()))
    true = promised.detectable if side == 1 else promised.detail["detectable_below"]
    missed = sum(verdict(audit(true, sense=Sense.EQUALS), seed + number, 0.01) is not Verdict.REFUTED for number in range(repetitions))
    assert missed <= binomial_quantile(repetitions, design.MISS_RATE, SURELY)


def test_too_few_runs_are_inconclusive_and_enough_are_named() -> None:
    """Would catch "not refuted" from a sample that could not have refuted."""
    few = audit(0.05, runs=100).measure(Request(0.01, 1, ()))
    assert few.verdict is Verdict.INCONCLUSIVE
    assert few.detectable is not None and few.must_detect is not None and few.detectable > few.must_detect
    needed = design.runs_for_failure(0.1, must_detect=0.15, false_alarm=0.01)
    assert f"about {needed:.2g} runs would do" in few.message
    assert audit(0.05, runs=needed).measure(Request(0.01, 1, ())).verdict is Verdict.NOT_REFUTED


def test_what_no_number_of_runs_would_show_is_inconclusive_and_no_error() -> None:
    """Would catch a verdict that is lost because the runs that it would need have no number."""
    found = judge(Claim(1e-12, Sense.AT_MOST, 2.0), 0, 20_000, false_alarm=1e-5, rule="x")
    assert found.verdict is Verdict.INCONCLUSIVE and "no number of runs" in found.message


def test_a_level_multiplies_the_runs() -> None:
    assert audit(0.05).measure(Request(0.01, 1, (), Level.STANDARD)).samples == 20_000


@pytest.mark.parametrize(
    ("true", "sense", "expected"),
    [
        (0.01, Sense.AT_MOST, Verdict.NOT_REFUTED),
        (0.01, Sense.EQUALS, Verdict.REFUTED),
        (0.01, Sense.AT_LEAST, Verdict.REFUTED),
        (0.3, Sense.AT_MOST, Verdict.REFUTED),
        (0.3, Sense.EQUALS, Verdict.REFUTED),
        (0.3, Sense.AT_LEAST, Verdict.NOT_REFUTED),
    ],
)
def test_each_sense_looks_at_its_own_side(true: float, sense: Sense, expected: Verdict) -> None:
    assert verdict(audit(true, sense=sense, runs=10_000), 1, 1e-9) is expected


def test_an_equality_must_detect_both_sides() -> None:
    """Would catch an equality whose design looks upwards alone: 1.5 times too many is seen sooner than 1.5 times too few."""
    runs = design.runs_for_failure(0.1, must_detect=0.15, false_alarm=0.005)
    assert runs < design.runs_for_failure(0.1, must_detect=0.1 / 1.5, false_alarm=0.005)
    found = audit(0.1, sense=Sense.EQUALS, runs=runs).measure(Request(0.01, 3, ()))
    assert found.verdict is Verdict.INCONCLUSIVE


def test_the_seed_and_the_path_make_the_draws() -> None:
    method = audit(0.1)
    same = [method.measure(Request(0.01, 1, ("a",))) for _ in range(2)]
    assert same[0].to_json() == same[1].to_json()
    others = {method.measure(Request(0.01, seed, (path,))).estimate for seed in (1, 2) for path in ("a", "b")}
    assert len(others) == 4


def test_cells_do_not_repeat_each_other() -> None:
    """Would catch a generator opened anew for each cell: then every cell counts the same, and a half is never reached."""
    whole, cut = (replace(audit(0.5, 0.5), cell=cell).measure(Request(0.01, 1, ())) for cell in (2_000, 20))
    assert whole.estimate != cut.estimate
    assert cut.estimate is not None and abs(cut.estimate - 0.5) < 0.06  # five standard deviations


def test_a_recheck_counts_fresh_runs() -> None:
    """Would catch a recheck on the witness's own draws."""
    control = CONTROLS["inequalities.hoeffding/coverage.control.wrong_constant"]
    method = control.audit.method
    assert isinstance(method, Coverage)
    first = method.measure(Request(UNIT_RATIO, 1, control.audit.seed_path))
    path = (control.audit.id, "replay")
    again = method.recheck(first, Recheck(1, path, samples=5_000))
    assert again.verdict is Verdict.REFUTED and again.samples == 5_000 and again.false_alarm == UNIT_RATIO
    fresh = method.recheck(first, Recheck(1, path)).witness
    assert isinstance(first.witness, CoverageWitness) and isinstance(again.witness, CoverageWitness) and isinstance(fresh, CoverageWitness)
    assert first.witness.failures != fresh.failures


def test_replay_finds_the_audit() -> None:
    audit_id = "chan_2011.laplace_sum/coverage.terms10_scale2_alpha0.05"
    first = identified(find(audit_id), find(audit_id).method.measure(Request(UNIT_RATIO, 1, ())), 1)
    again = replay(AuditResult.from_json(first.to_json()), seed=2, samples=30_000)
    assert (again.measured.verdict, again.audit, again.seed, again.measured.samples) == (Verdict.NOT_REFUTED, audit_id, 2, 30_000)


def test_a_run_fails_once_however_many_rounds_do() -> None:
    assert uniformly(np.array([[True, True, True], [False, False, True], [False, False, False]])).tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("fails", "named"),
    [
        (lambda runs, rng: rng.random((runs, 2)) < 0.1, "(2000, 2)"),
        (lambda runs, rng: rng.random(runs), "float64"),
        (lambda runs, rng: np.zeros(runs - 1, dtype=bool), "(1999,)"),
    ],
)
def test_an_event_must_give_one_boolean_a_run(fails, named: str) -> None:
    with pytest.raises(ValueError, match="one per run") as error:
        Coverage(fails, Derived(lambda: 0.1, "a test"), "", 1.5, runs=2_000).measure(Request(0.01, 1, ()))
    assert named in str(error.value)


@pytest.mark.parametrize(("claimed", "ratio"), [(0.0, 1.5), (1.0, 1.5), (float("nan"), 1.5), (0.1, 1.0), (0.1, float("nan"))])
def test_a_claim_needs_a_probability_and_something_to_detect(claimed: float, ratio: float) -> None:
    with pytest.raises(ValueError, match=r"failure = |must_detect_ratio = "):
        Coverage(coin(0.1), Derived(lambda: claimed, "a test"), "", ratio).measure(Request(0.01, 1, ()))


# --- exact sums -----------------------------------------------------------------------------------------------------------------------


@given(trials=st.integers(0, 60), hits=st.integers(0, 12))
def test_weights_are_a_distribution_with_the_right_mean(trials: int, hits: int) -> None:
    """Would catch an exponent or a coefficient that is off by one: the sum and the mean are exact."""
    weights = binomial_weights(trials, Fraction(hits, 12))
    assert sum(weights) == 1
    assert sum(k * weight for k, weight in enumerate(weights)) == trials * Fraction(hits, 12)


def enumeration(*points: Point, sense: Sense = Sense.AT_MOST):
    return Enumeration(lambda: points, "a coin", sense).measure(Request(0.0, 1, ()))


def test_exact_sums_are_compared_exactly() -> None:
    """Would catch a comparison in doubles, where 1/3 and a claim 1e-30 below it are equal."""
    third, below = Fraction(1, 3), Fraction(1, 3) - Fraction(1, 10**30)
    assert enumeration(Point({}, third, third)).verdict is Verdict.HOLDS_AT_POINTS
    assert enumeration(Point({}, third, third), Point({"n": 3}, third, below)).verdict is Verdict.REFUTED
    assert enumeration(Point({}, third, below), sense=Sense.AT_LEAST).verdict is Verdict.HOLDS_AT_POINTS
    assert enumeration(Point({}, third, below), sense=Sense.EQUALS).verdict is Verdict.REFUTED


def test_the_closest_point_is_the_one_that_nearly_fails() -> None:
    """Would catch the farthest point of a claim from below, and a claim of 0 that ends the enumeration."""
    tenth = Fraction(1, 10)
    points = Point({"n": 1}, tenth, tenth), Point({"n": 2}, 9 * tenth, tenth)
    assert "closest at n = 1" in enumeration(*points, sense=Sense.AT_LEAST).message
    zero = enumeration(Point({"n": 1}, Fraction(0), Fraction(0)))
    assert zero.verdict is Verdict.HOLDS_AT_POINTS
    assert enumeration(Point({"n": 1}, tenth, Fraction(0))).verdict is Verdict.REFUTED


def test_a_claim_known_to_an_interval_may_stay_open() -> None:
    """Would catch a certificate from the wrong end of an enclosure."""
    third = Fraction(1, 3)
    found = enumeration(Point({}, third, third - Fraction(1, 100), third + Fraction(1, 100)))
    assert found.verdict is Verdict.INCONCLUSIVE


def test_a_refuted_sum_keeps_its_point_and_names_its_distributions() -> None:
    found = enumeration(Point({"mean": Fraction(1, 2)}, Fraction(1, 2), Fraction(1, 4)))
    assert found.witness == EnumerationWitness(parameters={"mean": "1/2"}, failure="1/2")
    assert found.to_json()["witness"] == {"kind": "enumeration", "parameters": {"mean": "1/2"}, "failure": "1/2"}
    assert any("a coin" in note for note in found.assumed)


def test_nothing_listed_is_no_certificate() -> None:
    with pytest.raises(ValueError, match="lists no point"):
        enumeration()


def test_tails_agree_with_the_exact_one() -> None:
    """Two ways to one number: the exact sum, and the incomplete beta function behind the verdicts."""
    from banditproof.audits.statistics.tails import binomial_tail

    exact = sum(binomial_weights(50, Fraction(3, 20))[12:])
    assert math.isclose(binomial_tail(12, 50, 0.15), float(exact), rel_tol=1e-12)
