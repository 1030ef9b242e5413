"""Experiment design for privacy: what a number of outputs detects, before any is drawn."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from banditproof.audits.statistics import design
from banditproof.audits.statistics.tails import binomial_tail
from banditproof.audits.strategies import values_of
from banditproof.glossary import DELTA, EPSILON, FAILURE, MU
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, PureDP, Relation, RenyiDP, ZeroConcentratedDP

_ANY = Relation.ANY_PAIR
EPSILONS = values_of(EPSILON, low=0.01, high=10.0)
CLAIMS: st.SearchStrategy[Guarantee] = st.one_of(
    st.builds(PureDP, EPSILONS, st.just(_ANY)),
    st.builds(ApproximateDP, EPSILONS, values_of(DELTA, low=1e-12, high=0.5), st.just(_ANY)),
    st.builds(GaussianDP, values_of(MU, low=0.01, high=8.0), st.just(_ANY)),
)
RATES = values_of(FAILURE, low=1e-6, high=0.2)
SAMPLES = st.integers(200, 10**8)


@given(SAMPLES)
def test_splits_are_disjoint_and_counting_gets_most(samples: int) -> None:
    """Would catch outputs that are counted twice or lost, and a split that starves the part that decides."""
    parts = design.splits(samples)
    assert parts.train + parts.select + parts.confirm == samples
    assert min(parts.train, parts.select) >= 30
    assert parts.confirm >= 0.59 * samples


def test_too_few_outputs_are_refused() -> None:
    with pytest.raises(ValueError, match="samples = 199: must be an integer >= 200"):
        design.splits(199)


@given(claim=CLAIMS)
def test_rate_and_loss_undo_each_other(claim: Guarantee) -> None:
    """Would catch Phi(mu) for Phi(mu / 2), or e^epsilon / (1 + e^epsilon) the wrong way round."""
    rate = design.right_rate(claim)
    assert 0.5 < rate < 1.0
    assert design.loss_of_rate(claim, rate) == pytest.approx(design.claimed_loss(claim), rel=1e-6)
    assert design.loss_of_rate(claim, 0.5) == design.loss_of_rate(claim, 0.3) == 0.0
    assert design.loss_of_rate(claim, 1.0) == math.inf
    assert design.claimed_loss(design.with_loss(claim, 0.7)) == 0.7


def test_right_rates_by_hand() -> None:
    """ln 3 allows 3 of 4; mu = 2 allows Phi(1)."""
    assert design.right_rate(PureDP(math.log(3.0), _ANY)) == pytest.approx(0.75, rel=1e-14)
    assert design.right_rate(GaussianDP(2.0, _ANY)) == pytest.approx(0.8413447460685429, rel=1e-14)


@pytest.mark.parametrize("claim", [ZeroConcentratedDP(0.1, _ANY), RenyiDP(2.0, 0.1, _ANY)])
def test_definitions_that_guesses_do_not_bound_are_refused(claim: Guarantee) -> None:
    """Would catch an order or a rho that is taken for an epsilon."""
    for ask in (design.right_rate, design.claimed_loss):
        with pytest.raises(ValueError, match=r"guesses bound epsilon and mu only; state an \(epsilon, delta\) level that follows"):
            ask(claim)


# --- leaks ------------------------------------------------------------------------------------------------------------------------------


@given(
    epsilon=EPSILONS,
    delta=values_of(DELTA, low=1e-4, high=0.5),
    trials=st.integers(1, 300),
    false_alarm=RATES,
    missed=RATES,
    both=st.booleans(),
)
def test_leaks_are_exact_quantiles(epsilon: float, delta: float, trials: int, false_alarm: float, missed: float, both: bool) -> None:
    """Would catch a normal approximation, half the leaks for an event that guesses both sides, and a share that is spent twice."""
    found = design.leaks(ApproximateDP(epsilon, delta, _ANY), trials, false_alarm, both, missed)
    share = delta if both else delta / 2.0
    assert binomial_tail(found.most + 1, trials, share) <= design.LEAK_SHARE * false_alarm
    assert found.most == 0 or binomial_tail(found.most, trials, share) > design.LEAK_SHARE * false_alarm
    assert 1.0 - binomial_tail(found.fewest, trials, share) <= design.LEAK_SHARE * missed + 1e-12
    assert found.fewest <= found.mean + 1 and found.mean == pytest.approx(trials * share)


@given(claim=CLAIMS.filter(lambda claim: not isinstance(claim, ApproximateDP)), trials=st.integers(1, 10**6))
def test_nothing_leaks_without_delta(claim: Guarantee, trials: int) -> None:
    assert design.leaks(claim, trials, 0.05, True) == design.Leaks(0, 0.0, 0)
    assert design.counting_rate(claim, 0.05) == 0.05


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("delta", [0.02, 0.3])
def test_false_alarms_with_leaks_summed_over_all_counts(both: bool, delta: float) -> None:
    """Exactly, without a draw, for the pair that all (epsilon, delta)-private ones are post-processings of, guessed on every trial that it
    can be: would catch too few leaks for one-sided guesses, a test of the leaks at the whole rate, or one at no rate.
    """
    from scipy.stats import binom, multinomial

    trials, false_alarm, epsilon = 80, 0.05, 0.4
    claim = ApproximateDP(epsilon, delta, _ANY)
    q = design.right_rate(claim)
    most, rate = design.leaks(claim, trials, false_alarm, both).most, design.counting_rate(claim, false_alarm)
    refuted = np.array(
        [
            [
                guesses > most and binomial_tail(max(right - most, 0), guesses - most, q) <= rate if right <= guesses else False
                for right in range(trials + 1)
            ]
            for guesses in range(trials + 1)
        ]
    )
    total = 0.0
    if both:  # every trial is guessed: right if it leaked, else with probability q
        for leaked in range(trials + 1):
            others = binom.pmf(np.arange(trials - leaked + 1), trials - leaked, q)
            total += binom.pmf(leaked, trials, delta) * float(others @ refuted[trials, leaked:])
    else:  # "second" is guessed where it leaked or where the response says so; "first" never
        guess = (1 - delta) / 2.0
        for leaked in range(trials + 1):
            for guessed in range(trials - leaked + 1):
                weight = multinomial.pmf([leaked, guessed, trials - leaked - guessed], trials, [delta / 2, guess, 1 - delta / 2 - guess])
                if weight > 1e-15:
                    others = binom.pmf(np.arange(guessed + 1), guessed, q)
                    total += weight * float(others @ refuted[leaked + guessed, leaked : leaked + guessed + 1])
    assert total <= false_alarm
    assert total > false_alarm / 50  # the price of the leaks is known: it is not a test that never speaks


# --- detectable -------------------------------------------------------------------------------------------------------------------------


@given(claim=CLAIMS, times=st.floats(1.05, 3.0), mass=st.floats(0.01, 1.0), false_alarm=RATES, both=st.booleans())
def test_samples_and_detectable_loss_undo_each_other(claim: Guarantee, times: float, mass: float, false_alarm: float, both: bool) -> None:
    """Would catch two formulas that drifted apart: so many samples suffice, and half as many do not."""
    claimed = design.claimed_loss(claim)
    violation = claimed * times
    mass = 1.0 if isinstance(claim, GaussianDP) else mass
    assume(design.right_rate(design.with_loss(claim, violation)) < 1.0 - 1e-12)

    def detectable(samples: int) -> float:
        trials = design.splits(samples).confirm
        return design.detectable_loss(
            claim, guesses=int(trials * mass), trials=trials, false_alarm=false_alarm, missed_with=0.1, both_ways=both
        )

    try:
        samples = design.samples_for_loss(claim, violation=violation, mass=mass, false_alarm=false_alarm, missed_with=0.1, both_ways=both)
    except ValueError as error:
        assert "no number of outputs below 2 ** 40" in str(error)
        assert detectable(2**40) > violation
        return
    assert detectable(samples) <= violation
    assert samples < 400 or detectable(samples // 2) > violation


@given(claim=CLAIMS, guesses=st.integers(50, 10**6), false_alarm=RATES, missed=RATES)
def test_detectable_loss_is_monotone(claim: Guarantee, guesses: int, false_alarm: float, missed: float) -> None:
    """Would catch rates that changed places: more guesses, a higher false-alarm rate, more misses and a smaller claim all detect less loss.
    (Steps of the binomial law aside: guesses grow by half, rates tenfold.)"""

    def found(claim: Guarantee, guesses: int, false_alarm: float, missed: float) -> float:
        return design.detectable_loss(claim, guesses=guesses, trials=2 * guesses, false_alarm=false_alarm, missed_with=missed)

    here = found(claim, guesses, false_alarm, missed)
    assert here >= design.claimed_loss(claim) * (1 - 1e-9)
    assert found(claim, 16 * guesses, false_alarm, missed) <= here * (1 + 1e-9)
    assert found(claim, guesses, false_alarm / 10, missed) >= here * (1 - 1e-9)
    assert found(claim, guesses, false_alarm, missed / 10) >= here * (1 - 1e-9)
    assert found(design.with_loss(claim, 0.5 * design.claimed_loss(claim)), guesses, false_alarm, missed) <= here * (1 + 1e-9)


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("delta", [None, 1e-3, 0.1])
def test_power_at_detectable_is_what_it_says(rng: np.random.Generator, scale, delta: float | None, both: bool) -> None:
    """A pair whose loss is exactly `detectable` is refuted in 90 % of the repetitions: would catch a misses' rate that is spent twice on
    leaks, or a design for another test than the one that is run.

    The guesses are drawn from their law. Both sides of the exact binomial bound are held at 1e-6; power below 88 % (deep; 83 % quick) would
    be missed with at most one part in ten.
    """
    repetitions, trials, false_alarm = scale.of(1_000, 20_000), 20_000, 0.05
    claim = PureDP(0.5, _ANY) if delta is None else ApproximateDP(0.5, delta, _ANY)
    share = 0.0 if delta is None else (delta if both else delta / 2.0)
    guesses = trials if both else trials // 2
    true = design.detectable_loss(claim, guesses=guesses, trials=trials, false_alarm=false_alarm, missed_with=0.1, both_ways=both)
    q = design.right_rate(design.with_loss(claim, true))
    given, rate = design.leaks(claim, trials, false_alarm, both), design.counting_rate(claim, false_alarm)
    leaked = rng.binomial(guesses, share * trials / guesses, repetitions)
    right = leaked + rng.binomial(guesses - leaked, q)
    refuted = sum(
        binomial_tail(max(count - given.most, 0), guesses - given.most, design.right_rate(claim)) <= rate for count in right.tolist()
    )
    assert binomial_tail(repetitions - refuted, repetitions, 0.1) > 1e-6  # not fewer than 90 %
    if delta is None:  # and not many more: with leaks the design is on the safe side
        assert binomial_tail(refuted, repetitions, 0.91) > 1e-6
    assert design.detectable_rate(0.1, repetitions, 1e-6, 0.1) < scale.of(0.17, 0.12)


def test_plan_gives_the_other_number() -> None:
    """Would catch a plan that answers for another mass, or that takes both numbers and believes one."""
    claim = PureDP(1.0, _ANY)
    rows = design.plan(claim, violation=1.25)
    assert [row.mass for row in rows] == [1.0, 0.5, 0.1, 0.01]
    assert [row.samples for row in rows] == sorted(row.samples for row in rows)
    again = design.plan(claim, samples=rows[2].samples)[2]
    assert again.detectable <= 1.25 < design.plan(claim, samples=rows[1].samples)[2].detectable
    for numbers in ({}, {"samples": 1000, "violation": 1.25}):
        with pytest.raises(ValueError, match="samples, violation: give one of them"):
            design.plan(claim, **numbers)
    with pytest.raises(ValueError, match=r"violation = 0\.9: must be > the claimed 1"):
        design.plan(claim, violation=0.9)
    with pytest.raises(ValueError, match="mass = 0: must be > 0 and <= 1"):
        design.samples_for_loss(claim, violation=2.0, mass=0, false_alarm=0.05, missed_with=0.1)


def test_rule_of_thumb() -> None:
    """research/auditing.md, section 6: 0.2 against 0.1 on an event of mass 0.25, 5 %, 80 % power needs about 4,500 outputs a side."""
    mass = 0.25 * (1.0 + math.exp(0.2)) / 2.0  # of both sides
    needed = design.samples_for_loss(PureDP(0.1, _ANY), violation=0.2, mass=mass, false_alarm=0.05, missed_with=0.2)
    assert design.splits(needed).confirm / 2 == pytest.approx(4_500, rel=0.1)
