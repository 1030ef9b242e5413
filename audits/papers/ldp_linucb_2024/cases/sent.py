"""ldp_linucb_2024: what the shipped pipelines send beyond one message at a time, and in which order the server gets it.

Written after a review had planted one-line mistakes that the other audits let pass: noise shared by two users, a contribution of which
only one factor is clipped, a shuffler that is left out or orders every batch alike, noise that is drawn for too few nodes.

TWO MESSAGES   a user's noisy pair beside that of the next user, with every difference of a number of one and a number of the other
CALIBRATED     the whole message with the noise of the calibrations that the other audits do not play
OUTSIDE        a contribution to the sums of data outside the domain
ORDER          the place of a batch's first user, and whether it is the one of the batch before; users are recognised by what they send
NOISE          the standard deviation of the noise in the sums of a run on zeros, in each kind of number
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms.gram.local import GramContributions
from banditproof.algorithms.mechanisms.local_row import Calibration, RowMessage, noise_scale
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import PrivateOnlineLinUCB
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB
from banditproof.audits.methods.coverage import Bools, Coverage
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.methods.stated import Derived
from banditproof.audits.papers.ldp_linucb_2024.cases.messages import OPPOSITE
from banditproof.audits.papers.ldp_linucb_2024.message_ratio import MessageRatio, Row, epsilon_at, held
from banditproof.audits.papers.ldp_linucb_2024.shuffled_ratio import ContributionRatio, numbers_of
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, Replacement, View
from banditproof.interaction import ClientRandomiser, Environment, Floats, Pipeline, Shuffler, Table, Wire
from banditproof.mechanism import Neighbours
from banditproof.randomness import generator, key_from, key_of
from banditproof.simulation import play_many
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.ldp_linucb_2024 import baselines, privacy

# --- two messages -------------------------------------------------------------------------------------------------------------------------

ROUNDS, DIFFERING = 4, 2
USERS = (Replacement(DIFFERING, (1.0, 1.0), ((0.6, 0.8),) * 2), Replacement(DIFFERING, (-1.0, -1.0), ((-0.6, -0.8),) * 2))


@dataclass(frozen=True)
class TwoMessages:
    """The first numbers of the differing user's message and of the next one's, of whom all is known; two features."""

    policy: PrivateOnlineLinUCB | NoisyGramUCB
    randomiser: ClientRandomiser
    numbers: int
    pair: tuple[Replacement, Replacement]
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> ApproximateDP:
        return ApproximateDP(self.policy.epsilon, self.policy.delta, NeighbouringRelation.REPLACE_ROUND, View.LOCAL)

    def neighbours(self) -> Neighbours:
        return Neighbours(NeighbouringRelation.REPLACE_ROUND, lengths=(ROUNDS, ROUNDS), row=(2,), worst=(self.pair,))

    def release(self, data: Replacement, runs: int, rng: np.random.Generator) -> Floats:
        """Plays whole runs, in which both arms of a round are the same. Shape (runs, n (2 + n))."""
        still = Table(np.full((ROUNDS, 2), 0.5), contexts=np.tile([1.0, 0.0], (ROUNDS, 2, 1)))
        pipeline = Pipeline(self.policy, still, self.randomiser).with_environment(still, data)
        sent = np.asarray(play_many(pipeline, horizon=ROUNDS, key=key_from(rng), runs=runs, record=(Wire.REPORT,)).wire(Wire.REPORT))
        first, second = sent[:, DIFFERING, : self.numbers], sent[:, DIFFERING + 1, : self.numbers]
        return np.hstack([first, second, (first[:, :, None] - second[:, None, :]).reshape(runs, -1)])


ALGORITHM = PrivateOnlineLinUCB()


def next_message_too(randomiser: ClientRandomiser) -> PrivacyLoss:
    """The privacy of a user whose noisy pair is seen beside the next user's."""
    return PrivacyLoss(TwoMessages(ALGORITHM, randomiser, 3, USERS), 30_000, must_detect=2.0)


TWO_MESSAGES = Audit(
    privacy.PRIVACY.id,
    "privacy.run_two_messages",
    "PrivateOnlineLinUCB(epsilon=1, delta=0.1, exact), the third user's noisy pair beside the fourth's",
    next_message_too(ALGORITHM.randomiser()),
)


Release = Callable[[RowMessage, Row, int, np.random.Generator], Floats]


def whole(sent: RowMessage, data: Row, runs: int, rng: np.random.Generator) -> Floats:
    """Whole messages as they are sent."""
    return sent.release(data, runs, rng)


def gradients(release: Release) -> Iterator[At]:
    """The largest distance of a gradient that is sent from that of the noisy pair beside it, relative to its length."""
    rng = generator(key_of(0, "ldp_linucb_2024", "gradients"))
    for point, injection, bound in (((0.5, 0.5), 0.0, 1e9), ((0.5, -1.5), 0.5, 1e9), ((2.0, 0.0), 0.0, 5.0)):
        sent = RowMessage(1.0, 0.1, point, injection, bound)
        variance, worst = noise_scale(sent.calibration, 1.0, 0.1) ** 2, 0.0
        for message in release(sent, (3.0, 4.0, -5.0), 200, rng):
            inner = float(message[:2] @ np.array(point)) - message[2]
            again = 2.0 * message[:2] * inner - 2.0 * variance * np.array(point)
            again *= min(1.0, bound / float(np.linalg.norm(again)))
            worst = max(worst, float(np.linalg.norm(message[3:] - again) / np.linalg.norm(again)))
        yield At({"theta": point, "Delta": injection, "G": bound}, Fraction(worst), ROUNDING)


ROUNDING = Fraction(1, 10**9)


def computed_again(release: Release) -> Pointwise:
    """That every gradient is a function of the noisy pair beside it."""
    return Pointwise(partial(gradients, release), "600 messages of a user outside the domain, three points", "relative distance")


GRADIENTS = Audit(
    privacy.POST_PROCESSED.id,
    "points.gradient_of_the_noisy_pair",
    "the gradient that is sent, computed again from the noisy pair beside it",
    computed_again(whole),
)

# --- calibrations -------------------------------------------------------------------------------------------------------------------------


def calibrated(calibration: Calibration, epsilon: float, claimed: float) -> PrivacyLoss:
    """The privacy of the whole message for `claimed`, with the noise for epsilon, at delta = 0.1."""
    ratio = MessageRatio(RowMessage(epsilon, 0.1, (0.5,), calibration=calibration), OPPOSITE)
    claim = ApproximateDP(claimed, 0.1, NeighbouringRelation.ANY_PAIR, View.LOCAL)
    return PrivacyLoss(ratio, 400_000, claim, must_detect=2.0 * claimed, exact=epsilon_at(ratio.level(), 0.1), ratio=True)


CALIBRATED = tuple(
    Audit(
        privacy.PRIVACY.id,
        f"privacy.whole_{calibration.value}_{swept(eps=epsilon, delta=0.1)}",
        f"whole of RowMessage(epsilon={epsilon:g}, delta=0.1, {calibration.value})",
        calibrated(calibration, epsilon, epsilon),
    )
    for calibration, epsilon in ((Calibration.SPLIT, 1.0), (Calibration.CLASSIC, 0.9))
)

# --- outside the domain -------------------------------------------------------------------------------------------------------------------

FAR: tuple[Row, Row] = ((30.0, 40.0, 5.0), (4e9, -3e9, -1e9))


@dataclass(frozen=True)
class OutsideRatio:
    """The log likelihood ratio of a contribution for two users outside the domain, as if they were held to it."""

    mechanism: GramContributions
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> ApproximateDP:
        return self.mechanism.guarantee()

    def neighbours(self) -> Neighbours:
        return replace(self.mechanism.neighbours(), worst=(((FAR[0],), (FAR[1],)),))

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Draws as the mechanism does. Shape (runs, 1)."""
        one, other = (numbers_of(tuple(held(row).tolist())) for row in FAR)
        weights = (other - one) / ContributionRatio(self.mechanism).variances()
        return ((self.mechanism.release(data, runs, rng) - (one + other) / 2.0) @ weights)[:, None]


def outside(mechanism: GramContributions) -> PrivacyLoss:
    """The privacy of one user's contribution on data outside the domain."""
    return PrivacyLoss(OutsideRatio(mechanism), 400_000, must_detect=2.0, ratio=True)


OUTSIDE = Audit(
    baselines.LOCAL_SIGMA.id,
    f"privacy.outside_the_domain_{swept(eps=1.0)}",
    "GramContributions(epsilon=1, delta=0.1, exact), a user outside the domain",
    outside(GramContributions(1.0, 0.1)),
)

# --- the order of a batch -----------------------------------------------------------------------------------------------------------------

BATCH, NOISELESS = 4, 1e9  # users; an epsilon at which the noise hides nobody
_REWARD_OF_FIRST = 3  # the number y x_1 of a contribution in two dimensions


def places(policy: NoisyGramUCB, shuffler: Shuffler, runs: int, rng: np.random.Generator) -> Floats:
    """Where the first user of each of two batches stands, from 0, among the messages of one kind. Shape (runs, 2)."""
    rewards = np.where(np.arange(2 * BATCH)[:, None] % BATCH == 0, 1.0, -1.0) * np.ones(2)
    table = Table(rewards, contexts=np.tile([1.0, 0.0], (2 * BATCH, 2, 1)))
    pipeline = replace(policy.pipeline(table), shuffler=shuffler)
    played = play_many(pipeline, horizon=2 * BATCH, key=key_from(rng), runs=runs, record=(Wire.BATCH,))
    messages = np.asarray(played.wire(Wire.BATCH)).reshape(runs, 2, -1, np.asarray(played.wire(Wire.BATCH)).shape[-1])[..., 1:]
    if policy.method is Method.SDP_VEC:
        kept = messages[..., 0] == float(_REWARD_OF_FIRST)
        if not np.all(kept.sum(axis=-1) == BATCH):  # messages are lost or sent twice: the first user stands nowhere
            return np.zeros((runs, 2))
        seen = messages[..., 1][kept].reshape(runs, 2, BATCH)
    else:
        seen = messages[..., _REWARD_OF_FIRST]
    return np.asarray(np.argmax(seen, axis=2))


def first_stays(policy: NoisyGramUCB, shuffler: Shuffler, runs: int, rng: np.random.Generator) -> Bools:
    """Whether the first user's message is the first one of the first batch."""
    return np.asarray(places(policy, shuffler, runs, rng)[:, 0] == 0)


def same_place(policy: NoisyGramUCB, shuffler: Shuffler, runs: int, rng: np.random.Generator) -> Bools:
    """Whether the first users of two batches have one place."""
    found = places(policy, shuffler, runs, rng)
    return np.asarray(found[:, 0] == found[:, 1])


def one_of_a_batch() -> float:
    """The probability of each place, where every order is as probable as the others."""
    return 1.0 / BATCH


def ordered(event: Callable[..., Bools], policy: NoisyGramUCB, shuffler: Shuffler | None = None) -> Coverage:
    """That the event has the probability of one place among those of a batch."""
    return Coverage(
        partial(event, policy, policy.shuffler() if shuffler is None else shuffler),
        Derived(one_of_a_batch, "a uniform order of the batch", Sense.EQUALS),
        "the place that is asked about",
        1.3,
        runs=4_000,
        cell=4_000,
        parameters={"B": BATCH, "batches": 2},
    )


AMPLIFIED = NoisyGramUCB(Method.SDP_AMP, Column.SCRIPT, NOISELESS, batch=BATCH)
VECTOR = NoisyGramUCB(Method.SDP_VEC, Column.PAPER, NOISELESS, batch=BATCH, trials_factor=1.0)
ORDER = tuple(
    Audit(theorem.id, f"coverage.{slug}_{policy.method.value}", f"NoisyGramUCB({policy.method.value}): {words}", ordered(event, policy))
    for theorem, policy in ((baselines.AMPLIFIED_SIGMA, AMPLIFIED), (baselines.VECTOR_TRIALS, VECTOR))
    for slug, words, event in (
        ("first_stays", "the first user's message is the first of the batch", first_stays),
        ("same_place", "the first users of two batches stand at one place", same_place),
    )
)

# --- the noise of the sums ----------------------------------------------------------------------------------------------------------------

USERS_OF_RUN, BEYOND = 8, 1.6448536269514722  # standard deviations that a normal variable exceeds with probability 1/10
KINDS: dict[str, tuple[Floats, float]] = {  # weights of (G_11, G_21, G_22, u_1, u_2), which let the shift cancel; variance / s^2
    "diagonal": (np.array([1.0, 0.0, -1.0, 0.0, 0.0]), 2.0),
    "beside": (np.array([0.0, 1.0, 0.0, 0.0, 0.0]), 1.0),
    "response": (np.array([0.0, 0.0, 0.0, 1.0, 0.0]), 1.0),
}


def beyond(policy: NoisyGramUCB, kind: str, variance: Callable[[], float], runs: int, rng: np.random.Generator) -> Bools:
    """Whether the noise of the released sums of users without features is beyond 1.64 of its stated standard deviations."""
    zeros: Environment = Table(np.zeros((USERS_OF_RUN, 2)), contexts=np.zeros((USERS_OF_RUN, 2, 2)))
    played = play_many(policy.pipeline(zeros), horizon=USERS_OF_RUN, key=key_from(rng), runs=runs, record=(Wire.STATISTIC,))
    weights, factor = KINDS[kind]
    halved = 0.5 if kind == "beside" and policy.column is Column.SCRIPT else 1.0
    noise = np.asarray(played.wire(Wire.STATISTIC))[:, -1] @ weights
    return np.asarray(np.abs(noise) > BEYOND * math.sqrt(variance() * factor * halved))


def of_users(theorem: Theorem, **values: Any) -> float:
    """The variance of the noise of all users together."""
    return USERS_OF_RUN * float(theorem.at(epsilon=1, delta="1/10", **values).bound) ** 2


def of_nodes() -> float:
    """The variance of the noise of the nodes that are drawn after so many users."""
    nodes = float(baselines.JOINT_SCRIPT_NODES.at(horizon=1 + USERS_OF_RUN).bound)
    return nodes * float(baselines.JOINT_SCRIPT_SIGMA.at(horizon=64, epsilon=1, delta="1/10").bound) ** 2


def tenth() -> float:
    """The probability that a normal variable is so far from its mean."""
    return 0.1


def noisy(policy: NoisyGramUCB, kind: str, variance: Callable[[], float]) -> Coverage:
    """That the noise has the stated variance."""
    return Coverage(
        partial(beyond, policy, kind, variance),
        Derived(tenth, "a normal variable of the stated variance", Sense.EQUALS),
        f"the noise of {kind} beyond {BEYOND:.3f} standard deviations",
        1.5,
        runs=10_000,
        cell=10_000,
        parameters={"users": USERS_OF_RUN, "kind": kind},
    )


JOINT = NoisyGramUCB(Method.JDP, Column.SCRIPT, planned_horizon=64)
PLAYED: tuple[tuple[Theorem, NoisyGramUCB, Callable[[], float]], ...] = (
    (baselines.JOINT_SCRIPT_NODES, JOINT, of_nodes),
    (baselines.LOCAL_SCRIPT_SIGMA, NoisyGramUCB(Method.LDP, Column.SCRIPT), partial(of_users, baselines.LOCAL_SCRIPT_SIGMA)),
    (baselines.LOCAL_SIGMA, NoisyGramUCB(Method.LDP, Column.PAPER), partial(of_users, baselines.LOCAL_SIGMA)),
    (
        baselines.AMPLIFIED_SIGMA,
        NoisyGramUCB(Method.SDP_AMP, Column.SCRIPT, batch=BATCH),
        partial(of_users, baselines.AMPLIFIED_SIGMA, batch_size=BATCH),
    ),
)
NOISE = tuple(
    Audit(
        theorem.id,
        f"coverage.noise_{kind}",
        f"NoisyGramUCB({policy.method.value}, {policy.column.value}), {USERS_OF_RUN} users: the noise of {kind}",
        noisy(policy, kind, variance),
    )
    for theorem, policy, variance in PLAYED
    for kind in KINDS
)
