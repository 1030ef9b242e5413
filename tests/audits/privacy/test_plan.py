"""Experiment design for privacy: what a number of outputs detects, before any is drawn."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from banditproof.audits.privacy.claims import claimed_loss, with_loss
from banditproof.audits.privacy.plan import plan, samples_for_loss, splits
from banditproof.audits.privacy.statistic import statistic_of
from banditproof.audits.statistics.design import counted
from banditproof.audits.strategies import values_of
from banditproof.glossary import DELTA, EPSILON, FAILURE, MU
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, NeighbouringRelation, PureDP

_ANY = NeighbouringRelation.ANY_PAIR
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
    parts = splits(samples)
    assert parts.train + parts.select + parts.confirm == samples
    assert min(parts.train, parts.select) >= 30
    assert parts.confirm >= 0.59 * samples


def test_too_few_outputs_are_refused() -> None:
    with pytest.raises(ValueError, match="samples = 199: must be an integer >= 200"):
        splits(199)


@given(claim=CLAIMS, times=st.floats(1.05, 3.0), mass=st.floats(0.01, 1.0), false_alarm=RATES, both=st.booleans())
def test_samples_and_detectable_loss_undo_each_other(claim: Guarantee, times: float, mass: float, false_alarm: float, both: bool) -> None:
    """Would catch two formulas that drifted apart: so many samples suffice, and half as many do not."""
    claimed = claimed_loss(claim)
    violation = claimed * times
    mass = 1.0 if isinstance(claim, GaussianDP) else mass
    assume(statistic_of(with_loss(claim, violation)).right_rate < 1.0 - 1e-12)

    def detectable(samples: int) -> float:
        trials = splits(samples).confirm
        return statistic_of(claim).detectable_loss(
            guesses=counted(trials, mass), trials=trials, false_alarm=false_alarm, miss_rate=0.1, both_ways=both
        )

    try:
        samples = samples_for_loss(claim, violation=violation, mass=mass, false_alarm=false_alarm, miss_rate=0.1, both_ways=both)
    except ValueError as error:
        assert "no number of outputs below 2 ** 40" in str(error)
        assert detectable(2**40) > violation
        return
    assert detectable(samples) <= violation
    assert samples < 400 or detectable(samples // 2) > violation


@pytest.mark.parametrize(
    ("epsilon", "violation", "mass", "false_alarm"),
    [(1.0, 6.0, 0.01, 1e-5), (0.5, 5.0, 0.001, 1e-3), (1.0, 3.0, 0.01, 1e-3), (1.0, 1.25, 0.1, 1e-3)],
)
def test_a_plan_has_its_power_though_nobody_knows_how_many_outputs_an_event_decides(
    epsilon: float, violation: float, mass: float, false_alarm: float
) -> None:
    """By SciPy, summed over the number of guesses. Would catch a plan for the average number: where few guesses are needed one guess less
    may be none too many, and half of all audits would show nothing."""
    samples = samples_for_loss(PureDP(epsilon, _ANY), violation=violation, mass=mass, false_alarm=false_alarm, miss_rate=0.1)
    trials, claimed, true = splits(samples).confirm, 1.0 / (1.0 + math.exp(-epsilon)), 1.0 / (1.0 + math.exp(-violation))
    low, high = stats.binom.interval(1.0 - 1e-7, trials, mass)
    guesses = np.arange(int(low), int(high) + 1)
    needed = stats.binom.isf(false_alarm, guesses, claimed) + 1  # more than this many right ones refute
    assert (stats.binom.sf(needed - 1, guesses, claimed) <= false_alarm).all()
    power = float(stats.binom.pmf(guesses, trials, mass) @ stats.binom.sf(needed - 1, guesses, true))
    assert 0.895 <= power <= 0.96


def test_plan_gives_the_other_number() -> None:
    """Would catch a plan that answers for another mass, or that takes both numbers and believes one."""
    claim = PureDP(1.0, _ANY)
    rows = plan(claim, violation=1.25)
    assert [row.mass for row in rows] == [1.0, 0.5, 0.1, 0.01]
    assert [row.samples for row in rows] == sorted(row.samples for row in rows)
    again = plan(claim, samples=rows[2].samples)[2]
    assert again.detectable <= 1.25 < plan(claim, samples=rows[1].samples)[2].detectable
    for numbers in ({}, {"samples": 1000, "violation": 1.25}):
        with pytest.raises(ValueError, match="samples, violation: give one of them"):
            plan(claim, **numbers)
    with pytest.raises(ValueError, match=r"violation = 0\.9: must be > the claimed 1"):
        plan(claim, violation=0.9)
    with pytest.raises(ValueError, match="violation = inf: must be finite"):
        plan(claim, violation=math.inf)
    with pytest.raises(ValueError, match="mass = 0: must be > 0 and <= 1"):
        samples_for_loss(claim, violation=2.0, mass=0, false_alarm=0.05, miss_rate=0.1)


def test_rule_of_thumb() -> None:
    """research/auditing.md, section 6: 0.2 against 0.1 on an event of mass 0.25, 5 %, 80 % power needs about 4,500 outputs per side."""
    mass = 0.25 * (1.0 + math.exp(0.2)) / 2.0  # of both sides
    needed = samples_for_loss(PureDP(0.1, _ANY), violation=0.2, mass=mass, false_alarm=0.05, miss_rate=0.2)
    assert splits(needed).confirm / 2 == pytest.approx(4_500, rel=0.1)
