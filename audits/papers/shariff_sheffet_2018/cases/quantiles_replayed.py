"""shariff_sheffet_2018: the table of one coordinate of a point on the sphere, from which the decision sets' mean rewards are drawn.

QUANTILES  what is drawn beside exact quantiles: the density's integral by its recurrence in d, 50 digits; for steep tails by quadrature;
           beyond the rounding of a fraction, which moves a quantile in a thin tail
CELLS      as many cells as the density needs, in each of which its logarithm changes by at most 0.03
SEARCH     a draw beside the row of the table that its fraction belongs to, at all borders of cells: equal in all bits
REFUSED    dimensions and intervals that have no table, and those at the ends that have one
"""

import math
from collections.abc import Iterator
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import numpy as np

from banditproof.algorithms.draws.sphere import quantiles, table
from banditproof.audits.common.side_by_side import Refusal, beside, number, refusals, unequal
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.shariff_sheffet_2018.cases.numbers_replayed import forms, sine_and_cosine
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Floats

Interval = tuple[int, float, float]  # d, low, high
EXACT: tuple[Interval, ...] = (
    (2, -0.5, 0.6), (2, -0.3, 0.95), (3, -0.1, 0.1), (3, 0.2, 0.97), (4, -0.95, -0.2), (5, -0.75, 0.65), (6, 0.3, 0.9), (17, -0.9, 0.4),
    (64, -0.4, 0.3),
)  # fmt: skip
STEEP: tuple[Interval, ...] = ((301, 0.4, 0.6), (12_000, 0.9, 0.91), (12_000, -0.91, -0.9))
NEARLY = Fraction(1, 10**14)
ONE = 1.0 - 2.0**-53
FRACTIONS = (0.0, 2.0**-32, 0.013, 0.25, 0.5, 0.71, 0.987, 1.0 - 2.0**-32, ONE)


def drawn(entries: Floats, fractions: Floats, form: int = 1) -> Floats:
    """The shipped quantiles; the compiled form is the second one."""
    target, room = np.full((2, len(fractions)), np.nan)
    forms(quantiles)[form][1](entries, fractions, room, target)
    return target


# --- quantiles ----------------------------------------------------------------------------------------------------------------------------


def arcsine(z: Decimal) -> Decimal:
    """By Newton's steps from the double."""
    angle = Decimal(math.asin(float(z)))
    for _ in range(2):
        sine, cosine = sine_and_cosine(angle)
        angle += (z - sine) / cosine
    return angle


def integral(dimension: int, z: Decimal) -> Decimal:
    """Of (1 - z^2)^p from 0, p = (d - 3)/2: I_p = (z (1 - z^2)^p + 2 p I_(p - 1)) / (2 p + 1), from I_0 = z and I_(-1/2) = arcsin z."""
    power = Decimal(0) if dimension % 2 else Decimal("-0.5")
    total = z if dimension % 2 else arcsine(z)
    while power < Decimal(dimension - 3) / 2:
        power += 1
        total = (z * (1 - z * z) ** power + 2 * power * total) / (2 * power + 1)
    return total


def relative_density(dimension: int, z: Floats, inner: float) -> Floats:
    """At z, in terms of that at `inner`."""
    return np.exp((dimension - 3) / 2.0 * (np.log1p(-z * z) - math.log1p(-inner * inner)))


def mass(dimension: int, low: float, high: float, inner: float) -> float:
    """Of an interval on one side of 0, by quadrature over pieces that double from the inner end on, relative to the density there."""
    scale = (1.0 - inner * inner) / (dimension * inner)
    ends = np.clip(
        inner + scale * np.concatenate([[0.0], 2.0 ** np.arange(-3.0, 16.0)]), min(abs(low), abs(high)), max(abs(low), abs(high))
    )
    nodes, weights = np.polynomial.legendre.leggauss(24)
    return math.fsum(
        (end - begin) / 2.0 * float(weights @ relative_density(dimension, begin + (end - begin) * (nodes + 1.0) / 2.0, inner))
        for begin, end in pairwise(ends.tolist())
    )


def quantile_errors() -> Iterator[At]:
    """The largest distance of a draw from the exact quantile, and how far draws lie outside the interval."""
    with localcontext(Context(prec=50)):
        for dimension, low, high in EXACT:
            found = drawn(table(dimension, low, high), np.array(FRACTIONS))
            first, last = (integral(dimension, Decimal(each)) for each in (low, high))
            errors = []
            for z, fraction in zip(found.tolist(), FRACTIONS, strict=True):
                missing = first + Decimal(fraction) * (last - first) - integral(dimension, Decimal(z))
                rounding = (last - first) / 2**51  # of fractions: the borders of cells are doubles
                density = (1 - Decimal(z) ** 2) ** (Decimal(dimension - 3) / 2)
                errors.append(Fraction(max(abs(missing) - rounding, Decimal(0)) / density))
            yield At({"d": dimension, "low": low, "high": high}, max(errors), NEARLY)
            yield At({"d": dimension, "outside of": f"{low}, {high}"}, int(np.sum((found < low) | (found > high))), 0)
    for dimension, low, high in STEEP:
        inner, chosen = min(abs(low), abs(high)), np.array([0.2, 0.9, 0.999])
        whole, worst = mass(dimension, low, high, inner), 0.0
        for z, fraction in zip(drawn(table(dimension, low, high), chosen).tolist(), chosen.tolist(), strict=True):
            missing = (
                fraction * whole - mass(dimension, low, z, inner)
                if low > 0.0
                else (1.0 - fraction) * whole - mass(dimension, z, high, inner)
            )
            worst = max(worst, abs(missing) / float(relative_density(dimension, np.array([z]), inner)[0]))
        yield At({"d": dimension, "low": low, "high": high}, number(worst), NEARLY)


# --- cells --------------------------------------------------------------------------------------------------------------------------------

SIZED: tuple[Interval, ...] = (
    (64, -0.5, 0.4), (64, -0.4, 0.5), (200, 0.1, 0.3), (2, -0.87, 0.5), (3, -0.05, 0.06), (5, -0.75, 0.65), (4, -0.2, 0.9),
)  # fmt: skip


def cells() -> Iterator[At]:
    """How far the number of cells is from the one that is needed, beyond rounding up: a change of 0.03 of the density's logarithm, whose
    slope is largest at the far end; a fortieth of that end's distance from 1; and 32 cells."""
    for dimension, low, high in SIZED:
        entries, far = table(dimension, low, high), max(-low, high)
        steepest = abs(dimension - 3) * far / (1.0 - far**2)
        needed = max((high - low) * steepest / 0.03, 40.0 * (high - low) / (1.0 - far), 32.0)
        yield At({"d": dimension, "low": low, "high": high}, number(abs(float(entries[0]) - needed - 0.5)), Fraction(1, 2) + NEARLY)


# --- search -------------------------------------------------------------------------------------------------------------------------------


def by_row(entries: Floats, fractions: Floats) -> Floats:
    """The polynomial of the last cell whose lower border is not above the fraction, held to the interval."""
    count, guide, low, high = int(entries[0]), int(entries[1]), entries[2], entries[3]
    rows = entries[4 + guide : 4 + guide + 9 * count].reshape(count, 9)
    mine = rows[np.array([int(np.flatnonzero(rows[:, 0] <= fraction)[-1]) for fraction in fractions])]
    v = (fractions - mine[:, 0]) * mine[:, 1]
    v = np.where(v > 1.0, 1.0, v)
    z = np.zeros_like(v)
    for column in range(8, 1, -1):
        z = mine[:, column] + v * z if column < 8 else mine[:, 8]
    return np.where(z < low, low, np.where(z > high, high, z))


def search() -> Iterator[At]:
    """Draws that differ, of fractions at all borders of cells, just below them, and between; and draws that fall as fractions grow."""
    steps = np.random.default_rng(7)
    for dimension, low, high in (*EXACT[:9], *((3, -0.1 - 0.01 * place, 0.1) for place in range(8))):
        entries = table(dimension, low, high)
        count, guide = int(entries[0]), int(entries[1])
        borders = entries[4 + guide : 4 + guide + 9 * count : 9]
        fractions = np.concatenate([borders, np.nextafter(borders[1:], 0.0), steps.uniform(size=300), [ONE, np.nextafter(ONE, 0.0)]])
        fractions = np.sort(fractions[fractions < 1.0])
        expected = by_row(entries, fractions)
        for form in range(2):
            found = drawn(entries, fractions, form)
            where = {"form": forms(quantiles)[form][0], "d": dimension, "low": low, "high": high}
            yield At(where, unequal(found, expected), 0)
            yield At({**where, "of": "falls"}, number(max(0.0, -float(np.diff(found).min()))), Fraction(1, 10**15))


# --- refused ------------------------------------------------------------------------------------------------------------------------------

_LONGEST = 1.0 - 40.0 * 0.1 / 32767.5  # of an interval whose lower end is 0.1 less: 32768 cells
REFUSED: tuple[Refusal, ...] = (
    ("dimension", lambda value: table(value, -0.1, 0.1), (1, 0, -3), (2, 3)),
    ("low", lambda value: table(3, value, 0.1), (0.1, 0.2, -1.0, -1.2, math.nan), (-0.9, 0.0999)),
    ("high", lambda value: table(3, -0.1, value), (-0.1, 1.0, 1.3, math.nan), (0.9, -0.0999)),
    ("cells", lambda value: table(3, value - 0.1, value), (1.0 - 40.0 * 0.1 / 32769.5,), (_LONGEST,)),
)

AUDITS = tuple(
    Audit("shariff_sheffet_2018.unit_lengths", f"points.{slug}", f"table and quantiles of one coordinate on the sphere: {label}", method)
    for slug, label, method in (
        (
            "quantiles_exact",
            "draws beside exact quantiles",
            beside(quantile_errors, f"{len(EXACT) + len(STEEP)} intervals of d 2 to 12000, listed fractions", "distance"),
        ),
        ("quantiles_cells", "the number of cells", beside(cells, f"{len(SIZED)} intervals", "cells from the number needed, less 1/2")),
        ("quantiles_search", "draws beside the rows of the table", beside(search, "17 intervals, all borders", "draws that differ")),
        (
            "quantiles_refused",
            "what has no table",
            beside(lambda: refusals(REFUSED), "listed values, and those at the ends", "values taken or refused by mistake"),
        ),
    )
)
