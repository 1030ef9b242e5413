"""charisopoulos_2023: whole runs of the shipped algorithm, replayed from the sheet (`transcribed`) by what their server received.

Every option is in one run at least, with noise that is clipped, adversaries, reports that are no numbers, arms that span a plane, unit
vectors, and horizons in which no batch fits, or just one. Replayed: arms, releases, their rounds, reports, regret.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import assert_never

import numpy as np

from banditproof.algorithms.environments.fixed_linear import FixedLinear, Noise
from banditproof.algorithms.environments.linear_adversary import Attack, LinearAdversary, Positions
from banditproof.algorithms.mechanisms.client_reports import Clipping, Level
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel
from banditproof.audits.common.beside import unbroken
from banditproof.audits.common.short_blocks import coin, normal, short_stream
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.charisopoulos_2023 import transcribed
from banditproof.audits.papers.charisopoulos_2023.expected_runs import Block, Learner
from banditproof.audits.papers.charisopoulos_2023.run_settings import SETTINGS, Played
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Floats, Pipeline, Wire, Words
from banditproof.randomness import CLIENT, REWARDS, laplace
from banditproof.simulation import play_many
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import elimination, first_model, second_model, setting

RECORD = (Wire.ARMS, Wire.REWARDS, Wire.REPORT, Wire.RECEIVED, Wire.STATISTIC)
RUNS, CLOSE, FAR = 2, Fraction(1, 10**7), 10**9


@dataclass(frozen=True, eq=False)
class Seen:
    """One of the runs of a setting: its wires (T, ...), its regret (T,), and what was to be expected."""

    wires: dict[Wire, Floats]
    regret: Floats
    expected: tuple[Block, ...]


@cache
def seen(played: Played, run: int) -> Seen:
    policy = played.policy if played.player is None else played.player
    environment = played.environment if played.payer is None else played.payer
    pipeline = Pipeline(policy, environment, policy.randomiser(level=played.level), played.corruption)
    many = play_many(pipeline, horizon=played.horizon, key=played.key, runs=RUNS, record=RECORD, checkpoints=range(1, played.horizon + 1))
    wires = {wire: np.asarray(many.wire(wire)[run]) for wire in RECORD}
    learner = Learner(played.policy, played.vectors, played.horizon, np.append(played.key, np.uint64(run)))
    return Seen(wires, many.regret[run], tuple(learner.batches(wires[Wire.RECEIVED][:, 0])))


def every(settings: tuple[Played, ...]) -> Iterator[tuple[Played, dict[str, object], Seen]]:
    for played in settings:
        for run in range(RUNS):
            yield played, {"setting": played.name, "run": run}, seen(played, run)


def number(value: float) -> Fraction:
    """The value, or a large one in place of NaN and infinities."""
    return Fraction(value) if math.isfinite(value) else Fraction(FAR)


def arms(settings: tuple[Played, ...]) -> Iterator[At]:
    """Rounds in which another arm was pulled than the batches of the sheet have."""
    for _, where, found in every(settings):
        expected = np.concatenate([block.arms for block in found.expected])
        yield At(where, int((found.wires[Wire.ARMS] != expected).sum()), 0)


def releases(settings: tuple[Played, ...]) -> Iterator[At]:
    """The rounds of releases, and each release: theta, gamma, removed reports, the active arms."""
    for played, where, found in every(settings):
        statistic, width = found.wires[Wire.STATISTIC], played.vectors.shape[1]
        rounds = np.flatnonzero(~np.isnan(statistic).all(axis=1))
        yield At({**where, "compared": "rounds"}, int(list(rounds) != [block.last for block in found.expected]), 0)
        for index, block in enumerate(found.expected):
            if block.close:
                break
            row, at = statistic[block.last], {**where, "batch": index + 1}
            off = float(np.abs(row[:width] - block.theta).max()) / block.unit
            yield At({**at, "compared": "theta"}, number(off), CLOSE)
            same = row[width] == block.gamma
            yield At({**at, "compared": "gamma"}, 0 if same else number(abs(row[width] - block.gamma) / block.gamma), CLOSE)
            yield At({**at, "compared": "removed"}, number(abs(row[width + 1] - block.removed)), 0)
            yield At({**at, "compared": "active"}, int((row[width + 2 :] != block.active).sum()), 0)


def regrets(settings: tuple[Played, ...]) -> Iterator[At]:
    """The regret of every round, beside the gaps of the arms that were pulled."""
    for played, where, found in every(settings):
        if isinstance(played.environment, FixedLinear):
            means = played.vectors @ np.array(played.environment.theta)
        else:
            means = np.arange(played.environment.arms) / played.environment.arms
        gaps = np.cumsum(means.max() - means[found.wires[Wire.ARMS]])
        yield At(where, number(float(np.abs(found.regret - gaps).max())), CLOSE)


def rewards(settings: tuple[Played, ...]) -> Iterator[At]:
    """The largest distance of a reward from the mean of its arm with the noise of the round."""
    for played, where, found in every(settings):
        problem, pulled = played.environment, found.wires[Wire.ARMS]
        if isinstance(problem, FixedLinear):
            key, worst = np.append(played.key, np.uint64(int(str(where["run"])))), 0.0
            stream = short_stream(key, REWARDS)
            for round, arm in enumerate(pulled):
                mean = math.fsum(x * y for x, y in zip(problem.vectors[arm], problem.theta, strict=True))
                expected = paid(problem, mean, normal(stream, round), coin(stream, round))
                worst = max(worst, abs(float(found.wires[Wire.REWARDS][round]) - expected))
            yield At(where, number(worst), CLOSE)


def paid(problem: FixedLinear, mean: float, gaussian: float, coin: float) -> float:
    """A reward by one Gaussian and one uniform number, of which its noise takes one."""
    match problem.noise:
        case Noise.GAUSSIAN:
            return mean + max(-problem.bound, min(problem.bound, problem.standard_deviation * gaussian))
        case Noise.RADEMACHER:
            return mean + (problem.standard_deviation if coin < 0.5 else -problem.standard_deviation)
        case Noise.SIGNS:
            return 1.0 if coin < (1.0 + mean) / 2.0 else -1.0
        case _:
            assert_never(problem.noise)


def clip(reward: float) -> float:
    """To [-1, 1]; NaN stays NaN, of which no client makes a number."""
    return reward if math.isnan(reward) else min(max(reward, -1.0), 1.0)


def sent(played: Played, found: Seen, key: Words) -> Floats:
    """The reports (T,) that the rewards of a run call for, with noise 2/(n epsilon) times the Laplace number of the round."""
    policy, rewards = played.policy, found.wires[Wire.REWARDS]
    held = policy.clipping is Clipping.REPAIRED and policy.epsilon < math.inf
    values = np.array([clip(float(each)) for each in rewards]) if held else rewards
    noise = 2.0 / policy.epsilon * np.array([laplace(key, CLIENT, round) for round in range(played.horizon)])
    if policy.model is ClientModel.FIRST:
        return np.asarray(values + noise)
    reports = np.full(played.horizon, math.nan)
    for block in found.expected:
        ends = np.flatnonzero(np.append(np.diff(block.arms) != 0, True)) if block.learned else np.zeros(0, dtype=int)
        begins = np.concatenate([[0], ends[:-1] + 1])
        for begin, end in zip(begins, ends, strict=False):
            plays = end - begin + 1
            mean = sum(values[block.first + begin : block.first + end + 1].tolist()) / plays
            reports[block.first + end] = mean + noise[block.first + end] / (1 if played.level is Level.USER else plays)
    return reports


def distance(one: Floats, other: Floats) -> float:
    """The largest distance of two numbers in one place."""
    both = np.isfinite(one) & np.isfinite(other)
    return float(np.abs(one[both] - other[both]).max(initial=0.0))


def reports(settings: tuple[Played, ...]) -> Iterator[At]:
    """The largest distance of a report from that one; what is no number in one of them alone is far."""
    for played, where, found in every(settings):
        expected = sent(played, found, np.append(played.key, np.uint64(int(str(where["run"])))))
        shipped = found.wires[Wire.REPORT][:, 0]
        yield At({**where, "compared": "no numbers"}, int((np.isfinite(shipped) != np.isfinite(expected)).sum()), 0)
        yield At(where, number(distance(shipped, expected)), CLOSE)


def received(settings: tuple[Played, ...]) -> Iterator[At]:
    """The largest distance of what was received from what the adversary makes of the reports of each batch."""
    for played, where, found in every(settings):
        expected = found.wires[Wire.REPORT].copy()
        key = np.append(played.key, np.uint64(int(str(where["run"]))))
        if isinstance(played.corruption, LinearAdversary):
            each = played.corruption
            attack = transcribed.Attack(
                each.corruption, each.direction, each.size, each.positions is Positions.WORST, each.values is Attack.IMITATE
            )
            for block in found.expected:
                before = expected[block.first : block.last + 1, 0].copy()
                for user, value in attack.struck(played.vectors, block.arms, before, key, block.first):
                    expected[block.first + user] = value
        shipped = found.wires[Wire.RECEIVED]
        yield At({**where, "compared": "no numbers"}, int((np.isfinite(shipped) != np.isfinite(expected)).sum()), 0)
        yield At(where, number(distance(shipped, expected)), CLOSE)


Points = Callable[[tuple[Played, ...]], Iterator[At]]
REPLAYS: tuple[tuple[str, str, str, Points, str], ...] = (
    (elimination.SURVIVING_GAP.id, "runs_released", "theta, gamma, removals and active arms", releases, "distance, or arms"),
    (elimination.BATCH_REGRET_BOUND.id, "runs_pulled", "the arm of every round", arms, "rounds"),
    (setting.REWARD.id, "runs_paid", "the reward of every round", rewards, "distance"),
    (setting.REGRET_CEILING.id, "runs_regret", "the regret of every round", regrets, "distance"),
    (first_model.REPORT_SCALE_FIRST.id, "runs_sent", "reports of new clients", reports, "distance, or reports"),
    (second_model.REPORT_SCALE_SECOND.id, "runs_sent", "reports of owners", reports, "distance, or reports"),
    (setting.LEAST_SQUARES.id, "runs_received", "reports after the adversary", received, "distance, or reports"),
)


def of_model(id: str) -> tuple[Played, ...]:
    """The runs that a statement is about: reports of one model, else all of them."""
    match id:
        case first_model.REPORT_SCALE_FIRST.id:
            return tuple(each for each in SETTINGS if each.policy.model is ClientModel.FIRST)
        case second_model.REPORT_SCALE_SECOND.id:
            return tuple(each for each in SETTINGS if each.policy.model is ClientModel.SECOND)
        case _:
            return SETTINGS


REPLAYED = tuple(
    Audit(
        id,
        f"points.{slug}",
        f"{len(of_model(id))} settings of RobustArmElimination, replayed from the sheet: {words}",
        Pointwise(
            unbroken(partial(points, of_model(id))),
            f"{RUNS} runs of each of {len(of_model(id))} settings",
            quantity,
            Sense.AT_MOST,
        ),
    )
    for id, slug, words, points, quantity in REPLAYS
)
