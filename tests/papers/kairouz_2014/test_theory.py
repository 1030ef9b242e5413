"""Randomised response against its own table of probabilities."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.theory.language import HypothesisFails
from banditproof.theory.papers.kairouz_2014 import RANDOMISED_RESPONSE_KEEP, RANDOMISED_RESPONSE_PRIVACY


def test_golden_values():
    # 0.75/0.25 = 3
    assert RANDOMISED_RESPONSE_PRIVACY.at(categories=2, keep="3/4").bound == pytest.approx(math.log(3), rel=1e-15)
    # 0.7 * 3/0.3 = 7
    assert RANDOMISED_RESPONSE_PRIVACY.at(categories=4, keep="0.7").bound == pytest.approx(math.log(7), rel=1e-15)
    # e/(3 + e) = 2.718281828459045/5.718281828459045
    assert RANDOMISED_RESPONSE_KEEP.at(categories=4, epsilon=1).bound == pytest.approx(0.47536688641867, rel=1e-13)


@given(st.integers(2, 12), st.floats(0.001, 0.999))
def test_it_is_the_largest_log_ratio_of_the_table(categories, proportion):
    """Would catch a lie that may be the truth: (1 - keep)/m in place of (1 - keep)/(m - 1)."""
    keep = 1 / categories + (1 - 1 / categories) * proportion
    table = np.full((categories, categories), (1 - keep) / (categories - 1))
    np.fill_diagonal(table, keep)
    level = np.log(table[:, None, :] / table[None, :, :]).max()
    assert RANDOMISED_RESPONSE_PRIVACY.at(categories=categories, keep=keep).bound == pytest.approx(level, rel=1e-7)


@given(st.integers(2, 50), st.floats(0.001, 20))
def test_the_two_statements_are_inverse(categories, epsilon):
    keep = RANDOMISED_RESPONSE_KEEP.at(categories=categories, epsilon=epsilon).bound
    assert RANDOMISED_RESPONSE_PRIVACY.at(categories=categories, keep=keep).bound == pytest.approx(epsilon, rel=1e-6)


def test_a_truth_no_likelier_than_a_lie_is_refused():
    with pytest.raises(HypothesisFails, match="keep = 1/4: must satisfy keeps_truth: keep > 1/categories"):
        RANDOMISED_RESPONSE_PRIVACY.at(categories=4, keep="1/4")
