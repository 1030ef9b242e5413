"""What an accountant says of a mechanism: privacy loss distributions by dp-accounting, an optional dependency (`banditproof[accounting]`).

Its levels are pessimistic: never below the true one.
"""

from typing import Any


class NoAccountant(ValueError):
    """dp-accounting is not installed."""


def gaussian_epsilon(mu: float, delta: float) -> float:
    """Least epsilon at delta of a mu-GDP Gaussian release. Raises NoAccountant."""
    return float(_distributions().from_gaussian_mechanism(1.0 / mu).get_epsilon_for_delta(delta))


def composed_laplace_epsilon(epsilon: float, folds: int, delta: float) -> float:
    """Least epsilon at delta of `folds` Laplace releases of the same query, each at `epsilon`. Raises NoAccountant."""
    return float(_distributions().from_laplace_mechanism(1.0 / epsilon).self_compose(folds).get_epsilon_for_delta(delta))


def _distributions() -> Any:
    import logging

    try:
        from dp_accounting.pld import privacy_loss_distribution
    except ImportError as error:
        raise NoAccountant("dp-accounting is not installed: pip install 'banditproof[accounting]'") from error
    logging.getLogger("absl").setLevel(logging.ERROR)
    return privacy_loss_distribution
