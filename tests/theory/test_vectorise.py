"""Theorem.function() at extreme values: where doubles cannot hold an intermediate result it is NaN, and never another number."""

import importlib
import math
import pkgutil
from fractions import Fraction

import numpy as np
import pytest
import sympy

from banditproof import theory
from banditproof.glossary import EPSILON, HORIZON
from banditproof.theory.language import (
    Bound,
    Case,
    Constants,
    HypothesisFails,
    OutsideDomain,
    Sense,
    Source,
    Theorem,
    symbol,
)
from banditproof.theory.papers.wu_2023.lower_bound import GAUSSIAN_DEVIATION
from banditproof.theory.vectorise import _compiled

MODULES = [importlib.import_module(found.name) for found in pkgutil.walk_packages(theory.__path__, "banditproof.theory.")]
THEOREMS = {value.id: value for module in MODULES for value in vars(module).values() if isinstance(value, Theorem)}
NUMBERS = [one for one in THEOREMS.values() if one.bound is not None and one.bound.constants is Constants.EXPLICIT]
EXTREME = [10.0**power for power in (-300, -100, -30, -12, -6, 6, 12, 30, 100, 300)] + [2.0, 100.0, 342.0, 343.0, 1000.0, 1e5]
LARGE = [number for number in EXTREME if number > 1e-12]  # what is tiny beside 1 costs doubles their digits, which is no overflow
COMBINED = 24  # draws in which about half of the values are extreme


def extremes(quantity, numbers):
    return [number for number in numbers if Fraction(number) in quantity.domain]


def points(theorem):
    """One extreme value at a time, then several."""
    rng = np.random.default_rng(7)
    given = theorem.bound.given
    typical = {quantity.name: float(quantity.typical[0]) for quantity in given}
    for quantity in given:
        yield from ({**typical, quantity.name: number} for number in extremes(quantity, EXTREME))
    for _ in range(COMBINED):
        drawn = {
            one.name: options[int(rng.integers(len(options)))] for one in given if rng.integers(2) and (options := extremes(one, LARGE))
        }
        yield {**typical, **drawn}


def jumps_to(theorem, values, found):
    """Whether a whole number is that of the doubles next to one value: 100 times 0.1 is 10 in doubles, and a little more exactly."""
    beside = ({**values, name: math.nextafter(number, end)} for name, number in values.items() for end in (-math.inf, math.inf))
    return any(
        theorem.at(**each).bound == found for each in beside if all(Fraction(each[one.name]) in one.domain for one in theorem.bound.given)
    )


@pytest.mark.parametrize("theorem", NUMBERS, ids=[theorem.id for theorem in NUMBERS])
def test_a_number_at_extreme_values_is_the_number(theorem):
    """Would catch an overflow that disappears again: 1/inf, exp(-inf), tanh(inf)."""
    drawn = list(points(theorem))  # in one call: the search for an implicit quantity takes as long for one point as for all
    numbers = theorem.function()(**{one.name: np.array([values[one.name] for values in drawn]) for one in theorem.bound.given})
    for values, found in zip(drawn, np.broadcast_to(numbers, len(drawn)).tolist(), strict=True):
        if math.isnan(found):
            continue
        try:
            value = theorem.at(**values).bound
        except HypothesisFails:
            continue  # by less than doubles tell: degrees >= dimension + 1 at 1e300
        except OutsideDomain as why:  # so small that even `at` does not tell it from 0
            assert "rounding error" in str(why), (values, found, why)
            value = 0.0
        close = abs(found - value) <= 1e-4 * abs(value) + 1e-10  # cancellation in doubles costs digits
        assert close or jumps_to(theorem, values, found), (values, found, value)


def test_the_gamma_function_overflows_to_nan():
    """As it was found: 0.0 from moment 342 on, where `at` says 0.089."""
    function = GAUSSIAN_DEVIATION.function()
    found = function(moment=[10, 300, 341, 342, 10**6])
    assert np.isfinite(found[:2]).all()
    assert np.isnan(found[3:]).all()
    assert found[1] == pytest.approx(GAUSSIAN_DEVIATION.at(moment=300).bound, rel=1e-9)


X = sympy.Symbol("x", positive=True)
SQUARE = 1 + X**4  # overflows from 1e78 on


@pytest.mark.parametrize(
    "expression",
    [
        1 / SQUARE,
        3 / (SQUARE * sympy.pi),
        sympy.exp(-SQUARE),
        sympy.tanh(SQUARE),
        sympy.erf(SQUARE),
        sympy.erfc(SQUARE),
        X / (3 + SQUARE),
        SQUARE ** sympy.Rational(-1, 3),
        2 + 1 / SQUARE,
        1 / sympy.gamma(X),
        sympy.log(1 + 1 / SQUARE),
    ],
    ids=str,
)
def test_an_infinity_does_not_disappear(expression):
    compiled = _compiled((X,), expression)
    with np.errstate(all="ignore"):
        assert not np.isfinite(compiled(np.array([1e90]))).any()
        small = compiled(np.array([1.5]))
    assert small[0] == pytest.approx(float(expression.subs(X, sympy.Rational(3, 2))), rel=1e-12)
    plain = sympy.lambdify((X,), expression.subs(sympy.gamma(X), X), modules="scipy")(np.array([1.5]))
    if not expression.has(sympy.gamma, sympy.log):
        assert small[0] == plain[0]  # the watched expression is the same operations


def test_comparisons_and_choices_may_meet_an_infinity():
    larger = _compiled((X,), sympy.Max(SQUARE, 1) > 2)
    smaller = _compiled((X,), sympy.Min(SQUARE, 1))
    chosen = _compiled((X,), sympy.Piecewise((1, X**3 > 10), (X, True)))
    with np.errstate(all="ignore"):
        assert larger(np.array([1e90])).all()
        assert smaller(np.array([1e90])) == 1
        assert np.array_equal(np.broadcast_to(chosen(np.array([1e120, 1.0])), 2), [1, 1])


def test_a_case_whose_condition_doubles_cannot_tell_is_nan():
    """Would catch the "otherwise" of a comparison with NaN and the first case of inf >= inf."""
    horizon = symbol(HORIZON)
    grown = horizon**300  # infinite in doubles from 11 on
    cases = (Case(grown - horizon * grown > -1, sympy.Integer(1)), Case(2 * grown >= horizon * grown, sympy.Integer(2)))
    bound = Bound(of=EPSILON, sense=Sense.AT_MOST, cases=(*cases, Case(sympy.true, horizon)), given=(HORIZON,))
    function = Theorem(id="test.cases", statement="", source=Source("key", "here"), bound=bound).function()
    assert np.array_equal(function(horizon=[1, 2, 3, 10**6]), [1.0, 2.0, 3.0, math.nan], equal_nan=True)
