"""ldp_linucb_2024: what the shipped server makes of labelled messages, the injected noise, the experiment's environment.

Written after a review had planted one-line mistakes that the other audits let pass: a decoding offset that is left out, a variance
taken for a standard deviation, a parameter that is scaled as the features are.

DECODED    the sums of a batch without random bits, on the grid of the encoding: nothing is random then
HIDDEN     the same batch in another order, as the mechanism of the privacy audits hands it on
UNBIASED   with random bits: the mean over runs is, by Chebyshev's inequality, within 10 standard errors with probability at least 99/100
INJECTED   the standard deviation of a noisy feature, where noise is injected
LENGTHS    features of length L (the basis arm e_d: L / sqrt(2)), a parameter of length 1 / L, and regret by their inner products
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.mechanisms.vector_sum import Encoding, ShuffledSum
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import PrivateOnlineLinUCB
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB
from banditproof.audits.methods.coverage import Bools, Coverage
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.stated import Derived
from banditproof.audits.papers.ldp_linucb_2024.cases.estimate import ERRORS, chebyshev
from banditproof.audits.papers.ldp_linucb_2024.cases.sent import BATCH, BEYOND, tenth
from banditproof.audits.papers.ldp_linucb_2024.message_ratio import held
from banditproof.audits.papers.ldp_linucb_2024.shuffled_ratio import numbers_of
from banditproof.audits.running.audit import Audit
from banditproof.interaction import ClientRandomiser, Floats, Pipeline, Table, Wire
from banditproof.randomness import key_from, key_of
from banditproof.simulation import play_many
from banditproof.theory.language import Sense
from banditproof.theory.papers.ldp_linucb_2024 import baselines, loss

ROUNDING = Fraction(1, 10**9)

# --- the vector sum -----------------------------------------------------------------------------------------------------------------------

# Users of a batch, outside the domain too; held to it, their numbers are multiples of 1/4, the width of a step of the encoding.
USERS = ((1.0, 0.0, 1.0), (5.0, 0.0, -7.0), (0.0, -9.0, 0.5), (0.0, 0.0, 0.25))
SHIFTLESS = np.array([[1.0, 0, -1, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]).T  # G_11 - G_22, G_21, u_1, u_2


def vector(encoding: Encoding, factor: float) -> NoisyGramUCB:
    """The vector sum of the paper's column, with so many times the trials."""
    return NoisyGramUCB(Method.SDP_VEC, Column.PAPER, batch=BATCH, encoding=encoding, trials_factor=factor)


def excess(policy: NoisyGramUCB, client: ClientRandomiser, runs: int, rng: np.random.Generator) -> Floats:
    """The released sums of one batch, without the shift, less those of the users. Shape (runs, 4)."""
    users = np.array(USERS)
    table = Table(np.tile(users[:, 2:], (1, 2)), contexts=np.tile(users[:, None, :2], (1, 2, 1)))
    pipeline = Pipeline(policy, table, client, shuffler=policy.shuffler())
    played = play_many(pipeline, horizon=BATCH, key=key_from(rng), runs=runs, record=(Wire.STATISTIC,))
    total = sum(numbers_of(tuple(held(row).tolist())) for row in USERS)
    return np.asarray((np.asarray(played.wire(Wire.STATISTIC))[:, -1] - total) @ SHIFTLESS)


def decoded(offset: float) -> Iterator[At]:
    """Without random bits: the largest difference; `offset` is added to what is released."""
    for encoding in Encoding:
        policy, rng = vector(encoding, 1e-9), np.random.default_rng(key_of(0, "ldp_linucb_2024", "decoded"))
        worst = float(np.abs(excess(policy, policy.randomiser(2), 20, rng) + offset).max())
        yield At({"encoding": encoding.value, "B": BATCH, "b": 0}, Fraction(worst), ROUNDING)


def decodes(offset: float) -> Pointwise:
    """That the sums are exact where nothing is random."""
    return Pointwise(partial(decoded, offset), "one batch on the grid of the encoding, both encodings", "distance of the sums")


DECODED = Audit(
    baselines.VECTOR_RESOLUTION.id,
    "points.sums_decoded",
    "NoisyGramUCB(sdp_vec, paper) without random bits: the sums of four users, some outside the domain",
    decodes(0.0),
)

Batches = Callable[[ShuffledSum, Floats], Floats]


def handed_on(mechanism: ShuffledSum, users: Floats) -> Floats:
    """What the mechanism of the privacy audits releases of a batch, as often as it is asked with one generator."""
    return mechanism.release(users, 5, np.random.default_rng(17))


def hidden(release: Batches) -> Iterator[At]:
    """Without random bits: the distance of what is released of a batch and of the same users in reverse order."""
    for encoding in Encoding:
        mechanism, users = ShuffledSum(1.0, 0.1, BATCH, factor=1e-9, encoding=encoding), np.array(USERS)
        apart = np.abs(release(mechanism, users) - release(mechanism, users[::-1].copy())).max()
        yield At({"encoding": encoding.value, "B": BATCH, "b": 0}, Fraction(float(apart)), ROUNDING)


def hides(release: Batches) -> Pointwise:
    """That the order of the users cannot be seen."""
    return Pointwise(partial(hidden, release), "one batch on the grid of the encoding, both encodings", "distance of two orders")


HIDDEN = Audit(baselines.VECTOR_TRIALS.id, "points.order_hidden", "ShuffledSum of the same users in another order", hides(handed_on))

RUNS_OF_GROUP, GROUPS = 50, 100


def variance() -> float:
    """Of one released number less the users', at most: 2 B (L / g)^2 (3 b / 16 + 1 / 4) for a difference of two, L = 1 and g = 4."""
    known: dict[str, Any] = {"dimension": 2, "epsilon": 1, "delta": "1/10", "batch_size": BATCH, "resolution": 4, "trials_scale": 1}
    trials = float(baselines.VECTOR_TRIALS_PAPER.at(**known).bound)
    return 2.0 * BATCH / 16.0 * (3.0 * trials / 16.0 + 0.25)


def biased(policy: NoisyGramUCB, client: ClientRandomiser, groups: int, rng: np.random.Generator) -> Bools:
    """Whether the mean of any released number over the runs of a group is more than 10 standard errors from the users' sum."""
    means = excess(policy, client, groups * RUNS_OF_GROUP, rng).reshape(groups, RUNS_OF_GROUP, -1).mean(axis=1)
    return np.asarray((np.abs(means) > ERRORS * math.sqrt(variance() / RUNS_OF_GROUP)).any(axis=1))


def of_four() -> float:
    """The claimed probability for four numbers together."""
    return 4.0 * chebyshev()


def unbiased(policy: NoisyGramUCB, client: ClientRandomiser) -> Coverage:
    """That the released sums are right on average."""
    return Coverage(
        partial(biased, policy, client),
        Derived(of_four, "Chebyshev's inequality, for four unbiased sums"),
        f"a sum more than {ERRORS:g} standard errors of {RUNS_OF_GROUP} runs from the users' sum",
        10.0,
        runs=GROUPS,
        cell=GROUPS,
        parameters={"B": BATCH, "g": 4},
    )


UNBIASED = tuple(
    Audit(
        baselines.VECTOR_TRIALS_PAPER.id,
        f"coverage.mean_of_sums_{encoding.value}",
        f"NoisyGramUCB(sdp_vec, paper, {encoding.value}): the mean of the released sums",
        unbiased(vector(encoding, 1.0), vector(encoding, 1.0).randomiser(2)),
    )
    for encoding in Encoding
)

# --- injected noise -----------------------------------------------------------------------------------------------------------------------


def beyond(policy: PrivateOnlineLinUCB, runs: int, rng: np.random.Generator) -> Bools:
    """Whether a noisy feature is beyond 1.64 of its stated standard deviations, for a threshold of 1/16."""
    pipeline = Pipeline(policy, Table(np.zeros((1, 2)), contexts=np.tile([0.6, 0.0], (1, 2, 1))), policy.randomiser())
    sent = np.asarray(play_many(pipeline, horizon=1, key=key_from(rng), runs=runs, record=(Wire.REPORT,)).wire(Wire.REPORT))
    injected = float(loss.INJECTED_VARIANCE.at(curvature="1/20", curvature_threshold="1/16").bound)
    return np.asarray(np.abs(sent[:, 0, 0] - 0.6) > BEYOND * math.hypot(injected, policy.sigma()))


def injects(policy: PrivateOnlineLinUCB) -> Coverage:
    """That the noise has the stated standard deviation."""
    return Coverage(
        partial(beyond, policy),
        Derived(tenth, "a normal variable of the stated variance", Sense.EQUALS),
        f"a noisy feature beyond {BEYOND:.3f} standard deviations",
        1.5,
        runs=10_000,
        cell=10_000,
        parameters={"epsilon": policy.epsilon, "threshold": policy.threshold},
    )


INJECTING = PrivateOnlineLinUCB(1000.0, curvature=0.05, threshold=0.0625)
INJECTED = Audit(
    loss.INJECTED_VARIANCE.id,
    "coverage.injected_noise",
    "PrivateOnlineLinUCB(epsilon=1000, curvature=0.05, threshold=1/16): a noisy feature in the first round",
    injects(INJECTING),
)

# --- the environment ----------------------------------------------------------------------------------------------------------------------


def lengths(environments: tuple[UnitFeatures, ...], factor: float = 1.0) -> Iterator[At]:
    """The largest error of a feature's length L, of `factor` times the parameter's 1 / L, of their products, and of regret by these."""
    uniform, key, horizon, runs = NoisyGramUCB(uniform=True), key_of(0, "ldp_linucb_2024", "lengths"), 5, 20
    for environment in environments:
        long, record = environment.feature_norm, (Wire.CONTEXTS, Wire.ARMS)
        played = play_many(Pipeline(uniform, environment, uniform.randomiser()), horizon=horizon, key=key, runs=runs, record=record)
        contexts, arms = (np.asarray(played.wire(wire)) for wire in record)
        truth = factor * np.array([environment.parameter(key, run) for run in range(runs)])
        means = np.einsum("rtad,rd->rta", contexts, truth)
        regret = means.max(axis=2) - np.take_along_axis(means, arms.astype(int)[..., None], axis=2)[..., 0]
        stated = np.full(environment.arms, long)
        if environment.basis:
            stated[environment.dimension - 1] /= math.sqrt(2.0)
        errors = (
            np.linalg.norm(contexts, axis=-1) - stated,
            np.linalg.norm(truth, axis=1) * long - 1.0,
            contexts[..., -1] * truth[:, None, None, -1] - 0.5,
            regret.sum(axis=1) - played.regret[:, -1],
        )
        shown = {"L": long, "arms": environment.arm_set.value, "basis": environment.basis}
        yield At(shown, Fraction(max(float(np.abs(error).max()) for error in errors)), ROUNDING)


ENVIRONMENTS = tuple(
    UnitFeatures(4, 6, arms, basis, long) for arms in ArmSet for basis, long in ((False, 1.0), (False, 0.5), (True, math.sqrt(2.0)))
)


def has_lengths(factor: float) -> Pointwise:
    """That lengths and products are those of the definition."""
    return Pointwise(partial(lengths, ENVIRONMENTS, factor), "20 runs of 5 rounds of six environments", "largest error")


LENGTHS = Audit(
    loss.EXPERIMENT_MOMENT.id,
    "points.lengths_of_the_environment",
    "UnitFeatures: lengths, products and regret",
    has_lengths(1.0),
)
