"""ldp_linucb_2024: what users add to the noise of their messages, and which numbers the server refuses.

DIFFERENCES   two runs of one key, one of them on zeros: the messages differ by what the user holds, held to the domain, and nothing else
SHIPPED       the mechanisms that the privacy audits measure release what the shipped randomiser sends with the same random numbers
REFUSED       features that are not finite, and a response that is not a number, never reach the sums; an infinite response counts as an end
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.mechanisms.gram.local import GramContributions, Scale
from banditproof.algorithms.mechanisms.local_row import Calibration, LocalRow, RowMessage
from banditproof.algorithms.mechanisms.vector_sum import Encoding, Logarithm, ShuffledSum
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, NoisyGramUCB
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.ldp_linucb_2024.cases.noise_sent import AMPLIFIED, LOCAL, ROW, VECTOR, Policy
from banditproof.audits.papers.ldp_linucb_2024.shuffled_ratio import numbers_of
from banditproof.audits.running.audit import Audit
from banditproof.interaction import ClientRandomiser, Floats, Pipeline, Table, Wire, Words
from banditproof.randomness import generator, key_from, key_of
from banditproof.simulation import play
from banditproof.theory.papers.ldp_linucb_2024 import baselines, privacy

LENGTHS = (0.0, 0.4, 0.999, 1.0, 1.001, 1.5, 7.0, 1e5)  # of features, over the radius of the domain
RESPONSES = (0.7, -1.0, 1.0, 1.001, -1.001, 30.0, -1e6, math.inf, -math.inf)


def users_of(features: int, radius: float) -> Floats:
    """Users (x, y), each length with each response; in directions of their own."""
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
        try:
            found, expected = differences(*each)
        except ValueError:  # the server refuses what users send
            found, expected = np.full(1, 1e9), np.zeros(1)
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
    *(Client(replace(LOCAL, column=Column.PAPER, feature_norm=length), 3, length) for length in (0.5, 1.0, 1.5)),
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


Mechanism = RowMessage | GramContributions | ShuffledSum


def sent_by(client: ClientRandomiser, key: Words, users: Floats) -> Floats:
    """Messages of users with the raw messages `users` (n, w), by the kernel that pipelines run; shape (n, m, v)."""
    reports = np.zeros((len(users), *client.messages(users.shape[1])))
    for round, (message, report) in enumerate(zip(users, reports, strict=True)):
        client.kernel(client.setup(), key, round, np.ascontiguousarray(message), report)
    return reports


def unlike_shipped(mechanisms: tuple[Mechanism, ...], factor: float) -> Iterator[At]:
    """The largest distance of a release from the messages; `factor` times the users are sent."""
    for mechanism in mechanisms:
        rng = generator(key_of(0, "ldp_linucb_2024", "as shipped"))
        size = len(mechanism.point) if isinstance(mechanism, RowMessage) else mechanism.features
        users = rng.uniform(-1.5, 1.5, (1 if isinstance(mechanism, RowMessage) else mechanism.neighbours().lengths[0], size + 1))
        key = np.array([*key_from(np.random.default_rng(5)), 0], dtype=np.uint64)
        if isinstance(mechanism, RowMessage):
            client: ClientRandomiser = LocalRow(mechanism.epsilon, mechanism.delta, mechanism.calibration, mechanism.clips)
            raw = np.concatenate([factor * users[0], mechanism.point, [mechanism.injection, mechanism.gradient_bound]])
            sent = sent_by(client, key, np.tile(raw, (9, 1)))[:, 0]
            found = mechanism.release(users[0], 9, np.random.default_rng(5))
        elif isinstance(mechanism, GramContributions):
            sent = sent_by(mechanism.randomiser(), key, factor * users)[:, 0]
            found = mechanism.release(users, 1, np.random.default_rng(5)).reshape(sent.shape)
            sent, found = (each[np.argsort(each[:, 0])] for each in (sent, found))
        else:
            sent = np.sort(sent_by(mechanism.randomiser(), key, factor * users)[..., 1], axis=0)
            found = mechanism.release(users, 1, np.random.default_rng(5)).reshape(sent.shape)
        yield At({"mechanism": type(mechanism).__name__, "d": size}, Fraction(float(np.abs(sent - found).max())), NEARLY)


def as_shipped(mechanisms: tuple[Mechanism, ...], factor: float = 1.0) -> Pointwise:
    """That releases are what is sent."""
    return Pointwise(partial(unlike_shipped, mechanisms, factor), f"{len(mechanisms)} mechanisms, users outside the domain too", "distance")


SENT_ROWS: tuple[Mechanism, ...] = (
    *(RowMessage(2.0, 0.1, (0.3,) * d, 0.4, 3.0, each) for d in (1, 3) for each in (Calibration.SPLIT, Calibration.EXACT)),
    RowMessage(0.9, 0.1, (1.5, -0.5), 0.0, 1e9, Calibration.CLASSIC, clips=False),
)
SENT_GRAMS: tuple[Mechanism, ...] = (
    *(GramContributions(2.0, 0.1, scale, users, 2, length) for scale in Scale for users, length in ((1, 0.6), (3, 1.5))),
    GramContributions(2.0, 0.1, users=2, features=1, clips=False),
)
SENT_COUNTS: tuple[Mechanism, ...] = tuple(
    ShuffledSum(2.0, 0.1, users, d, length, factor, Encoding.COUNTS, logarithm)
    for users, d, length, factor, logarithm in ((3, 1, 0.6, 2.0, Logarithm.SCRIPT), (4, 3, 1.5, 9.0, Logarithm.PAPER))
)

AUDITS = (
    Audit(privacy.PRIVACY.id, "points.messages_apart", "messages of two users with one noise", differ_alone(MESSAGES)),
    Audit(baselines.LOCAL_SIGMA.id, "points.messages_apart", "contributions of two users with one noise", differ_alone(GRAMS)),
    Audit(privacy.PRIVACY.id, "points.refused", "numbers that are not finite, sent to Algorithm 1", refuses((ROW,))),
    Audit(
        baselines.LOCAL_SIGMA.id,
        "points.refused",
        "numbers that are not finite, sent to the baselines",
        refuses((LOCAL, replace(VECTOR, column=Column.PAPER))),
    ),
    *(
        Audit(theorem.id, "points.release_as_shipped", f"{words}: releases beside messages of the kernel", as_shipped(mechanisms))
        for theorem, words, mechanisms in (
            (privacy.PRIVACY, "RowMessage", SENT_ROWS),
            (baselines.LOCAL_SIGMA, "GramContributions", SENT_GRAMS),
            (baselines.VECTOR_TRIALS, "ShuffledSum", SENT_COUNTS),
        )
    ),
)
