"""The loss that cancels the bias of noisy features: l(theta) = (<x, theta> - y)^2 - variance |theta|^2 (sheet `ldp_linucb_2024`, 3.3).

x and y are a noisy feature vector and a noisy response; the noise of x has covariance variance I, independent of y. One l is not convex,
but its mean is, and the true parameter minimises it. All vectors are (d,).
"""

import math

from banditproof.interaction import Floats
from banditproof.kernels import compiled


def _value(point: Floats, features: Floats, response: float, variance: float) -> float:
    """(<x, theta> - y)^2 - variance |theta|^2 at theta = `point`."""
    inner, square = -response, 0.0
    for i in range(point.shape[0]):
        inner += features[i] * point[i]
        square += point[i] * point[i]
    return inner * inner - variance * square


def _gradient(point: Floats, features: Floats, response: float, variance: float, target: Floats) -> float:
    """target = 2 x (<x, theta> - y) - 2 variance theta; returns its length."""
    inner, square = -response, 0.0
    for i in range(point.shape[0]):
        inner += features[i] * point[i]
    for i in range(point.shape[0]):
        target[i] = 2.0 * features[i] * inner - 2.0 * variance * point[i]
        square += target[i] * target[i]
    return math.sqrt(square)


def _clip(vector: Floats, length: float, longest: float) -> bool:
    """Rescales a vector of this length to `longest` where it is longer, and says so. NaN stays NaN, and 0 stays 0."""
    if length <= longest:
        return False
    for i in range(vector.shape[0]):
        vector[i] *= longest / length
    return True


value, gradient, clip = compiled(_value), compiled(_gradient), compiled(_clip)
