"""The exact distribution of one elimination: arms with known truncated means, Laplace noise of one scale on each, deletion 2 radius below
the best. And of a noisy maximum: which of several known frequencies is the largest after such noise.

For audits. Every integrand is piecewise a polynomial in e^y and e^-y, so the integrals are sums of closed forms; rounding stays below
1e-12 up to 20 arms. Probabilities are those of real numbers, not of floats.
"""

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from banditproof import glossary
from banditproof.interaction import Floats

Factor = Callable[[float, float], Floats]  # coefficients of a factor on an interval, see `_integral`


def difference_tail(distance: float, *, scale: float) -> float:
    """P(X - Y > distance) for independent Laplace X and Y of this scale; the distance may be negative."""
    size = abs(distance) / glossary.SCALE.require(scale)
    tail = (2.0 + size) / 4.0 * math.exp(-size)
    return tail if distance >= 0.0 else 1.0 - tail


def elimination_probability(centres: Sequence[float], arm: int, *, scale: float, radius: float) -> float:
    """P(the largest centre + noise exceeds that of `arm` by more than 2 radius), where the active arms' truncated means are `centres`."""
    places, gap = _in_noise_units(centres, scale, radius)
    if not 0 <= arm < len(places):
        raise ValueError(f"arm = {arm}: must be >= 0 and < {len(places)} (the arms)")
    if len(places) == 2:
        return difference_tail(scale * (places[arm] + gap - places[1 - arm]), scale=scale)
    shifts = [places[arm] + gap - place for other, place in enumerate(places) if other != arm]
    return 1.0 - _integral([_below(shift) for shift in shifts], [-shift for shift in shifts])


def outcome_probability(centres: Sequence[float], survivors: Sequence[int], *, scale: float, radius: float) -> float:
    """P(exactly the arms in `survivors` are left), where the active arms' truncated means are `centres`."""
    places, gap = _in_noise_units(centres, scale, radius)
    if len(set(survivors)) != len(survivors) or not set(survivors) <= set(range(len(places))):
        raise ValueError(f"survivors = {tuple(survivors)}: must be different arms, >= 0 and < {len(places)}")
    total = 0.0
    for best in survivors:  # the others that survive lie within the gap below it, the deleted ones below that
        shifts = [(other in survivors, places[best] - place) for other, place in enumerate(places) if other != best]
        factors = [_between(shift, gap) if survives else _below(shift - gap) for survives, shift in shifts]
        total += _integral(factors, [end for _, shift in shifts for end in (-shift, gap - shift)])
    return total


def largest_probability(centres: Sequence[float], place: int, *, scale: float) -> float:
    """P(centre + noise of `place` is the largest of all `centres`); they may be a histogram's frequencies."""
    places, _ = _in_noise_units(centres, scale, 0.0)
    if not 0 <= place < len(places):
        raise ValueError(f"place = {place}: must be >= 0 and < {len(places)} (the centres)")
    shifts = [places[place] - other for each, other in enumerate(places) if each != place]
    return _integral([_below(shift) for shift in shifts], [-shift for shift in shifts])


def _in_noise_units(centres: Sequence[float], scale: float, radius: float) -> tuple[list[float], float]:
    unit = glossary.SCALE.require(scale)
    if len(centres) < 2 or not all(math.isfinite(centre) for centre in centres):
        raise ValueError(f"centres = {tuple(centres)}: must be finite, of at least 2 arms")
    return [centre / unit for centre in centres], 2.0 * glossary.RADIUS.require(radius) / unit


def _below(shift: float) -> Factor:
    """P(noise <= y + shift)."""

    def on(low: float, high: float) -> Floats:
        if high <= -shift:
            return np.array([[0.0, 0.0], [0.5 * math.exp(high + shift), 0.0]])
        return np.array([[1.0, -0.5 * math.exp(-(low + shift))], [0.0, 0.0]])

    return on


def _between(shift: float, gap: float) -> Factor:
    """P(y + shift - gap <= noise <= y + shift)."""

    def on(low: float, high: float) -> Floats:
        kept = -0.5 * math.expm1(-gap)
        if high <= -shift:
            return np.array([[0.0, 0.0], [kept * math.exp(high + shift), 0.0]])
        if low >= gap - shift:
            return np.array([[0.0, kept * math.exp(-(low + shift - gap))], [0.0, 0.0]])
        return np.array([[1.0, -0.5 * math.exp(-(low + shift))], [-0.5 * math.exp(high + shift - gap), 0.0]])

    return on


def _integral(factors: Sequence[Factor], kinks: Sequence[float]) -> float:
    """Integral of the factors' product against the density e^-|y| / 2, over all y; no factor has a kink but at `kinks`, which must be the
    floats with which it compares.

    On an interval a factor is a polynomial in e^(y - high) (first axis) and e^(low - y) (second axis), which lie in [0, 1] there.
    """
    total, ends = 0.0, [-math.inf, *sorted({0.0, *kinks}), math.inf]
    for low, high in itertools.pairwise(ends):
        product = np.array([[0.0], [0.5 * math.exp(high)]]) if high <= 0.0 else np.array([[0.0, 0.5 * math.exp(-low)]])
        for factor in factors:
            product = _product(product, factor(low, high))
        for up, down in np.argwhere(product).tolist():
            total += product[up, down] * _monomial(up, down, high - low)
    return total


def _product(first: Floats, second: Floats) -> Floats:
    product = np.zeros((first.shape[0] + second.shape[0] - 1, first.shape[1] + second.shape[1] - 1))
    for row, column in np.argwhere(second).tolist():
        product[row : row + first.shape[0], column : column + first.shape[1]] += second[row, column] * first
    return product


def _monomial(up: int, down: int, length: float) -> float:
    """Integral of e^(up (y - high)) e^(down (low - y)) over an interval of this length."""
    shared = math.exp(-min(up, down) * length) if min(up, down) > 0 else 1.0
    return shared * (length if up == down else -math.expm1(-abs(up - down) * length) / abs(up - down))
