"""Exact arithmetic on Fractions: functions to 50 digits, and the tails and weights of a few distributions.

Main definitions
    exp, log, power, sqrt     of Fractions, to 50 digits
    fraction                  an integer, a Fraction or a ball as a Fraction
    binomial_weights          of all counts
    beyond, laplace_tail      Laplace noise
    chi_square_above          for even degrees of freedom
"""

from decimal import Context, Decimal
from fractions import Fraction
from math import comb, factorial
from typing import Any

_DIGITS = Context(prec=50)
_ACCURACY, _LEAST = 90, 1e-227  # of a ball: bits, and an error that is none


def _decimal(number: Fraction) -> Decimal:
    return _DIGITS.divide(Decimal(number.numerator), Decimal(number.denominator))


def exp(number: Fraction | int) -> Fraction:
    return Fraction(_DIGITS.exp(_decimal(Fraction(number))))


def log(number: Fraction | int) -> Fraction:
    return Fraction(_DIGITS.ln(_decimal(Fraction(number))))


def power(base: Fraction | int, exponent: Fraction | int) -> Fraction:
    """0 at base 0, for exponents above 0."""
    return Fraction(0) if base == 0 else Fraction(_DIGITS.power(_decimal(Fraction(base)), _decimal(Fraction(exponent))))


def sqrt(number: Fraction | int) -> Fraction:
    return Fraction(_DIGITS.sqrt(_decimal(Fraction(number))))


def fraction(number: Any) -> Fraction:
    """A number as a Fraction; a ball's middle, from which it is 1e-27 of it at most (or 1e-227). Raises ValueError for a wider ball."""
    if isinstance(number, (int, Fraction)):
        return Fraction(number)
    if not number.is_finite() or not (number.is_exact() or number.rel_accuracy_bits() >= _ACCURACY or number.rad() < _LEAST):
        raise ValueError(f"{number}: must be a finite number that is known to 27 digits")
    mantissa, exponent = (int(part) for part in number.mid().man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def binomial_weights(trials: int, probability: Fraction) -> list[Fraction]:
    """P(Bin(trials, probability) = k) for k = 0 .. trials, exactly."""
    hit, miss, scale = probability.numerator, probability.denominator - probability.numerator, probability.denominator**trials
    return [Fraction(comb(trials, k) * hit**k * miss ** (trials - k), scale) for k in range(trials + 1)]


def beyond(centre: Fraction, scale: Fraction, radius: Fraction) -> Fraction:
    """P(|centre + Laplace noise| > radius), for a radius from 0 up; raises ValueError for another."""
    if radius < 0:
        raise ValueError(f"radius = {radius}: must be >= 0")
    size = abs(centre)
    far, near = laplace_tail(size + radius, scale), laplace_tail(abs(radius - size), scale)
    return (near if size <= radius else 1 - near) + far


def laplace_tail(distance: Fraction, scale: Fraction) -> Fraction:
    """P(Laplace noise > distance); 0 for less than 1e-200, which has too many digits."""
    if distance < 0:
        return 1 - laplace_tail(-distance, scale)
    return exp(-distance / scale) / 2 if distance < 460 * scale else Fraction(0)


def chi_square_above(level: Fraction, degrees: int) -> Fraction:
    """P(chi-square > level) for even degrees of freedom: exp(-x/2) times a sum of d/2 terms. Raises ValueError for odd ones."""
    if degrees < 0 or degrees % 2:
        raise ValueError(f"degrees = {degrees}: must be even and >= 0")
    if level <= 0:
        return Fraction(1)
    half, terms = level / 2, degrees // 2
    above, below = half.numerator, half.denominator  # all terms over one denominator: integers alone are added
    total, weight = 0, 1  # weight / below**term / term! = half**term / term!
    for term in range(terms):
        total, weight = total * below * max(term, 1) + weight, weight * above
    return exp(-half) * Fraction(total, below ** max(terms - 1, 0) * factorial(max(terms - 1, 0)))
