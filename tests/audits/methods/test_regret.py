"""The regret method: its lower bound on a mean has a proof, and these tests would see it fail."""

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.methods import regret
from banditproof.audits.methods.regret import Claim, Regret, judge, played
from banditproof.audits.papers.auer_2002 import controls
from banditproof.audits.reporting.table import detectable
from banditproof.audits.running.audit import Control, Level, Recheck, Request
from banditproof.audits.statistics import design
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.tails import BETS, binomial_quantile, lower_mean, mean_evidence, upper_mean
from banditproof.interaction import Pipeline
from banditproof.randomness import key_of
from banditproof.simulation import play_many

UNIT_RATIO, SURELY = 1e-4, 1e-6
CONTROLS = {value.id: value for value in vars(controls).values() if isinstance(value, Control)}
PIPELINE = Pipeline(UCB1(), Bernoulli((0.75, 0.25)))


def method(bound: float, runs: int = 200, horizon: int = 3, ratio: float = 1.5) -> Regret:
    return Regret(PIPELINE, horizon, lambda: bound, largest_gap=0.5, must_detect_ratio=ratio, runs=runs)


# Three rounds of UCB1 on two arms: each once, then arm 1 if it alone paid, else arm 0 (the lowest of equal ones).
EXACT = 0.5 * (1.0 + 0.25 * 0.25)


@pytest.mark.parametrize("name", CONTROLS)
def test_controls_are_refuted(name: str, seeds: range) -> None:
    """Would catch a test too weak for a policy whose regret is linear in a third of its runs, or that explores too much."""
    control = CONTROLS[name]
    found = [control.audit.method.measure(Request(UNIT_RATIO, seed, control.audit.seed_path)).verdict for seed in seeds]
    assert found == [Verdict.REFUTED] * len(found)


def test_error_rate_where_the_bound_is_the_exact_mean(repetitions: int, seed: int) -> None:
    """The mean regret of three rounds, by hand, as the bound. Fails with probability 1e-6.

    Would have caught a true rate of 0.13 in 400 repetitions, of 0.39 in 40, with probability at least 90 %.
    """
    refuted = sum(method(EXACT).measure(Request(0.05, seed + number, ())).verdict is Verdict.REFUTED for number in range(repetitions))
    assert refuted <= binomial_quantile(repetitions, 0.05, SURELY)


def test_the_exact_mean_is_the_exact_mean(seed: int) -> None:
    """Would catch a null that is none: a bound of 0.9 of the mean by hand is refuted, and the estimate lies near it."""
    found = method(0.9 * EXACT, runs=4_000).measure(Request(SURELY, seed, ()))
    assert found.verdict is Verdict.REFUTED
    assert found.estimate == pytest.approx(EXACT, rel=0.03)  # more than seven standard deviations


@pytest.mark.parametrize("name", ["exponential", "two values", "heavy tail"])
def test_error_rate_of_the_lower_mean(name: str, repetitions: int, rng: np.random.Generator) -> None:
    """Would catch a normal approximation in disguise: distributions of mean 1 with a long tail, where that fails at 50 draws. At 1e-6."""
    distributions = {
        "exponential": lambda: rng.exponential(1.0, 50),
        "two values": lambda: 20.0 * (rng.random(50) < 0.05),
        "heavy tail": lambda: rng.pareto(1.5, 50) * 0.5,
    }
    wrong = sum(lower_mean(distributions[name](), 0.05) > 1.0 for _ in range(5 * repetitions))
    assert wrong <= binomial_quantile(5 * repetitions, 0.05, SURELY)


@given(mean=st.floats(0.05, 1.0), values=st.tuples(st.floats(0.0, 0.9), st.floats(1.0, 50.0)), draws=st.integers(1, 8))
def test_the_wealth_is_worth_at_most_one_on_average(mean: float, values: tuple[float, float], draws: int) -> None:
    """The proof itself, summed over all outcomes of a two-valued distribution: E exp(evidence) = 1 at the mean, less where the mean is
    less."""
    low, high = values[0] * mean, values[1]
    fraction = (mean - low) / (high - low)
    for bound, worth in ((mean, 1.0), (1.5 * mean, None)):
        total = math.fsum(
            math.comb(draws, hits)
            * fraction**hits
            * (1 - fraction) ** (draws - hits)
            * math.exp(mean_evidence(np.array([high] * hits + [low] * (draws - hits)), bound))
            for hits in range(draws + 1)
        )
        assert total == pytest.approx(worth, rel=1e-9) if worth else total < 1.0


def test_evidence_of_one_value_by_hand() -> None:
    """One value of twice the bound: a bet of c returns 1 + c."""
    assert mean_evidence(np.array([6.0]), 3.0) == pytest.approx(math.log(sum(1.0 + bet for bet in BETS) / len(BETS)), rel=1e-14)


def test_bounds_on_a_mean_are_where_the_evidence_is_spent(rng: np.random.Generator) -> None:
    values = rng.exponential(3.0, 40)
    low = lower_mean(values, 0.01)
    assert mean_evidence(values, low) == pytest.approx(math.log(100.0), rel=1e-9)
    assert lower_mean(values, 0.001) < low < values.mean() < upper_mean(values, 100.0, 0.01)
    assert upper_mean(values, 100.0, 0.01) == 100.0 - lower_mean(100.0 - values, 0.01)


def test_nothing_but_zeros_bounds_nothing() -> None:
    assert lower_mean(np.zeros(10), 0.05) == 0.0


@pytest.mark.parametrize("value", [-1e-9, math.nan, math.inf])
def test_a_value_outside_the_proof_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="must be >= 0 and finite"):
        lower_mean(np.array([1.0, value]), 0.05)


def test_what_is_called_detectable_is_detected(repetitions: int, rng: np.random.Generator) -> None:
    """The two-valued distribution that is slowest to refute, at the detectable mean: at most 10 % misses, up to a binomial bound at
    1e-6."""
    relative_deviation, runs, bound = 0.7, 150, 10.0
    mean = design.detectable_mean(bound, runs=runs, false_alarm=0.01, relative_deviation=relative_deviation)
    paying, paid = 1.0 / (1.0 + relative_deviation**2), mean * (1.0 + relative_deviation**2)
    missed = sum(lower_mean(paid * (rng.random(runs) < paying), 0.01) <= bound for _ in range(repetitions))
    assert missed <= binomial_quantile(repetitions, design.MISS_RATE, SURELY)


def test_a_bound_above_the_trivial_one_is_vacuous_but_measured() -> None:
    found = method(1.5).measure(Request(UNIT_RATIO, 1, ()))
    assert found.verdict is Verdict.VACUOUS
    assert found.detail["trivial"] == 1.5 and 0.0 < found.detail["ratio"] < 1.0 and found.estimate is not None
    assert method(1.2).measure(Request(UNIT_RATIO, 1, ())).verdict is Verdict.NOT_REFUTED


def test_a_bound_that_no_policy_could_exceed_by_enough_is_inconclusive() -> None:
    """Would catch a claim that is called not refuted where runs that all lose the most would not refute it."""
    found = method(1.49).measure(Request(UNIT_RATIO, 1, ()))
    assert found.verdict is Verdict.INCONCLUSIVE and found.detectable == np.inf and found.must_detect == 1.5
    assert "would have missed a mean of 1.5" in found.message
    assert detectable(found) == "none"
    worst = np.full(200, 1.5)  # whatever the policy
    assert judge(Claim(1.49, 1.5, 1.5), worst, false_alarm=UNIT_RATIO, quantity="regret").verdict is Verdict.INCONCLUSIVE
    assert judge(Claim(1.2, 1.5, 1.5), worst, false_alarm=UNIT_RATIO, quantity="regret").verdict is Verdict.REFUTED


def test_few_runs_of_what_no_run_can_refute_are_played_at_level_quick_alone() -> None:
    """Would catch runs that are spared where they could refute, at another level, or in a recheck; and runs that are others than the first
    ones of the whole number."""

    def samples(bound: float, level: Level) -> int:
        return method(bound).measure(Request(UNIT_RATIO, 1, (), level)).samples

    assert [samples(bound, Level.QUICK) for bound in (1.5, 1.49)] == [regret.VACUOUS_RUNS, 200]
    assert samples(1.5, Level.STANDARD) == 2000
    few = method(1.5).measure(Request(UNIT_RATIO, 1, ()))
    assert few.estimate == pytest.approx(played(PIPELINE, horizon=3, runs=200, key=key_of(1, "runs"))[: regret.VACUOUS_RUNS].mean())
    assert method(1.5).recheck(few, Recheck(2, (), samples=300)).samples == 300


def test_too_few_runs_are_inconclusive_and_enough_are_named() -> None:
    few = method(1.0, runs=20, ratio=1.25).measure(Request(UNIT_RATIO, 1, ()))
    assert few.verdict is Verdict.INCONCLUSIVE
    needed = design.runs_for_mean(1.0, must_detect=1.25, false_alarm=UNIT_RATIO, largest=1.5)
    assert f"about {needed:.2g} runs would do" in few.message
    assert method(1.0, runs=needed, ratio=1.25).measure(Request(UNIT_RATIO, 1, ())).verdict is Verdict.NOT_REFUTED


def test_a_spread_larger_than_designed_is_taken_into_account() -> None:
    """Would catch a detectable mean from a design that the runs have belied: one run in fifty pays everything."""
    claim = Claim(10.0, math.inf, 1.25, relative_deviation=0.1)
    calm, wild = np.full(400, 5.0), np.where(np.arange(400) % 50 == 0, 250.0, 0.0)
    assert judge(claim, calm, false_alarm=UNIT_RATIO, quantity="regret").verdict is Verdict.NOT_REFUTED
    found = judge(claim, wild, false_alarm=UNIT_RATIO, quantity="regret")
    assert found.verdict is Verdict.INCONCLUSIVE and found.detail["design_coefficient_of_variation"] == pytest.approx(7.0)


def test_pulls_are_those_of_the_runs_whose_regret_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two ways to one number, and any cut of the runs: with two arms the regret is the gap times the pulls of the worse one."""
    key = key_of(5, "pulls")
    regrets = played(PIPELINE, horizon=50, runs=30, key=key)
    whole = played(PIPELINE, horizon=50, runs=30, key=key, arm=1)
    monkeypatch.setattr(regret, "ROUNDS_HELD", 7 * 50)
    regret._pulls.cache_clear()
    assert np.array_equal(whole, played(PIPELINE, horizon=50, runs=30, key=key, arm=1))
    np.testing.assert_allclose(regrets, 0.5 * whole, rtol=1e-12)


def test_audits_that_differ_in_their_limit_play_their_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch runs that are played for each audit, runs of another seed, and what one audit does to the other's numbers."""
    plays: list[Any] = []
    monkeypatch.setattr(regret, "play_many", lambda *parts, **what: plays.append(what) or play_many(*parts, **what))
    audits = [replace(method(limit, horizon=50), arm=1) for limit in (20.0, 30.0)]
    found = [audit.measure(Request(UNIT_RATIO, 3, ("shared",))) for audit in audits]
    other = replace(audits[0], arm=0).measure(Request(UNIT_RATIO, 3, ("shared",)))
    assert len(plays) == 1 and found[0].estimate == found[1].estimate
    assert other.estimate == pytest.approx(50.0 - (found[0].estimate or 0.0))
    assert audits[0].measure(Request(UNIT_RATIO, 4, ("shared",))).estimate != found[0].estimate and len(plays) == 2
    played(PIPELINE, horizon=50, runs=30, key=key_of(8, "again"))[:] = 0.0
    assert played(PIPELINE, horizon=50, runs=30, key=key_of(8, "again")).min() > 0.0


@pytest.mark.parametrize("arm", [-1, 2])
def test_an_arm_that_is_none_is_refused(arm: int) -> None:
    with pytest.raises(ValueError, match=f"arm = {arm}"):
        played(PIPELINE, horizon=5, runs=2, key=key_of(1), arm=arm)


def test_the_seed_and_the_path_make_the_runs() -> None:
    measured = [method(1.0, horizon=50).measure(Request(0.01, seed, (path,))) for seed, path in itertools.product((1, 2), "aab")]
    assert measured[0].to_json() == measured[1].to_json()
    assert len({found.estimate for found in measured}) == 4


def test_a_recheck_plays_fresh_runs() -> None:
    control = CONTROLS["auer_2002.ucb1_pulls/regret.control.explores_too_much"]
    first, path = control.audit.method.measure(Request(UNIT_RATIO, 1, control.audit.seed_path)), (control.audit.id, "replay")
    again = control.audit.method.recheck(first, Recheck(1, path, samples=100))
    assert again.verdict is Verdict.REFUTED and again.samples == 100 and again.false_alarm == UNIT_RATIO
    assert first.estimate != control.audit.method.recheck(first, Recheck(1, path)).estimate


def test_spread_that_no_number_of_runs_overcomes() -> None:
    """Would catch an error in the place of a verdict: one run of 800 pays 400, and the smallest bet is too large for that."""
    values = np.zeros(800)
    values[0] = 400.0
    found = judge(Claim(1.0, math.inf, 1.25), values, false_alarm=1e-5, quantity="regret")
    assert found.verdict is Verdict.INCONCLUSIVE and "no number of runs would do" in found.message


def test_number_below_zero_by_rounding() -> None:
    """Would catch a refusal of a sum of gaps that cancel up to rounding."""
    assert lower_mean(np.array([-1e-18, 1.0, 1.0]), 0.05) == lower_mean(np.array([0.0, 1.0, 1.0]), 0.05)


@pytest.mark.parametrize("runs, relative_deviation", [(20, 0.05), (40, 0.05), (100, 0.03), (200, 0.15), (25, 3.0)])
def test_design_holds_for_every_distribution(runs: int, relative_deviation: float, repetitions: int, rng: np.random.Generator) -> None:
    """At the detectable mean, distributions of that spread that are far from the two-valued one with 0: where the design was wrong, 60 % of
    the samples were missed. Up to a binomial bound at 1e-6."""
    mean = design.detectable_mean(1.0, runs=runs, false_alarm=0.05, relative_deviation=relative_deviation)
    for share in (0.5, 0.05, 0.95):
        low, high = relative_deviation * math.sqrt((1.0 - share) / share), relative_deviation * math.sqrt(share / (1.0 - share))
        values = mean * np.array([max(1.0 - low, 0.0), 1.0 + high])
        if low <= 1.0:
            missed = sum(lower_mean(values[(rng.random(runs) >= share).astype(int)], 0.05) <= 1.0 for _ in range(repetitions))
            assert missed <= binomial_quantile(repetitions, design.MISS_RATE, SURELY)
