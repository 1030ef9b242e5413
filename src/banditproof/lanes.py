"""Several numbers side by side as one value: in compiled code vector registers, in plain Python a NumPy array; bit for bit the same.

A loop becomes vector instructions only where the compiler sees that no array overlaps another, that no index counts from the end, and that
the loop is not too short: each costs checks, and often it sees none of it. Here the code says so itself. `read(array, place, count)` takes
the numbers array[place : place + count] and `write` puts them back, both without checks, as all kernels access arrays; between them stand
+, -, *, / and comparisons of lanes and numbers (of integers &, |, ^, >> and <<), and the functions of this module. Nothing is fused or
reordered. `count` is a constant, a power of 2.
"""

import math
import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from banditproof.kernels import BOOLEAN, FLOAT, INT, VOID, WORD, Kernel, Side, compiled, has, of_lanes, operation
from banditproof.square_roots import square_roots

Lanes = Any  # in plain Python an array (n,), in compiled code no array
Numbers = NDArray[Any]


def read(array: Numbers, place: int, count: int) -> Lanes:
    """array[place : place + count], of an array (n,)."""
    return array[place : place + count].copy()


def write(array: Numbers, place: int, lanes: Lanes) -> None:
    """Puts lanes to array[place : place + count], of a contiguous array (n,)."""
    array[place : place + lanes.shape[0]] = lanes


def filled(number: Any, count: int) -> Lanes:
    """The same number in all lanes."""
    return np.full(count, number, dtype=np.asarray(number).dtype)


def counted(first: np.uint64, step: np.uint64, count: int) -> Lanes:
    """first, first + step, first + 2 step, ...: integers modulo 2^64."""
    return np.uint64(first) + np.arange(count, dtype=np.uint64) * np.uint64(step)


def floats(lanes: Lanes) -> Lanes:
    """Integers as the nearest floats."""
    return lanes.astype(np.float64)


def ratio(left: Any, right: Any) -> Any:
    """left / right, of lanes or of two floats: without a test for 0, which `/` of floats makes."""
    return np.divide(left, right)


def roots(lanes: Lanes) -> Lanes:
    """The square root of each."""
    with np.errstate(invalid="ignore"):
        return np.sqrt(lanes)


def select(condition: Lanes, left: Any, right: Any) -> Lanes:
    """`left` where the condition holds, else `right`."""
    return np.where(condition, left, right)


def larger(left: Lanes, right: Any) -> Lanes:
    """max(left, right) of each lane, as Python's: the left one unless the right one is larger."""
    return np.where(right > left, right, left)


def smaller(left: Lanes, right: Any) -> Lanes:
    """min(left, right) of each lane, as Python's: the left one unless the right one is smaller."""
    return np.where(right < left, right, left)


def absolute(lanes: Lanes) -> Lanes:
    """Without the sign."""
    return np.abs(lanes)


def bits_of(lanes: Lanes) -> Lanes:
    """The 64 bits of each float as an integer with a sign."""
    return lanes.view(np.int64)


def of_bits(lanes: Lanes) -> Lanes:
    """The floats of these bits."""
    return lanes.view(np.float64)


def side_by_side(a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float) -> Lanes:
    """Lanes of eight floats."""
    return np.array([a, b, c, d, e, f, g, h])


def picking(*places: int) -> Kernel:
    """The function that takes lanes to those at these places, a power of 2 of them."""

    def picked(lanes: Lanes) -> Lanes:
        return lanes[list(places)]

    def result(kind: Any) -> Any:
        return Side(kind.number, len(places)) if isinstance(kind, Side) and max(places) < kind.count else None

    operation(picked, result, lambda context, builder, found, arguments: _part(builder, arguments[0], list(places)))
    return picked


def joined(left: Lanes, right: Lanes) -> Lanes:
    """The lanes of the left, then those of the right, as many."""
    return np.concatenate([left, right])


def is_zero(lanes: Lanes) -> bool:
    """Whether all of these integers are 0."""
    return not lanes.any()


def largest(lanes: Lanes) -> float:
    """The largest: of both halves lane by lane, then of their halves, and so on."""
    while lanes.shape[0] > 1:
        half = lanes.shape[0] // 2
        lanes = larger(lanes[:half], lanes[half:])
    return float(lanes[0])


def first_equal(lanes: Lanes, number: float) -> int:
    """The first lane that is this number; 0 if there is none."""
    return int(np.argmax(lanes == number))


# What follows is the compiled form of each.


def _fill(builder: Any, scalar: Any, count: int) -> Any:
    kind = ir.VectorType(scalar.type, count)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, ir.Constant(kind, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count))


def _alike(context: Any, builder: Any, found: Any, arguments: Any) -> list[Any]:
    """Both arguments as lanes of one kind."""
    side = next(kind for kind in found.args if isinstance(kind, Side))
    return [
        value if isinstance(kind, Side) else _fill(builder, context.cast(builder, value, kind, side.number), side.count)
        for kind, value in zip(found.args, arguments, strict=True)
    ]


def _is_number(kind: Any, side: Side) -> bool:
    """Whether a number may stand beside these lanes."""
    return str(kind).startswith(("float64", "int64", "Literal[int]", "uint64")) and (
        side.number == FLOAT or not str(kind).startswith("float64")
    )


def _both(*kinds: Any) -> Any:
    """The lanes' kind of two arguments, lanes and lanes or lanes and a number; None if they are neither."""
    sides = [kind for kind in kinds if isinstance(kind, Side)]
    if len(kinds) != 2 or not sides:
        return None
    if len(sides) == 2:
        return sides[0] if sides[0] == sides[1] else None
    return sides[0] if all(isinstance(kind, Side) or _is_number(kind, sides[0]) for kind in kinds) else None


def _arithmetic(symbol: Any, of_floats: str | None, of_integers: str | None) -> None:
    def result(*kinds: Any) -> Any:
        side = _both(*kinds)
        known = side is not None and (of_floats if side.number == FLOAT else of_integers)
        return side if known else None

    def emit(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
        name = of_floats if found.return_type.number == FLOAT else of_integers
        if name == "shift":
            name = "ashr" if found.return_type.number == INT else "lshr"
        return getattr(builder, str(name))(*_alike(context, builder, found, arguments))

    operation(symbol, result, emit)


for _symbol, _float, _integer in (
    (operator.add, "fadd", "add"),
    (operator.sub, "fsub", "sub"),
    (operator.mul, "fmul", "mul"),
    (operator.truediv, "fdiv", None),
    (operator.and_, None, "and_"),
    (operator.xor, None, "xor"),
    (operator.or_, None, "or_"),
    (operator.rshift, None, "shift"),
    (operator.lshift, None, "shl"),
):
    _arithmetic(_symbol, _float, _integer)


def _comparison(symbol: Any, sign: str) -> None:
    def result(*kinds: Any) -> Any:
        side = _both(*kinds)
        return Side(BOOLEAN, side.count) if side is not None and side.number == FLOAT else None

    operation(symbol, result, lambda context, builder, found, values: builder.fcmp_ordered(sign, *_alike(context, builder, found, values)))


for _symbol, _sign in ((operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">="), (operator.eq, "==")):
    _comparison(_symbol, _sign)


def _negate(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    return builder.fneg(arguments[0])


operation(operator.neg, lambda kind: kind if isinstance(kind, Side) and kind.number == FLOAT else None, _negate)


def _pointer(context: Any, builder: Any, found: Any, arguments: Any, side: Side) -> Any:
    """Where the lanes stand in an array."""
    array, place = context.make_array(found.args[0])(context, builder, arguments[0]), arguments[1]
    place = context.cast(builder, place, found.args[1], INT)
    return builder.bitcast(builder.gep(array.data, [place]), context.get_value_type(side).as_pointer())


def _read(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    if found.args[0].layout == "C":
        loaded = builder.load(_pointer(context, builder, found, arguments, found.return_type))
        loaded.align = 8
        return loaded
    # One by one, from an array with gaps: contexts that plain Python hands over, say.
    array = context.make_array(found.args[0])(context, builder, arguments[0])
    place = context.cast(builder, arguments[1], found.args[1], INT)
    step = builder.extract_value(array.strides, 0)
    start = builder.add(builder.ptrtoint(array.data, step.type), builder.mul(place, step))
    lanes = ir.Constant(context.get_value_type(found.return_type), ir.Undefined)
    for lane in range(found.return_type.count):
        address = builder.inttoptr(builder.add(start, builder.mul(step, ir.Constant(step.type, lane))), array.data.type)
        lanes = builder.insert_element(lanes, builder.load(address), ir.Constant(ir.IntType(32), lane))
    return lanes


def _write(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    stored = builder.store(arguments[2], _pointer(context, builder, found, arguments, found.args[2]))
    stored.align = 8
    return context.get_dummy_value()


def _count(kind: Any) -> int:
    """A constant; 0 where it is none."""
    return getattr(kind, "literal_value", 0)


def _is_array(kind: Any) -> bool:
    return getattr(kind, "ndim", 0) == 1


def _read_type(array: Any, place: Any, count: Any) -> Any:
    return Side(array.dtype, count.literal_value) if _is_array(array) and _count(count) > 0 else None


operation(read, _read_type, _read)
operation(write, lambda array, place, side: VOID if _is_array(array) and array.layout == "C" and isinstance(side, Side) else None, _write)


def _ratio_type(first: Any, second: Any) -> Any:
    if first == FLOAT and second == FLOAT:
        return FLOAT
    return _of_floats(first, second)


def _ratio(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    return builder.fdiv(*(arguments if found.return_type == FLOAT else _alike(context, builder, found, arguments)))


operation(ratio, _ratio_type, _ratio)


_KINDS = {"float64": FLOAT, "int64": INT, "uint64": WORD}


def _filled_type(number: Any, count: Any) -> Any:
    kind = _KINDS.get(str(number)) or (INT if str(number).startswith("Literal[int]") else None)
    return Side(kind, _count(count)) if kind is not None and _count(count) else None


def _filled(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    number = context.cast(builder, arguments[0], found.args[0], found.return_type.number)
    return _fill(builder, number, found.return_type.count)


def _counted(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    count, kind = found.return_type.count, context.get_value_type(found.return_type)
    first, step = (_fill(builder, context.cast(builder, arguments[at], found.args[at], WORD), count) for at in (0, 1))
    return builder.add(first, builder.mul(ir.Constant(kind, list(range(count))), step))


operation(filled, _filled_type, _filled)
operation(counted, lambda first, step, count: Side(WORD, _count(count)) if _count(count) else None, _counted)


def _map(function: Any, takes: tuple[Any, ...], gives: Any, emit: Any) -> None:
    """A function of lanes of one kind alone."""

    def result(kind: Any) -> Any:
        return Side(gives, kind.count) if isinstance(kind, Side) and kind.number in takes else None

    operation(function, result, emit)


def _floats(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    """In one instruction where there is one; else the upper and the lower 32 bits are put behind the exponents of 2^84 and 2^52, which are
    then taken away: both are floats, and their sum alone is rounded. Left to itself the compiler converts number by number."""
    wide, lanes = context.get_value_type(found.return_type), arguments[0]
    signed = found.args[0].number == INT
    if has("avx512dq"):
        return (builder.sitofp if signed else builder.uitofp)(lanes, wide)

    def same(number: int) -> Any:
        return ir.Constant(lanes.type, [number] * wide.count)

    upper, lower = builder.lshr(lanes, same(32)), builder.and_(lanes, same(2**32 - 1))
    if signed:
        upper = builder.xor(upper, same(2**31))
    upper, lower = (
        builder.bitcast(builder.or_(part, same(exponent << 52)), wide) for part, exponent in ((upper, 1023 + 84), (lower, 1023 + 52))
    )
    away = 2.0**84 + 2.0**52 + (2.0**63 if signed else 0.0)
    return builder.fadd(builder.fsub(upper, ir.Constant(wide, [away] * wide.count)), lower)


def _intrinsic(name: str) -> Any:
    def emit(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
        kind = context.get_value_type(found.return_type)
        called = f"llvm.{name}.v{found.return_type.count}f64"
        function = builder.module.globals.get(called) or ir.Function(builder.module, ir.FunctionType(kind, [kind]), called)
        return builder.call(function, arguments)

    return emit


def _cast(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    return builder.bitcast(arguments[0], context.get_value_type(found.return_type))


_map(floats, (INT, WORD), FLOAT, _floats)
_map(roots, (FLOAT,), FLOAT, lambda context, builder, found, arguments: square_roots(context, builder, arguments[0]))
_map(absolute, (FLOAT,), FLOAT, _intrinsic("fabs"))
_map(bits_of, (FLOAT,), INT, _cast)
_map(of_bits, (INT,), FLOAT, _cast)


def _select_type(condition: Any, first: Any, second: Any) -> Any:
    side = _both(first, second)
    return side if side is not None and condition == Side(BOOLEAN, side.count) else None


def _select(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    side = found.return_type
    first, second = (
        value if isinstance(kind, Side) else _fill(builder, context.cast(builder, value, kind, side.number), side.count)
        for kind, value in zip(found.args[1:], arguments[1:], strict=True)
    )
    return builder.select(arguments[0], first, second)


def _pick(sign: str) -> Any:
    """The second where it compares so to the first, else the first."""

    def emit(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
        first, second = _alike(context, builder, found, arguments)
        return builder.select(builder.fcmp_ordered(sign, second, first), second, first)

    return emit


def _of_floats(*kinds: Any) -> Any:
    side = _both(*kinds)
    return side if side is not None and side.number == FLOAT else None


operation(select, _select_type, _select)
operation(larger, _of_floats, _pick(">"))
operation(smaller, _of_floats, _pick("<"))


def _joined(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    count = found.return_type.count
    return builder.shuffle_vector(*arguments, ir.Constant(ir.VectorType(ir.IntType(32), count), list(range(count))))


def _joined_type(first: Any, second: Any) -> Any:
    return Side(first.number, 2 * first.count) if isinstance(first, Side) and first == second else None


def _is_zero(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    wide = ir.IntType(64 * found.args[0].count)
    return builder.icmp_unsigned("==", builder.bitcast(arguments[0], wide), ir.Constant(wide, 0))


def _side_by_side(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    lanes = ir.Constant(context.get_value_type(found.return_type), ir.Undefined)
    for place, (number, kind) in enumerate(zip(arguments, found.args, strict=True)):
        lanes = builder.insert_element(lanes, context.cast(builder, number, kind, FLOAT), ir.Constant(ir.IntType(32), place))
    return lanes


operation(
    side_by_side,
    lambda *kinds: Side(FLOAT, 8) if len(kinds) == 8 and not any(isinstance(kind, Side) for kind in kinds) else None,
    _side_by_side,
)
operation(joined, _joined_type, _joined)
operation(is_zero, lambda kind: BOOLEAN if isinstance(kind, Side) and kind.number in (INT, WORD) else None, _is_zero)


def _part(builder: Any, lanes: Any, places: list[int]) -> Any:
    mask = ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)
    return builder.shuffle_vector(lanes, ir.Constant(lanes.type, ir.Undefined), mask)


def _largest(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    lanes, count = arguments[0], found.args[0].count
    while count > 1:
        count //= 2
        first, second = _part(builder, lanes, list(range(count))), _part(builder, lanes, list(range(count, 2 * count)))
        lanes = builder.select(builder.fcmp_ordered(">", second, first), second, first)
    return builder.extract_element(lanes, ir.Constant(ir.IntType(32), 0))


def _first_equal(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    count, number = found.args[0].count, context.cast(builder, arguments[1], found.args[1], FLOAT)
    word = ir.IntType(count)
    mask = builder.bitcast(builder.fcmp_ordered("==", arguments[0], _fill(builder, number, count)), word)
    place = builder.cttz(mask, ir.Constant(ir.IntType(1), 0))
    place = builder.select(builder.icmp_unsigned("==", mask, ir.Constant(word, 0)), ir.Constant(word, 0), place)
    wide = ir.IntType(64)
    return place if count == 64 else builder.zext(place, wide) if count < 64 else builder.trunc(place, wide)


operation(largest, lambda kind: FLOAT if isinstance(kind, Side) and kind.number == FLOAT else None, _largest)
operation(first_equal, lambda kind, number: INT if isinstance(kind, Side) and kind.number == FLOAT else None, _first_equal)


EIGHT = 8
WIDE = 32 if has("avx512f") else 16  # floats that many kernels take at a time, what registers hold: no result depends on it


def zeros(*shape: int) -> Numbers:
    """Zeros of which the first stands at the beginning of 64 bytes, as many as processors read at once: else eight numbers of a long array
    would stand in two such lines."""
    numbers = math.prod(shape)
    wide = np.zeros(numbers + EIGHT)
    start = -(wide.ctypes.data // 8) % EIGHT
    return wide[start : start + numbers].reshape(shape)


def _take(source: Numbers, first: int, target: Numbers, size: int) -> None:
    """Copies source[first : first + size] to the beginning of target, arrays (n,) that do not overlap: eight numbers at a time, the last
    ones perhaps twice, since a vectorised loop would take up to 31 of them one by one. A slice costs more than a short copy."""
    if size < EIGHT:
        for place in range(size):
            target[place] = source[first + place]
        return
    for start in range(0, size, EIGHT):
        at = min(start, size - EIGHT)
        write(target, at, read(source, first + at, EIGHT))


def _maximum(numbers: Numbers, first: int, size: int) -> float:
    """The largest of numbers[first : first + size]."""
    if size < EIGHT:
        found = numbers[first]
        for place in range(1, size):
            found = max(found, numbers[first + place])
        return float(found)
    most = read(numbers, first, EIGHT)
    for start in range(EIGHT, size, EIGHT):
        most = larger(most, read(numbers, first + min(start, size - EIGHT), EIGHT))
    return largest(most)


def _add(left: Numbers, right: Numbers, target: Numbers) -> None:
    """target = left + right, arrays (n,); target overlaps neither."""
    size = target.shape[0]
    if size < EIGHT:
        for place in range(size):
            target[place] = left[place] + right[place]
        return
    for start in range(0, size, EIGHT):
        at = min(start, size - EIGHT)
        write(target, at, read(left, at, EIGHT) + read(right, at, EIGHT))


def _multiply(left: Numbers, right: Numbers, target: Numbers) -> None:
    """target = left right, the first numbers of arrays (n,) or longer; target (n,) overlaps neither."""
    size = target.shape[0]
    if size < EIGHT:
        for place in range(size):
            target[place] = left[place] * right[place]
        return
    for start in range(0, size, EIGHT):
        at = min(start, size - EIGHT)
        write(target, at, read(left, at, EIGHT) * read(right, at, EIGHT))


add, multiply = compiled(_add, inline=True), compiled(_multiply, inline=True)
take, maximum = of_lanes(_take), compiled(_maximum, inline=True)  # `take` plain in plain Python: there arrays may have gaps
