"""The classic Gaussian calibration: by hand, against its own inverse, and against the exact one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof.theory.language import HypothesisFails
from banditproof.theory.papers.balle_wang_2018 import GAUSSIAN_CALIBRATION, GAUSSIAN_PROFILE
from banditproof.theory.papers.dwork_roth_2014 import GAUSSIAN_CLASSIC, GAUSSIAN_CLASSIC_DELTA

BELOW_ONE = st.floats(1e-4, 1, exclude_max=True)


def test_golden_values():
    # 1.25/1.25e-5 = 1e5: sqrt(2 log(1e5)) = 4.79852591218... over 0.5
    assert GAUSSIAN_CLASSIC.at(epsilon="1/2", delta="1.25e-5", sensitivity=1).bound == pytest.approx(9.597051824, rel=1e-9)
    # (8 * 0.5/1)^2/2 = 8: 1.25 exp(-8) = 1.25 * 0.00033546262790251185
    assert GAUSSIAN_CLASSIC_DELTA.at(epsilon="1/2", sigma=8, sensitivity=1).bound == pytest.approx(0.00041932828487814, rel=1e-12)


@settings(max_examples=40, deadline=None)
@given(BELOW_ONE, st.floats(1e-9, 0.999), st.floats(0.01, 100))
def test_the_claim_holds_against_the_exact_calibration(epsilon, delta, sensitivity):
    """Would catch a calibration with too little noise on its stated range."""
    values = {"epsilon": epsilon, "delta": delta, "sensitivity": sensitivity}
    assert GAUSSIAN_CLASSIC.at(**values).bound >= GAUSSIAN_CALIBRATION.at(**values).low


@given(BELOW_ONE, st.floats(0.5, 8), st.floats(0.01, 100))
def test_the_claim_solved_for_delta_holds_against_the_profile(epsilon, multiple, sensitivity):
    values = {"epsilon": epsilon, "sigma": multiple * sensitivity / epsilon, "sensitivity": sensitivity}
    try:
        claimed = GAUSSIAN_CLASSIC_DELTA.at(**values)
    except HypothesisFails:
        assert multiple < 0.67  # 5/4 exp(-m^2/2) >= 1 for m <= sqrt(2 log(5/4)) = 0.668
        return
    assert claimed.bound >= GAUSSIAN_PROFILE.at(**values).low
    inverse = GAUSSIAN_CLASSIC.at(epsilon=epsilon, delta=claimed.ball.mid().str(40, radius=False), sensitivity=sensitivity)
    assert inverse.bound == pytest.approx(values["sigma"], rel=1e-9)


def test_outside_its_range_it_is_refused_and_would_be_wrong():
    """At epsilon = 10 the printed formula gives less noise than the exact calibration: why the range is a hypothesis."""
    with pytest.raises(HypothesisFails, match="must satisfy epsilon_below_one"):
        GAUSSIAN_CLASSIC.at(epsilon=10, delta="1e-5", sensitivity=1)
    printed = (2 * 11.736069) ** 0.5 / 10
    assert printed < GAUSSIAN_CALIBRATION.at(epsilon=10, delta="1e-5", sensitivity=1).bound
