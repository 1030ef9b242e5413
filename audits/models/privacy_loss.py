"""The posterior of an event's privacy loss as a PyMC model, with diagnostics: shown beside the exact interval, never instead.

The loss is declared in one direction, that of the event as selected on other draws. Right guesses among the guesses are binomial with
probability 1 / (1 + exp(-epsilon)), or Phi(mu / 2) for Gaussian privacy; with delta, a fraction of the guesses is given away. The prior is
logistic, or normal with deviation 2: either is the uniform prior on that probability.

A model and its NUTS step are compiled once in a process. The counts are its data: as constants they would be written into its C code,
which would be compiled again for each posterior (1.8 of 2.6 s).
"""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from banditproof.audits.models.diagnostics import quiet_import, summarise
from banditproof.randomness import Words

CHAINS, DRAWS, TUNE = 4, 500, 300
_EPSILON, _MU = "epsilon", "mu"
_GROUPS = ("posterior", "sample_stats", "observed_data", "constant_data")
_CLOCK = ("perf_counter", "process_time")  # variables of the sampler that say how long a step took


def sample_posterior(
    *, right: int, wrong: int, key: Words, quantity: str = _EPSILON, leaked: float = 0.0, mass: float = 0.9
) -> dict[str, Any]:
    """Samples the posterior of epsilon, or of mu, by NUTS: mean, interval, effective sample sizes, R-hat, divergences.

    `leaked` right guesses are expected to be delta's own. One process, so the numbers depend on the key alone. Without a C compiler the
    model runs on numba. Raises ValueError without a guess, or if no guess is left beside the leaks.
    """
    return _summary(_sampled(right, wrong, key, quantity, leaked), quantity, mass)


def posterior_draws(
    *, right: int, wrong: int, key: Words, quantity: str = _EPSILON, leaked: float = 0.0, mass: float = 0.9
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The summary that `sample_posterior` gives for these values, and the draws behind it: variables (labelled arrays) by name, in the
    groups that ArviZ knows, without what depends on the clock. Raises ValueError as it does."""
    trace = _sampled(right, wrong, key, quantity, leaked)
    groups = {
        group: {name: found[name] for name in map(str, found.data_vars) if not name.startswith(_CLOCK)}
        for group, found in ((group, trace[group]) for group in _GROUPS)
    }
    return _summary(trace, quantity, mass), groups


def _summary(trace: Any, quantity: str, mass: float) -> dict[str, Any]:
    summary: dict[str, Any] = summarise(trace, _MU if quantity == _MU else _EPSILON, mass)
    summary["divergences"] = int(trace.sample_stats["diverging"].sum())
    return summary


def _sampled(right: int, wrong: int, key: Words, quantity: str, leaked: float) -> Any:
    """What NUTS drew, as PyMC gives it. Raises ValueError if no guess is left beside the leaks."""
    import logging

    import numpy as np

    with quiet_import():
        import pymc as pm

    if not right + wrong > leaked >= 0.0:
        raise ValueError(f"right = {right}, wrong = {wrong}, leaked = {leaked}: some guess must be left beside the leaks")
    logging.getLogger("pymc").setLevel(logging.ERROR)
    name = _MU if quantity == _MU else _EPSILON
    seed, *starts = np.random.SeedSequence([int(word) for word in key]).generate_state(1 + CHAINS)
    with _mode(), _built(name)[0] as model:
        model.set_data("guesses", right + wrong)
        model.set_data("seen", right)
        model.set_data("share", leaked / (right + wrong))
        _, step, fresh = _built(name)
        step.sampling_state = fresh  # as if nothing had been sampled before
        return pm.sample(
            draws=DRAWS,
            tune=TUNE,
            chains=CHAINS,
            cores=1,
            step=step,
            initvals=[{name: 2.0 * float(start) / 2.0**32 - 1.0} for start in starts],  # around the prior's middle, as PyMC does by itself
            random_seed=int(seed),
            progressbar=False,
            compute_convergence_checks=False,
        )


@contextmanager
def _mode() -> Iterator[None]:
    """PyTensor's own mode, or numba's where there is no C compiler."""
    import shutil
    import warnings

    import pytensor

    warnings.filterwarnings(
        "ignore", message="PyTensor could not link to a BLAS", category=UserWarning
    )  # one scalar: there is nothing to link
    compiler = pytensor.config.cxx or shutil.which("g++") or shutil.which("clang++")
    with pytensor.config.change_flags(mode=pytensor.config.mode if compiler else "NUMBA"):
        yield


@functools.cache
def _built(name: str) -> tuple[Any, Any, Any]:
    """The model of epsilon or of mu, its NUTS step, and the step's state before any draw."""
    import numpy as np

    with quiet_import():
        import pymc as pm

    with pm.Model() as model:
        guesses, seen, fraction = pm.Data("guesses", 1), pm.Data("seen", 1), pm.Data("share", 0.0)
        if name == _MU:
            loss = pm.Normal(_MU, mu=0.0, sigma=2.0)
            rate = 0.5 * pm.math.erfc(-loss / (2.0 * np.sqrt(2.0)))
        else:
            loss = pm.Logistic(_EPSILON, mu=0.0, s=1.0)
            rate = pm.math.sigmoid(loss)
        pm.Binomial("right", n=guesses, p=fraction + (1.0 - fraction) * rate, observed=seen)
        step = pm.NUTS(rng=0)  # each chain seeds it anew
    return model, step, step.sampling_state
