"""ldp_linucb_2024: the noise of all that is sent or released, in every form and option, and what users add to it.

MOMENTS       of users without features or rewards: means, variances, fourth moments, and products of all pairs of numbers, of one user and of
              users up to three apart, in standard errors; variances are those of the sheet's formulas. Nothing but normal (or binomial)
              numbers without correlations stays below 6, and a factor of 1.2 in one variance, or a tenth of a number that two share, does not
DIFFERENCES   two runs of one key, one of them on zeros: the messages differ by what the user holds, held to the domain, and nothing else
REFUSED       features that are not finite, and a response that is not a number, never reach the sums; an infinite response counts as an end
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.learners.ogd import OGD
from banditproof.algorithms.mechanisms.gram.local import GramContributions, Scale
from banditproof.algorithms.mechanisms.local_row import Calibration, RowMessage
from banditproof.algorithms.mechanisms.vector_sum import Encoding, ShuffledSum
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import PrivateOnlineLinUCB
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.ldp_linucb_2024.plain import server, sums
from banditproof.audits.papers.ldp_linucb_2024.shuffled_ratio import numbers_of
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Floats, Pipeline, Table, Wire
from banditproof.randomness import generator, key_of
from banditproof.simulation import play, play_many
from banditproof.theory.papers.ldp_linucb_2024 import baselines, privacy

Policy = PrivateOnlineLinUCB | NoisyGramUCB
Draw = Callable[[], Floats]  # numbers (n, q), each less its stated mean, over its stated standard deviation
USERS, MOST, LAGS = 4_000, Fraction(6), 4


def standard_errors(numbers: Floats) -> float:
    """The largest of all moments; equal sizes of two numbers that are not whole, which chance does not give, count as infinitely many."""
    n, q = numbers.shape
    found = [
        np.abs(numbers.sum(axis=0)) / math.sqrt(n),
        np.abs((numbers**2 - 1.0).sum(axis=0)) / math.sqrt(2.0 * n),
        np.abs((numbers**4 - 3.0).sum(axis=0)) / math.sqrt(96.0 * n),
    ]
    for lag in range(LAGS):
        products = np.abs(numbers[: n - lag].T @ numbers[lag:]) / math.sqrt(n)
        found.append((products * (1.0 - np.eye(q)) if lag == 0 else products).ravel())
    sizes = np.sort(np.abs(numbers[:, : min(q, 50)]).ravel())
    if len(np.unique(np.round(sizes, 9))) > len(sizes) / 2 and bool((np.diff(sizes) <= 1e-14 * sizes[1:]).any()):
        return math.inf
    return float(np.concatenate(found).max())


class Noise(NamedTuple):
    """What draws the noise, by its name."""

    name: str
    draw: Draw


def sent_on_zeros(policy: Policy, features: int, users: int = USERS) -> Floats:
    """All messages of a run of users without features or rewards, (T, m v)."""
    table = Table(np.zeros((users, 2)), contexts=np.zeros((users, 2, features)) if features else None)
    randomiser = policy.randomiser(features) if isinstance(policy, NoisyGramUCB) else policy.randomiser()
    pipeline = Pipeline(policy, table, randomiser)
    return np.asarray(play(pipeline, horizon=users, key=key_of(0, "ldp_linucb_2024", "noise"), record=(Wire.REPORT,)).wire(Wire.REPORT))


def of_rows(policy: PrivateOnlineLinUCB, factor: float) -> Floats:
    """Of (x~, y~), over `factor` times the stated standard deviations."""
    sigma = server.noise_of(policy.calibration, policy.epsilon, policy.delta)
    injected = 0.0 if policy.threshold is None else policy.threshold
    deviations = np.array([math.sqrt(sigma**2 + injected)] * 3 + [sigma])
    return np.asarray(sent_on_zeros(policy, 3)[:, :4] / (factor * deviations))


def of_response(policy: PrivateOnlineLinUCB) -> Floats:
    """Of y~ alone: two responses are 2 apart."""
    epsilon, delta = policy.epsilon, policy.delta
    exact = policy.calibration in (Calibration.EXACT, Calibration.SPLIT)
    sigma = server.exact_noise(epsilon, delta, 2.0) if exact else 2.0 * math.sqrt(2.0 * math.log(1.25 / delta)) / epsilon
    return sent_on_zeros(policy, 0) / sigma


def halved(policy: NoisyGramUCB, features: int) -> Floats:
    """The standard deviations of a contribution over s: with (Z + Z')/2 those beside the diagonal are 1 / sqrt(2)."""
    lower, other = np.tril_indices(features)
    script = policy.column is Column.SCRIPT and not policy.calibrated
    return np.concatenate([np.where((lower != other) & script, math.sqrt(0.5), 1.0), np.ones(features)])


def of_contributions(policy: NoisyGramUCB, features: int) -> Floats:
    """Of the numbers of a contribution."""
    deviations = halved(policy, features) if features else np.ones(1)
    return np.asarray(sent_on_zeros(policy, features) / (sums.noise_of(policy, features) * deviations))


def of_counts(policy: NoisyGramUCB, features: int) -> Floats:
    """Of the ones of each number, which for 0 are g and binomial ones."""
    vector, users = sums.vector_of(policy, features), USERS if policy.encoding is Encoding.COUNTS else USERS // 8
    numbers = features * (features + 3) // 2 if features else 1
    ones = sent_on_zeros(policy, features, users).reshape(users, numbers, -1, 2)[..., 1].sum(axis=2)
    return np.asarray((ones - vector.resolution - vector.drawn / 4.0) / math.sqrt(3.0 * vector.drawn / 16.0))


def of_nodes(policy: NoisyGramUCB) -> Floats:
    """Of the three nodes that the server draws for the first eight rounds."""
    zeros = Table(np.zeros((8, 2)), contexts=np.zeros((8, 2, 2)))
    key = key_of(0, "ldp_linucb_2024", "nodes")
    released = np.asarray(play_many(policy.pipeline(zeros), horizon=8, key=key, runs=USERS, record=(Wire.STATISTIC,)).wire(Wire.STATISTIC))
    shift = sums.PlainSums(policy, 2, 2, 8).shift() * np.array([1.0, 0.0, 1.0, 0.0, 0.0])
    nodes = np.hstack([released[:, 0] - shift, released[:, 1] - released[:, 0], released[:, 6] - released[:, 5]])
    s = math.sqrt(math.log(8 if policy.planned_horizon is None else policy.planned_horizon)) * math.log(2.5 / policy.delta) / policy.epsilon
    return np.asarray(nodes / (s * np.tile(halved(policy, 2), 3)))


def of_row_release(message: RowMessage) -> Floats:
    """Of (x~, y~) as the mechanism of the privacy audits releases them."""
    size, sigma = len(message.point), server.noise_of(message.calibration, message.epsilon, message.delta)
    found = message.release(np.zeros(size + 1), USERS, np.random.default_rng(5))[:, : size + 1]
    return np.asarray(found / np.array([math.hypot(sigma, message.injection)] * size + [sigma]))


def of_gram_release(mechanism: GramContributions) -> Floats:
    """Of all users' contributions as the mechanism of the privacy audits releases them."""
    column = Column.SCRIPT if mechanism.scale is Scale.SCRIPT else Column.PAPER
    method = Method.LDP if mechanism.scale is Scale.EXACT else Method.SDP_AMP
    policy = NoisyGramUCB(method, column, mechanism.epsilon, mechanism.delta, mechanism.users, mechanism.feature_norm)
    policy = replace(policy, calibrated=mechanism.scale is Scale.EXACT)
    found = mechanism.release(np.zeros((mechanism.users, mechanism.features + 1)), USERS, np.random.default_rng(5))
    deviations = sums.noise_of(policy, mechanism.features) * np.tile(halved(policy, mechanism.features), mechanism.users)
    return np.asarray(found / deviations)


def of_sum_release(mechanism: ShuffledSum) -> Floats:
    """Of the ones of each number of a batch as the mechanism of the privacy audits releases them."""
    policy = NoisyGramUCB(Method.SDP_VEC, Column.SCRIPT, mechanism.epsilon, mechanism.delta, mechanism.batch)
    policy = replace(policy, trials_factor=mechanism.factor, feature_norm=mechanism.bound)
    vector = sums.vector_of(policy, mechanism.features)
    found = mechanism.release(np.zeros((mechanism.batch, mechanism.features + 1)), USERS, np.random.default_rng(5))
    if mechanism.encoding is Encoding.COUNTS:
        found = found.reshape(USERS, mechanism.batch, -1).sum(axis=1)
    mean = mechanism.batch * (vector.resolution + vector.drawn / 4.0)
    return np.asarray((found - mean) / math.sqrt(mechanism.batch * 3.0 * vector.drawn / 16.0))


def moments(noises: tuple[Noise, ...]) -> Iterator[At]:
    """The largest moment of each noise, in standard errors."""
    for noise in noises:
        found = standard_errors(noise.draw())
        yield At({"noise": noise.name}, Fraction(found) if math.isfinite(found) else Fraction(10**9), MOST)


def has_moments(noises: tuple[Noise, ...]) -> Pointwise:
    """That noise is what its formula says."""
    return Pointwise(partial(moments, noises), f"{len(noises)} kinds of noise, {USERS} users", "largest moment in standard errors")


ROW = PrivateOnlineLinUCB(width=Width.CONST, learner=OGD(), threshold=1e-30)
LOCAL = NoisyGramUCB(Method.LDP, epsilon=2.0, delta=0.05)
AMPLIFIED = replace(LOCAL, method=Method.SDP_AMP, batch=4)
VECTOR = replace(AMPLIFIED, method=Method.SDP_VEC)
_CALIBRATED = tuple((each, 0.9 if each is Calibration.CLASSIC else 2.0) for each in Calibration)
ROWS = (
    *(Noise(f"rows {each.value}", partial(of_rows, replace(ROW, calibration=each, epsilon=eps), 1.0)) for each, eps in _CALIBRATED),
    Noise("rows injected", partial(of_rows, replace(ROW, epsilon=20.0, threshold=0.5), 1.0)),
    *(Noise(f"response {each.value}", partial(of_response, replace(ROW, calibration=each, epsilon=eps))) for each, eps in _CALIBRATED),
    *(Noise(f"row release {d}", partial(of_row_release, RowMessage(2.0, 0.1, (0.5,) * d, 0.3 * (d - 1)))) for d in (1, 3)),
)
CONTRIBUTIONS = (
    *(
        Noise(f"{policy.method.value} {column.value} {features}", partial(of_contributions, replace(policy, column=column), features))
        for policy in (LOCAL, AMPLIFIED)
        for column in Column
        for features in (0, 1, 3)
    ),
    Noise("calibrated", partial(of_contributions, replace(LOCAL, calibrated=True, feature_norm=1.5), 3)),
    Noise("calibrated, short", partial(of_contributions, replace(LOCAL, calibrated=True, feature_norm=0.6), 2)),
    *(
        Noise(f"gram release {scale.value} {users}", partial(of_gram_release, GramContributions(2.0, 0.1, scale, users, 2, length)))
        for scale, users, length in ((Scale.SCRIPT, 3, 1.0), (Scale.PAPER, 3, 1.0), (Scale.EXACT, 1, 1.5), (Scale.EXACT, 3, 0.6))
    ),
)
COUNTS = tuple(
    Noise(
        f"{encoding.value} {column.value} {features} {factor:g}",
        partial(of_counts, replace(VECTOR, column=column, encoding=encoding, trials_factor=factor, feature_norm=length), features),
    )
    for encoding, column, features, factor, length in (
        (Encoding.COUNTS, Column.SCRIPT, 2, 5.0, 1.0),
        (Encoding.COUNTS, Column.PAPER, 2, 9.0, 0.5),
        (Encoding.COUNTS, Column.PAPER, 3, 20.0, 2.0),
        (Encoding.COUNTS, Column.PAPER, 0, 13.0, 1.0),
        (Encoding.BITS, Column.SCRIPT, 2, 5.0, 1.0),
        (Encoding.BITS, Column.PAPER, 1, 3.0, 2.0),
    )
) + tuple(
    Noise(f"{encoding.value} release {factor:g}", partial(of_sum_release, ShuffledSum(2.0, 0.05, 4, 2, length, factor, encoding)))
    for encoding, factor, length in ((Encoding.COUNTS, 5.0, 1.0), (Encoding.BITS, 9.0, 0.5), (Encoding.BITS, 14.0, 2.0))
)
NODES = (
    Noise("nodes", partial(of_nodes, NoisyGramUCB(Method.JDP, epsilon=2.0))),
    Noise("nodes planned", partial(of_nodes, NoisyGramUCB(Method.JDP, epsilon=2.0, delta=0.01, planned_horizon=500))),
)


# --- what users add to it -----------------------------------------------------------------------------------------------------------------

LENGTHS = (0.0, 0.4, 0.999, 1.0, 1.001, 1.5, 7.0, 1e5)  # of features, over the radius of the domain
RESPONSES = (0.7, -1.0, 1.0, 1.001, -1.001, 30.0, -1e6, math.inf, -math.inf)


def users_of(features: int, radius: float) -> Floats:
    """Users (x, y), each length with each response; features in the directions of the encoding's grid, which two share."""
    rng = generator(key_of(features, "ldp_linucb_2024", "users"))
    lengths, responses = (each.ravel() for each in np.meshgrid(LENGTHS, RESPONSES))
    directions = rng.normal(size=(len(lengths), max(features, 1)))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return np.column_stack([radius * lengths[:, None] * directions, responses])[:, 0 if features else 1 :]


def differences(policy: Policy, features: int, radius: float, clips: bool) -> tuple[Floats, Floats]:
    """Of each user, what the message has more than that of a user with zeros and the same noise; and what it should have."""
    users = users_of(features, radius)
    if not clips:
        users = users[np.isfinite(users).all(axis=1)]
    client = policy.randomiser(features) if isinstance(policy, NoisyGramUCB) else policy.randomiser(clips=clips)
    found = []
    for factor in (1.0, 0.0):
        data = users if factor else np.zeros_like(users)
        contexts = np.tile(data[:, None, :features], (1, 2, 1)) if features else None
        pipeline = Pipeline(policy, Table(np.tile(data[:, -1:], (1, 2)), contexts=contexts), client)
        played = play(pipeline, horizon=len(users), key=key_of(1, "ldp_linucb_2024", "noise"), record=(Wire.REPORT,))
        found.append(np.asarray(played.wire(Wire.REPORT)))
    held = users.copy()
    if clips:
        lengths = np.linalg.norm(users[:, :-1], axis=1, keepdims=True) if features else np.ones((len(users), 1))
        held[:, :-1] /= np.maximum(1.0, lengths / radius)
        held[:, -1] = np.clip(users[:, -1], -1.0, 1.0)
    if features and isinstance(policy, NoisyGramUCB):
        held = np.array([numbers_of(tuple(row.tolist())) for row in held])
    return found[0][:, : held.shape[1]] - found[1][:, : held.shape[1]], held


class Client(NamedTuple):
    """A policy whose messages are compared, with d and L, and whether data are held to the domain."""

    policy: Policy
    features: int
    radius: float = 1.0
    clips: bool = True


def apart(clients: tuple[Client, ...], radius: float) -> Iterator[At]:
    """The largest error of a difference, over the largest number; `radius` times L is said."""
    for each in clients:
        found, expected = differences(*each)
        if radius != 1.0:
            expected = differences(each.policy, each.features, radius * each.radius, each.clips)[1]
        worst = np.abs(found - expected).max() / max(1.0, float(np.abs(expected).max()))
        yield At({"policy": type(each.policy).__name__, "d": each.features, "L": each.radius}, Fraction(float(worst)), NEARLY)


def differ_alone(clients: tuple[Client, ...], radius: float = 1.0) -> Pointwise:
    """That messages of one noise differ by what users hold."""
    users = len(LENGTHS) * len(RESPONSES)
    return Pointwise(partial(apart, clients, radius), f"{users} users in the domain and outside it", "error of a difference")


NEARLY = Fraction(1, 10**9)
MESSAGES = (
    *(Client(replace(ROW, calibration=each, epsilon=0.9, threshold=0.3), 3) for each in Calibration),
    Client(ROW, 1),
    Client(ROW, 0),
    Client(ROW, 2, clips=False),
)
GRAMS = (
    *(Client(replace(LOCAL, column=Column.PAPER, feature_norm=length), 3, length) for length in (0.5, 1.0, 2.0)),
    Client(replace(LOCAL, calibrated=True, feature_norm=1.5), 2, 1.5),
    Client(replace(AMPLIFIED, column=Column.PAPER), 1),
    Client(replace(AMPLIFIED, column=Column.PAPER), 0),
    Client(LOCAL, 2, clips=False),
    Client(replace(AMPLIFIED, feature_norm=0.5), 2, 0.5, clips=False),
)

BAD = tuple((place, value) for place in range(3) for value in (math.nan, math.inf, -math.inf) if place < 2 or math.isnan(value))


def taken(policies: tuple[Policy, ...], bad: tuple[tuple[int, float], ...]) -> Iterator[At]:
    """Runs that go on after a user whose number at this place, x_1, x_2 or y, has this value."""
    for policy in policies:
        accepted = 0
        for place, value in bad:
            data = np.full((4, 2, 3), 0.5)
            data[1, :, place] = value
            client = policy.randomiser(2) if isinstance(policy, NoisyGramUCB) else policy.randomiser()
            pipeline = Pipeline(policy, Table(data[..., 2], contexts=data[..., :2]), client)
            try:
                play(pipeline, horizon=4, key=key_of(0, "ldp_linucb_2024", "bad"))
                accepted += 1
            except ValueError:
                continue
        yield At({"policy": type(policy).__name__, "epsilon": policy.epsilon}, accepted, 0)


def refuses(policies: tuple[Policy, ...], bad: tuple[tuple[int, float], ...] = BAD) -> Pointwise:
    """That no such number reaches the sums."""
    return Pointwise(partial(taken, policies, bad), f"{len(bad)} users each", "runs that go on")


AUDITS = (
    *(
        Audit(theorem.id, f"points.noise_{slug}", f"{words}: the noise of all numbers, in standard errors", has_moments(noises))
        for theorem, slug, words, noises in (
            (privacy.PRIVACY, "of_rows", "LocalRow and RowMessage", ROWS),
            (baselines.LOCAL_SIGMA, "of_contributions", "LocalGram and GramContributions", CONTRIBUTIONS),
            (baselines.VECTOR_TRIALS, "of_counts", "VectorSum and ShuffledSum", COUNTS),
            (baselines.JOINT_SCRIPT_NODES, "of_nodes", "NoisyGramUCB(jdp)", NODES),
        )
    ),
    Audit(privacy.PRIVACY.id, "points.messages_apart", "messages of two users with one noise", differ_alone(MESSAGES)),
    Audit(baselines.LOCAL_SIGMA.id, "points.messages_apart", "contributions of two users with one noise", differ_alone(GRAMS)),
    Audit(privacy.PRIVACY.id, "points.refused", "numbers that are not finite, sent to Algorithm 1", refuses((ROW,))),
    Audit(baselines.LOCAL_SIGMA.id, "points.refused", "numbers that are not finite, sent to the baselines", refuses((LOCAL, replace(VECTOR, column=Column.PAPER)))),
)
