"""Experiment D.1's explanation: rewards of -1 and 1 have less regret than Gaussian noise because their variance is lower.

Gaussian noise with the variance that rewards of -1 and 1 have at the best arm, 1 - 0.75^2, in place of 1; all else is D.1's, the decision
sets included. The learner still takes sigma = 1. Played for the five smaller dimensions, which cost least.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from banditproof.algorithms.environments.sphere import Rewards
from banditproof.algorithms.policies.lin_ucb.policy import Noise
from banditproof.audits.experiments import cells
from banditproof.audits.experiments.experiment import Outcome, Progress, ReproductionRequest, compared
from banditproof.audits.papers.shariff_sheffet_2018.figures.runs import TOP, Setting, environment, learner
from banditproof.interaction import Floats, Pipeline
from banditproof.randomness import key_of
from banditproof.simulation import play

DIMENSIONS = (4, 6, 9, 13, 20)
DEVIATION, GAP, HORIZON = (1.0 - TOP**2) ** 0.5, 0.1, 100_000


@dataclass(frozen=True)
class Quieter:
    """Repetition `run` at a dimension, with noise of the standard deviation `deviation`, stopped after `horizon` rounds."""

    dimension: int
    deviation: float
    seed: int
    run: int
    horizon: int


def played(tasks: Sequence[Quieter]) -> list[Floats]:
    """The pseudo-regret (1,) of each."""
    return [_played(task) for task in tasks]


def _played(task: Quieter) -> Floats:
    setting = Setting(Noise.NONE, task.dimension, GAP, Rewards.GAUSSIAN, HORIZON)
    place = replace(environment(setting), standard_deviation=task.deviation)
    key = key_of(task.seed, "shariff_sheffet_2018", "figures")
    return play(Pipeline(learner(setting), place), horizon=task.horizon, key=key, run=task.run, record=()).regret


def totals(request: ReproductionRequest, progress: Progress) -> Floats:
    """Total regrets (R, D)."""
    tasks = [Quieter(dimension, DEVIATION, request.seed, run, request.horizon) for run in range(request.runs) for dimension in DIMENSIONS]
    found = cells.computed(tasks, played, request, progress, lambda task: float(task.dimension**4))
    return np.array([found[task][-1] for task in tasks]).reshape(request.runs, len(DIMENSIONS))


def outcomes(quieter: Floats, others: Mapping[str, Floats], horizon: int, planned_horizon: int) -> tuple[Outcome, ...]:
    """vi: a lower variance alone lowers regret, and at the variance of the best arm at least as far as rewards of -1 and 1 do. By the mean
    of log regret over the dimensions (R,); `others` has total regrets (R, D) at the same dimensions."""
    short = "" if horizon >= planned_horizon else f"the paper's runs have {planned_horizon:,} rounds, these {horizon:,}"
    centre = {distribution: np.asarray(np.log(values).mean(axis=1)) for distribution, values in {**others, "quieter": quieter}.items()}
    sides = (
        compared("log regret, variance 0.4375 < variance 1", centre["quieter"], centre["Gaussian"]),
        compared("log regret, variance 0.4375 < ±1", centre["quieter"], centre["±1"]),
    )
    quote = "This is perhaps why the regret is somewhat lower than with gaussian reward noise"
    reported = "a lower variance alone explains the lower regret of ±1 rewards (d up to 20)"
    return (Outcome("vi", reported, sides, undecided=short, quote=quote, missing="how many dimensions, how many repetitions"),)


def design(runs: int, horizon: int, planned_horizon: int) -> tuple[Outcome, ...]:
    """The outcome on numbers that mean nothing."""
    nothing = np.ones((max(runs, 2), len(DIMENSIONS)))
    return outcomes(nothing, {"Gaussian": nothing, "±1": nothing}, horizon, planned_horizon)
