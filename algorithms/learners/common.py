"""What the learners share: fresh arrays, the linear loss, and the regret of a run."""

import numpy as np

from banditproof.algorithms.learners.protocol import COUNTS, FAMILY, RULE, SETTINGS, Arrays
from banditproof.algorithms.mechanisms.gram.noise import packed
from banditproof.guarantees import require
from banditproof.interaction import Floats


def arrays_of(rule: int, dimension: int, settings: Floats, rates: Floats, priors: Floats, metric: float) -> Arrays:
    """Fresh arrays, all points 0, of a learner with these rates and priors, (1 + 2 m,). Raises ValueError on a wrong shape."""
    require(dimension >= 1, f"dimension = {dimension}: must be an integer >= 1 (features)")
    require(settings.shape == (SETTINGS,), f"settings of shape {settings.shape}: must be ({SETTINGS},)")
    size, family = packed(dimension), (rates.size - 1) // 2
    counts = np.zeros(COUNTS, dtype=np.int64)
    counts[RULE], counts[FAMILY] = rule, family
    identity = np.zeros(size)
    identity[[packed(row + 1) - 1 for row in range(dimension)]] = 1.0
    return Arrays(
        counts=counts,
        settings=settings.astype(float),
        point=np.zeros(dimension),
        experts=np.zeros((rates.size, dimension)),
        log_weights=np.log(priors),
        rates=rates.astype(float),
        metrics=np.tile(metric * identity, (family, 1)),
        inverses=np.tile(identity / metric, (family, 1)),
        scratch=np.zeros(2 * size + 4 * dimension),
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
