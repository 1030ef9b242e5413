"""The numbers that LinUCB with changing perturbations needs (Shariff and Sheffet 2018, Proposition 4, sections 4.1 and 4.2, Appendix D).

`Accuracy` holds the bounds rho_min I <= H_t <= rho_max I and |h_t| <= perturbation in the norm of H_t^-1, that hold in each round with
probability at least 1 - alpha / (2 n). Letters: d = dimension, n = horizon, alpha = failure, L~ = row_norm, L = context_norm,
S = parameter_norm, sigma = reward_sigma, gamma = perturbation; m = `gram_noise.nodes(n)`, s = sqrt(m k),
a_q = sqrt d + sqrt(2 ln(q n / alpha)).
"""

import math
from typing import NamedTuple

from banditproof import glossary
from banditproof.algorithms.mechanisms.gram import gaussian as gaussian_gram
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram import wishart as wishart_gram
from banditproof.guarantees import require


class Accuracy(NamedTuple):
    """rho_min, rho_max and gamma."""

    rho_min: float
    rho_max: float
    perturbation: float


def require_accuracy(accuracy: Accuracy) -> Accuracy:
    """The bounds themselves. Raises ValueError unless 0 < rho_min <= rho_max and perturbation >= 0, all finite."""
    low, high, perturbation = accuracy
    require(0.0 < low <= high < math.inf, f"rho_min = {low}, rho_max = {high}: must be 0 < rho_min <= rho_max and finite (bounds on H_t)")
    require(0.0 <= perturbation < math.inf, f"perturbation = {perturbation}: must be >= 0 and finite (a bound on h_t)")
    return accuracy


def ridge(rho: float) -> Accuracy:
    """H_t = rho I and h_t = 0. Raises ValueError unless rho > 0."""
    require(0.0 < rho < math.inf, f"rho_min = {rho}: must be > 0 and finite (a regulariser)")
    return Accuracy(rho, rho, 0.0)


def unshifted_wishart(degrees: int, *, dimension: int, horizon: int, failure: float, row_norm: float) -> Accuracy:
    """L~^2 (s - a_8)^2, L~^2 (s + a_8)^2, L~ a_2 (Proposition 9). Raises ValueError unless s > a_8."""
    s, a_8, a_2 = _roots(degrees, dimension, horizon, failure)
    return Accuracy(row_norm**2 * (s - a_8) ** 2, row_norm**2 * (s + a_8) ** 2, row_norm * a_2)


def shifted_wishart(degrees: int, *, dimension: int, horizon: int, failure: float, row_norm: float) -> Accuracy:
    """4 L~^2 s a_8, 8 L~^2 s a_8, L~ sqrt(s a_2) (Proposition 9), for the shift of equation 4. Raises ValueError unless s > a_8."""
    s, a_8, a_2 = _roots(degrees, dimension, horizon, failure)
    return Accuracy(4.0 * row_norm**2 * s * a_8, 8.0 * row_norm**2 * s * a_8, row_norm * math.sqrt(s * a_2))


def moved_wishart(rho_min: float, degrees: int, *, dimension: int, horizon: int, failure: float, row_norm: float) -> Accuracy:
    """For the shift that moves rho_min to this value (experiment D.3): rho_max moves as far, and gamma by Claim 20, as long as it grows."""
    ridge(rho_min)
    least, _, gamma = unshifted_wishart(degrees, dimension=dimension, horizon=horizon, failure=failure, row_norm=row_norm)
    s, a_8, _ = _roots(degrees, dimension, horizon, failure)
    apart = 4.0 * row_norm**2 * s * a_8  # rho_max - rho_min of the unshifted bounds, of which few digits are left where s is large
    return Accuracy(rho_min, rho_min + apart, gamma * math.sqrt(max(least / rho_min, 1.0)))


def gaussian(sigma: float, *, dimension: int, horizon: int, failure: float) -> Accuracy:
    """Upsilon, 3 Upsilon, sigma_noise sqrt(m / Upsilon) a_2 (Proposition 11), for sigma_noise = `sigma`."""
    bound = gaussian_gram.upsilon(sigma, dimension=dimension, horizon=horizon, failure=failure)
    return moved_gaussian(bound, sigma, dimension=dimension, horizon=horizon, failure=failure)


def moved_gaussian(rho_min: float, sigma: float, *, dimension: int, horizon: int, failure: float) -> Accuracy:
    """For the shift that moves rho_min to this value (experiment D.3): then rho_min + 2 Upsilon, sigma sqrt(m / rho_min) a_2."""
    ridge(rho_min)
    bound = gaussian_gram.upsilon(sigma, dimension=dimension, horizon=horizon, failure=failure)
    a_2 = wishart_gram.noise_deviation(2.0, dimension=dimension, horizon=horizon, failure=failure)
    return Accuracy(rho_min, rho_min + 2.0 * bound, sigma * math.sqrt(gram_noise.nodes(horizon) / rho_min) * a_2)


def gaussian_perturbation_bound(epsilon: float, *, dimension: int, horizon: int, failure: float, row_norm: float) -> float:
    """The closed form that Proposition 11 prints above its gamma: sqrt(m L~^2 (sqrt d + 2 ln(2 n / alpha)) / (sqrt 2 epsilon)).

    The algorithm does not use it.
    """
    width = math.sqrt(dimension) + 2.0 * math.log(2.0 * horizon / glossary.FAILURE.require(failure))
    return math.sqrt(gram_noise.nodes(horizon) * row_norm**2 * width / (math.sqrt(2.0) * glossary.EPSILON.require(epsilon)))


def _roots(degrees: int, dimension: int, horizon: int, failure: float) -> tuple[float, float, float]:
    s = wishart_gram.root_degrees(degrees, horizon=horizon)
    a_8 = wishart_gram.noise_deviation(8.0, dimension=dimension, horizon=horizon, failure=failure)
    require(s > a_8, f"degrees = {degrees}: must be > {a_8 * a_8 / gram_noise.nodes(horizon):g} (Claim 19 needs sqrt(m k) > a_8)")
    return s, a_8, wishart_gram.noise_deviation(2.0, dimension=dimension, horizon=horizon, failure=failure)


def radicand_base(accuracy: Accuracy, *, dimension: int, failure: float) -> float:
    """What stands under the root of the radius beside ln det V_t: 2 ln(2 / alpha) - d ln rho_min."""
    return 2.0 * math.log(2.0 / failure) - dimension * math.log(accuracy.rho_min)


def radius_tail(accuracy: Accuracy, parameter_norm: float) -> float:
    """What the radius adds to its root: S sqrt(rho_max) + gamma."""
    return parameter_norm * math.sqrt(accuracy.rho_max) + accuracy.perturbation


def radius(
    log_determinant: float, accuracy: Accuracy, *, dimension: int, failure: float, parameter_norm: float = 1.0, reward_sigma: float = 1.0
) -> float:
    """beta_t = sigma sqrt(2 ln(2 / alpha) + ln det V_t - d ln rho_min) + S sqrt(rho_max) + gamma (Prop. 4), radicand at least 0."""
    radicand = max(radicand_base(accuracy, dimension=dimension, failure=failure) + log_determinant, 0.0)
    return reward_sigma * math.sqrt(radicand) + radius_tail(accuracy, parameter_norm)


def upper_radius(
    round: int,
    accuracy: Accuracy,
    *,
    dimension: int,
    failure: float,
    parameter_norm: float = 1.0,
    reward_sigma: float = 1.0,
    context_norm: float = 1.0,
) -> float:
    """The second form of Proposition 4 at round t = `round`, from 1.

    d ln(rho_max / rho_min + t L^2 / (d rho_min)) stands for ln det V_t - d ln rho_min.
    """
    growth = accuracy.rho_max / accuracy.rho_min + round * context_norm**2 / (dimension * accuracy.rho_min)
    return reward_sigma * math.sqrt(2.0 * math.log(2.0 / failure) + dimension * math.log(growth)) + radius_tail(accuracy, parameter_norm)
