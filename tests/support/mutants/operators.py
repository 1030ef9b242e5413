"""The mistakes: one function per kind, from a node to the edits of that kind at that node.

What cannot be seen from the text, such as whether a swap changes a value, is left to the run. An edit that writes what stood there before,
or what cannot be parsed, is left out in `drawing`.
"""

import ast
import re
from collections.abc import Callable, Iterator

from tests.support.mutants.edits import Edit, Kind, Source, grouped, name_of

Operator = Callable[[Source, ast.AST], Iterator[Edit]]

_SHAPES = ("range", "zeros", "ones", "empty", "full", "eye", "reshape", "arange", "shape", "whole_numbers", "uint64", "int64")
_TURNED: dict[type[ast.cmpop], str] = {
    ast.Lt: ">=",
    ast.LtE: ">",
    ast.Gt: "<=",
    ast.GtE: "<",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
_EXTREMES = {"min": "max", "minimum": "maximum", "fmin": "fmax", "argmin": "argmax", "nanmin": "nanmax"}
_EXTREMES |= {high: low for low, high in _EXTREMES.items()}
_LOGS = ("log", "log2", "log10", "log1p")
_CLIPS = re.compile(r"clip|project|truncat|shorten")
_BOUNDS = re.compile(r"bound|trunc|clip|limit|norm|threshold|radius|cap\b")
_DRAWS = ("uniform", "laplace", "normal", "block")
_EITHER_WAY = ("min", "max", "minimum", "maximum", "range", "isinstance", "zip", "hypot", "isclose", "dot", "getattr")


def _edit(source: Source, node: ast.AST, kind: Kind, detail: str, text: str) -> Edit:
    start, end = source.span(node)
    return Edit(kind, detail, start, end, text, source.lines(node), _constant(source, node))


def _constant(source: Source, node: ast.AST) -> str:
    statement = source.statement(node)
    if not isinstance(source.parents[statement], ast.Module) or not isinstance(statement, ast.Assign | ast.AnnAssign):
        return ""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return " ".join(each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))


def _counts(source: Source, node: ast.AST) -> bool:
    """Whether a node stands in an index, a length or a shape."""
    inside = node
    for above in source.above(node):
        if isinstance(above, ast.stmt):
            return False
        if isinstance(above, ast.Subscript) and inside is above.slice:
            return True
        if isinstance(above, ast.Call) and name_of(above) in _SHAPES:
            return True
        if isinstance(above, ast.keyword) and above.arg in ("axis", "size", "dtype", "ndmin", "shape"):
            return True
        inside = above
    return False


def constants(source: Source, node: ast.AST) -> Iterator[Edit]:
    """A number times 2, one half and 0.8. A whole number becomes a fraction only beside an arithmetic operation."""
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool) or not isinstance(node.value, int | float) or node.value == 0:
        return
    if _counts(source, node):
        return
    above = source.parents[node]
    arithmetic = isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.Pow)
    for factor, said in ((2, "times 2"), (0.5, "times one half"), (0.8, "times 0.8")):
        changed = node.value * factor
        if isinstance(node.value, int) and isinstance(changed, float) and changed.is_integer():
            changed = int(changed)
        if isinstance(changed, float) and isinstance(node.value, int) and not arithmetic:
            continue
        yield _edit(source, node, Kind.CONSTANT, said, repr(changed))


def terms(source: Source, node: ast.AST) -> Iterator[Edit]:
    """A summand, a factor, a root or an update is left out."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as op, right=right):
            if _counts(source, node) or any(isinstance(each, ast.Tuple | ast.List | ast.JoinedStr) for each in (left, right)):
                return
            yield _edit(source, node, Kind.TERM, "right side", grouped(source.of(left)))
            kept = grouped(source.of(right))
            without = f"(-{kept})" if isinstance(op, ast.Sub) else f"(1.0 / {kept})" if isinstance(op, ast.Div) else kept
            yield _edit(source, node, Kind.TERM, "left side", without)
        case ast.AugAssign():
            yield _edit(source, node, Kind.TERM, "update", "pass")
        case ast.Call(args=[argument]) if name_of(node) == "sqrt":
            yield _edit(source, node, Kind.TERM, "root", grouped(source.of(argument)))


def signs(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Plus for minus, and minus for plus."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            if _counts(source, node) or any(isinstance(each, ast.Tuple | ast.List | ast.JoinedStr) for each in (left, right)):
                return
            said = "-" if isinstance(op, ast.Add) else "+"
            yield _edit(source, node, Kind.SIGN, f"to {said}", f"({grouped(source.of(left))} {said} {grouped(source.of(right))})")
        case ast.AugAssign(op=ast.Add() | ast.Sub() as op):
            said = "-" if isinstance(op, ast.Add) else "+"
            yield _edit(source, node, Kind.SIGN, f"to {said}=", f"{source.of(node.target)} {said}= {source.of(node.value)}")
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield _edit(source, node, Kind.SIGN, "minus left out", grouped(source.of(operand)))


def comparisons(source: Source, node: ast.AST) -> Iterator[Edit]:
    """A comparison says the opposite."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        said = _TURNED[type(node.ops[0])]
        text = f"{source.of(node.left)} {said} {source.of(node.comparators[0])}"
        yield _edit(source, node, Kind.COMPARISON, f"to {said}", grouped(text))


def indices(source: Source, node: ast.AST) -> Iterator[Edit]:
    """An index, or an end of a range, one more or one less."""
    match node:
        case ast.Subscript(slice=ast.Tuple(elts=parts)):
            for part in parts:
                yield from _shifted(source, part)
        case ast.Subscript(slice=ast.Slice(lower=lower, upper=upper)):
            for end in (lower, upper):
                if end is not None:
                    yield from _shifted(source, end)
        case ast.Subscript(slice=index):
            yield from _shifted(source, index)
        case ast.Call(func=ast.Name(id="range"), args=[stop]):
            yield _edit(source, stop, Kind.INDEX, "first left out", f"1, {source.of(stop)}")
            yield _edit(source, stop, Kind.INDEX, "last left out", f"{grouped(source.of(stop))} - 1")
        case ast.Call(func=ast.Name(id="range"), args=[start, stop, *_]):
            yield _edit(source, start, Kind.INDEX, "first left out", f"{grouped(source.of(start))} + 1")
            yield _edit(source, stop, Kind.INDEX, "last left out", f"{grouped(source.of(stop))} - 1")


def _shifted(source: Source, part: ast.expr) -> Iterator[Edit]:
    match part:
        case ast.Constant(value=int() as index) if not isinstance(index, bool):
            yield _edit(source, part, Kind.INDEX, "plus 1", str(index + 1))
            if index > 0:
                yield _edit(source, part, Kind.INDEX, "minus 1", str(index - 1))
        case ast.Name() | ast.BinOp() | ast.Attribute():
            yield _edit(source, part, Kind.INDEX, "plus 1", f"{grouped(source.of(part))} + 1")
            yield _edit(source, part, Kind.INDEX, "minus 1", f"{grouped(source.of(part))} - 1")


def extremes(source: Source, node: ast.AST) -> Iterator[Edit]:
    """The least for the largest, and the largest for the least."""
    if isinstance(node, ast.Call) and name_of(node) in _EXTREMES:
        name = name_of(node)
        changed = source.of(node.func)[: -len(name)] + _EXTREMES[name]
        yield _edit(source, node.func, Kind.EXTREME, f"{_EXTREMES[name]} for {name}", changed)


def logs(source: Source, node: ast.AST) -> Iterator[Edit]:
    """The argument of a logarithm times 2 and one half."""
    if isinstance(node, ast.Call) and name_of(node) in _LOGS and len(node.args) == 1:
        inside = grouped(source.of(node.args[0]))
        yield _edit(source, node.args[0], Kind.LOG, "times 2", f"2.0 * {inside}")
        yield _edit(source, node.args[0], Kind.LOG, "times one half", f"0.5 * {inside}")


def reused(source: Source, node: ast.AST) -> Iterator[Edit]:
    """One draw for many, the stream of another purpose, and a number that stays from before."""
    match node:
        case ast.Call(args=[_, ast.Attribute(value=ast.Name(id="randomness")) as purpose, index, *_]) if name_of(node) in _DRAWS:
            yield _edit(source, index, Kind.REUSE, "one draw for all", "0")
            other = "randomness.REWARDS" if purpose.attr != "REWARDS" else "randomness.NOISE"
            yield _edit(source, purpose, Kind.REUSE, "stream of another purpose", other)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="rng")), args=[*_, ast.Tuple(elts=[first, *_])]) if source.of(first) != "1":
            (start, end), (before, after) = source.span(node), source.span(first)
            once = source.text[start:before] + "1" + source.text[after:end]
            yield _edit(source, node, Kind.REUSE, "one draw for all", f"np.repeat({once}, {source.of(first)}, axis=0)")
        case ast.Assign(targets=[ast.Subscript()]):
            yield _edit(source, node, Kind.REUSE, "not written", "pass")
        case ast.Expr(value=ast.Call() as call) if name_of(call) in ("fill", "copy", "restart", "reset"):
            yield _edit(source, node, Kind.REUSE, "not written", "pass")


def clipping(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Clipping removed, after the noise, and at twice the bound."""
    match node:
        case ast.Expr(value=ast.Call() as call) if _CLIPS.search(name_of(call)):
            yield _edit(source, node, Kind.CLIPPING, "removed", "pass")
        case ast.Call(args=[inside, *bounds]) if _CLIPS.search(name_of(node)) and not isinstance(source.parents[node], ast.Expr):
            yield _edit(source, node, Kind.CLIPPING, "removed", grouped(source.of(inside)))
            if len(bounds) == 2 and name_of(node) == "clip":
                wider = ", ".join(f"2.0 * {grouped(source.of(each))}" for each in bounds)
                text = f"{source.of(node.func)}({source.of(inside)}, {wider})"
                yield _edit(source, node, Kind.CLIPPING, "at twice the bound", text)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            for clipped, noise in ((left, right), (right, left)):
                if isinstance(clipped, ast.Call) and _CLIPS.search(name_of(clipped)) and clipped.args:
                    inside = clipped.args[0]
                    rest = source.of(clipped)[len(source.text[source.span(clipped)[0] : source.span(inside)[1]]) :]
                    text = f"{source.of(clipped.func)}({grouped(source.of(inside))} + {grouped(source.of(noise))}{rest}"
                    yield _edit(source, node, Kind.CLIPPING, "after the noise", text)
        case ast.Call(args=[one, other]) if name_of(node) in _EXTREMES:
            yield _edit(source, node, Kind.CLIPPING, "left argument alone", grouped(source.of(one)))
            yield _edit(source, node, Kind.CLIPPING, "right argument alone", grouped(source.of(other)))
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], comparators=[right]):
            for side in (left, right):
                if isinstance(side, ast.Name | ast.Attribute | ast.Subscript) and _BOUNDS.search(source.of(side)):
                    yield _edit(source, side, Kind.CLIPPING, "at twice the bound", f"2.0 * {source.of(side)}")


def swaps(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Two arguments that stand side by side change places."""
    if not isinstance(node, ast.Call) or name_of(node) in _EITHER_WAY or name_of(node).startswith("require"):
        return
    for one, other in zip(node.args, node.args[1:], strict=False):
        plain = all(isinstance(each, ast.Name | ast.Attribute | ast.Subscript | ast.BinOp | ast.Constant) for each in (one, other))
        if plain and any(isinstance(each, ast.Name | ast.Attribute) for each in (one, other)):
            between = source.text[source.span(one)[1] : source.span(other)[0]]
            start, end = source.span(one)[0], source.span(other)[1]
            text = source.of(other) + between + source.of(one)
            yield Edit(Kind.SWAP, f"of {name_of(node)}", start, end, text, source.lines(node), _constant(source, node))


def branches(source: Source, node: ast.AST) -> Iterator[Edit]:
    """A case is never taken, or always; one of two conditions is left out."""
    match node:
        case ast.If(test=test):
            yield _edit(source, test, Kind.BRANCH, "never taken", "False")
            yield _edit(source, test, Kind.BRANCH, "always taken", "True")
        case ast.IfExp(body=body, orelse=orelse):
            yield _edit(source, node, Kind.BRANCH, "always taken", grouped(source.of(body)))
            yield _edit(source, node, Kind.BRANCH, "never taken", grouped(source.of(orelse)))
        case ast.BoolOp(values=[one, other]):
            yield _edit(source, node, Kind.BRANCH, "left condition alone", grouped(source.of(one)))
            yield _edit(source, node, Kind.BRANCH, "right condition alone", grouped(source.of(other)))


OPERATORS: tuple[Operator, ...] = (
    constants,
    terms,
    signs,
    comparisons,
    indices,
    extremes,
    logs,
    reused,
    clipping,
    swaps,
    branches,
)
