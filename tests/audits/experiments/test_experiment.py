"""The machinery of `reproduce`."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.audits.experiments.experiment import (
    FALSE_ALARM,
    Comparison,
    Computed,
    Outcome,
    OutcomeVerdict,
    RequiredFraction,
    compared,
    detectable,
    distances_to_median,
    inside,
)
from banditproof.audits.experiments.judging import judged, too_few
from banditproof.audits.experiments.summaries import left_out, sign_tail, summary


@given(hits=st.integers(0, 60), misses=st.integers(0, 60))
def test_the_sign_test_is_the_binomial_tail(hits, misses):
    """Would catch a strict inequality, or a tail on the wrong side: SciPy's exact test."""
    expected = 1.0 if hits + misses == 0 else stats.binomtest(hits, hits + misses, 0.5, alternative="greater").pvalue
    assert sign_tail(hits, misses) == pytest.approx(expected, rel=1e-12)


def test_an_outcome_needs_each_of_its_comparisons():
    """Would catch an outcome that is reproduced by its average, one that no data can contradict, and a rate that is not shared."""
    clear, even, against = Comparison("", 30, 0), Comparison("", 16, 14), Comparison("", 2, 28)
    assert Outcome("", "", (clear, clear)).verdict() is OutcomeVerdict.REPRODUCED
    assert Outcome("", "", (clear, even)).verdict() is OutcomeVerdict.INCONCLUSIVE
    assert Outcome("", "", (clear, against)).verdict() is OutcomeVerdict.CONTRADICTED
    assert Outcome("", "", (Comparison("", 0, 0),)).verdict() is OutcomeVerdict.INCONCLUSIVE
    slightly = Comparison("", 20, 10)  # p = 0.049 alone, not against twenty
    assert slightly.supported(FALSE_ALARM)
    assert Outcome("", "", (Comparison("", 10, 20),)).verdict() is OutcomeVerdict.CONTRADICTED
    assert Outcome("", "", (*(clear,) * 19, Comparison("", 10, 20))).verdict() is OutcomeVerdict.INCONCLUSIVE
    assert Outcome("", "", (clear, clear, against), RequiredFraction.MOST).verdict() is OutcomeVerdict.REPRODUCED
    assert Outcome("", "", (clear, against, against), RequiredFraction.MOST).verdict() is OutcomeVerdict.CONTRADICTED
    assert Outcome("", "", (clear, even, even), RequiredFraction.MOST).verdict() is OutcomeVerdict.INCONCLUSIVE


def test_what_runs_cannot_speak_about_is_inconclusive():
    """Would catch a reason that is not said, and an outcome without comparisons that counts as reproduced."""
    clear, against = Comparison("", 30, 0), Comparison("", 2, 28)
    for each in (clear, against):
        outcome = Outcome("i", "", (each,), undecided="too short")
        assert outcome.verdict() is OutcomeVerdict.INCONCLUSIVE
        assert outcome.statistics().startswith("too short; supported") and outcome.describe()["undecided"] == "too short"
    assert Outcome("i", "", (), undecided="too short").statistics() == "too short"
    with pytest.raises(ValueError, match="outcome i: must have comparisons, or say why it has none"):
        Outcome("i", "", ())


def test_a_range_is_two_comparisons():
    """Would catch an end that is not looked at: ten values inside, outside on either side, and half of them outside."""
    ten = np.full(10, 2.0)
    assert Outcome("", "", inside("slope", ten, 1.5, 2.5)).verdict() is OutcomeVerdict.REPRODUCED
    assert Outcome("", "", inside("slope", ten + 1.0, 1.5, 2.5)).verdict() is OutcomeVerdict.CONTRADICTED
    assert Outcome("", "", inside("slope", ten - 1.0, 1.5, 2.5)).verdict() is OutcomeVerdict.CONTRADICTED
    assert Outcome("", "", inside("slope", ten + 0.5 + np.resize([-0.1, 0.1], 10), 1.5, 2.5)).verdict() is OutcomeVerdict.INCONCLUSIVE
    assert [each.name for each in inside("slope", ten, 1.5, 2.5)] == ["1.5 < slope", "slope < 2.5"]


def test_computed_numbers_are_decided():
    """Would catch a sign test of numbers that no run has drawn."""
    assert Outcome("", "", (Computed("", 1.0, 2.0), Computed("", 2.0, 2.0))).verdict() is OutcomeVerdict.REPRODUCED
    assert Outcome("", "", (Computed("", 1.0, 2.0), Computed("", 2.1, 2.0))).verdict() is OutcomeVerdict.CONTRADICTED
    assert Outcome("", "", (Computed("a", 1.0, 2.0),)).describe()["comparisons"] == [
        {"name": "a", "smaller": 1.0, "larger": 2.0, "strict": False}
    ]
    assert Outcome("", "", (Computed("", 2.0, 2.0, strict=True),)).verdict() is OutcomeVerdict.CONTRADICTED


def test_false_findings_are_as_rare_as_stated():
    """Would catch an error rate above the stated one: 2000 outcomes of 9 even comparisons of 30 pairs each."""
    rng, wrong = np.random.default_rng(5), 0
    for _ in range(2000):
        below = rng.binomial(30, 0.5, 9)
        found = Outcome("", "", tuple(Comparison("", int(each), 30 - int(each)) for each in below)).verdict()
        wrong += found is not OutcomeVerdict.INCONCLUSIVE
    assert wrong <= stats.binom.ppf(1 - 1e-6, 2000, 2 * FALSE_ALARM)


@given(values=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50))
def test_a_summary_holds_its_own_centre(values):
    """Would catch an interval of order statistics off by one, beyond the data, or around another number than the median."""
    found = summary(np.array(values))
    assert found.mean_low <= found.mean <= found.mean_high
    assert min(values) <= found.median_low <= found.median <= found.median_high <= max(values)


@pytest.mark.parametrize("runs", [2, 5, 6, 9, 30, 31, 100])
def test_the_medians_interval_covers(runs):
    """Its exact coverage is 1 - 2 P(Bin(R, 1/2) <= left out on a side); one more left out would cover less than 95 %."""
    found = summary(np.arange(runs, dtype=float))
    left_out = int(found.median_low)
    assert found.median_high == runs - 1 - left_out
    covers = 1.0 - 2.0 * stats.binom.cdf(left_out, runs, 0.5)
    assert covers >= 0.95 or left_out == 0
    assert 1.0 - 2.0 * stats.binom.cdf(left_out + 1, runs, 0.5) < 0.95


@pytest.mark.parametrize("runs", [*range(2, 60), 500, 3001])
def test_the_medians_interval_leaves_out_as_many_as_the_tail_allows(runs: int) -> None:
    """By the tail itself, number by number. Would catch a count of ways that is one step off, at any number of runs."""
    by_hand = 0
    while by_hand + 1 < runs // 2 and stats.binom.cdf(by_hand + 1, runs, 0.5) <= 0.025:
        by_hand += 1
    assert left_out(runs) == by_hand


def test_many_runs_are_summarised_at_once() -> None:
    """Would catch a tail that is summed anew for every value that the interval leaves out: an hour for 20,000 runs."""
    began = time.process_time()
    found = summary(np.arange(20_000.0))
    assert found.median_low < found.median < found.median_high and sign_tail(10_000, 10_000) == pytest.approx(0.5, abs=0.01)
    assert time.process_time() - began < 5.0


@pytest.mark.parametrize("strict", [True, False])
def test_runs_without_a_number_speak_for_nothing(strict: bool) -> None:
    """Would catch NaN that is taken for a tie, so that an algorithm which diverges decides a claim."""
    nothing, ones = np.full(20, np.nan), np.ones(20)
    for sides in ((nothing, nothing), (nothing, ones), (ones, nothing)):
        found = compared("", *sides, strict=strict)
        assert found.unknown == found.runs() == 20 and not found.supported(0.05) and not found.contradicted(0.05)
    mixed = compared("", np.concatenate([nothing, ones]), np.concatenate([ones, ones + 1]), strict=strict)
    assert (mixed.below, mixed.unknown) == (20, 20) and not mixed.supported(0.05) and mixed.describe()["unknown"] == 20


def test_equal_curves_contradict_a_strict_claim():
    """Would catch ties that are dropped: 30 equal pairs decided nothing, whatever their number. A claim that is not strict they support."""
    equal = np.full(30, 5.0)
    strict, weak = compared("", equal, equal), compared("", equal, equal, strict=False)
    assert (strict.below, strict.above, strict.ties) == (0, 0, 30)
    assert Outcome("v", "", (strict,)).verdict() is OutcomeVerdict.CONTRADICTED
    assert Outcome("v", "", (weak,)).verdict() is OutcomeVerdict.REPRODUCED
    clear = Comparison("", 30, 0)
    assert Outcome("v", "", (*(clear,) * 23, strict)).verdict() is OutcomeVerdict.CONTRADICTED
    assert not Comparison("", 16, 0, 14).supported(FALSE_ALARM) and Comparison("", 16, 0).supported(FALSE_ALARM)


@given(below=st.integers(0, 40), above=st.integers(0, 40), ties=st.integers(0, 40))
def test_ties_never_help_a_strict_claim(below, above, ties):
    """Would catch ties that are halved, dropped or counted for the claim: support with ties implies support without them."""
    with_ties, without = Comparison("", below, above, ties), Comparison("", below, above)
    assert with_ties.supported(FALSE_ALARM) <= without.supported(FALSE_ALARM)
    assert with_ties.contradicted(FALSE_ALARM) >= without.contradicted(FALSE_ALARM)


@pytest.mark.parametrize(
    ("number", "fraction"), [(1, RequiredFraction.ALL), (18, RequiredFraction.ALL), (24, RequiredFraction.ALL), (9, RequiredFraction.MOST)]
)
def test_the_least_number_of_runs_is_the_least(number, fraction):
    """Would catch a warning that is one run early or late: runs that all agree decide from there on, and not before."""
    for place, sides in ((0, (1, 0)), (1, (0, 1))):
        least = Outcome("", "", (Comparison("", 1, 0),) * number, fraction).least_runs()[place]
        decided = [
            Outcome("", "", (Comparison("", *(n * side for side in sides)),) * number, fraction).verdict() for n in (least - 1, least)
        ]
        assert decided == [OutcomeVerdict.INCONCLUSIVE, (OutcomeVerdict.REPRODUCED, OutcomeVerdict.CONTRADICTED)[place]]


def test_too_few_runs_are_named_before_they_begin():
    """Would catch a run of six that ends without a word that it could not decide, and a warning that names no number."""
    outcomes = {"way": (Outcome("i", "", (Comparison("", 0, 0),) * 18), Outcome("computed", "", (Computed("", 1.0, 2.0),)))}
    assert too_few(outcomes, 30) == () and too_few(outcomes, 9) == ()
    (six,) = too_few(outcomes, 6)
    assert six.startswith("6 runs cannot find outcome i contradicted") and "at least 9 are needed at the significance level 0.05" in six
    four = too_few(outcomes, 4)
    assert len(four) == 2 and "outcome i reproduced, whatever they show: at least 5" in four[0]


def test_the_stated_power_is_kept():
    """Would catch a stated power that the test does not have: exact binomial probability of support at the detectable rate."""
    for runs, level in ((10, 0.05), (30, 0.05), (30, 0.05 / 18)):
        rate = detectable(runs, level)
        supports = [Comparison("", hits, runs - hits).supported(level) for hits in range(runs + 1)]
        power = sum(stats.binom.pmf(hits, runs, rate) for hits in range(runs + 1) if supports[hits])
        assert power == pytest.approx(0.9, abs=1e-6)
    assert detectable(4, 0.05) == 1.0
    described = Outcome("", "", (Comparison("", 30, 0),)).describe()
    assert (described["significance_level"], described["power"]) == (0.05, 0.9)
    assert described["least_runs"] == {"reproduced": 5, "contradicted": 5}


def test_a_sentence_is_judged_over_all_ways():
    """Would catch a contradiction under one choice of constants that is held against a paper which does not state them."""
    yes, no, even = (Comparison("", *sides) for sides in ((30, 0), (0, 30), (15, 15)))

    def over(*ways, missing=""):
        (found,) = judged({str(place): (Outcome("i", "", (each,), missing=missing),) for place, each in enumerate(ways)})
        return found.verdict, found.reason

    assert over(yes, yes, missing="constants") == (OutcomeVerdict.REPRODUCED, "")
    assert over(no, no) == (OutcomeVerdict.CONTRADICTED, "")
    assert over(no, no, missing="constants") == (OutcomeVerdict.INCONCLUSIVE, "contradicted in each way of running; not stated: constants")
    assert over(yes, no) == (OutcomeVerdict.INCONCLUSIVE, "the ways of running differ")
    assert over(even, even, missing="constants") == (OutcomeVerdict.INCONCLUSIVE, "not stated: constants")


def test_pairs_and_spread():
    assert compared("", np.array([1.0, 2.0, 3.0, 3.0]), np.array([2.0, 2.0, 1.0, 5.0])) == Comparison("", 2, 1, 1)
    assert distances_to_median(np.array([1.0, 2.0, 9.0])).tolist() == [1.0, 0.0, 7.0]
