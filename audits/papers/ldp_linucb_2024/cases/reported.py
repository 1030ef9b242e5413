"""ldp_linucb_2024: what users are told and send, without noise where that can be, and environments whose rounds are apart.

Written after a second review had planted one-line mistakes that the other audits let pass: features a little outside the domain that are
not clipped, half the noise where there are no features, random bits that are used twice, constants of the first epoch that are sent for
ever, rounds that share their draws.

HELD       messages with next to no noise, of users near the edge of the domain and far from it
ALONE      the privacy of a response that is sent without features
TOLD       the raw message of each round of the restarts: arm, reward, prediction, and the constants of the epoch
TOGETHER   the number of ones among all random bits of three coordinates of a batch: binomial, if no bit is used twice
APART      the features of some rounds and those of others, or theta*, have sums of one sign with probability 1/2
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.mechanisms.local_row import Calibration
from banditproof.algorithms.mechanisms.vector_sum import Encoding
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime, PrivateOnlineLinUCB
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB
from banditproof.audits.methods.coverage import Bools, Coverage
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.methods.stated import Derived
from banditproof.audits.papers.ldp_linucb_2024.cases.replayed import DIMENSION, NUMBERS, REDRAWN, RESTARTED
from banditproof.audits.papers.ldp_linucb_2024.cases.sent import BATCH, BEYOND, NOISELESS
from banditproof.audits.papers.ldp_linucb_2024.cases.shipped import excess, vector
from banditproof.audits.papers.ldp_linucb_2024.shuffled_ratio import numbers_of
from banditproof.audits.running.audit import Audit
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, Replacement, View
from banditproof.interaction import ClientRandomiser, Floats, NoRandomiser, Pipeline, Policy, Table, Wire
from banditproof.mechanism import PolicyMechanism
from banditproof.randomness import key_from, key_of
from banditproof.simulation import play, play_many
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.ldp_linucb_2024 import baselines, combiner, loss, privacy

# --- the domain ---------------------------------------------------------------------------------------------------------------------------

LENGTHS = (0.3, 0.999, 1.001, 1.2, math.sqrt(2.0), 1.5, 1.999, 3.0, 1e6)  # times the radius of the domain
RESPONSES = (0.3, -0.3, 1.01, -1.01, 7.0, -7.0)
NEARLY = Fraction(1, 10**6)  # above the noise at NOISELESS


def held_errors(policy: Policy, client: ClientRandomiser, radius: float, whole: bool) -> Iterator[At]:
    """The largest distance of a message from the numbers of the nearest user of the domain; `whole`: from (x, y), else from (x x', y x)."""
    for length in LENGTHS:
        x = radius * length * np.array([0.6, 0.0, -0.8])
        contexts = np.tile(x, (len(RESPONSES), 2, 1))
        pipeline = Pipeline(policy, Table(np.tile(np.array(RESPONSES)[:, None], (1, 2)), contexts=contexts), client)
        key = key_of(0, "ldp_linucb_2024", "held")
        sent = np.asarray(play(pipeline, horizon=len(RESPONSES), key=key, record=(Wire.REPORT,)).wire(Wire.REPORT))
        inside, worst = x / max(1.0, length), 0.0
        for response, message in zip(RESPONSES, sent, strict=True):
            user = (*inside.tolist(), min(max(response, -1.0), 1.0))
            expected = np.array(user) if whole else numbers_of(user)
            worst = max(worst, float(np.abs(message[: len(expected)] - expected).max()))
        yield At({"length over the radius": length, "radius": radius}, Fraction(worst), NEARLY)


def holds(policy: Policy, client: ClientRandomiser, radius: float, whole: bool) -> Pointwise:
    """That users are held to the domain, and otherwise sent as they are."""
    points = partial(held_errors, policy, client, radius, whole)
    return Pointwise(points, f"{len(LENGTHS)} lengths, {len(RESPONSES)} responses", "distance from the user of the domain")


EXACT_ROW = PrivateOnlineLinUCB(NOISELESS, calibration=Calibration.PUBLISHED, threshold=1e-30)


def local(radius: float) -> NoisyGramUCB:
    """The local method of the paper's column, with next to no noise."""
    return NoisyGramUCB(Method.LDP, Column.PAPER, NOISELESS, feature_norm=radius)


HELD = (
    Audit(
        privacy.PRIVACY.id,
        "points.held_to_the_domain",
        "the noisy pair of PrivateOnlineLinUCB with next to no noise, in the domain and outside it",
        holds(EXACT_ROW, EXACT_ROW.randomiser(), 1.0, True),
    ),
    *(
        Audit(
            baselines.LOCAL_SIGMA.id,
            f"points.held_to_radius_{slug}",
            f"the contribution of NoisyGramUCB(ldp, paper, feature_norm={radius:g}) with next to no noise, in the domain and outside it",
            holds(local(radius), local(radius).randomiser(3), radius, False),
        )
        for slug, radius in (("half", 0.5), ("one_and_a_half", 1.5))
    ),
)

# --- without features ---------------------------------------------------------------------------------------------------------------------

_ROUNDS, _LAST = 4, 3


def alone(policy: Policy, client: ClientRandomiser) -> PrivacyLoss:
    """The privacy of the last of four users, who have no features, at (1, 0.1)."""
    pipeline = Pipeline(policy, Table(np.tile([0.5, -0.25], (_ROUNDS, 1))), client)
    pair = Replacement(_LAST, (1.0, 1.0)), Replacement(_LAST, (-1.0, -1.0))
    claim = ApproximateDP(1.0, 0.1, NeighbouringRelation.REPLACE_ROUND, View.LOCAL)
    return PrivacyLoss(PolicyMechanism(pipeline, claim, _LAST, _ROUNDS, policy.theorems, (pair,)), 30_000, must_detect=2.0)


ALGORITHM = PrivateOnlineLinUCB()
CALIBRATED = NoisyGramUCB(Method.LDP, calibrated=True)
ALONE = (
    Audit(
        privacy.PRIVACY.id,
        "privacy.run_without_features",
        "PrivateOnlineLinUCB(epsilon=1, delta=0.1, exact), the fourth user's response, without features",
        alone(ALGORITHM, ALGORITHM.randomiser()),
    ),
    Audit(
        baselines.LOCAL_SIGMA.id,
        "privacy.run_without_features",
        "NoisyGramUCB(ldp, epsilon=1, delta=0.1, calibrated), the fourth user's response, without features",
        alone(CALIBRATED, CALIBRATED.randomiser(0)),
    ),
)

# --- what users are told ------------------------------------------------------------------------------------------------------------------


def told(policy: Anytime) -> Iterator[At]:
    """Of each epoch: the largest error of (x, y, theta, Delta, G) in the raw messages, Delta and G relative to what they should be."""
    horizon, wires = 127, (Wire.STATISTIC, Wire.ARMS, Wire.CONTEXTS, Wire.REWARDS, Wire.REPORT)
    run = play(Pipeline(policy, REDRAWN, NoRandomiser()), horizon=horizon, key=key_of(0, "ldp_linucb_2024", "told"), record=wires)
    released, arms, contexts, rewards, raw = (np.asarray(run.wire(wire)) for wire in wires)
    _, failure = policy.base.plan(horizon)
    each = float(combiner.EPOCH_FAILURE_OF.at(horizon=horizon, failure=failure).bound)
    for epoch in range(7):
        begun, rounds, worst = 2**epoch - 1, 2**epoch, 0.0
        threshold = float(combiner.EPOCH_THRESHOLD.at(horizon=rounds).bound)
        bound = replace(policy.base, threshold=threshold).gradient_bound(rounds, each)
        for round in range(begun, begun + rounds):
            theta = released[round - 1, NUMBERS + DIMENSION :] if round else np.zeros(DIMENSION)
            exact = np.concatenate([contexts[round, int(arms[round])], [rewards[round]], theta])
            worst = max(worst, float(np.abs(raw[round, :-2] - exact).max()))
            worst = max(worst, abs(raw[round, -2] / math.sqrt(threshold) - 1.0), abs(raw[round, -1] / bound - 1.0))
        yield At({"epoch": epoch, "first round": begun + 1}, Fraction(worst), NEARLY)


def tells(policy: Anytime) -> Pointwise:
    """That users get the constants of their epoch, and the prediction that was released."""
    return Pointwise(partial(told, policy), "seven epochs of a run of 127 rounds", "largest error")


TOLD = Audit(
    combiner.EPOCH_THRESHOLD.id,
    "points.told_in_each_round",
    "the raw messages of the anytime variant, beside what was released and the constants of each epoch",
    tells(RESTARTED),
)

# --- random bits --------------------------------------------------------------------------------------------------------------------------

MANY = 4.0  # times the trials: more bits than the 128 that one block of random words gives
COORDINATES = 3  # those of `excess` that are not differences


def bits() -> int:
    """Random bits of a batch for the three coordinates, by the statement, with `MANY` times the trials."""
    known: dict[str, Any] = {"dimension": 2, "epsilon": 1, "delta": "1/10", "batch_size": BATCH, "resolution": 4}
    stated = baselines.VECTOR_TRIALS_PAPER.at(**known, trials_scale=Fraction(MANY)).bound
    return COORDINATES * BATCH * math.floor(stated)


def reach() -> float:
    """1.64 standard deviations of the number of ones."""
    return BEYOND * math.sqrt(3.0 * bits() / 16.0)


def far(policy: NoisyGramUCB, client: ClientRandomiser, runs: int, rng: np.random.Generator) -> Bools:
    """Whether the ones among these bits are further from their mean than `reach`; a one counts for 1/4, as g = 4."""
    return np.asarray(np.abs(4.0 * excess(policy, client, runs, rng)[:, 1:].sum(axis=1)) > reach())


def binomial_outside() -> float:
    """The probability that `far` says yes for a binomial number of independent bits."""
    from scipy.stats import binom

    number, mean = bits(), bits() / 4.0
    below, above = math.ceil(mean - reach()) - 1, math.floor(mean + reach())
    return float(binom.cdf(below, number, 0.25) + binom.sf(above, number, 0.25))


def independent(policy: NoisyGramUCB, client: ClientRandomiser) -> Coverage:
    """That no random bit is used twice."""
    return Coverage(
        partial(far, policy, client),
        Derived(binomial_outside, "binomial trials of the stated number", Sense.EQUALS),
        f"the ones among the random bits of a batch are more than {BEYOND:.3f} standard deviations from a quarter of them",
        1.5,
        runs=3_000,
        cell=3_000,
        parameters={"B": BATCH, "bits": bits()},
    )


TOGETHER = tuple(
    Audit(
        baselines.VECTOR_TRIALS_PAPER.id,
        f"coverage.bits_together_{encoding.value}",
        f"NoisyGramUCB(sdp_vec, paper, {encoding.value}): the ones among the random bits of three coordinates of a batch",
        independent(vector(encoding, MANY), vector(encoding, MANY).randomiser(2)),
    )
    for encoding in Encoding
)

# --- rounds -------------------------------------------------------------------------------------------------------------------------------

PLAYED = 8
Event = Callable[[UnitFeatures, int, np.random.Generator], Bools]


def drawn(environment: UnitFeatures, runs: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Sums of each round's features, (runs, rounds), and of theta*, (runs,), over all coordinates but the one that all share.

    Over all of them, since a number that is used again may well be another coordinate's.
    """
    uniform, key = NoisyGramUCB(uniform=True), key_from(rng)
    pipeline = Pipeline(uniform, environment, uniform.randomiser())
    contexts = np.asarray(play_many(pipeline, horizon=PLAYED, key=key, runs=runs, record=(Wire.CONTEXTS,)).wire(Wire.CONTEXTS))
    return contexts[..., :-1].sum(axis=(2, 3)), np.array([environment.parameter(key, run)[:-1].sum() for run in range(runs)])


def rounds_agree(environment: UnitFeatures, runs: int, rng: np.random.Generator) -> Bools:
    """Whether the sums of even and of odd rounds have one sign."""
    sums, _ = drawn(environment, runs, rng)
    return np.asarray(sums[:, ::2].sum(axis=1) * sums[:, 1::2].sum(axis=1) > 0.0)


def parameter_agrees(environment: UnitFeatures, runs: int, rng: np.random.Generator, factor: float = 0.0) -> Bools:
    """Whether the sum of theta*, with `factor` times the first round's added, has the sign of the first round's."""
    sums, truth = drawn(environment, runs, rng)
    return np.asarray(sums[:, 0] * (truth + factor * sums[:, 0]) > 0.0)


def half() -> float:
    """By symmetry: each of two independent sums has the distribution of its negative."""
    return 0.5


def unrelated(event: Event, environment: UnitFeatures) -> Coverage:
    """That the two are independent, as far as their signs say it."""
    return Coverage(
        partial(event, environment),
        Derived(half, "the sign of a variable that is symmetric about 0", Sense.EQUALS),
        "one sign of both sums",
        1.3,
        runs=4_000,
        cell=4_000,
        parameters={"d": environment.dimension, "K": environment.arms, "rounds": PLAYED},
    )


NEW_ARMS = UnitFeatures(4, 5, ArmSet.REDRAWN)


def _apart(theorem: Theorem, slug: str, words: str, event: Event) -> Audit:
    return Audit(theorem.id, f"coverage.{slug}", f"UnitFeatures with redrawn arms: {words}", unrelated(event, NEW_ARMS))


APART = (
    _apart(loss.EXPERIMENT_MOMENT, "rounds_apart", "the features of even and of odd rounds", rounds_agree),
    _apart(loss.EXPERIMENT_MOMENT, "parameter_apart", "the first round's features and theta*", parameter_agrees),
)
