"""LinUCB of installed bandit libraries (lock/peers.txt), d = 5, K = 25, contexts ready: one call to choose and one to learn per round.

    mabwiser   one theta per arm, all arms see one context of the round: K matrices, a heavier problem than ours
    river      one theta per arm, one context; it keeps a Bayesian regression per arm
    coba       one theta for all arms, each with features of its own: our problem

A ratio to the first two is therefore an upper bound on "times faster".
"""

import importlib.util
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.plain.drawn_lin_ucb import unit_vectors
from benchmarks.runner.cases import Case, Missing, Scale, TimedCall, Work

ARMS, DIMENSION, SEED = 25, 5, 17
FOLDER = Path(__file__).resolve().parents[2] / ".cache" / "peers" / f"py{sys.version_info.major}{sys.version_info.minor}"


def _mabwiser(rounds: int) -> Work:
    from mabwiser.mab import MAB, LearningPolicy

    rng, learner = np.random.default_rng(SEED), MAB(list(range(ARMS)), LearningPolicy.LinUCB(alpha=1.0), seed=SEED)
    contexts, rewards = unit_vectors(rounds + ARMS, DIMENSION, rng), rng.integers(0, 2, rounds + ARMS).astype(float)
    learner.fit(list(range(ARMS)), rewards[rounds:].tolist(), contexts[rounds:])

    def work() -> None:
        for round in range(rounds):
            context = contexts[round : round + 1]
            learner.partial_fit([learner.predict(context)], rewards[round : round + 1], context)

    return work


def _river(rounds: int) -> Work:
    from river.bandit import LinUCBDisjoint

    rng, learner, arms = np.random.default_rng(SEED), LinUCBDisjoint(alpha=1.0, seed=SEED), list(range(ARMS))
    contexts = [dict(enumerate(vector.tolist())) for vector in unit_vectors(rounds, DIMENSION, rng)]
    rewards = rng.integers(0, 2, rounds).tolist()

    def work() -> None:
        for context, reward in zip(contexts, rewards, strict=True):
            learner.update(learner.pull(arms, context=context), context, reward)

    return work


def _coba(rounds: int) -> Work:
    from coba.learners import LinUCBLearner

    rng, learner = np.random.default_rng(SEED), LinUCBLearner(alpha=1.0, features=["a"])
    sets = [list(map(tuple, unit_vectors(ARMS, DIMENSION, rng).tolist())) for _ in range(rounds)]
    rewards = rng.integers(0, 2, rounds).tolist()

    def work() -> None:
        for arms, reward in zip(sets, rewards, strict=True):
            arm, probability = learner.predict(None, arms)
            learner.learn(None, arm, reward, probability)

    return work


_PEERS: dict[str, tuple[Callable[[int], Work], str]] = {
    "mabwiser": (_mabwiser, "one theta per arm, a heavier problem; contexts ready"),
    "river": (_river, "one theta per arm, a heavier problem; contexts ready"),
    "coba": (_coba, "one theta for all arms, as ours; contexts ready"),
}
NAMES = tuple(_PEERS)


def cases(scale: Scale) -> Sequence[Case]:
    """A case per peer; one that is not installed is Missing."""
    rounds, found = scale.of(100, 30), list[Case]()
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))  # behind everything: what is pinned for the product is never replaced
    for name, (prepare, note) in _PEERS.items():
        if importlib.util.find_spec(name) is None:
            found.append(Missing(name, f"{name} is not installed in {FOLDER} (lock/peers.txt; `make bench` installs it)"))
        else:
            found.append(TimedCall(name, _with(prepare, rounds), rounds, slow=True, note=f"{note}; version {_version(name)}"))
    return found


def _with(prepare: Callable[[int], Work], rounds: int) -> Callable[[], Work]:
    return lambda: prepare(rounds)


def _version(name: str) -> Any:
    from importlib.metadata import version

    return version(name)
