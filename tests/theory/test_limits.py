"""Exact limits by leading terms: values, both ends, cancellations, and what is left undecided."""

import random
from fractions import Fraction

import pytest
import sympy
from sympy import Rational, exp, gamma, log, sqrt

from banditproof.glossary import CONTAMINATION, EPSILON, HORIZON, RANGE
from banditproof.theory.limits import LARGE, End, Kind, Undecided, about_one, eventually, leading, limit_of, number_ball, towards

x = LARGE
FINITE = [
    (x**2 + x, x**2, 1),
    (log(8 * x), log(x), 1),
    (log(1 / (1 - 1 / x)), 1 / x, 1),
    (exp(1 / x) - 1, 1 / x, 1),
    (exp(x) * x, exp(x + log(x)), 1),
    (8 ** (1 - 1 / x), sympy.Integer(3), Rational(8, 3)),
    ((3 * x + 1) ** 2 - 9 * x**2, x, 6),
    (log(x**2 + 1) - 2 * log(x), x**-2, 1),
    ((1 + 1 / x) ** x, sympy.Integer(1), sympy.E),
    (gamma(2 + 1 / x), sympy.Integer(1), 1),
    ((gamma((x + 1) / 2) / sqrt(sympy.pi)) ** (1 / x), sqrt(x), 1 / sqrt(2 * sympy.E)),
    (about_one("t") * log(x) / log(2), log(x), 1 / log(2)),
    (sqrt(log(x) * log(x * log(x))), log(x), 1),
]


@pytest.mark.parametrize(("above", "below", "value"), FINITE)
def test_finite_limits(above: sympy.Expr, below: sympy.Expr, value: sympy.Expr) -> None:
    """Would catch a wrong leading coefficient, also after a cancellation."""
    found = limit_of(above, below)[0]
    assert found.kind is Kind.FINITE and found.value is not None
    assert abs(number_ball(found.value - value)) < 1e-30


@pytest.mark.parametrize(
    ("above", "below"),
    [
        (x, sqrt(x) * log(x) ** 9),
        (log(x), log(log(x)) ** 5),
        (2**x, x**100),
        (x ** log(x), x**5),
        (log(8 / (1 - 1 / x)), log(1 / (1 - 1 / x))),  # log(8/failure) over log(1/failure), as the failure goes to 1
        (gamma(x), exp(x)),
        (exp(x + log(x)), exp(x)),
    ],
)
def test_infinite_limits_and_their_reverse(above: sympy.Expr, below: sympy.Expr) -> None:
    assert limit_of(above, below)[0].kind is Kind.INFINITE
    assert limit_of(below, above)[0].kind is Kind.ZERO


@pytest.mark.parametrize(
    "expression",
    [
        about_one("t") * x - x,  # what ceil(x) - x is, nobody knows
        exp(about_one("t") * x),
        about_one("t") * x - about_one("u") * x,  # two things that grow alike: their difference may be anything below
        exp(2 / x) - 2 * exp(1 / x) + 1,  # x^-2, by more than the first two terms of each
        exp(1 / x) + exp(-1 / x) - 2,
        exp(sqrt(log(x))),  # between the powers of x and those of log x
        sympy.erf(x),
        sqrt(1 - x),
        log(1 - x),
        log(log(log(x))),
    ],
)
def test_what_the_rules_do_not_find_is_undecided(expression: sympy.Expr) -> None:
    """Would catch a guess."""
    with pytest.raises(Undecided):
        leading(expression)


def test_zero_is_no_leading_term() -> None:
    """Would catch a quotient by what is 0 everywhere."""
    assert leading(log(x) - 2 * log(sqrt(x))) is None
    with pytest.raises(Undecided, match="is 0"):
        limit_of(x, log(x**2) - 2 * log(x))


def test_coefficients_that_nearly_cancel_do_not() -> None:
    """Would catch a zero test by floats: 10^-40 beside 1."""
    tiny = Rational(1, 10**40)
    found, _, _ = limit_of((1 + tiny) * x - x, x)
    assert found.value == tiny
    assert leading(sqrt(2) + sqrt(3) - sqrt(5 + 2 * sqrt(6))) is None
    assert leading(sqrt(2) + sqrt(3) - sqrt(5 + 2 * sqrt(6)) + tiny) is not None


def test_conditions() -> None:
    assert eventually(sympy.Ge(x, 10**9), {}) and not eventually(sympy.Lt(log(x), 10**9), {})
    assert eventually(sympy.Ge(about_one("t") * log(x) / log(2), log(2 * x)), {})  # log2 of T exceeds the natural logarithm
    with pytest.raises(Undecided):
        eventually(sympy.Ge(about_one("t") * x, x), {})


def test_ends() -> None:
    """Would catch an end that is approached from the wrong side."""
    assert towards(HORIZON, End.HIGH) == (x, "horizon")
    assert towards(EPSILON, End.LOW) == (1 / x, "1/epsilon")
    assert towards(CONTAMINATION, End.HIGH) == (Rational(1, 2) - 1 / x, "1/(1/2 - contamination)")
    assert towards(RANGE, End.LOW)[0] == 1 + 1 / x


def _drawn(rng: random.Random) -> tuple[sympy.Expr, tuple[Fraction, Fraction]]:
    """A sum of terms c x^p log(x)^q, and the largest (p, q)."""
    total, largest = sympy.Integer(0), (Fraction(-9), Fraction(-9))
    for _ in range(rng.randint(1, 4)):
        power, log_power = (Fraction(rng.randint(-6, 6), rng.choice((1, 2, 3))) for _ in range(2))
        factor = log(rng.randint(1, 9) * x + rng.randint(0, 9)) ** Rational(log_power.numerator, log_power.denominator)
        total += rng.randint(1, 9) * x ** Rational(power.numerator, power.denominator) * factor
        largest = max(largest, (power, log_power))
    return total, largest


@pytest.mark.parametrize("seed", range(40))
def test_drawn_sums(seed: int) -> None:
    """Would catch a wrong order of speeds: both rates are known by construction."""
    rng = random.Random(seed)
    (above, one), (below, two) = _drawn(rng), _drawn(rng)
    kind = Kind.INFINITE if one > two else Kind.ZERO if one < two else Kind.FINITE
    assert limit_of(above, below)[0].kind is kind
