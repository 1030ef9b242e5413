"""What the proof engine stands on: enclosures that enclose, derivatives, sums of power products, limits at the ends of a range."""

import math
from fractions import Fraction

import pytest
import sympy
from flint import ctx
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sympy import Rational, cosh, erf, erfc, exp, gamma, log, pi, sinh, sqrt, tanh, zeta

from banditproof.theory.proving.boxes import cut, middle, position
from banditproof.theory.proving.derivatives import derivative
from banditproof.theory.proving.enclosures import Enclosure, Unknown, end
from banditproof.theory.proving.goals import Constraint, Goal, Range, Refused, isolate, tidy
from banditproof.theory.proving.limits import at_end
from banditproof.theory.proving.rules import RULES, applied
from banditproof.theory.proving.terms import divided, expression_of, terms_of

X, Y, K = (sympy.Symbol(name, positive=True) for name in "xyk")
R = sympy.Symbol("r", real=True)
PREFIX = 200

functions = st.sampled_from(
    [
        sqrt,
        exp,
        tanh,
        erf,
        erfc,
        sinh,
        cosh,
        log,
        lambda part: log(1 + part**2),
        lambda part: exp(-part),
        lambda part: 1 / part,
        lambda part: part**2,
        lambda part: part**3,
        lambda part: part**-2,
        lambda part: part ** Rational(2, 3),
        lambda part: part**K,
        lambda part: part ** (1 - 1 / K),
        lambda part: gamma(1 + part**2),
        lambda part: zeta(2, 1 + part**2),
    ]
)
expressions = st.recursive(
    st.sampled_from([X, Y, R, K, sympy.Integer(2), Rational(-1, 3), pi, sympy.Integer(-1)]),
    lambda inner: st.one_of(
        st.builds(lambda function, part: function(part), functions, inner),
        st.builds(lambda one, two: one + two, inner, inner),
        st.builds(lambda one, two: one * two, inner, inner),
    ),
    max_leaves=6,
)
SYMBOLS = [X, Y, K, R]
numbers = st.one_of(
    st.just(Fraction(0)),
    st.fractions(0, 4, max_denominator=64),
    st.builds(lambda power, part: Fraction(2) ** power * part, st.integers(-40, 12), st.fractions(1, 2, max_denominator=8)),
)


@st.composite
def ranges(draw, real=False):
    """A range and some of its points: ends may be open, closed, equal or infinite."""
    low, high = sorted((draw(numbers), draw(numbers)))
    if real and draw(st.booleans()):
        low, high = -high, draw(st.sampled_from([-low, low]))
        low, high = min(low, high), max(low, high)
    far = draw(st.integers(0, 3)) == 0
    if not real and high == 0:
        high = Fraction(1)
    fraction = draw(st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100))
    inner = low + (high - low) * fraction
    box = Range(low, math.inf if far else high, low == 0 and not real, far)
    points = [inner, high] + ([] if box.low_open else [low])
    return box, draw(st.sampled_from(points))


def value_at(expression, values):
    """A ball at one point, at high precision; None where it is not defined there."""
    used = [item for item in SYMBOLS if item in expression.free_symbols]
    with ctx.workprec(PREFIX):
        try:
            ball = Enclosure(expression, used).balls([end(values[item]) for item in used], PREFIX)
        except Unknown:
            return None
        return ball if ball.is_finite() else None


@settings(max_examples=400, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(expressions, st.tuples(ranges(), ranges(), ranges(), ranges(real=True)))
def test_enclosures_enclose(expression, drawn):
    """Would catch a wrong corner, an open end that is reached, a rounding inwards, a function taken as rising that is not."""
    values = {item: point for item, (_, point) in zip(SYMBOLS, drawn, strict=True)}
    value = value_at(expression, values)
    assume(value is not None)
    used = [item for item in SYMBOLS if item in expression.free_symbols]
    boxes = [box for item, (box, _) in zip(SYMBOLS, drawn, strict=True) if item in used]
    with ctx.workprec(64):
        tape = Enclosure(expression, used)
        try:
            found = tape.intervals([box.interval() for box in boxes])
        except Unknown:
            found = None
        if found is not None:
            assert not value < found.low
            assert not value > found.high
            assert not (found.positive and value <= 0)
            assert not (found.negative and value >= 0)
        if all(isinstance(box.high, Fraction) for box in boxes):
            ball = tape.balls([end(box.low).union(end(box.high)) for box in boxes], 64)
            assert not ball.is_finite() or ball.overlaps(value)


@settings(max_examples=150)
@given(expressions, st.sampled_from(SYMBOLS), st.tuples(ranges(), ranges(), ranges(), ranges(real=True)))
def test_derivatives_are_those_of_sympy(expression, item, drawn):
    assume(item in expression.free_symbols and sympy.count_ops(expression) < 40)
    values = {one: point for one, (_, point) in zip(SYMBOLS, drawn, strict=True)}
    own, other = (value_at(found, values) for found in (derivative(expression, item), sympy.diff(expression, item)))
    assume(own is not None and other is not None)
    assert own.overlaps(other)


@settings(max_examples=300)
@given(expressions, st.tuples(ranges(), ranges(), ranges(), ranges(real=True)))
def test_terms_add_up_to_the_expression(expression, drawn):
    """Would catch a power taken apart where a factor is negative, and like terms that are not alike."""
    values = {one: point for one, (_, point) in zip(SYMBOLS, drawn, strict=True)}
    value = value_at(expression, values)
    assume(value is not None)
    again = value_at(expression_of(terms_of(expression)), values)
    assert again is None or again.overlaps(value)
    common, rest = divided(terms_of(expression))
    parts = [value_at(part, values) for part in (sympy.Mul(*(atom**power for atom, power in common)), expression_of(rest))]
    assert None in parts or (parts[0] > 0 and (parts[0] * parts[1]).overlaps(value))


@settings(max_examples=150)
@given(expressions, st.sampled_from([X, Y]), st.sampled_from([Fraction(0), Fraction(1), math.inf]))
def test_limits_are_approached(expression, item, at):
    """Would catch an end at which 0/0 or infinity - infinity is given a value: near the end the expression is near its limit."""
    assume(item in expression.free_symbols and R not in expression.free_symbols)
    box = tuple((one, Range(Fraction(1, 4), Fraction(8))) for one in (X, Y, K))
    try:
        limit = at_end(expression, item, at, box)
    except (Refused, Unknown):
        return
    others = {X: Fraction(3, 2), Y: Fraction(5, 4), K: Fraction(7, 3)}
    goal = value_at(limit, others)
    assume(goal is not None)
    errors = []
    for power in (60, 2000, 100_000):
        small = Fraction(1, 2**power)
        near = {**others, item: 1 / small if at == math.inf else at + small}
        value = value_at(expression, near)
        if value is not None:
            errors.append(abs(float((value - goal).mid())))
    assume(len(errors) >= 2)
    assert errors[-1] <= 1e-6 * (1 + abs(float(goal.mid()))) or errors[-1] <= errors[0] / 2


@settings(max_examples=200)
@given(
    st.sampled_from([X, Y, X * Y, X**2, sqrt(X), 1 / X, X * (1 + Y), X ** (1 / K)]),
    st.sampled_from([Y, Rational(3, 2), 1 / Y, 1 + Y, Y - 2, K]),
    st.booleans(),
    st.tuples(ranges(), ranges(), ranges()),
)
def test_isolated_symbols_say_the_same(left, right, rising, drawn):
    """Would catch a bound on the wrong side."""
    expression = left - right if rising else right - left
    values = {one: point for one, (_, point) in zip((X, Y, K), drawn, strict=True)}
    found = isolate(expression, X, tuple((one, Range(Fraction(0), math.inf, True, True)) for one in (X, Y, K)))
    assume(found is not None)
    from_below, bound = found
    level, limit = value_at(expression, values), value_at(bound, values)
    assume(level is not None and limit is not None)
    difference = (values[X] - limit) if isinstance(limit, Fraction) else (end(values[X]) - limit) * (1 if from_below else -1)
    assert not (level > 0 and difference < 0)
    assert not (level < 0 and difference > 0)


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from([X - Y, Y - X, X - 2, 3 - X, X * Y - 1, 4 - X * Y, X**2 - Y, 2 - X - Y, exp(X) - exp(Y)]), max_size=3),
    st.tuples(ranges(), ranges()),
)
def test_tidying_loses_no_point(constraints, drawn):
    """Would catch a range cut shorter than the constraints allow."""
    start = tuple((item, Range(Fraction(0), math.inf, True, True)) for item in (X, Y))
    with ctx.workprec(64):
        after = tidy(Goal(X + Y, start, tuple(Constraint(item) for item in constraints)))
    values = {one: point for one, (_, point) in zip((X, Y), drawn, strict=True)}
    levels = [value_at(item, values) for item in constraints]
    if all(level is not None and level > 0 for level in levels):
        for item, box in after.ranges:
            point = values[X if item.name == "x" else Y]
            assert box.low <= point <= box.high
        names = {item: values[X if item.name == "x" else Y] for item, _ in after.ranges}
        for constraint in after.constraints:
            used = {one: names[one] for one in constraint.expression.free_symbols}
            with ctx.workprec(PREFIX):
                ball = Enclosure(constraint.expression, list(used)).balls([end(number) for number in used.values()], PREFIX)
            assert not ball < 0


@given(numbers, numbers, st.booleans(), st.booleans())
def test_cuts_lose_nothing(one, two, integer, far):
    low, high = sorted((one, two))
    if integer:
        low, high = Fraction(math.floor(low)), Fraction(math.ceil(high))
    assume(low < high)
    whole = Range(low, math.inf if far else high, False, far, integer)
    assume(middle(whole.low, whole.high) is not None)
    left, right = (box[0] for box in cut((whole,), 0))
    assert left.low == whole.low
    assert right.high == whole.high
    assert right.low == (left.high + 1 if integer else left.high)
    assert not left.high_open
    assert not right.low_open
    assert left.high < whole.high
    assert position(left.low) <= position(left.high) <= position(whole.high)


def test_an_end_is_as_precise_as_the_work() -> None:
    """Would catch a verdict that depends on who has asked for a box's end before."""
    for precision in (53, 200, 53):
        with ctx.workprec(precision):
            assert abs(end(Fraction(1, 3)).rel_accuracy_bits() - precision) < 4


def test_every_rule_is_described():
    """Would catch a rule that the module's table leaves out."""
    from banditproof.theory.proving import rules

    assert rules.__doc__ is not None
    assert not [name for name in RULES if f"    {name} " not in rules.__doc__]


@pytest.mark.parametrize("rule", sorted(RULES))
def test_rules_refuse_what_they_cannot_do(rule):
    """Would catch a rule that closes a false goal whatever its parameters are."""
    false = Goal(-X - 1, ((X, Range(Fraction(0), math.inf, True, True)),))
    for parameters in ((), ("x",), ("x", "rising"), ("x", "falling"), ("0", "x", "ratio"), ("1",), ("-1",), ("x", "1/2"), ("loose",)):
        with ctx.workprec(64):
            try:
                goals = applied(rule, false, parameters)
            except (Refused, ValueError, IndexError):
                continue
            assert goals
