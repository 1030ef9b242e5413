"""The privacy-loss method: what it counts, what it refuses, what it costs. Its error rates are in test_calibration.py."""

import itertools
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from banditproof.audits.methods import privacy_loss
from banditproof.audits.methods.privacy_loss import (
    CONFIRM,
    SELECT,
    TRAIN,
    Sampled,
    Stored,
    as_outputs,
    compare,
    compare_stored,
    count,
    select_event,
    to_width,
)
from banditproof.audits.privacy.events import Coordinate, Event
from banditproof.audits.statistics import design
from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.tails import lower_probability
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, PureDP, Relation, RenyiDP, ZeroConcentratedDP
from banditproof.interaction import Floats
from banditproof.mechanism import MARK

_NEAR = Relation.WITHIN_SENSITIVITY
CLAIMS = [PureDP(1.0, _NEAR), ApproximateDP(1.0, 0.05, _NEAR), GaussianDP(1.0, _NEAR)]


def noisy(answer: float, width: int | None = None):
    """Laplace noise of scale 1."""
    shape = (lambda runs: runs) if width is None else (lambda runs: (runs, width))
    return lambda runs, rng: answer + rng.laplace(0.0, 1.0, shape(runs))


def always(*values: float):
    """One row, over and over."""
    return lambda runs, rng: np.tile(np.array(values, dtype=float), (runs, 1))


# --- what may be compared ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("claim", [ZeroConcentratedDP(0.5, _NEAR), RenyiDP(2.0, 0.5, _NEAR)])
def test_other_definitions_are_refused_before_any_draw(claim: Guarantee) -> None:
    """Would catch a rho or an order that is audited as an epsilon, after minutes of draws."""

    def never(runs: int, rng: np.random.Generator) -> Floats:
        raise AssertionError("drawn")

    with pytest.raises(ValueError, match="guesses bound epsilon and mu only") as caught:
        compare(never, never, claim=claim, seed=1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rate", [0.0, 1.0, -0.1, math.nan])
def test_rates_are_checked(rate: float) -> None:
    with pytest.raises(ValueError, match=r"false_alarm = .*: must be > 0 and < 1"):
        compare(noisy(0.0), noisy(1.0), claim=CLAIMS[0], seed=1, false_alarm=rate)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["1", "2", "3"], "outputs of type list: must be numbers of shape (3,) or (3, width) (numpy calls them <U1)"),
        (
            np.array(["a", "b", "c"], dtype=object),
            "outputs of type ndarray: must be numbers of shape (3,) or (3, width) ('a' is no number)",
        ),
        ([1.0, None, 2.0], "outputs of type list: must be numbers of shape (3,) or (3, width) (None is no number)"),
        (None, "outputs of type NoneType: must be numbers of shape (3,) or (3, width) (None is no number)"),
        ([1j, 2j, 3j], "outputs of type list: must be numbers of shape (3,) or (3, width) (numpy calls them complex128)"),
        ([[1.0], [1.0, 2.0], [3.0]], "outputs of type list: must be numbers of shape (3,) or (3, width) (setting an array"),
        ([1.0, 2.0], "outputs of shape (2,): must be numbers of shape (3,) or (3, width)"),
        (np.zeros((3, 2, 2)), "outputs of shape (3, 2, 2): must be numbers of shape (3,) or (3, width)"),
        (np.zeros((3, 0)), "outputs of shape (3, 0): must be numbers of shape (3,) or (3, width)"),
        (1.0, "outputs of shape (): must be numbers of shape (3,) or (3, width)"),
        ([10**400] * 3, "outputs of type list: must be numbers of shape (3,) or (3, width) (int too large to convert to float)"),
    ],
)
def test_what_is_no_output_is_refused_in_one_line(values: Any, message: str) -> None:
    """Would catch text that is read as a number, None that becomes NaN, and imaginary parts that are dropped."""
    with pytest.raises(ValueError, match=r".") as caught:
        as_outputs(values, 3)
    assert str(caught.value).startswith(message)
    with pytest.raises(ValueError, match="outputs of"):
        compare(lambda runs, rng: values, noisy(1.0), claim=CLAIMS[0], seed=1)


@pytest.mark.parametrize(
    "values", [[1, 2, 3], [True, False, True], np.arange(3, dtype=np.uint8), [2**70, 1, 0], np.zeros(3, dtype=np.float16), [math.nan] * 3]
)
def test_whole_numbers_and_truths_are_outputs(values: Any) -> None:
    found = as_outputs(values, 3)
    assert found.shape == (3, 1) and found.dtype == float
    assert found[:, 0] == pytest.approx([float(value) for value in values], nan_ok=True)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: type(claim).__name__)
@pytest.mark.parametrize(
    ("first", "second", "leaks"),
    [
        (always(0.0), always(0.0), False),
        (always(math.nan), always(math.nan), False),
        (always(-0.0), always(0.0), False),
        (always(math.inf, 1.0), always(math.inf, 1.0), False),
        (always(0.0), always(1.0), True),
        (always(math.nan), always(0.0), True),
        (always(math.inf), always(-math.inf), True),
        (always(1e308, -1e308), always(-1e308, 1e308), True),
        (always(0.0), always(0.0, 0.0), True),
        (always(0.0, 0.0), always(0.0), True),
        (always(0.0, math.nan), always(0.0, MARK), True),
        (always(5e-324), always(0.0), True),
    ],
)
def test_degenerate_outputs(first: Any, second: Any, leaks: bool, claim: Guarantee) -> None:
    """Would catch a crash or a warning at constants, NaN, infinities, huge numbers and lengths, and a sure difference that is not seen."""
    result = compare(first, second, claim=claim, samples=20_000, seed=1, false_alarm=0.001)
    assert (result.verdict is Verdict.REFUTED) == leaks
    if not leaks:
        assert result.low == 0.0
    json.dumps(result.to_json(), allow_nan=False)


def test_sequences_that_end_early_are_padded_and_longer_ones_are_cut() -> None:
    """Would catch a width that changes between cells: cutting and padding work row by row, so no event gains by them."""

    def lengths(longest: int):
        def draw(runs: int, rng: np.random.Generator) -> Floats:
            return rng.normal(size=(runs, int(rng.integers(1, longest))))  # one length a cell

        return draw

    result = compare(lengths(4), lengths(4), claim=CLAIMS[0], samples=400_000, seed=3, false_alarm=1e-4)
    assert result.verdict is not Verdict.REFUTED
    assert to_width(np.ones((2, 3)), 2).tolist() == [[1, 1], [1, 1]]
    assert to_width(np.ones((2, 1)), 3).tolist() == [[1, MARK, MARK], [1, MARK, MARK]]


# --- what is drawn, and when ------------------------------------------------------------------------------------------------------------


@dataclass
class Told:
    """A source that tells the two sides apart surely in some roles, and not at all in the others; it notes who asks."""

    telling: tuple[str, ...]
    asked: list[tuple[str, int, int]] = field(default_factory=list)

    def draws(self, role: str, side: int, runs: int) -> Iterator[Floats]:
        self.asked.append((role, side, runs))
        rng = np.random.default_rng([len(role), side])
        yield rng.normal(size=(runs, 1)) + (9.0 * side if role in self.telling else 0.0)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: type(claim).__name__)
def test_nothing_is_chosen_on_what_is_counted(claim: Guarantee) -> None:
    """Would catch a score, a threshold or a width that looks at the confirming draws, and a verdict that looks at the others."""
    parts, rng = design.splits(20_000), np.random.default_rng(1)
    blind = Told((TRAIN, SELECT))
    event, mass, width = select_event(claim, blind, parts, 0.05)
    assert [role for role, _, _ in blind.asked] == [TRAIN, TRAIN, SELECT, SELECT]
    assert sum(runs for role, _, runs in blind.asked if role == TRAIN) <= parts.train
    assert sum(runs for role, _, runs in blind.asked if role == SELECT) <= parts.select
    counts = count(event, claim, blind, parts.confirm, width, rng)
    assert [role for role, _, _ in blind.asked[4:]] == [CONFIRM, CONFIRM]
    assert counts.trials == parts.confirm == sum(runs for role, _, runs in blind.asked if role == CONFIRM)
    given = {"event": event, "width": width, "false_alarm": 0.05, "mass": mass, "must_detect": None, "samples": 20_000}
    assert privacy_loss.judge(claim, counts, **given).verdict is not Verdict.REFUTED
    seen = count(event, claim, Told((CONFIRM,)), parts.confirm, width, rng)
    assert privacy_loss.judge(claim, seen, **given).verdict is Verdict.REFUTED


def test_every_part_has_random_numbers_of_its_own() -> None:
    """Would catch sides that share a generator (their outputs would be coupled), roles that share one, and cells that repeat."""
    firsts: list[float] = []

    def noted(runs: int, rng: np.random.Generator) -> Floats:
        values = rng.random(runs)
        firsts.append(float(values[0]))
        return values

    for seed, path in itertools.product((1, 2), ((), ("a",), ("a", "b"), ("train",), ("0",))):
        for role, side in itertools.product((TRAIN, SELECT, CONFIRM), (0, 1)):
            assert sum(len(cell) for cell in Sampled((noted, noted), seed, path).draws(role, side, 140_000)) == 140_000
    assert len(firsts) == 2 * 5 * 6 * 3
    assert len(set(firsts)) == len(firsts)


def test_labels_are_fair_coins(rng: np.random.Generator, scale: Any) -> None:
    """Would catch n/2 outputs of each side, which is not what the exact test assumes: the variance of the number must be n/4.

    The chi-square statistic of 400 (2,000) repetitions is held at 1e-6; a variance off by a half (a quarter) would be missed with at most
    one part in ten."""
    from scipy.stats import chi2

    trials, repetitions = 1_000, scale.of(400, 2_000)
    event, source = Event(Coordinate(0), None, 0.0), Told(())
    seconds = np.array([count(event, CLAIMS[0], source, trials, 1, rng).second for _ in range(repetitions)])
    statistic = float(np.sum((seconds - trials / 2) ** 2) / (trials / 4))
    assert chi2.sf(statistic, repetitions) > 1e-6 / 2 and chi2.cdf(statistic, repetitions) > 1e-6 / 2
    low, high = chi2.ppf([1e-6 / 2, 1 - 1e-6 / 2], repetitions)
    assert chi2.cdf(high / scale.of(1.6, 1.25), repetitions) < 0.1 and chi2.sf(low / scale.of(0.6, 0.8), repetitions) < 0.1


def test_the_same_seed_gives_the_same_record() -> None:
    """Would catch global random state, and an order that hangs on addresses."""
    once, again, other = (compare(noisy(0.0, 3), noisy(0.3, 3), claim=CLAIMS[0], samples=30_000, seed=seed).to_json() for seed in (5, 5, 6))
    assert json.dumps(once) == json.dumps(again) != json.dumps(other)


# --- selection --------------------------------------------------------------------------------------------------------------------------


@given(
    hnp.arrays(float, st.integers(2, 40), elements=st.one_of(st.sampled_from([math.nan, math.inf, 0.0, 1.0, 2.0]), st.floats(-3, 3))),
    hnp.arrays(float, st.integers(2, 40), elements=st.one_of(st.sampled_from([math.nan, -math.inf, 0.0, 1.0, 2.0]), st.floats(-3, 3))),
    st.sampled_from(CLAIMS),
)
def test_the_selected_event_is_the_best_by_brute_force(first: np.ndarray, second: np.ndarray, claim: Guarantee) -> None:
    """Would catch ties counted on the wrong side of a threshold, NaN that moves a count, and leaks taken off the wrong events: every
    pair of thresholds is applied to every output."""
    score = Coordinate(0)
    cuts = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    sides = first[:, None], second[:, None]
    trials, hedge = len(first) + len(second), privacy_loss.SELECT_AT * 0.05
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
        right = max(right - design.leaks(claim, trials, 0.05, low is not None and high is not None).most, 0)
        best = max(best, lower_probability(right, right + wrong, hedge))
    rate, event, mass = privacy_loss._best_cut(claim, score, cuts, *sides, 0.05)
    assert rate == pytest.approx(best, rel=1e-9, abs=1e-12)
    if not isinstance(claim, GaussianDP):
        assert mass == pytest.approx(np.mean(np.concatenate([event.guesses(side) for side in sides]) >= 0))


@settings(max_examples=25)
@given(shift=st.floats(0.5, 3.0), sign=st.sampled_from([1.0, -1.0]), claim=st.sampled_from(CLAIMS))
def test_the_order_of_the_two_inputs_does_not_matter(shift: float, sign: float, claim: Guarantee) -> None:
    """Would catch scores that can only point one way: neighbours have no order, so both must give about the same bound."""
    bounds = []
    for a, b in ((0.0, shift * sign), (shift * sign, 0.0)):
        result = compare(noisy(a), noisy(b), claim=claim, samples=40_000, seed=7)
        assert result.low is not None
        bounds.append(result.low)
    assert bounds[0] == pytest.approx(bounds[1], rel=0.2, abs=0.05)


# --- stored outputs ---------------------------------------------------------------------------------------------------------------------


@given(st.integers(100, 3_000), st.integers(100, 3_000), st.integers(0, 10))
def test_stored_outputs_are_used_once(many: int, more: int, seed: int) -> None:
    """Would catch parts that overlap, which would count the outputs that an event was fitted to."""
    source = Stored((np.arange(many, dtype=float)[:, None], np.arange(more, dtype=float)[:, None]), seed)
    parts = design.splits(2 * min(many, more))
    for side, outputs in enumerate(source.outputs):
        found = [
            np.concatenate(list(source.draws(role, side, runs)))[:, 0]
            for role, runs in ((TRAIN, parts.train // 2), (SELECT, parts.select // 2), (CONFIRM, len(outputs)))
        ]
        assert [len(part) for part in found[:2]] == [parts.train // 2, parts.select // 2]
        together = np.concatenate(found)
        assert len(set(together.tolist())) == len(together) == len(outputs)


def test_stored_outputs_that_run_short_count_as_wrong() -> None:
    """Would catch trials that vanish when one side has too few outputs: a refutation must not come from what is missing."""
    sure = np.zeros((1_000, 1)), np.ones((1_000, 1))
    source, event = Stored(sure, 1), Event(Coordinate(0), 0.0, 1.0)
    counts = count(event, CLAIMS[0], source, 3_000, 1, np.random.default_rng(1))
    kept = 1_000 - design.splits(2_000).train // 2 - design.splits(2_000).select // 2
    assert counts.right == 2 * kept and counts.wrong == 3_000 - 2 * kept == sum(counts.missing)
    pair = privacy_loss._pair(CLAIMS[0], counts, event, 0.05)
    assert pair == {"second_over_first": 0.0, "first_over_second": 0.0}


def test_stored_outputs_are_judged_like_fresh_ones(rng: np.random.Generator) -> None:
    first, second = rng.laplace(0.0, 1.0, 100_000), rng.laplace(1.0, 1.0, 90_000)
    for epsilon, verdict in ((0.8, Verdict.REFUTED), (1.1, Verdict.NOT_REFUTED)):
        result = compare_stored(first, second, claim=PureDP(epsilon, _NEAR), seed=1, false_alarm=0.01)
        assert result.verdict is verdict
        assert result.samples <= 180_000 and result.low is not None and 0.85 < result.low < 1.05
    with pytest.raises(ValueError, match="outputs of widths 1 and 2: must be equal"):
        compare_stored(np.zeros(500), np.zeros((500, 2)), claim=CLAIMS[0], seed=1)
    with pytest.raises(ValueError, match="samples = 198: must be an integer >= 200"):
        compare_stored(np.zeros(99), np.zeros(500), claim=CLAIMS[0], seed=1)


# --- what is said -----------------------------------------------------------------------------------------------------------------------


@given(
    trials=st.integers(200, 50_000),
    share=st.floats(0.0, 1.0),
    rightly=st.floats(0.0, 1.0),
    both=st.booleans(),
    false_alarm=st.sampled_from([0.2, 0.05, 1e-3, 1e-5]),
    claim=st.sampled_from([*CLAIMS, PureDP(0.1, _NEAR), PureDP(40.0, _NEAR), ApproximateDP(0.5, 1e-5, _NEAR), GaussianDP(30.0, _NEAR)]),
)
def test_a_verdict_and_its_numbers_are_one_test(
    trials: int, share: float, rightly: float, both: bool, false_alarm: float, claim: Guarantee
) -> None:
    """Would catch a bound at another rate than the verdict's, a p-value without the leaks, and a "not refuted" without power."""
    guesses = trials if isinstance(claim, GaussianDP) else int(trials * share)
    right = int(guesses * rightly)
    counts = privacy_loss.Counts(trials, right, guesses - right, right, 0, 0, guesses - right, trials // 2)
    event = Event(Coordinate(0), 0.0 if both and not isinstance(claim, GaussianDP) else None, 1.0)
    result = privacy_loss.judge(
        claim, counts, event=event, width=1, false_alarm=false_alarm, mass=share, must_detect=None, samples=2 * trials
    )
    assert result.claimed is not None and result.low is not None and result.estimate is not None and result.high is not None
    refuted = result.verdict is Verdict.REFUTED
    if abs(result.low - result.claimed) > 1e-9 * result.claimed:
        assert refuted == (result.low > result.claimed)
    assert refuted == (result.detail["p_value"] <= design.counting_rate(claim, false_alarm))
    assert result.low <= result.estimate * (1 + 1e-9) + 1e-9
    assert result.estimate <= result.high * (1 + 1e-9) + 1e-9
    assert result.detectable is not None and result.detectable >= result.claimed * (1 - 1e-9)
    if not refuted:
        assert (result.verdict is Verdict.NOT_REFUTED) == (result.detectable <= result.must_detect)
    assert "verified" not in result.message
    assert any("independent draws" in note for note in result.assumed)
    assert result.witness is not None
    assert result.witness["leaks"] == design.leaks(claim, trials, false_alarm, event.low is not None).most
    assert AuditResult.from_json(json.loads(json.dumps(result.to_json(), allow_nan=False))).low == result.low


@pytest.mark.parametrize("false_alarm", [0.05, 1e-3])
@pytest.mark.parametrize(
    "claim", [PureDP(0.7, _NEAR), GaussianDP(0.7, _NEAR), ApproximateDP(0.7, 0.02, _NEAR)], ids=["pure", "mu", "delta"]
)
def test_the_error_rate_summed_over_all_counts(claim: Guarantee, false_alarm: float) -> None:
    """Exactly, without a draw: the probability of a refutation where every guess (that no leak decides) is right as often as the claim
    allows. Would catch a test at twice the rate, a tail that is off by one, and leaks that are half of what delta allows."""
    from scipy.stats import binom

    trials = 300
    event = Event(Coordinate(0), None if isinstance(claim, GaussianDP) else 0.0, 1.0)
    given = {"event": event, "width": 1, "false_alarm": false_alarm, "mass": 1.0, "must_detect": None, "samples": 600}
    refuted = np.array(
        [
            privacy_loss.judge(claim, privacy_loss.Counts(trials, right, trials - right, 0, 0, 0, 0, 150), **given).verdict
            is Verdict.REFUTED
            for right in range(trials + 1)
        ]
    )
    delta = claim.delta if isinstance(claim, ApproximateDP) else 0.0
    rate = delta + (1.0 - delta) * design.right_rate(claim)
    total = float(binom.pmf(np.arange(trials + 1), trials, rate) @ refuted)
    assert total <= false_alarm
    assert total > false_alarm / (50 if delta else 4)


def test_sharp_bounds_at_a_glance() -> None:
    """By hand: 90 of 100 guesses right have the 95 % Clopper-Pearson bound 0.8364 (Beta(90, 11)), so epsilon >= ln(0.8364 / 0.1636)."""
    counts = privacy_loss.Counts(100, 90, 10, 45, 5, 5, 45, 50)
    result = privacy_loss.judge(
        PureDP(1.0, _NEAR),
        counts,
        event=Event(Coordinate(0), 0.0, 1.0),
        width=1,
        false_alarm=0.05,
        mass=1.0,
        must_detect=None,
        samples=300,
    )
    assert result.low == pytest.approx(math.log(0.8364 / 0.1636), abs=2e-3)
    assert result.estimate == pytest.approx(math.log(9.0))


def test_a_gaussian_claim_on_another_family_is_judged_by_what_it_says(scale: Any) -> None:
    """A mu claim bounds the rate of right guesses for every mechanism, whatever its noise: (1 + TV) / 2 <= Phi(mu / 2).

    Laplace noise at epsilon 1 has TV = 1 - exp(-1/2), so mu = 2 Phi^-1((1 + TV) / 2) = 1.0306 is the least claim that guesses cannot
    refute. 20 seeds (100) at 0.1 % each refute it at most once; 0.9 of it is refuted in all.
    """
    from scipy.special import ndtri

    mu = 2.0 * float(ndtri((2.0 - math.exp(-0.5)) / 2.0))
    found = {
        factor: [
            compare(noisy(0.0), noisy(1.0), claim=GaussianDP(factor * mu, _NEAR), samples=100_000, seed=seed, false_alarm=0.001).verdict
            for seed in range(scale.of(20, 100))
        ]
        for factor in (1.0, 0.9)
    }
    assert found[1.0].count(Verdict.REFUTED) <= 1
    assert set(found[0.9]) == {Verdict.REFUTED}


def test_the_posterior_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a verdict that a prior can move: a model that is sure of epsilon 50 changes `detail` alone."""
    from banditproof.audits.models import privacy_loss as model

    monkeypatch.setattr(model, "sample_posterior", lambda **given: {"low": 50.0, "high": 60.0})
    plain = compare(noisy(0.0), noisy(1.0), claim=CLAIMS[0], samples=20_000, seed=1).to_json()
    with_it = compare(noisy(0.0), noisy(1.0), claim=CLAIMS[0], samples=20_000, seed=1, posterior=True).to_json()
    assert with_it["detail"].pop("model") == {"low": 50.0, "high": 60.0}
    assert plain == with_it


# --- floating point ---------------------------------------------------------------------------------------------------------------------


def test_last_bits_refute_numpy_and_smooth_scores_do_not(scale: Any) -> None:
    """Mironov's attack (2012): NumPy's Laplace noise at its true level is refuted by the last bits of its outputs, which is true of it;
    without `float_bits` they are not looked at. The false-alarm rate is 1e-6 a run."""
    samples = scale.of(200_000, 2_000_000)
    for claim in (PureDP(1.0, _NEAR), PureDP(2.0, _NEAR)):
        attacked = compare(noisy(0.0), noisy(1.0), claim=claim, samples=samples, seed=1, false_alarm=1e-6, float_bits=True)
        assert attacked.verdict is Verdict.REFUTED and attacked.low is not None and attacked.low > 5.0
        assert attacked.witness is not None and attacked.witness["event"]["kind"] == "LowestBit"
        smooth = compare(noisy(0.0), noisy(1.0), claim=claim, samples=samples, seed=1, false_alarm=1e-6)
        assert smooth.verdict is not Verdict.REFUTED


def test_last_bits_do_not_refute_noise_without_any(rng: np.random.Generator) -> None:
    """Whole numbers have no bits to leak: would catch an attack that refutes what holds."""

    def whole(answer: float):
        return lambda runs, rng: answer + np.round(rng.geometric(1 - math.exp(-1), runs) - rng.geometric(1 - math.exp(-1), runs))

    result = compare(whole(0.0), whole(1.0), claim=PureDP(1.0, _NEAR), samples=200_000, seed=2, false_alarm=1e-4, float_bits=True)
    assert result.verdict is not Verdict.REFUTED and result.low is not None and result.low > 0.9


# --- a public package -------------------------------------------------------------------------------------------------------------------


def opendp_laplace(data: list[float], runs: int, rng: np.random.Generator) -> Floats:
    """OpenDP's Laplace mechanism, scale 1: the five-line adapter. Its noise comes from the operating system."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    release = dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float), 1.0)
    return np.array(release([data[0]] * runs))


def test_opendp_through_an_adapter(scale: Any) -> None:
    """Same verdict and bound as NumPy's noise, and marked as not to be seeded.

    The draws differ from run to run, so rates are small: each of the three assertions fails by chance with about 1e-6, a bound this low
    included (the least one lies five standard errors below what is expected)."""
    from banditproof.audits.methods.privacy_loss import samplers
    from banditproof.audits.subjects import adapt, repeats

    subject = adapt(opendp_laplace)
    assert not repeats(subject, [0.0], 1)
    samples, broken, least = scale.of((60_000, 0.7, 0.86), (2_000_000, 0.9, 0.98))
    pair = samplers(subject, ([0.0], [1.0]))
    held = compare(*pair, claim=PureDP(1.0, _NEAR), samples=samples, seed=1, false_alarm=1e-6, must_detect=1.5)
    assert held.verdict is Verdict.NOT_REFUTED and held.witness is not None
    right, wrong = held.witness["right"], held.witness["wrong"]
    assert design.loss_of_rate(PureDP(1.0, _NEAR), lower_probability(right, right + wrong, 0.05)) > least
    assert compare(*pair, claim=PureDP(broken, _NEAR), samples=samples, seed=1, false_alarm=1e-6).verdict is Verdict.REFUTED


def test_discrete_laplace_is_judged_here(scale: Any) -> None:
    """Its noise cannot be seeded, so no registered audit records it. The draws differ from run to run; the rates are 1e-6, and the claim
    of 0.8 (0.9 deep) is missed less often than that."""
    from banditproof.algorithms.mechanisms.discrete_laplace import DiscreteLaplace
    from banditproof.audits.methods.privacy_loss import samplers

    mechanism = DiscreteLaplace(1.0, 2)
    pair = samplers(mechanism, mechanism.neighbours().worst[0])
    samples, broken = scale.of((200_000, 0.8), (1_000_000, 0.9))
    for claimed, refuted in ((1.0, False), (broken, True)):
        result = compare(*pair, claim=PureDP(claimed, _NEAR), samples=samples, seed=1, false_alarm=1e-6, float_bits=True)
        assert (result.verdict is Verdict.REFUTED) == refuted


# --- costs ------------------------------------------------------------------------------------------------------------------------------

SCRIPT = """
import numpy as np
from banditproof.audits.methods.privacy_loss import compare
from banditproof.guarantees import PureDP, Relation
def noisy(answer):
    return lambda runs, rng: answer + rng.laplace(0.0, 1.0, {shape})
second = np.zeros({width}); second[-1] = 1.0
for claimed in {claims}:
    result = compare(noisy(0.0), noisy(second), claim=PureDP(claimed, Relation.WITHIN_SENSITIVITY), samples={samples}, seed={seed})
    print(result.verdict.value, result.low, sep=",")
import resource, time
from pathlib import Path
status = Path("/proc/self/status")  # ru_maxrss begins with what the parent held: a pytest worker, which may hold more
peaks = [int(line.split()[1]) for line in (status.read_text().splitlines() if status.exists() else ()) if line.startswith("VmHWM:")]
print(time.process_time(), (peaks or [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss])[0] * 1024, sep=",")
"""


def measured(width: int, samples: int, claims: tuple[float, ...], seed: int) -> tuple[list[tuple[str, float]], float, float]:
    """Verdicts and bounds, processor seconds (imports included) and peak bytes of a fresh process."""
    shape = "runs" if width == 1 else f"(runs, {width})"
    script = SCRIPT.format(shape=shape, width=width, samples=samples, claims=claims, seed=seed)
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    lines = [line.split(",") for line in output.splitlines()]
    return [(verdict, float(low)) for verdict, low in lines[:-1]], float(lines[-1][0]), float(lines[-1][1])


def test_two_million_outputs_of_one_number() -> None:
    """Issue 2: lower bound at least 0.98, within 5 seconds with all imports; a claim of 0.9 is refuted."""
    seconds = math.inf
    for _ in range(3):  # the least of three: the others measure the neighbours on the machine
        found, took, _ = measured(1, 2_000_000, (1.0,), 1)
        assert found[0][0] == "not refuted" and 0.98 <= found[0][1] <= 1.0
        seconds = min(seconds, took)
        if seconds <= 5.0:
            break
    assert seconds <= 5.0
    assert compare(noisy(0.0), noisy(1.0), claim=PureDP(0.9, _NEAR), samples=2_000_000, seed=1).verdict is Verdict.REFUTED


def test_memory_at_twenty_million_narrow_outputs() -> None:
    """Would catch outputs that are held instead of counted cell by cell (160 MB): a hundred times the outputs need no more memory.

    The difference is taken because the libraries alone need 300 to 500 MB, by their versions; the limit for all is 1 GB.
    """
    _, _, few = measured(1, 200_000, (1.0,), 1)
    found, _, most = measured(1, 20_000_000, (1.0,), 1)
    assert most - few < 0.1e9 and most < 1e9 and 0.99 <= found[0][1] <= 1.01


@pytest.mark.parametrize("samples", [200_000, pytest.param(1_000_000, marks=pytest.mark.deep)])
def test_memory_at_wide_outputs(samples: int) -> None:
    """Would catch a copy of all fitting draws for every score: 200 numbers an output."""
    found, _, most = measured(200, samples, (0.8,), 1)
    assert most < 1e9 and found[0][0] == "refuted"
