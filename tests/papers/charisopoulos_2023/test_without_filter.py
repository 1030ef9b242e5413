"""Finding bound_without_filter: with batches that grow by a constant factor, (19) holds for arm elimination by plain least squares."""

import math

import numpy as np
import pytest

HORIZON, FINAL_FAILURE = 10**12, 0.05


def bound(horizon, dimension, corruption):
    """(19) without privacy, constant 1, for K = d unit vectors and delta = 0.05/(K T^2)."""
    wide = math.log(dimension * horizon**3 / FINAL_FAILURE)
    first = math.sqrt(horizon * dimension * wide)
    return first + horizon * math.sqrt(wide) * max(math.sqrt(corruption * dimension), corruption * dimension)


def played(horizon, batches, gaps, corruption, rng):
    """The regret of one run. The mean of all reports is the estimate; after the first batch with a corrupted report the worst of the arms
    that are left is played to the end, which is the most that an adversary gets."""
    left, active, growth, regret = horizon, np.arange(gaps.size), horizon ** (1 / batches), 0.0
    for batch in range(1, batches):
        each = math.ceil(growth**batch / active.size)
        if each * active.size > left:
            break
        left -= each * active.size
        regret += each * gaps[active].sum()
        if rng.random() > (1 - corruption) ** (each * active.size):
            return regret + left * gaps[active].max()
        estimate = rng.standard_normal(active.size) / math.sqrt(each) - gaps[active]
        width = math.sqrt(2 * active.size * math.log(gaps.size * horizon**2 / FINAL_FAILURE) / growth**batch)
        active = active[estimate >= estimate.max() - 2 * width]
    return regret + left * gaps[active].max()


def ratio(batches, dimension, corruption):
    """The mean regret of 200 runs over (19); gaps halve from arm to arm, and the means are those of a theta* of length 1."""
    rng = np.random.default_rng([19, batches, dimension])
    gaps = np.array([0.0, *(2.0**-place for place in range(dimension - 1))]) / math.sqrt(dimension)
    runs = [played(HORIZON, batches, gaps, corruption, rng) for _ in range(200)]
    return float(np.mean(runs)) / bound(HORIZON, dimension, corruption)


@pytest.mark.parametrize("dimension", [2, 16])
@pytest.mark.parametrize("corruption", [1e-2, 1e-4, 1e-6, 1e-8])
def test_logarithmically_many_batches_need_no_filter(dimension, corruption):
    """Would catch a counterexample to Theorem 3.4 where the paper claims it: the finding has 30 sqrt(2) for the constant."""
    assert ratio(math.ceil(math.log(HORIZON)), dimension, corruption) < 10


def test_two_batches_do():
    """Would catch runs in which the adversary has no power. The paper does not claim (19) for two batches."""
    assert ratio(2, 2, 1e-6) > 20
