"""The shared inequalities against numbers worked out by hand and against exact distributions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.theory import inequalities
from banditproof.theory.language import HypothesisFails


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
        (inequalities.PARALLEL_COMPOSITION, {"epsilon": "0.7"}, 0.7),
        (inequalities.ADAPTIVE_PARALLEL_COMPOSITION, {"epsilon": "0.7"}, 0.7),
        # 2/4^3
        (inequalities.MARKOV, {"level": 4, "exponent": 3, "raw_moment": 2}, 0.03125),
        (inequalities.MARKOV_CENTRED, {"level": 4, "exponent": 3, "raw_moment": 2}, 0.03125),
        # 16^(1/4) * 8^(3/4) = 2 * 4.756828460010884
        (inequalities.HOELDER, {"exponent": 4, "raw_moment": 16, "dual_moment": 8}, 9.513656920021768),
        # 2 exp(-2 * 50 * 0.04 * 4/16) with width 2: 2 exp(-1)
        (inequalities.HOEFFDING_INTERVAL, {"samples": 50, "level": "0.2", "width": 2}, 0.7357588823428847),
        # 100 * 0.01/2 = 0.5 over 1/4 + 3 * 0.1/3 = 0.35: 2 exp(-10/7)
        (inequalities.BERNSTEIN_TAIL, {"samples": 100, "variance": "1/4", "magnitude": 3, "level": "0.1"}, 0.4793020728835516),
        # log 40 = 3.688879454113936: sqrt(2 * it/400) = 0.13581015157406195 with s = 1/4, plus 2 * 3 * it/300 = 0.07377758908227872
        (inequalities.BERNSTEIN, {"samples": 100, "variance": "1/4", "magnitude": 3, "failure": "0.05"}, 0.20958774065634067),
        # 0.8 log(1.6) + 0.2 log(0.4) = 0.19274475702175753, times 10
        (inequalities.BINOMIAL_TAIL, {"samples": 10, "success": "0.5", "fraction": "0.8"}, 0.14551915228366852),
        # 4 + 2 sqrt(4 log 20) + 2 log 20, log 20 = 2.995732273553991, root 1.7308183826022852
        (inequalities.CHI_SQUARE_UPPER, {"degrees": 4, "failure": "0.05"}, 16.914738077517123),
        (inequalities.CHI_SQUARE_LOWER, {"degrees": 4, "failure": "0.05"}, -2.923273530409141),
        (inequalities.BRETAGNOLLE_HUBER, {"divergence": 2}, 0.06766764161830635),
    ],
)
def test_golden_values(theorem, values, by_hand):
    assert theorem.at(**values).bound == pytest.approx(by_hand, rel=1e-9)


@given(st.floats(0, 40), st.floats(0.05, 50))
def test_the_laplace_tail_equals_the_exact_tail_probability(threshold, scale):
    """Would catch a one-sided tail, or a scale that is read as a standard deviation."""
    tail = 2 * stats.laplace(scale=scale).sf(threshold)
    assert inequalities.LAPLACE_TAIL.at(threshold=threshold, scale=scale).bound == pytest.approx(tail, rel=1e-9)


@given(st.integers(1, 400), st.floats(0.001, 0.9), st.floats(0, 1))
def test_hoeffding_covers_every_bernoulli_distribution(samples, failure, mean):
    """Would catch a one-sided radius or a missing factor 2, by the exact binomial distribution."""
    radius = inequalities.HOEFFDING.at(samples=samples, failure=failure).bound
    successes = np.arange(samples + 1)
    missed = stats.binom(samples, mean).pmf(successes)[np.abs(successes / samples - mean) > radius].sum()
    assert missed <= failure * (1 + 1e-9)


@given(st.integers(1, 400), st.floats(0, 0.99), st.floats(0, 1))
def test_hoeffding_tail_holds_for_every_bernoulli_distribution(samples, deviation, mean):
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


@given(st.integers(1, 200), st.floats(0.05, 0.95), st.floats(0.05, 0.95))
def test_the_binomial_tail_holds_exactly(samples, success, fraction):
    """Would catch the divergence the wrong way round."""
    low, high = sorted((success, fraction))
    tail = stats.binom(samples, low).sf(math.ceil(samples * high * (1 - 1e-12)) - 1)
    assert tail <= inequalities.BINOMIAL_TAIL.at(samples=samples, success=low, fraction=high).bound * (1 + 1e-9)


@given(st.integers(1, 300), st.floats(1e-6, 0.9))
def test_chi_square_tails_hold(degrees, failure):
    """Would catch exchanged tails or a missing factor 2."""
    distribution = stats.chi2(degrees)
    above = inequalities.CHI_SQUARE_UPPER.at(degrees=degrees, failure=failure).bound
    below = inequalities.CHI_SQUARE_LOWER.at(degrees=degrees, failure=failure).bound
    assert distribution.sf(above) <= failure
    assert distribution.cdf(below) <= failure


@given(st.integers(1, 300), st.floats(0.01, 0.99), st.floats(1e-4, 0.9))
def test_bernstein_covers_centred_coins(samples, success, failure):
    """Would catch a wrong inversion: the radius against the exact binomial distribution of a centred coin."""
    variance_and_magnitude = {"variance": success * (1 - success), "magnitude": max(success, 1 - success)}
    radius = inequalities.BERNSTEIN.at(samples=samples, failure=failure, **variance_and_magnitude)
    hits = np.arange(samples + 1)
    missed = stats.binom(samples, success).pmf(hits)[np.abs(hits / samples - success) > radius.bound].sum()
    assert missed <= failure * (1 + 1e-9)
    tail = inequalities.BERNSTEIN_TAIL.at(samples=samples, level=radius.high, **variance_and_magnitude).low
    assert tail <= failure * (1 + 1e-9)  # the radius solves the tail, up to what it gives away


@given(st.lists(st.floats(-20, 20), min_size=2, max_size=8), st.floats(1, 6), st.floats(0.1, 15))
def test_markov_holds_for_every_list(values, exponent, level):
    """The uniform distribution on a list, around 0 and around its mean."""
    for theorem, centre in ((inequalities.MARKOV, 0.0), (inequalities.MARKOV_CENTRED, float(np.mean(values)))):
        sizes = np.abs(np.array(values) - centre)
        moment = float((sizes**exponent).mean())
        if moment > 0:
            bound = theorem.at(level=level, exponent=exponent, raw_moment=moment).bound
            assert (sizes >= level).mean() <= bound * (1 + 1e-9)


@given(st.floats(1.05, 8), st.lists(st.tuples(st.floats(0.01, 9), st.floats(0.01, 9)), min_size=1, max_size=6))
def test_hoelder_holds_for_every_list(exponent, pairs):
    one, two = np.array(pairs).T
    dual = exponent / (exponent - 1)
    moments = {"raw_moment": float((one**exponent).mean()), "dual_moment": float((two**dual).mean())}
    assert (one * two).mean() <= inequalities.HOELDER.at(exponent=exponent, **moments).bound * (1 + 1e-9)


@given(st.lists(st.tuples(st.floats(0.01, 1), st.floats(0.01, 1)), min_size=2, max_size=6), st.integers(0, 63))
def test_bretagnolle_huber_holds_for_every_event(weights, event):
    one, two = (column / column.sum() for column in np.array(weights).T)
    inside = np.array([bool(event >> place & 1) for place in range(len(one))])
    divergence = max(0.0, float((one * np.log(one / two)).sum()))
    total = one[inside].sum() + two[~inside].sum()
    assert total >= inequalities.BRETAGNOLLE_HUBER.at(divergence=divergence).bound * (1 - 1e-9)


def test_hypotheses_by_value_stop_what_they_exclude():
    with pytest.raises(HypothesisFails, match="k > 1"):
        inequalities.HOELDER.at(exponent=1, raw_moment=1, dual_moment=1)
    with pytest.raises(HypothesisFails, match="an upper tail"):
        inequalities.BINOMIAL_TAIL.at(samples=5, success="0.5", fraction="0.4")
