"""ldp_linucb_2024: whole runs of the shipped baselines beside `plain.sums`, number by number, in both columns and with options that no
other audit plays; and the two methods that are made of `LinUCB`.

    CHOICES    the index of each arm that is played with the largest one, from what was released before; the first arm where G is indefinite
    WIDTHS     the width of each batch, in the state of the policy that hears the same messages
    RELEASES   the sums with the shift; with noise of the server's own: that it changes after 2, 7 and 20 users, and not between
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.mechanisms.vector_sum import Encoding
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB
from banditproof.algorithms.policies.noisy_gram_ucb.kernels import learn_all
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB, paper_jdp, paper_lin_ucb
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.ldp_linucb_2024.cases.transcribed import (
    NEARLY,
    PLAIN,
    SINGLE,
    THREE,
    TWO,
    UNIT,
    WIDER,
    behind,
    far,
    second,
    table,
)
from banditproof.audits.papers.ldp_linucb_2024.plain.sums import PlainSums
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Environment, Floats, Pipeline, Wire
from banditproof.randomness import key_of
from banditproof.simulation import play
from banditproof.theory.papers.ldp_linucb_2024 import baselines

RECORD = (Wire.CONTEXTS, Wire.ARMS, Wire.BATCH, Wire.STATISTIC)
JUMPS = (2, 7, 20)  # users after which floor(ln(1 + t)) grows


class Case(NamedTuple):
    """A run of a baseline."""

    name: str
    policy: NoisyGramUCB
    environment: Environment
    horizon: int = 40


def unpacked(released: Floats, dimension: int) -> tuple[Floats, Floats]:
    """The matrix and the sums."""
    lower, other = np.tril_indices(dimension)
    matrix = np.zeros((dimension, dimension))
    matrix[lower, other] = matrix[other, lower] = released[: len(lower)]
    return matrix, released[len(lower) :]


def errors(case: Case, used: NoisyGramUCB) -> Mapping[str, float]:
    """The largest error of each kind, in a run of the case beside the plain form of `used`."""
    policy, environment = case.policy, case.environment
    shape = environment.arms, environment.dimension, case.horizon
    key = key_of(0, "ldp_linucb_2024", "transcribed", case.name)
    run = second(policy.pipeline(environment), case.horizon, key, RECORD)
    contexts, arms, batches, released = (np.asarray(run.wire(wire)) for wire in RECORD)
    plain, batch = PlainSums(used, *shape), policy.shuffler().batch
    per_user, joint, noise = len(batches) // case.horizon, policy.method is Method.JDP, np.zeros(0)
    gram, sums = plain.shift() * np.eye(plain.dimension), plain.sums
    worst, state, words = {"choices": 0.0, "widths": 0.0, "releases": 0.0}, policy.state(*shape), np.array([*key, 1], dtype=np.uint64)
    policy.kernels.start(state, words)
    for first in range(0, case.horizon, batch):
        rounds = range(first, min(first + batch, case.horizon))
        definite = float(np.linalg.eigvalsh(gram)[0]) > 0.0
        if definite and not (joint and first == 0):
            worst["widths"] = max(worst["widths"], far(state.radius[0], plain.width(gram)))
        for round in () if joint and first == 0 else rounds:
            sets, arm = contexts[round] if environment.dimension else np.eye(environment.arms), int(arms[round])
            wrong = behind(plain.scores(gram, sums, sets), arm, sets) if definite else float(arm != 0)
            worst["choices"] = max(worst["choices"], wrong)
        heard = batches[rounds[0] * per_user : (rounds[-1] + 1) * per_user]
        for message in heard:
            plain.hear(int(message[0]), message[1:])
        learn_all(state, words, heard[:, 0].astype(np.int64), np.ascontiguousarray(heard[:, 1:]))
        plain.users += len(rounds)
        worst["releases"] = max(worst["releases"], abs(float(state.users[0]) - plain.users))
        gram, sums = unpacked(released[rounds[-1]], plain.dimension)
        own = np.concatenate([(gram - plain.gram - plain.shift() * np.eye(plain.dimension)).ravel(), sums - plain.sums])
        if not joint:
            size = max(1.0, plain.shift(), float(np.abs(plain.gram).max()))
            worst["releases"] = max(worst["releases"], float(np.abs(own).max()) / size)
        elif len(noise):
            changed = far(own, noise)
            worst["releases"] = max(worst["releases"], float(changed < 1e-3) if plain.users in JUMPS else changed)
        noise = own
    return worst


def points(cases: tuple[Case, ...], used: Mapping[str, NoisyGramUCB]) -> Iterator[At]:
    """All errors; `used` names policies to put in place of those that are played."""
    for case in cases:
        for kind, error in errors(case, used.get(case.name, case.policy)).items():
            yield At({"run": case.name, "of": kind}, Fraction(min(error, 1e300)), NEARLY)


def transcribes(cases: tuple[Case, ...], used: Mapping[str, NoisyGramUCB] | None = None) -> Pointwise:
    """That runs are those of the plain form."""
    return Pointwise(partial(points, cases, used or {}), f"{len(cases)} runs", "relative error")


OTHER = NoisyGramUCB(Method.LDP, epsilon=3.0, delta=0.05, parameter_norm=2.0, reward_sigma=0.3, failure=0.02, planned_horizon=90)
LOCAL, AMPLIFIED = OTHER, replace(OTHER, method=Method.SDP_AMP, batch=4)
VECTOR = replace(OTHER, method=Method.SDP_VEC, batch=4, feature_norm=1.5, trials_factor=0.7)
PAPER = Column.PAPER
WITHOUT = table(THREE, 40, 3, 0)
CENTRAL = (
    Case("lin_ucb", replace(OTHER, method=Method.LIN_UCB), UNIT),
    Case("lin_ucb_scaled", NoisyGramUCB(Method.LIN_UCB, feature_norm=2.0, width_scale=0.4), PLAIN),
    Case("lin_ucb_without_features", NoisyGramUCB(Method.LIN_UCB, reward_sigma=2.0), WITHOUT),
    Case("lin_ucb_fixed", NoisyGramUCB(Method.LIN_UCB, width_scale=0.3, fixed_width=True), PLAIN),
    Case("jdp", replace(OTHER, method=Method.JDP), UNIT),
    Case("lin_ucb_one_feature", NoisyGramUCB(Method.LIN_UCB, reward_sigma=2.0), SINGLE),
    Case("jdp_one_feature", NoisyGramUCB(Method.JDP, epsilon=9.0), SINGLE),
    Case("jdp_without_features", NoisyGramUCB(Method.JDP, epsilon=9.0, feature_norm=0.5), WITHOUT),
)
LOCALLY = (
    Case("ldp_script", LOCAL, UNIT),
    Case("ldp_script_calibrated", replace(LOCAL, calibrated=True, feature_norm=1.5), PLAIN),
    Case("ldp_paper", replace(LOCAL, column=PAPER), UNIT),
    Case("ldp_paper_loose", replace(LOCAL, column=PAPER, epsilon=100.0, width_scale=0.05, failure=None), PLAIN),
    Case("ldp_paper_calibrated", replace(LOCAL, column=PAPER, calibrated=True, feature_norm=0.6, planned_horizon=None), PLAIN),
    Case("ldp_one_feature", replace(LOCAL, epsilon=50.0), SINGLE),
    Case("ldp_five_features", replace(LOCAL, column=PAPER, epsilon=100.0, width_scale=0.05), WIDER),
    Case("ldp_indefinite", replace(LOCAL, planned_horizon=2), UNIT),
    Case("ldp_paper_without_features", replace(LOCAL, column=PAPER, epsilon=50.0, width_scale=0.1), WITHOUT),
)
SHUFFLED = (
    Case("sdp_amp_script", AMPLIFIED, UNIT, 38),
    Case("sdp_amp_paper", replace(AMPLIFIED, column=PAPER, epsilon=50.0), UNIT, 38),
    Case("sdp_amp_paper_without_features", replace(AMPLIFIED, column=PAPER, epsilon=50.0, width_scale=0.1), WITHOUT, 38),
    Case("sdp_vec_script", VECTOR, UNIT, 38),
    Case("sdp_vec_paper", replace(VECTOR, column=PAPER, epsilon=9.0), PLAIN, 38),
    Case("sdp_vec_paper_bits", replace(VECTOR, column=PAPER, encoding=Encoding.BITS, width_scale=0.2), UNIT, 38),
    Case("sdp_vec_script_bits", replace(VECTOR, encoding=Encoding.BITS, failure=None), PLAIN, 38),
    Case("sdp_amp_one_feature", replace(AMPLIFIED, epsilon=50.0), SINGLE, 38),
    Case("sdp_vec_one_feature", replace(VECTOR, encoding=Encoding.BITS), SINGLE, 38),
    Case("sdp_vec_without_features", replace(VECTOR, column=PAPER, width_scale=0.2), WITHOUT, 38),
)


# --- LinUCB with the papers' constants ----------------------------------------------------------------------------------------------------


def plain_width(gram: Floats, horizon: int, factor: float) -> float:
    """Abbasi-Yadkori et al. with R = 0.3, D = 2, shift 1; beta is `factor` / 50."""
    return 0.3 * math.sqrt(2.0 * math.log(50.0 / factor) + float(np.linalg.slogdet(gram)[1])) + 2.0


def joint_width(gram: Floats, horizon: int, factor: float) -> float:
    """Shariff and Sheffet with R = 0.3, D = 2, L = 1, epsilon = 30, delta = 1/20; alpha is `factor` / 50."""
    d, alpha, nodes = len(gram), factor / 50.0, 1 + math.ceil(math.log2(horizon))
    s = 4.0 * math.sqrt(nodes) * 2.0 * math.log(4.0 / 0.05) / 30.0
    upsilon = s * math.sqrt(2.0 * nodes) * (4.0 * math.sqrt(d) + 2.0 * math.log(2.0 * horizon / alpha))
    root = math.sqrt(max(2.0 * math.log(2.0 / alpha) + float(np.linalg.slogdet(gram)[1]) - d * math.log(upsilon), 0.0))
    return (
        0.3 * root
        + 2.0 * math.sqrt(3.0 * upsilon)
        + s * math.sqrt(nodes / upsilon) * (math.sqrt(d) + math.sqrt(2.0 * math.log(2.0 * horizon / alpha)))
    )


Measure = Callable[[Floats, int, float], float]


def of_lin_ucb(policy: LinUCB, width: Measure, factor: float) -> Iterator[At]:
    """The largest error of a width, and of an index; `factor` times the failure probability is said. By default alpha is 1 / T."""
    for name, environment, truth in (("unit", UNIT, THREE), ("table", PLAIN, TWO), ("default", UNIT, THREE)):
        diagnosed = replace(policy, true_parameter=truth, failure=None if name == "default" else policy.failure)
        said = factor * 50.0 / 40.0 / (2.0 if width is plain_width else 1.0) if name == "default" else factor
        run = play(Pipeline(diagnosed, environment), horizon=40, key=key_of(0, "ldp_linucb_2024", "made", name), record=RECORD)
        contexts, arms, _, released = (np.asarray(run.wire(wire)) for wire in RECORD)
        worst = 0.0
        for round in range(1, 40):
            gram, sums = unpacked(released[round - 1, :-5], environment.dimension)
            inverse = np.linalg.inv(gram)
            lengths = np.sqrt(np.einsum("ai,ij,aj->a", contexts[round], inverse, contexts[round]))
            scores = contexts[round] @ (inverse @ sums) + width(gram, 40, said) * lengths
            worst = max(worst, behind(scores, int(arms[round]), contexts[round]), far(released[round - 1, -1], width(gram, 40, said)))
        yield At({"environment": name}, Fraction(min(worst, 1e300)), NEARLY)


def made_of_lin_ucb(policy: LinUCB, width: Measure, factor: float = 1.0) -> Pointwise:
    """That its arms are those of the stated width."""
    return Pointwise(partial(of_lin_ucb, policy, width, factor), "three runs of 40 rounds", "error of a width or choice")


PLAINLY = paper_lin_ucb(failure=1.0 / 50.0, parameter_norm=2.0, reward_sigma=0.3)
JOINTLY = paper_jdp(30.0, 0.05, failure=1.0 / 50.0, parameter_norm=2.0, reward_sigma=0.3)

AUDITS = (
    *(
        Audit(theorem.id, "points.runs_transcribed", f"{words}: whole runs beside plain NumPy", transcribes(cases))
        for theorem, words, cases in (
            (baselines.SCRIPT_WIDTH, "linear UCB without noise, and the jointly private method", CENTRAL),
            (baselines.LOCAL_WIDTH, "the local method", LOCALLY),
            (baselines.AMPLIFIED_SIGMA, "the shuffled methods", SHUFFLED),
        )
    ),
    Audit(
        baselines.PLAIN_WIDTH.id, "points.choices_replayed", "paper_lin_ucb: arms by dense algebra", made_of_lin_ucb(PLAINLY, plain_width)
    ),
    Audit(baselines.JOINT_WIDTH.id, "points.choices_replayed", "paper_jdp: arms by dense algebra", made_of_lin_ucb(JOINTLY, joint_width)),
)
