"""ldp_linucb_2024: features, rewards, orders and labelled records beside plain ones, and runs that share an environment beside runs alone.

FEATURES   `UnitFeatures` round by round, from the words of the counter generator: theta*, arms, rewards, regret
MEANS      means of arms that are theta*, or its opposite, up to rounding: never outside of [0, 1]
ORDERS     the order of a batch is that of one uniform number per message
RECORDS    `ClassificationBandit` from the data and the eigenvectors of their covariance; records at the mean
TOGETHER   runs that share an environment of more numbers than a block has, and of sets that change every few rounds
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.environments.adaptive_contexts import LeastExploredAdversary
from banditproof.algorithms.environments.classification import ClassificationBandit, Source, components_of
from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.playing.together import play_together
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Method, NoisyGramUCB
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.common.short_blocks import fine_pair, normal, short_stream
from banditproof.audits.common.side_by_side import Refusal, beside, distance, number, refusals, unequal
from banditproof.audits.methods.pointwise import At
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Environment, Floats, Pipeline, Table, Wire, Words
from banditproof.kernels import plain
from banditproof.randomness import CONTEXTS, REWARDS, SHUFFLING, key_of, uniform
from banditproof.simulation import play
from banditproof.theory.papers.ldp_linucb_2024 import baselines, loss, setting

KEY = key_of(4, "ldp_linucb_2024", "features")
RECORD = (Wire.CONTEXTS, Wire.ARMS, Wire.REWARDS)
NEARLY = Fraction(1, 10**12)


def own(run: int) -> Words:
    return np.append(KEY, np.uint64(run))


# --- features -----------------------------------------------------------------------------------------------------------------------------


def truth_of(features: UnitFeatures, key: Words) -> Floats:
    """theta*: a direction of length 1/(sqrt(2) L), and that number."""
    size = features.dimension - 1
    drawn = [normal(short_stream(key, CONTEXTS), 2**61 + place) for place in range(size)]
    direction = np.array(drawn if features.direction is None else features.direction)
    return np.append(direction / np.linalg.norm(direction), 1.0) / (math.sqrt(2.0) * features.feature_norm)


def arms_of(features: UnitFeatures, key: Words, round: int) -> Floats:
    """The arms (K, d) of a round: directions by Box and Muller, from short blocks of the round's own: one for each pair, radius and angle;
    all cosines come before all sines."""
    arms, size = features.arms, features.dimension - 1
    pairs = -(-arms * size // 2)
    first, stream = 0 if features.arm_set is ArmSet.FIXED else round * pairs, short_stream(key, CONTEXTS)
    sizes, turns = np.array([fine_pair(stream, first + pair) for pair in range(pairs)]).T
    radii, angles = np.sqrt(-2.0 * np.log1p(-sizes)), 2.0 * np.pi * (turns - 0.5)
    drawn = np.concatenate([radii * np.cos(angles), radii * np.sin(angles)])[: arms * size].reshape(arms, size)
    found = np.column_stack([drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.ones(arms)])
    if features.basis:
        found[: size + 1, :size] = np.eye(size + 1)[:, :size]
    return np.asarray(found * features.feature_norm / math.sqrt(2.0))


FEATURES = (
    UnitFeatures(),
    UnitFeatures(2, 2, ArmSet.REDRAWN),
    UnitFeatures(2, 5, ArmSet.FIXED, True, 1.7),
    UnitFeatures(3, 3, ArmSet.REDRAWN, feature_norm=0.6),
    UnitFeatures(4, 7, ArmSet.REDRAWN, True, math.sqrt(2.0), (1.0, -2.0, 0.5)),
    UnitFeatures(3, 9, ArmSet.FIXED, feature_norm=2.0, direction=(0.0, -3.0)),
    UnitFeatures(5, 5, ArmSet.REDRAWN, True),
)


def feature_errors() -> Iterator[At]:
    """Distances over 40 rounds of two runs."""
    horizon = 40
    for features in FEATURES:
        for run in range(2):
            key, truth = own(run), truth_of(features, own(run))
            where: dict[str, Any] = {"d": features.dimension, "K": features.arms, "arms": features.arm_set.value, "run": run}
            yield At({**where, "of": "theta*"}, distance(features.parameter(KEY, run), truth), NEARLY)
            marks = range(1, horizon + 1)
            for stepwise in (True, False):
                player = Pipeline(UCB1(), features)
                seen = play(player, horizon=horizon, key=KEY, run=run, record=RECORD, checkpoints=marks, stepwise=stepwise)
                sets = np.array([arms_of(features, key, round) for round in range(horizon)])
                arms = np.asarray(seen.wire(Wire.ARMS))
                means = np.clip(sets @ truth, 0.0, 1.0)
                pulled = means[np.arange(horizon), arms]
                paid = [float(uniform(key, REWARDS, round) < pulled[round]) for round in range(horizon)]
                at = {**where, "stepwise": stepwise}
                yield At({**at, "of": "arms"}, distance(seen.wire(Wire.CONTEXTS), sets), NEARLY)
                yield At({**at, "of": "rewards"}, unequal(seen.wire(Wire.REWARDS), paid), 0)
                yield At({**at, "of": "regret"}, distance(seen.regret, np.cumsum(means.max(axis=1) - pulled)), NEARLY)


def mean_errors() -> Iterator[At]:
    """How far means are outside of [0, 1], and how far from 1 and 0, where the first arm is theta* and where it is the opposite."""
    for sign, expected in ((1.0, 1.0), (-1.0, 0.0)):
        outside, off = 0.0, 0.0
        for place in range(40):
            features = UnitFeatures(2, 3, ArmSet.FIXED, True, 0.4 + 0.07 * place, (sign * (0.1 + 0.37 * place),))
            contexts, means = np.zeros((3, 2)), np.zeros(3)
            plain(features.present)(features.setup(), features.memory(), own(place), 0, contexts, means)
            outside = max(outside, float(-means.min()), float(means.max() - 1.0))
            off = max(off, abs(float(means[0]) - expected))
        yield At({"of": "outside", "sign": sign}, number(max(outside, 0.0)), 0)
        yield At({"of": "means", "sign": sign}, number(off), NEARLY)


INF, NAN = math.inf, math.nan
UNFIT = ("none", "other sets", "batches of two", "batches of its own", "sets with a memory")
REFUSED: tuple[Refusal, ...] = (
    ("dimension", lambda value: UnitFeatures(value, 4), (1, 0), (2, 3)),
    ("arms", lambda value: UnitFeatures(2, value), (1, 0), (2, 3)),
    ("basis", lambda value: UnitFeatures(4, value, basis=True), (2, 3), (4, 5)),
    ("fewer arms without a basis", lambda value: UnitFeatures(4, value), (), (2, 3)),
    ("feature_norm", lambda value: UnitFeatures(feature_norm=value), (0.0, -0.5, INF, NAN), (1e-9, 3.0)),
    (
        "direction",
        lambda value: UnitFeatures(3, direction=value),
        ((0.0, 0.0), (1.0,), (1.0, 2.0, 3.0), (INF, 1.0)),
        ((1e-9, 0.0), (3.0, -1.0)),
    ),
    ("components", lambda value: components_of(THIN, value), (0, 3, 4), (1, 2)),
    ("batch", UniformShuffler, (0, -1), (1, 2)),
    ("together", lambda value: _together(value), UNFIT, ("one", "two")),
)

# --- orders -------------------------------------------------------------------------------------------------------------------------------


def order_errors() -> Iterator[At]:
    """Places that differ, of batches of several sizes that begin anywhere in a run; and messages of a run in another place."""
    for size in (1, 2, 9, 40):
        for first in (0, 5, 10**9):
            key, shuffler, expected = own(size), UniformShuffler(size), np.zeros(size)
            marks = [uniform(key, SHUFFLING, first + place) for place in range(size)]
            expected[:] = sorted(range(size), key=lambda place: (marks[place], place))
            order = np.full(size, -1)
            plain(shuffler.kernel)(shuffler.setup(), key, first, order)
            yield At({"n": size, "first": first}, unequal(order, expected), 0)
    table = Table(np.tile(np.arange(1.0, 41.0)[:, None], (1, 2)))
    seen = play(Pipeline(UCB1(), table, shuffler=UniformShuffler(7)), horizon=40, key=KEY, run=2, record=(Wire.BATCH,))
    numbers = np.array([uniform(own(2), SHUFFLING, place) for place in range(40)])
    places = [first + np.argsort(numbers[first : first + 7], kind="stable") for first in range(0, 40, 7)]
    yield At({"of": "a run of 40 rounds", "n": 7}, unequal(np.asarray(seen.wire(Wire.BATCH))[:, 1], np.concatenate(places) + 1.0), 0)


# --- records ------------------------------------------------------------------------------------------------------------------------------

# Two directions of sizes 1 and 1.05e-10 of it, and one of 0.95e-10, which counts as none; the last record is the mean.
_AXES = np.array([[1.0, 1.0, -1.0, -1.0, 0.0], [1.0, -1.0, 1.0, -1.0, 0.0], [1.0, -1.0, -1.0, 1.0, 0.0]]).T
THIN: Floats = _AXES * np.array([1.0, 1.05e-10, 0.95e-10])
SHAPES = {Source.IRIS: (150, 4, 3), Source.WINE: (178, 13, 3), Source.BREAST_CANCER: (569, 30, 2), Source.DIGITS: (1797, 64, 10)}
SETTINGS = ((Source.IRIS, 2), (Source.WINE, 3), (Source.BREAST_CANCER, 1), (Source.DIGITS, 4))


def data_of(source: Source) -> tuple[Floats, Floats]:
    """Features and classes, as scikit-learn has them."""
    from sklearn import datasets

    loads = {
        "iris": datasets.load_iris,
        "wine": datasets.load_wine,
        "breast_cancer": datasets.load_breast_cancer,
        "digits": datasets.load_digits,
    }
    loaded = loads[source.value]()
    return np.asarray(loaded.data, dtype=float), np.asarray(loaded.target, dtype=float)


def scores_of(features: Floats, components: int) -> Floats:
    """Principal components by the covariance, each divided by its standard deviation; then records of length 1, or 0."""
    centred = features - features.mean(axis=0)
    variances, axes = np.linalg.eigh(centred.T @ centred / len(features))
    axes = axes[:, ::-1][:, :components]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(components)])
    scores = centred @ axes / np.sqrt(variances[::-1][:components])
    lengths = np.sqrt((scores**2).sum(axis=1))
    return np.array([score / length if length > 0.0 else score for score, length in zip(scores, lengths, strict=True)])


def record_errors(settings: tuple[tuple[Source, int], ...] = SETTINGS, plays: Source | None = None) -> Iterator[At]:
    """Distances over 60 rounds; `plays`: other data than those that are expected."""
    horizon = 60
    flat = components_of(THIN, 1)
    yield At({"of": "a record at the mean"}, distance(flat[:, 0], [1.0, 1.0, -1.0, -1.0, 0.0]), NEARLY)
    for source, components in settings:
        bandit, (features, classes) = ClassificationBandit(plays or source, components), data_of(source)
        count, width, labels = SHAPES[source]
        where = {"data": source.value, "components": components}
        sizes = [len(features), features.shape[1], int(classes.max()) + 1, bandit.arms, bandit.dimension]
        yield At({**where, "of": "sizes"}, unequal(sizes, [count, width, labels, labels, labels * components]), 0)
        scores, key = scores_of(features, components), own(components)
        drawn = [int(uniform(key, CONTEXTS, round) * count) for round in range(horizon)]
        expected = np.zeros((horizon, labels, labels * components))
        for round, record in enumerate(drawn):
            for arm in range(labels):
                expected[round, arm, arm * components : (arm + 1) * components] = scores[record]
        for stepwise in (True, False):
            marks = range(1, horizon + 1)
            player = Pipeline(UCB1(), bandit)
            seen = play(player, horizon=horizon, key=KEY, run=components, record=RECORD, checkpoints=marks, stepwise=stepwise)
            paid = (np.asarray(seen.wire(Wire.ARMS)) == classes[drawn]).astype(float)
            at = {**where, "stepwise": stepwise}
            yield At({**at, "of": "arms"}, distance(seen.wire(Wire.CONTEXTS), expected), Fraction(1, 10**9))
            yield At({**at, "of": "rewards"}, unequal(seen.wire(Wire.REWARDS), paid), 0)
            yield At({**at, "of": "regret"}, unequal(seen.regret, np.cumsum(1.0 - paid)), 0)


# --- together -----------------------------------------------------------------------------------------------------------------------------

WIDE = UnitFeatures(2, 400_000, ArmSet.REDRAWN)  # more numbers than a block has


def together_errors() -> Iterator[At]:
    """The largest distance of a regret from that of the same learner alone."""
    uniform_play, learner = NoisyGramUCB(Method.LIN_UCB, uniform=True), NoisyGramUCB(Method.LIN_UCB)
    cases: tuple[tuple[Environment, int], ...] = ((WIDE, 2), (UnitFeatures(3, 4, ArmSet.REDRAWN), 50), (UnitFeatures(2, 3), 4100))
    for environment, horizon in cases:
        pipelines = [uniform_play.pipeline(environment), learner.pipeline(environment)][: 2 if environment.arms < 1000 else 1] * 2
        marks = sorted({1, 2, horizon - 1, horizon} - {0})
        shared = play_together(pipelines, horizon=horizon, key=KEY, run=3, checkpoints=marks)
        alone = [play(each, horizon=horizon, key=KEY, run=3, checkpoints=marks) for each in pipelines]
        where = {"K": environment.arms, "rounds": horizon}
        yield At(where, max(unequal(one.regret, other.regret) for one, other in zip(shared, alone, strict=True)), 0)
    watched = Pipeline(UCB1(), LeastExploredAdversary())
    shared, single = play_together([watched], horizon=30, key=KEY, run=3), play(watched, horizon=30, key=KEY, run=3)
    yield At({"of": "one learner, sets with a memory"}, unequal(shared[0].regret, single.regret), 0)
    given = [learner.state(4, 3, 50), uniform_play.state(4, 3, 50)]
    pipelines = [each.pipeline(cases[1][0]) for each in (learner, uniform_play)]
    shared = play_together(pipelines, horizon=50, key=KEY, run=4, states=given)
    alone = [play(each, horizon=50, key=KEY, run=4) for each in pipelines]
    yield At({"of": "states given"}, max(unequal(one.regret, other.regret) for one, other in zip(shared, alone, strict=True)), 0)


def _together(name: str) -> None:
    """Plays two rounds of the learners of this name."""
    two, own = UnitFeatures(2, 3), Pipeline(UCB1(), UnitFeatures(2, 3))
    watched = Pipeline(UCB1(), LeastExploredAdversary())
    robust = RobustArmElimination(2.0)
    lists = {
        "none": [],
        "one": [own],
        "two": [own, Pipeline(UCB1(), two)],
        "other sets": [own, Pipeline(UCB1(), replace(two, arms=4))],
        "batches of two": [own, replace(own, shuffler=UniformShuffler(2))],
        "batches of its own": [own, Pipeline(robust, two)],
        "sets with a memory": [watched, watched],
    }
    play_together(lists[name], horizon=4, key=KEY)


AUDITS = (
    Audit(
        loss.EXPERIMENT_MOMENT.id,
        "points.features_replayed",
        f"{len(FEATURES)} settings of UnitFeatures, round by round",
        beside(feature_errors, "two runs of 40 rounds, compiled and step by step", "distance"),
    ),
    Audit(
        loss.EXPERIMENT_MOMENT.id,
        "points.features_means",
        "UnitFeatures: means at the ends of [0, 1]",
        beside(mean_errors, "80 settings in which the first arm is theta* or its opposite", "distance"),
    ),
    Audit(
        loss.EXPERIMENT_MOMENT.id,
        "points.features_refused",
        "settings of UnitFeatures, of components and of the shuffler that are none",
        beside(lambda: refusals(REFUSED), "listed values, and those at the ends", "values taken or refused by mistake"),
    ),
    Audit(
        baselines.AMPLIFIED_SIGMA.id,
        "points.orders_replayed",
        "the shuffler's orders by one uniform number per message",
        beside(order_errors, "batches of 1 to 40 messages, and a run", "places that differ"),
    ),
    Audit(
        setting.ASSUMPTIONS.id,
        "points.records_replayed",
        "ClassificationBandit on four datasets, round by round",
        beside(record_errors, f"{len(SETTINGS)} datasets, 60 rounds, compiled and step by step", "distance"),
    ),
    Audit(
        baselines.SCRIPT_WIDTH.id,
        "points.blocks_together",
        "learners that share an environment beside runs alone, in blocks of one round and of many",
        beside(together_errors, "K 3, 4 and 400000", "regrets that differ"),
    ),
)
