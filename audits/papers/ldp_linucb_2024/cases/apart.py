"""ldp_linucb_2024: what users and rounds must not share, and numbers of the vector sum that are held to the domain.

Written after a third review had planted one-line mistakes that the other audits let pass: users whose blocks of noise overlap, so that a
difference of two messages has none; entries of a matrix that are beyond the bound of the encoding; one reward of an arm for all rounds.

UNSHARED   in a run on zeros, where only noise is sent, no two numbers of any users have the same noise, up to its sign and scale
NEXT       a user's contribution beside that of the next user, with every difference of a number of one and a number of the other
ENTRIES    numbers of the vector sum for domains of several radii L, on the grid of the encoding: entries of x x' reach L^2
REWARDS    rewards of one arm in two rounds: of mean m, they agree with probability m^2 + (1 - m)^2
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import sqrt

import numpy as np

from banditproof.algorithms.environments.unit_features import UnitFeatures
from banditproof.algorithms.mechanisms.vector_sum import Encoding, VectorSum
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB
from banditproof.audits.methods.coverage import Bools, Coverage
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.methods.stated import Derived
from banditproof.audits.papers.ldp_linucb_2024.cases.sent import BATCH, DIFFERING, ROUNDING, USERS, TwoMessages
from banditproof.audits.papers.ldp_linucb_2024.shuffled_ratio import numbers_of
from banditproof.audits.running.audit import Audit
from banditproof.guarantees import Replacement, require
from banditproof.interaction import ClientRandomiser, Environment, Pipeline, Table, Wire
from banditproof.randomness import key_from, key_of
from banditproof.simulation import play, play_many
from banditproof.theory.language import Sense
from banditproof.theory.papers.ldp_linucb_2024 import baselines, loss

# --- noise of several users ---------------------------------------------------------------------------------------------------------------

FEATURES, SENDERS = 3, 12


def shared(policy: NoisyGramUCB, client: ClientRandomiser) -> Iterator[At]:
    """Of the sizes of all noise that is sent, in order: how many have next to no distance from the one before."""
    zeros = Table(np.zeros((SENDERS, 2)), contexts=np.zeros((SENDERS, 2, FEATURES)))
    key = key_of(0, "ldp_linucb_2024", "unshared")
    sent = play(Pipeline(policy, zeros, client, shuffler=policy.shuffler()), horizon=SENDERS, key=key, record=(Wire.REPORT,))
    lower, other = np.tril_indices(FEATURES)
    halved = (lower != other) & (policy.column is Column.SCRIPT)
    scales = np.concatenate([np.where(halved, sqrt(0.5), 1.0), np.ones(FEATURES)])
    sizes = np.sort(np.abs(np.asarray(sent.wire(Wire.REPORT)) / scales).ravel())
    equal = int((np.diff(sizes) <= 1e-12 * sizes[1:]).sum())
    yield At({"method": policy.method.value, "d": FEATURES, "users": SENDERS}, Fraction(equal), Fraction(0))


def shares_none(policy: NoisyGramUCB, client: ClientRandomiser) -> Pointwise:
    """That each number has noise of its own."""
    return Pointwise(partial(shared, policy, client), f"{SENDERS} users without features or rewards", "numbers with the noise of another")


LOCAL = NoisyGramUCB(Method.LDP, Column.PAPER)
UNSHARED = tuple(
    Audit(
        theorem.id,
        "points.noise_of_all_users",
        f"NoisyGramUCB({policy.method.value}, {policy.column.value}): the noise of {SENDERS} users, d = {FEATURES}",
        shares_none(policy, policy.randomiser(FEATURES)),
    )
    for theorem, policy in (
        (baselines.LOCAL_SIGMA, LOCAL),
        (baselines.LOCAL_SCRIPT_SIGMA, NoisyGramUCB(Method.LDP, Column.SCRIPT)),
        (baselines.AMPLIFIED_SIGMA, NoisyGramUCB(Method.SDP_AMP, Column.SCRIPT, batch=BATCH)),
    )
)


PAIR = USERS[0], Replacement(DIFFERING, (-1.0, -1.0), ((0.6, 0.8),) * 2)  # the same features: the responses differ
CALIBRATED = NoisyGramUCB(Method.LDP, calibrated=True)


def next_contribution_too(client: ClientRandomiser) -> PrivacyLoss:
    """The privacy of a user whose contribution is seen beside the next user's."""
    return PrivacyLoss(TwoMessages(CALIBRATED, client, 5, PAIR), 40_000, must_detect=2.0)


NEXT = Audit(
    baselines.LOCAL_SIGMA.id,
    "privacy.run_two_messages",
    "NoisyGramUCB(ldp, epsilon=1, delta=0.1, calibrated), the third user's contribution beside the fourth's",
    next_contribution_too(CALIBRATED.randomiser(2)),
)

# --- entries of the vector sum ------------------------------------------------------------------------------------------------------------

# Over L: along an axis y x is +-L and x_1^2 is L^2; on the diagonal x_2 x_1 is -L^2/2. All are multiples of L / 4 if held to [-L, L].
DIRECTIONS = ((1.0, 0.0, 1.0), (0.0, 3.0, -7.0), (sqrt(0.5), -sqrt(0.5), 0.0), (0.0, -1.0, 0.5))
RADII = (0.5, 1.0, 2.0, 4.0)


def vector_sum(encoding: Encoding, radius: float) -> NoisyGramUCB:
    """The vector sum of the paper's column, without random bits."""
    return NoisyGramUCB(Method.SDP_VEC, Column.PAPER, batch=BATCH, feature_norm=radius, encoding=encoding, trials_factor=1e-9)


def entry_errors(encoding: Encoding, clips: bool) -> Iterator[At]:
    """For each L the largest distance of a number that is sent from that of the nearest user of the domain, held to [-L, L]."""
    for radius in RADII:
        policy = vector_sum(encoding, radius)
        client = policy.randomiser(2)
        if not isinstance(client, VectorSum):
            raise TypeError(f"{policy}: its randomiser is a {type(client).__name__}: must be a VectorSum")
        users = np.array(DIRECTIONS) * np.array([radius, radius, 1.0])
        table = Table(np.tile(users[:, 2:], (1, 2)), contexts=np.tile(users[:, None, :2], (1, 2, 1)))
        pipeline = Pipeline(policy, table, client._replace(clips=clips), shuffler=policy.shuffler())
        played = play(pipeline, horizon=BATCH, key=key_of(0, "ldp_linucb_2024", "entries"), record=(Wire.REPORT,))
        sent, worst = np.asarray(played.wire(Wire.REPORT)).reshape(BATCH, 5, -1, 2)[..., 1].sum(axis=2), 0.0
        for row, ones in zip(users, sent, strict=True):
            x = row[:2] / max(1.0, float(np.linalg.norm(row[:2])) / radius)
            expected = np.clip(numbers_of((*x.tolist(), min(max(float(row[2]), -1.0), 1.0))), -radius, radius)
            worst = max(worst, float(np.abs(radius * (ones / 4.0 - 1.0) - expected).max()))
        yield At({"encoding": encoding.value, "L": radius}, Fraction(worst), ROUNDING)


def holds_entries(encoding: Encoding, clips: bool) -> Pointwise:
    """That numbers are held to [-L, L] and otherwise sent as they are."""
    return Pointwise(
        partial(entry_errors, encoding, clips), f"{len(RADII)} radii L, {BATCH} users", "distance from the number held to [-L, L]"
    )


ENTRIES = tuple(
    Audit(
        baselines.VECTOR_RESOLUTION.id,
        f"points.entries_held_{encoding.value}",
        f"NoisyGramUCB(sdp_vec, paper, {encoding.value}) without random bits: each user's numbers, for several L",
        holds_entries(encoding, True),
    )
    for encoding in Encoding
)

# --- rewards of one arm -------------------------------------------------------------------------------------------------------------------

MEANS = (0.8, 0.9, 0.5)  # of the basis arms: (1 + direction) / 2, and 1/2
BASIS = UnitFeatures(3, 3, basis=True, direction=(0.6, 0.8))
SPARE = 4  # pairs of rounds that are played for one with a single arm, which is one in three


def rewards_agree(environment: Environment, runs: int, rng: np.random.Generator) -> Bools:
    """Whether the first two rewards are equal, in runs that play one arm in both rounds, by chance."""
    uniform, wires = NoisyGramUCB(uniform=True), (Wire.ARMS, Wire.REWARDS)
    pipeline = Pipeline(uniform, environment, uniform.randomiser())
    played = play_many(pipeline, horizon=2, key=key_from(rng), runs=SPARE * runs, record=wires)
    arms, rewards = (np.asarray(played.wire(wire)) for wire in wires)
    kept = rewards[arms[:, 0] == arms[:, 1]]
    require(len(kept) >= runs, f"pairs = {len(kept)}: must be >= {runs} (those with one arm)")
    return np.asarray(kept[:runs, 0] == kept[:runs, 1])


def agreeing() -> float:
    """The mean over arms of m^2 + (1 - m)^2."""
    return sum(mean**2 + (1.0 - mean) ** 2 for mean in MEANS) / len(MEANS)


def drawn_anew(environment: Environment) -> Coverage:
    """That an arm's rewards in two rounds are independent."""
    return Coverage(
        partial(rewards_agree, environment),
        Derived(agreeing, "two independent rewards of one arm", Sense.EQUALS),
        "equal rewards of one arm in two rounds",
        1.3,
        runs=4_000,
        cell=4_000,
        parameters={"d": BASIS.dimension, "K": BASIS.arms, "rounds": 2},
    )


REWARDS = Audit(
    loss.EXPERIMENT_MOMENT.id,
    "coverage.rewards_apart",
    "UnitFeatures: the rewards of one arm in the first two rounds",
    drawn_anew(BASIS),
)
