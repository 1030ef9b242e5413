"""The Laplace mechanism's privacy against the ratio of its densities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.theory.papers import dwork_2006


def test_golden_values():
    assert dwork_2006.LAPLACE_PRIVACY.at(sensitivity=3, scale=2).bound == 1.5
    # 1 / (1/10) is exact from text; the double 0.1 is above 1/10, so the quotient is below 10 and its upper double is 10
    assert dwork_2006.LAPLACE_PRIVACY.at(sensitivity=1, scale="0.1").bound == 10.0
    assert dwork_2006.LAPLACE_PRIVACY.at(sensitivity=1, scale=0.1).low < 10.0


@given(st.floats(0.01, 100), st.floats(0.01, 100))
def test_it_is_the_largest_log_ratio_of_the_densities(sensitivity, scale):
    """Would catch an inverted ratio, or sensitivity counted twice."""
    outputs = np.concatenate([np.linspace(-5, 5, 101) * scale, [-100 * sensitivity, 0.0, sensitivity, 100 * sensitivity]])
    losses = (np.abs(outputs - sensitivity) - np.abs(outputs)) / scale
    assert np.max(np.abs(losses)) == pytest.approx(dwork_2006.LAPLACE_PRIVACY.at(sensitivity=sensitivity, scale=scale).bound, rel=1e-9)
