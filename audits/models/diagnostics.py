"""The one module that calls ArviZ: summaries and convergence diagnostics of a sampled model, as plain numbers."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CONVERGED = 1.01  # the largest R-hat of chains that have converged (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021)


@contextmanager
def quiet_import() -> Iterator[None]:
    """Within it ArviZ, which PyMC imports too, is imported without the announcement of its successor (0.23, once per day and machine)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield


def summarise(trace: Any, name: str, mass: float) -> dict[str, float]:
    """Mean, equal-tailed interval, effective sample size and R-hat of one scalar variable of a PyMC trace.

    ArviZ 0.23 and 1.x name the columns differently, so the interval is taken from the draws and the diagnostics by name.
    """
    import numpy as np

    with quiet_import():
        import arviz as az

    values = trace.posterior[name]
    draws = np.asarray(values).ravel()
    low, median, high = np.quantile(draws, [(1 - mass) / 2, 0.5, (1 + mass) / 2])
    return {
        "mass": mass,
        "low": float(low),
        "median": float(median),
        "high": float(high),
        "mean": float(draws.mean()),
        "ess_bulk": _scalar(az.ess(values, method="bulk"), name),
        "ess_tail": _scalar(az.ess(values, method="tail"), name),
        "r_hat": _scalar(az.rhat(values), name),
        "draws": float(draws.size),
    }


def _scalar(found: Any, name: str) -> float:
    """The number in what ArviZ returns: a float, an array, or a dataset with the variable."""
    import numpy as np

    return float(np.asarray(found[name] if name in getattr(found, "data_vars", {}) else found).ravel()[0])
