"""Events are selected on draws that nothing else uses, and the best one is found."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from banditproof.audits.privacy.comparison import compare
from banditproof.audits.privacy.events import Coordinate, Event
from banditproof.audits.privacy.judgement import AuditSettings, count, judge
from banditproof.audits.privacy.outputs import CONFIRM, SELECT, TRAIN
from banditproof.audits.privacy.plan import splits
from banditproof.audits.privacy.selection import Selection, select_event
from banditproof.audits.privacy.statistic import SELECT_AT, statistic_of
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.audits.statistics.tails import lower_probability
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, NeighbouringRelation, PureDP
from banditproof.interaction import Floats

_NEAR = NeighbouringRelation.QUERY_SENSITIVITY
CLAIMS = [PureDP(1.0, _NEAR), ApproximateDP(1.0, 0.05, _NEAR), GaussianDP(1.0, _NEAR)]


def noisy(answer: float, width: int | None = None):
    """Laplace noise of scale 1."""
    shape = (lambda runs: runs) if width is None else (lambda runs: (runs, width))
    return lambda runs, rng: answer + rng.laplace(0.0, 1.0, shape(runs))


def audited(first: Any, second: Any, **settings: Any) -> Measurement:
    return compare(first, second, AuditSettings(**settings))


@dataclass
class RecordingSource:
    """A source that distinguishes the two sides surely in some roles, and not at all in the others; it notes who asks."""

    telling: tuple[str, ...]
    asked: list[tuple[str, int, int]] = field(default_factory=list)

    def draws(self, role: str, side: int, runs: int) -> Iterator[Floats]:
        self.asked.append((role, side, runs))
        rng = np.random.default_rng([len(role), side])
        yield rng.normal(size=(runs, 1)) + (9.0 * side if role in self.telling else 0.0)

    def both(self, role: str, runs: tuple[int, int]) -> Iterator[tuple[int, Floats]]:
        return ((side, cell) for side in (0, 1) for cell in self.draws(role, side, runs[side]))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: type(claim).__name__)
def test_nothing_is_chosen_on_what_is_counted(claim: Guarantee) -> None:
    """Would catch a score, a threshold or a width that looks at the confirming draws, and a verdict that looks at the others."""
    parts, rng = splits(20_000), np.random.default_rng(1)
    blind = RecordingSource((TRAIN, SELECT))
    statistic, settings = statistic_of(claim), AuditSettings(claim=claim, seed=1, samples=20_000)
    selection = select_event(statistic, blind, parts, 0.05)
    assert [role for role, _, _ in blind.asked] == [TRAIN, TRAIN, SELECT, SELECT]
    assert sum(runs for role, _, runs in blind.asked if role == TRAIN) <= parts.train
    assert sum(runs for role, _, runs in blind.asked if role == SELECT) <= parts.select
    counts = count(statistic, selection, blind, parts.confirm, rng)
    assert [role for role, _, _ in blind.asked[4:]] == [CONFIRM, CONFIRM]
    assert counts.trials == parts.confirm == sum(runs for role, _, runs in blind.asked if role == CONFIRM)
    assert judge(counts, selection, settings).verdict is not Verdict.REFUTED
    seen = count(statistic, selection, RecordingSource((CONFIRM,)), parts.confirm, rng)
    assert judge(seen, selection, settings).verdict is Verdict.REFUTED


def test_labels_are_fair_coins(rng: np.random.Generator, scale: Any) -> None:
    """Would catch n/2 outputs of each side, which is not what the exact test assumes: the variance of the number must be n/4.

    The chi-square statistic of 400 (2,000) repetitions is held at 1e-6; a variance off by a half (a quarter) would be missed with at most
    one part in ten."""
    from scipy.stats import chi2

    trials, repetitions = 1_000, scale.of(400, 2_000)
    statistic, selection, source = statistic_of(CLAIMS[0]), Selection(Event(Coordinate(0), None, 0.0), 1.0, 1), RecordingSource(())
    seconds = np.array([count(statistic, selection, source, trials, rng).neighbour for _ in range(repetitions)])
    statistic = float(np.sum((seconds - trials / 2) ** 2) / (trials / 4))
    assert chi2.sf(statistic, repetitions) > 1e-6 / 2 and chi2.cdf(statistic, repetitions) > 1e-6 / 2
    low, high = chi2.ppf([1e-6 / 2, 1 - 1e-6 / 2], repetitions)
    assert chi2.cdf(high / scale.of(1.6, 1.25), repetitions) < 0.1 and chi2.sf(low / scale.of(0.6, 0.8), repetitions) < 0.1


@given(
    hnp.arrays(float, st.integers(2, 40), elements=st.one_of(st.sampled_from([math.nan, math.inf, 0.0, 1.0, 2.0]), st.floats(-3, 3))),
    hnp.arrays(float, st.integers(2, 40), elements=st.one_of(st.sampled_from([math.nan, -math.inf, 0.0, 1.0, 2.0]), st.floats(-3, 3))),
    st.sampled_from(CLAIMS),
)
def test_the_selected_event_is_the_best_by_brute_force(first: np.ndarray, second: np.ndarray, claim: Guarantee) -> None:
    """Would catch ties counted on the wrong side of a threshold, NaN that moves a count, and leaks taken off the wrong events: every
    pair of thresholds is applied to every output."""
    score, statistic = Coordinate(0), statistic_of(claim)
    cuts = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    sides = first[:, None], second[:, None]
    trials, hedge = len(first) + len(second), SELECT_AT * 0.05
    best = 0.0
    for low, high in itertools.product([None, *cuts], repeat=2):
        if isinstance(claim, GaussianDP):
            if low is not None or high is None:
                continue
            event = Event(score, None, high)
            right = int(np.sum(event.decisions(sides[1]) == 1) + np.sum(event.decisions(sides[0]) == 0))
            best = max(best, lower_probability(right, trials, hedge))
            continue
        if low is not None and high is not None and low >= high:
            continue
        event = Event(score, low, high)
        guesses = event.guesses(sides[0]), event.guesses(sides[1])
        right = int(np.sum(guesses[1] == 1) + np.sum(guesses[0] == 0))
        wrong = int(np.sum(guesses[1] == 0) + np.sum(guesses[0] == 1))
        right = max(right - statistic.leaks(trials, 0.05, low is not None and high is not None).most, 0)
        best = max(best, lower_probability(right, right + wrong, hedge))
    found = statistic.best_event(score, cuts, *sides, 0.05)
    assert found.rate == pytest.approx(best, rel=1e-9, abs=1e-12)
    if not isinstance(claim, GaussianDP):
        assert found.mass == pytest.approx(np.mean(np.concatenate([found.event.guesses(side) for side in sides]) >= 0))


@settings(max_examples=25)
@given(shift=st.floats(0.5, 3.0), sign=st.sampled_from([1.0, -1.0]), claim=st.sampled_from(CLAIMS))
def test_the_order_of_the_two_inputs_does_not_matter(shift: float, sign: float, claim: Guarantee) -> None:
    """Would catch scores that can only point one way: neighbours have no order, so both must give about the same bound."""
    bounds = []
    for a, b in ((0.0, shift * sign), (shift * sign, 0.0)):
        result = audited(noisy(a), noisy(b), claim=claim, samples=40_000, seed=7)
        assert result.low is not None
        bounds.append(result.low)
    assert bounds[0] == pytest.approx(bounds[1], rel=0.2, abs=0.05)
