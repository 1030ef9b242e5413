"""shariff_sheffet_2018: the random numbers by the array of which noise and decision sets are made, beside plain ones.

WORDS        uniforms of 53 and of 32 bits, and those that come one a round, beside Philox4x32 written out in whole numbers
POLYNOMIALS  sine, cosine and logarithm, which are polynomials, beside Taylor's: equal in all bits, compiled and plain
ACCURACY     the same beside values of 50 digits, to within what the docstrings say
NORMALS      normals beside Box and Muller's formula, of one row and several, of one pair and several, and one by one

Compiled lanes stay in registers, so what is compared is what a small kernel, or the same as plain Python, reads and writes.
"""

import math
from collections.abc import Callable, Iterator
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.draws import coins, kept_normals
from banditproof.algorithms.draws.arrays import logarithm_lanes, normals, normals_room, turned
from banditproof.algorithms.draws.words import LANES, coarse_lanes, fine_lanes, short_lanes
from banditproof.audits.common.short_blocks import coin, fine_pair, short_block, short_stream
from banditproof.audits.common.side_by_side import beside, unequal
from banditproof.audits.methods.pointwise import At
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import log
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import compiled, plain
from banditproof.lanes import floats, read, write
from banditproof.randomness import NOISE, key_of, short_key

KEY = np.append(key_of(1, "shariff_sheffet_2018", "numbers"), np.uint64(3))
OTHER = np.append(KEY[:2], np.uint64(4))

# --- what is expected ---------------------------------------------------------------------------------------------------------------------


def words(key: Words, purpose: int, index: int, count: int) -> list[int]:
    """The first words from block `index` on, of NumPy's own generator."""
    generator = np.random.Philox(key=key[:2], counter=np.array([index, purpose, key[2], 0], dtype=np.uint64))
    return [int(word) for word in np.atleast_1d(generator.random_raw(count))]


def fine(key: Words, purpose: int, index: int, count: int) -> Floats:
    """Uniforms of 53 bits."""
    return np.array([(word >> 11) / 2**53 for word in words(key, purpose, index, count)])


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
LN2_REST = float(log(2) - Fraction(LN2))


def natural_logarithm(values: Floats) -> Floats:
    """ln of 2^k m, m in [sqrt(1/2), sqrt 2): k ln 2 in two parts, and 2 artanh by its series up to s^21."""
    mantissa, exponent = np.frexp(values)
    low = mantissa < math.sqrt(0.5)
    mantissa, twos = np.where(low, 2.0 * mantissa, mantissa), np.where(low, exponent - 1, exponent).astype(float)
    s = (mantissa - 1.0) / (mantissa + 1.0)
    square = s * s
    tail = square * horner([1.0 / (2 * k + 1) for k in range(1, 11)], square)
    return np.asarray(twos * LN2 + (2.0 * s + (2.0 * s * tail + twos * LN2_REST)))


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


def _words(stream: Words, first: int, step: int, target: Floats) -> None:
    """All words of LANES blocks, target (4, LANES)."""
    one, two, three, four = short_lanes(stream, first, step)
    write(target[0], 0, floats(one))
    write(target[1], 0, floats(two))
    write(target[2], 0, floats(three))
    write(target[3], 0, floats(four))


def _coarse(stream: Words, first: int, step: int, target: Floats) -> None:
    """The same of 32 bits."""
    one, two, three, four = coarse_lanes(stream, first, step)
    write(target[0], 0, one)
    write(target[1], 0, two)
    write(target[2], 0, three)
    write(target[3], 0, four)


def _fine(stream: Words, first: int, target: Floats) -> None:
    """The uniforms of 53 bits of LANES blocks, target (2, LANES)."""
    one, two = fine_lanes(stream, first)
    write(target[0], 0, one)
    write(target[1], 0, two)


def _there_and_back(draw: Kernel) -> Kernel:
    """A kernel that asks for the numbers from `first` on, target (n,), and then again from the last one to the first."""

    def both(key: Words, purpose: int, first: int, room: Floats, target: Floats) -> None:
        for place in range(target.shape[0]):
            target[place] = draw(room, key, purpose, first + place)
        for place in range(target.shape[0] - 1, -1, -1):
            if draw(room, key, purpose, first + place) != target[place]:
                target[place] = math.nan

    return compiled(both)


words_of, coarse_of, fine_of, coins_of = compiled(_words), compiled(_coarse), compiled(_fine), _there_and_back(coins.coin)


def uniform_words(off: int = 0) -> Iterator[At]:
    """Numbers of 53 bits that differ, of blocks and of rounds, near and far; read `off` blocks further on."""
    for form, fine_form in forms(fine_of):
        for purpose, first in ((0, 0), (NOISE, 7), (1, 2**32 - 5), (NOISE, 2**60 + 1)):
            stream, target = short_stream(KEY, purpose), np.full((2, LANES), np.nan)
            fine_form(np.array(stream, dtype=np.uint64), first + off, target)
            expected = np.array([fine_pair(stream, first + lane) for lane in range(LANES)]).T
            yield At({"form": form, "index": first}, unequal(target, expected), 0)
    for form, coins_form in forms(coins_of):
        for purpose in (0, NOISE):
            room = np.zeros(coins.ROOM)  # of one purpose: what is kept there is told by key and rounds
            for key in (KEY, OTHER, KEY):
                for round, count in ((0, 1), (31, 40), (60, 75), (2**40 + 9, 60)):
                    drawn = np.full(count, np.nan)
                    coins_form(key, purpose, round + 64 * off, room, drawn)
                    right = np.array([coin(short_stream(key, purpose), round + place) for place in range(count)])
                    yield At({"form": form, "run": int(key[2]), "round": round, "rounds": count}, unequal(drawn, right), 0)


def short_words() -> Iterator[At]:
    """Numbers that differ: next blocks and far ones, of streams of several purposes."""
    for form, raw in forms(words_of):
        coarse = coarse_of if raw is words_of else plain(coarse_of)
        for purpose, first, step in ((0, 0, 1), (1, 7, 3), (NOISE, 2**40 + 5, 1), (1, 2**32 - 7, 1), (NOISE, 2**61 - 1, 2**31)):
            known, stream, target = short_stream(KEY, purpose), np.zeros(4, dtype=np.uint64), np.full((4, LANES), np.nan)
            short_key(KEY, purpose, stream)
            where, blocks = {"form": form, "first": first, "step": step}, [short_block(known, first + step * i) for i in range(LANES)]
            yield At({**where, "of": "stream"}, unequal(stream.astype(float), np.array(known, dtype=float)), 0)
            raw(stream, first, step, target)
            yield At({**where, "of": "words"}, unequal(target, np.array(blocks).T), 0)
            coarse(stream, first, step, target)
            yield At({**where, "bits": 32}, unequal(target, np.array(blocks).T / 2**32), 0)


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


def _turns(turns: Floats, cosines: Floats, sines: Floats) -> None:
    """cos and sin of turns (n,), LANES at a time, the last ones perhaps twice."""
    for start in range(0, turns.shape[0], LANES):
        place = min(start, turns.shape[0] - LANES)
        cosine, sine = turned(read(turns, place, LANES))
        write(cosines, place, cosine)
        write(sines, place, sine)


def _logarithms(values: Floats, target: Floats) -> None:
    """The same of logarithms."""
    for start in range(0, values.shape[0], LANES):
        place = min(start, values.shape[0] - LANES)
        write(target, place, logarithm_lanes(read(values, place, LANES)))


turns_of, logarithms_of = compiled(_turns), compiled(_logarithms)


def polynomials() -> Iterator[At]:
    """Numbers that differ in a bit."""
    for form, kernel in forms(turns_of):
        found = np.full((2, len(TURNS)), np.nan)
        kernel(TURNS, found[0], found[1])
        yield At({"form": form, "of": "cosine and sine"}, unequal(found, on_circle(TURNS)), 0)
    alone = np.array([turned(float(turn)) for turn in TURNS[::7]]).T
    yield At({"form": "one number", "of": "cosine and sine"}, unequal(alone, on_circle(TURNS[::7])), 0)
    for form, kernel in forms(logarithms_of):
        logs = np.full(len(VALUES), np.nan)
        kernel(VALUES, logs)
        yield At({"form": form, "of": "logarithm"}, unequal(logs, natural_logarithm(VALUES)), 0)


def accuracy() -> Iterator[At]:
    """The largest error, of logarithms the relative one."""
    turns, values = np.ascontiguousarray(TURNS[::13]), np.ascontiguousarray(VALUES[::13])
    cosines, sines, logs = np.zeros(len(turns)), np.zeros(len(turns)), np.zeros(len(values))
    turns_of(turns, cosines, sines)
    logarithms_of(values, logs)
    exact = [sine_and_cosine(2 * PI * (Decimal(float(turn)) - Decimal("0.5"))) for turn in turns]
    yield At({"of": "sine"}, Fraction(max(abs(one - Decimal(float(x))) for (one, _), x in zip(exact, sines, strict=True))), CIRCLE)
    yield At({"of": "cosine"}, Fraction(max(abs(one - Decimal(float(x))) for (_, one), x in zip(exact, cosines, strict=True))), CIRCLE)
    known = [(log(Fraction(each)), Fraction(x)) for each, x in zip(values.tolist(), logs.tolist(), strict=True) if each != 1.0]
    yield At({"of": "logarithm"}, max(abs(one - x) / abs(one) for one, x in known), SMALL)


# --- normals ------------------------------------------------------------------------------------------------------------------------------


def box_muller(key: Words, purpose: int, first: int, rows: int, pairs: int) -> Floats:
    """Row i has the blocks (first + i) n, ..., one for each of its n pairs: radius and angle are its two uniforms. All cosines, then all
    sines."""
    stream, found = short_stream(key, purpose), []
    for row in range(rows):
        sizes, turns = np.array([fine_pair(stream, (first + row) * pairs + pair) for pair in range(pairs)]).T
        radii = np.sqrt(-2.0 * natural_logarithm(1.0 - sizes))
        cosines, sines = on_circle(turns)
        found.append(np.concatenate([radii * cosines, radii * sines]))
    return np.array(found)


def _at_once(key: Words, purpose: int, first: int, room: Floats, target: Floats) -> None:
    """The same of one call."""
    kept_normals.consecutive(room, key, purpose, first, target)


one_by_one, at_once = _there_and_back(kept_normals.kept_normal), compiled(_at_once)


def normal_numbers() -> Iterator[At]:
    """Numbers that differ in a bit."""
    for kernel in (one_by_one, at_once):
        for form, ask in forms(kernel):
            room = np.zeros(kept_normals.ROOM)
            for key, purpose in ((KEY, 0), (OTHER, 0), (OTHER, NOISE), (KEY, 0)):
                for index, count in ((0, 1), (31, 40), (60, 140), (2**40 + 9, 60), (2**61, 3)):
                    drawn = np.full(count, np.nan)
                    ask(key, purpose, index, room, drawn)
                    first = index // (2 * LANES)
                    windows = box_muller(key, purpose, first, -(-(index + count) // (2 * LANES)) - first, LANES).ravel()
                    right = windows[index - first * 2 * LANES :][:count]
                    yield At({"form": form, "run": int(key[2]), "index": index, "numbers": count}, unequal(drawn, right), 0)
    for form, kernel in forms(normals):
        for first, rows, pairs in ((5, 1, 1), (0, 1, 3), (1, 2, 1), (5, 3, 5), (2**40, 4, 40), (3, 1, 401), (7, 31, 7)):
            target, room = np.full((rows, 2 * pairs), np.nan), np.full(normals_room(rows, 2 * pairs), np.nan)
            kernel(KEY, NOISE, first, target, room)
            where = {"form": form, "rows": rows, "numbers": 2 * pairs}
            yield At(where, unequal(target, box_muller(KEY, NOISE, first, rows, pairs)), 0)


AUDITS = (
    Audit(
        "shariff_sheffet_2018.unit_lengths",
        "points.uniform_words",
        "uniforms of 53 bits, of blocks and one a round, beside Philox4x32 in whole numbers",
        beside(uniform_words, "four blocks of three streams, and rounds of two runs", "numbers that differ"),
    ),
    Audit(
        "shariff_sheffet_2018.unit_lengths",
        "points.short_words",
        "uniforms of Philox4x32 beside its definition in whole numbers",
        beside(short_words, "32 blocks of three streams, from five on", "numbers that differ"),
    ),
    Audit(
        "shariff_sheffet_2018.unit_lengths",
        "points.polynomials",
        "sine, cosine and logarithm of lanes beside Taylor's series",
        beside(polynomials, f"{len(TURNS)} turns, {len(VALUES)} numbers", "numbers that differ"),
    ),
    Audit(
        "shariff_sheffet_2018.unit_lengths",
        "points.polynomials_exact",
        "sine, cosine and logarithm of lanes beside 50 digits",
        beside(accuracy, "every thirteenth of the same", "error"),
    ),
    Audit(
        "shariff_sheffet_2018.gaussian_noise",
        "points.normals_by_the_array",
        "normals by the array beside Box and Muller's formula",
        beside(normal_numbers, "1 to 31 rows of 2 to 802 numbers, and 1 to 140 numbers one by one", "numbers that differ"),
    ),
)
