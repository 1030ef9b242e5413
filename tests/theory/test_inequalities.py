"""The shared inequalities against numbers worked out by hand and against exact laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.theory import inequalities


@pytest.mark.parametrize(
    ("theorem", "values", "by_hand"),
    [
        # exp(-3/2)
        (inequalities.LAPLACE_TAIL, {"threshold": 3, "scale": 2}, 0.22313016014842982),
        # log 40 = 3.6888794541139363; /400 = 0.009222198635284841; square root
        (inequalities.HOEFFDING, {"samples": 200, "failure": "0.05"}, 0.09603227913199208),
        # exp(-2 * 50 * 0.04) = exp(-4)
        (inequalities.HOEFFDING_TAIL, {"samples": 50, "deviation": "0.2"}, 0.01831563888873418),
        # 7 * 0.3
        (inequalities.BASIC_COMPOSITION, {"folds": 7, "epsilon": "0.3"}, 2.1),
        (inequalities.BASIC_COMPOSITION_DELTA, {"folds": 7, "delta": "1e-6"}, 7e-6),
        # 2 * 100 * log(1e5) = 2302.5850929940457, root 47.98525912, times 0.1; plus 10 * (exp(0.1) - 1) = 1.0517091807564763
        (inequalities.ADVANCED_COMPOSITION, {"folds": 100, "epsilon": "0.1", "slack": "1e-5"}, 5.850235093),
        (inequalities.ADVANCED_COMPOSITION_DELTA, {"folds": 100, "delta": "1e-7", "slack": "1e-5"}, 2e-5),
        # the same first term, plus 10 * tanh(0.05) = 10 * 0.04995837495787998
        (inequalities.SHARP_COMPOSITION, {"folds": 100, "epsilon": "0.1", "slack": "1e-5"}, 5.298109662),
        # 1 - 0.9^2 * 0.5
        (inequalities.SHARP_COMPOSITION_DELTA, {"folds": 2, "delta": "0.1", "slack": "0.5"}, 0.595),
        (inequalities.POST_PROCESSING, {"epsilon": "0.7"}, 0.7),
    ],
)
def test_golden_values(theorem, values, by_hand):
    assert theorem.at(**values).bound == pytest.approx(by_hand, rel=1e-9)


@given(st.floats(0, 40), st.floats(0.05, 50))
def test_the_laplace_tail_is_the_law_s_own(threshold, scale):
    """Would catch a one-sided tail, or a scale that is read as a standard deviation."""
    tail = 2 * stats.laplace(scale=scale).sf(threshold)
    assert inequalities.LAPLACE_TAIL.at(threshold=threshold, scale=scale).bound == pytest.approx(tail, rel=1e-9)


@given(st.integers(1, 400), st.floats(0.001, 0.9), st.floats(0, 1))
def test_hoeffding_covers_every_bernoulli_law(samples, failure, mean):
    """Would catch a one-sided radius or a missing factor 2, by the exact binomial law."""
    radius = inequalities.HOEFFDING.at(samples=samples, failure=failure).bound
    successes = np.arange(samples + 1)
    missed = stats.binom(samples, mean).pmf(successes)[np.abs(successes / samples - mean) > radius].sum()
    assert missed <= failure * (1 + 1e-9)


@given(st.integers(1, 400), st.floats(0, 0.99), st.floats(0, 1))
def test_hoeffding_tail_holds_for_every_bernoulli_law(samples, deviation, mean):
    above = stats.binom(samples, mean).sf(math.ceil(samples * (mean + deviation) - 1e-9) - 1) if mean + deviation <= 1 else 0.0
    assert above <= inequalities.HOEFFDING_TAIL.at(samples=samples, deviation=deviation).bound * (1 + 1e-9)


def composed_delta(folds, epsilon, total):
    """The exact delta at level `total` of `folds` binary randomised responses of level epsilon."""
    truths = np.arange(folds + 1)
    keep = 1 / (1 + math.exp(-epsilon))
    loss = (2 * truths - folds) * epsilon
    probability = stats.binom(folds, keep).pmf(truths)
    return float(np.sum(np.where(loss > total, probability * -np.expm1(np.minimum(total - loss, 0)), 0.0)))


@pytest.mark.parametrize("theorem", [inequalities.ADVANCED_COMPOSITION, inequalities.SHARP_COMPOSITION])
@given(folds=st.integers(1, 200), epsilon=st.floats(0.01, 2), slack=st.floats(1e-8, 0.9))
def test_composition_holds_for_randomised_response(theorem, folds, epsilon, slack):
    """Would catch a constant that is too small: randomised response is the worst pure mechanism, and its composition is exact."""
    total = theorem.at(folds=folds, epsilon=epsilon, slack=slack).bound
    assert composed_delta(folds, epsilon, total) <= slack * (1 + 1e-9)


@given(folds=st.integers(1, 60), epsilon=st.floats(0.01, 2))
def test_basic_composition_is_exact_for_randomised_response(folds, epsilon):
    total = inequalities.BASIC_COMPOSITION.at(folds=folds, epsilon=epsilon).bound
    assert composed_delta(folds, epsilon, total * (1 + 1e-12)) == 0.0
    assert composed_delta(folds, epsilon, total * 0.99) > 0.0
