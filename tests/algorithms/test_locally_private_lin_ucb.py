"""Private Online LinUCB: constants worked out by hand, every choice and release against plain NumPy, epochs, and the combiner.

The formulas are written out here from the sheet `ldp_linucb_2024`, sections 2, 4 and 6, a second time.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD, Step
from banditproof.algorithms.learners.protocol import Plan
from banditproof.algorithms.mechanisms.local_row import Calibration, LocalRow, RowMessage
from banditproof.algorithms.playing.together import play_together
from banditproof.algorithms.policies.locally_private_lin_ucb import constants
from banditproof.algorithms.policies.locally_private_lin_ucb.combiner import Combiner
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Putative, Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime, PrivateOnlineLinUCB, Problem
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Method, NoisyGramUCB
from banditproof.interaction import NoShuffling, Pipeline, Wire
from banditproof.randomness import key_of
from banditproof.simulation import play, play_many

SEEDS = st.integers(0, 2**32)
RECORD = (Wire.CONTEXTS, Wire.ARMS, Wire.REWARDS, Wire.REPORT, Wire.STATISTIC)


# Constants.


def test_clipping_constant_by_hand():
    """L = ln(2 T / beta) = 2 for T = 1 and beta = 2 e^-2; sigma = 1, Delta = 2, D = 3, C = 5. Would catch any coefficient of G.

    Linear: 6 + 2 + 6 + 2 = 16, times 2 sqrt(4) = 64. Square: 24 + 24 + 4 + 6 + 2 + 15 = 75, times 4 = 300. Rest: 8.
    """
    failure = 2 * math.exp(-2)
    bound = constants.gradient_bound(1.0, 2.0, parameter_norm=3.0, horizon=1, failure=failure, clipping=5.0)
    assert bound == pytest.approx(64 + 300 + 8)


def test_widths_by_hand():
    """G = 6, lambda_min = 1, Delta = 1, D = 2: mu = 4, H = 9 + 6 = 15; T = 10, beta = 0.1, l = ln 100."""
    size = {"parameter_norm": 2.0, "horizon": 10}
    assert constants.learner_bound(6.0, 1.0, 1.0, constant=7.0, **size) == pytest.approx(7 * (36 / 2 + 12) * math.log(10))
    path = constants.path_bound(6.0, 1.0, 1.0, failure=0.1, constant=2.0, **size)
    assert path == pytest.approx(2 * ((36 / 16 + 3) * math.log(10) + 36 / 16 * math.log(10)))
    assert constants.strength(6.0, 1.0, 1.0, parameter_norm=2.0) == pytest.approx(15)
    terms = constants.confidence_terms(0.5, math.exp(-4), 3.0, reward_sigma=1.5, failure=0.1, gamma=2.0, **size)
    logarithm = math.log(100)  # privacy: sqrt(ln(1 / delta)) / epsilon = 4
    assert terms == pytest.approx((2 * (1.5 + 8 + 6) ** 2 * logarithm, 2 * 2 * 9 * logarithm, 2 * (16 + 9) * logarithm))
    assert terms.squared(4, 9.0) == pytest.approx(terms.base + 6 * terms.root + 9 * terms.slope)
    inserted = constants.inserted_terms(0.5, math.exp(-4), 15.0, 3.0, reward_sigma=1.5, failure=0.1, **size)
    expected = 18 * logarithm * math.sqrt(150 * math.log(10)) + 15.5**2 * logarithm + 25 * 15 * math.log(10) ** 2
    assert inserted == pytest.approx(expected)


def test_injection_follows_the_threshold():
    """Would catch a threshold that is not included, Delta in place of Delta^2, and another power of T."""
    assert constants.injection(0.25, 0.25) == 0.5 and constants.injection(0.26, 0.25) == 0.0
    assert constants.default_threshold(16) == 0.5 and constants.default_threshold(256, 0.125) == 0.5
    policy = PrivateOnlineLinUCB(curvature=0.5)
    assert policy.injection(16) == pytest.approx(math.sqrt(0.5)) and policy.injection(17) == 0.0


def test_combiner_by_hand():
    """T = 2^16: T^(1/8) = 4, so M = 3 and the guesses are 1/4, 1/2, 1; at 2^16 + 1 the grid needs one more to reach 1."""
    assert constants.base_learners(2**16) == 3 and constants.base_learners(2**16 + 1) == 4 and constants.base_learners(1) == 1
    assert [constants.guess(index, 2**16) for index in (1, 2, 3)] == pytest.approx([0.25, 0.5, 1.0])
    assert constants.shape_constant(0.5) == pytest.approx(9 / 4) and constants.shape_constant(0.75) == pytest.approx(1.4622, abs=5e-5)
    found = constants.combiner_radius(100, 2.0, horizon=10, learners=3, failure=0.3, factor=2.0)
    assert found == pytest.approx(2 * math.sqrt(100 * 5 * math.log(1000 * 3 * math.log(100) * 5 / 0.3)))
    found = constants.combiner_radius(2, 2.0, horizon=10, learners=3, failure=0.3, factor=2.0)  # ln 2 < 1
    assert found == pytest.approx(2 * math.sqrt(2 * 5 * math.log(1000 * 3 * 5 / 0.3)))
    assert constants.combiner_radius(0, 2.0, horizon=10, learners=3, failure=0.3) == 0.0


def test_putative_regrets_by_hand():
    """Theorem 4.1 at T = 256 (T^(1/8) = 2), d = 4, epsilon = 3, lambda = 1/2, P = 5, P' = 7. Would catch a power or a missing factor."""
    logarithm = math.log(256) ** 1.5
    first = constants.anytime_putative(3.0, dimension=4, horizon=256, factor=5.0)
    assert first == pytest.approx((5 * logarithm * 2 * 7 / 6, 0.75, 6 / (2 * 16 * (5 * logarithm * 6 + 1))))
    second = constants.guessing_putative(3.0, 0.5, dimension=4, horizon=256, factor=7.0)
    assert second == pytest.approx((7 * logarithm * 2 / 1.5, 0.5, 3 / (7 * logarithm * 2 * 16)))
    one, two = constants.targets((first, second), horizon=256, failure=0.1)
    logarithm = math.log(256**3 * 2 / 0.1)
    expected = second.coefficient * 16 + 9 / 4 * second.coefficient**2 * 256 * second.rate + 288 * logarithm * 256 * second.rate
    assert two == pytest.approx((second.coefficient, 0.5, expected + 1 / first.rate))
    shape = (0.25 / 0.75) ** (1 / 3) * 1.75 ** (4 / 3)
    expected = (
        first.coefficient * 64 + shape * first.coefficient ** (4 / 3) * 256 * first.rate ** (1 / 3) + 288 * logarithm * 256 * first.rate
    )
    assert one.target == pytest.approx(expected + 1 / second.rate)


# Every round.


class Reference:
    """Algorithm 1 in plain NumPy; the learner is the package's own, which `test_learners` compares with its formulas."""

    def __init__(self, policy, dimension: int, horizon: int, *, failure: float | None = None, threshold: float | None = None) -> None:
        self.policy, self.d = policy, dimension
        T = policy.planned_horizon or horizon
        beta = failure or policy.failure or 1 / max(T, 2)
        R, D, C = policy.problem.reward_sigma, policy.problem.parameter_norm, policy.hidden
        self.s = s = policy.sigma()
        threshold = threshold or policy.threshold or T**-0.25
        self.delta = delta = math.sqrt(threshold) if policy.curvature <= threshold else 0.0
        L, ell = math.log(2 * T / beta), math.log(T / beta)
        G = 2 * math.sqrt(2 * L) * (2 * D * s + 2 * s + D * delta + delta)
        square = 2 * D * delta**2 + 4 * D * delta * s + 2 * delta * s + 2 * D * s * s + 2 * s * s + D * C.clipping * s * s
        self.G = G = G + 2 * L * square + 2 * D + 2
        lam = policy.curvature + delta**2
        M = C.learner * (G * G / lam + G * D) * math.log(T)
        mu = 2 * lam
        self.S = C.path * ((G * G / mu**2 + G * D / mu) * math.log(T) + G * G / mu**2 * math.log(1 / beta))
        privacy = math.log(1 / policy.delta) / policy.epsilon**2
        self.base = M + C.gamma * (R + D * math.sqrt(privacy) + D * delta) ** 2 * ell
        self.root, self.slope = C.gamma * D * delta**2 * ell, C.gamma * (privacy + delta**2) * ell
        self.learner = policy.learner.start(Plan(dimension, T, D, G))
        self.V, self.u, self.rounds, self.path = np.eye(dimension), np.zeros(dimension), 0, 0.0

    def theta(self) -> np.ndarray:
        return self.learner.point.copy()

    def width(self) -> float:
        N, S = self.rounds + 1, self.S
        if self.policy.width is Width.ORACLE:
            S = self.path + float(np.sum((self.theta() - np.array(self.policy.truth)) ** 2))
        square = self.base + self.root * math.sqrt(N * S) + self.slope * S
        return {
            Width.LITERAL: math.sqrt(square),
            Width.ORACLE: math.sqrt(square),
            Width.SCALED: self.policy.scale * math.sqrt(square),
            Width.CONST: self.policy.scale,
        }[self.policy.width]

    def scores(self, contexts: np.ndarray) -> np.ndarray:
        inverse = np.linalg.inv(self.V)
        return contexts @ inverse @ self.u + self.width() * np.sqrt(np.sum(contexts @ inverse * contexts, axis=1))

    def hear(self, x: np.ndarray, gradient: np.ndarray) -> None:
        theta = self.theta()
        if self.policy.truth is not None:
            self.path += float(np.sum((theta - np.array(self.policy.truth)) ** 2))
        self.V, self.u = self.V + np.outer(x, x), self.u + theta @ x * x
        length = np.linalg.norm(gradient)
        self.policy.learner.update(self.learner, gradient * min(1.0, self.G / max(length, 1e-300)))
        self.rounds += 1

    def released(self) -> np.ndarray:
        return np.concatenate([self.V[np.tril_indices(self.d)], self.u, self.theta()])


POLICIES = st.builds(
    PrivateOnlineLinUCB,
    epsilon=st.sampled_from([0.2, 1.0, 10.0, 300.0]),
    delta=st.sampled_from([0.1, 1e-5]),
    calibration=st.sampled_from([Calibration.PUBLISHED, Calibration.SPLIT, Calibration.EXACT]),
    learner=st.sampled_from([Maler(), OGD(), OGD(Step.STRONGLY_CONVEX, 0.3), OGD(Step.ROOT, 0.02)]),
    curvature=st.sampled_from([0.0, 0.2, 0.9]),
    threshold=st.sampled_from([None, 0.3]),
    problem=st.builds(Problem, st.floats(0.5, 3.0), st.floats(0.1, 2.0)),
    failure=st.sampled_from([None, 0.3]),
    planned_horizon=st.sampled_from([None, 1, 500]),
    width=st.sampled_from(Width),
    scale=st.floats(0.0, 3.0),
    truth=st.just((0.1, -0.2, 0.3)),
)


def same_choice(scores: np.ndarray, arm: int) -> bool:
    return bool(scores[arm] >= scores.max() - 1e-7 * (1 + np.abs(scores).max()))


@settings(max_examples=60)
@given(policy=POLICIES, arm_set=st.sampled_from(ArmSet), horizon=st.integers(1, 80), batch=st.integers(1, 3), seed=SEEDS)
def test_every_round_is_that_of_the_formulas(policy, arm_set, horizon, batch, seed):
    """Would catch any term of the index, of the gradient or of the releases; a clipped gradient that is not shortened to G; and a batch
    whose gradients are taken at several points."""
    environment = UnitFeatures(3, 6, arm_set=arm_set)
    pipeline = Pipeline(policy, environment, policy.randomiser(), shuffler=NoShuffling(batch))
    run = play(pipeline, horizon=horizon, key=key_of(seed), record=RECORD)
    reference, waiting = Reference(policy, 3, horizon), []
    for round in range(horizon):
        assert same_choice(reference.scores(run.wire(Wire.CONTEXTS)[round]), run.wire(Wire.ARMS)[round])
        report = run.wire(Wire.REPORT)[round]
        x, y, gradient = report[:3], report[3], report[4:]
        theta = reference.theta()
        expected = 2 * x * (x @ theta - y) - 2 * reference.s**2 * theta
        expected *= min(1.0, reference.G / np.linalg.norm(expected))
        assert gradient == pytest.approx(expected, rel=1e-9, abs=1e-9 * reference.G)
        waiting.append((x, gradient))
        if len(waiting) == batch or round == horizon - 1:
            point = reference.learner.point.copy()
            for x, gradient in waiting:
                hear_at(reference, point, x, gradient)
            finish(reference)
            released = run.wire(Wire.STATISTIC)[round]
            assert released[:12] == pytest.approx(reference.released(), rel=1e-6, abs=1e-6)
            centre = np.linalg.solve(reference.V, reference.u)
            away = np.array(policy.truth) - centre
            assert released[12] == pytest.approx(reference.width(), rel=1e-6)
            assert released[13] == pytest.approx(math.sqrt(away @ reference.V @ away), rel=1e-6)
            assert released[16] == pytest.approx(reference.path, rel=1e-6)
            waiting = []


def hear_at(reference: Reference, point: np.ndarray, x: np.ndarray, gradient: np.ndarray) -> None:
    """One message of a batch: the point that is played stays until the batch ends."""
    from banditproof.algorithms.learners.kernels import hear

    reference.path += float(np.sum((point - np.array(reference.policy.truth)) ** 2))
    reference.V, reference.u = reference.V + np.outer(x, x), reference.u + point @ x * x
    length = np.linalg.norm(gradient)
    hear(reference.learner, gradient * min(1.0, reference.G / max(length, 1e-300)))
    reference.rounds += 1


def finish(reference: Reference) -> None:
    from banditproof.algorithms.learners.kernels import move

    move(reference.learner)


def test_raw_messages_are_learned_without_the_regulariser():
    """Without a randomiser the server computes the gradient itself. Would catch theta read as a gradient, and a sigma of noise that is not
    there; without features only the response is noisy, and the arm's unit vector is added."""
    policy = PrivateOnlineLinUCB(10.0, truth=None, curvature=0.9)
    run = play(Pipeline(policy, UnitFeatures(3, 6)), horizon=30, key=key_of(3), record=RECORD)
    reference = Reference(replace(policy, planned_horizon=30), 3, 30)
    for round in range(30):
        report = run.wire(Wire.REPORT)[round]
        x, y = report[:3], report[3]
        assert x == pytest.approx(run.wire(Wire.CONTEXTS)[round, run.wire(Wire.ARMS)[round]]) and y == run.wire(Wire.REWARDS)[round]
        assert report[4:7] == pytest.approx(reference.theta()) and report[8] == pytest.approx(reference.G) and report[7] == 0.0
        reference.hear(x, 2 * x * (x @ reference.theta() - y))
        assert run.wire(Wire.STATISTIC)[round] == pytest.approx(reference.released(), rel=1e-9, abs=1e-12)
    run = play(Pipeline(policy, Bernoulli((0.2, 0.7)), policy.randomiser()), horizon=30, key=key_of(3), record=RECORD)
    reference = Reference(replace(policy, planned_horizon=30), 2, 30)
    for round in range(30):
        x, y = np.eye(2)[run.wire(Wire.ARMS)[round]], run.wire(Wire.REPORT)[round, 0]
        reference.hear(x, 2 * x * (x @ reference.theta() - y))
        assert run.wire(Wire.STATISTIC)[round] == pytest.approx(reference.released(), rel=1e-9, abs=1e-12)


def test_theta_clash_overwrites_the_prediction():
    """Would catch a clash that is not there: then the message holds the learner's own point, which is 0 in round 1."""
    environment, honest = UnitFeatures(3, 6), PrivateOnlineLinUCB(width=Width.CONST, scale=0.5)
    clashing = replace(honest, theta_clash=True)
    for policy, expected in ((honest, 0.0), (clashing, 0.5)):
        run = play(Pipeline(policy, environment), horizon=1, key=key_of(5), record=(Wire.REPORT, Wire.CONTEXTS, Wire.ARMS))
        x = run.wire(Wire.CONTEXTS)[0, run.wire(Wire.ARMS)[0]]
        assert run.wire(Wire.REPORT)[0, 4:7] == pytest.approx(expected * x)  # V~ = I, centre 0: theta + w x / |x|


def test_diagnosis_changes_no_choice():
    """Would catch a policy that looks at theta*."""
    environment, policy = UnitFeatures(3, 6, direction=(1.0, 0.0)), PrivateOnlineLinUCB(10.0)
    told = replace(policy, truth=tuple(environment.parameter(key_of(1))))
    one, two = (play(Pipeline(each, environment, each.randomiser()), horizon=200, key=key_of(1)) for each in (policy, told))
    assert np.array_equal(one.wire(Wire.ARMS), two.wire(Wire.ARMS))


def test_learner_regret_is_the_sum_of_losses():
    """Would catch a diagnosis of another loss: l(theta_t) - l(theta*) from the reports and the released points."""
    environment = UnitFeatures(3, 6, direction=(1.0, 0.0))
    policy = PrivateOnlineLinUCB(1.0, truth=tuple(environment.parameter(key_of(1))))
    run = play(Pipeline(policy, environment, policy.randomiser()), horizon=50, key=key_of(1), record=RECORD)
    theta, star, total, s = np.zeros(3), np.array(policy.truth), 0.0, policy.sigma()
    for round in range(50):
        x, y = run.wire(Wire.REPORT)[round, :3], run.wire(Wire.REPORT)[round, 3]
        total += (x @ theta - y) ** 2 - s**2 * theta @ theta - (x @ star - y) ** 2 + s**2 * star @ star
        assert run.wire(Wire.STATISTIC)[round, 17] == pytest.approx(total, rel=1e-7, abs=1e-7)
        theta = run.wire(Wire.STATISTIC)[round, 9:12]


# Epochs and the combiner.


@pytest.mark.parametrize("learner", [Maler(), OGD()])
def test_anytime_restarts_with_the_constants_of_its_epoch(learner):
    """Epochs of 1, 2, 4, ... rounds. Would catch data that are carried over, a restart in another round, and constants of the run."""
    horizon, base = 100, PrivateOnlineLinUCB(10.0, learner=learner, failure=0.2)
    policy = Anytime(base, power=0.125)
    run = play(Pipeline(policy, UnitFeatures(3, 6), policy.randomiser()), horizon=horizon, key=key_of(7), record=RECORD)
    reference, left, m = None, 0, -1
    for round in range(horizon):
        if left == 0:
            m, left = m + 1, 2 ** (m + 1)
            reference = Reference(replace(base, planned_horizon=left), 3, left, failure=0.2 / 8, threshold=left**-0.125)  # log2(200) -> 8
        assert same_choice(reference.scores(run.wire(Wire.CONTEXTS)[round]), run.wire(Wire.ARMS)[round])
        reference.hear(run.wire(Wire.REPORT)[round, :3], run.wire(Wire.REPORT)[round, 4:])
        left -= 1
        if left > 0:
            assert run.wire(Wire.STATISTIC)[round] == pytest.approx(reference.released(), rel=1e-6, abs=1e-6)
        else:
            assert run.wire(Wire.STATISTIC)[round] == pytest.approx([1, 0, 1, 0, 0, 1, *[0] * 6])


def played_combiner(policy: Combiner, horizon: int, seed: int):
    pipeline = Pipeline(policy, UnitFeatures(3, 6), policy.randomiser())
    return play(pipeline, horizon=horizon, key=key_of(seed), record=RECORD)


@settings(max_examples=30)
@given(seed=SEEDS, factor=st.floats(0.01, 1.0), coefficient=st.floats(0.01, 3.0), horizon=st.integers(2, 150))
def test_combiner_plays_the_largest_index(seed, factor, coefficient, horizon):
    """Would catch U of another round, a removal in another round, ties to the last, and a base learner that hears another's report."""
    bases = tuple(PrivateOnlineLinUCB(50.0, curvature=each, width=Width.CONST, scale=0.5) for each in (0.9, 0.5, 0.3))
    putatives = tuple(Putative(coefficient * (place + 1), exponent, 0.1 * place) for place, exponent in enumerate((0.75, 0.5, 0.5)))
    policy = Combiner(bases=(Anytime(bases[0]), *bases[1:]), putatives=putatives, factor=factor, failure=0.1)
    run, s = played_combiner(policy, horizon, seed), bases[0].sigma()
    rewards: list[list[float]] = [[], [], []]
    shortfall, active, learners = [0.0] * 3, [True] * 3, [None, *(Reference(each, 3, horizon) for each in bases[1:])]

    def believed(i: int) -> float:
        n = len(rewards[i])
        if n == 0:
            return 0.0
        log = math.log(horizon**3 * 3 * max(math.log(n), 1.0) * (1 + s * s) / 0.1)
        return putatives[i].coefficient * n ** putatives[i].exponent + factor * math.sqrt(n * (1 + s * s) * log)

    def index(i: int) -> float:
        n = len(rewards[i])
        return (np.mean(rewards[i]) if n else 0.0) + (min(1.0, believed(i) / n) if n else 1.0) - putatives[i].target / horizon

    current = 0
    for round in range(horizon):
        report = run.wire(Wire.REPORT)[round]
        if learners[current] is not None:
            assert same_choice(learners[current].scores(run.wire(Wire.CONTEXTS)[round]), run.wire(Wire.ARMS)[round])
            learners[current].hear(report[:3], report[4:])
        before = np.mean(rewards[current]) if rewards[current] else 0.0
        shortfall[current] += before - report[3]
        rewards[current].append(report[3])
        if shortfall[current] >= believed(current) and sum(active) > 1:
            active[current] = False
        indices = [index(i) if active[i] else -math.inf for i in range(3)]
        current = int(run.wire(Wire.STATISTIC)[round, 12])
        assert active[current] and indices[current] >= max(indices) - 1e-9
        if learners[current] is not None:
            assert run.wire(Wire.STATISTIC)[round, :12] == pytest.approx(learners[current].released(), rel=1e-6, abs=1e-6)


def test_combiner_of_the_paper_has_its_grid():
    """T = 2^16: learner 1 is the anytime variant, 2 and 3 have the guesses 1/2 and 1, and no injection."""
    first, second, third = Combiner().learners(2**16)
    assert isinstance(first, Anytime) and first.power == 0.125 and first.base.curvature == pytest.approx(0.25)
    assert isinstance(second, PrivateOnlineLinUCB) and isinstance(third, PrivateOnlineLinUCB)
    assert [second.curvature, third.curvature] == pytest.approx([0.5, 1.0])
    assert second.injection(2**16) == third.injection(2**16) == 0.0
    assert [each.exponent for each in Combiner().believed(5, 2**16)] == [0.75, 0.5, 0.5]


def test_a_combiner_of_one_is_its_base_learner():
    """Would catch a combiner that changes what its learners do."""
    base, environment = PrivateOnlineLinUCB(10.0, curvature=0.9), UnitFeatures(4, 9)
    combined = Combiner(bases=(base,), putatives=(Putative(1.0, 0.5, 1.0),))
    one, two = (play(Pipeline(each, environment, base.randomiser()), horizon=300, key=key_of(2)) for each in (base, combined))
    assert np.array_equal(one.wire(Wire.ARMS), two.wire(Wire.ARMS))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PrivateOnlineLinUCB(curvature=-0.1), r"curvature = -0.1: must be >= 0"),
        (lambda: PrivateOnlineLinUCB(threshold=0.0), r"threshold = 0.0: must be > 0"),
        (lambda: PrivateOnlineLinUCB(width=Width.ORACLE), "width = oracle: must have `truth`"),
        (lambda: PrivateOnlineLinUCB(2.0, calibration=Calibration.CLASSIC), r"epsilon = 2.0: must be > 0 and < 1"),
        (lambda: Anytime(power=0.0), r"power = 0.0: must be > 0"),
        (lambda: Combiner(factor=0.0), r"factor = 0.0: must be > 0"),
        *(
            (lambda wrong=wrong: Combiner(bases=(PrivateOnlineLinUCB(1.0),), putatives=(wrong,)), r"Putative\(.*: must be finite, >= 0")
            for wrong in (Putative(math.nan, 0.5, 1.0), Putative(-1.0, 0.5, 1.0), Putative(1.0, 1.5, 1.0), Putative(1.0, 0.5, -math.inf))
        ),
        (lambda: RowMessage(1.0, 0.1, point=(math.nan, 0.0)), r"point = \(nan, 0.0\): must be finite"),
        (lambda: Combiner(bases=(PrivateOnlineLinUCB(1.0), PrivateOnlineLinUCB(2.0))), "bases: must share epsilon"),
    ],
)
def test_what_does_not_fit_is_refused(make, message):
    """Would catch a policy that starts with constants that no formula is made for."""
    with pytest.raises(ValueError, match=message):
        make()


def test_more_privacy_costs_more_and_noise_hurts():
    """Would catch noise that is not there: at epsilon = 1000 the policy beats uniform play by far, at epsilon = 0.1 it does not.

    Ten runs, whose regrets are compared with one another and with no expectation."""
    environment = UnitFeatures(5, 20, arm_set=ArmSet.REDRAWN)
    regrets = []
    for epsilon in (1000.0, 0.1):
        policy = PrivateOnlineLinUCB(epsilon, curvature=0.05, width=Width.CONST, scale=1.0)
        run = play_many(Pipeline(policy, environment, policy.randomiser()), horizon=3000, key=key_of(11), runs=10, record=())
        regrets.append(run.regret.mean())
    assert regrets[0] < 0.25 * regrets[1]


def test_parts_fit_together():
    """Would catch a randomiser of another level than the policy's sigma."""
    policy = PrivateOnlineLinUCB(0.7, 1e-3, calibration=Calibration.SPLIT)
    assert policy.randomiser() == LocalRow(0.7, 1e-3, Calibration.SPLIT) and policy.sigma() == policy.randomiser().setup()[0]
    assert Combiner(policy).randomiser() == Anytime(policy).randomiser() == policy.randomiser()


def test_each_plays_the_run_that_it_plays_alone():
    """Would catch a policy or randomiser that cannot share its rounds with others, as a figure's cell does."""
    environment, honest = UnitFeatures(4, 9, arm_set=ArmSet.REDRAWN), PrivateOnlineLinUCB(10.0)
    policies = [honest, replace(honest, learner=OGD()), Anytime(honest), Combiner(honest)]
    pipelines = [Pipeline(each, environment, each.randomiser()) for each in policies]
    pipelines += [NoisyGramUCB(method).pipeline(environment) for method in (Method.LIN_UCB, Method.LDP, Method.JDP)]
    found = play_together(pipelines, horizon=200, key=key_of(3), run=2, checkpoints=(50, 200))
    for pipeline, each in zip(pipelines, found, strict=True):
        alone = play(pipeline, horizon=200, key=key_of(3), run=2, record=(), checkpoints=(50, 200))
        assert each.regret.tolist() == alone.regret.tolist()


def test_runs_are_the_same_in_any_split():
    """Would catch a stream that depends on how runs are divided among workers."""
    policy = Combiner(PrivateOnlineLinUCB(5.0))
    pipeline = Pipeline(policy, UnitFeatures(4, 9), policy.randomiser())
    together = play_many(pipeline, horizon=150, key=key_of(3), runs=6, record=(Wire.ARMS,))
    apart = [play_many(pipeline, horizon=150, key=key_of(3), first_run=first, runs=2, record=(Wire.ARMS,)) for first in (0, 2, 4)]
    assert np.array_equal(together.wire(Wire.ARMS), np.concatenate([each.wire(Wire.ARMS) for each in apart]))
    assert np.array_equal(together.regret, np.concatenate([each.regret for each in apart]))
