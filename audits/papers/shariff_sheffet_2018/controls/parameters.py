"""Parameters of shariff_sheffet_2018 with one mistake each: a constant, a logarithm, a factor."""

import math
from typing import Any

from banditproof.algorithms.mechanisms.gram import gaussian as gaussian_gram
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram import wishart as wishart_gram
from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.mutations import control
from banditproof.audits.papers.shariff_sheffet_2018.cases.agreement import gaussian
from banditproof.audits.papers.shariff_sheffet_2018.cases.agreement import wishart as wishart_cases
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, privacy, wishart


def _sigma_of_half(epsilon: float, delta: float, horizon: int, row_norm: float) -> float:
    """ln(2/delta) for ln(4/delta)."""
    return gaussian_gram.node_sigma(epsilon, min(2.0 * delta, 0.999), horizon=horizon, row_norm=row_norm)


def _one_level_less(horizon: int, epsilon: float, delta: float, row_norm: float) -> float:
    levels = gram_noise.nodes(horizon)
    return gaussian_gram.node_sigma(epsilon, delta, horizon=horizon, row_norm=row_norm) * math.sqrt((levels - 1) / levels)


def _floor(horizon: int, **point: Any) -> float:
    """nodes as 1 + floor(log2 n), which is the same at powers of two."""
    return float(horizon.bit_length())


def _degrees_of_a_node(horizon: int, dimension: int, epsilon: float, delta: float) -> float:
    """delta in the place of delta/(2 m)."""
    m = gram_noise.nodes(horizon)
    return dimension + 1 + math.ceil(224.0 * m / epsilon**2 * math.log(4.0 / delta) * math.log(2.0 / delta))


def _swapped(horizon: int, dimension: int, wishart_degrees: int, row_norm: float, failure: float) -> float:
    """c with a_2 for a_8."""
    s = wishart_gram.root_degrees(wishart_degrees, horizon=horizon)
    a = wishart_gram.noise_deviation(2.0, dimension=dimension, horizon=horizon, failure=failure)
    return row_norm**2 * ((s - a) ** 2 - 4.0 * s * a)


def _radius_of_d(**point: Any) -> float:
    """ln rho_min in the place of d ln rho_min."""
    noise = 2.0 * math.log(2.0 / point["failure"]) + point["log_determinant"] - math.log(point["rho_min"])
    return float(
        point["reward_sigma"] * math.sqrt(max(noise, 0.0)) + point["parameter_norm"] * math.sqrt(point["rho_max"]) + point["perturbation"]
    )


def _upper_of_t(**point: Any) -> float:
    """t L^2/rho_min in the place of t L^2/(d rho_min)."""
    ratio = (point["rho_max"] + point["round"] * point["context_norm"] ** 2) / point["rho_min"]
    noise = math.sqrt(2.0 * math.log(2.0 / point["failure"]) + point["dimension"] * math.log(ratio))
    return float(point["reward_sigma"] * noise + point["parameter_norm"] * math.sqrt(point["rho_max"]) + point["perturbation"])


PARAMETERS = tuple(
    control(name, mistake, theorem, method)
    for name, mistake, theorem, method in (
        (
            "sigma_of_half",
            "ln(2/delta) for ln(4/delta)",
            privacy.GAUSSIAN_CALIBRATION,
            Agreement(privacy.GAUSSIAN_CALIBRATION, _sigma_of_half, theory=gaussian.printed_sigma),
        ),
        (
            "sigma_one_level_less",
            "m - 1 for m in sigma_noise",
            privacy.GAUSSIAN_CALIBRATION,
            Agreement(privacy.GAUSSIAN_CALIBRATION, _one_level_less, theory=gaussian.printed_sigma),
        ),
        ("levels_rounded_down", "1 + floor(log2 n) for m", privacy.NODES_CHANGED, Agreement(privacy.NODES_CHANGED, _floor)),
        (
            "degrees_of_one_node",
            "delta for delta/(2 m)",
            privacy.WISHART_CALIBRATION,
            Agreement(privacy.WISHART_CALIBRATION, _degrees_of_a_node, theory=wishart_cases.printed_degrees),
        ),
        ("shift_of_a_2", "a_2 for a_8 in the shift", wishart.SHIFT_OF_WISHART, Agreement(wishart.SHIFT_OF_WISHART, _swapped)),
        ("radius_without_d", "ln rho_min for d ln rho_min", confidence.RADIUS, Agreement(confidence.RADIUS, _radius_of_d)),
        ("upper_without_d", "t L^2 for t L^2/d", confidence.RADIUS_UPPER, Agreement(confidence.RADIUS_UPPER, _upper_of_t)),
    )
)
