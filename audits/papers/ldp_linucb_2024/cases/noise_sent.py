"""ldp_linucb_2024: the noise of all that is sent or released, in every form and option.

Users hold zeros. Compared are means, variances, fourth moments (not of counts), and products of all pairs of numbers, of one user and of
users at any distance, in standard errors; variances are those of the sheet's formulas. Normal or binomial numbers without correlations
stay below 6; a factor of 1.2 in one variance does not, and a tenth of a variance that two numbers have in common does not. The draws are
those of one key, so that the verdict is the same in every run.
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
from banditproof.randomness import key_of
from banditproof.simulation import play, play_many
from banditproof.theory.papers.ldp_linucb_2024 import baselines, privacy

Policy = PrivateOnlineLinUCB | NoisyGramUCB
Draw = Callable[[], Floats]  # numbers (n, q), each less its stated mean, over its stated standard deviation
USERS, MOST = 4_000, Fraction(6)


def standard_errors(numbers: Floats) -> float:
    """The largest of all moments; equal sizes of two numbers that are not whole, which chance does not give, count as infinitely many."""
    n, q = numbers.shape
    found = [np.abs(numbers.sum(axis=0)) / math.sqrt(n), np.abs((numbers**2 - 1.0).sum(axis=0)) / math.sqrt(2.0 * n)]
    waves = np.fft.rfft(numbers, axis=0)
    products = np.fft.irfft(waves.conj()[:, :, None] * waves[:, None, :], n, axis=0) / math.sqrt(n)  # of users so far apart, in a circle
    products[0] *= 1.0 - np.eye(q)
    found.append(np.abs(products).ravel())
    sizes = np.sort(np.abs(numbers).ravel())
    if len(np.unique(np.round(sizes, 9))) > len(sizes) / 2:  # not counts
        found.append(np.abs((numbers**4 - 3.0).sum(axis=0)) / math.sqrt(96.0 * n))
        if bool((np.diff(sizes) <= 1e-14 * sizes[1:]).any()):
            return math.inf
    return float(np.concatenate(found).max())


class Noise(NamedTuple):
    """What draws the noise, by its name."""

    name: str
    draw: Draw


def sent_on_zeros(policy: Policy, features: int) -> Floats:
    """All messages of a run of users without features or rewards, (T, m v)."""
    table = Table(np.zeros((USERS, 2)), contexts=np.zeros((USERS, 2, features)) if features else None)
    randomiser = policy.randomiser(features) if isinstance(policy, NoisyGramUCB) else policy.randomiser()
    pipeline = Pipeline(policy, table, randomiser)
    return np.asarray(play(pipeline, horizon=USERS, key=key_of(0, "ldp_linucb_2024", "noise"), record=(Wire.REPORT,)).wire(Wire.REPORT))


def of_rows(policy: PrivateOnlineLinUCB) -> Floats:
    """Of (x~, y~)."""
    sigma = server.noise_of(policy.calibration, policy.epsilon, policy.delta)
    injected = 0.0 if policy.threshold is None else policy.threshold
    deviations = np.array([math.sqrt(sigma**2 + injected)] * 3 + [sigma])
    return np.asarray(sent_on_zeros(policy, 3)[:, :4] / deviations)


def of_response(policy: PrivateOnlineLinUCB) -> Floats:
    """Of y~ alone: two responses are 2 apart."""
    epsilon, delta = policy.epsilon, policy.delta
    exact = policy.calibration in (Calibration.EXACT, Calibration.SPLIT)
    sigma = server.exact_noise(epsilon, delta, 2.0) if exact else 2.0 * math.sqrt(2.0 * math.log(1.25 / delta)) / epsilon
    return sent_on_zeros(policy, 0) / sigma


def of_rows_without_parts(policy: PrivateOnlineLinUCB) -> Floats:
    """Of raw messages of three numbers, each in [-1, 1]: two are 2 sqrt(3) apart."""
    zeros = Table(np.zeros((USERS, 2)), contexts=np.zeros((USERS, 2, 2)))
    pipeline, key = Pipeline(NoisyGramUCB(Method.LIN_UCB), zeros, policy.randomiser()), key_of(0, "ldp_linucb_2024", "noise")
    sent = np.asarray(play(pipeline, horizon=USERS, key=key, record=(Wire.REPORT,)).wire(Wire.REPORT))
    return np.asarray(sent / server.exact_noise(policy.epsilon, policy.delta, math.sqrt(12.0)))


def halved(policy: NoisyGramUCB, features: int) -> Floats:
    """The standard deviations of a contribution over s: with (Z + Z')/2 those beside the diagonal are 1 / sqrt(2)."""
    lower, other = np.tril_indices(features)
    script = policy.column is Column.SCRIPT and not policy.calibrated
    return np.concatenate([np.where((lower != other) & script, math.sqrt(0.5), 1.0), np.ones(features)])


def of_contributions(policy: NoisyGramUCB, features: int) -> Floats:
    """Of the numbers of a contribution, or of the response that is sent without features."""
    deviations = halved(policy, features) if features else np.ones(1)
    return np.asarray(sent_on_zeros(policy, features) / (sums.noise_of(policy, features) * deviations))


def of_counts(policy: NoisyGramUCB, features: int) -> Floats:
    """Of the ones of each number, which for 0 are g and binomial ones."""
    vector, numbers = sums.vector_of(policy, features), features * (features + 3) // 2 if features else 1
    ones = sent_on_zeros(policy, features).reshape(USERS, numbers, -1, 2)[..., 1].sum(axis=2)
    return np.asarray((ones - vector.resolution - vector.drawn / 4.0) / math.sqrt(3.0 * vector.drawn / 16.0))


def of_fractions(policy: NoisyGramUCB) -> Floats:
    """Of the ones of each number of users whose numbers lie between two steps of the encoding."""
    user, vector = (0.31, -0.52, 0.9), sums.vector_of(policy, 2)
    table = Table(np.full((USERS, 2), user[2]), contexts=np.tile(user[:2], (USERS, 2, 1)))
    pipeline, key = Pipeline(policy, table, policy.randomiser(2)), key_of(0, "ldp_linucb_2024", "fractions")
    sent = np.asarray(play(pipeline, horizon=USERS, key=key, record=(Wire.REPORT,)).wire(Wire.REPORT))
    steps = (numbers_of(user) / policy.feature_norm + 1.0) * vector.resolution
    rest = steps - np.floor(steps)
    ones = sent.reshape(USERS, 5, -1, 2)[..., 1].sum(axis=2)
    return np.asarray((ones - steps - vector.drawn / 4.0) / np.sqrt(rest * (1.0 - rest) + 3.0 * vector.drawn / 16.0))


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
    *(Noise(f"rows {each.value}", partial(of_rows, replace(ROW, calibration=each, epsilon=eps))) for each, eps in _CALIBRATED),
    Noise("rows injected", partial(of_rows, replace(ROW, epsilon=20.0, threshold=0.5))),
    *(Noise(f"response {each.value}", partial(of_response, replace(ROW, calibration=each, epsilon=eps))) for each, eps in _CALIBRATED),
    Noise("rows without parts", partial(of_rows_without_parts, ROW)),
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
        (Encoding.BITS, Column.SCRIPT, 2, 1.0, 1.0),
        (Encoding.BITS, Column.PAPER, 1, 2.0, 2.0),
    )
) + tuple(
    Noise(f"{encoding.value} release {factor:g}", partial(of_sum_release, ShuffledSum(2.0, 0.05, 4, 2, length, factor, encoding)))
    for encoding, factor, length in ((Encoding.COUNTS, 5.0, 1.0), (Encoding.BITS, 9.0, 0.5), (Encoding.BITS, 14.0, 2.0))
)
FRACTIONS = tuple(
    Noise(
        f"fractions {encoding.value} {column.value}",
        partial(of_fractions, replace(VECTOR, column=column, encoding=encoding, trials_factor=0.2, feature_norm=1.2)),
    )
    for encoding in Encoding
    for column in Column
)
NODES = (
    Noise("nodes", partial(of_nodes, NoisyGramUCB(Method.JDP, epsilon=2.0))),
    Noise("nodes planned", partial(of_nodes, NoisyGramUCB(Method.JDP, epsilon=2.0, delta=0.01, planned_horizon=500))),
)

AUDITS = tuple(
    Audit(theorem.id, f"points.noise_{slug}", f"{words}: the noise of all numbers, in standard errors", has_moments(noises))
    for theorem, slug, words, noises in (
        (privacy.PRIVACY, "of_rows", "LocalRow and RowMessage", ROWS),
        (baselines.LOCAL_SIGMA, "of_contributions", "LocalGram and GramContributions", CONTRIBUTIONS),
        (baselines.VECTOR_TRIALS, "of_counts", "VectorSum and ShuffledSum", (*COUNTS, *FRACTIONS)),
        (baselines.JOINT_SCRIPT_NODES, "of_nodes", "NoisyGramUCB(jdp)", NODES),
    )
)
