"""The statements of locally private LinUCB (2024) beside numbers worked out by hand; identities in several dimensions; powers."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from scipy import integrate, stats

from banditproof.glossary import DELTA, DIMENSION, EPSILON, HORIZON
from banditproof.glossary.ldp_linucb_2024 import POSITIVE_CURVATURE
from banditproof.theory.language import HypothesisFails
from banditproof.theory.papers.ldp_linucb_2024 import (
    baselines,
    combiner,
    comparisons,
    confidence,
    learner,
    loss,
    privacy,
    regret,
    setting,
)
from tests.support.proof_lines import value_at


def close(theorem, value, rel=1e-12, **known):
    assert theorem.at(**known).bound == pytest.approx(value, rel=rel)


# --- numbers ----------------------------------------------------------------------------------------------------------------------------


def test_noise_and_levels():
    # log(1.25/0.1) = log 12.5 = 2.5257286; 2 sqrt(5.0514573) = 2 * 2.2475447 = 4.495089449 at epsilon = 1
    close(privacy.NOISE_SCALE, 4.495089449, rel=1e-9, epsilon=1, delta="0.1")
    close(privacy.NOISE_SCALE, 0.4495089449, rel=1e-9, epsilon=10, delta="0.1")
    close(privacy.MESSAGE_LEVEL, 2 * math.sqrt(2) / 4.5, sigma="4.5", injected_sigma=0)
    close(privacy.MESSAGE_LEVEL, math.sqrt(4 / 25 + 4 / 16), sigma=4, injected_sigma=3)
    close(privacy.EXPERIMENT_LEVEL, math.sqrt(2 / 25 + 1 / 16), sigma=4, injected_sigma=3)
    close(privacy.PART_PRIVACY, 4 * 4.495089449, rel=1e-9, epsilon="0.25", delta="0.1")
    close(privacy.PRIVACY, 4 * math.sqrt(2) * 4.495089449, rel=1e-9, epsilon="0.25", delta="0.1")
    # epsilon = 1, delta = 1/e: 2 sqrt(2) (sqrt(2) + 1)/sqrt(2) = 2 (sqrt(2) + 1); delta = e^-1 to 12 digits
    close(privacy.PRIVACY, 2 * (math.sqrt(2) + 1), rel=1e-9, epsilon=1, delta=repr(math.exp(-1)))
    # epsilon = 5, delta = e^-4: 2 sqrt(2) (3 + 2)/(5 sqrt(2)) = 2; rho = 1, and 1 + 2 sqrt(4) is 5
    close(privacy.PRIVACY, 2, rel=1e-9, epsilon=5, delta=repr(math.exp(-4)))


def test_profiles_by_another_formula():
    """The profile as the best event's excess: integrate max(0, density - e^epsilon density) in mpmath."""
    with mpmath.workdps(30):
        for epsilon, delta in (("0.5", "1e-5"), ("1", "1e-5"), ("10", "0.1")):
            sigma = 2 * mpmath.sqrt(2 * mpmath.log(mpmath.mpf("1.25") / mpmath.mpf(delta))) / mpmath.mpf(epsilon)
            for theorem, square in ((privacy.MESSAGE_PROFILE, 8), (privacy.EXPERIMENT_PROFILE, 3), (privacy.PART_PROFILE, 4)):
                level = mpmath.sqrt(square) / sigma
                start = mpmath.mpf(epsilon) / level + level / 2
                excess = mpmath.quad(
                    lambda x, level=level, epsilon=epsilon: mpmath.npdf(x, level) - mpmath.exp(mpmath.mpf(epsilon)) * mpmath.npdf(x),
                    [start, start + 5, start + 30],
                )
                known = {"epsilon": epsilon, "delta": delta} | ({} if theorem is privacy.PART_PROFILE else {"injected_sigma": 0})
                assert theorem.at(**known).bound == pytest.approx(float(excess), rel=1e-9)


def test_clipping_length():
    # sigma = 2, Delta = 1/2, D = 1, C = 1, 2T/beta = e^8 up to rounding: L = 8, sqrt(2 L) = 4
    # 2*4*(4 + 4 + 1/2 + 1/2) + 2*8*(1/2 + 4 + 2 + 8 + 8 + 4) + 4 = 72 + 424 + 4 = 500
    close(
        loss.CLIPPING_LENGTH,
        500.0,
        rel=1e-9,
        horizon=100,
        failure=repr(200 / math.exp(8)),
        sigma=2,
        injected_sigma="0.5",
        parameter_norm=1,
        clipping_constant=1,
    )


def test_loss_parameters():
    close(loss.STRONG_CONVEXITY_OF, 2 * (0.25 + 0.25), curvature="1/4", injected_sigma="1/2")
    close(loss.MINIMISER_COMPONENT, 0.2, curvature="1/4", injected_sigma=1)
    close(loss.MINIMISER_DISTANCE, 1.6, parameter_norm=2, curvature="1/4", injected_sigma=1)
    close(loss.INJECTED_VARIANCE, 0.5, curvature="1/4", curvature_threshold="1/4")
    assert loss.INJECTED_VARIANCE.at(curvature="0.3", curvature_threshold="1/4").bound == 0
    with pytest.raises(HypothesisFails):
        loss.MINIMISER_COMPONENT.at(curvature=0, injected_sigma=0)


def test_maler():
    # T = 20000: log2(T)/2 = 7.14, n = 8, 19 experts
    assert learner.EXPERTS_OF.at(horizon=20000).bound == 19
    close(learner.CONVEX_RATE, 1 / (2 * 3 * 4 * 10), horizon=100, clipping=3, parameter_norm=2)  # 1/(2 G D_M sqrt T), D_M = 4
    close(learner.CURVED_RATE, 1 / 8 / (5 * 3 * 4), expert=3, clipping=3, parameter_norm=2)
    # C_pi = 1 + 1/9 at n = 8; i = 0: (10/9)/(3*1*2) = 5/27
    close(learner.PRIOR_CURVED, 5 / 27, horizon=20000, expert=0)
    assert sum(learner.PRIOR_CURVED.at(horizon=20000, expert=i).bound for i in range(9)) == pytest.approx(1 / 3, rel=1e-12)
    with pytest.raises(HypothesisFails):
        learner.PRIOR_CURVED.at(horizon=20000, expert=9)
    # T = 4: l_T = 2 log(sqrt(3) * 4) = log 48; A_s = log 48 + 1 + log 4 = log 192 + 1
    close(learner.PRIOR_LOGARITHM_OF, math.log(48), horizon=4)
    total = math.log(192) + 1
    close(learner.MALER_STRONG, 3 * math.sqrt(9 * total) + 10 * 2 * 2 * total, horizon=4, regret_variance=9, clipping=2, parameter_norm=1)
    newton = math.log(48) + 10 * 5 * math.log(4)
    close(
        learner.MALER_NEWTON,
        3 * math.sqrt(9 * newton) + 40 * newton,
        horizon=4,
        dimension=5,
        regret_variance=9,
        clipping=2,
        parameter_norm=1,
    )
    close(learner.MALER_CONVEX, (2 * math.log(3) + 2) * 2 * 2 * 10, horizon=100, clipping=2, parameter_norm=1)
    close(learner.MALER_STRONGLY_CONVEX, (9 * 4 / (2 * 0.5) + 40) * total, horizon=4, loss_curvature="0.5", clipping=2, parameter_norm=1)
    close(learner.DESCENT_CONVEX, 1.5 * 2 * 2 * 10, horizon=100, clipping=2, parameter_norm=1)
    close(learner.DESCENT_STRONG, 4 / (2 * 0.5) * (1 + math.log(100)), horizon=100, clipping=2, loss_curvature="0.5")
    close(learner.STEP_CONVEX, 4 / (3 * 5), round=25, clipping=3, parameter_norm=2)
    close(learner.STEP_STRONG, 1 / (2 * 0.01 * 9 * 25), round=25, learning_rate="0.1", clipping=3)
    close(learner.METRIC, 0.5 * min(1 / (4 * 7 / 25), 1))
    close(learner.METRIC_START, 1 / ((25 / 56) ** 2 * 16), parameter_norm=2)


def test_width():
    # T = 100, beta = 1, so almost: l = log(T/beta); D = 2, Delta^2 = 1/4, N S = 36, R = 1, sqrt(log(1/delta))/epsilon = q
    logarithm, q = math.log(100 / 0.5), math.sqrt(math.log(10)) / 2
    value = 2 * 0.25 * logarithm * 6 + (1 + 2 * q + 2 * 0.5) ** 2 * logarithm + (q**2 + 0.25) * logarithm * 4
    known = {
        "round": 9,
        "horizon": 100,
        "failure": "1/2",
        "epsilon": 2,
        "delta": "1/10",
        "parameter_norm": 2,
        "reward_sigma": 1,
        "injected_sigma": "1/2",
    }
    close(confidence.EXTRA_WIDTH_OF, 3 * value, **known, path=4, width_constant=3)
    close(confidence.CONFIDENCE_SET, 7 + value, **known, path=4, width_constant=1, learner_regret=7)
    # literal: lambda + Delta^2 = 1/2, mu = 1, G = 3: S = (9 + 6) log 100 + 9 log 2, M = (18 + 6) log 100
    path = 15 * math.log(100) + 9 * math.log(2)
    value = 0.5 * logarithm * math.sqrt(9 * path) + (2 + 2 * q) ** 2 * logarithm + (q**2 + 0.25) * logarithm * path
    constants = {"width_constant": 1, "learner_constant": 1, "path_constant": 1}
    close(confidence.LITERAL_WIDTH, 24 * math.log(100) + value, **known, curvature="1/4", clipping=3, **constants)
    close(regret.CURVATURE_TERM_OF, 36 + 12, clipping=3, parameter_norm=2, curvature="1/4", injected_sigma="1/2")


def test_combiner():
    # T = 256: T^(1/8) = 2, sqrt(dT) = 32 at d = 4, log^(3/2) T = 13.0586 = (8 log 2)^1.5
    logarithm = (8 * math.log(2)) ** 1.5
    close(combiner.FIRST_RATE, 0.5 * 2 / (32 * (logarithm + 1)), horizon=256, dimension=4, epsilon="0.5", first_constant=1)
    close(combiner.OTHER_RATE, 0.5 / (3 * logarithm * 32), horizon=256, dimension=4, epsilon="0.5", other_constant=3)
    close(combiner.FIRST_PUTATIVE, 2 * logarithm * 2 * 2, horizon=256, dimension=4, epsilon="0.5", first_constant=2)
    close(combiner.OTHER_PUTATIVE, logarithm * 2 / 0.25, horizon=256, dimension=4, epsilon="0.5", guess="0.5", other_constant=1)
    close(combiner.GUESS_OF, 2.0, horizon=256, learner=3)
    assert combiner.LEARNERS_OF.at(horizon=20000).bound == 3  # log2(T)/8 = 1.79
    close(combiner.COEFFICIENT_OF, 2.25, rate_exponent="1/2")
    close(combiner.COEFFICIENT_OF, (1 / 3) ** (1 / 3) * 1.75 ** (4 / 3), rate_exponent="3/4")
    assert combiner.COEFFICIENT_OF.at(rate_exponent="3/4").bound == pytest.approx(1.4622, abs=5e-5)
    known = {"horizon": 256, "failure": "1/2", "learners": 3, "combiner_rate": "1/100", "other_rates": 7, "rate_exponent": "1/2"}
    close(combiner.TARGET, 5 * 16 + 2.25 * 25 * 2.56 + 288 * math.log(256**3 * 6) * 2.56 + 7, **known, putative_constant=5)
    known = {"sigma": 2, "horizon": 10, "learners": 3, "failure": "1/2", "radius_constant": 1}
    close(combiner.NOISY_RADIUS_OF, math.sqrt(5 * math.log(30000)), own_rounds=1, **known)
    close(combiner.NOISY_RADIUS_OF, math.sqrt(50 * math.log(30000 * math.log(10))), own_rounds=10, **known)
    close(combiner.EPOCHS_ADD_UP, 2.467 * 8, rel=2e-4, horizon=16, epoch_constant=1)
    close(combiner.EPOCH_FAILURE_OF, 0.5 / 16, horizon=20000, failure="1/2")  # ceil(log2 40000) = 16
    close(combiner.EPOCH_THRESHOLD, 0.5, horizon=256)
    close(combiner.INDEX_MISSES, stats.norm.cdf(-1 / 4.5), sigma="4.5")


def test_baselines():
    width = math.sqrt(4 * 5) + 0.5 * math.sqrt(5 * math.log((1 + 100 * 2 / 4) * 100))
    length = repr(math.sqrt(2))
    close(baselines.SCRIPT_WIDTH, width, horizon=100, dimension=5, context_norm=length, reward_sigma="0.5", baseline_scale=4)
    close(baselines.LOCAL_SCRIPT_SIGMA, math.sqrt(math.log(25)) / 0.5, epsilon="0.5", delta="0.1")
    close(baselines.LOCAL_SIGMA, 2 * 4.495089449 / 0.5, rel=1e-9, epsilon="0.5", delta="0.1")
    close(baselines.LOCAL_NOISE_NORM, 3 * 2 * (8 + 2 * math.log(400)), round=4, horizon=100, dimension=4, failure="1/2", baseline_sigma=3)
    width = 2 * 3 * math.sqrt(4 * math.log(100)) + (math.sqrt(36) + 3 * math.sqrt(4 * 3 / 12)) * 4 * math.log(100)
    close(baselines.LOCAL_WIDTH, width, round=3, horizon=100, dimension=4, baseline_sigma=3, noise_norm=12)
    close(baselines.JOINT_SCRIPT_SIGMA, math.sqrt(math.log(100)) * math.log(25) / 0.5, horizon=100, epsilon="0.5", delta="0.1")
    assert baselines.JOINT_SCRIPT_NODES.at(horizon=20000).bound == 10  # log 20000 = 9.9
    # m = 1 + ceil(log2 20000) = 16
    close(baselines.JOINT_SIGMA, 4 * 4 * 2 * math.log(40), horizon=20000, epsilon=1, delta="0.1", row_norm=length)
    close(baselines.AMPLIFIED_SIGMA, math.sqrt(math.log(500)) / (0.5 * math.sqrt(20)), epsilon="0.5", delta="0.1", batch_size=20)
    assert baselines.VECTOR_RESOLUTION.at(batch_size=3, dimension=3).bound == 4
    close(baselines.VECTOR_RESOLUTION, 2 * math.sqrt(20), batch_size=20, dimension=5)
    known = {"dimension": 5, "epsilon": "0.2", "delta": "0.1", "batch_size": 20, "trials_scale": 1}
    close(baselines.VECTOR_TRIALS, 100 * math.log(50) ** 2, **known, resolution=repr(2 * math.sqrt(20)))  # 80 log(50)^2/(0.04 * 20)
    close(baselines.VECTOR_TRIALS_PAPER, 100 * math.log(250) ** 2, **known, resolution=repr(2 * math.sqrt(20)))
    close(baselines.VECTOR_SCALE, math.log(50) / (4 * 0.5 * 2) * 20, horizon=80, dimension=5, epsilon="0.5", delta="0.1", batch_size=4)


# --- identities in several dimensions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_loss_and_gradient(dimension):
    """l(theta_t) - l(theta*) = <g, e> - <x~, e>^2 + |e|^2 in the norm of Sigma, e = theta_t - theta*, for any symmetric Sigma."""
    rng = np.random.default_rng(dimension)
    for _ in range(200):
        x, theta, star = rng.normal(size=(3, dimension))
        y, root = rng.normal(), rng.normal(size=(dimension, dimension))
        sigma = root @ root.T
        value = lambda t, x=x, y=y, sigma=sigma: (x @ t - y) ** 2 - t @ sigma @ t  # noqa: E731
        gradient, error = 2 * x * (x @ theta - y) - 2 * sigma @ theta, theta - star
        right = gradient @ error - (x @ error) ** 2 + error @ sigma @ error
        assert value(theta) - value(star) == pytest.approx(right, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("dimension", [2, 5])
def test_loss_expanded_in_vectors(dimension):
    """Section 5 of the sheet, step 1: the five terms A to E, in vectors."""
    rng = np.random.default_rng(dimension)
    for _ in range(200):
        x, theta, star, zeta, eta = rng.normal(size=(5, dimension))
        z, noise = rng.normal(), rng.uniform(0.1, 3)
        sigma, error = noise**2 * np.eye(dimension), theta - star
        noisy, response = x + zeta + eta, x @ star + z
        value = lambda t, noisy=noisy, response=response, sigma=sigma: (noisy @ t - response) ** 2 - t @ sigma @ t  # noqa: E731
        terms = (
            -2 * ((zeta + eta) @ theta - z) * (x @ error),
            2 * z * ((zeta + eta) @ error),
            (zeta @ star) ** 2 - (zeta @ theta) ** 2,
            2 * (zeta @ star) * (eta @ star) - 2 * (zeta @ theta) * (eta @ theta),
            -error @ (np.outer(eta, eta) - sigma) @ (theta + star),
        )
        assert value(theta) - value(star) == pytest.approx((x @ error) ** 2 - sum(terms), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("dimension", "rounds"), [(1, 1), (2, 3), (5, 20)])
def test_ridge_identity_in_vectors(dimension, rounds):
    rng = np.random.default_rng(rounds)
    for _ in range(50):
        rows, predictions, theta = rng.normal(size=(rounds, dimension)), rng.normal(size=(rounds, dimension)), rng.normal(size=dimension)
        targets = np.einsum("ti,ti->t", rows, predictions)
        gram = np.eye(dimension) + rows.T @ rows
        centre = np.linalg.solve(gram, rows.T @ targets)
        spread = lambda t, rows=rows, targets=targets: np.sum((targets - rows @ t) ** 2)  # noqa: E731
        right = (theta - centre) @ gram @ (theta - centre) + centre @ centre + spread(centre)
        assert theta @ theta + spread(theta) == pytest.approx(right, rel=1e-10)


def test_conditional_variance_of_the_last_term():
    """sigma^4 (|e|^2 |q|^2 + <e, q>^2), by the fourth moments of a normal vector, exactly."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        e, q = rng.normal(size=(2, 3))
        fourth = 0.0
        for i, j, k, m in itertools.product(range(3), repeat=4):
            moment = (i == j) * (k == m) + (i == k) * (j == m) + (i == m) * (j == k)
            fourth += e[i] * q[j] * e[k] * q[m] * moment
        assert fourth - (e @ q) ** 2 == pytest.approx((e @ e) * (q @ q) + (e @ q) ** 2, rel=1e-12)


# --- curvature --------------------------------------------------------------------------------------------------------------------------


def test_least_square_against_its_integral():
    """Remark 3.1 by numerical integration of the exact tail, and its first factor: equality would need k = 1 and a linear tail."""
    for choices in (1, 2, 3, 10, 100):
        exact = integrate.quad(lambda u, k=choices: 2 * u * math.erfc(u / math.sqrt(2)) ** k, 0, 12, epsabs=1e-13)[0]
        stated = comparisons.LEAST_SQUARE.at(sigma=1, folds=choices).bound
        assert stated <= math.pi / ((choices + 1) * (choices + 2)) * (1 + 1e-12) <= exact * (1 + 1e-9)
    assert exact == pytest.approx(math.pi / 100**2, rel=0.05)


# --- powers -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theorem", "quantity", "power"),
    [
        (regret.COROLLARY_FAVOURABLE, HORIZON, 1 / 2),
        (regret.COROLLARY_FAVOURABLE, DIMENSION, 1 / 2),
        (regret.COROLLARY_WORST, HORIZON, 3 / 4),
        (regret.COROLLARY_WORST, DIMENSION, 1 / 2),
        (regret.FAVOURABLE_SUBSTITUTED, HORIZON, 1 / 2),
        (regret.WORST_SUBSTITUTED, HORIZON, 3 / 4),
        (regret.REGRET_BY_LONG_PATH, HORIZON, 1),
        (setting.TREE_REGRET, DIMENSION, 1),
        (setting.LOCAL_REGRET, HORIZON, 3 / 4),
        (combiner.COMBINED_WORST, HORIZON, 5 / 6),
        (combiner.FIRST_TARGET, HORIZON, 5 / 6),
        (combiner.OTHER_TARGET, HORIZON, 1 / 2),
        (comparisons.LARGEST_CURVATURE, DIMENSION, 3 / 2),
    ],
)
def test_powers(theorem, quantity, power):
    assert float(theorem.growth_in(quantity).power) == pytest.approx(power)


def slope(theorem, name, values, **known):
    """The slope of log(bound) against log(value), between two values."""
    low, high = (theorem.at(**known, **{name: value}).bound for value in values)
    return math.log(high / low) / math.log(float(values[1]) / float(values[0]))


_KNOWN = {"horizon": 10**6, "dimension": 5, "failure": "1/1000", "delta": "1/1000", "parameter_norm": 1, "reward_sigma": "1/2"}


def test_powers_of_epsilon_and_curvature_after_substitution():
    """1/epsilon^3 after substitution, where 1/epsilon is printed, and 1/lambda_min as printed."""
    steps = ("1e-6", "1e-5")
    assert slope(regret.FAVOURABLE_SUBSTITUTED, "epsilon", steps, **_KNOWN, positive_curvature="1/8") == pytest.approx(-3, abs=0.01)
    assert slope(regret.WORST_SUBSTITUTED, "epsilon", steps, **_KNOWN) == pytest.approx(-3, abs=0.01)
    found = slope(regret.FAVOURABLE_SUBSTITUTED, "positive_curvature", steps, **_KNOWN, epsilon=1)
    assert found == pytest.approx(-1, abs=0.01)


def test_growth_names_are_those_of_the_rates():
    """Would catch a rate that lost a letter: what the sentence compares is among its quantities."""
    assert {EPSILON, POSITIVE_CURVATURE} <= set(regret.COROLLARY_FAVOURABLE.stated().given)
    assert DELTA in regret.COROLLARY_SUM.stated().given


def test_experts_grow_as_half_the_binary_logarithm():
    """n = ceil(log2(T)/2), and its order."""
    assert value_at(learner.last_expert().growth, horizon=2**40) == pytest.approx(20, rel=1e-12)
