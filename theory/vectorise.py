"""Evaluates statements for arrays of doubles: quick, for curves. `Theorem.at` is what an audit compares with.

An intermediate result that doubles cannot hold becomes infinite, and 1/inf or exp(-inf) would turn it into a plain number again. So each
operation of the compiled expression is watched (`_Watched`): what is finite although an operand is not becomes NaN. Comparisons and the
choice between cases may meet an infinity, since that does not change which side is larger.
"""

import ast
import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy
from numpy.typing import ArrayLike, NDArray
from sympy.codegen.cfunctions import log1p

from banditproof.glossary import Quantity
from banditproof.theory.evaluate import require_names, require_number
from banditproof.theory.language import Implicit, Theorem, symbol

Floats = NDArray[np.float64]
Arrays = dict[str, Floats]

_BISECTIONS = 200
LARGEST = 4096  # of an integer implicit quantity


def function(theorem: Theorem) -> Callable[..., Floats]:
    """A theorem's bound as a function of NumPy arrays: see `Theorem.function`."""
    bound = require_number(theorem)
    names = [quantity.name for quantity in bound.quantities()]
    symbols = tuple(symbol(quantity) for quantity in bound.quantities())
    solvers = [_solver(implicit, symbols[: len(bound.given) + place]) for place, implicit in enumerate(bound.where)]
    required = [_asked(symbols, item.condition) for item in theorem.hypotheses if item.condition is not None]
    cases = [(*_asked(symbols, case.condition), _compiled(symbols, case.expression)) for case in bound.cases]

    def evaluate(**values: ArrayLike) -> Floats:
        require_names(theorem.id, bound, values)
        shaped = np.broadcast_arrays(*(np.asarray(values[quantity.name], dtype=np.float64) for quantity in bound.given))
        arrays = dict(zip(names, shaped, strict=False))
        shape = shaped[0].shape if shaped else ()
        with np.errstate(all="ignore"):  # what is not finite becomes NaN below
            valid = np.ones(shape, dtype=bool)
            for quantity in bound.given:
                valid &= _inside(quantity, arrays[quantity.name])
            for implicit, solver in zip(bound.where, solvers, strict=True):
                arrays[implicit.of.name] = solver(arrays, valid)
            ordered = [arrays[name] for name in names]
            for condition, sides in required:
                valid &= np.broadcast_to(condition(*ordered), shape) & _told(sides, ordered)
            result = np.full(shape, np.nan)
            for condition, sides, expression in cases:
                valid &= _told(sides, ordered)
                chosen = valid & np.isnan(result) & np.broadcast_to(condition(*ordered), shape)
                number = np.broadcast_to(np.asarray(expression(*ordered), dtype=np.float64), shape)  # of an integer beyond 64 bits too
                result = np.where(chosen, number, result)
                valid &= ~chosen
            return np.where(np.isfinite(result), result, np.nan)

    evaluate.__name__ = theorem.id.rpartition(".")[2]
    evaluate.__doc__ = theorem.statement
    return evaluate


_Sides = list[tuple[Callable[..., Any], Callable[..., Any]]]


def _asked(symbols: tuple[sympy.Symbol, ...], condition: sympy.Basic) -> tuple[Callable[..., Any], _Sides]:
    """A condition, and the two sides of each comparison in it."""
    compared = sorted(condition.atoms(sympy.core.relational.Relational), key=str)
    return _compiled(symbols, condition), [(_compiled(symbols, part.lhs), _compiled(symbols, part.rhs)) for part in compared]


def _told(sides: _Sides, ordered: list[Floats]) -> "NDArray[np.bool_] | bool":
    """Where doubles can tell: no side is NaN, and not both of them the same infinity."""
    known: NDArray[np.bool_] | bool = True
    for left, right in sides:
        one, two = left(*ordered), right(*ordered)
        known = known & ~(np.isnan(one) | np.isnan(two) | (np.isinf(one) & (one == two)))
    return known


@functools.cache  # compiling a long expression takes a second
def _compiled(symbols: tuple[sympy.Symbol, ...], expression: sympy.Basic) -> Callable[..., Any]:
    from scipy import special

    table = {"erf": special.erf, "erfc": special.erfc, "gamma": special.gamma, "zeta": special.zeta}
    accurate = expression.replace(_near_one, lambda part: log1p(part.args[0] - 1))
    plain: Callable[..., Any] = sympy.lambdify(symbols, accurate, modules=[table, "numpy"])
    tree = ast.fix_missing_locations(_Watched().visit(ast.parse(inspect.getsource(plain))))
    scope = {**plain.__globals__, "_kept": _kept, "_operators": _OPERATORS}
    exec(compile(tree, plain.__code__.co_filename, "exec"), scope)
    compiled: Callable[..., Any] = scope[plain.__name__]
    return compiled


_OPERATORS: dict[str, Callable[..., Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "Pow": operator.pow,
}
# Functions in which an operand that is infinite says no less than a number would.
_CHOICES = {"select", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "amax", "amin", "maximum", "minimum", "isnan"}
_CHOICES |= {"logical_and", "logical_or", "logical_not", "reduce", "asarray", "array"}


class _Watched(ast.NodeTransformer):
    """Puts each operation of a compiled expression under `_kept`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = type(node.op).__name__
        if name not in _OPERATORS:  # a bitwise operator between conditions
            return node
        chosen = ast.Subscript(ast.Name("_operators", ast.Load()), ast.Constant(name), ast.Load())
        return ast.Call(ast.Name("_kept", ast.Load()), [chosen, node.left, node.right], [])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        if called in _CHOICES | {"_kept"} or node.keywords:
            return node
        return ast.Call(ast.Name("_kept", ast.Load()), [node.func, *node.args], [])


def _kept(operation: Callable[..., Any], *operands: Any) -> Any:
    """The operation's result, NaN where it is finite although an operand is not."""
    result = operation(*operands)
    lost = functools.reduce(operator.or_, (not isinstance(operand, int) and np.isinf(operand) for operand in operands))
    return np.where(lost & np.isfinite(result), np.nan, result) if np.any(lost) else result


def _near_one(part: sympy.Basic) -> bool:
    """Whether a part is log(1 + x), which doubles lose where x is tiny."""
    return isinstance(part, sympy.log) and isinstance(part.args[0], sympy.Add) and sympy.S.One in part.args[0].args


def _inside(quantity: Quantity, values: Floats) -> NDArray[np.bool_]:
    domain = quantity.domain
    above = values > domain.low if domain.low_open else values >= domain.low
    below = values < domain.high if domain.high_open else values <= domain.high
    inside: NDArray[np.bool_] = above & below & np.isfinite(values)
    return inside & (values == np.floor(values)) if domain.integer else inside


def _solver(implicit: Implicit, symbols: tuple[sympy.Symbol, ...]) -> Callable[[Arrays, NDArray[np.bool_]], Floats]:
    """The implicit quantity from the arrays of those before it; NaN where there is no solution in the bracket."""
    ends = [_compiled(symbols, end) for end in implicit.bracket]
    inner = (*symbols, symbol(implicit.of))
    if implicit.of.domain.integer:
        satisfied = _compiled(inner, implicit.condition)
        return lambda arrays, valid: _least(satisfied, ends, [arrays[item.name] for item in symbols], valid)
    difference = _compiled(inner, implicit.condition.lhs - implicit.condition.rhs)
    return lambda arrays, valid: _root(difference, ends, [arrays[item.name] for item in symbols], valid)


def _least(satisfied: Callable[..., Any], ends: list[Callable[..., Any]], before: list[Floats], valid: NDArray[np.bool_]) -> Floats:
    low, high = (np.broadcast_to(end(*before), valid.shape).astype(np.float64) for end in ends)
    candidate = np.ceil(low)
    for _ in range(LARGEST):
        short = valid & (candidate <= high) & ~np.asarray(satisfied(*before, candidate), dtype=bool)
        if not short.any():
            return np.where(valid & (candidate <= high), candidate, np.nan)
        candidate = np.where(short, candidate + 1.0, candidate)
    return np.where(short, np.nan, candidate)


def _root(difference: Callable[..., Any], ends: list[Callable[..., Any]], before: list[Floats], valid: NDArray[np.bool_]) -> Floats:
    low, high = (np.broadcast_to(end(*before), valid.shape).astype(np.float64) for end in ends)
    rising = np.sign(difference(*before, high))
    found = valid & (rising * np.sign(difference(*before, low)) < 0)
    for _ in range(_BISECTIONS):
        middle = low + (high - low) / 2
        right = np.sign(difference(*before, middle)) == rising
        low, high = np.where(right, low, middle), np.where(right, middle, high)
    return np.where(found, high, np.nan)
