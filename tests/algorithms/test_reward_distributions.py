"""Pareto, Student, Gaussian and two-point rewards, outliers by arm, scaling: distributions against SciPy's, identities in exact
fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from banditproof.algorithms.environments import gaussian, pareto, student, two_point
from banditproof.algorithms.environments.common import scaling
from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.environments.huber import ArmHuber, Huber, Normal, TwoValues
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.environments.student import Student
from banditproof.algorithms.environments.two_point import TwoPoint
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.interaction import Pipeline, Table, Wire
from banditproof.kernels import plain
from banditproof.randomness import key_of
from banditproof.simulation import play

KEYS = st.lists(st.integers(0, 2**64 - 1), min_size=3, max_size=3).map(lambda words: np.array(words, dtype=np.uint64))
GAMMAS = st.fractions(Fraction(1, 50), 1, max_denominator=50)
DRAWS = 200_000


def drawn(environment, seed, corruption=None) -> np.ndarray:
    """Rewards of arms with one distribution, as the policy gets them."""
    parts = {} if corruption is None else {"corruption": corruption}
    return play(Pipeline(RobustElimination(1.0), environment, **parts), horizon=DRAWS, key=key_of(seed), record=(Wire.REPORT,)).wire(
        Wire.REPORT
    )[:, 0]


@pytest.mark.parametrize(
    ("environment", "distribution"),
    [
        (Pareto((3.0, 3.0), (40.0, 40.0), (-2.5, -2.5)), stats.pareto(3.0, loc=-2.5, scale=40.0)),
        (Pareto((1.2, 1.2), (0.5, 0.5), (1.0, 1.0)), stats.pareto(1.2, loc=1.0, scale=0.5)),
        (Student((0.0, 0.0), (1.0, 1.0), (2.0017, 2.0017)), stats.t(2.0017)),
        (Student((3.0, 3.0), (0.5, 0.5), (30.0, 30.0)), stats.t(30.0, loc=3.0, scale=0.5)),
        (Student((0.0, 0.0), (1.0, 1.0), (1.01, 1.01)), stats.t(1.01)),
        (Gaussian((1.0, 1.0), (2.0, 2.0)), stats.norm(1.0, 2.0)),
    ],
)
def test_rewards_have_their_distribution(room, environment, distribution, seed):
    """Would catch another exponent, scale or shift, and a tail cut off: the distribution at nine probabilities, far tails included."""
    rewards = drawn(environment, seed)
    for probability in (0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999):
        room.assert_rate(int(np.count_nonzero(rewards <= distribution.ppf(probability))), DRAWS, probability, detects=0.013)
    assert environment.setup()[0] == pytest.approx(distribution.mean())


def test_far_student_tails_are_real_valued(room, seed):
    """Would catch a cancellation near the centre (u near 1): small values must be as frequent as the density says."""
    rewards, distribution = drawn(Student((0.0, 0.0), (1.0, 1.0), (2.0017, 2.0017)), seed), stats.t(2.0017)
    for size in (1e-3, 1e-2):
        room.assert_rate(
            int(np.count_nonzero(np.abs(rewards) <= size)), DRAWS, distribution.cdf(size) - distribution.cdf(-size), detects=0.004
        )


@given(shape=st.floats(2.1, 9.0), scale=st.floats(0.1, 50.0), shift=st.floats(-50.0, 50.0))
def test_pareto_moments(shape, scale, shift):
    """Would catch a moment of another distribution."""
    distribution = stats.pareto(shape, loc=shift, scale=scale)
    assert pareto.mean(shape, scale, shift) == pytest.approx(distribution.mean(), rel=1e-12, abs=1e-12)
    assert pareto.variance(shape, scale) == pytest.approx(distribution.var(), rel=1e-9)
    # s x^2 / ((s-1)^2 (s-2)) = E X^2 - (E X)^2
    assert pareto.raw_moment(2, shape, scale) - pareto.raw_moment(1, shape, scale) ** 2 == pytest.approx(distribution.var(), rel=1e-9)
    (second, _) = Pareto((shape, shape), (scale, scale), (shift, shift)).second_moments()
    assert second == pytest.approx(distribution.var() + distribution.mean() ** 2, rel=1e-9)


@given(degrees=st.floats(2.5, 30.0), noise_scale=st.floats(0.1, 10.0), centre=st.floats(-5.0, 5.0), fraction=st.floats(0.0, 0.9))
def test_student_moments(degrees, noise_scale, centre, fraction):
    order = fraction * degrees
    expected = 2 * integrate.quad(lambda x: x**order * stats.t.pdf(x, degrees), 0, np.inf, limit=500)[0]
    assert student.absolute_moment(order, degrees) == pytest.approx(expected, rel=1e-5)
    assert student.absolute_moment(2.0, degrees, noise_scale) == pytest.approx(student.variance(degrees, noise_scale), rel=1e-9)
    assert student.absolute_moment(order, degrees, noise_scale) == pytest.approx(
        noise_scale**order * student.absolute_moment(order, degrees)
    )
    (second, _) = Student((centre, centre), (noise_scale, noise_scale), (degrees, degrees)).second_moments()
    assert second == pytest.approx(centre**2 + stats.t(degrees, scale=noise_scale).var(), rel=1e-9)


@given(degrees=st.floats(2.5, 1e17), order=st.floats(-0.9, 2.0))
def test_student_moments_of_many_degrees(degrees, order):
    """Would catch gamma functions whose logarithms cancel: the second moment of 1e15 degrees was 0.56."""
    assert student.absolute_moment(2.0, degrees) == pytest.approx(degrees / (degrees - 2.0), rel=1e-13)
    assert student.absolute_moment(0.0, degrees) == pytest.approx(1.0, rel=1e-14)
    if degrees > 1e9:
        assert student.absolute_moment(order, degrees) == pytest.approx(gaussian.absolute_moment(order), rel=1e-8)


@pytest.mark.parametrize("moment", [199.9, 200.1, 400.0])
def test_gaussian_moments_of_high_orders(moment):
    """Would catch a jump where logarithms take over, and a gamma function that overflows."""
    unit = gaussian.unit_standard_deviation(moment)
    assert gaussian.absolute_moment(moment, unit) == pytest.approx(1.0, rel=1e-11)
    assert gaussian.absolute_moment(1e4) == math.inf


@given(order=st.floats(0.0, 8.0), noise_scale=st.floats(0.1, 10.0), moment=st.floats(2.0, 12.0))
def test_gaussian_moments(order, noise_scale, moment):
    expected = 2 * integrate.quad(lambda x: x**order * stats.norm.pdf(x), 0, np.inf)[0]
    assert gaussian.absolute_moment(order) == pytest.approx(expected, rel=1e-7)
    assert gaussian.absolute_moment(order, noise_scale) == pytest.approx(noise_scale**order * expected, rel=1e-7)
    assert gaussian.absolute_moment(moment, gaussian.unit_standard_deviation(moment)) == pytest.approx(1.0, rel=1e-12)
    assert gaussian.absolute_moment(4.0) == pytest.approx(3.0)


@given(
    environment=st.sampled_from(
        [Pareto((3.0, 2.5), (40.0, 2.0), (-2.5, 7.0)), Student((1.0, -1.0), (2.0, 0.5), (2.1, 5.0)), Gaussian((1.0, -3.0), (2.0, 0.1))]
    ),
    offset=st.floats(-10.0, 10.0),
    key=KEYS,
    round=st.integers(0, 10**9),
    arm=st.integers(0, 1),
)
def test_rescaled_rewards_lie_in_the_unit_class(environment, offset, key, round, arm):
    """Would catch a mean or a spread that does not go through the map; and the map of section 8 that misses the class."""
    scale = scaling.unit_scale(environment.second_moments())
    mapped = environment.rescaled(offset, scale)
    contexts, memory = np.zeros((2, 0)), np.zeros(0)
    before, after = (plain(each.reward)(each.setup(), memory, round, key, arm, contexts) for each in (environment, mapped))
    assert after == pytest.approx((before - offset) / scale, rel=1e-9, abs=1e-9)
    assert mapped.setup()[:2] == pytest.approx((environment.setup()[:2] - offset) / scale, rel=1e-9, abs=1e-12)
    assert max(environment.rescaled(0.0, scale).second_moments()) == pytest.approx(1.0, rel=1e-12)


@given(moments=st.lists(st.floats(0.01, 1e6), min_size=1, max_size=5), moment=st.floats(2.0, 6.0))
def test_unit_scale_is_the_least(moments, moment):
    scale = scaling.unit_scale(moments, moment)
    assert max(each / scale**moment for each in moments) <= 1.0
    assert max(moments) / scale**moment == pytest.approx(1.0, rel=1e-12)
    assert scaling.rescaled_regret(3.0, 2.0) == 6.0


# --- the lower-bound constructions: no tolerance ---------------------------------------------------------------------------------------


@given(arms=st.integers(2, 7), gamma=GAMMAS, moment=st.integers(2, 6), data=st.data())
def test_the_constructions_are_what_the_proof_needs(arms, gamma, moment, data):
    """Sheet, section 5: moments 1/2, 3/10, 7/10; gaps gamma^(k-1)/5 and twice that; TV 2/5 gamma^k; equal contaminated mixtures."""
    changed = data.draw(st.integers(1, arms - 1))
    first = two_point.first_instance(arms, gamma, moment=moment)
    second = two_point.second_instance(arms, gamma, moment=moment, changed=changed)
    gap, alpha = gamma ** (moment - 1) / 5, gamma**moment
    assert two_point.gap(gamma, moment) == gap
    assert two_point.alpha(gamma, moment) == alpha
    assert first.gaps() == (0, *[gap] * (arms - 1))
    assert second.gaps() == tuple(0 if arm == changed else gap if arm == 0 else 2 * gap for arm in range(arms))
    for arm in range(arms):
        one, other = first.distributions()[arm], second.distributions()[arm]
        assert sum(one.values()) == sum(other.values()) == 1
        assert min(*one.values(), *other.values()) >= 0
        assert two_point.raw_moment(one, moment) == (Fraction(1, 2) if arm == 0 else Fraction(3, 10))
        assert two_point.raw_moment(other, moment) == (Fraction(7, 10) if arm == changed else two_point.raw_moment(one, moment))
        assert two_point.raw_moment(one, 1) == two_point.raw_moment(one, moment) * gamma ** (moment - 1)
        assert two_point.total_variation(one, other) == (Fraction(2, 5) * alpha if arm == changed else 0)
        ours, theirs = two_point.outliers(gamma, moment)
        assert sum(ours.values()) == sum(theirs.values()) == 1
        mixed = two_point.mixture(one, ours if arm == changed else theirs, alpha), two_point.mixture(other, theirs, alpha)
        assert {value: fraction for value, fraction in mixed[0].items() if fraction} == {
            value: fraction for value, fraction in mixed[1].items() if fraction
        }
        if arm == changed:
            assert mixed[0][1 / gamma] == Fraction(7, 10) * alpha * (1 - alpha)


def test_contaminated_instances_look_alike(room, seed):
    """Would catch outliers of another arm or instance: arm 1 pays its value at the rate 0.7 alpha (1 - alpha) in both."""
    gamma, moment, alpha = Fraction(3, 4), 2, Fraction(9, 16)
    instances = (two_point.first_instance(2, gamma, moment=moment), two_point.first_contamination(2, gamma, moment=moment), 1)
    others = (two_point.second_instance(2, gamma, moment=moment), two_point.second_contamination(2, gamma, moment=moment), 1)
    for environment, corruption, arm in (instances, others):
        run = play(
            Pipeline(RobustElimination(1.0), environment, corruption=corruption),
            horizon=DRAWS,
            key=key_of(seed),
            record=(Wire.REPORT, Wire.ARMS),
        )
        paid = run.wire(Wire.REPORT)[run.wire(Wire.ARMS) == arm, 0]
        room.assert_rate(int(np.count_nonzero(paid)), len(paid), float(Fraction(7, 10) * alpha * (1 - alpha)), detects=0.02)
        assert set(paid) <= {0.0, float(1 / gamma)}


def test_golden_private_gamma():
    # ((K - 1) / (T epsilon))^(1/k) = (10 / 1000)^(1/2)
    assert two_point.private_gamma(11, 2000, epsilon=0.5, moment=2.0) == pytest.approx(0.1, rel=1e-14)


# --- outliers by arm -------------------------------------------------------------------------------------------------------------------


@given(alpha=st.floats(0.0, 1.0), low=st.floats(-5.0, 5.0), high=st.floats(-5.0, 5.0), fraction=st.floats(0.0, 1.0), key=KEYS)
def test_one_distribution_for_all_arms_is_huber(alpha, low, high, fraction, key):
    """Would catch another use of the stream: figures made with one would not be those made with the other."""
    pair = Huber(alpha, high=high, low=low, high_probability=fraction), ArmHuber(alpha, (TwoValues(low, high, fraction),))
    for round in range(20):
        values = [np.array([0.5]), np.array([0.5])]
        for corruption, value in zip(pair, values, strict=True):
            plain(corruption.kernel)(corruption.setup(), corruption.memory(), round, key, round % 3, value)
        assert values[0][0] == values[1][0]


def test_outlier_distributions_by_arm(room, seed):
    """Would catch one distribution for all arms, a spread that is a variance, and outliers that come at the wrong rate."""
    distributions = (Normal(0.0, 1.0), Normal(100.0, 2.0))
    table = Table(np.full((DRAWS, 3), np.inf))
    run = play(
        Pipeline(RobustElimination(1.0), table, corruption=ArmHuber(0.25, distributions)),
        horizon=DRAWS,
        key=key_of(seed),
        record=(Wire.REPORT, Wire.ARMS),
    )
    for arm, distribution in enumerate((*distributions, distributions[-1])):
        paid = run.wire(Wire.REPORT)[run.wire(Wire.ARMS) == arm, 0]
        outliers = paid[np.isfinite(paid)]
        room.assert_rate(len(outliers), len(paid), 0.25, detects=0.05)
        for probability in (0.05, 0.5, 0.95):
            cut = stats.norm(distribution.mean, distribution.standard_deviation).ppf(probability)
            room.assert_rate(int(np.count_nonzero(outliers <= cut)), len(outliers), probability, detects=0.08)


def test_rescaled_outliers():
    assert ArmHuber(0.1, (TwoValues(2.0, 6.0, 0.5), Normal(4.0, 2.0))).rescaled(2.0, 2.0).distributions == (
        TwoValues(0.0, 2.0, 0.5),
        Normal(1.0, 1.0),
    )
    assert Huber(0.1, high=6.0, low=2.0).rescaled(2.0, 2.0) == Huber(0.1, high=2.0, low=0.0)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Pareto((1.0, 3.0), (1.0, 1.0), (0.0, 0.0)), r"shape = 1.0: must be > 1"),
        (lambda: Pareto((3.0, 3.0), (0.0, 1.0), (0.0, 0.0)), r"scale = 0.0: must be > 0"),
        (lambda: Pareto((3.0, 3.0), (1.0,), (0.0, 0.0)), r"scales = \(1.0,\): must be those of 2 arms"),
        (lambda: Pareto((3.0, 3.0), (1.0, 1.0), (0.0, math.nan)), r"shifts holds nan: must be finite"),
        (lambda: Pareto((1.5, 3.0), (1.0, 1.0), (0.0, 0.0)).second_moments(), r"shape = 1.5: must be > 2"),
        (lambda: Pareto((3.0, 3.0), (1.0, 1.0), (0.0, 0.0)).rescaled(0.0, 0.0), r"scale = 0.0: must be > 0"),
        (lambda: Student((0.0, 0.0), (1.0, 1.0), (1.0, 2.0)), r"degrees = 1.0: must be > 1"),
        (lambda: Student((0.0, 0.0), (1.0, -1.0), (2.0, 2.0)), r"noise_scale = -1.0: must be > 0"),
        (lambda: student.variance(2.0), r"degrees = 2.0: must be > 2"),
        (lambda: student.absolute_moment(-2.0, 2.0), r"order = -2.0: must be > -1"),
        (lambda: Gaussian((0.0,), (1.0,)), r"centres = \(0.0,\): must be those of 2 arms"),
        (lambda: Gaussian((0.0, 1.0), (1.0, 0.0)), r"standard_deviation = 0.0: must be > 0"),
        (lambda: gaussian.absolute_moment(-1.0), r"order = -1.0: must be > -1"),
        (lambda: scaling.unit_scale([]), r"moments = \(\): must be >= 0 and finite"),
        (lambda: scaling.require_map(math.inf, 1.0), r"offset = inf: must be finite"),
        (lambda: TwoPoint((Fraction(1, 2),), Fraction(1, 2), 2), r"must be those of at least 2 arms"),
        (lambda: TwoPoint((Fraction(1, 2), Fraction(3, 2)), Fraction(1, 2), 2), r"weight = 3/2: must be >= 0 and <= 1"),
        (lambda: two_point.first_instance(2, Fraction(3, 2), moment=2), r"gamma = 3/2: must be > 0 and <= 1"),
        (lambda: two_point.first_instance(2, Fraction(1, 2), moment=1), r"moment = 1: must be an integer >= 2"),
        (lambda: two_point.second_instance(2, Fraction(1, 2), moment=2, changed=0), r"changed = 0: must be >= 1 and < 2"),
        (lambda: two_point.private_gamma(11, 10, epsilon=0.5, moment=2.0), r"gamma = 1.41421: must be <= 1"),
        (lambda: ArmHuber(0.1, (TwoValues(math.nan, 1.0),)), r"TwoValues\(low=nan, .*: must have finite values"),
        (lambda: ArmHuber(1.5, (Normal(0.0),)), r"contamination = 1.5: must be >= 0 and <= 1"),
        (lambda: ArmHuber(0.5, ()), r"distributions = \(\): must be those of at least 1 arm"),
        (lambda: ArmHuber(0.5, (Normal(0.0, -1.0),)), r"must have a finite mean and a standard_deviation >= 0"),
        (lambda: ArmHuber(0.5, (TwoValues(0.0, 1.0, 2.0),)), r"high_probability = 2.0: must be >= 0 and <= 1"),
        (lambda: ArmHuber(0.5, (Normal(0.0),), Wire.ARMS), r"wire = arms: must be rewards or report"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
