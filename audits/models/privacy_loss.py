"""The posterior of an event's privacy loss as a PyMC model, with diagnostics: shown beside the exact interval, never instead.

The loss is declared in one direction, that of the event as selected on other draws. Right guesses among the guesses are binomial with
probability 1 / (1 + exp(-epsilon)), or Phi(mu / 2) for Gaussian privacy; with delta, a share of the guesses is given away. The prior is
logistic, or normal with deviation 2: either is the uniform prior on that probability.
"""

from typing import Any

from banditproof.audits.models.diagnostics import summarise
from banditproof.randomness import Words

CHAINS, DRAWS, TUNE = 4, 1000, 500


def sample_posterior(
    *, right: int, wrong: int, key: Words, quantity: str = "epsilon", leaked: float = 0.0, mass: float = 0.9
) -> dict[str, Any]:
    """Samples the posterior of epsilon, or of mu, by NUTS: mean, interval, effective sample sizes, R-hat, divergences.

    `leaked` right guesses are expected to be delta's own. One process, so the numbers depend on the key alone. Without a C compiler the
    model runs on numba. Raises ValueError without a guess, or if no guess is left beside the leaks.
    """
    import logging
    import shutil
    import warnings

    import numpy as np
    import pymc as pm
    import pytensor

    if not right + wrong > leaked >= 0.0:
        raise ValueError(f"right = {right}, wrong = {wrong}, leaked = {leaked}: some guess must be left beside the leaks")
    logging.getLogger("pymc").setLevel(logging.ERROR)
    warnings.filterwarnings(
        "ignore", message="PyTensor could not link to a BLAS", category=UserWarning
    )  # one scalar: there is nothing to link
    compiler = pytensor.config.cxx or shutil.which("g++") or shutil.which("clang++")
    with pytensor.config.change_flags(mode=pytensor.config.mode if compiler else "NUMBA"), pm.Model():
        if quantity == "mu":
            loss = pm.Normal("mu", mu=0.0, sigma=2.0)
            rate = 0.5 * pm.math.erfc(-loss / (2.0 * np.sqrt(2.0)))
        else:
            loss = pm.Logistic("epsilon", mu=0.0, s=1.0)
            rate = pm.math.sigmoid(loss)
        share = leaked / (right + wrong)
        pm.Binomial("right", n=right + wrong, p=share + (1.0 - share) * rate, observed=right)
        trace = pm.sample(
            draws=DRAWS,
            tune=TUNE,
            chains=CHAINS,
            cores=1,
            random_seed=int(np.random.SeedSequence([int(word) for word in key]).generate_state(1)[0]),
            progressbar=False,
            compute_convergence_checks=False,
        )
    summary: dict[str, Any] = summarise(trace, "mu" if quantity == "mu" else "epsilon", mass)
    summary["divergences"] = int(trace.sample_stats["diverging"].sum())
    return summary
