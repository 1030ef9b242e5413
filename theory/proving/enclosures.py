"""Encloses the range of an expression on a box, by ball arithmetic.

Main definitions
    Interval    the ends (exact balls, infinity allowed) and, for each end, whether the value may be reached
    Enclosure   an expression turned into a tape of operations once, then evaluated on many boxes

A finite box is tried in plain ball arithmetic first (Arb, a few microseconds). What that cannot tell, because an end is infinite or a
logarithm or a quotient touches its border, is done with intervals whose ends are rounded outwards ball by ball. Infinite ends stand for
values that are not reached, so 0 * infinity is 0, and infinity - infinity is everything. An operation that is not defined at some
point of its operand raises Unknown, and so does a node outside the whitelist: neither ever proves anything.
"""

import functools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import sympy
from flint import arb, ctx, fmpq

from banditproof.theory.proving import effort

INFINITY, ZERO, ONE = arb.pos_inf(), arb(0), arb(1)


class Unknown(Exception):
    """The arithmetic cannot enclose the expression on this box: it says nothing."""


class Interval(NamedTuple):
    """Values between two exact balls. An open end is not reached; a closed one may be."""

    low: Any
    high: Any
    low_open: bool = False
    high_open: bool = False

    @property
    def nonnegative(self) -> bool:
        return bool(self.low >= 0)

    @property
    def positive(self) -> bool:
        return bool(self.low > 0) or (self.low_open and bool(self.low >= 0))

    @property
    def negative(self) -> bool:
        return bool(self.high < 0) or (self.high_open and bool(self.high <= 0))


def end(number: "Fraction | float") -> Any:
    """A box's end as an exact ball or an infinity; ends that are no dyadic numbers have a radius, which is of the working precision."""
    return _end(number, ctx.prec)


@functools.lru_cache(maxsize=1 << 16)
def _end(number: "Fraction | float", precision: int) -> Any:
    if isinstance(number, float):
        return INFINITY if number > 0 else -INFINITY
    return arb(fmpq(number.numerator, number.denominator))


def interval(low: Any, high: Any, low_open: bool = False, high_open: bool = False) -> Interval:
    """The interval between two balls, rounded outwards. Raises Unknown where an end is not a number."""
    if low.is_nan() or high.is_nan():
        raise Unknown("not a number")
    return Interval(_down(low), _up(high), low_open, high_open)


def _down(ball: Any) -> Any:
    return ball if ball.is_exact() else ball.lower()


def _up(ball: Any) -> Any:
    return ball if ball.is_exact() else ball.upper()


# --- the operations --------------------------------------------------------------------------------------------------------------


def add(a: Interval, b: Interval) -> Interval:
    return interval(a.low + b.low, a.high + b.high, a.low_open or b.low_open, a.high_open or b.high_open)


def _product(x: Any, x_open: bool, y: Any, y_open: bool) -> tuple[Any, bool]:
    """One corner of a product, and whether it is not reached. An infinite end is not reached, so its product with 0 is 0."""
    if x.is_zero() or y.is_zero():
        return ZERO, not ((x.is_zero() and not x_open) or (y.is_zero() and not y_open))
    return x * y, x_open or y_open


def multiply(a: Interval, b: Interval) -> Interval:
    if a.low >= 0 and b.low >= 0:
        low, low_open = _product(a.low, a.low_open, b.low, b.low_open)
        high, high_open = _product(a.high, a.high_open, b.high, b.high_open)
        return interval(low, high, low_open, high_open)
    if a.high <= 0:
        return _negated(multiply(_negated(a), b)) if a.low < 0 else Interval(ZERO, ZERO, a.low_open, a.high_open)
    if b.high <= 0:
        return _negated(multiply(a, _negated(b))) if b.low < 0 else Interval(ZERO, ZERO, b.low_open, b.high_open)
    corners = [_product(x, x_open, y, y_open) for x, x_open in ((a.low, a.low_open), (a.high, a.high_open)) for y, y_open in _ends(b)]
    if any(corner.is_nan() for corner, _ in corners):
        raise Unknown("not a number")
    low, high = min((_down(corner) for corner, _ in corners), key=_Key), max((_up(corner) for corner, _ in corners), key=_Key)
    low_open = all(is_open for corner, is_open in corners if not corner > low)
    high_open = all(is_open for corner, is_open in corners if not corner < high)
    return Interval(low, high, low_open, high_open)


def _ends(a: Interval) -> tuple[tuple[Any, bool], tuple[Any, bool]]:
    return (a.low, a.low_open), (a.high, a.high_open)


class _Key:
    """Orders exact balls, infinities included."""

    __slots__ = ("ball",)

    def __init__(self, ball: Any) -> None:
        self.ball = ball

    def __lt__(self, other: "_Key") -> bool:
        return bool(self.ball < other.ball)


def inverse(a: Interval) -> Interval:
    if a.negative:
        return _negated(inverse(_negated(a)))
    if not a.positive:
        raise Unknown("a quotient by what may be 0")
    low = ONE / a.high if a.high.is_finite() else ZERO
    high = INFINITY if a.low.is_zero() else ONE / a.low
    return interval(low, high, a.high_open, a.low_open)


def logarithm(a: Interval) -> Interval:
    if not a.positive:
        raise Unknown("the logarithm of what may be 0 or less")
    low = -INFINITY if a.low.is_zero() else a.low.log()
    return interval(low, a.high.log() if a.high.is_finite() else INFINITY, a.low_open, a.high_open)


def exponential(a: Interval) -> Interval:
    low = a.low.exp() if a.low.is_finite() else (INFINITY if a.low > 0 else ZERO)
    high = a.high.exp() if a.high.is_finite() else (INFINITY if a.high > 0 else ZERO)
    return interval(low, high, a.low_open, a.high_open)


def power(a: Interval, exponent: Interval) -> Interval:
    """A real power of what is >= 0: exp(exponent * log), with 0 to a positive power as 0."""
    if a.positive:
        return exponential(multiply(exponent, logarithm(a)))
    if a.nonnegative and exponent.positive:  # 0 is reached, and goes to 0
        if not a.high > 0:
            return Interval(ZERO, ZERO)
        high = a.high.log() if a.high.is_finite() else INFINITY
        top = multiply(exponent, Interval(_down(high), _up(high), a.high_open, a.high_open))
        return Interval(ZERO, exponential(top).high, False, top.high_open)
    raise Unknown("a real power of what may be negative")


def integer_power(a: Interval, exponent: int) -> Interval:
    if exponent < 0:
        return inverse(integer_power(a, -exponent))
    if a.nonnegative or exponent % 2:
        return interval(_raised(a.low, exponent), _raised(a.high, exponent), a.low_open, a.high_open)
    if not a.high > 0:
        return interval(_raised(a.high, exponent), _raised(a.low, exponent), a.high_open, a.low_open)
    left, right = _raised(a.low, exponent), _raised(a.high, exponent)
    return Interval(ZERO, max(_up(left), _up(right), key=_Key))


def _raised(ball: Any, exponent: int) -> Any:
    return ball**exponent if ball.is_finite() else (INFINITY if ball > 0 or exponent % 2 == 0 else -INFINITY)


def root(a: Interval) -> Interval:
    if not a.nonnegative:
        raise Unknown("the root of what may be negative")
    return interval(a.low.sqrt() if a.low.is_finite() else INFINITY, a.high.sqrt() if a.high.is_finite() else INFINITY, *a[2:])


def _rising(name: str, at_minus: Any, at_plus: Any) -> Callable[[Interval], Interval]:
    def value(point: Any) -> Any:
        return getattr(point, name)() if point.is_finite() else (at_plus if point > 0 else at_minus)

    return lambda a: interval(value(a.low), value(a.high), a.low_open, a.high_open)


def _negated(a: Interval) -> Interval:
    return Interval(-a.high, -a.low, a.high_open, a.low_open)


def cosine(a: Interval) -> Interval:
    size = a if a.nonnegative else _negated(a) if not a.high > 0 else Interval(ZERO, max(-a.low, a.high, key=_Key))
    return _rising("cosh", INFINITY, INFINITY)(size)


def gamma(a: Interval) -> Interval:
    if a.low >= 2:  # rising from 1.4616 on
        return _rising("gamma", INFINITY, INFINITY)(a)
    if a.low > 0:  # convex, with the least value 0.88560319... at 1.4616
        high = max(_up(a.low.gamma()), _up(a.high.gamma()), key=_Key) if a.high.is_finite() else INFINITY
        return interval(end(Fraction("0.885603")), high, True, False)
    raise Unknown("the gamma function near a pole")


def digamma(a: Interval) -> Interval:
    if a.low > 0:
        return _rising("digamma", -INFINITY, INFINITY)(a)
    raise Unknown("the digamma function near a pole")


def zeta(order: Interval, start: Interval) -> Interval:
    """The sum over n >= 0 of (n + start)**-order, which falls in start."""
    if order.low > 1 and order.low.overlaps(order.high) and start.low > 0:
        low = order.low.zeta(start.high) if start.high.is_finite() else ZERO
        return interval(low, order.low.zeta(start.low), start.high_open, start.low_open)
    raise Unknown("a zeta function outside order > 1, start > 0")


_FUNCTIONS: dict[type, tuple[str, Callable[[Interval], Interval]]] = {
    sympy.exp: ("exp", exponential),
    sympy.log: ("log", logarithm),
    sympy.erf: ("erf", _rising("erf", -ONE, ONE)),
    sympy.sinh: ("sinh", _rising("sinh", -INFINITY, INFINITY)),
    sympy.cosh: ("cosh", cosine),
    sympy.tanh: ("tanh", _rising("tanh", -ONE, ONE)),
    sympy.gamma: ("gamma", gamma),
}


def _falling_erfc(a: Interval) -> Interval:
    low = a.high.erfc() if a.high.is_finite() else (ZERO if a.high > 0 else arb(2))
    high = a.low.erfc() if a.low.is_finite() else (ZERO if a.low > 0 else arb(2))
    return interval(low, high, a.high_open, a.low_open)


_FUNCTIONS[sympy.erfc] = ("erfc", _falling_erfc)


# --- tapes -----------------------------------------------------------------------------------------------------------------------


class Enclosure:
    """An expression in the given symbols, ready for many boxes. Raises Unknown for a node outside the whitelist."""

    def __init__(self, expression: sympy.Expr, symbols: Sequence[sympy.Symbol]) -> None:
        self._places = {item: place for place, item in enumerate(symbols)}
        self._slots: dict[sympy.Expr, int] = {}
        self._slow: list[Callable[[list[Any], Sequence[Interval]], Interval]] = []
        self._lines: list[str] = []
        self._constants: list[Any] = []
        self._result = self._slot(expression)
        effort.charge(8 * len(self._slow))
        self._compiled: dict[int, Callable[..., Any]] = {}

    def _slot(self, node: sympy.Expr) -> int:
        if node not in self._slots:
            slow, line = self._operation(node)
            self._slots[node] = len(self._slow)
            self._lines.append(line)
            self._slow.append(slow)
        return self._slots[node]

    def _operation(self, node: sympy.Expr) -> tuple[Callable[[list[Any], Sequence[Interval]], Interval], str]:
        if isinstance(node, sympy.Symbol):
            place = self._places[node]
            return (lambda done, box: box[place]), f"x{place}"
        if isinstance(node, sympy.Rational) or node in (sympy.pi, sympy.E):
            return self._constant(node)
        if not node.args:
            raise Unknown(f"{node} is not an allowed number")
        parts = [self._slot(part) for part in node.args]
        first = parts[0]
        match node:
            case sympy.Add():
                return (lambda done, box: functools.reduce(add, [done[part] for part in parts])), "+".join(f"v{part}" for part in parts)
            case sympy.Mul():
                return (lambda done, box: functools.reduce(multiply, [done[part] for part in parts])), "*".join(
                    f"v{part}" for part in parts
                )
            case sympy.Pow():
                return self._power(node, parts)
        if isinstance(node, sympy.zeta) and len(parts) == 2:
            second = parts[1]
            return (lambda done, box: zeta(done[first], done[second])), f"v{first}.zeta(v{second})"
        if isinstance(node, sympy.polygamma) and node.args[0] == 0:
            return (lambda done, box: digamma(done[parts[1]])), f"v{parts[1]}.digamma()"
        if type(node) not in _FUNCTIONS or len(parts) != 1:
            raise Unknown(f"{type(node).__name__} is not an allowed node")
        name, function = _FUNCTIONS[type(node)]
        return (lambda done, box: function(done[first])), f"v{first}.{name}()"

    def _constant(self, node: sympy.Expr) -> tuple[Callable[[list[Any], Sequence[Interval]], Interval], str]:
        place = len(self._constants)
        self._constants.append(node)

        def slow(done: list[Any], box: Sequence[Interval]) -> Interval:
            ball = constant(node)
            return interval(ball, ball)

        return slow, f"c{place}"

    def _power(self, node: sympy.Pow, parts: list[int]) -> tuple[Callable[[list[Any], Sequence[Interval]], Interval], str]:
        base, exponent = parts
        if isinstance(node.exp, sympy.Integer):
            number = int(node.exp)
            return (lambda done, box: integer_power(done[base], number)), f"v{base}**{number}"
        if node.exp == sympy.Rational(1, 2):
            return (lambda done, box: root(done[base])), f"v{base}.sqrt()"
        return (lambda done, box: power(done[base], done[exponent])), f"v{base}**v{exponent}"

    def _fast(self, precision: int) -> Callable[..., Any]:
        """The tape as one Python function of balls, for a precision: its constants are rounded to it."""
        if precision not in self._compiled:
            body = "".join(f"\n    v{place} = {line}" for place, line in enumerate(self._lines))
            arguments = ", ".join(f"x{place}" for place in range(len(self._places)))
            scope: dict[str, Any] = {f"c{place}": constant(node) for place, node in enumerate(self._constants)}
            exec(f"def tape({arguments}):{body}\n    return v{self._result}", scope)
            self._compiled[precision] = scope["tape"]
        return self._compiled[precision]

    def balls(self, box: Sequence[Any], precision: int) -> Any:
        """The value on a box of finite balls; possibly not finite, which says nothing."""
        effort.charge(1 + len(self._lines) // 4)
        try:
            return self._fast(precision)(*box)
        except ZeroDivisionError:
            return arb.nan()

    def intervals(self, box: Sequence[Interval]) -> Interval:
        """The range on a box with any ends. Raises Unknown."""
        effort.charge(len(self._slow))
        done: list[Any] = []
        for operation in self._slow:
            done.append(operation(done, box))
        result: Interval = done[self._result]
        return result


def constant(node: sympy.Expr) -> Any:
    """A number at the current precision."""
    if node == sympy.pi:
        return arb.pi()
    if node == sympy.E:
        return arb.const_e()
    return arb(fmpq(int(node.p), int(node.q)))
