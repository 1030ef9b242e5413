"""What the audits compute beside the shipped code: exact binomial sums, the distribution of a noise sum, variances, two sizes."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.charisopoulos_2023.cases import coverage, designs, maxima, positions, recomputed
from banditproof.audits.papers.charisopoulos_2023.sized import Sized
from banditproof.audits.running.audit import Level, Recheck, Request


@pytest.mark.parametrize(("samples", "probability", "least", "most"), [(30, "1/5", 3, 9), (1000, "1/20", 40, 60), (7, "1/2", 0, 7)])
def test_binomial_sums_are_exact(samples, probability, least, most):
    """Would catch a weight that is left out at an end, and one that is rounded."""
    exact = Fraction(probability)
    expected = stats.binom.cdf(most, samples, float(exact)) - stats.binom.cdf(least - 1, samples, float(exact))
    assert float(positions.between(samples, exact, least, most)) == pytest.approx(expected, rel=1e-10)
    assert positions.between(samples, exact, 0, samples) == 1


def test_noise_sum_without_privacy_is_gaussian():
    """Would catch an integral that is cut off too early: P(|N(0, 1)| > 2)."""
    for owners in (False, True):
        batch = coverage.Batch(100.0, coverage.NONE, owners)
        assert coverage.exceeding(batch, 2.0 * coverage.deviation(batch)) == pytest.approx(2.0 * stats.norm.sf(2.0), abs=1e-6)


def test_noise_sum_of_one_report_is_that_of_its_two_terms():
    """One report of one arm at epsilon = 2: P(|N(0, 1) + Lap(1)| > r) by integrating over the Gaussian term. Would catch a wrong scale."""

    class One(coverage.Batch):
        """One play of one arm of length 1."""

        counts = np.array([1])
        coefficients = np.array([1.0])

    radius, grid = 2.5, np.linspace(-12.0, 12.0, 200_001)
    beyond = np.where(np.abs(grid) >= radius, 1.0 - np.exp(-np.abs(grid) + radius) / 2.0, np.exp(np.abs(grid) - radius) / 2.0)
    beyond = beyond + np.exp(-np.abs(grid) - radius) / 2.0
    expected = float(np.trapezoid(beyond * stats.norm.pdf(grid), grid))
    assert coverage.exceeding(One(1.0, 2.0, count=1, dimension=1), radius) == pytest.approx(expected, abs=1e-5)


def test_maximum_of_many_tails():
    """Would catch the union bound in place of the maximum: 1 - (1 - p)^n."""
    for tail, count in ((Fraction(1, 3), 4), (Fraction(1, 10**6), 10**4)):
        assert float(maxima.any_of(tail, count)) == pytest.approx(-math.expm1(count * math.log1p(-float(tail))), rel=1e-9)
    assert float(maxima.gaussian_tail(Fraction(2))) == pytest.approx(2.0 * stats.norm.sf(2.0), rel=1e-14)


def test_largest_variance_is_that_of_the_definition():
    """Unit vectors of weights 3/4 and 1/4: 1/(1/4) = 4. Would catch scaled coordinates that change it, and a direction that is missing."""
    arms = np.array([[1.0, 0.0], [0.0, 1e-5]])
    assert designs.largest_variance(arms, np.array([0.75, 0.25]), 2) == pytest.approx(4.0, rel=1e-12)
    assert designs.largest_variance(arms, np.array([1.0, 0.0]), 2) == math.inf


def test_root_is_whole_or_refused():
    assert recomputed.root_of(Fraction(10**8), Fraction(8)) == 10
    with pytest.raises(ValueError, match="must be a power 3 of a whole number"):
        recomputed.root_of(Fraction(10), Fraction(3))


def _points(count):
    return Pointwise(lambda: [At({"x": place}, 1, 2) for place in range(count)], f"{count} points", "value")


def test_two_sizes_are_measured_and_rechecked_at_their_own():
    """Would catch a level that measures the other size, and a second look at another size than the first."""
    sized = Sized(_points(2), _points(5))
    for level, size in ((Level.QUICK, 2), (Level.STANDARD, 5), (Level.DEEP, 5)):
        found = sized.measure(Request(1e-5, 1, ("x",), level))
        assert found.samples == size == sized.recheck(found, Recheck(2, ("x",))).samples
