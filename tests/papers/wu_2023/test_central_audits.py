"""What the audits of PRAE-C compute in closed form, a second way; and that they see what they say they see."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.estimators import central_mean, truncated_mean
from banditproof.algorithms.estimators.central_mean import PrivateCentralMean
from banditproof.algorithms.policies.elimination.kernels import Exploration
from banditproof.audits.methods.pointwise import Pointwise
from banditproof.audits.methods.regret import Regret
from banditproof.audits.papers.wu_2023.cases.central import histogram, privacy, regret
from banditproof.audits.papers.wu_2023.cases.central import radius as radii
from banditproof.audits.running import registry
from banditproof.audits.running.audit import Audit, Request
from banditproof.audits.running.run import run_one
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.tails import lower_probability, upper_probability

CASES = "banditproof.audits.papers.wu_2023.cases"
MODULES = tuple(f"{CASES}.central.{name}" for name in ("agreement", "privacy", "histogram", "radius", "regret"))
MINE = sorted(audit.id for place, audit in registry.walk(CASES, Audit) if place.rsplit(".", 1)[0] in MODULES)
QUICK = 5e-5  # of each audit: about the fraction of one in a whole run of the registry
SURELY = 1e-6  # false-alarm rate of each comparison of draws


def require_rate(hits: int, draws: int, rate: float, detects: float) -> None:
    """The exact interval holds the rate, and is no wider than `detects` on either side."""
    low, high = lower_probability(hits, draws, SURELY), upper_probability(hits, draws, SURELY)
    assert low <= rate <= high, f"{hits} of {draws} is not {rate}"
    assert max(high - hits / draws, hits / draws - low) <= detects


def require_equal_rates(hits: int, others: int, draws: int, detects: float) -> None:
    """The exact intervals of two samples meet."""
    require_rate(hits, draws, hits / draws, detects)
    assert lower_probability(hits, draws, SURELY) <= upper_probability(others, draws, SURELY)
    assert lower_probability(others, draws, SURELY) <= upper_probability(hits, draws, SURELY)


# --- privacy ----------------------------------------------------------------------------------------------------------------------------


def winner(frequencies: list[float], place: int, scale: float) -> float:
    """P(this frequency + noise is the largest), by quadrature."""

    def below(x):
        return mpmath.exp(x) / 2 if x <= 0 else 1 - mpmath.exp(-x) / 2

    def density(y):
        others = (below(y + (frequencies[place] - other) / scale) for each, other in enumerate(frequencies) if each != place)
        return mpmath.exp(-abs(y)) / 2 * mpmath.fprod(others)

    kinks = sorted({0.0, *((other - frequencies[place]) / scale for other in frequencies)})
    return float(mpmath.quad(density, [-mpmath.inf, *kinks, mpmath.inf]))


@pytest.mark.parametrize(("pad", "fold"), [(False, 2), (True, 3)])
def test_the_exact_loss_of_an_estimate_by_brute_force(pad: bool, fold: int) -> None:
    """Would catch a bin, a direction or a tail that the closed form leaves out: both densities by quadrature, on a fine grid of means."""
    mechanism = PrivateCentralMean(1.3, 4.0, 2.0, 3.0, pad)
    low, number = central_mean.first_bin(4.0, 2.0, pad=pad), central_mean.bins(4.0, 2.0, pad=pad)
    scale = truncated_mean.noise_scale(fold, 1.3, truncation=3.0)
    grid = np.linspace(-40.0, 40.0, 4_001)
    for name, pair in privacy.pairs_of(mechanism, fold).items():
        losses = []
        for place in range(number):
            logs = []
            for data in pair:
                chance = winner(mechanism.bin_frequencies(data).tolist(), place, central_mean.bin_noise_scale(fold, 1.3))
                kept = [value - (low + 2.0 * place) for value in data[fold:] if abs(value - (low + 2.0 * place)) <= 3.0]
                logs.append(math.log(chance) - np.abs(grid - (low + 2.0 * place + sum(kept) / fold)) / scale)
            losses.append(np.abs(logs[0] - logs[1]).max())
        assert privacy.loss_of_estimate(mechanism, pair) == pytest.approx(max(losses), abs=1e-6), name


def test_the_exact_losses_are_within_the_claim_and_some_reach_it() -> None:
    """Would catch an accusation by the closed form, and pairs that tell nothing."""
    for epsilon, pad, fold in itertools.product((0.1, 1.0, 4.0), (False, True), (1, 2, 5)):
        mechanism = PrivateCentralMean(epsilon, 6.0, 2.5, 10.0, pad)
        losses = {name: privacy.loss_of_estimate(mechanism, pair) for name, pair in privacy.pairs_of(mechanism, fold).items()}
        assert max(losses.values()) <= epsilon * (1.0 + 1e-9)
        assert losses["M to -M"] == pytest.approx(losses["-M to M"], rel=1e-12) == pytest.approx(epsilon, rel=1e-9)
        assert losses["just above M to -M"] == pytest.approx(0.5 * epsilon, rel=1e-9)
        assert 0.4 * epsilon < losses["one bin to another"] == pytest.approx(losses["another bin to this one"], rel=1e-12)


def test_runs_release_what_the_pair_changes() -> None:
    """Would catch a pair that no release reads, and rounds in which nothing of it shows: the first differing release is the batch's."""
    for policy in (privacy.WHITE, replace(privacy.WHITE, exploration=Exploration.GREEDY, threshold_factor=1.0)):
        first = privacy.first_of(policy, 64)
        for name in ("M to -M", "one bin to another"):
            runs, exact = privacy.run_on(policy, name)
            assert exact > 0.5
            one, other = (runs.release(data, 400, np.random.default_rng(3)) for data in runs.neighbours().worst[0])
            differs = np.flatnonzero((one != other).any(axis=0))
            assert differs.size > 0
            rounds = [runs.rounds[column // 3] for column in differs]
            assert min(rounds) == first.start + 2 * first.fold - 1


# --- coverage ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pad", [False, True])
def test_releases_from_counts_are_those_of_the_mechanism(pad: bool) -> None:
    """Would catch a fold, a scale or an order of the noise that is not the algorithm's: the same numbers from the same generator."""
    mechanism, fold = PrivateCentralMean(0.7, 6.5, 3.0, 5.0, pad), 40
    for mean in (-6.5, -1.0, 0.0, 6.5):
        centres, means = histogram.constant(mean).releases(mechanism, fold, 50, np.random.default_rng(1))
        own = mechanism.release([mean] * (2 * fold), 50, np.random.default_rng(1))
        np.testing.assert_allclose(np.stack([centres, means], axis=1), own, rtol=1e-12, atol=1e-12)


def test_releases_from_counts_have_the_distribution_of_the_mechanism(rng) -> None:
    """Would catch counts that are not those of independent rewards."""
    mechanism, fold, runs = PrivateCentralMean(1.0, 6.5, 3.0, 5.0), 6, 20_000
    distribution = histogram.rare(0.4, 3.0, 1.0)
    centres, means = distribution.releases(mechanism, fold, runs, rng)
    own = np.concatenate(
        [mechanism.release(rng.choice(np.array(distribution.values), 2 * fold, p=distribution.chances), 1, rng) for _ in range(runs)]
    )
    for place in np.unique(own[:, 0]):
        require_equal_rates(int((centres == place).sum()), int((own[:, 0] == place).sum()), runs, detects=0.04)
    for level in (0.1, 0.5, 0.9):
        at = float(np.quantile(own[:, 1], level))
        require_equal_rates(int((means <= at).sum()), int((own[:, 1] <= at).sum()), runs, detects=0.04)


@given(mean=st.floats(-20.0, 20.0), distance=st.floats(0.1, 30.0), side=st.sampled_from([-1.0, 1.0]))
def test_rare_distributions_are_extremal(mean: float, distance: float, side: float) -> None:
    """Would catch a distribution outside the class, or one with room left: its variance is 1."""
    distribution = histogram.rare(mean, distance, side)
    values, chances = np.array(distribution.values), np.array(distribution.chances)
    assert chances.sum() == pytest.approx(1.0)
    assert values @ chances == pytest.approx(mean, abs=1e-9)
    assert ((values - mean) ** 2) @ chances == pytest.approx(1.0, rel=1e-9)


def test_exact_sums_agree_with_draws(rng) -> None:
    """Would catch a wrong term of the exact sums: the same failures drawn."""
    radius = Fraction(1, 5)
    stated = histogram.histogram_error(10, 2.0, 0.1, False, 4)
    fails = histogram.bins_outside(stated, (0.5, 0.5, 0.0, 0.0), float(radius))(40_000, rng)
    require_rate(int(fails.sum()), 40_000, float(histogram.two_bins(Fraction(2), 4, 10, radius)), detects=0.02)
    distribution = radii.SecondFold(
        6, Fraction(3), Fraction(1, 10), Fraction(-4), Fraction(8), Fraction(4, 3), Fraction(1, 10), Fraction(4)
    )
    drawn = np.where(rng.random((40_000, 6)) < 0.1, 3.0, -1.0 / 3.0)
    drawn = np.where(rng.random((40_000, 6)) < 0.1, 4.0, drawn)
    means = -4.0 + np.where(np.abs(drawn + 4.0) <= 8.0, drawn + 4.0, 0.0).mean(axis=1) + rng.laplace(0.0, 4.0 / 3.0, 40_000)
    require_rate(int((np.abs(means) > 1.5).sum()), 40_000, float(distribution.failure(Fraction(3, 2))), detects=0.02)


@pytest.mark.parametrize("pad", [False, True])
def test_the_winning_bin_in_closed_form_agrees_with_draws(pad: bool, rng) -> None:
    """Would catch a bin counted near that is far: at a fold so small that it often fails."""
    of = replace(histogram.setup(10.3 * histogram.CLEAN_WIDTH, pad), fold=4)
    for mean in histogram.grid(of.mechanism.range)[::5]:
        drawn = histogram.far_winner(of)(histogram.constant(mean), 20_000, rng)
        require_rate(int(drawn.sum()), 20_000, histogram.chance_of_far_winner(of, mean), detects=0.04)


# --- regret -----------------------------------------------------------------------------------------------------------------------------


def test_a_policy_at_random_plays_the_worse_arm_half_of_the_time() -> None:
    """Would catch a fraction of something else than the two regrets: 1/8 by the statement, and 1/2 where the problems look alike."""
    assert regret.fraction_of_worse_rounds(Fraction(1, 2), 500) == pytest.approx(0.125)
    fails = regret.worse_arm(regret.MedianUCB(1.0), Fraction(1, 2), regret.OUTLIERS, 200)(4_000, np.random.default_rng(2))
    require_rate(int(fails.sum()), 4_000, 0.5, detects=0.08)


# --- all of them ------------------------------------------------------------------------------------------------------------------------


REFUTING = {id for id in MINE if registry.find(id).expected is Verdict.REFUTED}


@pytest.mark.parametrize("id", [id if id in REFUTING else pytest.param(id, marks=pytest.mark.deep) for id in MINE])
def test_each_audit_detects_what_it_must_at_the_quick_level(id: str) -> None:
    """Would catch a false form that is no longer refuted, and, under --deep, an audit without power and one that accuses what is true:
    `make verify` judges all of them anyway."""
    audit = registry.find(id)
    if isinstance(audit.method, Pointwise):
        return  # nothing drawn: certified or refuted, in the run of the whole registry
    result = run_one(audit, Request(QUICK, 7, audit.seed_path)).result.measured
    if audit.expected is not None:
        assert result.verdict is audit.expected, result.message
        return
    assert result.verdict in (Verdict.NOT_REFUTED, Verdict.RATE_ONLY, Verdict.VACUOUS), result.message
    small = "range=6.325" in audit.label or "range=6.5, contamination=0.02" in audit.label
    vacuous = "contamination 1/50" in audit.label or (isinstance(audit.method, Regret) and small)
    assert (result.verdict is Verdict.VACUOUS) == vacuous, result.message
