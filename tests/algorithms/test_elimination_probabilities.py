"""The exact distribution of one elimination, against other integrals and against its definition."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from banditproof.algorithms.policies.elimination.probabilities import difference_tail, elimination_probability, outcome_probability

CENTRES = st.lists(st.floats(-5.0, 5.0), min_size=2, max_size=5)
SCALES, RADII = st.floats(0.1, 5.0), st.one_of(st.just(0.0), st.floats(0.0, 3.0))


def test_golden_tail_of_a_difference():
    # P(X - Y > t b) = (2 + t) e^-t / 4
    assert difference_tail(0.0, scale=3.0) == 0.5
    assert difference_tail(6.0, scale=3.0) == pytest.approx(math.exp(-2.0), rel=1e-14)
    assert difference_tail(-6.0, scale=3.0) == pytest.approx(1.0 - math.exp(-2.0), rel=1e-14)


def below(y: float) -> float:
    """P(noise <= y) for Laplace noise of scale 1."""
    return 0.5 * math.exp(y) if y <= 0.0 else 1.0 - 0.5 * math.exp(-y)


@given(y=st.floats(-30.0, 30.0))
def test_the_distribution_function_of_the_tests_is_that_of_scipy(y):
    """Would catch a mistake in what the next test compares with; one call of SciPy's takes as long as 200 of these."""
    assert below(y) == pytest.approx(stats.laplace.cdf(y), rel=1e-14)


@given(centres=st.lists(st.floats(-5.0, 5.0), min_size=3, max_size=8), scale=SCALES, radius=RADII, data=st.data())
def test_elimination_is_the_integral_over_its_own_noise(centres, scale, radius, data):
    """Would catch an interval misjudged at a kink, and a wrong exponent."""
    arm = data.draw(st.integers(0, len(centres) - 1))
    others = [centre for other, centre in enumerate(centres) if other != arm]

    def survives(y: float) -> float:
        kept = math.prod(below((centres[arm] + y + 2 * radius - other) / scale) for other in others)
        return math.exp(-abs(y) / scale) / (2 * scale) * kept

    kinks = [0.0, *(other - centres[arm] - 2 * radius for other in others)]
    ends = [-60.0 * scale + min(kinks), *sorted(kinks), max(kinks) + 60.0 * scale]
    expected = 1.0 - sum(integrate.quad(survives, *pair, epsabs=1e-13)[0] for pair in itertools.pairwise(ends))
    assert elimination_probability(centres, arm, scale=scale, radius=radius) == pytest.approx(expected, abs=1e-10)


@given(centres=CENTRES, scale=SCALES, radius=RADII)
def test_outcomes_add_up(centres, scale, radius):
    """Would catch an outcome counted twice or left out: all sum to 1, those without an arm to its elimination."""
    arms = range(len(centres))
    outcomes = {
        kept: outcome_probability(centres, kept, scale=scale, radius=radius)
        for size in arms
        for kept in itertools.combinations(arms, size + 1)
    }
    assert sum(outcomes.values()) == pytest.approx(1.0, abs=1e-12)
    assert min(outcomes.values()) >= -1e-14
    for arm in arms:
        gone = sum(probability for kept, probability in outcomes.items() if arm not in kept)
        assert elimination_probability(centres, arm, scale=scale, radius=radius) == pytest.approx(gone, abs=1e-12)


def test_frequencies_of_the_definition(room, rng):
    """Would catch a radius in place of its double, or noise on one side only."""
    runs, centres, scale, radius = 200_000, rng.normal(size=4), 0.7, 0.4
    noisy = centres + rng.laplace(0.0, scale, (runs, 4))
    gone = noisy.max(axis=1, keepdims=True) - noisy > 2.0 * radius
    for arm in range(4):
        exact = elimination_probability(list(centres), arm, scale=scale, radius=radius)
        room.assert_rate(int(gone[:, arm].sum()), runs, exact, detects=0.012)


def test_an_arm_far_below_changes_nothing():
    near = elimination_probability([0.0, 1.0], 0, scale=0.3, radius=0.2)
    assert elimination_probability([0.0, 1.0, -50.0], 0, scale=0.3, radius=0.2) == pytest.approx(near, rel=1e-13)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: difference_tail(1.0, scale=0.0), r"scale = 0.0: must be > 0"),
        (lambda: elimination_probability([0.0], 0, scale=1.0, radius=0.1), r"centres = \(0.0,\): must be finite, of at least 2 arms"),
        (lambda: elimination_probability([0.0, math.nan], 0, scale=1.0, radius=0.1), r"centres = \(0.0, nan\): must be finite"),
        (lambda: elimination_probability([0.0, 1.0], 2, scale=1.0, radius=0.1), r"arm = 2: must be >= 0 and < 2"),
        (lambda: elimination_probability([0.0, 1.0], 0, scale=1.0, radius=-0.1), r"radius = -0.1: must be >= 0"),
        (lambda: outcome_probability([0.0, 1.0], [1, 1], scale=1.0, radius=0.1), r"survivors = \(1, 1\): must be different arms"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
