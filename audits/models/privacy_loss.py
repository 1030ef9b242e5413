"""The posterior of an event's privacy loss as a PyMC model, with diagnostics: shown beside the exact interval, never instead.

epsilon is declared in one direction, that of the event as selected on other draws; right guesses among the guesses are binomial with
probability 1 / (1 + exp(-epsilon)). The prior is logistic, which is the uniform prior on that probability.
"""

from typing import Any

from banditproof.audits.models.diagnostics import summarise
from banditproof.randomness import Words

CHAINS, DRAWS, TUNE = 4, 1000, 500


def sample_posterior(*, right: int, wrong: int, key: Words, mass: float = 0.9) -> dict[str, Any]:
    """Samples the posterior of epsilon by NUTS and returns its summary: mean, interval, effective sample sizes, R-hat, divergences.

    One process, so the numbers depend on the key alone. Without a C compiler the model runs on numba.
    """
    import logging
    import shutil
    import warnings

    import numpy as np
    import pymc as pm
    import pytensor

    logging.getLogger("pymc").setLevel(logging.ERROR)
    warnings.filterwarnings(
        "ignore", message="PyTensor could not link to a BLAS", category=UserWarning
    )  # one scalar: there is nothing to link
    compiler = pytensor.config.cxx or shutil.which("g++") or shutil.which("clang++")
    with pytensor.config.change_flags(mode=pytensor.config.mode if compiler else "NUMBA"), pm.Model():
        epsilon = pm.Logistic("epsilon", mu=0.0, s=1.0)
        pm.Binomial("right", n=right + wrong, p=pm.math.sigmoid(epsilon), observed=right)
        trace = pm.sample(
            draws=DRAWS,
            tune=TUNE,
            chains=CHAINS,
            cores=1,
            random_seed=int(np.random.SeedSequence([int(word) for word in key]).generate_state(1)[0]),
            progressbar=False,
            compute_convergence_checks=False,
        )
    summary: dict[str, Any] = summarise(trace, "epsilon", mass)
    summary["divergences"] = int(trace.sample_stats["diverging"].sum())
    return summary
