"""What the learners share: fresh arrays, the linear loss, and the regret of a run."""

import numpy as np

from banditproof.algorithms.learners.protocol import COUNTS, FAMILY, RULE, SETTINGS, Arrays, breadth, scratch_numbers
from banditproof.algorithms.mechanisms.gram.noise import packed
from banditproof.guarantees import require
from banditproof.interaction import Floats
from banditproof.lanes import EIGHT, zeros


def arrays_of(rule: int, dimension: int, settings: Floats, rates: Floats, priors: Floats, metric: float) -> Arrays:
    """Fresh arrays, all points 0, of a learner with these rates and priors, (1 + 2 m,): the convex expert, the strongly convex family, the
    exp-concave family. Raises ValueError on a wrong shape."""
    require(dimension >= 1, f"dimension = {dimension}: must be an integer >= 1 (features)")
    require(settings.shape == (SETTINGS,), f"settings of shape {settings.shape}: must be ({SETTINGS},)")
    size, family = packed(dimension), (rates.size - 1) // 2
    wide = breadth(family)
    counts = np.zeros(COUNTS, dtype=np.int64)
    counts[RULE], counts[FAMILY] = rule, family
    places = np.concatenate([[2 * wide], np.arange(family), wide + np.arange(family)])
    padded_rates, weights = zeros(2 * wide + EIGHT), zeros(2 * wide + EIGHT)
    padded_rates[:wide] = 1.0  # a strongly convex expert divides by its rate
    padded_rates[places], weights[places] = rates, priors
    identity = np.zeros((size, 1))
    identity[[packed(row + 1) - 1 for row in range(dimension)]] = 1.0
    metrics, inverses = zeros(size, wide), zeros(size, wide)
    metrics[:], inverses[:] = metric * identity, identity / metric
    with np.errstate(divide="ignore"):
        log_weights = np.log(weights)
    return Arrays(
        counts=counts,
        settings=settings.astype(float),
        point=np.zeros(dimension),
        experts=zeros(dimension, 2 * wide + EIGHT),
        log_weights=log_weights,
        weights=weights,
        rates=padded_rates,
        metrics=metrics,
        inverses=inverses,
        scratch=zeros(scratch_numbers(dimension)),
    )


def linear_loss(arrays: Arrays, gradient: Floats, comparator: Floats) -> float:
    """<g_t, theta_t - u> at the point that is played: what the bounds are about; at least l_t(theta_t) - l_t(u) if l_t is convex."""
    return float(np.dot(gradient, arrays.point - comparator))


def checked(gradient: Floats, dimension: int) -> Floats:
    """The gradient as an array (d,). Raises ValueError on another shape, and unless it is finite."""
    values: Floats = np.ascontiguousarray(gradient, dtype=float)
    require(values.shape == (dimension,), f"gradient of shape {values.shape}: must be ({dimension},)")
    require(bool(np.isfinite(values).all()), f"gradient {values.tolist()}: must be finite")
    return values
