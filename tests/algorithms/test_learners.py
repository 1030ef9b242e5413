"""Online learners: parameters worked out by hand, every round against plain NumPy, projections, and regret within the sheet's bounds.

The bounds are written out here from the sheet `ldp_linucb_2024`, sections 3.1 and 3.2, a second time.
"""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from banditproof.algorithms.learners import constants, noisy_square
from banditproof.algorithms.learners.kernels import update_all
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD, Step
from banditproof.algorithms.learners.projections import project, shorten
from banditproof.algorithms.learners.protocol import Plan
from banditproof.kernels import plain

SEEDS = st.integers(0, 2**32)
PLANS = st.builds(Plan, st.integers(1, 6), st.integers(1, 300), st.floats(0.1, 10.0), st.floats(0.1, 100.0))


def packed(matrix: np.ndarray) -> np.ndarray:
    return matrix[np.tril_indices(matrix.shape[0])].copy()


def test_parameters_by_hand():
    """Would catch a constant of section 3.1: T = 20000 needs 4^8 >= T > 4^7; T = 16 gives n = 2, C = 4/3 and priors 2/9, 2/27, 1/27."""
    assert constants.last_rate(20000) == 8 and constants.experts(20000) == 19
    assert [constants.last_rate(horizon) for horizon in (1, 2, 4, 5, 16, 17)] == [0, 1, 1, 2, 2, 3]
    assert constants.convex_rate(2.0, 1.0, 16) == pytest.approx(1 / 32, rel=1e-15)  # G = 2, D_M = 2, sqrt T = 4
    assert constants.grid_rate(0, 2.0, 1.0) == pytest.approx(1 / 20) and constants.grid_rate(3, 2.0, 1.0) == pytest.approx(1 / 160)
    grid = [2 / 9, 2 / 27, 1 / 27]
    assert constants.priors(16) == pytest.approx([1 / 3, *grid, *grid], rel=1e-15)
    assert constants.newton_constant(3.7) == pytest.approx(25 / 56) and constants.first_metric(1.0) == pytest.approx((56 / 25) ** 2 / 4)
    assert constants.prior_term(16) == pytest.approx(2 * math.log(math.sqrt(3) * 5))


def test_parameters_without_horizon_or_bound_are_refused():
    """Would catch a learner that starts with a gradient bound of 0, and divides by it."""
    with pytest.raises(ValueError, match=r"gradient_bound = 0.0: must be > 0"):
        Maler().start(Plan(2, 10, 1.0, 0.0))
    with pytest.raises(ValueError, match=r"value = 0.0: must be > 0"):
        OGD(Step.ROOT, 0.0).start(Plan(2, 10, 1.0, 1.0))
    for step in Step:
        for norm in (math.nan, -1.0, 0.0, math.inf):
            with pytest.raises(ValueError, match=r"parameter_norm = .*: must be > 0"):
                OGD(step).start(Plan(2, 10, norm, 1.0))
        with pytest.raises(ValueError, match=r"horizon = -5: must be"):
            OGD(step).start(Plan(2, -5, 1.0, 1.0))
    with pytest.raises(ValueError, match=r"gradient of shape \(3,\): must be \(2,\)"):
        Maler().update(Maler().start(Plan(2, 10, 1.0, 1.0)), np.zeros(3))
    with pytest.raises(ValueError, match="must be finite"):
        OGD().update(OGD().start(Plan(2, 10, 1.0, 1.0)), np.array([0.0, np.nan]))


@given(horizon=st.integers(1, 10**9))
def test_priors_sum_to_one_and_pay_their_term(horizon):
    """Would catch a family whose priors do not sum to 1/3, and an expert whose prior costs more than l_T."""
    priors = constants.priors(horizon)
    families = np.split(priors[1:], 2)
    assert [sum(family) for family in families] == pytest.approx([1 / 3, 1 / 3], rel=1e-13)
    assert np.log(1 / priors).max() <= constants.prior_term(horizon)


def test_second_point_by_hand():
    """d = 1, T = 1, G = D = 1, first gradient 1: eta^c = 1/4, eta_0 = 1/10, three priors of 1/3, A_1 = 1.2544, 1/b = 2.24.

    The convex loss is (eta^c G D_M)^2 = 1/4. Steps: convex -2, projected to -1; strongly convex -(1/10) / (2 / 100) = -5, to -1;
    exp-concave -2.24 (1/10) / (1.2544 + 1/100).
    """
    arrays = Maler().start(Plan(1, 1, 1.0, 1.0))
    places = [16, 0, 8]  # of the convex, the strongly convex and the exp-concave expert
    assert Maler().predict(arrays) == 0.0 and arrays.rates[places] == pytest.approx([0.25, 0.1, 0.1])
    Maler().update(arrays, np.array([1.0]))
    last = -2.24 * 0.1 / 1.2644
    assert arrays.experts[0, places] == pytest.approx([-1.0, -1.0, last])
    weight = math.exp(-0.25) / 4
    assert Maler().predict(arrays) == pytest.approx((-weight - 0.1 + 0.1 * last) / (weight + 0.2))


class Reference:
    """Maler in plain NumPy, from the formulas of section 3.1; the projection in the norm of A by its eigenvalues and bisection."""

    def __init__(self, plan: Plan) -> None:
        d, T, self.D, self.G = plan
        self.width, n = 2 * self.D, math.ceil(0.5 * math.log2(T) - 1e-12)
        self.eta_c, self.eta = 1 / (2 * self.G * self.width * math.sqrt(T)), 2.0 ** -np.arange(n + 1) / (5 * self.G * self.width)
        prior = (1 + 1 / (1 + n)) / (3 * np.arange(1, n + 2) * np.arange(2, n + 3))
        self.log_pi = np.log(np.concatenate([[1 / 3], prior, prior]))
        self.c, self.s, self.e = np.zeros(d), np.zeros((n + 1, d)), np.zeros((n + 1, d))
        self.b = 25 / 56
        self.A = np.tile(np.eye(d) / (self.b * self.width) ** 2, (n + 1, 1, 1))
        self.t, self.total = 0, 1.0

    def point(self) -> np.ndarray:
        eta = np.concatenate([[self.eta_c], self.eta, self.eta])
        weights = np.exp(self.log_pi - self.log_pi.max()) * eta
        return weights @ np.vstack([self.c, self.s, self.e]) / weights.sum()

    def ball(self, z: np.ndarray) -> np.ndarray:
        return z * min(1.0, self.D / max(np.linalg.norm(z), 1e-300))

    def hear(self, g: np.ndarray) -> None:
        theta, eta, G = self.point(), self.eta, self.G
        self.t += 1
        inner_s, inner_e = (self.s - theta) @ g, (self.e - theta) @ g
        losses = [self.eta_c * g @ (self.c - theta) + (self.eta_c * G * self.width) ** 2]
        losses = np.concatenate(
            [losses, eta * inner_s + eta**2 * G**2 * np.sum((self.s - theta) ** 2, axis=1), eta * inner_e + (eta * inner_e) ** 2]
        )
        self.losses = losses
        before = self.log_pi
        self.log_pi = before - losses
        self.total = float(np.sum(np.exp(self.log_pi)) / np.sum(np.exp(before)))
        self.c = self.ball(self.c - self.width / (G * math.sqrt(self.t)) * g)
        for i in range(len(eta)):
            h = eta[i] * g + 2 * eta[i] ** 2 * G**2 * (self.s[i] - theta)
            self.s[i] = self.ball(self.s[i] - h / (2 * eta[i] ** 2 * G**2 * self.t))
            h = eta[i] * g + 2 * eta[i] ** 2 * g * inner_e[i]
            self.A[i] += np.outer(h, h)
            self.e[i] = in_norm(self.A[i], self.e[i] - np.linalg.solve(self.A[i], h) / self.b, self.D)


def in_norm(A: np.ndarray, z: np.ndarray, radius: float) -> np.ndarray:
    """The projection in the norm of A, from its eigenvectors and a root finder."""
    if np.linalg.norm(z) <= radius:
        return z
    values, vectors = np.linalg.eigh(A)
    rotated = values * (vectors.T @ z)
    high = 1.0
    while np.linalg.norm(rotated / (values + high)) > radius:
        high *= 2.0
    kappa = optimize.brentq(lambda k: np.linalg.norm(rotated / (values + k)) - radius, 0.0, high, xtol=1e-15, rtol=1e-15)
    return vectors @ (rotated / (values + kappa))


def drawn_gradients(plan: Plan, seed: int) -> np.ndarray:
    """Lengths up to G, with a drift that pushes experts to the border of the ball."""
    rng = np.random.default_rng(seed)
    raw = rng.normal(size=(plan.horizon, plan.dimension)) + rng.normal(size=plan.dimension) * rng.choice([0.0, 1.0, 10.0])
    lengths = plan.gradient_bound * rng.choice([1.0, 0.5, 1e-3], size=(plan.horizon, 1))
    return raw / np.linalg.norm(raw, axis=1, keepdims=True) * lengths


@settings(max_examples=60)
@given(plan=PLANS, seed=SEEDS)
def test_every_point_is_that_of_the_formulas(plan, seed):
    """Would catch any step, weight or projection, and an inverse that drifts; and weights whose sum grows, which step (a) excludes."""
    gradients, points = drawn_gradients(plan, seed), np.zeros((plan.horizon, plan.dimension))
    arrays, reference = Maler().start(plan), Reference(plan)
    update_all(arrays, gradients, points)
    for round, gradient in enumerate(gradients):
        assert points[round] == pytest.approx(reference.point(), rel=1e-7, abs=1e-9 * plan.parameter_norm)
        reference.hear(gradient)
        assert reference.total <= 1.0 + 1e-12
    assert np.sum(np.exp(arrays.log_weights)) == pytest.approx(1.0)


@settings(max_examples=20)
@given(dimension=st.integers(1, 6), horizon=st.sampled_from([20_000, 300_000, 10**9]), seed=SEEDS)
def test_families_of_more_than_eight_experts(dimension, horizon, seed):
    """Would catch an expert beyond the first eight of a family that is left out, or heard with another's rate, weight or matrix; and places
    without an expert that have a weight."""
    plan = Plan(dimension, horizon, 1.0, 2.0)
    gradients = drawn_gradients(plan._replace(horizon=60), seed)
    points, arrays, reference = np.zeros((60, dimension)), Maler().start(plan), Reference(plan)
    update_all(arrays, gradients, points)
    for point, gradient in zip(points, gradients, strict=True):
        assert point == pytest.approx(reference.point(), rel=1e-7, abs=1e-9)
        reference.hear(gradient)
    count, wide = constants.last_rate(horizon) + 1, arrays.metrics.shape[1]
    places = [2 * wide, *range(count), *range(wide, wide + count)]
    assert arrays.log_weights[places] == pytest.approx(reference.log_pi - np.logaddexp.reduce(reference.log_pi), abs=1e-9)
    assert np.all(np.delete(arrays.weights, places) == 0.0) and np.all(np.isfinite(arrays.experts))
    assert wide == 16 and np.sum(arrays.weights > 0.0) <= 1 + 2 * count


def test_inverses_are_computed_afresh():
    """Would catch an inverse of one expert, after 512 gradients, that is taken from another's matrix or put in another's place."""
    plan = Plan(3, 20_000, 1.0, 2.0)
    gradients = drawn_gradients(plan._replace(horizon=530), 3)
    points, arrays, reference = np.zeros((530, 3)), Maler().start(plan), Reference(plan)
    update_all(arrays, gradients, points)
    for point, gradient in zip(points, gradients, strict=True):
        assert point == pytest.approx(reference.point(), rel=1e-7, abs=1e-9)
        reference.hear(gradient)
    for column, metric in enumerate(reference.A):
        assert arrays.inverses[:, column] == pytest.approx(packed(np.linalg.inv(metric)), rel=1e-9)


@settings(max_examples=40)
@given(plan=PLANS, seed=SEEDS)
def test_steps_of_the_proof(plan, seed):
    """No expert of a curved family gains more than l_T by its surrogate losses (step a), and each strongly convex expert is within
    0.49 (1 + ln T) of every u on them (step b). Would catch a surrogate loss or a step of an expert that only the average hides."""
    reference, rng = Reference(plan), np.random.default_rng(seed)
    u = rng.normal(size=plan.dimension)
    u *= plan.parameter_norm / np.linalg.norm(u) * rng.uniform()
    total, rival = np.zeros(reference.log_pi.size), np.zeros(reference.eta.size)
    for gradient in drawn_gradients(plan, seed):
        theta = reference.point()
        inner, square = (u - theta) @ gradient, np.sum((u - theta) ** 2)
        rival += reference.eta * inner + reference.eta**2 * plan.gradient_bound**2 * square
        reference.hear(gradient)
        total += reference.losses
    last = reference.eta.size
    assert np.all(-total[1:] <= constants.prior_term(plan.horizon) + 1e-9)
    assert np.all(-total[0] <= math.log(3) + 1e-9)
    assert np.all(total[1 : 1 + last] - rival <= 0.49 * (1 + math.log(plan.horizon)) + 1e-9)


@given(dimension=st.integers(1, 6), seed=SEEDS, radius=st.floats(0.01, 100.0), spread=st.floats(0.0, 6.0))
def test_projection_in_a_norm(dimension, seed, radius, spread):
    """Would catch a point off the border, or one whose residual A (z - y) is no multiple of y: then it is not the nearest."""
    rng = np.random.default_rng(seed)
    vectors = np.linalg.qr(rng.normal(size=(dimension, dimension)))[0]
    A = (vectors * 10.0 ** rng.uniform(-spread, spread, dimension)) @ vectors.T
    z = rng.normal(size=dimension) * radius * 10.0 ** rng.uniform(-1, 3)
    y, scratch = z.copy(), np.zeros(dimension * (dimension + 1) // 2 + 2 * dimension)
    project(packed(A), y, radius, scratch)
    bare = z.copy()
    plain(project)(packed(A), bare, radius, scratch)
    assert np.array_equal(bare, y)
    if np.linalg.norm(z) <= radius:
        assert np.array_equal(y, z)
        return
    assert np.linalg.norm(y) == pytest.approx(radius, rel=1e-12) and np.linalg.norm(y) <= radius * (1 + 1e-15)
    residual = A @ (z - y)
    kappa = residual @ y / radius**2
    assert kappa > 0 and np.linalg.norm(residual - kappa * y) <= 1e-7 * np.linalg.norm(residual)


def test_shortening_keeps_nan_and_zero():
    """Would catch a NaN that becomes a point of the ball, and 0 / 0."""
    for before, after in (([0.0, 0.0], [0.0, 0.0]), ([3.0, 4.0], [1.2, 1.6]), ([0.3, 0.4], [0.3, 0.4])):
        point = np.array(before)
        plain(shorten)(point, 2.0)
        assert point == pytest.approx(after)
    point = np.array([np.nan, 1.0])
    plain(shorten)(point, 2.0)
    assert np.isnan(point[0])


# Regret. An adversary sees the point and returns a gradient; its kind is drawn.


def adversary(kind: str, round: int, point: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A direction, of length at most 1."""
    d = point.size
    match kind:
        case "random":
            raw = rng.normal(size=d)
        case "one direction":
            raw = np.ones(d)
        case "alternating":
            raw = np.ones(d) * (-1.0) ** round
        case "switching":  # halfway, so that early steps lead the wrong way
            raw = np.ones(d) * (1.0 if round < 60 else -1.0)
        case "outwards":  # pulls to the origin, wherever the point is
            raw = point if np.any(point) else np.ones(d)
        case "inwards":  # pushes to the border
            raw = -point if np.any(point) else np.ones(d)
        case "growing":  # phases of doubling length
            raw = np.ones(d) * (-1.0) ** int(math.log2(round + 1))
        case _:
            raise ValueError(kind)
    return raw / np.linalg.norm(raw)


KINDS = ("random", "one direction", "alternating", "switching", "outwards", "inwards", "growing")


def drawn_plan(rng: np.random.Generator) -> Plan:
    return Plan(int(rng.integers(1, 6)), int(rng.integers(1, 250)), float(10.0 ** rng.uniform(-1, 1)), float(10.0 ** rng.uniform(-1, 2)))


def maler_bounds(plan: Plan, points: np.ndarray, gradients: np.ndarray, u: np.ndarray) -> tuple[float, float, float]:
    """The three bounds of section 3.1 on the sum of <g_t, theta_t - u>."""
    d, T, D, G = plan
    width, ell = 2 * D, 2 * math.log(math.sqrt(3) * (0.5 * math.log2(T) + 3))
    A_s, A_l = ell + 1 + math.log(T), ell + 10 * d * math.log(T)
    V_s, V_l = G**2 * np.sum((points - u) ** 2), np.sum(np.sum(gradients * (points - u), axis=1) ** 2)
    curved = [3 * math.sqrt(V * A) + 10 * G * width * A for V, A in ((V_s, A_s), (V_l, A_l))]
    return (2 * math.log(3) + 2) * G * width * math.sqrt(T), curved[0], curved[1]


def comparators(plan: Plan, gradients: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    """The best one for linear losses, and others inside the ball."""
    total = gradients.sum(axis=0)
    best = -plan.parameter_norm * total / max(np.linalg.norm(total), 1e-300)
    raw = rng.normal(size=plan.dimension)
    return [best, np.zeros(plan.dimension), raw / np.linalg.norm(raw) * plan.parameter_norm * rng.uniform()]


@pytest.mark.parametrize("learner", [Maler(), OGD()])
def test_linear_losses(learner, rng):
    """200 sequences of gradients, adversarial ones included. Would catch a learner that is worse than its bound for convex losses."""
    for case in range(200):
        plan, kind = drawn_plan(rng), KINDS[case % len(KINDS)]
        arrays = learner.start(plan)
        points, gradients = (np.zeros((plan.horizon, plan.dimension)) for _ in range(2))
        for round in range(plan.horizon):
            points[round] = learner.predict(arrays)
            gradients[round] = plan.gradient_bound * adversary(kind, round, points[round], rng) * (1.0 if case % 2 else rng.uniform())
            learner.update(arrays, gradients[round])
        assert np.linalg.norm(points, axis=1).max() <= plan.parameter_norm * (1 + 1e-12)
        for u in comparators(plan, gradients, rng):
            regret = float(np.sum(gradients * (points - u)))
            if isinstance(learner, Maler):
                assert regret <= min(maler_bounds(plan, points, gradients, u)), (plan, kind)
            else:
                assert regret <= 1.5 * plan.gradient_bound * 2 * plan.parameter_norm * math.sqrt(plan.horizon), (plan, kind)
            assert regret <= learner.regret(plan)


@pytest.mark.parametrize("name", ["maler", "ogd"])
def test_strongly_convex_losses(name, rng):
    """200 sequences mu |theta - c_t|^2 / 2 with drawn and adversarial c_t. Would catch a logarithmic bound that does not hold."""
    for case in range(200):
        d, T, D, _ = drawn_plan(rng)
        mu, reach = float(10.0 ** rng.uniform(-1, 1)), D * float(rng.uniform(0.1, 2.0))
        G = mu * (D + reach)
        plan, learner = Plan(d, T, D, G), Maler() if name == "maler" else OGD(Step.STRONGLY_CONVEX, mu)
        arrays, points, centres = learner.start(plan), np.zeros((T, d)), np.zeros((T, d))
        for round in range(T):
            points[round] = learner.predict(arrays)
            centres[round] = reach * adversary(KINDS[case % len(KINDS)], round, points[round], rng)
            learner.update(arrays, mu * (points[round] - centres[round]))
        mean = centres.mean(axis=0)
        u = mean * min(1.0, D / max(np.linalg.norm(mean), 1e-300))  # the best point of the ball in hindsight
        regret = mu / 2 * float(np.sum((points - centres) ** 2) - np.sum((u - centres) ** 2))
        ell = 2 * math.log(math.sqrt(3) * (0.5 * math.log2(T) + 3))
        bound = (9 * G**2 / (2 * mu) + 20 * G * D) * (ell + 1 + math.log(T)) if name == "maler" else G**2 / (2 * mu) * (1 + math.log(T))
        assert regret <= bound
        stated = constants.strongly_convex_regret(mu, G, D, T) if name == "maler" else learner.regret(plan)
        assert stated == pytest.approx(bound)


def test_exp_concave_losses(rng):
    """200 sequences of squares (<x, theta> - y)^2. Would catch a bound in V_l that does not hold for losses curved in one direction."""
    for case in range(200):
        d, T, D, _ = drawn_plan(rng)
        plan = Plan(d, T, D, 4.0 * D)  # |x| <= 1, |y| <= D
        arrays, points, gradients, rows = Maler().start(plan), np.zeros((T, d)), np.zeros((T, d)), np.zeros((T, d + 1))
        truth = rng.normal(size=d)
        truth *= D / np.linalg.norm(truth)
        for round in range(T):
            points[round] = Maler().predict(arrays)
            x = adversary(KINDS[case % len(KINDS)], round, points[round], rng)
            y = float(np.clip(x @ truth + rng.normal() * D * (case % 3) / 2, -D, D))
            rows[round] = [*x, y]
            gradients[round] = 2 * x * (x @ points[round] - y)
            Maler().update(arrays, gradients[round])
        for u in [truth, *comparators(plan, gradients, rng)]:
            linear = float(np.sum(gradients * (points - u)))
            losses = np.sum((np.sum(rows[:, :d] * points, axis=1) - rows[:, d]) ** 2 - (rows[:, :d] @ u - rows[:, d]) ** 2)
            bounds = maler_bounds(plan, points, gradients, u)
            assert losses <= linear + 1e-9 * abs(linear) + 1e-9 and linear <= min(bounds)
            V_l = float(np.sum(np.sum(gradients * (points - u), axis=1) ** 2))
            assert constants.curved_regret(V_l, constants.exp_concave_term(T, d), 4 * D, D) == pytest.approx(bounds[2])


@pytest.mark.parametrize(
    ("learner", "steps"),
    [
        (OGD(Step.CONVEX), lambda t, plan: 2 * plan.parameter_norm / (plan.gradient_bound * math.sqrt(t))),
        (OGD(Step.STRONGLY_CONVEX, 0.7), lambda t, plan: 1 / (0.7 * t)),
        (OGD(Step.ROOT, 0.3), lambda t, plan: 0.3 / math.sqrt(t)),
        (OGD(Step.HARMONIC, 0.3), lambda t, plan: 0.3 / t),
    ],
)
def test_gradient_descent_takes_its_steps(learner, steps, rng):
    """Would catch a step of another round or of another rule, and a projection that is left out."""
    for _ in range(20):
        plan = drawn_plan(rng)
        arrays, point = learner.start(plan), np.zeros(plan.dimension)
        for round, gradient in enumerate(drawn_gradients(plan, int(rng.integers(2**32)))):
            assert learner.predict(arrays) == pytest.approx(point, rel=1e-9, abs=1e-12)
            u = rng.normal(size=plan.dimension)
            assert learner.loss(arrays, gradient, u) == pytest.approx(gradient @ (point - u), rel=1e-9, abs=1e-9)
            learner.update(arrays, gradient)
            point = point - steps(round + 1, plan) * gradient
            point = point * min(1.0, plan.parameter_norm / max(np.linalg.norm(point), 1e-300))


@given(d=st.integers(1, 6), variance=st.floats(0.0, 100.0), seed=SEEDS)
def test_identity_of_the_noisy_square(d, variance, seed):
    """l(a) - l(b) = <g, a - b> - <x, a - b>^2 + variance |a - b|^2, g the gradient at a (section 3.3). Would catch a sign in either."""
    rng = np.random.default_rng(seed)
    a, b, x, target = (rng.normal(size=d) for _ in range(4))
    y = float(rng.normal())
    length = noisy_square.gradient(a, x, y, variance, target)
    e = a - b
    left = noisy_square.value(a, x, y, variance) - noisy_square.value(b, x, y, variance)
    right = target @ e - (x @ e) ** 2 + variance * e @ e
    assert left == pytest.approx(right, rel=1e-12, abs=1e-11 * (1 + variance) * (1 + x @ x) * (1 + a @ a + b @ b))
    assert length == pytest.approx(np.linalg.norm(target))
    assert target == pytest.approx(2 * x * (x @ a - y) - 2 * variance * a)


def test_clipping_shortens_what_is_longer_and_nothing_else():
    """Would catch 0 / 0, a short gradient that is stretched, and a NaN that is turned into a number."""
    for before, after, said in (([3.0, 4.0], [0.6, 0.8], True), ([0.3, 0.4], [0.3, 0.4], False), ([0.0, 0.0], [0.0, 0.0], False)):
        vector = np.array(before)
        assert noisy_square.clip(vector, float(np.linalg.norm(before)), 1.0) == said
        assert vector == pytest.approx(after)
    vector = np.array([np.nan, 1.0])
    noisy_square.clip(vector, math.nan, 1.0)
    assert np.isnan(vector).all()


def test_without_jit_every_point_is_the_same(room, tmp_path, seed):
    """Would catch a helper whose compiled form rounds another way than Python does."""
    code = f"""
import pickle
import numba, numpy as np
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD
from banditproof.algorithms.learners.protocol import Plan
from banditproof.algorithms.learners.kernels import update_all
assert numba.config.DISABLE_JIT
rng = np.random.default_rng({seed})
found = []
for learner in (Maler(), OGD()):
    for drift in (0.0, 1.0):
        gradients = np.clip(rng.normal(size=(700, 3)) + drift, -1, 1)
        points = np.zeros_like(gradients)
        update_all(learner.start(Plan(3, 700, 1.0, 2.0)), gradients, points)
        found.append((learner, gradients, points))
pickle.dump(found, open("found", "wb"))
"""
    room.python(code, tmp_path, NUMBA_DISABLE_JIT="1")
    for learner, gradients, bare in pickle.loads((tmp_path / "found").read_bytes()):
        points = np.zeros_like(gradients)
        update_all(learner.start(Plan(3, 700, 1.0, 2.0)), gradients, points)
        assert np.array_equal(points, bare), learner


@pytest.mark.parametrize("factors", [(-1.0, 1.0), (1.0, -1.0), (0.0, 1.0), (1.0, 0.0), (float("nan"), 1.0), (1.0, float("inf"))])
def test_factors_of_maler_are_positive(factors: tuple[float, float]) -> None:
    """Would catch experts that climb, and a learner that says nothing until a report is no number."""
    with pytest.raises(ValueError, match=r"^(rate|newton)_factor = .*: must be > 0 and finite"):
        Maler(*factors).start(Plan(2, 10, 1.0, 1.0))
