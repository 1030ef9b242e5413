"""Numbers in and out: what a value means, what is refused and how, certified roots, and rounding to the safe side."""

import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from banditproof.glossary import DELTA, EPSILON, HORIZON, KEEP, LEVELS, SCALE, THRESHOLD, Domain, Quantity
from banditproof.theory import evaluate, inequalities
from banditproof.theory.dyadic import levels_of
from banditproof.theory.language import (
    Bound,
    Case,
    HypothesisFails,
    Implicit,
    NoNumber,
    OutsideDomain,
    Sense,
    Source,
    Theorem,
    always,
    symbol,
)
from banditproof.theory.papers import auer_2002, chan_2011, dwork_2006, dwork_roth_2014

LAPLACE = dwork_2006.LAPLACE_PRIVACY
X = Quantity("x", "x", Domain(), "a real number")


def statement(expression, *given_, sense=Sense.AT_MOST, cases=None, where=()):
    bound = Bound(of=EPSILON, sense=sense, cases=cases or always(expression), given=given_, where=where)
    return Theorem(id="test.statement", statement="", source=Source("key", "here"), bound=bound)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_means_that_double_and_text_means_that_decimal(number):
    """Would catch 0.1 read as 1/10 from a float, or as a double from text."""
    assert evaluate.exact("x", number) == Fraction(number)
    assert evaluate.exact("x", repr(number)) == Fraction(repr(number))
    assert evaluate.exact("x", np.float64(number)) == Fraction(number)


@given(st.fractions())
def test_exact_numbers_are_kept(number):
    for written in (number, str(number), f" {number} ", sympy.Rational(number.numerator, number.denominator)):
        assert evaluate.exact("x", written) == number
    whole = int(number)
    for written in (whole, np.array(whole).item(), sympy.Integer(whole), Decimal(whole)):
        assert evaluate.exact("x", written) == whole


OUTSIDE = [
    (
        {"sensitivity": 1, "scale": 0},
        "dwork_2006.laplace_privacy: scale = 0: must be > 0 (scale of a Laplace distribution (its mean absolute value))",
    ),
    ({"sensitivity": 1, "scale": "-1/3"}, "scale = -1/3: must be > 0 (scale of"),
    ({"sensitivity": 1, "scale": math.nan}, "dwork_2006.laplace_privacy: scale = nan: must be finite"),
    ({"sensitivity": 1, "scale": -math.inf}, "scale = -inf: must be finite"),
    ({"sensitivity": 1, "scale": Decimal("NaN")}, "scale = NaN: must be finite"),
    ({"sensitivity": 1, "scale": "nan"}, "scale = 'nan': must be a number, as 3, 0.05, 1e-5 or 1/20 (exponent: four digits at most)"),
    ({"sensitivity": 1, "scale": "1/0"}, "scale = '1/0': must be a number"),
    ({"sensitivity": 1, "scale": "1e999999999"}, "scale = '1e999999999': must be a number"),
    ({"sensitivity": 1, "scale": ""}, "scale = '': must be a number"),
    ({"sensitivity": 1, "scale": "1_000"}, "scale = '1_000': must be a number"),
    ({"sensitivity": 1, "scale": True}, "scale = True: must be a number, not a bool"),
    ({"sensitivity": 1, "scale": None}, "scale = None: must be a number, not a NoneType"),
    ({"sensitivity": 1}, "dwork_2006.laplace_privacy: scale: must be given (it takes sensitivity, scale)"),
    ({}, "sensitivity, scale: must be given"),
    ({"sensitivity": 1, "scale": 1, "eps": 1}, "eps: is not a value of this statement (it takes sensitivity, scale)"),
]


@pytest.mark.parametrize(("values", "message"), OUTSIDE)
def test_outside_the_domain_is_one_line_that_names_value_and_rule(values, message):
    with pytest.raises(OutsideDomain) as refusal:
        LAPLACE.at(**values)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_integers_are_required_where_they_are_meant():
    with pytest.raises(OutsideDomain, match=r"horizon = 10\.5: must be an integer >= 1 \(number of rounds\)"):
        auer_2002.UCB1_PULLS.at(horizon="10.5", gap="0.1")


def test_broken_hypotheses_are_named_with_their_condition():
    with pytest.raises(HypothesisFails) as refusal:
        dwork_roth_2014.GAUSSIAN_CLASSIC.at(epsilon=1, delta="1e-5", sensitivity=1)
    assert str(refusal.value) == "dwork_roth_2014.gaussian_classic: epsilon = 1: must satisfy epsilon_below_one: 0 < epsilon < 1"
    with pytest.raises(HypothesisFails, match=r"horizon = 5, round = 6: must satisfy round_within_horizon: round <= horizon"):
        chan_2011.TREE_ERROR.at(horizon=5, round=6, epsilon=1, failure=0.1)
    assert issubclass(HypothesisFails, ValueError)
    assert issubclass(OutsideDomain, ValueError)


def test_hypotheses_are_decided_exactly_at_their_border():
    """Would catch doubles in a comparison: for one arm the product of the two sums is exactly 1, which doubles miss."""
    for gap in ("0.3", "0.1", "7/9"):
        auer_2002.UCB1_REGRET.at(horizon=10, **auer_2002.arm_sums([gap]))
    with pytest.raises(HypothesisFails):
        auer_2002.UCB1_REGRET.at(horizon=10, inverse_gaps=3, total_gap=Fraction(1, 3) - Fraction(1, 10**400))


def test_suppressed_constants_have_no_number():
    with pytest.raises(NoNumber, match=r"chan_2011\.counter_error: the source suppresses the constants"):
        chan_2011.COUNTER_ERROR.at(horizon=10, round=2, epsilon=1, failure="1/20")
    with pytest.raises(NoNumber):
        chan_2011.COUNTER_ERROR.function()


def test_unknown_nodes_raise():
    """Would catch a translator that guesses: bounds refuse such nodes earlier, so they come straight to it here."""
    letter = symbol(SCALE)
    for node in (sympy.Max(letter, 1), sympy.ceiling(letter), sympy.sin(letter), sympy.Abs(letter - 2), sympy.I, sympy.besselj(1, letter)):
        with pytest.raises(TypeError, match="is not an allowed node"):
            evaluate.ball(node, {letter: Fraction(3, 2)})
    with pytest.raises(TypeError, match="is not an allowed node"):
        evaluate.ball(sympy.Float(0.5), {})


FUNCTIONS = [sympy.exp, sympy.log, sympy.erf, sympy.erfc, sympy.sinh, sympy.cosh, sympy.tanh, sympy.gamma, sympy.sqrt]


@given(st.sampled_from(FUNCTIONS), st.fractions(Fraction(1, 50), 20, max_denominator=10**6))
def test_each_node_agrees_with_another_library(function, number):
    """Would catch a node that is translated to the wrong function, or a wrong branch of a power."""
    from flint import ctx

    letter = symbol(SCALE)
    expression = (
        function(letter) ** sympy.Rational(3, 2) / 7 - letter**-letter if function is not sympy.log else function(letter) - sympy.pi
    )
    with ctx.workprec(300):
        found = evaluate.ball(expression, {letter: number})
        with mpmath.workdps(60):
            wanted = sympy.lambdify(letter, expression, "mpmath")(mpmath.mpf(number.numerator) / number.denominator)
            assert abs(mpmath.mpf(str(found.mid().str(70, radius=False))) - wanted) <= mpmath.mpf(10) ** -50 * (1 + abs(wanted))


def test_hurwitz_zeta_is_the_tail_of_the_sum():
    from flint import ctx

    letter = symbol(HORIZON)
    with ctx.workprec(200):
        tail = evaluate.ball(sympy.zeta(2, letter + 1), {letter: Fraction(50)})
        head = evaluate.to_ball(sum((Fraction(1, n * n) for n in range(1, 51)), Fraction(0)))
        assert (tail + head).overlaps(evaluate.ball(sympy.zeta(2), {}))


@given(st.fractions(0, 700, max_denominator=10**9), st.fractions(Fraction(1, 100), 100, max_denominator=10**9))
def test_the_float_is_the_nearest_one_on_the_safe_side(threshold, scale):
    """Would catch rounding to nearest: the upper bound must be the least double at or above the true value, by 60 digits."""
    x, b = symbol(THRESHOLD), symbol(SCALE)
    with mpmath.workdps(400):
        true = mpmath.exp(-mpmath.mpf(threshold.numerator) / threshold.denominator * scale.denominator / scale.numerator)
        up = statement(sympy.exp(-x / b), THRESHOLD, SCALE).at(threshold=threshold, scale=scale)
        down = statement(sympy.exp(-x / b), THRESHOLD, SCALE, sense=Sense.AT_LEAST).at(threshold=threshold, scale=scale)
        middle = statement(sympy.exp(-x / b), THRESHOLD, SCALE, sense=Sense.EQUALS).at(threshold=threshold, scale=scale)
        assert mpmath.mpf(up.bound) >= true > mpmath.mpf(math.nextafter(up.bound, -math.inf))
        assert mpmath.mpf(down.bound) <= true < mpmath.mpf(math.nextafter(down.bound, math.inf))
        assert up.low == down.bound == middle.low
        assert down.high == up.bound == middle.high
        assert middle.bound in (middle.low, middle.high)
        # the tail of thirty digits is in the ball
        digits = mpmath.mpf(middle.ball.mid().str(60, radius=False))
        assert abs(digits - true) <= true * mpmath.mpf(10) ** -30


def test_overflow_and_underflow_stay_on_the_safe_side():
    """Would catch an upper bound of 0 for a positive number, or one that overflows to an error."""
    x, b = symbol(THRESHOLD), symbol(SCALE)
    tiny = statement(sympy.exp(-x / b), THRESHOLD, SCALE).at(threshold=10**9, scale=1)
    assert (tiny.low, tiny.bound) == (0.0, 5e-324)
    huge = statement(sympy.exp(x / b), THRESHOLD, SCALE).at(threshold=10**9, scale=1)
    assert (huge.low, huge.bound) == (float(np.finfo(float).max), math.inf)
    negative = statement(-sympy.exp(x / b), THRESHOLD, SCALE).at(threshold=10**9, scale=1)
    assert (negative.low, negative.bound) == (-math.inf, -float(np.finfo(float).max))


def test_values_that_cancel_are_still_printed_to_thirty_digits():
    """Would catch a fixed precision: exp(x) - 1 - x at x = 1e-60 is 5e-121."""
    x = symbol(X)
    found = statement(sympy.exp(x) - 1 - x, X).at(x="1e-60")
    assert found.digits.startswith("[5.00000000000000000000000000000")
    assert found.bound == pytest.approx(5e-121, rel=1e-15)


def test_what_no_precision_can_tell_is_refused_with_the_reason():
    x = symbol(X)
    zero = sympy.sinh(x) ** 2 - sympy.cosh(x) ** 2 + 1  # which SymPy leaves as it is
    with pytest.raises(OutsideDomain, match=r"x = 1/3: the value cannot be told from its rounding error at 32768 bits"):
        statement(zero, X).at(x="1/3")
    with pytest.raises(OutsideDomain, match=r"cannot be distinguished at 32768 bits"):
        statement(None, X, cases=(Case(zero > 0, x), Case(sympy.true, -x))).at(x="1/3")
    with pytest.raises(OutsideDomain, match=r"x = -1: the value is not a finite number at 32768 bits"):
        statement(sympy.log(x), X).at(x=-1)


def test_the_first_case_that_holds_applies_and_gaps_between_cases_are_refused():
    x = symbol(X)
    cases = (Case(x > 1, sympy.Integer(1)), Case(x > 0, sympy.Integer(2)), Case(x < -1, sympy.Integer(3)))
    chosen = statement(None, X, cases=cases)
    assert [chosen.at(x=value).bound for value in (2, 1, -2)] == [1.0, 2.0, 3.0]
    with pytest.raises(OutsideDomain, match="x = 0: must fall in one of the cases"):
        chosen.at(x=0)
    assert np.array_equal(chosen.function()(x=[2, 1, -2, 0]), [1, 2, 3, np.nan], equal_nan=True)


@given(st.integers(1, 10**30))
def test_an_integer_quantity_is_found_exactly(horizon):
    """Would catch log2 in doubles, which is wrong next to the powers of two."""
    levels = statement(symbol(LEVELS), HORIZON, where=(levels_of(HORIZON),))
    for rounds in (horizon, 2 ** horizon.bit_length(), 2 ** horizon.bit_length() - 1):
        assert levels.at(horizon=rounds).bound == rounds.bit_length()


@given(st.fractions(Fraction(1, 1000), 1000, max_denominator=10**6))
def test_a_root_is_enclosed(number):
    """Would catch a bisection that stops early: the root of exp(s) = 1 + x is log(1 + x)."""
    x, s = symbol(THRESHOLD), symbol(SCALE)
    root = Implicit(of=SCALE, condition=sympy.Eq(sympy.exp(s), 1 + x), bracket=(x / (1 + x), x), unique="exp rises")
    found = statement(s, THRESHOLD, where=(root,), sense=Sense.EQUALS)
    with mpmath.workdps(60):
        true = mpmath.log1p(mpmath.mpf(number.numerator) / number.denominator)
        value = found.at(threshold=number)
        assert abs(mpmath.mpf(value.ball.mid().str(60, radius=False)) - true) <= true * mpmath.mpf(10) ** -30
    assert found.function()(threshold=float(number)) == pytest.approx(value.bound, rel=1e-12)


def test_a_bracket_without_a_root_is_refused():
    x, s = symbol(THRESHOLD), symbol(SCALE)
    root = Implicit(of=SCALE, condition=sympy.Eq(s**2, x), bracket=(x + 1, x + 2), unique="squares rise")
    with pytest.raises(OutsideDomain, match="scale: the equation does not change sign on its bracket"):
        statement(s, THRESHOLD, where=(root,)).at(threshold=1)
    none = Implicit(of=LEVELS, condition=symbol(LEVELS) > symbol(HORIZON), bracket=(sympy.Integer(1), symbol(HORIZON)), unique="")
    with pytest.raises(OutsideDomain, match="levels: no integer from"):
        statement(symbol(LEVELS), HORIZON, where=(none,)).at(horizon=5)


def test_functions_broadcast_and_mark_what_at_refuses():
    """Would catch a curve that is drawn outside the hypotheses."""
    curve = dwork_roth_2014.GAUSSIAN_CLASSIC.function()
    found = curve(epsilon=np.array([[0.5], [1.0], [-1.0]]), delta=np.array([0.1, 2.0]), sensitivity=1)
    assert found.shape == (3, 2)
    assert np.isfinite(found).tolist() == [[True, False], [False, False], [False, False]]
    with pytest.raises(OutsideDomain, match="delta, sensitivity: must be given"):
        curve(epsilon=0.5)
    with pytest.raises(OutsideDomain, match="sigma: is not a value"):
        curve(epsilon=0.5, delta=0.1, sensitivity=1, sigma=1)
    assert np.isnan(inequalities.HOEFFDING.function()(samples=[2.5, 0, np.inf, np.nan], failure=0.1)).all()


def test_delta_and_keep_stay_inside_open_intervals():
    for quantity in (DELTA, KEEP):
        for value in (0, 1):
            with pytest.raises(OutsideDomain, match=rf"{quantity.name} = {value}: must be > 0 and < 1"):
                evaluate.given_values(
                    LAPLACE, Bound(of=EPSILON, sense=Sense.AT_MOST, cases=always(1), given=(quantity,)), {quantity.name: value}
                )


@given(st.fractions(-5, 5, max_denominator=10**6), st.fractions(Fraction(1, 50), 20, max_denominator=10**6), st.integers(-4, 4))
def test_what_is_rational_is_exact_and_the_rest_is_enclosed(first, second, power):
    """Would catch a kept translation that is another expression's, a sum that leaves out a part, and a whole power by logarithms."""
    x, y = symbol(SCALE), symbol(THRESHOLD)
    values = {x: second, y: first}
    expression = (x - 3 * y / 7) ** 2 * x**power - y**3 / (1 + x) + 2
    exact = (second - 3 * first / 7) ** 2 * second**power - first**3 / (1 + second) + 2
    assert evaluate.rational(expression, values) == exact
    assert evaluate.holds(sympy.Le(expression, sympy.Rational(exact.numerator, exact.denominator)), values)
    assert not evaluate.holds(sympy.And(x > 0, sympy.Not(expression <= expression + x)), values)
    assert evaluate.rational(expression + sympy.sqrt(x) - sympy.sqrt(x**2), values) is None  # as it stands: no root is taken exactly
    mixed = evaluate.ball(expression + sympy.sqrt(x) - sympy.sqrt(x**2), values)
    assert mixed.overlaps(evaluate.to_ball(exact) + evaluate.to_ball(second).sqrt() - evaluate.to_ball(second))
    assert evaluate.rational(x ** sympy.Integer(2**20), {x: Fraction(3, 2)}) is None
    assert evaluate.ball(x ** sympy.Integer(2**20), {x: Fraction(3, 2)}) > 2**600_000
