"""What guesses say of a claim: the rates that it allows, what delta explains, and which losses are detected."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.privacy.claims import claimed_loss, with_loss
from banditproof.audits.privacy.statistic import LEAK_FRACTION, Leaks, _undominated, statistic_of
from banditproof.audits.statistics.design import detectable_rate
from banditproof.audits.statistics.tails import binomial_tail, lower_probabilities
from banditproof.audits.strategies import values_of
from banditproof.glossary import DELTA, EPSILON, FAILURE, MU
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, NeighbouringRelation, PureDP, RenyiDP, ZeroConcentratedDP

_ANY = NeighbouringRelation.ANY_PAIR
EPSILONS = values_of(EPSILON, low=0.01, high=10.0)
CLAIMS: st.SearchStrategy[Guarantee] = st.one_of(
    st.builds(PureDP, EPSILONS, st.just(_ANY)),
    st.builds(ApproximateDP, EPSILONS, values_of(DELTA, low=1e-12, high=0.5), st.just(_ANY)),
    st.builds(GaussianDP, values_of(MU, low=0.01, high=8.0), st.just(_ANY)),
)
RATES = values_of(FAILURE, low=1e-6, high=0.2)


@given(claim=CLAIMS)
def test_rate_and_loss_undo_each_other(claim: Guarantee) -> None:
    """Would catch Phi(mu) for Phi(mu / 2), or e^epsilon / (1 + e^epsilon) the wrong way round."""
    rate = statistic_of(claim).right_rate
    assert 0.5 < rate < 1.0
    assert statistic_of(claim).loss_of_rate(rate) == pytest.approx(claimed_loss(claim), rel=1e-6)
    assert statistic_of(claim).loss_of_rate(0.5) == statistic_of(claim).loss_of_rate(0.3) == 0.0
    assert statistic_of(claim).loss_of_rate(1.0) == math.inf
    assert claimed_loss(with_loss(claim, 0.7)) == 0.7


def test_right_rates_by_hand() -> None:
    """ln 3 allows 3 of 4; mu = 2 allows Phi(1)."""
    assert statistic_of(PureDP(math.log(3.0), _ANY)).right_rate == pytest.approx(0.75, rel=1e-14)
    assert statistic_of(GaussianDP(2.0, _ANY)).right_rate == pytest.approx(0.8413447460685429, rel=1e-14)


@pytest.mark.parametrize("claim", [ZeroConcentratedDP(0.1, _ANY), RenyiDP(2.0, 0.1, _ANY)])
def test_definitions_that_guesses_do_not_bound_are_refused(claim: Guarantee) -> None:
    """Would catch an order or a rho that is taken for an epsilon."""
    for ask in (statistic_of, claimed_loss, lambda claim: with_loss(claim, 1.0)):
        with pytest.raises(ValueError, match=r"guesses bound epsilon and mu only; state an \(epsilon, delta\) level that follows"):
            ask(claim)


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
    found = statistic_of(ApproximateDP(epsilon, delta, _ANY)).leaks(trials, false_alarm, both, missed)
    fraction = delta if both else delta / 2.0
    assert binomial_tail(found.most + 1, trials, fraction) <= LEAK_FRACTION * false_alarm
    assert found.most == 0 or binomial_tail(found.most, trials, fraction) > LEAK_FRACTION * false_alarm
    assert 1.0 - binomial_tail(found.fewest, trials, fraction) <= LEAK_FRACTION * missed + 1e-12
    assert found.fewest <= found.mean + 1 and found.mean == pytest.approx(trials * fraction)


@given(claim=CLAIMS.filter(lambda claim: not isinstance(claim, ApproximateDP)), trials=st.integers(1, 10**6))
def test_nothing_leaks_without_delta(claim: Guarantee, trials: int) -> None:
    assert statistic_of(claim).leaks(trials, 0.05, True) == Leaks(0, 0.0, 0)
    assert statistic_of(claim).counting_rate(0.05) == 0.05


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("delta", [0.02, 0.3])
def test_false_alarms_with_leaks_summed_over_all_counts(both: bool, delta: float) -> None:
    """Exactly, without a draw, for the pair that all (epsilon, delta)-private ones are post-processings of, guessed on every trial that it
    can be: would catch too few leaks for one-sided guesses, a test of the leaks at the whole rate, or one at no rate.
    """
    from scipy.stats import binom, multinomial

    trials, false_alarm, epsilon = 80, 0.05, 0.4
    claim = ApproximateDP(epsilon, delta, _ANY)
    q = statistic_of(claim).right_rate
    most, rate = statistic_of(claim).leaks(trials, false_alarm, both).most, statistic_of(claim).counting_rate(false_alarm)
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


@given(claim=CLAIMS, guesses=st.integers(50, 10**6), false_alarm=RATES, missed=RATES)
def test_detectable_loss_is_monotone(claim: Guarantee, guesses: int, false_alarm: float, missed: float) -> None:
    """Would catch rates that changed places: more guesses, a higher false-alarm rate, more misses and a smaller claim all detect less loss.
    (Steps of the binomial distribution aside: guesses grow by half, rates tenfold.)"""

    def found(claim: Guarantee, guesses: int, false_alarm: float, missed: float) -> float:
        return statistic_of(claim).detectable_loss(guesses=guesses, trials=2 * guesses, false_alarm=false_alarm, miss_rate=missed)

    here = found(claim, guesses, false_alarm, missed)
    assert here >= claimed_loss(claim) * (1 - 1e-9)
    assert found(claim, 16 * guesses, false_alarm, missed) <= here * (1 + 1e-9)
    assert found(claim, guesses, false_alarm / 10, missed) >= here * (1 - 1e-9)
    assert found(claim, guesses, false_alarm, missed / 10) >= here * (1 - 1e-9)
    assert found(with_loss(claim, 0.5 * claimed_loss(claim)), guesses, false_alarm, missed) <= here * (1 + 1e-9)


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("delta", [None, 1e-3, 0.1])
def test_power_at_detectable_is_what_it_says(rng: np.random.Generator, scale, delta: float | None, both: bool) -> None:
    """A pair whose loss is exactly `detectable` is refuted in 90 % of the repetitions: would catch a misses' rate that is spent twice on
    leaks, or a design for another test than the one that is run.

    The guesses are drawn from their distribution. Both sides of the exact binomial bound are held at 1e-6; power below 88 % (deep; 83 %
    quick) would be missed with at most one part in ten.
    """
    repetitions, trials, false_alarm = scale.of(1_000, 20_000), 20_000, 0.05
    claim = PureDP(0.5, _ANY) if delta is None else ApproximateDP(0.5, delta, _ANY)
    fraction = 0.0 if delta is None else (delta if both else delta / 2.0)
    guesses = trials if both else trials // 2
    true = statistic_of(claim).detectable_loss(guesses=guesses, trials=trials, false_alarm=false_alarm, miss_rate=0.1, both_ways=both)
    q = statistic_of(with_loss(claim, true)).right_rate
    given, rate = statistic_of(claim).leaks(trials, false_alarm, both), statistic_of(claim).counting_rate(false_alarm)
    leaked = rng.binomial(guesses, fraction * trials / guesses, repetitions)
    right = leaked + rng.binomial(guesses - leaked, q)
    refuted = sum(
        binomial_tail(max(count - given.most, 0), guesses - given.most, statistic_of(claim).right_rate) <= rate for count in right.tolist()
    )
    assert binomial_tail(repetitions - refuted, repetitions, 0.1) > 1e-6  # not fewer than 90 %
    if delta is None:  # and not many more: with leaks the design is on the safe side
        assert binomial_tail(refuted, repetitions, 0.91) > 1e-6
    assert detectable_rate(0.1, repetitions, 1e-6, 0.1) < scale.of(0.17, 0.12)


@given(size=st.integers(1, 30), most=st.sampled_from([1, 3, 50, 10**6]), seed=st.integers(0, 2**32 - 1))
def test_the_best_event_is_among_those_that_are_looked_at(size: int, most: int, seed: int) -> None:
    """Would catch an event that is passed by although none is better, and the other one of two equal ones."""
    rng = np.random.default_rng(seed)
    right, wrong = rng.integers(0, most, (2, size, size), endpoint=True)
    allowed = rng.random((size, size)) < 0.6
    allowed[0, 0] = True
    every = np.where(allowed, lower_probabilities(right, right + wrong, 1e-8), 0.0)
    worth = _undominated(right, wrong, allowed)
    some = np.zeros((size, size))
    some[worth] = lower_probabilities(right[worth], (right + wrong)[worth], 1e-8)
    assert not np.any(worth & ~allowed)
    assert int(np.argmax(some)) == int(np.argmax(every)) and some.max() == every.max()
