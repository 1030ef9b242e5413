"""The PyMC posterior of a privacy loss: it agrees with the Beta form that it has, and its chains say when they do not."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from banditproof.audits.models import privacy_loss
from banditproof.audits.models.privacy_loss import CHAINS, DRAWS, sample_posterior
from banditproof.audits.privacy.comparison import with_model
from banditproof.audits.privacy.events import Coordinate, Event
from banditproof.audits.privacy.witness import PrivacyWitness
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.audits.statistics.tails import binomial_tail
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.randomness import key_of


def beta_quantiles(quantity: str, right: int, wrong: int, leaked: float, levels: list[float]) -> list[float]:
    """Of the loss: the rate of right guesses that did not leak has a uniform prior; with leaks, by the density on a grid of a million."""
    from scipy.special import betaincinv, ndtri

    if leaked == 0.0:
        rates = [float(betaincinv(right + 1, wrong + 1, level)) for level in levels]
    else:
        fraction = leaked / (right + wrong)
        grid = (np.arange(1_000_000) + 0.5) / 1_000_000
        log = right * np.log(fraction + (1 - fraction) * grid) + wrong * np.log1p(-fraction - (1 - fraction) * grid)
        total = np.cumsum(np.exp(log - log.max()))
        rates = [float(grid[np.searchsorted(total, level * total[-1])]) for level in levels]
    return [2.0 * float(ndtri(rate)) if quantity == "mu" else math.log(rate / (1.0 - rate)) for rate in rates]


CASES: list[tuple[str, Callable[[np.random.Generator], tuple[int, int, float]]]] = [
    ("epsilon", lambda rng: (int(rng.integers(2_000, 90_000)), int(rng.integers(500, 40_000)), 0.0)),
    ("epsilon", lambda rng: (int(rng.integers(5, 60)), int(rng.integers(0, 4)), 0.0)),
    ("mu", lambda rng: (int(rng.integers(50_000, 90_000)), int(rng.integers(20_000, 40_000)), 0.0)),
    ("epsilon", lambda rng: (int(rng.integers(600, 900)), int(rng.integers(200, 400)), 120.0)),
]


@pytest.mark.parametrize(("quantity", "draw"), CASES, ids=["many guesses", "few guesses", "mu", "leaks"])
def test_posterior_agrees_with_its_closed_form(quantity: str, draw: Any, rng: np.random.Generator, scale: Any) -> None:
    """Would catch a prior that is not uniform on the rate, a loss with the wrong sign or factor, and leaks that are not taken off.

    Quantiles of the draws are compared at the Monte Carlo error of an effective size of at least 400: the level of each sampled quantile
    lies within 5 standard errors, so a fair model fails with less than 1e-5; a shift by half a posterior standard deviation is seen surely.
    """
    for repetition in range(scale.of(1, 5)):
        right, wrong, leaked = draw(rng)
        found = sample_posterior(quantity=quantity, right=right, wrong=wrong, leaked=leaked, key=key_of(repetition, "model"))
        assert found["r_hat"] < 1.01 and found["divergences"] == 0 and found["draws"] == CHAINS * DRAWS
        assert min(found["ess_bulk"], found["ess_tail"]) > 400
        for name, level in (("low", 0.05), ("median", 0.5), ("high", 0.95)):
            error = 5.0 * math.sqrt(level * (1.0 - level) / found["ess_tail" if name != "median" else "ess_bulk"])
            low, high = beta_quantiles(quantity, right, wrong, leaked, [max(level - error, 1e-4), min(level + error, 1 - 1e-4)])
            assert low <= found[name] <= high, (name, right, wrong)


@pytest.mark.deep
def test_the_posterior_is_calibrated(rng: np.random.Generator) -> None:
    """Losses are drawn from the prior and guesses from the losses: the 90 % interval holds the loss in nine of ten, by both ends alike.

    200 repetitions are held to what 5 % at each end gives but for one part in 10,000; intervals that hold only 77 % would pass with at most
    one part in ten. Would catch an interval of another mass, and one end that is always too far in.
    """
    below, above, repetitions = 0, 0, 200
    for repetition in range(repetitions):
        loss, guesses = float(rng.logistic()), int(rng.integers(10, 2_000))
        right = int(rng.binomial(guesses, 1.0 / (1.0 + math.exp(-loss))))
        found = sample_posterior(quantity="epsilon", right=right, wrong=guesses - right, key=key_of(repetition, "calibration"))
        below, above = below + (loss < found["low"]), above + (loss > found["high"])
    assert binomial_tail(below, repetitions, 0.05) > 1e-4 and binomial_tail(above, repetitions, 0.05) > 1e-4
    assert binomial_tail(below + above, repetitions, 0.1) > 1e-4


def test_the_key_decides_the_draws() -> None:
    """Would catch a sampler that is seeded by the clock, and a key of which half is thrown away."""
    once, again, other = (sample_posterior(right=300, wrong=100, key=np.array([1, word], dtype=np.uint64)) for word in (2, 2, 3))
    assert once == again and once["mean"] != other["mean"]


@pytest.mark.parametrize("quantity", ["epsilon", "mu"])
def test_what_was_sampled_before_changes_nothing(quantity: str) -> None:
    """Would catch a compiled step that keeps its tuning, its generator or its counts for the next posterior: results would depend on which
    audits a worker happened to have run."""
    asked: dict[str, Any] = {"right": 300, "wrong": 100, "quantity": quantity, "key": key_of(5)}
    privacy_loss._built.cache_clear()
    once = sample_posterior(**asked)
    sample_posterior(right=90_000, wrong=2_000, quantity=quantity, leaked=50.0, key=key_of(6))
    assert sample_posterior(**asked) == once


def test_nothing_to_learn_from_is_refused() -> None:
    for counts in ({"right": 0, "wrong": 0}, {"right": 3, "wrong": 0, "leaked": 3.0}, {"right": 3, "wrong": 1, "leaked": -1.0}):
        with pytest.raises(ValueError, match="some guess must be left beside the leaks"):
            sample_posterior(key=key_of(1), **counts)  # type: ignore[arg-type]


@pytest.mark.parametrize(("right", "expected"), [(0, 0.0), (30, 40.0)])
def test_an_audit_without_a_guess_has_no_model(right: int, expected: float) -> None:
    """Would catch an audit that crashes under --posterior because its event never spoke, or no more often than delta does."""
    claim, event = PureDP(1.0, NeighbouringRelation.ANY_PAIR), Event(Coordinate(0), None, 1.0)
    witness = PrivacyWitness(claim, event, 1, 1_000, right, 0, leaks=0, leaks_expected=expected)
    measured = Measurement(Verdict.INCONCLUSIVE, quantity="epsilon", witness=witness)
    assert with_model(measured, 1, ()) is measured
