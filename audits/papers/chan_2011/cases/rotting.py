"""chan_2011: the arms that rot, on which the adaptive audit plays: their means and rewards, number by number."""

from collections.abc import Iterator

import numpy as np

from banditproof import randomness
from banditproof.algorithms.environments.rotting import Rotting
from banditproof.audits.common.drawn_rewards import RUN, blocks, in_turn, near
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Floats, Wire, Words
from banditproof.randomness import key_of

_ROTTING = (Rotting((0.9, 0.8)), Rotting((0.25, 1.0, 0.6), 0.125), Rotting((0.5, 0.3, 0.8, 0.1, 0.7), 0.0), Rotting((0.4, 0.95), 0.3))
_ROUNDS = 42


def _means_left(environment: Rotting, rounds: int) -> Floats:
    """The means (T, K) where all arms are played in turn: each falls with the pulls of its own arm, to 0 at the least."""
    pulls = np.arange(rounds)[:, None] // environment.arms + (np.arange(environment.arms) < np.arange(rounds)[:, None] % environment.arms)
    return np.asarray(np.clip(np.array(environment.means) - environment.fall * pulls, 0.0, None))


def _step_by_step(environment: Rotting, words: Words) -> list[list[float]]:
    """Of each round: the next one to present, the reward of the arm whose turn it is, and the means, from the kernels in plain Python."""
    setup, memory, contexts, rows = environment.setup(), environment.memory(), np.zeros((environment.arms, 0)), []
    for round in range(_ROUNDS):
        means = np.full(environment.arms, np.nan)
        after = environment.present(setup, memory, words, round, contexts, means)
        rows.append([after, environment.reward(setup, memory, round, words, round % environment.arms, contexts), *means])
    return rows


def _rotting_called() -> Iterator[At]:
    for number, environment in enumerate(_ROTTING):
        key, rounds, means = key_of(number, "rotting", "called"), np.arange(_ROUNDS), _means_left(environment, _ROUNDS)
        paid = blocks(key, randomness.REWARDS, _ROUNDS)[:, 0] < means[rounds, rounds % environment.arms]
        yield near(
            {"case": str(environment)},
            np.column_stack([rounds + 1, paid, means]),
            _step_by_step,
            environment,
            np.append(key, np.uint64(RUN)),
        )


def _rotting_played() -> Iterator[At]:
    for number, environment in enumerate(_ROTTING):
        key, rounds, means = key_of(number, "rotting"), np.arange(_ROUNDS), _means_left(environment, _ROUNDS)
        run, arms = in_turn(environment, _ROUNDS, key), rounds % environment.arms
        paid = blocks(key, randomness.REWARDS, _ROUNDS)[:, 0] < means[rounds, arms]
        yield near({"case": str(environment), "of": "rewards"}, paid, run.wire, Wire.REWARDS)
        yield near({"case": str(environment), "of": "arms"}, arms, run.wire, Wire.ARMS)
        yield near(
            {"case": str(environment), "of": "regret"}, np.cumsum(means.max(axis=1) - means[rounds, arms]), lambda run: run.regret, run
        )


ROTTING = tuple(
    Audit(
        "chan_2011.tree_privacy",
        f"points.rotting_{name}",
        f"means and rewards of arms that rot, {name}",
        Pointwise(points, f"{len(_ROTTING)} environments, {_ROUNDS} rounds", "distance"),
    )
    for name, points in (("called", _rotting_called), ("played", _rotting_played))
)
