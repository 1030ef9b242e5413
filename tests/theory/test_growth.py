"""Rates are read off expressions symbolically, and compared with how numbers grow."""

import math
from fractions import Fraction

import pytest
import sympy

from banditproof.glossary import ARMS, EPSILON, FAILURE, HORIZON, LEVELS, SCALE
from banditproof.theory import growth
from banditproof.theory.dyadic import levels_of
from banditproof.theory.growth import Growth
from banditproof.theory.language import Bound, Case, Sense, Source, Theorem, always, symbol
from banditproof.theory.papers import auer_2002, balle_wang_2018, chan_2011, dwork_2010

T, K, b, beta = symbol(HORIZON), symbol(ARMS), symbol(SCALE), symbol(FAILURE)
log, sqrt, half = sympy.log, sympy.sqrt, Fraction(1, 2)


def statement(expression, cases=None, where=()):
    bound = Bound(of=EPSILON, sense=Sense.AT_MOST, cases=cases or always(expression), given=(HORIZON, ARMS, SCALE, FAILURE), where=where)
    return Theorem(id="test.rate", statement="", source=Source("key", "here"), bound=bound)


@pytest.mark.parametrize(
    ("expression", "power", "log_power"),
    [
        (T**3 + T * log(T), 3, 0),
        (sqrt(K * T * log(T)) + K * log(T) ** 5, half, half),
        (log(K * T**2 / beta), 0, 1),
        (b / (1 + T), -1, 0),
        (1 + 1 / T, 0, 0),
        (sympy.exp(b) * T, 1, 0),
        (3 * sqrt(T) - 2 * sqrt(T), half, 0),
    ],
)
def test_powers_and_logarithms(expression, power, log_power):
    rate = statement(expression).growth_in(HORIZON)
    assert (rate.power, rate.log_power) == (power, log_power)


@pytest.mark.parametrize("expression", [sympy.exp(T), log(log(T + 1) + 2), T**b, sympy.erfc(T)])
def test_what_is_no_power_is_refused(expression):
    with pytest.raises(ValueError, match="is not that of"):
        statement(expression).growth_in(HORIZON)


def test_leading_terms_that_cancel_are_refused():
    """Would catch a rate of 2 for (T + 1)^2 - T^2, also where it takes more than multiplying out to see it."""
    for factor in (1, log(4) - 2 * log(2) + 1, sqrt(3 + 2 * sqrt(2)) - sqrt(2)):
        with pytest.raises(ValueError, match="cancel as horizon grows"):
            statement(factor * (T + 1) ** 2 - T**2).growth_in(HORIZON)


def test_bounded_quantities_fall_to_zero():
    assert str(statement(sqrt(log(1 / beta)) / beta).growth_in(FAILURE)) == "(1/failure)^1 * log(1/failure)^(1/2)"


def test_rates_can_be_ordered():
    assert statement(T).growth_in(HORIZON) > statement(sqrt(T) * log(T)).growth_in(HORIZON) > statement(sqrt(T)).growth_in(HORIZON)
    assert statement(3 * T + 1).growth_in(HORIZON) == statement(T / 7).growth_in(HORIZON) == Growth(Fraction(1), Fraction(0), "horizon")
    assert str(statement(1 + 0 * T).growth_in(HORIZON)) == "constant"


@pytest.mark.parametrize(
    "nothing",
    [
        sympy.sqrt(K**2 + 2 * K + 1) - K - 1,
        sympy.erf(K) + sympy.erfc(K) - 1,
        log(K**2 + 2 * K + 1) - 2 * log(K + 1),
        sympy.sqrt(K) * sympy.sqrt(K + 1) - sympy.sqrt(K**2 + K),
        sympy.exp(10**6 * K) - sympy.E * sympy.exp(10**6 * K - 1),
    ],
    ids=str,
)
def test_a_coefficient_that_is_nothing_is_no_order(nothing):
    """Would catch an order read off leading terms that cancel where no simplification shows it."""
    assert growth._vanishes(nothing) and (nothing.has(10**6 * K) or not growth._vanishes(nothing + 1))
    with pytest.raises(ValueError, match="cancel as"):
        growth._leading(sum((T * part for part in nothing.args), sympy.S.Zero) + log(T), T)


def test_the_case_that_holds_in_the_end_decides():
    cases = (Case(T < K, T**2), Case(log(T) > K, T), Case(sympy.true, T**3))
    assert statement(None, cases).growth_in(HORIZON).power == 1
    with pytest.raises(ValueError, match="depends on the other values"):
        statement(None, (Case(K > 5, T**2), Case(sympy.true, T))).growth_in(HORIZON)


def test_implicit_quantities_grow_as_stated():
    """Would catch a stated growth that is not equivalent: the ratio tends to 1."""
    rate = statement(symbol(LEVELS) ** 2, where=(levels_of(HORIZON),)).growth_in(HORIZON)
    assert (rate.power, rate.log_power) == (0, 2)
    growth = sympy.lambdify(T, levels_of(HORIZON).growth, "math")
    assert (10**300).bit_length() / growth(10**300) == pytest.approx(1, abs=1e-3)
    with pytest.raises(ValueError, match="the growth of mu is not stated"):
        balle_wang_2018.GAUSSIAN_CALIBRATION.growth_in(EPSILON)


def test_the_papers_rates():
    assert str(auer_2002.UCB1_REGRET.growth_in(HORIZON)) == "log(horizon)^1"
    assert str(dwork_2010.COUNTER_ERROR.growth_in(HORIZON)) == "log(horizon)^(5/2)"
    assert str(dwork_2010.TREE_ERROR.growth_in(HORIZON)) == "log(horizon)^2"  # the assembled bound is better than the printed one
    assert dwork_2010.TREE_ERROR.growth_in(HORIZON) < dwork_2010.COUNTER_ERROR.growth_in(HORIZON)
    assert chan_2011.TREE_ERROR.growth_in(HORIZON) == chan_2011.COUNTER_ERROR.growth_in(HORIZON)


@pytest.mark.parametrize("theorem", [auer_2002.UCB1_REGRET, dwork_2010.TREE_ERROR])
def test_numbers_grow_at_the_rate(theorem):
    """Would catch a wrong exponent: the bound over its rate changes by less and less when the horizon is squared."""
    others = {"epsilon": 1, "failure": "1/20"} if theorem is dwork_2010.TREE_ERROR else auer_2002.arm_sums(["0.2", "0.5"])
    rate = theorem.growth_in(HORIZON)
    ratios = []
    for exponent in (200, 400, 800):
        horizon = 10**exponent
        speed = float(rate.log_power) * math.log(math.log(horizon))
        ratios.append(math.log(theorem.at(horizon=horizon, **others).bound) - speed)
    assert abs(ratios[2] - ratios[1]) < 0.02
    assert rate.power == 0
