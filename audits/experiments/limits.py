"""What may be asked of an experiment: its own rounds and runs where nothing else is said, and numbers that it can be run with."""

from pathlib import Path

from banditproof import glossary
from banditproof.audits.experiments.experiment import Experiment, ReproductionRequest
from banditproof.guarantees import require

MOST_ROUNDS, MOST_RUNS = 10**8, 10**6


def asked_of(
    experiment: Experiment,
    *,
    seed: int,
    jobs: int,
    runs: int | None = None,
    horizon: int | None = None,
    kept: Path | None = None,
    alpha_1: float | None = None,
) -> ReproductionRequest:
    """The request, with the paper's runs and horizon by default. Raises ValueError, naming the value and the rule, on what the experiment
    cannot be run with."""
    rounds = experiment.horizon if horizon is None else int(glossary.HORIZON.require(horizon))
    repetitions = experiment.runs if runs is None else runs
    require(repetitions >= 2, f"runs = {repetitions}: must be an integer >= 2 (repetitions of each curve)")
    least, most = experiment.least_horizon, experiment.most_horizon
    require(repetitions <= MOST_RUNS, f"runs = {repetitions}: must be <= {MOST_RUNS} (repetitions of each curve)")
    require(rounds <= MOST_ROUNDS, f"horizon = {rounds}: must be <= {MOST_ROUNDS} (rounds whose regret fits in memory)")
    require(rounds >= least, f"horizon = {rounds}: must be >= {least} (rounds of {experiment.id})")
    if most is not None:
        require(rounds <= most, f"horizon = {rounds}: must be <= {most} (the rounds that {experiment.id} is planned for)")
    if alpha_1 is not None:
        _require_alpha_1(experiment, alpha_1)
    return ReproductionRequest(seed, repetitions, rounds, jobs, kept, alpha_1)


def _require_alpha_1(experiment: Experiment, alpha_1: float) -> None:
    if experiment.alpha_1_range is None:
        raise ValueError(f"alpha-1 = {alpha_1:g}: must not be given ({experiment.id} has no contamination)")
    low, high = experiment.alpha_1_range
    within = f"must be >= {low:g} (the largest alpha of {experiment.id}) and <= {high:g} (Corollary 6.8)"
    require(low <= alpha_1 <= high, f"alpha-1 = {alpha_1:g}: {within}")
