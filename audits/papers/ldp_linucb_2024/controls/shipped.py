"""Shipped pipelines and learners with one mistake each, for the audits of `cases.sent`, `cases.replayed`, `cases.shipped`,
`cases.reported` and `cases.apart`."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from banditproof import randomness
from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.protocol import Arrays, Plan
from banditproof.algorithms.mechanisms.gram.local import GramContributions, LocalGram, contribution
from banditproof.algorithms.mechanisms.local_row import Calibration, RowMessage, noise_scale, noisy_row
from banditproof.algorithms.mechanisms.vector_sum import Encoding, ShuffledSum
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Method, NoisyGramUCB
from banditproof.audits.mutations import MutatedRandomiser, control
from banditproof.audits.papers.ldp_linucb_2024.cases import apart, replayed, reported, sent, shipped
from banditproof.audits.papers.ldp_linucb_2024.message_ratio import Row
from banditproof.interaction import Floats, Ints, Kernel, NoShuffling, Words
from banditproof.kernels import RANDOMISE, REWARD, SHUFFLE, compiled
from banditproof.randomness import uniform
from banditproof.theory.papers.ldp_linucb_2024 import baselines, combiner, learner, loss, privacy, regret

# --- messages -----------------------------------------------------------------------------------------------------------------------------


def _alike(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    """The message with the noise of the first round."""
    noisy_row(setup, key, 0, message, report[0])


alike = compiled(_alike, RANDOMISE)


def _without_regulariser(message: RowMessage, data: Row, runs: int, rng: np.random.Generator) -> Floats:
    """Messages whose gradients lack the negative regulariser."""
    found = message.release(data, runs, rng)
    found[:, len(data) :] += 2.0 * noise_scale(message.calibration, message.epsilon, message.delta) ** 2 * np.array(message.point)
    return found


MESSAGES = (
    control(
        "same_noise",
        "one draw of noise for all users",
        privacy.PRIVACY,
        sent.next_message_too(MutatedRandomiser(sent.ALGORITHM.randomiser(), alike)),
    ),
    control(
        "gradient_unregularised",
        "a gradient without the negative regulariser",
        privacy.POST_PROCESSED,
        sent.computed_again(_without_regulariser),
    ),
    control(
        "epsilon_not_split",
        "the whole of epsilon for each part",
        privacy.PRIVACY,
        sent.calibrated(Calibration.SPLIT, 2.0, 1.0),
    ),
    control(
        "classic_for_too_little",
        "the classic noise for epsilon = 0.9 under a claim of 0.05",
        privacy.PRIVACY,
        sent.calibrated(Calibration.CLASSIC, 0.9, 0.05),
    ),
    control(
        "outside_the_domain",
        "a contribution of data outside the domain, used as they are",
        baselines.LOCAL_SIGMA,
        sent.outside(GramContributions(1.0, 0.1, clips=False)),
    ),
)

# --- orders -------------------------------------------------------------------------------------------------------------------------------


def _every_batch_alike(setup: Floats, key: Words, first: int, order: Ints) -> None:
    """The order of the first batch, whichever batch it is."""
    marks = np.empty(order.shape[0])
    for position in range(order.shape[0]):
        marks[position] = uniform(key, randomness.SHUFFLING, position)
    sorted_positions = np.argsort(marks, kind="mergesort")
    for position in range(order.shape[0]):
        order[position] = sorted_positions[position]


every_batch_alike = compiled(_every_batch_alike, SHUFFLE, allocates=True)


@dataclass(frozen=True)
class OneOrder:
    """A shuffler that orders every batch of a run as the first one."""

    batch: int
    kernel: Kernel = every_batch_alike

    def setup(self) -> Floats:
        return np.zeros(0)


ORDERS = tuple(
    each
    for theorem, policy in ((baselines.AMPLIFIED_SIGMA, sent.AMPLIFIED), (baselines.VECTOR_TRIALS, sent.VECTOR))
    for each in (
        control("shuffler_left_out", "no shuffler", theorem, sent.ordered(sent.first_stays, policy, NoShuffling())),
        control("one_order", "one order for all batches", theorem, sent.ordered(sent.same_place, policy, OneOrder(sent.BATCH))),
    )
)

# --- noise and sums -----------------------------------------------------------------------------------------------------------------------

NOISE = tuple(
    control("half_the_noise", "half the noise", theorem, sent.noisy(replace(policy, epsilon=2.0 * policy.epsilon), "beside", variance))
    for theorem, policy, variance in sent.PLAYED
)


def _first_user_beside(mechanism: ShuffledSum, users: Floats) -> Floats:
    """What is released, with the first user's reward added to it."""
    return np.asarray(shipped.handed_on(mechanism, users) + users[0, -1])


_COUNTS = shipped.vector(Encoding.COUNTS, 1.0)
SUMS = (
    control("first_user_beside", "the first user's reward beside the counts", baselines.VECTOR_TRIALS, shipped.hides(_first_user_beside)),
    control("offset", "sums that are off by 1/100", baselines.VECTOR_RESOLUTION, shipped.decodes(0.01)),
    control(
        "twice_the_bits",
        "twice as many random bits as the server subtracts",
        baselines.VECTOR_TRIALS_PAPER,
        shipped.unbiased(_COUNTS, shipped.vector(Encoding.COUNTS, 2.0).randomiser(2)),
    ),
    control("nothing_injected", "no noise injected", loss.INJECTED_VARIANCE, shipped.injects(replace(shipped.INJECTING, curvature=0.1))),
    control("long_parameter", "a parameter twice as long", loss.EXPERIMENT_MOMENT, shipped.has_lengths(2.0)),
)

# --- replays ------------------------------------------------------------------------------------------------------------------------------


def _half_rates(plan: Plan) -> Arrays:
    """Maler with half of each learning rate."""
    return Maler(0.5).start(plan)


REPLAYS = (
    control(
        "no_bonus",
        "no exploration bonus",
        regret.REGRET_BY_WIDTH,
        replayed.choices(partial(replayed.algorithm_choices, replace(replayed.ALGORITHM, scale=0.0))),
    ),
    control("half_the_width", "half the width", baselines.SCRIPT_WIDTH, replayed.choices(partial(replayed.script_choices, 0.5))),
    control(
        "ten_times_the_radius",
        "a combiner with ten times the radius",
        combiner.NOISY_RADIUS_OF,
        replayed.combines(replace(replayed.COMBINER, factor=10.0 * replayed.FACTOR)),
    ),
    control(
        "another_power",
        "restarts with another power of the horizon",
        combiner.EPOCHS_ADD_UP,
        replayed.restarts(Anytime(replayed.ALGORITHM, power=0.25)),
    ),
    control("half_the_rates", "half of each learning rate", learner.MALER_CONVEX, replayed.predicts(_half_rates)),
)

# --- what users are told and send ---------------------------------------------------------------------------------------------------------

_WIDE, _LITTLE = replace(reported.local(2.0), calibrated=True), NoisyGramUCB(Method.LDP, epsilon=3.0, calibrated=True)
_FEW = shipped.vector(Encoding.BITS, reported.MANY / 2.0)
REPORTS = (
    control(
        "held_to_nothing",
        "data outside the domain used as they are",
        privacy.PRIVACY,
        reported.holds(reported.EXACT_ROW, reported.EXACT_ROW.randomiser(clips=False), 1.0, True),
    ),
    control(
        "held_to_radius_two",
        "a domain of radius 2 for 3/2",
        baselines.LOCAL_SIGMA,
        reported.holds(reported.local(1.5), _WIDE.randomiser(3), 1.5, False),
    ),
    control(
        "alone_with_little_noise",
        "the noise for epsilon = 3 where there are no features",
        privacy.PRIVACY,
        reported.alone(reported.ALGORITHM, replace(reported.ALGORITHM, epsilon=3.0).randomiser()),
    ),
    control(
        "alone_with_little_noise",
        "the noise for epsilon = 3 where there are no features",
        baselines.LOCAL_SIGMA,
        reported.alone(reported.CALIBRATED, _LITTLE.randomiser(0)),
    ),
    control(
        "told_another_power",
        "users are told the injection of another power of the horizon",
        combiner.EPOCH_THRESHOLD,
        reported.tells(Anytime(replayed.ALGORITHM, power=0.25)),
    ),
    control(
        "half_the_bits",
        "half of the random bits",
        baselines.VECTOR_TRIALS_PAPER,
        reported.independent(shipped.vector(Encoding.BITS, reported.MANY), _FEW.randomiser(2)),
    ),
    control(
        "arms_kept",
        "arms that are kept for all rounds",
        loss.EXPERIMENT_MOMENT,
        reported.unrelated(reported.rounds_agree, replace(reported.NEW_ARMS, arm_set=ArmSet.FIXED)),
    ),
    control(
        "parameter_near_features",
        "a parameter that leans towards the first round's features",
        loss.EXPERIMENT_MOMENT,
        reported.unrelated(partial(reported.parameter_agrees, factor=1.0), reported.NEW_ARMS),
    ),
)

# --- what users and rounds share ----------------------------------------------------------------------------------------------------------


def _first_noise(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    """The contribution with the noise of the first round."""
    contribution(setup, key, 0, message, report[0])


first_noise = compiled(_first_noise, RANDOMISE)


def _good_arms(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    """One reward of an arm in all rounds of a run."""
    return 1.0 if uniform(key, randomness.REWARDS, arm) < 0.5 else 0.0


good_arms = compiled(_good_arms, REWARD)


@dataclass(frozen=True)
class OneReward:
    """`UnitFeatures` with one reward of each arm, drawn once for a run."""

    base: UnitFeatures
    arms: int
    dimension: int
    present: Kernel
    reward: Kernel = good_arms

    def setup(self) -> Floats:
        return self.base.setup()

    def memory(self) -> Floats:
        return self.base.memory()


_LOCAL = LocalGram(1.0, 0.1)
SHARED = (
    control(
        "one_noise_for_all",
        "one draw of noise for all users",
        baselines.LOCAL_SIGMA,
        apart.shares_none(apart.LOCAL, MutatedRandomiser(_LOCAL, first_noise)),
    ),
    control(
        "same_noise",
        "one draw of noise for all users",
        baselines.LOCAL_SIGMA,
        apart.next_contribution_too(MutatedRandomiser(_LOCAL, first_noise)),
    ),
    control(
        "entries_not_held",
        "numbers and users outside the domain used as they are",
        baselines.VECTOR_RESOLUTION,
        apart.holds_entries(Encoding.COUNTS, False),
    ),
    control(
        "one_reward",
        "one reward of each arm for all rounds",
        loss.EXPERIMENT_MOMENT,
        apart.drawn_anew(OneReward(apart.BASIS, apart.BASIS.arms, apart.BASIS.dimension, apart.BASIS.present)),
    ),
)
