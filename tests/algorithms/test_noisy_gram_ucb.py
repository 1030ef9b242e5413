"""The baselines of Figure 1: constants worked out by hand, every choice and release against plain NumPy, and the users' messages.

The formulas are written out here from the sheet `ldp_linucb_2024`, section 8, a second time.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.mechanisms.gaussian import profile
from banditproof.algorithms.mechanisms.gram import local
from banditproof.algorithms.mechanisms.gram.local import GramContributions, LocalGram, Scale
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.mechanisms.vector_sum import Encoding
from banditproof.algorithms.policies.lin_ucb.policy import Noise
from banditproof.algorithms.policies.noisy_gram_ucb import constants
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB, paper_jdp, paper_lin_ucb
from banditproof.audits.common import short_blocks
from banditproof.guarantees import ApproximateDP, GaussianDP, NeighbouringRelation, View
from banditproof.interaction import NoShuffling, Pipeline, Wire
from banditproof.kernels import plain
from banditproof.randomness import CLIENT, NOISE, key_of, normal
from banditproof.simulation import play

SEEDS = st.integers(0, 2**32)
RECORD = (Wire.CONTEXTS, Wire.ARMS, Wire.REWARDS, Wire.BATCH, Wire.STATISTIC)
SCRIPT, PAPER = Column.SCRIPT, Column.PAPER


def test_script_constants_by_hand():
    """epsilon = 2, delta = 2.5 / e^4, T = 100, d = 4, L^2 = 2, R = 1/2. Would catch a factor, a root or another logarithm."""
    delta = 2.5 / math.exp(4)
    assert local.script_scale(2.0, delta) == pytest.approx(1.0)  # sqrt(4) / 2
    assert local.script_scale(2.0, delta, 9) == pytest.approx(math.sqrt(4 + math.log(9)) / 6)
    assert constants.script_gamma(1.0, dimension=4, horizon=100) == pytest.approx(20)
    joint = constants.script_joint_scale(2.0, delta, 100)
    assert joint == pytest.approx(math.sqrt(math.log(100)) * 4 / 2)
    assert constants.script_joint_gamma(3.0, dimension=4, horizon=100) == pytest.approx(6 * math.sqrt(math.log(100)))
    gamma = constants.script_vector_gamma(2.0, 4 / math.exp(3), batch=16, dimension=4, horizon=100)
    assert gamma == pytest.approx(0.25 * 3 / (2 * 4) * 20)
    width = constants.script_width(20.0, dimension=4, horizon=100, feature_norm=math.sqrt(2.0), reward_sigma=0.5)
    assert width == pytest.approx(math.sqrt(20) * 2 + 0.5 * math.sqrt(4 * math.log(11 * 100)))
    narrow = constants.script_width(1.0, dimension=1, horizon=1, feature_norm=1e-7, reward_sigma=1.0)
    assert narrow == pytest.approx(1.0 + 1e-7, rel=1e-15)  # ln(1 + x) of an x that 1 + x loses
    assert [constants.joint_nodes(rounds) for rounds in (0, 1, 2, 6, 7, 19)] == [1, 1, 2, 2, 3, 3]  # floor(ln(1 + t)) + 1


def test_paper_constants_by_hand():
    """Zheng et al. at delta = 1.25 / e^2: s = 8 / epsilon. Would catch the root that the released code drops."""
    delta = 1.25 / math.exp(2)
    assert local.paper_scale(2.0, delta) == pytest.approx(4.0)
    level = 4 * 3 + 2 * math.log(2 * 50 / 0.1)
    assert constants.noise_level(9, 50, 0.1) == pytest.approx(level)
    upsilon, log = 4 * 4 * level, math.log(50)
    expected = 2 * 4 * math.sqrt(9 * log) + (math.sqrt(3 * upsilon) + 4 * math.sqrt(9 * 16 / upsilon)) * 9 * log
    assert constants.local_width(16, 4.0, dimension=9, horizon=50, failure=0.1) == pytest.approx(expected)
    schedule = constants.determinant(2.0, dimension=9, horizon=50, failure=0.1, parameter_norm=3.0, reward_sigma=0.5)
    total = 2 * math.sqrt(50)
    upsilon = total * level
    tail = 3 * math.sqrt(3 * upsilon) + total / math.sqrt(upsilon) * (3 + math.sqrt(2 * math.log(2 * 50 / 0.1)))
    assert schedule.shift == pytest.approx(2 * upsilon) and schedule.width == pytest.approx(tail)
    assert schedule.base == pytest.approx(2 * math.log(20) - 9 * math.log(upsilon))


@given(seed=SEEDS, size=st.integers(1, 6), norm=st.floats(0.3, 3.0))
def test_sensitivity_is_reached_and_not_exceeded(seed, size, norm):
    """Distance of two users' contributions in units of the noise, of both kinds of noise. Would catch a bound that is too small."""
    rng = np.random.default_rng(seed)
    x, v = (rng.normal(size=size) for _ in range(2))
    x, v = (each / np.linalg.norm(each) * norm * (1.0 if seed % 2 else rng.uniform()) for each in (x, v))
    y, z = (1.0, -1.0) if seed % 3 else rng.uniform(-1, 1, 2)
    change, apart = np.outer(x, x) - np.outer(v, v), np.sum((y * x - z * v) ** 2)
    halved, lower = np.sum(change**2) + apart, np.sum(np.tril(change) ** 2) + apart
    assert lower <= halved <= local.sensitivity(norm) ** 2 * (1 + 1e-12)
    if size > 1:
        c = min(1.0, 1 / (2 * norm**2))
        one, two = np.sqrt((1 + c) / 2), np.sqrt((1 - c) / 2)  # in the eigenbasis of the change, which is then diagonal
        x, v = norm * np.array([one, two]), norm * np.array([one, -two])
        rotation = np.array([[1, 1], [1, -1]]) / math.sqrt(2)
        x, v = rotation @ x, rotation @ v
        change = np.outer(x, x) - np.outer(v, v)
        assert np.sum(np.tril(change) ** 2) + np.sum((x + v) ** 2) == pytest.approx(local.sensitivity(norm) ** 2)
    assert local.sensitivity(1.0) == pytest.approx(math.sqrt(4.5))


def contribution(randomiser: LocalGram, message: np.ndarray, round: int) -> np.ndarray:
    target = np.zeros(randomiser.messages(message.size))
    plain(randomiser.kernel)(randomiser.setup(), np.array([1, 2, 3], dtype=np.uint64), round, message, target)
    return target[0]


@pytest.mark.parametrize(("scale", "off"), [(Scale.SCRIPT, math.sqrt(0.5)), (Scale.PAPER, 1.0), (Scale.EXACT, 1.0)])
def test_contributions_carry_their_noise(scale, off):
    """Means x x' and y x, standard deviation s on the diagonal and on y x, s sqrt(1/2) off the diagonal in the script. 20,000 messages see
    a mean that is off by 0.045 s and a deviation that is off by 3.5 % at about 6 standard errors. Would catch noise in a wrong place."""
    randomiser, message = LocalGram(1.0, 0.1, scale), np.array([0.6, -0.5, 0.3, 0.8])
    s, x, y = randomiser.noise_scale(), message[:3], message[3]
    drawn = np.array([contribution(randomiser, message, round) for round in range(20_000)])
    expected = np.concatenate([np.outer(x, x)[np.tril_indices(3)], y * x])
    spreads = s * np.array([1, off, 1, off, off, 1, 1, 1, 1])
    assert np.abs((drawn.mean(axis=0) - expected) / spreads).max() < 0.045
    assert np.abs(drawn.std(axis=0) / spreads - 1).max() < 0.035
    assert np.abs(np.corrcoef(drawn.T)[np.triu_indices(9, 1)]).max() < 0.045


@pytest.mark.parametrize("feature_norm", [0.1, 0.5, 1.0, 2.0])
def test_without_features_responses_have_their_noise(feature_norm):
    """Would catch noise for features that nobody sends: with rows shorter than 0.97 it is less than two responses need."""
    randomiser, drawn = LocalGram(1.0, 1e-3, feature_norm=feature_norm), np.zeros(20_000)
    assert profile(1.0, 2.0 / randomiser.noise_scale(features=False)) == pytest.approx(1e-3, rel=1e-9)
    assert profile(1.0, local.sensitivity(feature_norm) / randomiser.noise_scale()) == pytest.approx(1e-3, rel=1e-9)
    for round in range(len(drawn)):
        drawn[round] = contribution(randomiser, np.array([1.0]), round)[0]
    assert drawn.std() == pytest.approx(randomiser.noise_scale(features=False), rel=0.035)
    policy = NoisyGramUCB(Method.LDP, epsilon=1.0, delta=1e-3, feature_norm=feature_norm, calibrated=True)
    assert policy.user_scale(0) == randomiser.noise_scale(features=False)
    assert policy.user_scale(3) == randomiser.noise_scale()


def test_contributions_have_the_normals_of_their_addresses():
    """Would catch users who share a number, and one who gets another's where a window of 64 ends: q = 9 numbers each, window by window."""
    randomiser, message = LocalGram(1.0, 0.1), np.array([0.6, -0.5, 0.3, 0.8])
    stream = short_blocks.short_stream(np.array([1, 2, 3], dtype=np.uint64), CLIENT)
    expected = np.concatenate([np.outer(message[:3], message[:3])[np.tril_indices(3)], message[3] * message[:3]])
    for user in (0, 6, 7, 8, 15, 2**40):
        noise = randomiser.noise_scale() * np.array([short_blocks.normal(stream, 9 * user + place) for place in range(9)])
        assert contribution(randomiser, message, user) == pytest.approx(expected + noise, rel=1e-12, abs=1e-12)


def test_contributions_are_clipped_to_the_domain():
    """Would catch clipping after the noise, or in the script, which has none."""
    far, near = np.array([3.0, 4.0, -9.0]), np.array([0.6, 0.8, -1.0])
    assert contribution(LocalGram(1.0, 0.1), far, 3) == pytest.approx(contribution(LocalGram(1.0, 0.1), near, 3))
    free = LocalGram(1.0, 0.1, clips=False)
    apart = contribution(free, far, 3) - contribution(free, near, 3)
    assert apart == pytest.approx([9 - 0.36, 12 - 0.48, 16 - 0.64, -27 + 0.6, -36 + 0.8])


def test_shuffled_contributions_keep_every_user_and_no_order(rng):
    """Would catch a message that is lost, and an order that tells who sent which: the user with x = (1, 0) is first in half of the runs."""
    rows = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, -1.0]])
    released = GramContributions(300.0, 0.1, users=2).release(rows, 4_000, rng).reshape(-1, 2, 5)
    assert np.abs(released.sum(axis=1).mean(axis=0) - [1, 0, 1, 1, -1]).max() < 0.05
    first = float(np.mean(released[:, 0, 0] > 0.5))
    assert abs(first - 0.5) < 6 * 0.5 / math.sqrt(4_000)
    assert np.all((released[:, :, 0] > 0.5).sum(axis=1) == 1)


@pytest.mark.parametrize(("size", "norm"), [(2, 1.0), (3, 2.0), (4, 0.4)])
def test_worst_rows_reach_the_sensitivity(size, norm):
    """Would catch a witness that is not the worst."""
    one, two = (np.array(each) for each in local.worst_rows(size, norm))
    change, apart = np.outer(one[:-1], one[:-1]) - np.outer(two[:-1], two[:-1]), one[-1] * one[:-1] - two[-1] * two[:-1]
    assert np.sum(np.tril(change) ** 2) + np.sum(apart**2) == pytest.approx(local.sensitivity(norm) ** 2)
    assert np.linalg.norm(one[:-1]) == pytest.approx(norm) and np.linalg.norm(two[:-1]) == pytest.approx(norm)


class Reference:
    """G and u in plain NumPy from what reached the server; shift and width from the sheet."""

    def __init__(self, policy: NoisyGramUCB, d: int, horizon: int, seed: int) -> None:
        self.policy, self.d, self.seed = policy, d, seed
        self.T = T = policy.planned_horizon or max(horizon, 2)
        self.alpha = policy.failure or 1 / T
        self.V, self.u, self.n = np.zeros((d, d)), np.zeros(d), 0
        e, delta, B, L, R = policy.epsilon, policy.delta, policy.batch, policy.feature_norm, policy.reward_sigma
        g = max(2 * math.sqrt(B), d, 4)
        power = 2 if policy.column is PAPER else 1
        factor = policy.trials_factor or (10.0 if e > 0.2 else 1.0)
        self.g, self.b = g, factor * g * g * math.log(d**power / delta) ** 2 / (e * e * B)
        self.s = {
            (Method.LDP, SCRIPT): math.sqrt(math.log(2.5 / delta)) / e,
            (Method.LDP, PAPER): 4 * math.sqrt(2 * math.log(1.25 / delta)) / e,
            (Method.SDP_AMP, SCRIPT): math.sqrt(math.log(2.5 * B / delta)) / (e * math.sqrt(B)),
            (Method.SDP_AMP, PAPER): 4 * math.sqrt(2 * math.log(2.5 * B / delta) * math.log(2 / delta)) / (e * math.sqrt(B)),
            (Method.JDP, SCRIPT): math.sqrt(math.log(T)) * math.log(2.5 / delta) / e,
            (Method.SDP_VEC, PAPER): math.sqrt((L / g) ** 2 * (3 * math.floor(self.b) / 16 + 0.25)),
        }.get((policy.method, policy.column), 0.0)
        if policy.method is Method.SDP_AMP and policy.column is PAPER and B == 1:  # nobody to be shuffled with
            self.s = 4 * math.sqrt(2 * math.log(1.25 / delta)) / e
        gamma = {
            Method.LIN_UCB: 1.0,
            Method.JDP: self.s * math.sqrt(d * math.log(T)),
            Method.SDP_VEC: 0.25 * math.log(d / delta) / (e * math.sqrt(B)) * math.sqrt(T * d),
        }.get(policy.method, self.s * math.sqrt(T * d))
        self.script = math.sqrt(gamma * d) + R * math.sqrt(d * math.log((1 + T * L * L / gamma) * T))
        self.script_shift = (1e-4 if policy.method is Method.LIN_UCB else 2.0) * gamma

    def noise(self) -> tuple[np.ndarray, np.ndarray]:
        """Of the script's jointly private method: the first floor(ln(1 + t)) + 1 nodes."""
        key, d = np.array([*key_of(self.seed), 0], dtype=np.uint64), self.d
        V, u = np.zeros((d, d)), np.zeros(d)
        if self.policy.method is Method.JDP:
            for node in range(math.floor(math.log(1 + self.n)) + 1):
                drawn = [self.s * normal(key, NOISE, node * (d * d + d) + place) for place in range(d * d + d)]
                Z = np.array(drawn[: d * d]).reshape(d, d)
                V, u = V + (Z + Z.T) / 2, u + drawn[d * d :]
        return V, u

    def sums(self) -> tuple[np.ndarray, np.ndarray, float]:
        V, u = self.noise()
        V, u, d, R, D = V + self.V, u + self.u, self.d, self.policy.reward_sigma, self.policy.parameter_norm
        level = 4 * math.sqrt(d) + 2 * math.log(2 * self.T / self.alpha)
        if self.policy.column is SCRIPT:
            V, width = V + self.script_shift * np.eye(d), self.script
        elif self.policy.method is Method.LDP:
            upsilon, log = self.s * math.sqrt(self.n + 1) * level, math.log(self.T)
            V = V + 2 * upsilon * np.eye(d)
            width = 2 * self.s * math.sqrt(d * log)
            width += (math.sqrt(3 * upsilon) + self.s * math.sqrt(d * (self.n + 1) / upsilon)) * d * log
        else:
            total = self.s * math.sqrt(self.T)
            upsilon = total * level
            V = V + 2 * upsilon * np.eye(d)
            inside = 2 * math.log(2 / self.alpha) + np.linalg.slogdet(V)[1] - d * math.log(upsilon)
            width = R * math.sqrt(max(inside, 0.0)) + D * math.sqrt(3 * upsilon)
            width += total / math.sqrt(upsilon) * (math.sqrt(d) + math.sqrt(2 * math.log(2 * self.T / self.alpha)))
        return V, u, width

    def hear(self, messages: np.ndarray, users: int) -> None:
        """A batch as the server gets it, (messages, 1 + v)."""
        d, L = self.d, self.policy.feature_norm
        p = d * (d + 1) // 2
        if self.policy.method is Method.SDP_VEC:
            b = self.b if self.policy.column is SCRIPT else math.floor(self.b)
            total = np.zeros(p + d)
            for _, label, number in messages:
                total[int(label)] += number
            total = L / self.g * (total - b * users / 4) - users * L
        elif messages.shape[1] == d + 2:
            x, y = messages[:, 1 : d + 1], messages[:, d + 1]
            total = np.concatenate([(x.T @ x)[np.tril_indices(d)], y @ x])
        else:
            total = messages[:, 1:].sum(axis=0)
        matrix = np.zeros((d, d))
        matrix[np.tril_indices(d)] = total[:p]
        self.V, self.u, self.n = self.V + matrix + np.tril(matrix, -1).T, self.u + total[p:], self.n + users


CASES = [(method, SCRIPT) for method in Method] + [(method, PAPER) for method in (Method.LDP, Method.SDP_AMP, Method.SDP_VEC)]


@pytest.mark.parametrize(("method", "column"), CASES)
@settings(max_examples=12)
@given(
    epsilon=st.sampled_from([1.0, 10.0]),
    batch=st.integers(1, 6),
    planned_horizon=st.sampled_from([None, 500]),
    norm=st.sampled_from([1.0, math.sqrt(2.0)]),
    horizon=st.integers(1, 60),
    bits=st.booleans(),
    seed=SEEDS,
)
def test_every_round_is_that_of_the_formulas(method, column, epsilon, batch, planned_horizon, norm, horizon, bits, seed):
    """Would catch a shift, a width, a batch that is used too early, noise that is drawn twice, and an estimate that is off its sum."""
    policy = NoisyGramUCB(
        method,
        column,
        epsilon,
        batch=batch,
        planned_horizon=planned_horizon,
        feature_norm=norm,
        trials_factor=0.3,
        encoding=Encoding.BITS if bits else Encoding.COUNTS,
    )
    environment = UnitFeatures(3, 6, arm_set=ArmSet.REDRAWN, feature_norm=norm)
    pipeline = policy.pipeline(environment)
    run, reference = play(pipeline, horizon=horizon, key=key_of(seed), record=RECORD), Reference(policy, 3, horizon, seed)
    users, size, done = 0, run.wire(Wire.BATCH).shape[0] // horizon, 0
    for round in range(horizon):
        V, u, width = reference.sums()
        if np.linalg.eigvalsh(V)[0] > 1e-6:
            inverse, contexts = np.linalg.inv(V), run.wire(Wire.CONTEXTS)[round]
            scores = contexts @ inverse @ u + width * np.sqrt(np.sum(contexts @ inverse * contexts, axis=1))
            assert scores[run.wire(Wire.ARMS)[round]] >= scores.max() - 1e-7 * (1 + np.abs(scores).max())
        elif np.linalg.eigvalsh(V)[0] < -1e-6:
            assert run.wire(Wire.ARMS)[round] == 0
        users += 1
        if users == pipeline.shuffler.batch or round == horizon - 1:
            reference.hear(run.wire(Wire.BATCH)[done : done + users * size], users)
            done, users = done + users * size, 0
            V, u, _ = reference.sums()
            found = run.wire(Wire.STATISTIC)[round]
            assert found == pytest.approx(np.concatenate([V[np.tril_indices(3)], u]), rel=1e-7, abs=1e-6)


@pytest.mark.parametrize("method", Method)
def test_without_features_arms_are_unit_vectors(method):
    """Would catch a count of messages in place of pulls, and a response added to another arm."""
    policy = NoisyGramUCB(method, epsilon=50.0, batch=4, trials_factor=0.1, encoding=Encoding.BITS, width_scale=0.1)
    environment, horizon = Bernoulli((0.1, 0.9)), 200
    pipeline = policy.pipeline(environment)
    run = play(pipeline, horizon=horizon, key=key_of(4), record=(Wire.ARMS, Wire.REWARDS, Wire.STATISTIC))
    final, arms, rewards = run.wire(Wire.STATISTIC)[-1], run.wire(Wire.ARMS), run.wire(Wire.REWARDS)
    shift = policy.schedule(2, horizon, 0).shift
    for arm, place in ((0, 0), (1, 2)):
        # The server's own noise is at most 5 of its standard deviations; users' noise is on the responses alone.
        slack = 5 * constants.script_joint_scale(50.0, 0.1, horizon) * math.sqrt(constants.joint_nodes(horizon))
        slack = slack if method is Method.JDP else 1e-9
        assert final[place] - shift == pytest.approx(np.sum(arms == arm), abs=slack)
        noise = policy.user_scale(0) * math.sqrt(horizon) * 6 + slack + 1e-9
        assert final[3 + arm] == pytest.approx(rewards[arms == arm].sum(), abs=noise)


def test_claims_and_views():
    """Would catch a claim of another view: who is trusted is what distinguishes the methods."""
    claims = {method: NoisyGramUCB(method).claim() for method in Method}
    assert claims[Method.LIN_UCB] is None
    assert claims[Method.LDP] == ApproximateDP(1.0, 0.1, NeighbouringRelation.ANY_PAIR, View.LOCAL)
    assert claims[Method.JDP] == ApproximateDP(1.0, 0.1, NeighbouringRelation.REPLACE_ROUND, View.JOINT)
    assert claims[Method.SDP_AMP] == claims[Method.SDP_VEC] == ApproximateDP(1.0, 0.1, NeighbouringRelation.REPLACE_ROUND, View.SHUFFLED)
    amplified = NoisyGramUCB(Method.SDP_AMP).randomiser()
    assert isinstance(amplified, LocalGram) and isinstance(amplified.guarantee(), GaussianDP)
    assert NoisyGramUCB(Method.LDP).randomiser().guarantee() == claims[Method.LDP]
    assert NoisyGramUCB(Method.SDP_AMP).shuffler().batch == 20 and NoisyGramUCB(Method.LDP).shuffler() == NoShuffling()


def test_calibrated_noise_is_enough():
    """Would catch a calibration to another distance than that of two users' whole contributions."""
    randomiser = NoisyGramUCB(Method.LDP, calibrated=True).randomiser()
    assert isinstance(randomiser, LocalGram) and randomiser.clips and randomiser.scale is Scale.EXACT
    assert randomiser.noise_scale() == pytest.approx(local.exact_sigma(1.0, 0.1, math.sqrt(4.5)))


def test_paper_columns_of_the_package():
    """LinUCB: w = R sqrt(2 ln(1 / beta) + ln det G) + D at shift 1, and the jointly private method with the printed noise of its paper."""
    policy = paper_lin_ucb(failure=0.01, parameter_norm=3.0)
    found = policy.constants(5, 100)
    assert found.shift == 1.0 and found.failure == 0.02 and policy.bounds.reward_sigma == 0.5 and policy.bounds.parameter_norm == 3.0
    joint = paper_jdp(1.0, 0.1, failure=0.05)
    assert (
        joint.noise is Noise.GAUSSIAN
        and joint.calibration is Calibration.PUBLISHED
        and joint.bounds.row_norm == pytest.approx(math.sqrt(2))
    )
    m = 1 + math.ceil(math.log2(1000))
    assert joint.constants(5, 1000).node_sigma == pytest.approx(4 * math.sqrt(m) * 2 * math.log(40))


def test_fixed_and_scaled_widths():
    """Would catch a width that the options do not reach."""
    environment = UnitFeatures(3, 6)
    runs = [
        play(Pipeline(NoisyGramUCB(Method.LIN_UCB, width_scale=scale, fixed_width=fixed), environment), horizon=300, key=key_of(6))
        for scale, fixed in ((0.0, False), (0.0, True), (1.0, False), (3.0, True))
    ]
    arms = [run.wire(Wire.ARMS) for run in runs]
    assert np.array_equal(arms[0], arms[1]) and not np.array_equal(arms[0], arms[2]) and not np.array_equal(arms[2], arms[3])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NoisyGramUCB(Method.JDP, PAPER), "column = paper: method jdp must be made by paper_lin_ucb or paper_jdp"),
        (lambda: NoisyGramUCB(Method.JDP, calibrated=True), "calibrated: must go with method = ldp"),
        (lambda: NoisyGramUCB(batch=0), "batch = 0: must be an integer >= 1"),
        (lambda: NoisyGramUCB(width_scale=-1.0), r"width_scale = -1.0: must be >= 0"),
        (lambda: LocalGram(0.5, 1e-5, Scale.SCRIPT, feature_norm=0.0), r"context_norm = 0.0: must be > 0"),
        (lambda: LocalGram(0.5, 1e-5, Scale.PAPER, feature_norm=1.6), r"feature_norm = 1.6: must be <= 1.52"),
        (lambda: paper_lin_ucb(failure=0.7), r"failure = 0.7: must be > 0 and < 0.5"),
    ],
)
def test_what_does_not_fit_is_refused(make, message):
    """Would catch a baseline that mixes two columns."""
    with pytest.raises(ValueError, match=message):
        make()
