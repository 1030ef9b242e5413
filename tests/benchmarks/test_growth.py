"""Growth of cost: the shipped methods by counted work, mistakes that must be found, and the statistics of fitted exponents."""

import numpy as np
import pytest

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.interaction import Pipeline, Wire
from banditproof.randomness import key_of
from banditproof.simulation import play, stream
from benchmarks import counted as shipped
from benchmarks.growth import powers, traced_peak
from benchmarks.runner.cases import Growth, Scale
from benchmarks.runner.counting import counted, growths, lines_of
from benchmarks.runner.fits import LEVEL, REPEATS, Exponent, fitted, lower_bound, power_of, slope
from tests.benchmarks import planted


def test_no_shipped_method_grows_faster_than_it_should() -> None:
    """Counted work of whole runs, step by step and in the loops that play what is not recorded. Would catch a loop over the rounds so far,
    and an inversion or a sort in every round."""
    found = [fitted(growth, Scale.FULL) for growth in shipped.cases(Scale.FULL)]
    assert len(found) >= 24
    assert not [exponent.complaint() for exponent in found if exponent.exceeds()]


def test_planted_mistakes_are_found() -> None:
    """A copy of the whole history in every round, and an inversion in every round. Would catch a count that does not see the work."""
    found = {growth.name: fitted(growth, Scale.FULL) for growth in growths("tests.benchmarks.planted", planted.WORKS)}
    assert {name: exponent.exceeds() for name, exponent in found.items()} == dict.fromkeys(planted.WORKS, True)
    assert "copied_history: cost grows as T^1." in found["copied_history"].complaint()
    assert "must be <= 2 (O(K d^2) per round)" in found["inverted_each_round"].complaint()


def test_memory_that_grows_is_found() -> None:
    """A run in blocks keeps one block; one that records its arms keeps them all. Would catch a peak that misses NumPy's arrays."""
    pipeline, key, sizes = Pipeline(UCB1(), Bernoulli((0.2, 0.8))), key_of(17), powers(16, 18)

    def streamed(rounds: int):
        return lambda: traced_peak(lambda: all(block.horizon for block in stream(pipeline, horizon=rounds, key=key, block=1 << 14)))

    def recorded(rounds: int):
        return lambda: traced_peak(lambda: play(pipeline, horizon=rounds, key=key, record=(Wire.ARMS,)))

    kept, grown = (fitted(Growth("memory", "T", sizes, work, 0.0, "one block", counts=True), Scale.QUICK) for work in (streamed, recorded))
    assert not kept.exceeds(), kept.complaint()
    assert grown.exceeds()
    assert grown.measured > 0.5


def test_times_that_grow_as_they_may_are_rarely_refused(rng: np.random.Generator) -> None:
    """False alarms at exactly the allowed exponent, whose probability is LEVEL = 0.001 for Gaussian slopes: of 10,000 fits at most 26
    (the binomial's quantile at 1e-5), and at least 1 (with probability 1 - 5e-5).
    Would catch a two-sided quantile, and a bound that uses the deviation of one slope."""
    slopes = rng.normal(1.0, 0.05, (10_000, REPEATS[Scale.FULL]))
    assert LEVEL * len(slopes) == 10.0
    assert 1 <= sum(lower_bound(each.tolist()) > 1.0 for each in slopes) <= 26


def test_times_that_grow_too_fast_are_found(rng: np.random.Generator) -> None:
    """With a scatter of 0.02, six repeats find an excess of 0.1 with power above 0.99. Would catch a bound that is too wide."""
    found = [lower_bound(rng.normal(1.1, 0.02, REPEATS[Scale.FULL]).tolist()) > 1.0 for _ in range(300)]
    assert np.mean(found) > 0.99


def test_slopes() -> None:
    """Closed forms. Would catch sizes and costs the wrong way round, and n log n taken for n."""
    sizes = (4, 8, 32)
    assert slope(sizes, [3.0 * size**1.7 for size in sizes]) == pytest.approx(1.7)
    assert power_of(lambda size: size * np.log2(size), (4, 8)) == pytest.approx(np.log2(24 / 8))
    assert lower_bound([1.25]) == 1.25
    with pytest.raises(ValueError, match="must be at least two of each"):
        slope((4,), [1.0])
    with pytest.raises(ValueError, match="costs > 0"):
        slope((4, 8), [1.0, 0.0])


def test_what_is_counted() -> None:
    """Would catch a count of calls, of the caller's lines, or of only the outermost function."""

    def inner(times: int) -> None:
        for _ in range(times):
            pass

    def work(times: int):
        return lambda: inner(times)

    assert lines_of(work(200)) - lines_of(work(100)) == 200
    with pytest.raises(RuntimeError, match="counting the lines of nowhere: exit code 1"):
        counted("nowhere")


def test_a_cost_that_is_no_number_is_refused() -> None:
    """Would catch work that was meant to be timed."""
    with pytest.raises(TypeError, match="must be a number"):
        fitted(Growth("wrong", "T", (1, 2), lambda size: lambda: None, 1.0, "", counts=True), Scale.QUICK)


def test_timed_growth() -> None:
    """Would catch a fit on the wrong clock or on preparation: work of size n^2 against an allowance of 1."""

    def squares(size: int):
        numbers = list(range(size))
        return lambda: [left + right for left in numbers for right in numbers]

    found: Exponent = fitted(Growth("squares", "n", (100, 200, 400, 800), squares, 1.0, "linear"), Scale.FULL)
    assert found.exceeds()
    assert found.sizes == (100, 200, 400, 800)
