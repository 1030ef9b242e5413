"""The statements of locally private LinUCB (2024) beside numbers worked out by hand; identities in several dimensions; powers."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from banditproof.glossary import DELTA, DIMENSION, EPSILON, HORIZON
from banditproof.glossary.ldp_linucb_2024 import POSITIVE_CURVATURE
from banditproof.theory.language import HypothesisFails
from banditproof.theory.papers.ldp_linucb_2024 import (
    baselines,
    combiner,
    comparisons,
    confidence,
    experiments,
    learner,
    loss,
    privacy,
    regret,
    setting,
)


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


def test_the_accusation_of_theorem_3_2_by_drawn_messages():
    """Would catch an accusation that only our formula makes: the best event of x = e_1, y = 1 against x = -e_1, y = -1, counted."""
    rng, draws, epsilon, delta = np.random.default_rng(20241), 4_000_000, 10.0, 0.1
    sigma = 2 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    event = lambda centre: np.mean(  # noqa: E731
        2 * (centre + sigma * rng.normal(size=draws)) / sigma**2 + 2 * (centre + sigma * rng.normal(size=draws)) / sigma**2 > epsilon
    )
    one, other = event(1.0), event(-1.0)
    exact = privacy.MESSAGE_PROFILE.at(epsilon=10, delta="0.1", injected_sigma=0).bound
    assert exact == pytest.approx(0.9162, abs=1e-4)
    assert one - math.exp(epsilon) * stats.beta.ppf(1 - 1e-9, other * draws + 1, draws) > delta  # other is small: an upper bound on it
    assert privacy.EXPERIMENT_PROFILE.at(epsilon=10, delta="0.1", injected_sigma=0).bound == pytest.approx(0.1843, abs=1e-4)


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


# --- the minimiser, twice ---------------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6), injected=st.floats(0.0, 2.0))
def test_the_minimiser_of_the_expected_loss(seed, injected):
    """Would catch an accusation without ground: E l for drawn second moments, minimised by its exact gradient, in three dimensions."""
    rng = np.random.default_rng(seed)
    points, star, sigma = rng.normal(size=(6, 3)) / 3, rng.normal(size=3), 1.5
    moment = points.T @ points / 6
    # E l = E (<x + zeta + eta, theta> - <x, theta*>)^2 - sigma^2 |theta|^2 + constant; its gradient, halved, is affine in theta
    hessian = moment + injected**2 * np.eye(3) + sigma**2 * np.eye(3) - sigma**2 * np.eye(3)
    minimiser = np.linalg.solve(hessian, moment @ star)
    values, vectors = np.linalg.eigh(moment)
    shares = (vectors.T @ minimiser) / (vectors.T @ star)
    stated = [loss.MINIMISER_COMPONENT.function()(curvature=max(value, 0.0), injected_sigma=injected) for value in values]
    assert shares == pytest.approx(np.array(stated, dtype=float), rel=1e-6, abs=1e-9)


def test_the_minimiser_by_drawn_losses():
    """And by drawn rounds: least squares with the regulariser taken off ends at lambda/(lambda + Delta^2) theta*, not at theta*."""
    rng, rounds, sigma, injected = np.random.default_rng(11), 2_000_000, 1.0, 0.7
    x = np.where(rng.random(rounds) < 0.5, 1.0, -1.0) * 0.8
    noisy = x + injected * rng.normal(size=rounds) + sigma * rng.normal(size=rounds)
    response = x * 1.0 + sigma * rng.normal(size=rounds)
    minimiser = np.mean(noisy * response) / (np.mean(noisy**2) - sigma**2)
    stated = loss.MINIMISER_COMPONENT.at(curvature="0.64", injected_sigma="0.7").bound
    assert stated == pytest.approx(0.64 / 1.13)
    assert abs(minimiser - stated) < 0.02 < 1 - stated


def test_the_path_of_a_learner_with_injected_noise():
    """Would catch a path that is short after all: gradient descent for strongly convex losses, lambda_min = 0, Delta = 1, stays away from D."""
    rng, runs, injected, sigma = np.random.default_rng(3), 400, 1.0, 1.0
    theta, path = np.zeros(runs), np.zeros(runs)
    horizons, found = (1000, 4000), []
    for t in range(1, max(horizons) + 1):
        path += (theta - 1.0) ** 2
        noisy = injected * rng.normal(size=runs) + sigma * rng.normal(size=runs)  # the action is 0
        gradient = 2 * noisy * (noisy * theta - sigma * rng.normal(size=runs)) - 2 * sigma**2 * theta
        theta = np.clip(theta - gradient / (2 * injected**2 * t), -1, 1)
        if t in horizons:
            found.append(path.mean() / t)
    assert found[1] > 0.9 and found[1] > found[0] - 0.01  # of the order T; the lemma says log T
    floor = regret.PATH_FLOOR.at(horizon=10**12, failure="1/20", clipping=4, parameter_norm=1, curvature=0, injected_sigma=1).bound
    assert floor == pytest.approx(10**12 / 2, rel=1e-3)


# --- other accusations, by other means --------------------------------------------------------------------------------------------------


def test_the_index_after_one_round_by_drawn_rewards():
    sigma, draws = privacy.NOISE_SCALE.at(epsilon=1, delta="0.1").bound, 1_000_000
    low = np.mean(0.3 + sigma * np.random.default_rng(2).normal(size=draws) + 1.0 < 0.3)
    assert low == pytest.approx(combiner.INDEX_MISSES.at(sigma=sigma).bound, abs=0.003)
    assert low == pytest.approx(0.412, abs=0.003) and low > 3 * 0.01


def test_lengths_of_gaussian_actions():
    for dimension, sigma, stated in ((2, 1.0, math.exp(-1 / 2)), (2, 1 / 3, math.exp(-9 / 2))):
        assert stats.chi2.sf(1 / sigma**2, dimension) == pytest.approx(stated)
        drawn = np.linalg.norm(sigma * np.random.default_rng(4).normal(size=(200_000, dimension)), axis=1)
        assert np.mean(drawn > 1) == pytest.approx(stated, abs=0.005)


def test_where_the_first_case_is_above_the_second():
    """Exponents of T along epsilon = T^(-1/6) at lambda_min = T^(-1/8): 11/12 against 5/6 and 7/8; and at a fixed epsilon 3/4 against 5/6."""
    for power in (48, 96, 192):
        rounds, epsilon = 10.0**power, 10.0 ** (-power / 6)
        first, second = rounds**0.75 / epsilon, rounds ** (5 / 6) + rounds ** (17 / 24) / epsilon
        assert first / second == pytest.approx(10 ** (power / 24), rel=0.1) and first < rounds
        assert rounds**0.75 < rounds ** (5 / 6)


def test_conditional_sums_of_the_removal_test():
    """Looked at, and no finding: the test's sum of running means less rewards has variance about n, which the radius is for."""
    for rounds in (10, 100, 1000):
        later = np.array([sum(1 / (tau - 1) for tau in range(s + 1, rounds + 1)) for s in range(1, rounds + 1)])
        assert np.sum((later - 1) ** 2) <= 1.2 * rounds


# --- curvature --------------------------------------------------------------------------------------------------------------------------


def test_least_square_against_its_integral():
    """Remark 3.1 by numerical integration of the exact tail, and its first factor: equality would need k = 1 and a linear tail."""
    for choices in (1, 2, 3, 10, 100):
        exact = integrate.quad(lambda u, k=choices: 2 * u * math.erfc(u / math.sqrt(2)) ** k, 0, 12, epsabs=1e-13)[0]
        stated = comparisons.LEAST_SQUARE.at(sigma=1, folds=choices).bound
        assert stated <= math.pi / ((choices + 1) * (choices + 2)) * (1 + 1e-12) <= exact * (1 + 1e-9)
    assert exact == pytest.approx(math.pi / 100**2, rel=0.05)


def test_curvature_of_the_experiment():
    """1/8 for uniform play, 0.000427 for the best of 100 arms, 0 for one set of arms; the thresholds at T = 20000."""
    close(loss.EXPERIMENT_MOMENT, 0.125, dimension=5)
    assert experiments.PLAYED_CURVATURE.at(dimension=5).bound == 0
    close(setting.CURVATURE_CEILING, 0.2, dimension=5)
    density = lambda z: 2 / math.pi * math.sqrt(1 - z * z)  # noqa: E731
    below = lambda z: 0.5 + (z * math.sqrt(1 - z * z) + math.asin(z)) / math.pi  # noqa: E731
    one, two = (integrate.quad(lambda z, p=p: z**p * 100 * below(z) ** 99 * density(z), -1, 1, limit=200)[0] for p in (1, 2))
    assert np.linalg.eigvalsh(np.array([[two, one], [one, 1.0]]) / 2)[0] == pytest.approx(0.000427, abs=1e-6)
    assert (1 - two) / 6 > 0.018  # the other three directions
    rng = np.random.default_rng(7)
    arms = rng.normal(size=(20_000, 100, 4))
    arms /= np.linalg.norm(arms, axis=2, keepdims=True)
    best = arms[np.arange(20_000), arms[:, :, 0].argmax(axis=1)]
    played = np.concatenate([best, np.ones((20_000, 1))], axis=1) / math.sqrt(2)
    assert np.linalg.eigvalsh(played.T @ played / 20_000)[0] == pytest.approx(0.000427, rel=0.05)
    for exponent, rounds in ((4, 625), (8, 390_625), (10, 9_765_625)):
        close(comparisons.ROUNDS_FOR_BRANCH, rounds, dimension=5, exponent=exponent)
    assert 20000 ** (-1 / 4) < 1 / 5 < 20000 ** (-1 / 8) < 20000 ** (-1 / 10)


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
