"""G-optimal designs and coresets: certificates by an independent computation, optima in closed form, degenerate arms, counts at ties."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof.algorithms.designs.approximate import approximate_g_design, default_target, printed_support_bound, support_bound
from banditproof.algorithms.designs.coreset import coreset_counts, most_plays, number_of_plays
from banditproof.algorithms.designs.design import span_of, variances
from banditproof.algorithms.designs.optimal import g_optimal_design

SEEDS = st.integers(0, 2**32 - 1)
KINDS = ("gaussian", "sphere", "heavy", "ill-conditioned", "rank-deficient", "duplicated", "binary")


def drawn(kind, count, dimension, seed):
    """Arms (K, d) of a kind, a zero arm first."""
    rng = np.random.default_rng(seed)
    arms = rng.standard_normal((count, dimension))
    match kind:
        case "sphere":
            arms /= np.linalg.norm(arms, axis=1, keepdims=True)
        case "heavy":
            arms = rng.standard_cauchy((count, dimension))
        case "ill-conditioned":
            arms = arms * np.logspace(0.0, -8.0, dimension) @ np.linalg.qr(rng.standard_normal((dimension, dimension)))[0]
        case "rank-deficient":
            arms = arms[:, : max(1, dimension // 2)] @ rng.standard_normal((max(1, dimension // 2), dimension))
        case "duplicated":
            arms = arms[rng.integers(0, count, count) // 2]
        case "binary":
            arms = (rng.random((count, dimension)) < 0.4).astype(float)
    arms[0] = 0.0
    if not arms.any():
        arms[-1, 0] = 1.0
    return arms


def certificate(arms, weights):
    """max g and d' from least squares: g_a is the squared length of the shortest x with (sqrt(pi) A)' x = a."""
    scaled = arms / np.abs(arms).max()
    left = (np.sqrt(weights)[:, None] * scaled).T
    solution, _, _, _ = np.linalg.lstsq(left, scaled.T, rcond=1e-14)
    assert np.abs(left @ solution - scaled.T).max() < 1e-9, "an arm outside the span of the support"
    return float((solution**2).sum(axis=0).max()), int((np.linalg.svd(scaled, compute_uv=False) > 1e-13 * np.linalg.norm(scaled)).sum())


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=10, deadline=None)
@given(count=st.integers(2, 60), dimension=st.integers(1, 8), seed=SEEDS)
def test_values_are_those_of_an_independent_computation(kind, count, dimension, seed):
    """Would catch max g above 2 d', an optimum that is none, a value from updates that drifted, and a dimension that is not the span's."""
    arms = drawn(kind, count, dimension, seed)
    approximate, optimal = approximate_g_design(arms), g_optimal_design(arms, 1e-6)
    for design, most in ((approximate, 2.0), (optimal, 1.0 + 1e-6)):
        value, rank = certificate(arms, design.weights)
        assert design.dimension == rank == round(float((design.basis**2).sum()))
        assert design.weights.min() >= 0.0
        assert abs(design.weights.sum() - 1.0) < 1e-12
        assert abs(value / design.value - 1.0) < 1e-6
        assert rank * (1.0 - 1e-9) <= design.value <= most * rank
        assert np.abs(arms - arms @ design.basis @ design.basis.T).max() <= 1e-12 * np.abs(arms).max()
    assert approximate.support.size <= support_bound(approximate.dimension)
    assert approximate.support.size <= approximate.dimension + approximate.iterations


def away_steps(arms, tolerance):
    """Frank-Wolfe with away steps (Wolfe and Atwood), the variances afresh in every step: the second method for the same optimum."""
    count, dimension = arms.shape
    weights = np.full(count, 1.0 / count)
    while True:
        values = np.einsum("ij,ji->i", arms, np.linalg.solve((arms * weights[:, None]).T @ arms, arms.T))
        inside = np.flatnonzero(weights)
        high, low = int(values.argmax()), int(inside[values[inside].argmin()])
        if values[high] <= dimension * (1.0 + tolerance) and values[low] >= dimension * (1.0 - tolerance):
            return weights
        place = high if values[high] - dimension >= dimension - values[low] else low
        least = -weights[place] / (1.0 - weights[place])
        step = (values[place] / dimension - 1.0) / (values[place] - 1.0) if values[place] > 1.0 else least
        step = max(step, least)
        weights *= 1.0 - step
        weights[place] = 0.0 if step == least else weights[place] + step


@pytest.mark.parametrize("kind", ["gaussian", "sphere"])
def test_the_optimum_is_that_of_away_steps(kind):
    """Would catch a certificate that both share: M is unique at the optimum, so all variances agree."""
    arms = drawn(kind, 60, 4, 3)
    found = variances(arms, g_optimal_design(arms, 1e-9).weights)
    assert np.abs(found - variances(arms, away_steps(arms, 1e-5))).max() < 0.02
    assert np.abs(found - variances(arms, away_steps(arms, 1e-3))).max() < 0.2


@pytest.mark.parametrize(
    ("arms", "value"),
    [
        (np.eye(5), 5.0),
        (np.array([[3.0]]), 1.0),
        (np.array([[1.0, 2.0, 3.0]]), 1.0),
        (np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 1.0]]), 2.0),
        (np.eye(4) - 0.25, 3.0),  # vertices of a simplex about its centre, in three dimensions
        *((np.array([(math.cos(2 * math.pi * k / n), math.sin(2 * math.pi * k / n)) for k in range(n)]), 2.0) for n in (3, 5, 8, 400)),
        (np.repeat(np.eye(3), 200, axis=0), 3.0),
    ],
)
def test_closed_forms(arms, value):
    """Would catch a wrong dimension, weights that are not equal where the optimum is unique, and steps that divide by 0 at d' = 1."""
    design = g_optimal_design(arms, 1e-9)
    assert abs(design.value - value) < 1e-8
    assert design.dimension == value
    spanning = arms[np.abs(arms).max(axis=1) > 0.0]
    if len(spanning) == value or (len(spanning), value) in ((4, 3.0), (3, 2.0)):
        assert np.abs(design.weights[design.support] - 1.0 / len(spanning)).max() < 1e-5


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, dimension=st.integers(1, 5), bend=st.sampled_from((0.0, -3.0, -6.0)))
def test_invertible_maps_change_nothing(seed, dimension, bend):
    """Would catch a design that depends on the units of the features."""
    rng = np.random.default_rng(seed)
    arms = rng.standard_normal((40, dimension))
    factor = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0] * np.logspace(0.0, bend, dimension)
    here, there = g_optimal_design(arms, 1e-8), g_optimal_design(arms @ factor, 1e-8)
    assert np.abs(variances(arms, here.weights) - variances(arms, there.weights)).max() < 2e-3 * dimension


@pytest.mark.parametrize(("kind", "count", "dimension"), [("gaussian", 1000, 20), ("ill-conditioned", 1000, 20), ("sphere", 400, 12)])
def test_larger_sets_reach_the_tolerance(kind, count, dimension):
    """Would catch a working set that never sees an arm, rounds that make no progress, and two runs that differ."""
    arms = drawn(kind, count, dimension, 7)
    for tolerance in (1e-2, 1e-8):
        design = g_optimal_design(arms, tolerance)
        assert design.value <= dimension * (1.0 + tolerance)
        assert certificate(arms, design.weights)[0] <= dimension * (1.0 + tolerance) + 1e-6
        assert design.iterations < 1000
    assert np.array_equal(design.weights, g_optimal_design(arms, 1e-8).weights)
    close = approximate_g_design(arms, 1.05 * dimension)
    assert close.value <= 1.05 * dimension
    assert close.multiplications > approximate_g_design(arms).multiplications > 2 * count * dimension**2


def test_a_missed_direction_has_infinite_variance():
    """Would catch a pseudo-inverse that hides what the support cannot see."""
    arms = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    assert variances(arms, np.array([1.0, 0.0, 0.0, 0.0])).tolist() == pytest.approx([1.0, math.inf, math.inf, 0.0])
    assert variances(arms, np.array([0.5, 0.0, 0.5, 0.0])).tolist() == pytest.approx([2.0, 2.5, 2.0, 0.0])
    assert span_of(arms).basis.shape == (3, 2)


@given(
    parts=st.lists(st.integers(0, 40), min_size=1, max_size=30).filter(any),
    size=st.integers(1, 10**9),
    truncation=st.none() | st.floats(1e-6, 1.0),
)
def test_coresets(parts, size, truncation):
    """Would catch floors, plays off the support, a truncation that raises arms of weight 0, and a bound on N that misses k."""
    weights = np.array(parts) / sum(parts)
    counts, support = coreset_counts(weights, size, truncation), int(np.count_nonzero(weights))
    assert number_of_plays(weights, size, truncation) == counts.sum()
    assert size <= counts.sum() <= most_plays(size, support, truncation)
    assert ((counts > 0) == (weights > 0)).all()
    if truncation is None:  # in whole numbers
        assert counts.tolist() == [-(-size * part // sum(parts)) for part in parts]
    else:
        assert (counts[weights > 0] >= size * truncation * (1.0 - 1e-11)).all()


def test_a_product_that_is_an_integer_is_not_rounded_up():
    """Would catch plays that floating point adds: 100 * 0.07 = 7.000000000000001; and the powers q^i of a rounded root."""
    assert coreset_counts(np.array([0.07, 0.93]), 100).tolist() == [7, 93]
    assert coreset_counts(np.array([0.1, 0.9]), (10**0.5) ** 2).tolist() == [1, 9]
    assert coreset_counts(np.array([0.071, 0.929]), 100).tolist() == [8, 93]
    assert coreset_counts(np.array([1e-13, 1.0 - 1e-13]), 10).tolist() == [1, 10]
    assert coreset_counts(np.array([0.02, 0.0, 0.98]), 100, 0.07).tolist() == [7, 0, 98]


def test_plays_are_counted_beyond_64_bits():
    """Would catch a sum of machine integers, which was below 0."""
    assert number_of_plays(np.full(2000, 1 / 2000), 2.0**53, 1.0) == 2000 * 2**53


def test_support_bounds():
    """By hand: log log 10 = 0.83403, log log 2 = -0.36651; the printed form is below d up to d = 15."""
    assert support_bound(1) == support_bound(2) == 16.0
    assert support_bound(10) == pytest.approx(49.361, abs=1e-3)
    assert printed_support_bound(2) == pytest.approx(-0.73303, abs=1e-5)
    assert printed_support_bound(10, 3.0) == pytest.approx(25.021, abs=1e-3)
    assert printed_support_bound(15) < 15 < 16 < printed_support_bound(16)
    assert default_target(7) == 14.0


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: span_of(np.zeros(3)), r"arms of shape \(3,\): must be \(K, d\)"),
        (lambda: span_of(np.zeros((0, 2))), r"arms of shape \(0, 2\): must be"),
        (lambda: span_of(np.array([[1.0, math.nan]])), "an entry of arms is not finite"),
        (lambda: g_optimal_design(np.zeros((3, 2))), "all arms are 0: at least one must be non-zero"),
        (lambda: g_optimal_design(np.eye(2), 0.0), r"tolerance = 0.0: must be >= 1e-09 and <= 1"),
        (lambda: approximate_g_design(np.eye(2), 2.0), r"target = 2.0: must be >= 2.00"),
        (lambda: approximate_g_design(np.eye(2), math.inf), r"target = inf: must be >= 2.00.* and finite"),
        (lambda: variances(np.eye(2), np.array([1.0])), "1 weights for 2 arms: must be as many"),
        (lambda: coreset_counts(np.array([0.5, 0.6]), 10), r"weights of sum 1.1: must be 1"),
        (lambda: coreset_counts(np.array([-0.5, 1.5]), 10), "a weight is negative or NaN"),
        (lambda: coreset_counts(np.array([[1.0]]), 10), r"weights of shape \(1, 1\): must be \(K,\)"),
        (lambda: coreset_counts(np.array([1.0]), 0), r"size = 0: must be > 0 and <= 2\^53"),
        (lambda: coreset_counts(np.array([1.0]), 10, 0.0), r"truncation = 0.0: must be > 0 and <= 1"),
        (lambda: most_plays(10, 0), r"support_size = 0: must be >= 1"),
        (lambda: support_bound(0), r"dimension = 0: must be"),
        (lambda: printed_support_bound(1), r"dimension = 1: must be >= 2"),
        (lambda: printed_support_bound(2, 0.0), r"support_constant = 0.0: must be > 0"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
