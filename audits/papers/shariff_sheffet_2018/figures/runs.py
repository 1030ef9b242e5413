"""What is played in the experiments of Shariff and Sheffet 2018, Appendix D: a task is one run.

Readings (the paper leaves them open)
- theta* = e_1 and a fresh decision set a round, K = d^2, the best arm at a random index: `algorithms/environments/sphere.py`.
- A gap Delta: the other arms are uniform on the unit vectors with <x, theta*> in [-0.75, 0.75 - Delta].
- S = L = sigma = 1, L~^2 = 2, alpha = 1/n. The calibration is the printed one.
- All constants are those of the paper's horizon (`planned_horizon`); a run that stops earlier changes none of them. No noise is scaled.
- rho_min None is the table of Propositions 9 and 11. Another one moves rho_max as far, and gamma by Claim 20 (Wishart) or as
  sigma_noise sqrt(m / rho_min) a_2 (Gaussian). At the printed rho_min both are the same for Gaussian noise; for Wishart noise the table's
  gamma is the larger one, L~ sqrt(s a_2), and it is what is played there.
- Repetition r of every setting has the same key and run number, so settings are compared pair by pair.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from banditproof.algorithms.environments.sphere import Rewards, Sphere
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.playing.together import play_together, rounds_in_turn
from banditproof.algorithms.policies.lin_ucb.policy import Constants, LinUCB, Noise, states_together
from banditproof.guarantees import require
from banditproof.interaction import Floats, Pipeline
from banditproof.randomness import key_of

EPSILON, DELTA, TOP, LOW = 1.0, 0.1, 0.75, -0.75
DRAWN, BEYOND = 100, 30  # checkpoints up to where curves are drawn, and after it


@dataclass(frozen=True)
class Setting:
    """A learner on decision sets: what its noise is, where its rho_min stands (None: as printed), and the rounds it is planned for."""

    noise: Noise
    dimension: int
    gap: float
    rewards: Rewards
    planned_horizon: int
    rho_min: float | None = None


@dataclass(frozen=True)
class Task:
    """Repetition `run` of a setting, stopped after `horizon` rounds."""

    setting: Setting
    seed: int
    run: int
    horizon: int
    checkpoints: tuple[int, ...]


def learner(setting: Setting) -> LinUCB:
    """LinUCB with the printed calibration."""
    printed = Calibration.PUBLISHED
    return LinUCB(setting.noise, EPSILON, DELTA, planned_horizon=setting.planned_horizon, calibration=printed, rho_min=setting.rho_min)


def environment(setting: Setting) -> Sphere:
    """Decision sets of d^2 unit vectors."""
    return Sphere(setting.dimension, setting.dimension**2, LOW, TOP - setting.gap, TOP, rewards=setting.rewards)


def constants(setting: Setting) -> Constants:
    """All that the learner fixes before the first round."""
    return learner(setting).constants(setting.dimension, setting.planned_horizon)


def companions(task: Task) -> Hashable:
    """Tasks of which it says the same are played together: they see the same decision sets in the same rounds."""
    return environment(task.setting), task.seed, task.run, task.horizon, task.checkpoints


def played(tasks: Sequence[Task]) -> list[Floats]:
    """Pseudo-regret (C,) of each task at the checkpoints; in blocks: no memory grows with the horizon. Raises ValueError unless they are
    companions."""
    shared = tasks[0]
    require(len(set(map(companions, tasks))) == 1, f"{len(tasks)} tasks: must be companions (the same sets, rounds and checkpoints)")
    place, policies = environment(shared.setting), [learner(task.setting) for task in tasks]
    runs = play_together(
        [Pipeline(policy, place) for policy in policies],
        horizon=shared.horizon,
        key=key_of(shared.seed, "shariff_sheffet_2018", "figures"),
        run=shared.run,
        checkpoints=shared.checkpoints,
        states=states_together(policies, place.arms, place.dimension, shared.horizon, rounds_in_turn(place)),
    )
    return [run.regret for run in runs]


def by_repetition(groups: Iterable[Sequence[Task]]) -> list[Task]:
    """The first task of every group, then the second ones: so a run that is stopped leaves whole repetitions."""
    return [task for repetition in zip(*groups, strict=True) for task in repetition]


def marks(horizon: int, drawn: int) -> tuple[int, ...]:
    """Checkpoints: DRAWN even ones up to round `drawn` or the horizon, and BEYOND further ones if that is later."""
    first = np.linspace(0.0, min(horizon, drawn), DRAWN + 1)[1:]
    later = np.linspace(drawn, horizon, BEYOND + 1)[1:] if horizon > drawn else first
    return tuple(int(mark) for mark in np.unique(np.ceil(np.concatenate([first, later]))))


def shortened(horizon: int, planned_horizon: int) -> tuple[str, ...]:
    """What is said of a run that is shorter than the paper's."""
    return (
        ()
        if horizon >= planned_horizon
        else (f"Stopped after {horizon:,} of {planned_horizon:,} rounds; every constant is that of {planned_horizon:,}.",)
    )
