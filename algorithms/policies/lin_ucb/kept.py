"""Scores of a decision set that stays: <theta~, x> and x' V^-1 x of its arms, kept and updated row by row instead of computed anew.

An added row x costs d + 2 multiplications an arm instead of d (d + 3) / 2. Whether two rounds have the same set is told by their numbers,
so no party has to say so: a set's first eight numbers are compared with those of the round before, and from then on all. The scores are
computed afresh when V^-1 is (`set_stale`). WIDE arms stand side by side, the last ones perhaps none.
"""

import math
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.policies.lin_ucb.ellipsoid import arm_at, best_lane, forms, spread
from banditproof.interaction import Floats, Ints
from banditproof.kernels import compiled, of_lanes
from banditproof.lanes import EIGHT, WIDE, Lanes, bits_of, is_zero, read, take, write, zeros

# `Kept.known`: nothing; the first column of a set; a set, and its scores or not.
UNKNOWN, SEEN, STALE, FRESH = 0, 1, 2, 3


class Kept(NamedTuple):
    """A decision set of K arms in c = ceil(K / WIDE) parts; made by `kept`."""

    known: Ints  # (1,)
    numbers: Floats  # (d, K): the set by column, as contexts are stored
    arms: Floats  # (c, d, WIDE): the same, in parts
    scores: Floats  # (c, 2, WIDE): <theta~, x>, x' V^-1 x


def kept(arms: int, dimension: int) -> Kept:
    """Room for a decision set of so many arms."""
    parts = -(-arms // WIDE)
    return Kept(np.zeros(1, dtype=np.int64), zeros(dimension, arms), zeros(parts, dimension, WIDE), zeros(parts, 2, WIDE))


def _same(known: Floats, row: Floats, place: int, count: int) -> bool:
    """Whether row[place : place + count] are the numbers that are known, bit for bit."""
    if count < EIGHT:
        left, right, apart = known.view(np.int64), row.view(np.int64), np.int64(0)
        for at in range(count):
            apart |= left[at] ^ right[place + at]
        return bool(apart == 0)
    differences = bits_of(read(known, 0, EIGHT)) ^ bits_of(read(row, place, EIGHT))
    for at in range(EIGHT, count, EIGHT):
        start = min(at, count - EIGHT)
        differences = differences | (bits_of(read(known, start, EIGHT)) ^ bits_of(read(row, place + start, EIGHT)))
    return is_zero(differences)


same = compiled(_same, inline=True)


def _all_same(kept: Kept, sets: Floats, place: int, arms: int) -> bool:
    alike = True
    for column in range(sets.shape[0]):
        alike = alike and same(kept.numbers[column], sets[column], place, arms)
    return alike


def _keep(kept: Kept, sets: Floats, place: int, arms: int) -> None:
    """Keeps a decision set, by column."""
    for column in range(sets.shape[0]):
        take(sets[column], place, kept.numbers[column], arms)
        for part in range(kept.arms.shape[0]):
            spread(sets[column], place, part * WIDE, arms, kept.arms[part, column])


def _score(kept: Kept, inverse: Floats, centre: Floats) -> None:
    """Computes the scores afresh."""
    for part in range(kept.arms.shape[0]):
        scores, squares = forms(inverse, centre, kept.arms[part], kept.arms.shape[1])
        write(kept.scores[part, 0], 0, scores)
        write(kept.scores[part, 1], 0, squares)


keep, score, all_same = compiled(_keep), compiled(_score), compiled(_all_same)


def _is_kept(kept: Kept, sets: Floats, place: int, arms: int, inverse: Floats, centre: Floats, stays: bool) -> bool:
    """Whether the scores of a decision set, the columns place .. place + arms - 1 of sets (d, n), are there: from the second of the rounds
    on in which it is the same."""
    known, few = kept.known, min(arms, EIGHT)
    if known[0] >= STALE:
        if not stays and not all_same(kept, sets, place, arms):
            known[0] = UNKNOWN
    elif known[0] == SEEN and (stays or same(kept.numbers[0], sets[0], place, few)):
        keep(kept, sets, place, arms)
        known[0] = STALE
    if known[0] < STALE:
        take(sets[0], place, kept.numbers[0], few)
        known[0] = SEEN
        return False
    if known[0] == STALE:
        score(kept, inverse, centre)
        known[0] = FRESH
    return True


def _best_kept(kept: Kept, radius: float, arms: int) -> int:
    """The arm of the largest index, the lowest of equal ones."""
    best, highest = 0, -math.inf
    for part in range(kept.arms.shape[0]):
        lane, top = best_lane(read(kept.scores[part, 0], 0, WIDE), read(kept.scores[part, 1], 0, WIDE), radius)
        if part == 0 or top > highest:
            best, highest = arm_at(lane, part * WIDE, arms), top
    return best


def _inner_in_five(image: Floats, arms: Floats) -> Lanes:
    """<image, x> of the arms of a part, (5, WIDE)."""
    inner = image[0] * read(arms[0], 0, WIDE) + image[1] * read(arms[1], 0, WIDE)
    return inner + (image[2] * read(arms[2], 0, WIDE) + image[3] * read(arms[3], 0, WIDE)) + image[4] * read(arms[4], 0, WIDE)


def _inner_in_any(image: Floats, arms: Floats) -> Lanes:
    """The same for any dimension, (d, WIDE)."""
    inner = image[0] * read(arms[0], 0, WIDE)
    for column in range(1, arms.shape[0]):
        inner = inner + image[column] * read(arms[column], 0, WIDE)
    return inner


inner_in_five, inner_in_any = of_lanes(_inner_in_five), of_lanes(_inner_in_any)


def _follow(kept: Kept, image: Floats, growth: float, step: float) -> None:
    """The scores after a row x: `image` = V^-1 x with V as it was, growth = 1 + x' V^-1 x, and theta~ moved by step times the image."""
    share = 1.0 / growth
    for part in range(kept.arms.shape[0]):
        arms, scores, squares = kept.arms[part], kept.scores[part, 0], kept.scores[part, 1]
        inner = inner_in_five(image, arms) if arms.shape[0] == 5 else inner_in_any(image, arms)
        write(squares, 0, read(squares, 0, WIDE) - share * (inner * inner))
        write(scores, 0, read(scores, 0, WIDE) + step * inner)


# Inlined: a call costs more than most of what they do.
is_kept, best_kept, follow = compiled(_is_kept, inline=True), compiled(_best_kept, inline=True), compiled(_follow, inline=True)
