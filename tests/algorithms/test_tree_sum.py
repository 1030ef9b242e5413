"""The tree of partial sums, against brute force over sets of rounds."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.mechanisms.tree_sum import TreeSum, error_bound, levels, node_scale, nodes_summed, prefix_noise, terms
from banditproof.audits.strategies import values_of
from banditproof.glossary import EPSILON, FAILURE, SENSITIVITY
from banditproof.kernels import plain

HORIZONS = st.one_of(st.integers(1, 130), st.sampled_from([2**k + j for k in range(1, 8) for j in (-1, 0, 1)]))


class Numbered:
    """In place of a generator: the draw of node t is 2^(t - 1), so that a sum of draws says which nodes are in it."""

    def laplace(self, centre, scale, size):
        self.scale = scale
        return np.broadcast_to(2.0 ** np.arange(size[1]), size).copy()


@given(horizon=HORIZONS)
def test_nodes_of_a_prefix_cut_it_into_pieces(horizon):
    """Would catch a round counted twice or left out, and a node that is no dyadic interval."""
    nodes = nodes_summed(horizon)
    rounds = sorted(round for first, last in nodes for round in range(first, last + 1))
    assert rounds == list(range(1, horizon + 1))
    for first, last in nodes:
        size = last - first + 1
        assert size & (size - 1) == 0
        assert last % size == 0
    assert nodes[0][1] == horizon


@given(horizon=HORIZONS)
def test_levels_and_terms_by_counting(horizon):
    """Would catch a tree one level short, which is what the noise must not be calibrated to."""
    used = {node for round in range(1, horizon + 1) for node in nodes_summed(round)}
    entered = [sum(first <= round <= last for first, last in used) for round in range(1, horizon + 1)]
    assert max(entered) == entered[0] == levels(horizon)
    assert max(len(nodes_summed(round)) for round in range(1, horizon + 1)) == terms(horizon)
    assert len({last for _, last in used}) == len(used) == horizon  # one node ends at each round: its last round is its name


@given(horizon=st.integers(1, 2**62))
def test_levels_and_terms_of_large_horizons(horizon):
    """Would catch log2 in floating point, which is wrong next to powers of two."""
    assert 2 ** (levels(horizon) - 1) <= horizon < 2 ** levels(horizon)
    assert 2 ** terms(horizon) - 1 <= horizon < 2 ** (terms(horizon) + 1) - 1


@given(
    horizon=st.integers(1, 52),
    runs=st.integers(1, 3),
    level=values_of(EPSILON, low=0.1, high=10.0),
    top=values_of(SENSITIVITY, low=0.1, high=9.0),
)
def test_released_noise_is_that_of_the_nodes_of_each_prefix(horizon, runs, level, top):
    """Would catch a fresh draw for a node that was drawn before, a node too many or too few, and a wrong scale."""
    rng = Numbered()
    release = TreeSum(level, horizon, top).release(np.zeros(horizon), runs, rng)
    for round in range(1, horizon + 1):
        assert np.all(release[:, round - 1] == sum(2.0 ** (last - 1) for _, last in nodes_summed(round)))
    assert rng.scale == node_scale(level, horizon, top) == pytest.approx(levels(horizon) * top / level)


@given(horizon=st.integers(1, 300))
def test_kernel_adds_the_same_nodes(horizon):
    """Would catch a partial sum that is overwritten too early, in compiled or in plain code."""
    weights = np.random.default_rng(horizon).integers(1, 2**40, size=horizon + 1).astype(float)
    for kernel in (prefix_noise, plain(prefix_noise)):
        partial = np.zeros(levels(horizon))
        for round in range(1, horizon + 1):
            assert kernel(partial, round, weights[round]) == sum(weights[last] for _, last in nodes_summed(round))


@given(data=st.data(), horizon=st.integers(1, 40))
def test_a_release_is_the_true_sums_plus_noise(data, horizon):
    """Would catch noise that depends on the stream."""
    stream = data.draw(st.lists(st.floats(0.0, 1.0, allow_subnormal=False), min_size=horizon, max_size=horizon))
    noisy, zero = (TreeSum(1.0, horizon).release(each, 3, np.random.default_rng(5)) for each in (stream, [0.0] * horizon))
    assert noisy == pytest.approx(zero + np.cumsum(stream), abs=1e-9)


@pytest.mark.parametrize("horizon", [1, 7, 8, 100])
def test_error_bound_holds_over_all_rounds_at_once(room, rng, horizon):
    """Would catch a bound for one round sold as uniform. The bound is loose: a failure rate shown above `failure` refutes it."""
    failure, runs = 0.05, 40_000
    worst = np.abs(TreeSum(1.0, horizon).release(np.zeros(horizon), runs, rng)).max(axis=1)
    failed = int(np.count_nonzero(worst > error_bound(1.0, horizon, failure)))
    low = room.lower_probability(failed, runs, 1e-6)
    assert low <= failure
    assert room.detectable_failure(failure, runs=runs, false_alarm=1e-6, miss_rate=1e-6) <= failure + 0.013


@given(
    level=values_of(EPSILON, low=0.01, high=10.0),
    horizon=HORIZONS,
    failure=values_of(FAILURE, low=1e-9, high=0.999),
    top=values_of(SENSITIVITY, low=0.1, high=9.0),
)
def test_error_bound_is_within_its_lemma(level, horizon, failure, top):
    """Would catch the lemma used outside its range: Lemma 2.8 needs v >= b sqrt(m) and x <= 2 sqrt(2) v^2 / b."""
    b, m, bound = node_scale(level, horizon, top), terms(horizon), error_bound(level, horizon, failure, top)
    exponent = math.log(2 * horizon / failure)
    v = bound / math.sqrt(8 * exponent)
    assert v >= b * math.sqrt(m) * (1 - 1e-12)
    assert bound <= 2 * math.sqrt(2) * v * v / b * (1 + 1e-12)
    assert 2 * math.exp(-bound * bound / (8 * v * v)) * horizon == pytest.approx(failure, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: TreeSum(0.0, 5), r"epsilon = 0.0: must be > 0"),
        (lambda: TreeSum(1.0, 0), r"horizon = 0: must be an integer >= 1"),
        (lambda: levels(2.5), r"horizon = 2.5: must be an integer >= 1"),
        (lambda: nodes_summed(0), r"round = 0: must be an integer >= 1"),
        (lambda: error_bound(1.0, 5, 0.0), r"failure = 0.0: must be > 0 and < 1"),
        (lambda: TreeSum(1.0, 2).release([0.0], 1, np.random.default_rng(0)), r"data of shape \(1,\): must be \(2,\)"),
        (lambda: TreeSum(1.0, 2).release([0.0, 1.5], 1, np.random.default_rng(0)), r"number = 1.5: must be >= 0 and <= 1.0"),
        (lambda: TreeSum(1.0, 2).release([0.0, math.nan], 1, np.random.default_rng(0)), r"number = nan: must be >= 0"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
