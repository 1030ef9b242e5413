"""shariff_sheffet_2018: the random numbers by the array of which noise and decision sets are made, beside plain ones.

WORDS        uniforms of 53 and of 32 bits beside the words of NumPy's Philox generator, and of Philox4x32 written out in whole numbers
POLYNOMIALS  sine, cosine, logarithm and power, which are polynomials, beside Taylor's: equal in all bits, compiled and plain
ACCURACY     the same beside values of 50 digits, to within what the docstrings say
NORMALS      normals beside Box and Muller's formula, of one row and several, and of one pair and several
"""

import math
from collections.abc import Callable, Iterator
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.draws.arrays import circle, logarithms, normals, normals_room, powers, uniforms
from banditproof.algorithms.draws.words import coarse_uniforms
from banditproof.audits.common.side_by_side import beside, unequal
from banditproof.audits.methods.pointwise import At
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import log, power
from banditproof.interaction import Floats, Words
from banditproof.kernels import plain
from banditproof.randomness import NOISE, key_of, short_key

KEY = np.append(key_of(1, "shariff_sheffet_2018", "numbers"), np.uint64(3))

# --- what is expected ---------------------------------------------------------------------------------------------------------------------


def words(key: Words, purpose: int, index: int, count: int) -> list[int]:
    """The first words from block `index` on, of NumPy's own generator."""
    generator = np.random.Philox(key=key[:2], counter=np.array([index, purpose, key[2], 0], dtype=np.uint64))
    return [int(word) for word in np.atleast_1d(generator.random_raw(count))]


def fine(key: Words, purpose: int, index: int, count: int) -> Floats:
    """Uniforms of 53 bits."""
    return np.array([(word >> 11) / 2**53 for word in words(key, purpose, index, count)])


def short_stream(key: Words, purpose: int) -> list[int]:
    """Key and upper half of the counter of a stream of short blocks, of NumPy's own generator: halves of a block of no other draw."""
    generator = np.random.Philox(key=key[:2], counter=np.array([0, purpose, key[2], 1], dtype=np.uint64))
    return [half for word in generator.random_raw(2) for half in (int(word) % 2**32, int(word) >> 32)]


def short_block(stream: list[int], index: int) -> list[int]:
    """Philox4x32-10 as its authors write it: ten rounds on four words, the key growing from round to round."""
    words, key = [index % 2**32, index >> 32, *stream[2:]], stream[:2]
    for _ in range(10):
        low, high = 0xD2511F53 * words[0], 0xCD9E8D57 * words[2]
        words = [high >> 32 ^ words[1] ^ key[0], high % 2**32, low >> 32 ^ words[3] ^ key[1], low % 2**32]
        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
    return words


def horner(coefficients: list[float], x: Floats) -> Floats:
    """The polynomial with these coefficients, the constant one first."""
    total = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = coefficient + x * total
    return total


def estrin(coefficients: list[float], x: Floats) -> Floats:
    """The polynomial with these eight coefficients at most, the constant one first: pairs, pairs of pairs, and the two halves."""
    c = [np.full_like(x, each) for each in coefficients]
    pairs = [c[place] + c[place + 1] * x if place + 1 < len(c) else c[place] for place in range(0, len(c), 2)]
    square = x * x
    fours = [pairs[place] + pairs[place + 1] * square if place + 1 < len(pairs) else pairs[place] for place in range(0, len(pairs), 2)]
    return np.asarray(fours[0] + square * square * fours[1])


def on_circle(turns: Floats) -> tuple[Floats, Floats]:
    """cos and sin of 2 pi (turn - 1/2): Taylor's series at a quarter of the angle, which is doubled twice."""
    angle = (turns - 0.5) * (math.pi / 2.0)
    square = angle * angle
    sine = angle * (1.0 + square * estrin([(-1.0) ** k / math.factorial(2 * k + 1) for k in range(1, 8)], square))
    cosine = 1.0 + square * estrin([(-1.0) ** k / math.factorial(2 * k) for k in range(1, 9)], square)
    sine, cosine = 2.0 * (sine * cosine), 1.0 - 2.0 * (sine * sine)
    return 1.0 - 2.0 * (sine * sine), 2.0 * (sine * cosine)


LN2 = float(log(2) * 2**42 // 1) / 2**42
LN2_REST, PER_LN2 = float(log(2) - Fraction(LN2)), float(1 / log(2))


def natural_logarithm(values: Floats) -> Floats:
    """ln of 2^k m, m in [sqrt(1/2), sqrt 2): k ln 2 in two parts, and 2 artanh by its series up to s^21."""
    mantissa, exponent = np.frexp(values)
    low = mantissa < math.sqrt(0.5)
    mantissa, twos = np.where(low, 2.0 * mantissa, mantissa), np.where(low, exponent - 1, exponent).astype(float)
    s = (mantissa - 1.0) / (mantissa + 1.0)
    square = s * s
    tail = square * horner([1.0 / (2 * k + 1) for k in range(1, 11)], square)
    return np.asarray(twos * LN2 + (2.0 * s + (2.0 * s * tail + twos * LN2_REST)))


def power_of(values: Floats, exponent: float) -> Floats:
    """values ** exponent by the logarithm and Taylor's series of e^r up to r^13; 0 of 0."""
    size = exponent * natural_logarithm(np.where(values > 0.0, values, 1.0))
    twos = np.floor(size * PER_LN2 + 0.5)
    r = (size - twos * LN2) - twos * LN2_REST
    return np.where(values > 0.0, np.ldexp(1.0, twos.astype(int)) * horner([1.0 / math.factorial(k) for k in range(14)], r), 0.0)


def sine_and_cosine(angle: Decimal) -> tuple[Decimal, Decimal]:
    """Taylor's series, to 45 digits for angles up to 4."""
    with localcontext(Context(prec=50)):
        terms = [Decimal(1)]
        for place in range(1, 80):
            terms.append(terms[-1] * angle / place)
        signed = [-term if place % 4 > 1 else term for place, term in enumerate(terms)]
        return sum(signed[1::2], Decimal(0)), sum(signed[::2], Decimal(0))


PI = Decimal("3.14159265358979323846264338327950288419716939937511")

# --- words --------------------------------------------------------------------------------------------------------------------------------


def forms(kernel: Any) -> tuple[tuple[str, Callable[..., Any]], ...]:
    """A kernel as plain Python, and compiled."""
    return ("plain", plain(kernel)), ("compiled", kernel)


def uniform_words(off: int = 0) -> Iterator[At]:
    """Numbers that differ: full blocks, begun ones, and far addresses; read `off` blocks further on."""
    for form, kernel in forms(uniforms):
        for length in (1, 2, 3, 4, 5, 7, 8, 23):
            for index in (0, 7, 2**60 + 1):
                where, target = {"form": form, "numbers": length, "index": index}, np.full(length, np.nan)
                kernel(KEY, NOISE, index + off, target)
                yield At(where, unequal(target, fine(KEY, NOISE, index, length)), 0)


def short_words() -> Iterator[At]:
    """Numbers that differ: one column and several, next blocks and far ones, of streams of several purposes."""
    for form, coarse in forms(coarse_uniforms):
        for purpose, first, step, count in ((0, 0, 1, 1), (1, 7, 3, 9), (NOISE, 2**40 + 5, 1, 40), (NOISE, 2**61 - 1, 2**31, 17)):
            stream, known = np.zeros(4, dtype=np.uint64), short_stream(KEY, purpose)
            short_key(KEY, purpose, stream)
            where, blocks = {"form": form, "first": first, "count": count}, [short_block(known, first + step * i) for i in range(count)]
            four = np.zeros((4, count + 1))
            coarse(stream, first, step, count, four)
            yield At({**where, "of": "stream"}, unequal(stream.astype(float), np.array(known, dtype=float)), 0)
            yield At({**where, "bits": 32}, unequal(four[:, :count], np.array(blocks).T / 2**32), 0)


# --- polynomials --------------------------------------------------------------------------------------------------------------------------

_DRAWN = np.random.default_rng(2018)
_EDGE = 2.0**-53 * np.arange(1, 6)
TURNS = np.concatenate([np.linspace(0.0, 1.0, 1025), _DRAWN.uniform(size=2000), 0.02 * _DRAWN.uniform(size=500), 1.0 - _EDGE, _EDGE])
FRACTIONS = np.concatenate([[0.0, 1.0], _EDGE, 1.0 - _EDGE, 2.0 ** -np.arange(1.0, 54.0), _DRAWN.uniform(size=1500)])
VALUES = np.concatenate(
    [
        2.0 ** _DRAWN.uniform(-1021.0, 1023.0, 800),
        _DRAWN.uniform(0.68, 1.45, 2500),
        np.nextafter(math.sqrt(0.5), [0.0, 1.0, 0.5]),
        math.sqrt(0.5) * 2.0 ** np.arange(-3.0, 4.0),
        1.0 - _EDGE,
        1.0 + 2.0 * _EDGE,
        1.0 - FRACTIONS[FRACTIONS < 1.0],
    ]
)
SMALL, CIRCLE = Fraction(1, 10**15), Fraction(2, 10**15)  # the largest error of a cosine that was found is 1.23e-15
EXPONENTS = (13.0, 2.0, 1.0, 2.0 / 3.0, 0.5, 2.0 / 7.0, 2.0 / 61.0, 1e-3)


def polynomials() -> Iterator[At]:
    """Numbers that differ in a bit."""
    for form, kernel in forms(circle):
        found = np.full((2, len(TURNS)), np.nan)
        kernel(TURNS.copy(), found[0], found[1])
        yield At({"form": form, "of": "cosine and sine"}, unequal(found, on_circle(TURNS)), 0)
    for form, kernel in forms(logarithms):
        values = VALUES.copy()
        kernel(values, np.full(len(values), np.nan))
        yield At({"form": form, "of": "logarithm"}, unequal(values, natural_logarithm(VALUES)), 0)
    for exponent in EXPONENTS:
        for form, kernel in forms(powers):
            values = FRACTIONS.copy()
            kernel(values, exponent, np.full(2 * len(values), np.nan))
            yield At({"form": form, "of": "power", "exponent": exponent}, unequal(values, power_of(FRACTIONS, exponent)), 0)


def accuracy() -> Iterator[At]:
    """The largest error, of logarithms and powers the relative one."""
    turns, values, fractions = TURNS[::13], VALUES[::13], FRACTIONS[::13]
    cosines, sines, logs = np.zeros(len(turns)), np.zeros(len(turns)), values.copy()
    circle(turns.copy(), cosines, sines)
    logarithms(logs, np.zeros(len(logs)))
    exact = [sine_and_cosine(2 * PI * (Decimal(float(turn)) - Decimal("0.5"))) for turn in turns]
    yield At({"of": "sine"}, Fraction(max(abs(one - Decimal(float(x))) for (one, _), x in zip(exact, sines, strict=True))), CIRCLE)
    yield At({"of": "cosine"}, Fraction(max(abs(one - Decimal(float(x))) for (_, one), x in zip(exact, cosines, strict=True))), CIRCLE)
    known = [(log(Fraction(each)), Fraction(x)) for each, x in zip(values.tolist(), logs.tolist(), strict=True) if each != 1.0]
    yield At({"of": "logarithm"}, max(abs(one - x) / abs(one) for one, x in known), SMALL)
    for exponent in EXPONENTS:
        found = fractions.copy()
        powers(found, exponent, np.zeros(2 * len(found)))
        pairs = zip(fractions.tolist(), found.tolist(), strict=True)
        yield At(
            {"of": "power", "exponent": exponent}, max(abs(power(Fraction(v), Fraction(exponent)) - Fraction(x)) for v, x in pairs), SMALL
        )


# --- normals ------------------------------------------------------------------------------------------------------------------------------


def box_muller(index: int, step: int, rows: int, pairs: int) -> Floats:
    """Of each row radii of the first uniforms, and angles of the next ones: all cosines, then all sines."""
    found = []
    for row in range(rows):
        numbers = fine(KEY, NOISE, index + row * step, 2 * pairs)
        radii = np.sqrt(-2.0 * natural_logarithm(1.0 - numbers[:pairs]))
        cosines, sines = on_circle(numbers[pairs:])
        found.append(np.concatenate([cosines * radii, sines * radii]))
    return np.array(found)


def normal_numbers() -> Iterator[At]:
    """Numbers that differ in a bit."""
    for form, kernel in forms(normals):
        for rows, pairs, step in ((1, 1, 1), (1, 3, 2), (2, 2, 1), (3, 5, 4), (4, 40, 25), (1, 401, 300)):
            target, room = np.full((rows, 2 * pairs), np.nan), np.full(normals_room(rows, 2 * pairs), np.nan)
            kernel(KEY, NOISE, 5, step, target, room)
            where = {"form": form, "rows": rows, "numbers": 2 * pairs}
            yield At(where, unequal(target, box_muller(5, step, rows, pairs)), 0)


AUDITS = (
    Audit(
        "shariff_sheffet_2018.unit_lengths",
        "points.uniform_words",
        "uniforms by the array beside NumPy's generator",
        beside(uniform_words, "1 to 23 numbers from three blocks on", "numbers that differ"),
    ),
    Audit(
        "shariff_sheffet_2018.unit_lengths",
        "points.short_words",
        "uniforms of Philox4x32 beside its definition in whole numbers",
        beside(short_words, "1 to 40 blocks of four streams", "numbers that differ"),
    ),
    Audit(
        "shariff_sheffet_2018.unit_lengths",
        "points.polynomials",
        "sine, cosine, logarithm and power by the array beside Taylor's series",
        beside(polynomials, f"{len(TURNS)} turns, {len(VALUES)} numbers, {len(FRACTIONS)} fractions", "numbers that differ"),
    ),
    Audit(
        "shariff_sheffet_2018.unit_lengths",
        "points.polynomials_exact",
        "sine, cosine, logarithm and power by the array beside 50 digits",
        beside(accuracy, "every thirteenth of the same", "error"),
    ),
    Audit(
        "shariff_sheffet_2018.gaussian_noise",
        "points.normals_by_the_array",
        "normals by the array beside Box and Muller's formula",
        beside(normal_numbers, "1 to 4 rows of 2 to 802 numbers", "numbers that differ"),
    ),
)
