"""The tree's statements (dwork_2010, chan_2011) against trees that are counted and distributions that are integrated."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from banditproof.theory.papers import chan_2011, dwork_2010

ROUNDS = st.integers(1, 3000)


def nodes_over(round_, horizon):
    """The complete dyadic intervals (start, end] up to the horizon that hold a round, by going through all of them."""
    found = []
    for power in range(horizon.bit_length()):
        start = (round_ - 1) // 2**power * 2**power
        if start + 2**power <= horizon:
            found.append((start, start + 2**power))
    return found


def prefix_nodes(round_):
    """The nodes that the prefix sum adds, greedily: the longest dyadic interval that starts at the end of the last."""
    nodes, start = 0, 0
    while start < round_:
        length = 2 ** ((round_ - start).bit_length() - 1)
        start, nodes = start + length, nodes + 1
    return nodes


@pytest.mark.parametrize(
    ("theorem", "values", "by_hand"),
    [
        # T = 1000 has 10 binary digits, T = 1024 has 11
        (dwork_2010.TREE_PRIVACY, {"horizon": 1000, "sensitivity": 1, "scale": 5}, 2.0),
        (dwork_2010.TREE_PRIVACY, {"horizon": 1024, "sensitivity": 1, "scale": 5}, 2.2),
        (dwork_2010.TREE_SCALE, {"horizon": 7, "sensitivity": 2, "epsilon": "1/2"}, 12.0),
        # L = 10 < log(40000) = 10.596634733096073, so sqrt(8) * 10 * 10.596634733096073
        (dwork_2010.TREE_ERROR, {"horizon": 1000, "epsilon": 1, "failure": "1/20"}, 299.7180911),
        # L = 11 >= log(4096) = 8.317766166719343, so 11 sqrt(8 * 11 * 8.317766166719343) = 11 * 27.0548226
        (dwork_2010.TREE_ERROR, {"horizon": 1024, "epsilon": 1, "failure": "1/2"}, 297.6030486),
        # m = 3 < log(40) = 3.6888794541139363, L = 10: sqrt(8) * 10 * 3.6888794541139363 / 2
        (chan_2011.TREE_ERROR, {"horizon": 1000, "round": 5, "epsilon": 2, "failure": "1/20"}, 52.16863355),
        # m = 4 >= log(40): 2 sqrt(8 * 4 * 3.6888794541139363) = 2 sqrt(118.04414253164596)
        (chan_2011.LAPLACE_SUM, {"terms": 4, "scale": 2, "failure": "1/20"}, 21.7296242),
    ],
)
def test_golden_values(theorem, values, by_hand):
    assert theorem.at(**values).bound == pytest.approx(by_hand, rel=1e-7)


@given(ROUNDS)
def test_a_round_is_in_as_many_nodes_as_levels(horizon):
    """Would catch a tree one level short, which is what log2 T without rounding would be."""
    most = max(len(nodes_over(round_, horizon)) for round_ in range(1, min(horizon, 70) + 1))
    assert most == len(nodes_over(1, horizon))
    for theorem in (dwork_2010.TREE_PRIVACY, chan_2011.TREE_PRIVACY):
        assert theorem.at(horizon=horizon, sensitivity=1, scale=1).bound == most
    assert math.log2(horizon) < most


@given(ROUNDS)
def test_the_ceiling_of_log2_is_one_level_short_at_powers_of_two(power):
    """Would catch a reading of log T as the ceiling of log2 T."""
    horizon = 2 ** (power % 60)
    assert math.ceil(math.log2(horizon)) == len(nodes_over(1, horizon)) - 1


@given(ROUNDS)
def test_a_prefix_adds_at_most_terms_nodes(round_):
    """Would catch a bound on the nodes of one prefix that some round exceeds."""
    assert prefix_nodes(round_) == bin(round_).count("1") <= round_.bit_length()


def sum_tail(terms, distance):
    """P(|Y| > distance) for a sum of Laplace(1) variables: the difference of two gamma variables, by quadrature."""
    gamma = stats.gamma(terms)
    top = gamma.isf(1e-16)
    one_side, _ = integrate.quad(lambda x: gamma.pdf(x) * gamma.sf(x + distance), 0, top, epsabs=1e-12, limit=200)
    return 2 * one_side


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.floats(1e-6, 0.999), st.floats(0.01, 100))
def test_the_sum_keeps_its_distance(terms, failure, scale):
    """Would catch a constant below the truth in either case of the bound."""
    distance = chan_2011.LAPLACE_SUM.at(terms=terms, scale=scale, failure=failure).bound / scale
    assert sum_tail(terms, distance) <= failure


@given(st.integers(1, 10**6), st.floats(0.01, 10), st.floats(1e-6, 0.9))
def test_the_bound_over_all_rounds_is_the_union_of_those_at_one(horizon, epsilon, failure):
    """Would catch a union over the wrong number of rounds."""
    together = dwork_2010.TREE_ERROR.at(horizon=horizon, epsilon=epsilon, failure=failure).bound
    last = chan_2011.TREE_ERROR.at(horizon=horizon, round=horizon, epsilon=epsilon, failure=failure).bound
    assert together >= last * (1 - 1e-12)
    alone = chan_2011.LAPLACE_SUM.at(terms=horizon.bit_length(), scale=horizon.bit_length() / epsilon, failure=failure / horizon).bound
    assert together == pytest.approx(alone, rel=1e-12)


def test_the_whole_tree_keeps_the_bound_over_all_rounds():
    """A tree of T = 64 rounds, 4000 times: the fraction of runs that leave the bound is below the failure probability."""
    rng, runs, horizon, failure = np.random.default_rng(20101), 4000, 64, 0.5
    bound = dwork_2010.TREE_ERROR.at(horizon=horizon, epsilon=1, failure=failure).bound
    errors = np.zeros((runs, horizon))
    scale = horizon.bit_length()
    noise = {}
    for round_ in range(1, horizon + 1):
        start = 0
        while start < round_:
            length = 2 ** ((round_ - start).bit_length() - 1)
            if (start, length) not in noise:
                noise[start, length] = rng.laplace(scale=scale, size=runs)
            errors[:, round_ - 1] += noise[start, length]
            start += length
    left = int((np.abs(errors).max(axis=1) > bound).sum())
    assert stats.binom(runs, failure).sf(left - 1) > 1e-6  # refutes a true bound once in a million seeds
