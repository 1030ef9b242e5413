"""Robust least squares, the rules for lambda, and the estimators to compare with: identities, dense computations, golden values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.estimators.linear.baselines import ClippedLeastSquares, LeastSquares, TrimmedLeastSquares
from banditproof.algorithms.estimators.linear.protocol import LinearEstimator, least_squares
from banditproof.algorithms.estimators.linear.robust_least_squares import FilteredLeastSquares, robust_least_squares, whiten
from banditproof.algorithms.estimators.linear.variance_bound import (
    BoundRule,
    VarianceBound,
    explicit_single_report_bound,
    mean_report_bound,
    proof_bound,
    range_bound,
    second_moment_bound,
    single_report_bound,
)
from banditproof.algorithms.estimators.spectral_filter.common import Method
from banditproof.randomness import key_of

KEY = key_of(17, "robust least squares")
NOTHING = VarianceBound(BoundRule.GIVEN, value=math.inf)
ESTIMATORS: tuple[LinearEstimator, ...] = (
    LeastSquares(),
    ClippedLeastSquares(5.0),
    TrimmedLeastSquares(0.2),
    FilteredLeastSquares(VarianceBound(BoundRule.RANGE, report_bound=3.0)),
)


def drawn(rng, samples=400, arms=7, dimension=3):
    """Arms of length at most 1, an index that reaches each of them, and reports with noise of size 1."""
    rows = rng.normal(size=(arms, dimension))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    index = np.concatenate([np.arange(arms), rng.integers(0, arms, samples - arms)])
    parameter = rng.normal(size=dimension) / 3.0
    return rows, index, rows[index] @ parameter + rng.normal(size=samples), parameter


def inverse_root(matrix):
    values, vectors = np.linalg.eigh(matrix)
    return vectors @ np.diag(values**-0.5) @ vectors.T


def test_without_removals_it_is_least_squares(rng):
    """With many reports per arm (M1) and with one (M2). Would catch a missing factor n, a root that is not inverse, wrong counts."""
    arms, index, reports, _ = drawn(rng)
    for places, values in ((index, reports), (np.arange(7), reports[:7])):
        found = robust_least_squares(arms, places, values, NOTHING, KEY)
        dense = np.linalg.lstsq(arms[places], values, rcond=None)[0]
        assert len(found.filtered.removed) == 0
        assert found.theta == pytest.approx(dense, rel=1e-11)
        assert LeastSquares().estimate(arms, places, values, KEY) == pytest.approx(dense, rel=1e-11)


def test_least_squares_of_many_runs(rng):
    """Would catch reports of one run that count in another, counts of all runs together, and an arm without reports that is one."""
    arms, index, _, _ = drawn(rng, samples=20)
    every, reports = np.vstack([arms, arms[:1]]), rng.normal(size=(5, 20))
    found = least_squares(every, index, reports)
    assert found.shape == (5, 3)
    for each, theta in zip(reports, found, strict=True):
        assert theta == pytest.approx(np.linalg.lstsq(arms[index], each, rcond=None)[0], rel=1e-10)
    for wrong in (reports[:, 1:], reports[:0], reports[None]):
        with pytest.raises(ValueError, match="of shape"):
            least_squares(every, index, wrong)


def test_whitening_against_dense_matrices(rng):
    """Would catch a Gram matrix without counts, and a leverage of the arms with reports alone: the last arm has none and is the longest."""
    arms, index, _, _ = drawn(rng)
    every = np.vstack([arms, 3.0 * arms[:1]])
    gram = sum(np.outer(arms[place], arms[place]) for place in index)
    found = whiten(every, index)
    assert found.root == pytest.approx(inverse_root(gram), rel=1e-11)
    assert found.directions == pytest.approx(every @ inverse_root(gram), rel=1e-10, abs=1e-14)
    assert found.leverage == pytest.approx(max(row @ np.linalg.solve(gram, row) for row in every), rel=1e-11)
    owners = whiten(arms, np.arange(7))
    assert owners.root @ owners.root == pytest.approx(np.linalg.inv(arms.T @ arms), rel=1e-10)


def test_reports_that_the_filter_removes(rng):
    """theta = n M_n^-1/2 (mean of the kept whitened points), by dense matrices; and it is near theta*. Would catch |S| in place of n.

    One report of 6000 among 3000 makes u exceed 4 lambda, so that all of them go."""
    arms, index, reports, parameter = drawn(rng, samples=3000)
    bad = rng.random(3000) < 0.1
    reports[bad] = 6000.0
    found = robust_least_squares(arms, index, reports, VarianceBound(BoundRule.RANGE, report_bound=2.0), KEY)
    kept = np.setdiff1d(np.arange(3000), found.filtered.removed)
    gram = arms[index].T @ arms[index]
    dense = 3000 / len(kept) * np.linalg.solve(gram, (arms[index[kept]] * reports[kept, None]).sum(axis=0))
    assert found.theta == pytest.approx(dense, rel=1e-10)
    assert set(np.flatnonzero(bad)) <= set(found.filtered.removed) and len(found.filtered.removed) < 1.1 * np.count_nonzero(bad)
    assert np.abs(arms @ (found.theta - parameter)).max() < 0.4 < np.abs(arms @ (least_squares(arms, index, reports) - parameter)).max()


@given(st.integers(0, 2**32), st.integers(1, 5), st.integers(1, 30), st.floats(0.0, 6.0))
def test_the_observed_lambda_removes_nothing(seed, dimension, samples, decades):
    """The top eigenvalue is at most lambda, a quarter of where the filter stops: whatever is reported, the estimate is least squares."""
    rng = np.random.default_rng(seed)
    arms = rng.normal(size=(dimension + 2, dimension))
    index = np.concatenate([np.arange(dimension + 2), rng.integers(0, dimension + 2, samples)])
    reports = rng.standard_cauchy(index.size) * 10.0 ** (decades * rng.random(index.size))
    found = robust_least_squares(arms, index, reports, VarianceBound(BoundRule.OBSERVED), KEY)
    assert len(found.filtered.removed) == 0
    assert found.filtered.top_eigenvalue <= found.filtered.variance_bound * (1.0 + 1e-12)


def test_rules_for_lambda_against_dense_computations(rng):
    """Would catch reports where clean reports are meant, 1 - alpha upside down, a bound that is not squared."""
    arms, index, clean, _ = drawn(rng)
    reports = np.where(rng.random(400) < 0.1, 9.0, clean)
    leverage = np.diag(arms @ np.linalg.inv(arms[index].T @ arms[index]) @ arms.T).max()
    expected = {
        VarianceBound(BoundRule.OBSERVED): leverage * np.mean(reports**2),
        VarianceBound(BoundRule.CLEAN): leverage * np.mean(clean**2),
        VarianceBound(BoundRule.PROOF, corruption=0.2): 2.5 * leverage * np.mean(clean**2),
        VarianceBound(BoundRule.RANGE, report_bound=3.0): 9.0 * leverage,
        VarianceBound(BoundRule.GIVEN, value=0.125): 0.125,
    }
    for bound, value in expected.items():
        found = robust_least_squares(arms, index, reports, bound, KEY, clean_reports=clean)
        assert found.filtered.variance_bound == pytest.approx(value, rel=1e-11), bound.rule
    assert second_moment_bound(2.0, [3.0, 4.0]) == 25.0
    assert proof_bound(2.0, [3.0, 4.0], 0.2) == pytest.approx(62.5, rel=1e-15)
    assert range_bound(2.0, 3.0) == 18.0


def test_golden_values_of_the_report_bounds():
    # log(n / delta) = 4 at n = 1, delta = e^-4: 1 + 2 + 16 / 8
    assert single_report_bound(1, 8.0, failure=math.exp(-4.0)) == pytest.approx(5.0, rel=1e-14)
    # n counts: log(3 / (3 e^-4)), and c_max = 5
    assert single_report_bound(3, math.inf, failure=3.0 * math.exp(-4.0), maximum_constant=5.0) == pytest.approx(11.0, rel=1e-14)
    # log(4 n / delta) = 8, log(2 n / delta) = 8 - ln 2: 1 + 4 + 2 (8 - ln 2)
    assert explicit_single_report_bound(2, 1.0, failure=8.0 * math.exp(-8.0)) == pytest.approx(19.6137056388801094, rel=1e-14)
    # log(k / delta) / N = 1: 1 + 3 + 4 / 2
    assert mean_report_bound(5, 2.0, failure=5.0 * math.exp(-4.0), least_count=4.0, maximum_constant=3.0) == pytest.approx(6.0, rel=1e-14)


def test_the_explicit_report_bound_covers(rng):
    """With clean reports <a, theta*> = 1 and Laplace noise of scale 2 / epsilon. Would catch a scale of 1 / epsilon: then half of all
    repetitions exceed the bound."""
    samples, epsilon, failure, repetitions = 200, 1.0, 0.1, 2000
    reports = 1.0 + rng.normal(size=(repetitions, samples)) + rng.laplace(0.0, 2.0 / epsilon, (repetitions, samples))
    exceeded = np.count_nonzero(np.abs(reports).max(axis=1) > explicit_single_report_bound(samples, epsilon, failure=failure))
    assert stats.binomtest(exceeded, repetitions, failure, alternative="greater").pvalue > 1e-6


def test_trimmed_means_against_scipy(rng):
    """On basis arms theta is the arms' trimmed means. Would catch other cuts than SciPy's, and sorting across arms."""
    index = np.repeat([2, 0, 1], [25, 10, 4])
    reports = rng.standard_cauchy(39)
    found = TrimmedLeastSquares(0.2).estimate(np.eye(3), index, reports, KEY)
    assert found == pytest.approx([stats.trim_mean(reports[index == arm], 0.2) for arm in range(3)], rel=1e-12)


def test_a_fraction_of_a_sample_is_what_it_is_in_decimals():
    """As it was found: 0.29 of 100 were 28, so one of 29 outliers stayed. All but one are never too many."""
    for fraction, size in ((0.29, 100), (0.35, 180), (0.499999, 5)):
        outliers = round(fraction * size) if size > 5 else 2
        reports = [0.0] * (size - outliers) + [1e6] * outliers
        assert TrimmedLeastSquares(fraction).estimate([[1.0]], [0] * size, reports, KEY).item() == 0.0


def test_trimmed_means_are_weighted_by_counts(rng):
    """More arms than dimensions, nothing trimmed: least squares of all reports. Would catch equal weights."""
    arms, index, reports, _ = drawn(rng)
    found = TrimmedLeastSquares(0.0).estimate(arms, index, reports, KEY)
    assert found == pytest.approx(np.linalg.lstsq(arms[index], reports, rcond=None)[0], rel=1e-10)


def test_clipping(rng):
    arms, index, reports, _ = drawn(rng)
    found = ClippedLeastSquares(0.5).estimate(arms, index, reports, KEY)
    assert found == pytest.approx(np.linalg.lstsq(arms[index], np.clip(reports, -0.5, 0.5), rcond=None)[0], rel=1e-10)


def test_weights_by_scaling(rng):
    """Rows and reports times sqrt(n_a) make weighted least squares of M2's means, as the module says."""
    arms, _, reports, _ = drawn(rng)
    weights = rng.integers(1, 50, 7)
    found = robust_least_squares(arms * np.sqrt(weights)[:, None], np.arange(7), reports[:7] * np.sqrt(weights), NOTHING, KEY).theta
    assert found == pytest.approx(np.linalg.solve((arms.T * weights) @ arms, (arms.T * weights) @ reports[:7]), rel=1e-10)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: type(each).__name__)
def test_every_estimator(estimator, rng):
    """Lists are taken as arrays, the estimate does not depend on the order of reports, is in the span, and is refused on NaN."""
    arms, index, reports, parameter = drawn(rng, samples=2000)
    found = estimator.estimate(arms, index, reports, KEY)
    assert found.shape == (3,) and np.abs(found - parameter).max() < 0.4
    order = rng.permutation(2000)
    assert estimator.estimate(arms.tolist(), list(index[order]), list(reports[order]), KEY) == pytest.approx(found, rel=1e-9)
    flat = estimator.estimate([[0.6, 0.8], [1.2, 1.6]], [0, 1, 1], [1.0, 2.0, 2.0], KEY)
    assert flat == pytest.approx([0.6, 0.8])
    with pytest.raises(ValueError, match="must be finite"):
        estimator.estimate(arms, [0, 1], [1.0, math.nan], KEY)
    with pytest.raises(ValueError, match="number of arms"):
        estimator.estimate(arms, [7], [1.0], KEY)


def test_filtered_least_squares_is_robust_least_squares(rng):
    arms, index, reports, _ = drawn(rng)
    reports[::9] = 30.0
    bound = VarianceBound(BoundRule.RANGE, report_bound=1.0)
    for method in Method:
        found = FilteredLeastSquares(bound, method, 2.0).estimate(arms, index, reports, KEY)
        direct = robust_least_squares(arms, index, reports, bound, KEY, method=method, factor=2.0)
        assert np.array_equal(found, direct.theta) and len(direct.filtered.removed) > 0


@pytest.mark.parametrize(
    ("make", "rule"),
    [
        (lambda: VarianceBound(BoundRule.PROOF), "corruption = None: must be given"),
        (lambda: VarianceBound(BoundRule.PROOF, corruption=0.25), "corruption = 0.25: must be >= 0 and < 0.25"),
        (lambda: VarianceBound(BoundRule.OBSERVED, value=1.0), "value = 1.0: must be None"),
        (lambda: VarianceBound(BoundRule.RANGE, report_bound=0.0), "report_bound = 0.0: must be > 0"),
        (lambda: VarianceBound(BoundRule.GIVEN, value=math.nan), "value = nan: must be >= 0"),
        (lambda: FilteredLeastSquares(VarianceBound(BoundRule.CLEAN)), "must not be an oracle"),
        (lambda: FilteredLeastSquares(NOTHING, factor=math.inf), "factor = inf: must be > 0 and finite"),
        (lambda: ClippedLeastSquares(math.inf), "report_bound = inf: must be > 0 and finite"),
        (lambda: TrimmedLeastSquares(0.5), "trimmed_fraction = 0.5: must be >= 0 and < 0.5"),
        (
            lambda: robust_least_squares(np.eye(2), [0, 1], [1.0, 1.0], VarianceBound(BoundRule.CLEAN), KEY),
            "clean_reports of shape \\(0,\\)",
        ),
        (lambda: whiten(np.eye(2), [0, 0]), "arm 1 = .*: must lie in the span"),
        (lambda: whiten(np.zeros((1, 2)), [0]), "must span a line"),
        (lambda: second_moment_bound(1.0, [math.nan]), "must be \\(n,\\), n >= 1, and finite"),
        (lambda: second_moment_bound(math.inf, [1.0]), "leverage = inf: must be >= 0 and finite"),
        (lambda: single_report_bound(0, 1.0, failure=0.1), "number of reports = 0: must be >= 1"),
        (lambda: single_report_bound(1, 0.0, failure=0.1), "epsilon = 0.0: must be > 0"),
        (lambda: single_report_bound(1, 1.0, failure=0.1, maximum_constant=0.0), "maximum_constant = 0.0: must be > 0"),
        (lambda: mean_report_bound(1, 1.0, failure=0.1, least_count=0.0), "least_count = 0.0: must be > 0"),
    ],
)
def test_bad_input_is_named(make, rule):
    with pytest.raises(ValueError, match=rule):
        make()
