"""Scores of a decision set that stays: <theta~, x> and x' V^-1 x of its arms, kept and updated row by row instead of computed anew.

An added row x costs d + 2 multiplications an arm instead of d (d + 3) / 2. Whether two rounds have the same set is told by their numbers,
so no party has to say so: a set's first column is compared with that of the round before, and from then on all of it. The scores are
computed afresh when V^-1 is (`set_stale`). LANES arms stand side by side, the last ones perhaps none.
"""

import math
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.policies.lin_ucb.ellipsoid import LANES, first_of_largest, forms
from banditproof.interaction import Floats, Ints
from banditproof.kernels import compiled, take

# `Kept.known`: nothing; the first column of a set; a set, and its scores or not.
UNKNOWN, SEEN, STALE, FRESH = 0, 1, 2, 3


class Kept(NamedTuple):
    """A decision set of K arms in c = ceil(K / LANES) parts; made by `kept`."""

    known: Ints  # (1,)
    numbers: Floats  # (d K,): the set by column, as contexts are stored
    arms: Floats  # (c, d, LANES): the same, in parts
    scores: Floats  # (c, 3, LANES): <theta~, x>, x' V^-1 x, scratch


def kept(arms: int, dimension: int) -> Kept:
    """Room for a decision set of so many arms."""
    parts = -(-arms // LANES)
    return Kept(np.zeros(1, dtype=np.int64), np.zeros(dimension * arms), np.zeros((parts, dimension, LANES)), np.zeros((parts, 3, LANES)))


def _same(known: Floats, numbers: Floats, count: int) -> bool:
    """Whether the first numbers are those that are known, bit for bit; its four quarters, which may overlap, together."""
    left, right, apart = known.view(np.int64), numbers.view(np.int64), np.int64(0)
    quarter = (count + 31) // 32 * 8
    if quarter > count:
        for place in range(count):
            apart |= left[place] ^ right[place]
        return bool(apart == 0)
    second, third, last = min(quarter, count - quarter), min(2 * quarter, count - quarter), count - quarter
    b, c, d = left[second:], left[third:], left[last:]
    f, g, h = right[second:], right[third:], right[last:]
    for place in range(quarter):
        apart |= ((left[place] ^ right[place]) | (b[place] ^ f[place])) | ((c[place] ^ g[place]) | (d[place] ^ h[place]))
    return bool(apart == 0)


same = compiled(_same, inline=True)


def _keep(kept: Kept, numbers: Floats, arms: int) -> None:
    """Keeps a decision set, by column."""
    take(numbers, 0, kept.numbers, numbers.shape[0])
    for part in range(kept.arms.shape[0]):
        for column in range(kept.arms.shape[1]):
            take(numbers, column * arms + part * LANES, kept.arms[part, column], min(LANES, arms - part * LANES))


def _score(kept: Kept, inverse: Floats, centre: Floats) -> None:
    """Computes the scores afresh."""
    for part in range(kept.arms.shape[0]):
        forms(inverse, centre, kept.arms[part], kept.scores[part], kept.arms.shape[2])


keep, score = compiled(_keep), compiled(_score)


def _is_kept(kept: Kept, contexts: Floats, inverse: Floats, centre: Floats, stays: bool) -> bool:
    """Whether the scores of this decision set are there: from the second of the rounds on in which it is the same."""
    known, (arms, dimension) = kept.known, contexts.shape
    numbers = contexts.T.reshape(arms * dimension)
    if known[0] >= STALE:
        if not stays and not same(kept.numbers, numbers, arms * dimension):
            known[0] = UNKNOWN
    elif known[0] == SEEN and (stays or same(kept.numbers, numbers, arms)):
        keep(kept, numbers, arms)
        known[0] = STALE
    if known[0] < STALE:
        take(numbers, 0, kept.numbers, arms)
        known[0] = SEEN
        return False
    if known[0] == STALE:
        score(kept, inverse, centre)
        known[0] = FRESH
    return True


def _best_kept(kept: Kept, radius: float, arms: int) -> int:
    """The arm of the largest index, the lowest of equal ones."""
    best, top, lanes = 0, -math.inf, kept.scores.shape[2]
    for part in range(kept.arms.shape[0]):
        along, squares, scores = kept.scores[part, 0], kept.scores[part, 1], kept.scores[part, 2]
        for arm in range(lanes):
            scores[arm] = along[arm] + radius * math.sqrt(max(squares[arm], 0.0))
        place = first_of_largest(scores, min(LANES, arms - part * LANES))
        if part == 0 or scores[place] > top:
            best, top = part * LANES + place, scores[place]
    return best


def _follow_in_five(image: Floats, share: float, step: float, arms: Floats, scores: Floats) -> None:
    """A part of `follow` for d = 5, the papers' experiments: all is in registers."""
    along, squares = scores[0], scores[1]
    for arm in range(LANES):
        inner = image[0] * arms[0, arm] + image[1] * arms[1, arm] + image[2] * arms[2, arm]
        inner += image[3] * arms[3, arm] + image[4] * arms[4, arm]
        squares[arm] -= share * (inner * inner)
        along[arm] += step * inner


def _follow_in_any(image: Floats, share: float, step: float, arms: Floats, scores: Floats) -> None:
    """The same for any dimension."""
    along, squares, inner, lanes = scores[0], scores[1], scores[2], arms.shape[1]
    for arm in range(lanes):
        inner[arm] = image[0] * arms[0, arm]
    for column in range(1, arms.shape[0]):
        weight = image[column]
        for arm in range(lanes):
            inner[arm] += weight * arms[column, arm]
    for arm in range(lanes):
        squares[arm] -= share * (inner[arm] * inner[arm])
    for arm in range(lanes):
        along[arm] += step * inner[arm]


follow_in_five, follow_in_any = compiled(_follow_in_five, inline=True), compiled(_follow_in_any, inline=True)


def _follow(kept: Kept, image: Floats, growth: float, step: float) -> None:
    """The scores after a row x: `image` = V^-1 x with V as it was, growth = 1 + x' V^-1 x, and theta~ moved by step times the image."""
    for part in range(kept.arms.shape[0]):
        if kept.arms.shape[1] == 5:
            follow_in_five(image, 1.0 / growth, step, kept.arms[part], kept.scores[part])
        else:
            follow_in_any(image, 1.0 / growth, step, kept.arms[part], kept.scores[part])


# Inlined: a call costs more than most of what they do.
is_kept, best_kept, follow = compiled(_is_kept, inline=True), compiled(_best_kept, inline=True), compiled(_follow, inline=True)
