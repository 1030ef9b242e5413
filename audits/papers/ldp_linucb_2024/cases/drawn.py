"""ldp_linucb_2024: what the environment, uniform play and the shuffler draw, learners over long runs, and runs that are played together.

DRAWN      theta*, arms and rewards of `UnitFeatures` and the arms of uniform play: moments and products in standard errors
ORDERS     how often each order of a batch of three occurs, of the shuffler and of the mechanism of the privacy audits, and of two batches
LEARNERS   gradients in batches, past the round in which inverses are computed afresh; gradient descent with each of its steps
TOGETHER   the regret of runs that share their environment beside that of runs alone, over more than one block of rounds
ANY        the combiner over policies of several kinds, in plain Python: base learners and regret, from the rewards
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.learners.kernels import update_all
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD, Step
from banditproof.algorithms.learners.protocol import Plan
from banditproof.algorithms.mechanisms.gram.local import GramContributions
from banditproof.algorithms.playing.combined import Beliefs, play_combined
from banditproof.algorithms.playing.together import play_together
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.ldp_linucb_2024.cases.noise_sent import MOST
from banditproof.audits.papers.ldp_linucb_2024.cases.replayed import BELIEVED, FACTOR, FAILURE, LONG, falling
from banditproof.audits.papers.ldp_linucb_2024.cases.transcribed import NEARLY, far
from banditproof.audits.papers.ldp_linucb_2024.plain.combiner import Belief, PlainAccounts
from banditproof.audits.papers.ldp_linucb_2024.plain.learners import plain_learner
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Environment, Floats, Pipeline, Shuffler, Table, Wire
from banditproof.randomness import generator, key_of
from banditproof.simulation import play, play_many
from banditproof.theory.papers.ldp_linucb_2024 import baselines, combiner, learner, loss

ROUNDS = 4_000
UNIFORM = NoisyGramUCB(Method.LIN_UCB, uniform=True)
KEY = key_of(0, "ldp_linucb_2024", "drawn")

# --- the environment ----------------------------------------------------------------------------------------------------------------------


def largest(numbers: Floats, fourth: float) -> float:
    """The largest moment, in standard errors, of numbers (n, q) of variance 1 and fourth moment `fourth`, without correlations."""
    n, q = numbers.shape
    found = [np.abs(numbers.sum(axis=0)) / math.sqrt(n)]
    found.append(np.abs((numbers**2 - 1.0).sum(axis=0)) / math.sqrt(max(fourth - 1.0, 0.02) * n))
    for lag in range(3):
        products = np.abs(numbers[: n - lag].T @ numbers[lag:]) / math.sqrt(n)
        found.append((products * (1.0 - np.eye(q)) if lag == 0 else products).ravel())
    return float(np.concatenate(found).max())


def directions(vectors: Floats, length: float) -> float:
    """Of vectors (n, m, d) whose first d - 1 numbers are a uniform direction of length `length` over sqrt(2), apart from each other."""
    size = vectors.shape[-1] - 1
    numbers = vectors[..., :-1].reshape(len(vectors), -1) * math.sqrt(2.0 * size) / length
    return largest(numbers, 3.0 * size / (size + 2.0))


def reward_errors(rewards: Floats, means: Floats, beside: Floats) -> float:
    """Of rewards 0 and 1: their sum, how they grow with the mean, with the numbers (n, q) beside them and with their squares, and products
    of two in a row, in standard errors; others are far."""
    if set(np.unique(rewards)) != {0.0, 1.0}:
        return 1e9
    noise, variances = rewards - means, np.clip(means * (1.0 - means), 1e-9, None)
    weights = np.column_stack([np.ones_like(means), means - means.mean(), beside, beside**2 - (beside**2).mean(axis=0)])
    weights = weights[:, np.abs(weights).max(axis=0) > 1e-9]
    found = np.abs(weights.T @ noise) / np.sqrt((weights**2).T @ variances)
    in_a_row = abs(float(noise[1:] @ noise[:-1])) / math.sqrt(float(variances[1:] @ variances[:-1]))
    return max(float(found.max()), in_a_row)


def environment_errors(reward_factor: float) -> Iterator[At]:
    """Of theta*, of arms that are drawn for a run or for each round, and of rewards, whose means are taken times `reward_factor`."""
    for length in (0.7, math.sqrt(2.0)):
        fixed = UnitFeatures(4, 3, ArmSet.FIXED, feature_norm=length)
        truths = np.array([fixed.parameter(KEY, run) for run in range(ROUNDS)])[:, None]
        yield At({"of": "theta*", "L": length}, Fraction(directions(truths, 1.0 / length)), MOST)
        record = (Wire.CONTEXTS, Wire.ARMS, Wire.REWARDS)
        runs = play_many(Pipeline(UNIFORM, fixed), horizon=2, key=KEY, runs=ROUNDS, record=record)
        sets, chosen, paid = (np.asarray(runs.wire(wire)) for wire in record)
        stated = reward_factor * (sets[np.arange(ROUNDS), 0, chosen[:, 0].astype(int)] * truths[:, 0]).sum(axis=1)
        beside = np.column_stack([sets[:, 0].reshape(ROUNDS, -1), truths[:, 0], chosen])
        yield At({"of": "first rewards", "L": length}, Fraction(reward_errors(paid[:, 0], stated, beside)), MOST)
        yield At(
            {"of": "arms of a run", "L": length}, Fraction(directions(np.concatenate([sets[:, 0], truths * length**2], 1), length)), MOST
        )
        basis = np.vstack([np.eye(4)[:3] + np.eye(4)[3], np.eye(4)[3]]) * length / math.sqrt(2.0)
        first = np.asarray(
            play(Pipeline(UNIFORM, replace(fixed, arms=5, basis=True)), horizon=1, key=KEY, record=(Wire.CONTEXTS,)).wire(Wire.CONTEXTS)
        )
        yield At({"of": "basis arms", "L": length}, Fraction(float(np.abs(first[0, :4] - basis).max())), NEARLY)
        yield At({"of": "arms that change", "L": length}, Fraction(float(np.abs(sets[:, 0] - sets[:, 1]).max())), Fraction(0))
        redrawn = replace(fixed, arm_set=ArmSet.REDRAWN)
        run = play(Pipeline(UNIFORM, redrawn), horizon=ROUNDS, key=KEY, record=record)
        contexts, arms, rewards = (np.asarray(run.wire(wire)) for wire in record)
        yield At({"of": "arms of a round", "L": length}, Fraction(directions(contexts, length)), MOST)
        means = reward_factor * contexts[np.arange(ROUNDS), arms.astype(int)] @ redrawn.parameter(KEY)
        yield At({"of": "rewards", "L": length}, Fraction(reward_errors(rewards, means, contexts.reshape(ROUNDS, -1))), MOST)
        played = (
            np.eye(3)[arms.astype(int)] @ np.array([[1.0, 1.0], [-1.0, 1.0], [0.0, -2.0]]) / np.array([math.sqrt(2 / 3), math.sqrt(2.0)])
        )
        yield At({"of": "arms of uniform play", "L": length}, Fraction(largest(played, 1.5)), MOST)


def environment_is(reward_factor: float = 1.0) -> Pointwise:
    """That draws have the moments of the definition."""
    return Pointwise(
        partial(environment_errors, reward_factor), f"{ROUNDS} runs and rounds, d = 4, K = 3", "largest moment in standard errors"
    )


# --- orders -------------------------------------------------------------------------------------------------------------------------------

BATCH = 3
PLACES = {order: place for place, order in enumerate(itertools.permutations(range(BATCH)))}
Orders = Callable[[], Floats]


def of_pipeline(shuffler: Shuffler | None = None) -> Floats:
    """The orders (n, 3) in which three batches' users stand; users are known by their rewards."""
    policy = NoisyGramUCB(Method.SDP_AMP, Column.SCRIPT, 1e9, batch=BATCH)
    table = Table(np.tile(np.array([[1.0], [2.0], [3.0]]) * np.ones(2), (3, 1)), contexts=np.ones((9, 2, 1)))
    pipeline = policy.pipeline(table)
    pipeline = pipeline if shuffler is None else replace(pipeline, shuffler=shuffler)
    sent = np.asarray(play_many(pipeline, horizon=9, key=KEY, runs=ROUNDS, record=(Wire.BATCH,)).wire(Wire.BATCH))
    return np.asarray(np.round(sent[..., -1]).reshape(ROUNDS, 3, BATCH) - 1.0)


def of_mechanism() -> Floats:
    """The orders in which the mechanism of the privacy audits releases three users."""
    users = np.array([[1.0, -1.0], [1.0, 0.0], [1.0, 1.0]])
    released = GramContributions(1e9, 0.1, users=BATCH, features=1).release(users, ROUNDS, np.random.default_rng(3))
    return np.asarray(np.round(released.reshape(ROUNDS, 1, BATCH, 2)[..., 1]) + 1.0)


def order_errors(kinds: dict[str, Orders]) -> Iterator[At]:
    """The largest of how often each order occurs, and each pair of orders of two batches, in standard errors."""
    for name, draw in kinds.items():
        drawn = draw()
        if not np.array_equal(np.sort(drawn, axis=-1), np.broadcast_to(np.arange(BATCH), drawn.shape)):
            yield At({"orders": f"{name}: a user's message is lost or sent twice"}, 1000, MOST)
            continue
        found = np.array([[PLACES[tuple(int(each) for each in batch)] for batch in run] for run in drawn])
        indicators = np.eye(len(PLACES))[found].transpose(1, 0, 2)  # (batches, n, orders)
        events = [*indicators, *(one[:, :, None] * other[:, None, :] for one, other in itertools.combinations(indicators, 2))]
        worst = 0.0
        for each in events:
            flat = each.reshape(len(found), -1)
            chance = 1.0 / flat.shape[1]
            worst = max(worst, float(np.abs(flat.sum(axis=0) - len(found) * chance).max() / math.sqrt(len(found) * chance * (1 - chance))))
        yield At({"orders": name}, Fraction(worst), MOST)


def ordered_uniformly(kinds: dict[str, Orders]) -> Pointwise:
    """That every order is as probable as the others, whatever that of another batch."""
    return Pointwise(partial(order_errors, kinds), f"{ROUNDS} runs of three batches of {BATCH} users", "largest count in standard errors")


# --- learners -----------------------------------------------------------------------------------------------------------------------------

LEARNERS: tuple[Maler | OGD, ...] = (
    Maler(),
    Maler(2.0, 0.5),
    OGD(),
    OGD(Step.STRONGLY_CONVEX, 0.7),
    OGD(Step.ROOT, 0.4),
    OGD(Step.HARMONIC, 3.0),
)


def gradients_of(rounds: int, d: int, bound: float) -> Floats:
    """Gradients of several lengths, whose direction changes slowly."""
    rng = generator(key_of(d, "ldp_linucb_2024", "gradients"))
    found = rng.normal(size=(rounds, d)) + 2.0 * rng.normal(size=d) * np.sign(np.arange(rounds) % 60 - 30.0)[:, None]
    return np.asarray(found * bound * np.minimum(1.0, rng.uniform(0.2, 1.5, (rounds, 1))) / np.linalg.norm(found, axis=1, keepdims=True))


def learner_errors(norm_factor: float) -> Iterator[At]:
    """The largest distance of a prediction; the radius times `norm_factor` is said."""
    plan, norm = Plan(2, 530, 1.3, 2.0), 1.3 * norm_factor
    gradients = gradients_of(530, 2, 2.0)
    bounds = (2.0 * math.log(3.0) + 2.0, 2.0 * math.log(3.0) + 2.0, 1.5)
    stated = [each * 2.0 * 2.6 * math.sqrt(530.0) for each in bounds] + [4.0 / 1.4 * (1.0 + math.log(530.0)), math.inf, math.inf]
    for own, bound in zip(LEARNERS, stated, strict=True):
        plain = plain_learner(own, 2, 530, norm, 2.0)
        arrays, points = own.start(plan), np.zeros_like(gradients)
        update_all(arrays, gradients, points)
        expected = []
        for g in gradients:
            expected.append(plain.point)
            plain.hear(g)
            plain.move()
        again = own.start(plan)
        losses = [0.0 if bound == own.regret(plan) else abs(bound / own.regret(plan) - 1.0)]
        for g, point in zip(gradients[:5], expected, strict=False):
            losses.append(abs(own.loss(again, g, np.array([0.3, -0.2])) - float(g @ (point - np.array([0.3, -0.2])))))
            losses.append(far(own.predict(again), point))
            own.update(again, g)
        name = "maler" if isinstance(own, Maler) else own.step.value
        yield At({"learner": name}, Fraction(max(far(points, np.array(expected)), *losses)), NEARLY)


def learns(norm_factor: float = 1.0) -> Pointwise:
    """That predictions and losses are those of the formulas."""
    return Pointwise(partial(learner_errors, norm_factor), "530 gradients, six learners", "largest distance, of a bound too")


# --- several at once ----------------------------------------------------------------------------------------------------------------------

SIGMA = 1.5
MANY = 4_500  # more than the rounds of a block


def together_errors(environments: tuple[Environment, ...], first: int) -> Iterator[At]:
    """The largest distance of a regret from that of the same learner alone, whose run is `first`."""
    learners = (UNIFORM, NoisyGramUCB(Method.LIN_UCB), NoisyGramUCB(Method.LDP, epsilon=50.0))
    marks = (1, 4_000, 4_097, MANY)
    for environment in environments:
        pipelines = [each.pipeline(environment) for each in learners]
        shared = play_together(pipelines, horizon=MANY, key=KEY, run=1, checkpoints=marks)
        alone = [play(each, horizon=MANY, key=KEY, run=first, checkpoints=marks) for each in pipelines]
        apart = max(far(one.regret, other.regret) for one, other in zip(shared, alone, strict=True))
        yield At({"arms": environment.arms}, Fraction(apart), Fraction(0))


def plays_together(first: int = 1) -> Pointwise:
    """That learners which share an environment play what they would play alone."""
    environments = UnitFeatures(2, 3, ArmSet.REDRAWN), UnitFeatures(2, 4, ArmSet.FIXED)
    return Pointwise(partial(together_errors, environments, first), f"three learners, {MANY} rounds", "distance of regrets")


def any_errors(factor: float) -> Iterator[At]:
    """Rounds with another base learner, and the distance of the regret; `factor` is that of the played radius."""
    quick = 0.2 * np.sin(np.arange(LONG) * 1.7)
    alike = (BELIEVED[0]._replace(target=0.0),) * 3
    falls, line = np.where(np.arange(LONG) % 100 < 40, 1.0, -1.0), np.linspace(1.0, -1.0, LONG)
    for rewards, features, believed in ((falls, 0, BELIEVED), (line, 3, BELIEVED), (quick, 3, BELIEVED), (quick, 0, alike)):
        contexts = np.asarray(falling().contexts) if features else None
        own = np.array([0.2, 1.0])  # of each arm, so that regret depends on it
        table = Table(rewards[:, None] * np.ones(2), means=np.tile(own, (LONG, 1)), contexts=contexts)
        policies = (UNIFORM, NoisyGramUCB(Method.LIN_UCB), NoisyGramUCB(Method.LIN_UCB, width_scale=0.1))
        played = play_combined(policies, Beliefs(believed, SIGMA, FAILURE, factor), table, horizon=LONG, key=KEY)
        accounts = PlainAccounts([Belief(*each) for each in believed], SIGMA, LONG, FAILURE, FACTOR)
        wrong = 0
        for round in range(LONG):
            base = accounts.chosen()
            wrong += int(base != played.learners[round])
            accounts.count(base, float(rewards[round]))
        regret = np.cumsum(1.0 - own[played.arms])
        shown = {"features": features, "removed": len(accounts.active) - sum(accounts.active)}
        yield At(shown, Fraction(wrong + far(played.regret, regret)), NEARLY)


def combines_any(factor: float = FACTOR) -> Pointwise:
    """That base learners are those of Algorithm 2, and regret that of the arms."""
    return Pointwise(partial(any_errors, factor), f"four runs of {LONG} rounds, three baselines", "wrong learners and error of regret")


ORDERS: dict[str, Orders] = {"shuffler": of_pipeline, "mechanism": of_mechanism}
AUDITS = (
    Audit(loss.EXPERIMENT_MOMENT.id, "points.moments_drawn", "UnitFeatures and uniform play: moments of what is drawn", environment_is()),
    Audit(baselines.AMPLIFIED_SIGMA.id, "points.orders_drawn", "how often each order of a batch occurs", ordered_uniformly(ORDERS)),
    Audit(learner.MALER_NEWTON.id, "points.long_runs", "predictions of all learners past the refresh of inverses", learns()),
    Audit(baselines.SCRIPT_WIDTH.id, "points.played_together", "learners that share an environment beside runs alone", plays_together()),
    Audit(combiner.INDEX.id, "points.any_policies", "Algorithm 2 over baselines, in plain Python", combines_any()),
)
