"""Frank-Wolfe for a G-optimal design in NumPy, without away steps and from equal weights: the variances afresh in every step."""

import numpy as np
from numpy.typing import NDArray


def frank_wolfe(arms: NDArray[np.float64], tolerance: float, most: int) -> tuple[NDArray[np.float64], float, int]:
    """Weights (K,), max g and steps, until max g <= d (1 + tolerance) or `most` steps are taken, for arms that span their coordinates."""
    count, dimension = arms.shape
    weights = np.full(count, 1.0 / count)
    for taken in range(most):
        inverse = np.linalg.inv((arms * weights[:, np.newaxis]).T @ arms)
        values = np.einsum("ij,ij->i", arms @ inverse, arms)
        furthest = int(values.argmax())
        largest = float(values[furthest])
        if largest <= dimension * (1.0 + tolerance):
            return weights, largest, taken
        step = (largest / dimension - 1.0) / (largest - 1.0)
        weights *= 1.0 - step
        weights[furthest] += step
    return weights, largest, most


def frank_wolfe_by_updates(arms: NDArray[np.float64], tolerance: float, most: int) -> tuple[NDArray[np.float64], float, int]:
    """The same steps with inverse and variances by rank-one updates: K d multiplications per step instead of K d^2."""
    count, dimension = arms.shape
    weights = np.full(count, 1.0 / count)
    inverse = np.linalg.inv((arms * weights[:, np.newaxis]).T @ arms)
    values = np.einsum("ij,ij->i", arms @ inverse, arms)
    for taken in range(most):
        furthest = int(values.argmax())
        largest = float(values[furthest])
        if largest <= dimension * (1.0 + tolerance):
            return weights, largest, taken
        step = (largest / dimension - 1.0) / (largest - 1.0)
        image = inverse @ arms[furthest]
        inner = arms @ image
        factor = step / (1.0 - step + step * largest)
        values = (values - factor * inner * inner) / (1.0 - step)
        inverse = (inverse - factor * np.outer(image, image)) / (1.0 - step)
        weights *= 1.0 - step
        weights[furthest] += step
    return weights, largest, most
