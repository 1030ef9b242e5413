"""The machinery of `reproduce`, and what is played for Figures 1 and 2 of Wu et al. 2023."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.environments.huber import Normal
from banditproof.audits.experiments.experiment import (
    FALSE_ALARM,
    Asked,
    Comparison,
    Computed,
    Finding,
    Outcome,
    Share,
    compared,
    inside,
    sign_tail,
    spread,
    summary,
)
from banditproof.audits.papers.wu_2023 import figures as wu_2023
from banditproof.audits.papers.wu_2023.figures import ALGORITHMS, CANDIDATES, MEANS, NAMES, PROOFS, Setting, Task, pipeline, regret
from banditproof.interaction import Wire
from banditproof.play import play, play_many
from banditproof.randomness import key_of

SETTINGS = [Setting(law, noise, 0.05, 0.5) for law, noises in wu_2023.LAWS.items() for noise in noises]


@given(hits=st.integers(0, 60), misses=st.integers(0, 60))
def test_the_sign_test_is_the_binomial_tail(hits, misses):
    """Would catch a strict inequality, or a tail on the wrong side: SciPy's exact test."""
    expected = 1.0 if hits + misses == 0 else stats.binomtest(hits, hits + misses, 0.5, alternative="greater").pvalue
    assert sign_tail(hits, misses) == pytest.approx(expected, rel=1e-12)


def test_an_outcome_needs_each_of_its_comparisons():
    """Would catch an outcome that is reproduced by its average, one that no data can contradict, and a rate that is not shared."""
    clear, even, against = Comparison("", 30, 0), Comparison("", 16, 14), Comparison("", 2, 28)
    assert Outcome("", "", (clear, clear)).finding() is Finding.REPRODUCED
    assert Outcome("", "", (clear, even)).finding() is Finding.NOT_DECIDED
    assert Outcome("", "", (clear, against)).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", (Comparison("", 0, 0),)).finding() is Finding.NOT_DECIDED
    slightly = Comparison("", 20, 10)  # p = 0.049 alone, not against twenty
    assert slightly.supported(FALSE_ALARM)
    assert Outcome("", "", (Comparison("", 10, 20),)).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", (*(clear,) * 19, Comparison("", 10, 20))).finding() is Finding.NOT_DECIDED
    assert Outcome("", "", (clear, clear, against), Share.MOST).finding() is Finding.REPRODUCED
    assert Outcome("", "", (clear, against, against), Share.MOST).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", (clear, even, even), Share.MOST).finding() is Finding.NOT_DECIDED


def test_what_runs_cannot_speak_about_is_not_decided():
    """Would catch a reason that is not said, and an outcome without comparisons that counts as reproduced."""
    clear, against = Comparison("", 30, 0), Comparison("", 2, 28)
    for each in (clear, against):
        outcome = Outcome("i", "", (each,), undecided="too short")
        assert outcome.finding() is Finding.NOT_DECIDED
        assert outcome.statistics().startswith("too short; supported") and outcome.describe()["undecided"] == "too short"
    assert Outcome("i", "", (), undecided="too short").statistics() == "too short"
    with pytest.raises(ValueError, match="outcome i: must have comparisons, or say why it has none"):
        Outcome("i", "", ())


def test_a_range_is_two_comparisons():
    """Would catch an end that is not looked at: ten values inside, outside on either side, and half of them outside."""
    ten = np.full(10, 2.0)
    assert Outcome("", "", inside("slope", ten, 1.5, 2.5)).finding() is Finding.REPRODUCED
    assert Outcome("", "", inside("slope", ten + 1.0, 1.5, 2.5)).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", inside("slope", ten - 1.0, 1.5, 2.5)).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", inside("slope", ten + 0.5 + np.resize([-0.1, 0.1], 10), 1.5, 2.5)).finding() is Finding.NOT_DECIDED
    assert [each.name for each in inside("slope", ten, 1.5, 2.5)] == ["1.5 < slope", "slope < 2.5"]


def test_computed_numbers_are_decided():
    """Would catch a sign test of numbers that no run has drawn."""
    assert Outcome("", "", (Computed("", 1.0, 2.0), Computed("", 2.0, 2.0))).finding() is Finding.REPRODUCED
    assert Outcome("", "", (Computed("", 1.0, 2.0), Computed("", 2.1, 2.0))).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", (Computed("a", 1.0, 2.0),)).describe()["comparisons"] == [{"name": "a", "smaller": 1.0, "larger": 2.0}]


def test_false_findings_are_as_rare_as_stated():
    """Would catch an error rate above the stated one: 2000 outcomes of 9 even comparisons of 30 pairs each."""
    rng, wrong = np.random.default_rng(5), 0
    for _ in range(2000):
        below = rng.binomial(30, 0.5, 9)
        found = Outcome("", "", tuple(Comparison("", int(each), 30 - int(each)) for each in below)).finding()
        wrong += found is not Finding.NOT_DECIDED
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


def test_pairs_and_spread():
    assert compared("", np.array([1.0, 2.0, 3.0, 3.0]), np.array([2.0, 2.0, 1.0, 5.0])) == Comparison("", 2, 1)
    assert spread(np.array([1.0, 2.0, 9.0])).tolist() == [1.0, 0.0, 7.0]


def test_each_algorithm_has_the_same_search_budget():
    """Would catch a baseline that was tuned less, and a search over the proofs' own constants only."""
    assert {len(set(CANDIDATES[each])) for each in ALGORITHMS} == {16}
    assert all(len(PROOFS[each]) == len(NAMES[each]) == len(candidate) for each in ALGORITHMS for candidate in CANDIDATES[each])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.law}-{setting.noise}")
def test_what_is_played_is_what_the_paper_describes(algorithm, setting):
    """Would catch a gap or an outlier that is lost in the scaling, a class that does not hold the laws, and noise that a factor scales."""
    parties, scale = pipeline(setting, algorithm, PROOFS[algorithm])
    environment = parties.environment
    means = environment.setup()[:11] * scale
    assert np.diff(means) == pytest.approx(-10.0, rel=1e-9)
    laws = parties.corruption.laws
    assert [law.spread * scale for law in laws] == pytest.approx([1.0, 1.0])
    assert (laws[1].mean - laws[0].mean) * scale == pytest.approx(100.0)
    assert parties.corruption.alpha == setting.alpha
    sigma = math.sqrt(wu_2023.variance(setting.law))
    assert sigma == pytest.approx({"pareto": math.sqrt(1200.0), "student": math.sqrt(2.0017 / 0.0017)}[setting.law], rel=1e-9)
    policy = parties.policy
    if algorithm == "RUCB":
        assert (policy.variance, policy.contamination) == (pytest.approx(sigma**2), 0.05)
        assert means[0] == pytest.approx({"printed": 157.5, "centred": 100.0}[setting.noise])
    else:
        assert policy.epsilon == 0.5
        other = pipeline(setting, algorithm, CANDIDATES[algorithm][0])[0].policy
        assert other.guarantee() == policy.guarantee()
    if algorithm in ("PRAE-R", "DPRSE"):
        assert max(environment.second_moments()) <= 1.0
        assert max(environment.second_moments()) >= 1.0 - 1e-9
    if algorithm == "PRAE-C":
        assert scale == pytest.approx(sigma)
        assert np.abs(means / scale).max() == pytest.approx(50.0 / sigma)  # centred: the range of the means is symmetric
        assert policy.range >= max(50.0 / sigma, 2.0 * policy.width_of_bins())
        assert policy.range == pytest.approx(2.0 * math.sqrt(0.95 / 0.199))  # 2 r = 4.37 binds at alpha_1 = 5 %


def test_outliers_are_low_on_the_best_arm_and_high_on_the_others():
    """Would catch the two outlier laws exchanged."""
    parties, scale = pipeline(replace(SETTINGS[0], alpha=0.5 - 1e-9), "RUCB", PROOFS["RUCB"])
    assert scale == 1.0
    assert parties.corruption.laws == (Normal(0.0, 1.0), Normal(100.0, 1.0))
    run = play(parties, horizon=3000, key=key_of(3), record=(Wire.ARMS, Wire.REWARDS, Wire.REPORT))
    arms, changed = run.wire(Wire.ARMS), run.wire(Wire.REWARDS) != run.wire(Wire.REPORT)[:, 0]
    for arm in range(11):
        seen = run.wire(Wire.REPORT)[changed & (arms == arm), 0]
        assert np.all(np.abs(seen - (0.0 if arm == 0 else 100.0)) < 6.0)
    assert np.count_nonzero(changed) > 1200


def test_regret_is_in_the_papers_units():
    """Would catch a regret in scaled units: a run's regret is the sum of the gaps of its arms, in steps of 10."""
    for algorithm in ALGORITHMS:
        task = Task(SETTINGS[0], algorithm, PROOFS[algorithm], 3, "runs", 2, 200, (100, 200))
        parties, _ = pipeline(task.setting, algorithm, task.constants)
        run = play_many(parties, horizon=200, key=key_of(3, "wu_2023", "figures", "runs"), runs=2, record=(Wire.ARMS,))
        gaps = np.array([MEANS[0] - mean for mean in MEANS])[run.wire(Wire.ARMS)]
        assert regret(task) == pytest.approx(np.cumsum(gaps, axis=1)[:, [99, 199]], rel=1e-9)


def test_outcomes_on_numbers_that_bear_them_out_and_on_their_reverse():
    """Would catch a comparison with its sides exchanged: numbers made to fit all six are found reproduced, their negatives are not."""
    rng = np.random.default_rng(11)
    base = {"RUCB": 10.0, "PRAE-C": 100.0, "PRAE-R": 200.0, "DPRSE": 1000.0}
    rate = {"RUCB": 1.0, "PRAE-C": 100.0, "PRAE-R": 100.0, "DPRSE": 9000.0}
    wide = {"RUCB": 3.0, "PRAE-C": 0.01, "PRAE-R": 0.01, "DPRSE": 100.0}
    final = {
        (alpha, epsilon, each): base[each] + rate[each] * alpha + 20.0 / epsilon * (each != "RUCB") + wide[each] * rng.uniform(-1, 1, 30)
        for alpha in wu_2023.SHARES
        for epsilon in wu_2023.EPSILONS
        for each in ALGORITHMS
    }
    assert [outcome.finding() for outcome in wu_2023.outcomes(final)] == [Finding.REPRODUCED] * 6
    reverse = {place: -values for place, values in final.items()}
    found = {outcome.id: outcome.finding() for outcome in wu_2023.outcomes(reverse)}
    assert {id for id, finding in found.items() if finding is Finding.NOT_REPRODUCED} == {"i", "ii", "iv", "v", "vi"}


def test_tuning_takes_the_least_on_seeds_of_its_own():
    """Would catch a choice on the draws of the figures, and a score that is not the mean over all 18 settings."""
    asked = Asked(seed=5, runs=2, horizon=200, jobs=1)
    best, scores = wu_2023.tuned(asked, runs=2)
    for algorithm in ALGORITHMS:
        rows = scores[algorithm]
        least = min(rows, key=lambda row: row["mean_regret"])
        assert tuple(least[name] for name in NAMES[algorithm]) == best[algorithm]
        assert len(rows) == 16
    every = (*wu_2023.settings("pareto", "printed"), *wu_2023.settings("student", "centred"))
    assert len(every) == 18
    expected = np.mean([regret(Task(each, "DPRSE", best["DPRSE"], 5, "tuning", 2, 200, (200,))).mean() for each in every])
    assert min(row["mean_regret"] for row in scores["DPRSE"]) == pytest.approx(float(expected))
    one = Task(every[0], "DPRSE", best["DPRSE"], 5, "tuning", 2, 200, (200,))
    assert not np.array_equal(regret(one), regret(replace(one, purpose="runs")))
