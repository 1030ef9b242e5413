"""Square roots of lanes in compiled code, correctly rounded: the processor's own instruction, or Newton's steps where that one is slow.

Intel's processors take 18 to 24 cycles for eight roots of 64 bits, and begin no other meanwhile; from their approximation to 14 bits
(`vrsqrt14pd`) ten multiplications lead to the same number in a third of the time. AMD's take less for the instruction, and keep it.

Why it is the same number. For a in [1, 4), the others being such an a times a power of 4: after two steps `root` is sqrt(a) and `half` is
1 / (2 sqrt(a)) up to a relative error of 2^-51 each, and what is left of a, a - root^2, is rounded by 2^-53 of it. So the last step
rounds a number that differs from sqrt(a) by at most (2 + 4 + 1) 2^-104 sqrt(a) < 2^-101 sqrt(a). sqrt(a) itself lies no nearer to a
midpoint m of two neighbouring floats than that, but where |a - m^2| 2^106 < 512, and these a are a short list: it is tried as a whole
(tests/vocabulary/test_square_roots.py). Numbers outside of 2^-900 .. 2^1000, where a step could underflow or overflow, 0 and NaN among
them, take the instruction, with all of their lanes.
"""

from typing import Any

from llvmlite import ir

_TOGETHER = 8
_STEPS = 2  # from 14 bits to 28 to 56
_LEAST, _RANGE = (1023 - 900) << 52, 1900 << 52  # of the bits of a positive float: from 2^-900 on, and how far


def square_roots(context: Any, builder: Any, lanes: Any) -> Any:
    """The code for the roots of a vector of floats (n,) in LLVM's form."""
    count = lanes.type.count
    if count % _TOGETHER or not _slow(*context.codegen().magic_tuple()):
        return _instruction(builder, lanes)
    with builder.if_else(_usual(builder, lanes), likely=True) as (then, otherwise):
        with then:
            parts = [_by_steps(builder, _between(builder, lanes, at, at + _TOGETHER)) for at in range(0, count, _TOGETHER)]
            while len(parts) > 1:
                parts = [_joined(builder, *parts[at : at + 2]) for at in range(0, len(parts), 2)]
            stepped, after_steps = parts[0], builder.block
        with otherwise:
            plain, after_plain = _instruction(builder, lanes), builder.block
    found = builder.phi(lanes.type)
    found.add_incoming(stepped, after_steps)
    found.add_incoming(plain, after_plain)
    return found


def _slow(_triple: str, processor: str, features: str) -> bool:
    """Whether the steps are possible for the processor that code is made for, and faster there. Only Intel's were measured."""
    return "+avx512f" in features.split(",") and not processor.startswith("znver")


def _usual(builder: Any, lanes: Any) -> Any:
    """Whether all lanes lie where no step underflows or overflows; of their bits, since NaN and negative numbers are large integers."""
    count, wide = lanes.type.count, ir.VectorType(ir.IntType(64), lanes.type.count)
    above = builder.sub(builder.bitcast(lanes, wide), ir.Constant(wide, [_LEAST] * count))
    within = builder.bitcast(builder.icmp_unsigned("<", above, ir.Constant(wide, [_RANGE] * count)), ir.IntType(count))
    return builder.icmp_unsigned("==", within, ir.Constant(within.type, (1 << count) - 1))


def _by_steps(builder: Any, lanes: Any) -> Any:
    """Eight roots (Goldschmidt 1964; the last step is Markstein's, 1990)."""
    kind, mask = lanes.type, ir.IntType(8)
    approximate = _declared(builder, "llvm.x86.avx512.rsqrt14.pd.512", kind, kind, kind, mask)
    fused = _declared(builder, f"llvm.fma.v{_TOGETHER}f64", kind, kind, kind, kind)
    one_half = ir.Constant(kind, [0.5] * _TOGETHER)
    start = builder.call(approximate, [lanes, ir.Constant(kind, [0.0] * _TOGETHER), ir.Constant(mask, (1 << _TOGETHER) - 1)])
    root, half = builder.fmul(lanes, start), builder.fmul(one_half, start)
    for _ in range(_STEPS):
        rest = builder.call(fused, [builder.fneg(root), half, one_half])
        root, half = builder.call(fused, [root, rest, root]), builder.call(fused, [half, rest, half])
    rest = builder.call(fused, [builder.fneg(root), root, lanes])
    return builder.call(fused, [rest, half, root])


def _instruction(builder: Any, lanes: Any) -> Any:
    return builder.call(_declared(builder, f"llvm.sqrt.v{lanes.type.count}f64", lanes.type, lanes.type), [lanes])


def _declared(builder: Any, name: str, result: Any, *takes: Any) -> Any:
    return builder.module.globals.get(name) or ir.Function(builder.module, ir.FunctionType(result, list(takes)), name)


def _between(builder: Any, lanes: Any, first: int, stop: int) -> Any:
    return builder.shuffle_vector(lanes, ir.Constant(lanes.type, ir.Undefined), _places(first, stop))


def _joined(builder: Any, left: Any, right: Any) -> Any:
    return builder.shuffle_vector(left, right, _places(0, 2 * left.type.count))


def _places(first: int, stop: int) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), stop - first), list(range(first, stop)))
